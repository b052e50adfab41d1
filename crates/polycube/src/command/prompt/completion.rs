//! What a line that is typed may go on with.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};

/// What separates words: `enter(#1, #2)` has the same words as `enter #1 #2`.
const SEPARATORS: [char; 5] = [' ', '\t', '(', ')', ','];

/// What may follow the words that are typed.
pub(in crate::command) enum Next {
    /// One of these words.
    Words(Vec<String>),
    /// The name of a file, up to the end of the line.
    File,
}

/// What may follow the words before a place.
pub(super) type Completion = Box<dyn Fn(&[&str]) -> Next>;

/// What the end of the text may be replaced by, and where that end starts.
pub(super) fn candidates(text: &str, completion: &Completion) -> (usize, Vec<String>) {
    let start = text.rfind(SEPARATORS).map_or(0, |separator| separator + 1);
    let mut before: Vec<&str> = text[..start].split(SEPARATORS).filter(|word| !word.is_empty()).collect();
    match completion(&before) {
        Next::Words(words) => {
            let mut found: Vec<String> =
                words.into_iter().filter(|word| word.starts_with(&text[start..])).collect();
            found.sort();
            found.dedup();
            if let [only] = found.as_mut_slice() {
                let word = only.clone();
                before.push(&word);
                // Where more may follow, a blank has to.
                if !matches!(completion(&before), Next::Words(words) if words.is_empty()) {
                    only.push(' ');
                }
            }
            (start, found)
        }
        // A name may have blanks in it.
        Next::File => {
            let start = text.len() - text.trim_start().len();
            let start = text[start..].find(char::is_whitespace).map_or(text.len(), |blank| start + blank + 1);
            (start, files(&text[start..]))
        }
    }
}

/// The files and folders whose names start so; none where they cannot be listed.
fn files(typed: &str) -> Vec<String> {
    let (folder, start) = typed
        .rsplit_once(MAIN_SEPARATOR)
        .map_or(("", typed), |(folder, start)| (&typed[..folder.len() + MAIN_SEPARATOR.len_utf8()], start));
    let path = if folder.is_empty() { Path::new(".") } else { Path::new(folder) };
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut found: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            // As in a shell, hidden files have to be asked for.
            let is_wanted = name.starts_with(start) && (start.starts_with('.') || !name.starts_with('.'));
            let ending = if entry.path().is_dir() { MAIN_SEPARATOR.to_string() } else { String::new() };
            is_wanted.then(|| format!("{folder}{name}{ending}"))
        })
        .collect();
    found.sort();
    found
}
