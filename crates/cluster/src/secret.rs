//! What the processes of a cluster know, and nobody else.

use std::fmt;
use std::path::Path;

/// A shared secret. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    bytes: Vec<u8>,
}

impl Secret {
    /// A stranger who talks to a process can try guesses at home, as many as he likes.
    const LEAST: usize = 16;
    const MOST: usize = 4096;

    /// The secret in a file: what it has, without the end of its last line.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is too short.
    pub fn read(file: &Path) -> Result<Secret, String> {
        let make = format!("make one with `head -c 32 /dev/urandom | base64 > {}`", file.display());
        let bytes = std::fs::read(file)
            .map_err(|error| format!("the secret cannot be read from {}: {error}; {make}", file.display()))?;
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Secret::new(line).map_err(|mistake| {
            format!("{}: {mistake}; {make}, and copy the file to every host", file.display())
        })
    }

    /// These bytes as a secret.
    ///
    /// # Errors
    ///
    /// If they are too few or too many.
    pub fn new(bytes: &[u8]) -> Result<Secret, String> {
        match bytes.len() {
            length if length < Secret::LEAST => {
                Err(format!("a secret has at least {} bytes, and this has {length}", Secret::LEAST))
            }
            length if length > Secret::MOST => {
                Err(format!("a secret has at most {} bytes, and this has {length}", Secret::MOST))
            }
            _ => Ok(Secret { bytes: bytes.to_vec() }),
        }
    }

    /// A secret that the system chooses, for processes that are started together.
    ///
    /// # Errors
    ///
    /// If the system has none.
    pub fn random() -> Result<Secret, String> {
        Ok(Secret { bytes: random::<32>()?.to_vec() })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The secret as text, for the standard input of a process that this one starts.
    pub(crate) fn to_hex(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn from_hex(text: &str) -> Option<Secret> {
        let digits = text.as_bytes();
        if !digits.len().is_multiple_of(2) || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let pair =
            |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = digits.chunks(2).map(pair).collect();
        Secret::new(&bytes?).ok()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Secret(..)")
    }
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    let mut filled = 0;
    while filled < N {
        let part = rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty());
        match part {
            Ok(more) => filled += more,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(format!("the system gives no random numbers: {error}")),
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn secrets_are_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        let mistake = Secret::read(&file).unwrap_err();
        assert!(
            mistake.contains("cannot be read") && mistake.contains("head -c 32 /dev/urandom"),
            "{mistake}"
        );
        fs::write(&file, "0123456789abcde\n").unwrap();
        let mistake = Secret::read(&file).unwrap_err();
        assert!(mistake.contains("at least 16 bytes, and this has 15"), "{mistake}");
        fs::write(&file, "0123456789abcdef\n").unwrap();
        assert_eq!(Secret::read(&file).unwrap(), Secret::new(b"0123456789abcdef").unwrap());
        fs::write(&file, "0123456789abcdef\n\n").unwrap();
        assert_eq!(Secret::read(&file).unwrap(), Secret::new(b"0123456789abcdef\n").unwrap());
    }

    #[test]
    fn secrets_are_not_shown() {
        let secret = Secret::random().unwrap();
        assert_ne!(secret, Secret::random().unwrap());
        assert_eq!(format!("{secret:?}"), "Secret(..)");
        assert_eq!(Secret::from_hex(&secret.to_hex()), Some(secret));
        assert_eq!(Secret::from_hex("0g"), None);
        assert_eq!(Secret::from_hex("00"), None);
    }
}
