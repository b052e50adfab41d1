//! How two processes make sure that they share a secret, before either reads anything else.
//!
//! Mutual challenge and response. The connecting process begins; all messages have fixed lengths:
//!
//! ```text
//! hello   -> magic, version, nonce
//! answer  <- magic, version, nonce, MAC(listener, version, both nonces)
//! claim   -> from, to, kind, MAC(connector, version, both nonces, from, to, kind)
//! verdict <- verdict, MAC(verdict, version, both nonces, from, to, kind, verdict)
//! ```
//!
//! MAC is HMAC-SHA-256 with the secret. Each side has chosen a nonce of its own, so what was recorded is worth
//! nothing. What each MAC is for stands in its text, so none can be sent back in place of another. The version
//! also stands outside of the MAC, so that two versions can tell; hello and answer keep their form in all.
//! Nothing protects what follows: who can change what is on the wire can do as he likes.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::secret::{self, Secret};

pub(crate) const MAGIC: [u8; 8] = *b"polycube";
/// To be changed with any message that the processes exchange before they have compared their versions.
pub(crate) const VERSION: u32 = 1;

const NONCE: usize = 32;
const MAC: usize = 32;
pub(crate) const HELLO: usize = 8 + 4 + NONCE;
pub(crate) const ANSWER: usize = HELLO + MAC;
pub(crate) const CLAIM: usize = 2 + 2 + 1 + MAC;
pub(crate) const VERDICT: usize = 1 + MAC;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Lifeline,
    Data,
}

/// The place of a connection: its ends, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub from: u16,
    pub to: u16,
    pub kind: Kind,
}

/// What becomes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Welcome,
    /// Another process has the place, or nobody can have it.
    Taken,
    /// The connection was meant for another process.
    Elsewhere,
}

/// What is wrong with the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistrust {
    /// It is no such program.
    Stranger,
    /// It is another version.
    Version(u32),
    /// It does not know the secret.
    Secret,
}

/// The side that connects.
pub(crate) struct Connector<'s> {
    secret: &'s Secret,
    own: [u8; NONCE],
    theirs: [u8; NONCE],
    claim: Claim,
}

impl<'s> Connector<'s> {
    pub fn new(secret: &'s Secret, claim: Claim) -> Result<Self, String> {
        Ok(Connector { secret, own: secret::random()?, theirs: [0; NONCE], claim })
    }

    pub fn hello(&self) -> [u8; HELLO] {
        opening(&self.own)
    }

    /// Checks the answer.
    pub fn claim(&mut self, answer: &[u8; ANSWER]) -> Result<[u8; CLAIM], Mistrust> {
        let (hello, mac) = answer.split_at(HELLO);
        self.theirs = opened(hello)?;
        signed(self.secret, "listener", &self.own, &self.theirs, &[])
            .verify_slice(mac)
            .map_err(|_| Mistrust::Secret)?;
        let words = self.claim.to_bytes();
        let mac = signed(self.secret, "connector", &self.own, &self.theirs, &words);
        Ok(joined(&words, &finished(mac)))
    }

    /// Checks the verdict.
    pub fn verdict(&self, bytes: &[u8; VERDICT]) -> Result<Verdict, Mistrust> {
        let words = [&self.claim.to_bytes()[..], &bytes[..1]].concat();
        signed(self.secret, "verdict", &self.own, &self.theirs, &words)
            .verify_slice(&bytes[1..])
            .map_err(|_| Mistrust::Secret)?;
        match bytes[0] {
            0 => Ok(Verdict::Welcome),
            1 => Ok(Verdict::Taken),
            2 => Ok(Verdict::Elsewhere),
            _ => Err(Mistrust::Stranger),
        }
    }
}

/// The side that listens, once it was greeted.
pub(crate) struct Listener<'s> {
    secret: &'s Secret,
    own: [u8; NONCE],
    theirs: [u8; NONCE],
}

impl<'s> Listener<'s> {
    /// Greets whoever knows the form of a greeting. Another version is answered as well: so it can tell.
    pub fn answer(secret: &'s Secret, hello: &[u8; HELLO]) -> Result<(Self, [u8; ANSWER]), Mistrust> {
        let theirs = match opened(hello) {
            Err(Mistrust::Version(_)) => hello[12..].try_into().expect("a nonce"),
            other => other?,
        };
        let own = secret::random().map_err(|_| Mistrust::Stranger)?;
        let mac = signed(secret, "listener", &theirs, &own, &[]);
        let answer = joined(&opening(&own), &finished(mac));
        Ok((Listener { secret, own, theirs }, answer))
    }

    /// Whether a greeting is of this version.
    pub fn version(hello: &[u8; HELLO]) -> Result<(), Mistrust> {
        opened(hello).map(|_| ())
    }

    /// Checks the claim.
    pub fn claim(&self, bytes: &[u8; CLAIM]) -> Result<Claim, Mistrust> {
        let (words, mac) = bytes.split_at(CLAIM - MAC);
        signed(self.secret, "connector", &self.theirs, &self.own, words)
            .verify_slice(mac)
            .map_err(|_| Mistrust::Secret)?;
        Claim::from_bytes(words).ok_or(Mistrust::Stranger)
    }

    pub fn verdict(&self, claim: Claim, verdict: Verdict) -> [u8; VERDICT] {
        let verdict = match verdict {
            Verdict::Welcome => 0,
            Verdict::Taken => 1,
            Verdict::Elsewhere => 2,
        };
        let words = [&claim.to_bytes()[..], &[verdict]].concat();
        joined(&[verdict], &finished(signed(self.secret, "verdict", &self.theirs, &self.own, &words)))
    }
}

