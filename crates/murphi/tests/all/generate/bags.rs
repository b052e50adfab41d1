//! Multisets: some models have two of one type, with few elements.

use super::{Composite, Entry, Generator, Ty};

/// The multisets of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bags {
    element: Ty,
    room: usize,
}

const NAMES: [&str; 2] = ["bag", "box"];

impl Generator {
    /// Their type, before the variables.
    pub(super) fn bag_type(&mut self) {
        if !self.random.percent(20) {
            return;
        }
        let is_small = |at: &usize| matches!(&self.composites[*at], Composite::Record(fields) if fields.iter().all(|(_, ty)| !matches!(ty, Ty::Named(_))));
        let records: Vec<usize> = (0..self.composites.len()).filter(is_small).collect();
        let element = if !records.is_empty() && self.random.percent(50) {
            Ty::Named(*self.random.pick(&records))
        } else {
            self.simple()
        };
        let room = self.random.between(1, 2);
        let written = self.name(element);
        self.line(&format!("Bag: multiset [{room}] of {written};"));
        self.bags = Some(Bags { element, room });
    }

    pub(super) fn bag_variables(&mut self) {
        if self.bags.is_some() {
            self.line(&format!("{}: Bag;", NAMES.join(", ")));
        }
    }

    /// How many elements there are of some kind.
    pub(super) fn bag_comparison(&mut self, bags: Bags) -> String {
        let name = *self.random.pick(&NAMES);
        let (index, number) = (self.fresh("e"), self.random.below(bags.room + 1));
        let condition = self.bag_condition(bags, name, &index);
        let relation = *self.random.pick(&["=", "!=", "<", ">="]);
        format!("(multisetcount({index}: {name}, {condition}) {relation} {number})")
    }

    /// What is said of one element.
    fn bag_condition(&mut self, bags: Bags, name: &str, index: &str) -> String {
        if self.random.percent(20) {
            return "true".to_owned();
        }
        let Some((place, ty)) = self.bag_leaf(bags, name, index) else { return "true".to_owned() };
        let value = if self.has_value(ty) { self.expr(ty, 0) } else { place.clone() };
        match self.random.below(4) {
            0 => format!("!isundefined({place})"),
            1 if self.is_careless => format!("{place} = {value}"),
            1 => format!("(isundefined({place}) | {place} != {value})"),
            _ => format!("(!isundefined({place}) & {place} = {value})"),
        }
    }

    /// A part of an element without parts.
    fn bag_leaf(&mut self, bags: Bags, name: &str, index: &str) -> Option<(String, Ty)> {
        let Ty::Named(at) = bags.element else { return Some((format!("{name}[{index}]"), bags.element)) };
        let Composite::Record(fields) = self.composites[at].clone() else { return None };
        let (field, ty) = self.random.pick(&fields).clone();
        Some((format!("{name}[{index}].{field}"), ty))
    }

    /// Something that is done to a multiset.
    pub(super) fn bag_statement(&mut self, bags: Bags) {
        let name = *self.random.pick(&NAMES);
        match self.random.below(8) {
            0 => self.line(&format!("undefine {name};")),
            1 => self.line(&format!("{} := {};", NAMES[0], NAMES[1])),
            2 => self.line(&format!("{} := {};", NAMES[1], NAMES[0])),
            3 => {
                let index = self.fresh("e");
                let condition = self.bag_condition(bags, name, &index);
                self.line(&format!("multisetremovepred({index}: {name}, {condition});"));
            }
            _ => {
                let value = match bags.element {
                    Ty::Named(_) => self.place(bags.element, false, 1),
                    ty if self.has_value(ty) => Some(self.expr(ty, 1)),
                    ty => self.place(ty, false, 1),
                };
                let Some(value) = value else { return self.assignment() };
                let index = self.fresh("e");
                let added = format!("multisetadd({value}, {name});");
                if self.is_careless && self.random.percent(30) {
                    self.line(&added);
                } else {
                    let is_room = format!("multisetcount({index}: {name}, true) < {}", bags.room);
                    self.line(&format!("if {is_room} then {added} end;"));
                }
            }
        }
    }

    /// A rule for each element. What is removed is not spoken of afterwards.
    pub(super) fn bag_rule(&mut self, bags: Bags) {
        let (name, index, rule) = (*self.random.pick(&NAMES), self.fresh("e"), self.fresh("rule "));
        self.line(&format!("choose {index}: {name} do"));
        let guard =
            if self.random.percent(50) { self.condition(1) } else { self.bag_condition(bags, name, &index) };
        self.line(&format!("rule \"{rule}\" {guard} ==>"));
        self.line("begin");
        self.may_use_bags = true;
        if self.random.percent(40) {
            self.bag_statement(bags);
        }
        if self.random.percent(60)
            && let Some((leaf, ty)) = self.bag_leaf(bags, name, &index)
            && let Some(target) = self.exact_target(ty)
        {
            self.line(&format!("if !isundefined({leaf}) then {target} := {leaf}; end;"));
        }
        let removed = format!("multisetremove({index}, {name});");
        match self.random.below(5) {
            0 => {}
            1 => {
                let condition = self.condition(1);
                self.line(&format!("if {condition} then {removed} end;"));
            }
            _ if self.is_careless && self.random.percent(10) => self.line(&format!("{removed} {removed}")),
            _ => self.line(&removed),
        }
        self.block(2, 2);
        self.may_use_bags = false;
        self.line("end; end;");
    }

    /// A variable of just this type.
    fn exact_target(&self, ty: Ty) -> Option<String> {
        let is_it = |entry: &&Entry| entry.is_variable && entry.ty == ty;
        self.globals.iter().find(is_it).map(|entry| entry.name.clone())
    }
}
