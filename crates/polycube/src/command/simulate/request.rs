//! A transition and its processes, as a user names them.

use polycube_language::System;

/// `enter`, `enter #1 #2`, `enter 1 2`, or `enter(#1, #2)`.
pub(super) struct Request<'t> {
    pub name: &'t str,
    /// None at all may stand for any.
    pub arguments: Vec<u32>,
}

impl<'t> Request<'t> {
    /// What a text begins with: a transition as people call it, which may have blanks in its name, or else a word.
    pub(super) fn name(system: &System, text: &'t str) -> Option<&'t str> {
        let text = text.trim_start();
        let names = system.transitions.iter().map(|one| system.transition_in_words(&one.name));
        let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '(']);
        let named = names.filter(|name| text.strip_prefix(name).is_some_and(ends));
        let longest = named.map(str::len).max();
        longest.map(|length| &text[..length]).or_else(|| words(text).next())
    }

    /// None if nothing is named; an error if something is no process.
    pub(super) fn parse(system: &System, text: &'t str) -> Result<Option<Request<'t>>, String> {
        let Some(name) = Request::name(system, text) else { return Ok(None) };
        let words = words(&text.trim_start()[name.len()..]);
        let process = |word: &str| {
            let number = word.strip_prefix('#').unwrap_or(word).parse::<u32>();
            number.map_err(|_| format!("`{word}` is not a process, such as `#1`.\n"))
        };
        let arguments = words.map(process).collect::<Result<Vec<u32>, String>>()?;
        Ok(Some(Request { name, arguments }))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '(', ')', ',']).filter(|word| !word.is_empty())
}
