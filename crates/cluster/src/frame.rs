//! What processes say on a lifeline: messages with their kind and length in front, and a limit for each kind.

use std::time::Duration;

use crate::failure::Cause;
use crate::lifeline::COUNTERS;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The version of the program. The first message: what others look like can depend on it.
    Version(String),
    /// What the process is to do.
    Introduction { settings: Vec<(String, String)>, digest: Option<[u8; 32]> },
    /// The model, for who has none.
    Model { name: String, text: String },
    /// A sign of life.
    Heartbeat([u64; COUNTERS]),
    /// The process ends, because of what happened to a process: it, or another.
    Farewell { about: u16, cause: Cause },
    /// All should stop soon.
    Stop(u32),
    /// The process needs the others no more.
    Done,
}

/// Something that no process of this version says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

const HEAD: usize = 1 + 4;

/// No message is longer, whatever it says of itself.
pub(crate) const MOST: usize = 64 << 20;

impl Frame {
    fn kind(&self) -> u8 {
        match self {
            Frame::Version(_) => 0,
            Frame::Introduction { .. } => 1,
            Frame::Model { .. } => 2,
            Frame::Heartbeat(_) => 3,
            Frame::Farewell { .. } => 4,
            Frame::Stop(_) => 5,
            Frame::Done => 6,
        }
    }

    /// The longest content of a message of a kind.
    fn most(kind: u8) -> Option<usize> {
        [1 << 10, 1 << 20, MOST, 8 * COUNTERS, 1 << 16, 4, 0].get(usize::from(kind)).copied()
    }

    /// Whether it is short enough to be sent.
    pub fn is_sendable(&self) -> bool {
        Frame::most(self.kind()).is_some_and(|most| self.content().len() <= most)
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        let content = self.content();
        debug_assert!(self.is_sendable());
        out.push(self.kind());
        out.extend((content.len() as u32).to_le_bytes());
        out.extend(content);
    }

    fn content(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Frame::Version(version) => out.extend(version.as_bytes()),
            Frame::Introduction { settings, digest } => {
                out.push(u8::from(digest.is_some()));
                out.extend(digest.iter().flatten());
                for (name, value) in settings {
                    write_text(&mut out, name);
                    write_text(&mut out, value);
                }
            }
            Frame::Model { name, text } => {
                write_text(&mut out, name);
                out.extend(text.as_bytes());
            }
            Frame::Heartbeat(counters) => out.extend(counters.iter().flat_map(|word| word.to_le_bytes())),
            Frame::Farewell { about, cause } => {
                out.extend(about.to_le_bytes());
                match cause {
                    Cause::Gone => out.push(0),
                    Cause::Silent(time) => {
                        out.push(1);
                        out.extend((time.as_millis() as u64).to_le_bytes());
                    }
                    Cause::Ended(reason) => {
                        out.push(2);
                        out.extend(shortened(reason, 4 << 10).as_bytes());
                    }
                }
            }
            Frame::Stop(cause) => out.extend(cause.to_le_bytes()),
            Frame::Done => {}
        }
        out
    }

    /// The first message in these bytes, and how many it takes; nothing if it is not whole yet.
    pub fn read(bytes: &[u8]) -> Result<Option<(Frame, usize)>, Malformed> {
        let Some((&[kind, a, b, c, d], rest)) = bytes.split_first_chunk::<HEAD>() else { return Ok(None) };
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length > Frame::most(kind).ok_or(Malformed)? {
            return Err(Malformed);
        }
        let Some(mut content) = rest.get(..length) else { return Ok(None) };
        let content = &mut content;
        let frame = match kind {
            0 => Frame::Version(rest_text(content)?),
            1 => {
                let digest = match take::<1>(content)? {
                    [0] => None,
                    [1] => Some(take(content)?),
                    _ => return Err(Malformed),
                };
                let mut settings = Vec::new();
                while !content.is_empty() {
                    settings.push((take_text(content)?, take_text(content)?));
                }
                Frame::Introduction { settings, digest }
            }
            2 => Frame::Model { name: take_text(content)?, text: rest_text(content)? },
            3 => {
                let mut counters = [0; COUNTERS];
                for counter in &mut counters {
                    *counter = u64::from_le_bytes(take(content)?);
                }
                Frame::Heartbeat(counters)
            }
            4 => {
                let about = u16::from_le_bytes(take(content)?);
                let cause = match take::<1>(content)? {
                    [0] => Cause::Gone,
                    [1] => Cause::Silent(Duration::from_millis(u64::from_le_bytes(take(content)?))),
                    [2] => Cause::Ended(rest_text(content)?),
                    _ => return Err(Malformed),
                };
                Frame::Farewell { about, cause }
            }
            5 => Frame::Stop(u32::from_le_bytes(take(content)?)),
            _ => Frame::Done,
        };
        if content.is_empty() { Ok(Some((frame, HEAD + length))) } else { Err(Malformed) }
    }
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

fn take<const N: usize>(content: &mut &[u8]) -> Result<[u8; N], Malformed> {
    let (first, rest) = content.split_first_chunk::<N>().ok_or(Malformed)?;
    *content = rest;
    Ok(*first)
}

fn take_text(content: &mut &[u8]) -> Result<String, Malformed> {
    let length = u32::from_le_bytes(take(content)?) as usize;
    let (mut text, rest) = content.split_at_checked(length).ok_or(Malformed)?;
    *content = rest;
    rest_text(&mut text)
}

fn rest_text(content: &mut &[u8]) -> Result<String, Malformed> {
    let text = std::str::from_utf8(std::mem::take(content)).map_err(|_| Malformed)?;
    Ok(text.to_owned())
}

/// The start of a text.
fn shortened(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_were_written() {
        let settings = vec![("-n".to_owned(), "4".to_owned()), ("--symmetry".to_owned(), String::new())];
        let frames = [
            Frame::Version("0.1.0".to_owned()),
            Frame::Introduction { settings, digest: Some([7; 32]) },
            Frame::Introduction { settings: Vec::new(), digest: None },
            Frame::Model { name: "a.pc".to_owned(), text: "type t = enum { ä }".to_owned() },
            Frame::Heartbeat([1, 2, 3, 4, 5, 6, 7, u64::MAX]),
            Frame::Farewell { about: 3, cause: Cause::Gone },
            Frame::Farewell { about: 3, cause: Cause::Silent(Duration::from_millis(10_500)) },
            Frame::Farewell { about: 255, cause: Cause::Ended("no memory".to_owned()) },
            Frame::Stop(7),
            Frame::Done,
        ];
        for frame in &frames {
            let mut bytes = Vec::new();
            frame.write(&mut bytes);
            for part in 0..bytes.len() {
                assert_eq!(Frame::read(&bytes[..part]), Ok(None), "{frame:?}");
            }
            assert_eq!(Frame::read(&bytes), Ok(Some((frame.clone(), bytes.len()))));
        }
    }

    #[test]
    fn what_is_too_long_is_refused_before_it_arrives() {
        assert_eq!(Frame::read(&[2, 1, 0, 0, 4]), Err(Malformed));
        assert_eq!(Frame::read(&[2, 0, 0, 0, 4]), Ok(None));
        assert_eq!(Frame::read(&[6, 1, 0, 0, 0]), Err(Malformed));
        assert_eq!(Frame::read(&[7, 0, 0, 0, 0]), Err(Malformed));
        assert_eq!(Frame::read(&[3, 1, 0, 0, 0, 0]), Err(Malformed));
        // A text that claims to be longer than what is around it.
        assert_eq!(Frame::read(&[2, 4, 0, 0, 0, 255, 255, 255, 255]), Err(Malformed));
    }
}
