//! Before processes work together, they make sure that they are the same program, and do the same with the same model.
//!
//! Each tells every other; process 0 is the measure. All compare all with it, in the same order, so that all come
//! to the same end. Versions are compared first: what else is said can depend on them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use sha2::{Digest, Sha256};

use crate::failure::{Cause, Failure};
use crate::frame::{Frame, Malformed};
use crate::hosts::Hosts;
use crate::join::{Interrupt, JoinError, Patience};
use crate::lifeline::COUNTERS;
use crate::link::Link;

/// What a process is, and what it is to do.
#[derive(Clone, Debug)]
pub struct Introduction {
    /// The version of the program.
    pub version: String,
    /// Everything else that has to be the same everywhere: names as people write them (`-n`), and values. What is not
    /// there is compared as well.
    pub settings: Vec<(String, String)>,
    /// The model, if it is here. Process 0 has it.
    pub model: Option<Model>,
}

/// A model, as a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name of the file.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl Model {
    fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }
}

/// What another process has said.
#[derive(Default)]
struct Said {
    version: Option<String>,
    settings: BTreeMap<String, String>,
    digest: Option<[u8; 32]>,
    is_complete: bool,
}

/// Tells all, hears all, and gives the model.
pub(crate) fn introduce(
    links: &mut [Option<Link>],
    hosts: &Hosts,
    own: usize,
    introduction: Introduction,
    until: Instant,
    patience: &Patience,
    interrupt: Interrupt<'_>,
) -> Result<Model, JoinError> {
    let Introduction { version, settings, model } = introduction;
    let digest = model.as_ref().map(Model::digest);
    let greetings =
        [Frame::Version(version.clone()), Frame::Introduction { settings: settings.clone(), digest }];
    let too_long = || JoinError::System("the settings are too long for the other processes".to_owned());
    for greeting in &greetings {
        if !greeting.is_sendable() {
            return Err(too_long());
        }
        links.iter_mut().flatten().for_each(|link| link.send(greeting));
    }
    let mut said: Vec<Said> = links.iter().map(|_| Said::default()).collect();
    let settings = settings.into_iter().collect();
    said[own] = Said { version: Some(version), settings, digest, is_complete: true };
    let (heartbeat, beat) = (patience.heartbeat, Instant::now() + patience.heartbeat);
    let silence = patience.silence;
    let mut talk = Talk { links, hosts, own, until, silence, interrupt, heartbeat, beat, farewell: None };

    talk.wait(|peer, frame| {
        let said = &mut said[peer];
        match frame {
            Some(Frame::Version(version)) if said.version.is_none() => said.version = Some(version),
            Some(Frame::Introduction { settings, digest }) if said.version.is_some() && !said.is_complete => {
                said.settings = settings.into_iter().collect();
                said.digest = digest;
                said.is_complete = true;
            }
            Some(_) => return Err(Malformed),
            None => {}
        }
        Ok(said.is_complete)
    })?;
    compare(hosts, &said).map_err(JoinError::Different)?;

    match (own, model) {
        (0, Some(model)) => {
            let frame = Frame::Model { name: model.name.clone(), text: model.text.clone() };
            for (link, said) in talk.links.iter_mut().zip(&said) {
                if let Some(link) = link
                    && said.digest.is_none()
                {
                    if !frame.is_sendable() {
                        return Err(JoinError::System("the model is too long to be sent".to_owned()));
                    }
                    link.send(&frame);
                }
            }
            // From now on, a process has to hear something of this one: so nothing may stand before that.
            talk.wait(|_, _| Ok(true))?;
            Ok(model)
        }
        (_, Some(model)) => Ok(model),
        (_, None) => {
            let mut model = None;
            talk.wait(|peer, frame| {
                if peer == 0 {
                    match frame {
                        Some(Frame::Model { name, text }) if model.is_none() => {
                            model = Some(Model { name, text });
                        }
                        Some(_) => return Err(Malformed),
                        None => {}
                    }
                }
                Ok(peer != 0 || model.is_some())
            })?;
            let model = model.expect("it was waited for");
            if said[0].digest != Some(model.digest()) {
                let mistake = "the model that process 0 has sent is not the one that it has announced";
                return Err(JoinError::Different(mistake.to_owned()));
            }
            Ok(model)
        }
    }
}

