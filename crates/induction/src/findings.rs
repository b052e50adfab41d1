//! What is found out about obligations, part by part.

use std::collections::BTreeMap;

use polycube_certificate::Obligation;

use crate::goal::Until;
use crate::{Finding, Open};

/// What a job found out; by default, one that was not begun.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) known: BTreeMap<Obligation, Finding>,
    /// Whether it came to its end.
    pub(crate) complete: bool,
    /// What ends all jobs.
    pub(crate) until: Until,
}

impl Findings {
    /// Adds what was found out about a part of an obligation. Whether there is anything left to do.
    pub(crate) fn note(&mut self, obligation: Obligation, finding: Finding) -> bool {
        let goes_on = !self.ends(&finding) && finding != Finding::Open(Open::Stopped);
        join(&mut self.known, obligation, finding);
        goes_on
    }

    /// Whether other jobs need not be done.
    pub(crate) fn is_end(&self) -> bool {
        self.known.values().any(|finding| self.ends(finding))
    }

    fn ends(&self, finding: &Finding) -> bool {
        match finding {
            Finding::Proved(_) => false,
            Finding::Refuted(_) => true,
            Finding::Open(_) => self.until == Until::Unproved,
        }
    }
}

/// Adds what was found out about a part of an obligation: it is proved if all parts are.
pub(crate) fn join(findings: &mut BTreeMap<Obligation, Finding>, obligation: Obligation, finding: Finding) {
    let Some(known) = findings.get_mut(&obligation) else {
        findings.insert(obligation, finding);
        return;
    };
    match (&mut *known, finding) {
        (Finding::Proved(known), Finding::Proved(more)) => {
            let new: Vec<_> = more.into_iter().filter(|instance| !known.contains(instance)).collect();
            known.extend(new);
        }
        (Finding::Refuted(_), _)
        | (Finding::Open(_), Finding::Proved(_) | Finding::Open(Open::Incomplete)) => {}
        (_, finding) => *known = finding,
    }
}
