//! What repeats in a long run: the same transitions again and again.

use std::ops::Range;

use polycube_certificate::Step;

use crate::report::counted;

/// In shorter runs nothing is left out.
const LONG: usize = 40;

/// How many steps make up what repeats, at most.
const PERIOD: usize = 8;

/// How often it has to come before some of it is left out.
const OFTEN: usize = 5;

/// Steps that need not be shown: the same transitions, in the same order, as those before and behind them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Again {
    /// Which, from 0.
    pub steps: Range<usize>,
    /// After how many steps it comes again.
    period: usize,
}

impl Again {
    /// `the same 3 steps, 12 times more`
    pub(super) fn describe(&self) -> String {
        let times = counted(self.steps.len() / self.period, "time");
        match self.period {
            1 => format!("the same, {times} more"),
            period => format!("the same {period} steps, {times} more"),
        }
    }
}

/// What need not be shown of a long run, in order: what comes first and last of each repetition is.
pub(super) fn repeats(steps: &[Step]) -> Vec<Again> {
    let mut found = Vec::new();
    let mut at = 0;
    while steps.len() > LONG && at < steps.len() {
        let longest = (1..=PERIOD).map(|period| (period, times(&steps[at..], period)));
        // The shortest period that covers the most steps.
        let best = longest
            .filter(|(_, times)| *times >= OFTEN)
            .max_by_key(|(period, times)| (period * times, PERIOD - period));
        match best {
            Some((period, times)) => {
                found.push(Again { steps: at + period..at + period * (times - 1), period });
                at += period * times;
            }
            None => at += 1,
        }
    }
    found
}

/// How often the first steps, so many of them, come one after the other.
fn times(steps: &[Step], period: usize) -> usize {
    let names = |from: usize| steps[from..from + period].iter().map(|step| &step.transition);
    let starts = (0..).step_by(period).take_while(|from| from + period <= steps.len());
    starts.take_while(|&from| names(from).eq(names(0))).count()
}
