//! Reading models from files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::span::Span;

/// The largest model that is read. Far above any model written by people or programs; it stops endless
/// inputs.
pub const MAX_SIZE: u64 = 256 << 20;

/// A model as read.
pub struct Input {
    /// How messages name it.
    pub name: String,
    /// Where it came from; none for standard input.
    pub path: Option<PathBuf>,
    /// Its text; where it is not UTF-8, with replacement characters.
    pub text: String,
    /// Where it is not UTF-8.
    pub not_text: Option<Diagnostic>,
}

impl Input {
    /// Whether it is written for Murphi, as the name of its file says.
    pub(crate) fn is_murphi(&self) -> bool {
        self.path.as_ref().and_then(|path| path.extension()).is_some_and(|extension| extension == "m")
    }
}

/// A model that could not be read.
#[derive(Debug)]
pub struct Unreadable {
    /// How messages name it.
    pub name: String,
    /// Why.
    pub reason: String,
    /// What to do.
    pub help: Option<String>,
}

/// Why something cannot be done.
pub(crate) struct Impossible {
    pub(crate) reason: String,
    /// What to do.
    pub(crate) help: Option<String>,
}

impl Impossible {
    pub(crate) fn new(reason: impl Into<String>) -> Impossible {
        Impossible { reason: reason.into(), help: None }
    }

    /// The same, with what to do instead.
    pub(crate) fn or(self, help: impl Into<String>) -> Impossible {
        Impossible { help: Some(help.into()), ..self }
    }
}

/// Reads a file, or standard input if the path is `-`.
pub fn read(path: &Path) -> Result<Input, Unreadable> {
    let standard = path.as_os_str() == "-";
    let name = if standard { "<stdin>".to_owned() } else { path.display().to_string() };
    let bytes = if standard { read_all(io::stdin().lock()) } else { read_file(path) };
    let bytes = match bytes {
        Ok(bytes) if bytes.len() as u64 > MAX_SIZE => {
            let reason = format!("it is larger than {} MiB", MAX_SIZE >> 20);
            return Err(Unreadable { name, reason, help: Some("is this really a model?".to_owned()) });
        }
        Ok(bytes) => bytes,
        Err(error) => return Err(Unreadable { name, reason: describe(&error), help: hint(path, &error) }),
    };
    let path = (!standard).then(|| path.to_owned());
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Input { name, path, text, not_text: None },
        Err(error) => {
            let valid = error.utf8_error().valid_up_to() as u32;
            let byte = error.as_bytes()[valid as usize];
            let diagnostic = Diagnostic::error(
                Code::Lexical,
                Span::new(valid, valid + 3),
                "this file is not UTF-8 text",
            )
            .label(format!("the byte 0x{byte:02X} has no meaning here"))
            .help("save the file in the encoding UTF-8; letters outside ASCII are allowed in comments only");
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Input { name, path, text, not_text: Some(diagnostic) }
        }
    })
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    read_all(file)
}

fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        _ => error.to_string(),
    }
}

fn hint(path: &Path, error: &io::Error) -> Option<String> {
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            Some(format!("name the files in it, for example {}/*.cub", path.display()))
        }
        io::ErrorKind::NotFound if path.extension().is_none() && path.with_extension("cub").exists() => {
            Some(format!("did you mean {}?", path.with_extension("cub").display()))
        }
        io::ErrorKind::NotFound => similar(path).map(|near| format!("did you mean {}?", near.display())),
        _ => None,
    }
}

/// A model in the same directory whose name differs only in case or in `_` and `-`.
fn similar(path: &Path) -> Option<PathBuf> {
    let plain = |name: &Path| {
        let name = name.file_name()?.to_str()?.to_lowercase();
        Some(name.chars().filter(char::is_ascii_alphanumeric).collect::<String>())
    };
    let wanted = plain(path)?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut near: Vec<PathBuf> = std::fs::read_dir(directory)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|candidate| plain(candidate).as_ref() == Some(&wanted))
        .collect();
    near.sort();
    near.into_iter().next()
}