impl Claim {
    fn to_bytes(self) -> [u8; 5] {
        let ([a, b], [c, d]) = (self.from.to_le_bytes(), self.to.to_le_bytes());
        [a, b, c, d, u8::from(self.kind == Kind::Data)]
    }

    fn from_bytes(bytes: &[u8]) -> Option<Claim> {
        let &[a, b, c, d, kind] = bytes else { return None };
        let kind = [Kind::Lifeline, Kind::Data].get(usize::from(kind)).copied()?;
        Some(Claim { from: u16::from_le_bytes([a, b]), to: u16::from_le_bytes([c, d]), kind })
    }
}

fn opening(nonce: &[u8; NONCE]) -> [u8; HELLO] {
    joined(&joined::<12>(&MAGIC, &VERSION.to_le_bytes()), nonce)
}

fn opened(bytes: &[u8]) -> Result<[u8; NONCE], Mistrust> {
    if bytes[..8] != MAGIC {
        return Err(Mistrust::Stranger);
    }
    match u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes")) {
        VERSION => Ok(bytes[12..HELLO].try_into().expect("a nonce")),
        version => Err(Mistrust::Version(version)),
    }
}

/// The two nonces are always in the order of connector and listener.
fn signed(
    secret: &Secret,
    what: &str,
    connector: &[u8; NONCE],
    listener: &[u8; NONCE],
    words: &[u8],
) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("a key of any length");
    // No text is the start of another, and all else but the last part has a fixed length: so no two lists of parts
    // are the same bytes.
    for part in [&MAGIC[..], &VERSION.to_le_bytes(), what.as_bytes(), &[0], connector, listener, words] {
        mac.update(part);
    }
    mac
}

fn finished(mac: Hmac<Sha256>) -> [u8; MAC] {
    mac.finalize().into_bytes().into()
}

fn joined<const N: usize>(first: &[u8], second: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    bytes[..first.len()].copy_from_slice(first);
    bytes[first.len()..].copy_from_slice(second);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIMED: Claim = Claim { from: 3, to: 1, kind: Kind::Data };

    fn secret(word: &str) -> Secret {
        Secret::new(word.repeat(16).as_bytes()).unwrap()
    }

    #[test]
    fn those_who_share_a_secret_agree() {
        let secret = secret("a");
        let mut connector = Connector::new(&secret, CLAIMED).unwrap();
        let hello = connector.hello();
        let (listener, answer) = Listener::answer(&secret, &hello).unwrap();
        let claim = connector.claim(&answer).unwrap();
        assert_eq!(listener.claim(&claim), Ok(CLAIMED));
        for verdict in [Verdict::Welcome, Verdict::Taken, Verdict::Elsewhere] {
            assert_eq!(connector.verdict(&listener.verdict(CLAIMED, verdict)), Ok(verdict));
        }
    }

    #[test]
    fn another_secret_is_noticed_by_both() {
        let (one, other) = (secret("a"), secret("b"));
        let mut connector = Connector::new(&one, CLAIMED).unwrap();
        let (listener, answer) = Listener::answer(&other, &connector.hello()).unwrap();
        assert_eq!(connector.claim(&answer), Err(Mistrust::Secret));
        // Even if it goes on.
        let words = CLAIMED.to_bytes();
        let mac = signed(&one, "connector", &connector.own, &connector.theirs, &words);
        assert_eq!(listener.claim(&joined(&words, &finished(mac))), Err(Mistrust::Secret));
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let secret = secret("a");
        let mut connector = Connector::new(&secret, CLAIMED).unwrap();
        let (listener, answer) = Listener::answer(&secret, &connector.hello()).unwrap();
        for bit in 0..8 * ANSWER {
            let mut answer = answer;
            answer[bit / 8] ^= 1 << (bit % 8);
            assert!(connector.claim(&answer).is_err(), "bit {bit}");
        }
        let claim = connector.claim(&answer).unwrap();
        for bit in 0..8 * CLAIM {
            let mut claim = claim;
            claim[bit / 8] ^= 1 << (bit % 8);
            assert!(listener.claim(&claim).is_err(), "bit {bit}");
        }
        let verdict = listener.verdict(CLAIMED, Verdict::Welcome);
        for bit in 0..8 * VERDICT {
            let mut verdict = verdict;
            verdict[bit / 8] ^= 1 << (bit % 8);
            assert!(connector.verdict(&verdict).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn what_was_recorded_is_worth_nothing() {
        let secret = secret("a");
        let mut connector = Connector::new(&secret, CLAIMED).unwrap();
        let hello = connector.hello();
        let (_, answer) = Listener::answer(&secret, &hello).unwrap();
        let claim = connector.claim(&answer).unwrap();
        let (again, _) = Listener::answer(&secret, &hello).unwrap();
        assert_eq!(again.claim(&claim), Err(Mistrust::Secret));
        let mut other = Connector::new(&secret, CLAIMED).unwrap();
        assert_eq!(other.claim(&answer), Err(Mistrust::Secret));
    }

    #[test]
    fn versions_are_told_apart_from_strangers() {
        let secret = secret("a");
        let mut connector = Connector::new(&secret, CLAIMED).unwrap();
        let mut hello = connector.hello();
        hello[8] = 9;
        assert_eq!(Listener::version(&hello), Err(Mistrust::Version(9)));
        let (_, mut answer) = Listener::answer(&secret, &hello).unwrap();
        answer[8] = 7;
        assert_eq!(connector.claim(&answer), Err(Mistrust::Version(7)));
        hello[0] = b'P';
        assert_eq!(Listener::answer(&secret, &hello).err(), Some(Mistrust::Stranger));
    }
}
