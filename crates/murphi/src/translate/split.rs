//! Rules with too many cases, at the sizes of the file: one transition for each value of a cell.
//!
//! A long body asks for the same cells again and again, and the conditions of what it writes multiply. Where they become
//! too large, the rule is run for each value of the cell that they ask about most. That is exact: in every state, the
//! cell has one of its values, so one of the transitions is the rule.

use std::collections::BTreeMap;

use polycube_language::diagnostic::Code;
use polycube_language::formula::Formula;
use polycube_language::system::SymbolId;

use super::layout::Symbols;
use super::rule::Choice;
use super::value::{CodingId, cell};
use super::writes::MAX_SIZE;
use super::{Refused, Result, Translator};
use crate::model::Rule;

/// Conditions with more parts than this are reason enough.
const ROOM: usize = 1000;

/// How many cells a rule is split by.
const MAX_CELLS: usize = 12;

/// How often a rule is tried before its parts are taken as they are.
pub(super) const MAX_PARTS: usize = 200;

impl Translator<'_> {
    /// The transitions of a rule, with these parameters, where these cells have these values; as long as
    /// there may be more parts.
    pub(super) fn split(
        &mut self,
        rule: &Rule,
        choice: &Choice,
        facts: &[(SymbolId, Formula)],
        parts: &mut usize,
    ) -> Result<()> {
        let known = Formula::and(facts.iter().map(|(_, fact)| fact.clone()).collect::<Vec<_>>());
        let may_split = self.processes.is_none() && facts.len() < MAX_CELLS && *parts > 0;
        if !may_split {
            return self.transition(rule, choice.clone(), &known);
        }
        *parts -= 1;
        self.room = ROOM;
        let done = self.transition(rule, choice.clone(), &known);
        self.room = MAX_SIZE;
        match done {
            Err(Refused(reason)) if reason.code == Code::TooLarge => {}
            done => return done,
        }
        let Some((symbol, coding)) = self.most_asked(facts) else {
            return self.transition(rule, choice.clone(), &known);
        };
        let coding = self.coding(coding).clone();
        let constructors = coding.values.len() + usize::from(coding.undefined.is_some());
        for constructor in 0..constructors as u32 {
            let fact = coding.is(&cell(symbol, &[]), coding.constructor(constructor));
            self.split(rule, choice, &[facts, &[(symbol, fact)]].concat(), parts)?;
        }
        Ok(())
    }

    /// The cell that most conditions of what was written so far are about, and that is not known.
    fn most_asked(&self, facts: &[(SymbolId, Formula)]) -> Option<(SymbolId, CodingId)> {
        let mut asked: BTreeMap<SymbolId, usize> = BTreeMap::new();
        let conditions = self.log.iter().map(|write| &write.condition);
        for condition in conditions.chain([&self.path]) {
            condition.for_each_access(&mut |access| *asked.entry(access.symbol).or_default() += 1);
        }
        let is_known = |symbol: SymbolId| facts.iter().any(|(known, _)| *known == symbol);
        let cells = self.leaves.iter().filter_map(|leaf| match leaf.symbols {
            Symbols::Finite(symbol, coding) if !is_known(symbol) => {
                Some((*asked.get(&symbol)?, symbol, coding))
            }
            _ => None,
        });
        let (_, symbol, coding) =
            cells.max_by_key(|(count, symbol, _)| (*count, std::cmp::Reverse(*symbol)))?;
        Some((symbol, coding))
    }
}
