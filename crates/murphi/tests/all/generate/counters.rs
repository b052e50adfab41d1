//! Numbers of processes: some models have two variables for them, which loops and rules count up and down.

use super::{Entry, Generator, Ty};

const NAMES: [&str; 2] = ["total", "rest"];

impl Generator {
    pub(super) fn counter_variables(&mut self) {
        // With multisets, models are refused for every number in any case.
        self.has_counters = self.bags.is_none() && self.random.percent(40);
        if self.has_counters {
            self.line("total: 0..Count;");
            let most = *self.random.pick(&["Count", "2 * Count", "Count + 1"]);
            self.line(&format!("rest: 0..{most};"));
        }
    }

    pub(super) fn start_counters(&mut self) {
        if self.has_counters {
            self.line("total := 0;");
            let value = *self.random.pick(&["0", "1", "Count", "Count"]);
            self.line(&format!("rest := {value};"));
        }
    }

    pub(super) fn counter_comparison(&mut self) -> String {
        let [one, other] = [(); 2].map(|()| {
            let name = *self.random.pick(&NAMES);
            match self.random.below(6) {
                0 => format!("{name} + 1"),
                1 => format!("{name} - 1"),
                2 => "Count".to_owned(),
                3 => self.random.below(3).to_string(),
                _ => name.to_owned(),
            }
        });
        let relation = *self.random.pick(&["=", "!=", "<", ">=", "<=", ">"]);
        format!("({one} {relation} {other})")
    }

    pub(super) fn counter_statement(&mut self) {
        let name = *self.random.pick(&NAMES);
        let is_safe = !self.is_careless || self.random.percent(50);
        match self.random.below(6) {
            0 if is_safe => self.line(&format!("if {name} < Count then {name} := {name} + 1; end;")),
            0 => self.line(&format!("{name} := {name} + 1;")),
            1 if is_safe => self.line(&format!("if {name} > 0 then {name} := {name} - 1; end;")),
            1 => self.line(&format!("{name} := {name} - 1;")),
            2 if is_safe => self.line("rest := total;"),
            2 => self.line("total := rest;"),
            _ => self.counting_loop(name, is_safe),
        }
    }

    /// A loop that adds to a number, or subtracts from it.
    fn counting_loop(&mut self, name: &str, is_safe: bool) {
        let is_up = self.random.percent(70);
        let (first, sign) = if is_up { ("0", "+") } else { ("Count", "-") };
        if is_safe {
            self.line(&format!("{name} := {first};"));
        }
        let bound = self.fresh("q");
        let before = self.scope.len();
        self.scope.push(Entry { name: bound.clone(), ty: Ty::Node, is_variable: false });
        let has_counters = std::mem::take(&mut self.has_counters);
        let condition = self.condition(1);
        self.line(&format!("for {bound}: Node do"));
        self.line(&format!("  if {condition} then {name} := {name} {sign} 1;"));
        if self.random.percent(25) {
            let condition = self.condition(0);
            self.line(&format!("  elsif {condition} then {name} := {name} {sign} 1;"));
        }
        self.line("  end;");
        self.has_counters = has_counters;
        self.scope.truncate(before);
        self.line("end;");
    }
}
