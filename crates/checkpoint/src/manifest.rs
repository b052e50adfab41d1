//! The manifest as text: groups of lines, each with a commit in the end (see the crate's documentation).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::identity::Identity;

/// What this program reads and writes.
const FORMAT: &str = "polycube-checkpoint";

const VERSION: u32 = 1;

/// How a commit begins, and how it ends.
const COMMIT: &[u8] = b"{\"commit\":";

const END: &[u8] = b"\"}";

/// The hexadecimal digits of a hash.
const DIGITS: usize = 64;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    exploration: Identity,
}

/// What every version has in its first line.
#[derive(Deserialize)]
struct AnyHeader {
    format: String,
    version: u32,
}

/// The last line of a group.
#[derive(Deserialize)]
struct Commit {
    commit: u64,
    at: u64,
}

/// Any other line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Record {
    /// The order goes through this stage now. Nothing is kept of the one before.
    Stage { order: usize, generation: u64, words: Vec<u64> },
    /// So many layers are still kept.
    Keep { order: usize, layers: usize },
    /// The next layer.
    Layer { order: usize, offset: u64, length: u64, sha256: String, word: Vec<u64> },
}

/// Where a layer is, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) sha256: String,
    pub(crate) word: Vec<u64>,
}

/// What is kept of an order.
///
/// The layers lie one behind the other, from the beginning of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    /// How many stages of the order counted before.
    pub(crate) generation: u64,
    pub(crate) words: Vec<u64>,
    pub(crate) layers: Vec<Layer>,
}

impl Stage {
    /// Where the last layer ends.
    pub(crate) fn end(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.offset + layer.length)
    }
}

/// The hash of a manifest so far, and how long it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    hash: Sha256,
    /// How many groups there are: the number of the next one.
    pub(crate) commits: u64,
    pub(crate) bytes: u64,
}

impl Chain {
    /// The text of a group, with its commit, and the chain with this group.
    pub(crate) fn group(&self, lines: String, at: u64) -> (Vec<u8>, Chain) {
        let mut text = lines.into_bytes();
        text.extend(COMMIT);
        text.extend(format!("{},\"at\":{at},\"sha256\":\"", self.commits).bytes());
        let hash = self.hash.clone().chain_update(&text);
        text.extend(format!("{:x}", hash.clone().finalize()).bytes());
        text.extend(END);
        text.push(b'\n');
        let next = self.extended(&text);
        (text, next)
    }

    /// The chain with a group that ends with this commit, and when it was made, if the commit is right.
    fn closed(&self, group: &[u8], commit: &[u8]) -> Option<(Chain, u64)> {
        let Commit { commit: number, at } = serde_json::from_slice(commit).ok()?;
        let (before, behind) = group.split_at_checked(group.len().checked_sub(DIGITS + END.len() + 1)?)?;
        let hash = self.hash.clone().chain_update(before).finalize();
        let expected = format!("{hash:x}\"}}\n");
        (number == self.commits && behind == expected.as_bytes()).then(|| (self.extended(group), at))
    }

    fn extended(&self, group: &[u8]) -> Chain {
        Chain {
            hash: self.hash.clone().chain_update(group),
            commits: self.commits + 1,
            bytes: self.bytes + group.len() as u64,
        }
    }
}

/// The first group.
pub(crate) fn begin(identity: &Identity, at: u64) -> (Vec<u8>, Chain) {
    let header = Header { format: FORMAT.to_owned(), version: VERSION, exploration: identity.clone() };
    Chain::default().group(line(&header), at)
}

/// A line of the manifest.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("numbers and text have a form in JSON");
    text.push('\n');
    text
}

/// What a manifest says.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) identity: Identity,
    pub(crate) orders: BTreeMap<usize, Stage>,
    /// Orders with a generation of which nothing is kept any more.
    pub(crate) superseded: Vec<(usize, u64)>,
    pub(crate) chain: Chain,
    /// When it was begun, and when the last commit was made, in seconds since 1970.
    pub(crate) begun: u64,
    pub(crate) committed: u64,
}

/// What is wrong with a manifest: the end of a sentence about it.
type Wrong = String;

impl Manifest {
    /// Reads a manifest: all groups that count.
    pub(crate) fn read(bytes: &[u8]) -> Result<Manifest, Wrong> {
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match serde_json::from_slice::<AnyHeader>(first) {
            Ok(header) if header.format == FORMAT && header.version != VERSION => {
                return Err("has the format of another version of the program".to_owned());
            }
            Ok(header) if header.format == FORMAT => {}
            _ => return Err("is not what was written, or no manifest of a checkpoint at all".to_owned()),
        }
        let damaged = |line: usize| format!("is not what was written (line {line})");
        let header = serde_json::from_slice::<Header>(first).map_err(|_| damaged(1))?;
        let mut manifest = Manifest {
            identity: header.exploration,
            orders: BTreeMap::new(),
            superseded: Vec::new(),
            chain: Chain::default(),
            begun: 0,
            committed: 0,
        };
        let (mut start, mut place) = (0, 0);
        let mut records: Vec<(usize, &[u8])> = Vec::new();
        for (number, text) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            place += text.len();
            if !text.starts_with(COMMIT) {
                records.push((number + 1, text));
                continue;
            }
            let Some((chain, at)) = manifest.chain.closed(&bytes[start..place], text) else { break };
            let first = chain.commits == 1;
            (manifest.chain, manifest.committed, start) = (chain, at, place);
            if first {
                manifest.begun = at;
                // The header is the only line of the first group.
                if records.drain(..).count() != 1 {
                    return Err(damaged(2));
                }
            }
            for (number, text) in records.drain(..) {
                let record = serde_json::from_slice(text).ok();
                record.and_then(|record| manifest.add(record)).ok_or_else(|| damaged(number))?;
            }
        }
        if manifest.chain.commits == 0 || manifest.goes_on(&bytes[start..]) {
            let good = bytes[..start].iter().filter(|&&byte| byte == b'\n').count();
            return Err(damaged(good + 1));
        }
        Ok(manifest)
    }

    /// Adds what a line says, if it can say that here.
    fn add(&mut self, record: Record) -> Option<()> {
        match record {
            Record::Stage { order, generation, words } => {
                let before = self.orders.insert(order, Stage { generation, words, layers: Vec::new() });
                self.superseded.extend(before.map(|before| (order, before.generation)));
            }
            Record::Keep { order, layers } => {
                let stage = self.orders.get_mut(&order)?;
                (layers <= stage.layers.len()).then(|| stage.layers.truncate(layers))?;
            }
            Record::Layer { order, offset, length, sha256, word } => {
                let stage = self.orders.get_mut(&order)?;
                offset.checked_add(length)?;
                let follows = offset == stage.end();
                follows.then(|| stage.layers.push(Layer { offset, length, sha256, word }))?;
            }
        }
        Some(())
    }

    /// Whether something was appended behind the group with which a tail begins: then a kill has not left it.
    fn goes_on(&self, tail: &[u8]) -> bool {
        let mut behind = tail.len();
        tail.split_inclusive(|&byte| byte == b'\n').any(|text| {
            behind -= text.len();
            let Some(rest) = text.strip_prefix(COMMIT) else { return false };
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number =
                std::str::from_utf8(&rest[..digits]).ok().and_then(|digits| digits.parse::<u64>().ok());
            behind > 0 || (digits > 0 && number.is_none_or(|number| number > self.chain.commits))
        })
    }
}