/// The first difference from process 0.
fn compare(hosts: &Hosts, said: &[Said]) -> Result<(), String> {
    let zero = &said[0];
    for (peer, said) in said.iter().enumerate() {
        if let (Some(theirs), Some(first)) = (&said.version, &zero.version)
            && theirs != first
        {
            return Err(format!("{} runs version {theirs}, process 0 runs {first}", hosts.name(peer)));
        }
    }
    if zero.digest.is_none() {
        return Err(format!("{} has no model; process 0 has to be given one", hosts.name(0)));
    }
    for (peer, said) in said.iter().enumerate() {
        let name = hosts.name(peer);
        for setting in said.settings.keys().chain(zero.settings.keys()) {
            let (theirs, first) = (said.settings.get(setting), zero.settings.get(setting));
            if theirs != first {
                let shown = |value: Option<&String>| match value.map(String::as_str) {
                    None => format!("without {setting}"),
                    Some("") => format!("with {setting}"),
                    Some(value) => format!("with {setting} {value}"),
                };
                return Err(format!("{name} explores {}, process 0 {}", shown(theirs), shown(first)));
            }
        }
        if said.digest.is_some_and(|digest| Some(digest) != zero.digest) {
            return Err(format!("{name} has another model: its text differs from that of process 0"));
        }
    }
    Ok(())
}

/// How much later than another a process can come to the same end.
const MOMENT: Duration = Duration::from_secs(1);

/// Sending and hearing, until all have said what is waited for.
struct Talk<'t> {
    links: &'t mut [Option<Link>],
    hosts: &'t Hosts,
    own: usize,
    until: Instant,
    silence: Duration,
    interrupt: Interrupt<'t>,
    /// Whoever is done here counts how long nothing is heard of this process: so it gives signs of life already.
    heartbeat: Duration,
    beat: Instant,
    /// What a process says that ends, though nothing more is waited for from it.
    farewell: Option<Failure>,
}

