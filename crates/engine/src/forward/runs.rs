//! Runs, found backwards: a state of the layer before that has the state among its successors, and so on.
//!
//! Of several predecessors, that of the first shard is taken, and the least there. That depends on the states alone:
//! not on the order in which they were found, nor on the threads and processes that share the work. And most of a
//! layer need not be looked at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::expand::for_each_computable_successor;
use super::peers::{Lost, Peers};
use super::search::{Found, LANES, Search, Stop, read, write};
use super::visited::SHARDS;
use super::word::{Reader, Writer};

/// A predecessor: its shard, and the state.
type Candidate<const W: usize> = (usize, [u64; W]);

impl<const W: usize> Search<'_, W> {
    /// The states on a run to a state: the first is initial, the last the state itself. With symmetry, each
    /// is the representative of its class. None if told to stop before it is found.
    ///
    /// All processes ask this together, and have the same answer.
    pub fn run_to(
        &self,
        target: Found<W>,
        stop: Stop<'_>,
        peers: &mut dyn Peers,
    ) -> Result<Option<Vec<[u64; W]>>, Lost> {
        let mut run = vec![target.state];
        for layer in (0..target.depth).rev() {
            match self.predecessor(layer, &run[run.len() - 1], stop, peers)? {
                Some(predecessor) => run.push(predecessor),
                None => return Ok(None),
            }
        }
        run.reverse();
        Ok(Some(run))
    }

    /// A step from a state to a state with this representative: the rule, and the state after it. None if
    /// there is none, or told to stop before it is found.
    pub fn step(&self, state: &[u64; W], target: &[u64; W], stop: Stop<'_>) -> Option<(usize, [u64; W])> {
        let lane = &mut *write(&self.lanes[0]);
        let mut found = None;
        for_each_computable_successor(self.instance, state, &mut lane.expand, |rule, after| {
            if self.representative(&after, &mut lane.symmetry) == *target {
                found = Some((rule, after));
            }
            found.is_none() && !stop()
        });
        found
    }

    /// A state of a layer that has a step to a state. None if anybody was told to stop.
    fn predecessor(
        &self,
        layer: usize,
        target: &[u64; W],
        stop: Stop<'_>,
        peers: &mut dyn Peers,
    ) -> Result<Option<[u64; W]>, Lost> {
        // As many shards at a time as there are lanes: behind them, everybody knows what the others have found.
        for first in (0..SHARDS).step_by(LANES) {
            let own = self.own_predecessor(layer, first, target, stop);
            let (mut best, mut is_stopped) = (None, false);
            for word in peers.gather(&self.say(own, stop()))? {
                let (candidate, stopped) = self.understand(&word).ok_or(Lost)?;
                best = best.into_iter().chain(candidate).min();
                is_stopped |= stopped;
            }
            if is_stopped {
                return Ok(None);
            }
            if let Some((_, state)) = best {
                return Ok(Some(state));
            }
        }
        panic!("a state has a predecessor one layer before");
    }

    fn say(&self, candidate: Option<Candidate<W>>, is_stopped: bool) -> Vec<u64> {
        let mut word = Writer::default();
        word.flag(is_stopped);
        word.found(
            candidate.map(|(depth, state)| Found { depth, state }).as_ref(),
            self.instance.layout.words,
        );
        word.0
    }

    fn understand(&self, word: &[u64]) -> Option<(Option<Candidate<W>>, bool)> {
        let mut word = Reader(word);
        let is_stopped = word.flag()?;
        let found = word.found(self.instance.layout.words)?;
        Some((found.map(|found: Found<W>| (found.depth, found.state)), is_stopped))
    }

    /// The predecessor that this process has in some shards, from one on.
    fn own_predecessor(
        &self,
        layer: usize,
        first: usize,
        target: &[u64; W],
        stop: Stop<'_>,
    ) -> Option<Candidate<W>> {
        let (starts, ends) = (&self.layers[layer], &self.layers[layer + 1]);
        let shards = first..first + LANES;
        let size = shards.clone().map(|shard| (ends[shard] - starts[shard]) as usize).sum();
        // The first shard in which something was found: those behind it need not be looked at.
        let reached = AtomicUsize::new(usize::MAX);
        let best: Mutex<Option<Candidate<W>>> = Mutex::default();
        self.in_parallel(LANES, size, &|number| {
            let at = first + number;
            let lane = &mut *write(&self.lanes[number]);
            let shard = read(&self.shards[at]);
            for state in starts[at]..ends[at] {
                if reached.load(Ordering::Relaxed) < at || stop() {
                    return;
                }
                let state = shard.get(state);
                let mut leads = false;
                for_each_computable_successor(self.instance, &state, &mut lane.expand, |_, after| {
                    leads = self.representative(&after, &mut lane.symmetry) == *target;
                    !leads && !stop()
                });
                if leads {
                    reached.fetch_min(at, Ordering::Relaxed);
                    let mut best = best.lock().expect("no thread panicked");
                    *best = best.into_iter().chain([(at, state)]).min();
                }
            }
        });
        best.into_inner().expect("no thread panicked")
    }
}

#[cfg(test)]
mod tests {
    use polycube_language::check;

    use crate::forward::{Goal, Limits, Options, explore};

    /// Where too many choices end a search, what was found before has a run: the steps of a renaming of a state come in another
    /// order, and those that are too many come first.
    #[test]
    fn what_is_found_before_choices_end_a_search_has_a_run() {
        // One process is told from the others by a step, and after that any may choose: which of the two comes first, in the
        // state that stands for all renamings and in the one that is on the run, depends on how it is told.
        for told in ["True", "False"] {
            for bad in ["True", "False"] {
                let untold = if told == "True" { "False" } else { "True" };
                let text = format!(
                    "type value = A | B | C | D
                    array Value[proc] : value
                    array Told[proc] : bool
                    var Is_told : bool
                    init (p) {{ Value[p] = A && Told[p] = {untold} && Is_told = False }}
                    unsafe (p) {{ Is_told = True && Value[p] = B && Told[p] = {bad} }}
                    transition tell (p) requires {{ Is_told = False }} {{ Told[p] := {told}; Is_told := True; }}
                    transition choose (p) requires {{ Is_told = True }} {{ Value[p] := ?; }}"
                );
                let system = check(&text).system.expect("a system");
                for choices in [4, 8] {
                    let limits = Limits { choices: Some(choices), ..Limits::default() };
                    let options = Options { goal: Goal::Everything, limits, ..Options::new(2) };
                    let found = explore(&system, &options, &mut ()).expect("an instance");
                    assert_eq!(found.violations.len(), usize::from(found.reached[0]), "{text}");
                    let is_enough = choices == 8;
                    assert!(found.reached[0] || !is_enough, "{text}");
                }
            }
        }
    }
}
