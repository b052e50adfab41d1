//! What the processes that share an exploration tell each other after each layer: so all know the same, and
//! decide alike.

use std::time::Duration;

use polycube_language::System;

use super::expand::SearchError;
use super::exploration::{End, Part};
use super::journal::Fault;
use super::peers::{Lost, Traffic};
use super::search::Findings;
use super::word::{Reader, Writer};

/// What ends an exploration before its goal, or before there is nothing more to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit, or the user.
    Limit(End),
    Search(SearchError),
    /// What was found cannot be kept.
    Fault(Fault),
    Lost,
}

impl From<SearchError> for Halt {
    fn from(error: SearchError) -> Halt {
        match error {
            SearchError::Stopped => Halt::Limit(End::Interrupted),
            error => Halt::Search(error),
        }
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}

impl From<Lost> for Halt {
    fn from(_: Lost) -> Halt {
        Halt::Lost
    }
}

impl Halt {
    /// Of several, the heaviest counts: a number that does not fit makes all begin again; an interruption may only
    /// be that of a process that was told to stop because of another one.
    fn weight(&self) -> u32 {
        match self {
            Halt::Limit(End::Interrupted) => 0,
            Halt::Limit(End::States) => 1,
            Halt::Limit(_) => 2,
            Halt::Search(SearchError::Choices(_) | SearchError::Stopped) => 3,
            Halt::Search(SearchError::Full) => 4,
            Halt::Fault(_) => 5,
            Halt::Search(SearchError::Unfit(_)) => 6,
            Halt::Lost => 7,
        }
    }

    fn write(&self, word: &mut Writer) {
        word.number(self.weight().into());
        match self {
            Halt::Search(SearchError::Choices(transition)) => word.number((*transition).into()),
            Halt::Search(SearchError::Unfit(unfit)) => word.unfit(*unfit),
            Halt::Fault(Fault(text)) => word.text(text),
            _ => {}
        }
    }

    fn read(word: &mut Reader<'_>) -> Option<Halt> {
        Some(match word.number()? {
            0 => Halt::Limit(End::Interrupted),
            1 => Halt::Limit(End::States),
            2 => Halt::Limit(End::Memory),
            3 => Halt::Search(SearchError::Choices(u32::try_from(word.number()?).ok()?)),
            4 => Halt::Search(SearchError::Full),
            5 => Halt::Fault(Fault(word.text()?)),
            6 => Halt::Search(SearchError::Unfit(word.unfit()?)),
            7 => Halt::Lost,
            _ => return None,
        })
    }

    /// How the exploration ends.
    pub fn end(&self) -> End {
        match self {
            Halt::Limit(end) => *end,
            Halt::Search(SearchError::Unfit(unfit)) => End::Overflow(unfit.symbol),
            Halt::Search(SearchError::Choices(transition)) => End::Choices(*transition as usize),
            Halt::Search(SearchError::Full) => End::Full,
            Halt::Search(SearchError::Stopped) => End::Interrupted,
            Halt::Fault(_) => End::Unkept,
            Halt::Lost => End::Lost,
        }
    }
}

/// What was found until now: by one process, or by all.
pub struct Totals<const W: usize> {
    pub states: u64,
    pub inspected: u64,
    pub initial_states: u64,
    /// The last layer that has a state.
    pub depth: usize,
    /// How many states the last layer has that is complete.
    pub last: u64,
    pub findings: Findings<W>,
}

impl<const W: usize> Totals<W> {
    pub fn none(system: &System) -> Self {
        let findings = Findings::none(system);
        Totals { states: 0, inspected: 0, initial_states: 0, depth: 0, last: 0, findings }
    }

    pub fn write(&self, word: &mut Writer, words: usize) {
        word.number(self.states);
        word.number(self.inspected);
        word.number(self.initial_states);
        word.length(self.depth);
        word.number(self.last);
        word.findings(&self.findings, words);
    }

    pub fn read(word: &mut Reader<'_>, system: &System, words: usize) -> Option<Self> {
        Some(Totals {
            states: word.number()?,
            inspected: word.number()?,
            initial_states: word.number()?,
            depth: word.length()?,
            last: word.number()?,
            findings: word.findings(system.transitions.len(), system.properties.len(), words)?,
        })
    }

    pub fn add(&mut self, other: &Totals<W>) {
        self.states += other.states;
        self.inspected += other.inspected;
        self.initial_states += other.initial_states;
        self.depth = self.depth.max(other.depth);
        self.last += other.last;
        self.findings.add(&other.findings);
    }
}

/// What one process says after a layer.
pub struct Said<const W: usize> {
    pub halt: Option<Halt>,
    /// Whether it is time to keep what was found. The first process decides.
    pub is_due: bool,
    pub bytes: usize,
    pub traffic: Traffic,
    pub totals: Totals<W>,
}

/// What all have said.
pub struct Agreed<const W: usize> {
    pub halt: Option<Halt>,
    pub is_due: bool,
    pub totals: Totals<W>,
    pub parts: Vec<Part>,
}

impl<const W: usize> Said<W> {
    pub fn to_word(&self, words: usize) -> Vec<u64> {
        let mut word = Writer::default();
        word.flag(self.halt.is_some());
        if let Some(halt) = &self.halt {
            halt.write(&mut word);
        }
        word.flag(self.is_due);
        word.length(self.bytes);
        let Traffic { sent, meetings, waited } = self.traffic;
        // Half a million years have as many microseconds.
        let waited = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
        [sent, meetings, waited].into_iter().for_each(|number| word.number(number));
        self.totals.write(&mut word, words);
        word.0
    }

    fn from_word(word: &[u64], system: &System, words: usize) -> Option<Self> {
        let mut word = Reader(word);
        let halt = if word.flag()? { Some(Halt::read(&mut word)?) } else { None };
        let (is_due, bytes) = (word.flag()?, word.length()?);
        let (sent, meetings) = (word.number()?, word.number()?);
        let traffic = Traffic { sent, meetings, waited: Duration::from_micros(word.number()?) };
        Some(Said { halt, is_due, bytes, traffic, totals: Totals::read(&mut word, system, words)? })
    }
}

impl<const W: usize> Agreed<W> {
    /// What follows from the words of all processes. None if one of them makes no sense.
    pub fn from_words(said: &[Vec<u64>], system: &System, words: usize) -> Option<Self> {
        let mut agreed =
            Agreed { halt: None, is_due: false, totals: Totals::none(system), parts: Vec::new() };
        for (process, word) in said.iter().enumerate() {
            let said = Said::from_word(word, system, words)?;
            agreed.is_due |= said.is_due && process == 0;
            agreed.totals.add(&said.totals);
            let Said { bytes, traffic, .. } = said;
            agreed.parts.push(Part { states: said.totals.states, bytes, traffic });
            // Of equally heavy ones, that of the first process.
            let is_heavier =
                |halt: &Halt| agreed.halt.as_ref().is_none_or(|all| halt.weight() > all.weight());
            if let Some(halt) = said.halt.filter(is_heavier) {
                agreed.halt = Some(halt);
            }
        }
        Some(agreed)
    }
}