impl Talk<'_> {
    /// Sends everything, and gives what arrives to `hear`, until that has enough of everybody. It gets nothing more of a
    /// process once it has enough: what comes then is for later.
    fn wait(
        &mut self,
        mut hear: impl FnMut(usize, Option<Frame>) -> Result<bool, Malformed>,
    ) -> Result<(), JoinError> {
        loop {
            if Instant::now() >= self.beat {
                self.beat = Instant::now() + self.heartbeat;
                let sign = Frame::Heartbeat([0; COUNTERS]);
                self.links.iter_mut().flatten().for_each(|link| link.send(&sign));
            }
            let mut waits_for = None;
            let mut has_more_to_send = false;
            for peer in 0..self.links.len() {
                let Some(link) = &mut self.links[peer] else { continue };
                let moved = link.flush() + link.receive();
                // Signs of life alone do not prolong it.
                if moved > 1 << 12 {
                    // A long model may take its time, as long as it moves.
                    self.until = self.until.max(Instant::now() + self.silence);
                }
                let nonsense = |_| {
                    let reason = "it sends what this version does not understand".to_owned();
                    JoinError::Lost(Failure::new(self.hosts, peer, Cause::Ended(reason)))
                };
                let mut has_enough = hear(peer, None).map_err(nonsense)?;
                if let Some(Frame::Farewell { about, cause }) = link.farewell()
                    && !has_enough
                {
                    // What it said before may be the reason.
                    while !has_enough && let Ok(Some(frame)) = link.next() {
                        if matches!(frame, Frame::Farewell { .. }) {
                            break;
                        }
                        if !matches!(frame, Frame::Heartbeat(_)) {
                            has_enough = hear(peer, Some(frame)).map_err(nonsense)?;
                        }
                    }
                    if !has_enough {
                        let failure = Failure::told(self.hosts, self.own, peer, usize::from(about), cause);
                        return Err(JoinError::Lost(failure));
                    }
                }
                while !has_enough && let Some(frame) = link.next().map_err(nonsense)? {
                    if !matches!(frame, Frame::Heartbeat(_)) {
                        has_enough = hear(peer, Some(frame)).map_err(nonsense)?;
                    }
                }
                if self.farewell.is_none()
                    && has_enough
                    && let Some(Frame::Farewell { about, cause }) = link.farewell()
                {
                    // It knows the end already. This process usually finds the same one, in a moment.
                    self.farewell =
                        Some(Failure::told(self.hosts, self.own, peer, usize::from(about), cause));
                    self.until = self.until.min(Instant::now() + MOMENT);
                }
                if !has_enough {
                    if link.has_ended() {
                        return Err(JoinError::Lost(Failure::new(self.hosts, peer, Cause::Gone)));
                    }
                    waits_for = waits_for.or(Some(peer));
                }
                has_more_to_send |= link.wants_to_send();
            }
            if waits_for.is_none() && !has_more_to_send {
                return Ok(());
            }
            if let Some(reason) = (self.interrupt)() {
                return Err(JoinError::Interrupted(reason));
            }
            if Instant::now() >= self.until {
                if let Some(failure) = self.farewell.take() {
                    return Err(JoinError::Lost(failure));
                }
                let peer = waits_for
                    .or_else(|| {
                        self.links.iter().position(|link| link.as_ref().is_some_and(Link::wants_to_send))
                    })
                    .expect("something is waited for");
                return Err(JoinError::Lost(Failure::new(self.hosts, peer, Cause::Silent(self.silence))));
            }
            self.poll();
        }
    }

    fn poll(&self) {
        // A closed connection would be ready all the time.
        let open = self.links.iter().flatten().filter(|link| !link.has_ended());
        let mut waited: Vec<PollFd<'_>> = open
            .map(|link| {
                let writes = if link.wants_to_send() { PollFlags::OUT } else { PollFlags::empty() };
                PollFd::new(link.stream(), PollFlags::IN | writes)
            })
            .collect();
        let time = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        // If it fails, nothing is lost but the wait.
        if rustix::event::poll(&mut waited, Some(&time)).is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(version: &str, settings: &[(&str, &str)], text: Option<&str>) -> Said {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let model = text.map(|text| Model { name: "m".to_owned(), text: text.to_owned() });
        Said {
            version: Some(version.to_owned()),
            settings: settings.collect(),
            digest: model.as_ref().map(Model::digest),
            is_complete: true,
        }
    }

    #[test]
    fn differences_are_told_by_process_0() {
        let hosts = Hosts::parse("host0:1\nhost1:1\nhost2:1").unwrap();
        let differ = |others: [Said; 2]| {
            let zero = said("0.1.0", &[("-n", "5"), ("--symmetry", "")], Some("a"));
            let [one, two] = others;
            compare(&hosts, &[zero, one, two]).err()
        };
        let same = || said("0.1.0", &[("-n", "5"), ("--symmetry", "")], None);
        let with = |settings: &[(&str, &str)], text| said("0.1.0", settings, text);
        assert_eq!(differ([same(), same()]), None);
        assert_eq!(
            differ([with(&[("-n", "4")], None), said("0.2.0", &[], None)]).unwrap(),
            "process 2 (host2:1) runs version 0.2.0, process 0 runs 0.1.0"
        );
        assert_eq!(
            differ([same(), with(&[("-n", "4"), ("--symmetry", "")], None)]).unwrap(),
            "process 2 (host2:1) explores with -n 4, process 0 with -n 5"
        );
        assert_eq!(
            differ([with(&[("-n", "5")], Some("a")), same()]).unwrap(),
            "process 1 (host1:1) explores without --symmetry, process 0 with --symmetry"
        );
        assert_eq!(
            differ([same(), with(&[("-n", "5"), ("--symmetry", "")], Some("b"))]).unwrap(),
            "process 2 (host2:1) has another model: its text differs from that of process 0"
        );
        let none = compare(&hosts, &[same(), same()]).unwrap_err();
        assert_eq!(none, "process 0 (host0:1) has no model; process 0 has to be given one");
    }
}
