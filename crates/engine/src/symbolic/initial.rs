//! Does a cube meet the initial states? This is the safety check of the Cubicle paper (CAV 2012, section 3).
//! One formula: the cube, and every `init` clause for all choices of parameters among the named processes.
//!
//! In an open universe a "yes" may be wrong: the processes that are not named have to satisfy `init` too.
//! Those that cells point at, and those that have to exist because a clause without parameters says so, are
//! named as well; but if each process needs another one, there is no end to it, and what is said of the other
//! one is weakened. (Whether there is then a finite number of processes at all is undecidable: it is the
//! satisfiability of formulas like `forall x. exists y. forall z. ..` in finite models.) A "no" is always
//! right.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use polycube_language::formula::{Formula, Quantified, Quantifier, Term, Variable as Parameter, VariableId};
use polycube_language::system::SymbolId;
use polycube_smt::shape::Kind;

use super::condition::Conditions;
use super::effort::Effort;
use super::expansion::Cases;
use super::tree::Tree;
use crate::cube::vocabulary::{MAX_NAMED, OTHER, PROCESSES, Vocabulary};
use crate::cube::{Cube, Draft};

/// How many cells are followed to the processes that they point at.
const MAX_POINTERS: usize = 4;

#[derive(Debug)]
pub struct Initial<'v, 's> {
    vocabulary: &'v Vocabulary<'s>,
    /// For each number of named processes.
    instances: [OnceLock<Initialized>; MAX_NAMED as usize + 1],
    /// How many processes have to exist because clauses without parameters say so.
    witnesses: u8,
}

/// Whether it is known that no state is in a cube.
pub type IsImpossible<'c> = &'c dyn Fn(&Cube) -> bool;

#[derive(Debug)]
pub enum Meeting {
    None,
    /// These, as far as cubes tell.
    At(Draft),
    /// It would take too long to find out.
    Unclear,
}

#[derive(Debug)]
struct Initialized {
    draft: Draft,
    pending: Vec<Tree>,
    possible: bool,
    /// Whether that is all that `init` says, and not only as much as could be written out. (What is missing
    /// makes a "no" no less right.)
    complete: bool,
}

/// Processes that are named besides those of a cube.
#[derive(Debug, Default)]
struct Besides<'v> {
    /// Those that these cells point at.
    pointers: Vec<(SymbolId, &'v [u8])>,
    /// Those that have to exist, if they are among them.
    witnesses: bool,
}

impl Besides<'_> {
    fn is_none(&self) -> bool {
        self.pointers.is_empty() && !self.witnesses
    }
}

impl<'v, 's> Initial<'v, 's> {
    pub fn new(vocabulary: &'v Vocabulary<'s>) -> Initial<'v, 's> {
        let system = vocabulary.system;
        let closed = system.init.iter().filter(|init| init.parameters.is_empty());
        let witnesses = closed.map(|init| witnesses(&init.formula, true)).sum::<usize>();
        let witnesses = if vocabulary.is_open() { witnesses } else { 0 };
        let witnesses = u8::try_from(witnesses).map_or(MAX_NAMED, |witnesses| witnesses.min(MAX_NAMED));
        Initial { vocabulary, instances: Default::default(), witnesses }
    }

    /// Whether the cube contains initial states, as far as cubes tell.
    pub fn meets(&self, cube: &Cube) -> bool {
        !matches!(self.meeting(cube), Meeting::None)
    }

    /// The same, where something is known of what no state is in.
    pub fn meets_possibly(&self, cube: &Cube, is_impossible: IsImpossible<'_>) -> bool {
        !matches!(self.possible_meeting(cube, Some(is_impossible)), Meeting::None)
    }

    /// A part of the initial states that lies in the cube, over at least one process.
    pub fn meeting(&self, cube: &Cube) -> Meeting {
        self.possible_meeting(cube, None)
    }

    fn possible_meeting(&self, cube: &Cube, is_impossible: Option<IsImpossible<'_>>) -> Meeting {
        // There is always a process, so what `init` says of all processes holds for one at least.
        let named = cube.named.max(1);
        if cube.others.as_ref().is_some_and(|others| others.are_none()) {
            return match named.max(cube.at_least) > cube.named {
                true => Meeting::None,
                false => self.meets_with(cube, named, &Besides::default(), is_impossible),
            };
        }
        let meeting = self.meets_with(cube, named, &Besides::default(), is_impossible);
        if !self.vocabulary.is_open() || matches!(meeting, Meeting::None) {
            return meeting;
        }
        // `init` holds for all processes that there are, and for those that cells point at. So these are
        // named as well, as many as there can be: each choice of cells gives a necessary condition.
        let named = named.max(cube.at_least).min(self.vocabulary.max_named);
        // No process has to be named, but something is gained only if all are.
        let witnesses = self.witnesses;
        let witnesses = if witnesses <= self.vocabulary.max_named - named { witnesses } else { 0 };
        let pointers = self.pointers(cube, named, self.vocabulary.max_named - named - witnesses);
        if named == cube.named && pointers.is_empty() && witnesses == 0 {
            return meeting;
        }
        let most = named + witnesses + u8::try_from(pointers.len()).expect("there are few pointers");
        let besides = Besides { pointers, witnesses: witnesses > 0 };
        // They may be the same ones, or some of those that the cube names.
        let mut meetings = (named..=most).map(|named| self.meets_with(cube, named, &besides, is_impossible));
        meetings.find(|meeting| !matches!(meeting, Meeting::None)).unwrap_or(Meeting::None)
    }

    /// Some cells that may point at other processes than the first `named`; there is room for so many of
    /// these.
    fn pointers(&self, cube: &Cube, named: u8, room: u8) -> Vec<(SymbolId, &'v [u8])> {
        let layout = self.vocabulary.layout(named);
        let words = cube.over(self.vocabulary, named).words;
        let mut pointers = Vec::new();
        for (cell, kind) in layout.shape.iter() {
            if let Kind::Finite(PROCESSES, field) = kind
                && field.get(&words) >> OTHER & 1 == 1
            {
                pointers.push((layout.symbol(cell), layout.indices(cell)));
            }
        }
        pointers.sort_by_key(|(_, indices)| indices.len());
        pointers.truncate(MAX_POINTERS.min(room.into()));
        pointers
    }

    /// The same, over this many processes, among which are others besides those that the cube names.
    fn meets_with(
        &self,
        cube: &Cube,
        named: u8,
        besides: &Besides<'_>,
        is_impossible: Option<IsImpossible<'_>>,
    ) -> Meeting {
        let layout = self.vocabulary.layout(named);
        let own;
        let instance = if besides.is_none() {
            self.instances[usize::from(named)].get_or_init(|| self.instance(named, besides))
        } else {
            own = self.instance(named, besides);
            &own
        };
        let mut start = cube.over(self.vocabulary, named);
        start.words.iter_mut().zip(&instance.draft.words).for_each(|(word, initial)| *word &= initial);
        if !instance.possible || layout.shape.has_empty(&start.words) {
            return Meeting::None;
        }
        start.relations.extend(instance.draft.relations.iter().cloned());
        let effort = Effort::new(&self.vocabulary.interrupt);
        let mut found = Meeting::None;
        let mut pending = instance.pending.clone();
        if let Some(others) = &cube.others {
            // Processes that the cube does not name are in one of the situations.
            let own: Vec<u8> = (0..cube.named).collect();
            pending.extend((cube.named..named).map(|process| {
                let situations = others.at(self.vocabulary, &own, process, named);
                Tree::any(situations.map(|situation| Tree::of_cube(layout, &situation)))
            }));
        }
        let cases = Cases::of(&layout.shape, start, pending, &effort, &mut |mut draft| {
            if draft.simplify(&layout.shape, effort.interrupt())
                && !is_impossible.is_some_and(|is_impossible| is_impossible(&self.part(cube, &draft, named)))
            {
                found = Meeting::At(draft);
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(()))
        });
        // In a closed universe a part of the initial states is worth a try: whoever wants a run executes it.
        match found {
            _ if cases.is_err() => Meeting::Unclear,
            Meeting::At(_) if !instance.complete && self.vocabulary.is_open() => Meeting::Unclear,
            found => found,
        }
    }

    /// A part of a cube, over as many processes or more.
    fn part(&self, cube: &Cube, draft: &Draft, named: u8) -> Cube {
        let own: Vec<u8> = (0..cube.named).collect();
        // Of so many processes there is no cube with one more. What says less is larger: if no state is in it, then none is
        // in the part.
        let others = cube.others.as_ref().filter(|_| named < self.vocabulary.max_named);
        let others = others.map(|others| Box::new(others.moved(self.vocabulary, &own, named)));
        let mut part = draft.clone().into_cube(named, cube.at_least.max(named));
        part.relations.sort_unstable();
        Cube { others, ..part }
    }

    /// `init` for this many processes, among which are those.
    fn instance(&self, named: u8, besides: &Besides<'_>) -> Initialized {
        let mut conditions = Conditions::new(self.vocabulary, named);
        // Mostly it is done once for each number of processes.
        conditions.effort = Effort::times(10, &self.vocabulary.interrupt);
        for (symbol, indices) in &besides.pointers {
            let cell = conditions.layout.cell(*symbol, indices);
            let field = conditions.layout.shape.field(cell).expect("a process has a field");
            field.restrict(&mut conditions.draft, !(1 << OTHER));
        }
        let draft = Draft::new(conditions.draft.clone(), Vec::new());
        let possible = !conditions.layout.shape.has_empty(&draft.words);
        let instance = Initialized { draft, pending: Vec::new(), possible, complete: true };
        let mut writer = Writer { conditions, instance };
        for init in &self.vocabulary.system.init {
            let mut parts = Vec::new();
            conjuncts(&init.formula, true, &mut parts);
            for part in parts {
                // A conjunct is written out for its own parameters: there is a process for each of the
                // others.
                let parameters = mentioned(part.0, &init.parameters);
                let witnesses = besides.witnesses && init.parameters.is_empty();
                writer.write(part, &parameters, witnesses);
            }
        }
        writer.instance
    }
}

/// Writes `init` out for all choices of its parameters.
struct Writer<'v, 's> {
    conditions: Conditions<'v, 's>,
    instance: Initialized,
}

impl Writer<'_, '_> {
    /// A conjunct, for all choices of the parameters that have no process yet.
    fn write(&mut self, (part, holds): (&Formula, bool), parameters: &[VariableId], witnesses: bool) {
        if !self.instance.possible || !self.instance.complete {
            return;
        }
        let named = self.conditions.layout.named;
        let Some((&first, rest)) = parameters.split_first() else {
            let tree = match witnesses {
                true => witnessed(&mut self.conditions, named, part, holds),
                false => self.conditions.weak(part, holds),
            };
            let Initialized { draft, pending, possible, complete } = &mut self.instance;
            // What was left of the condition means nothing then.
            *complete = !self.conditions.effort.is_exhausted();
            if *complete {
                *possible = draft.assert(&self.conditions.layout.shape, tree, pending);
                self.conditions.draft.clone_from(&draft.words);
            }
            return;
        };
        for process in 0..named {
            self.conditions.bind(first, process);
            // Where many choices are left, it pays to find out that they say nothing new: `not A[p] || not
            // A[q] || ..` is known as soon as `not A[p]` is.
            if rest.len() > 1 {
                rest.iter().for_each(|&variable| self.conditions.unbind(variable));
                if self.conditions.is_known(part, holds) {
                    continue;
                }
            }
            self.write((part, holds), rest, witnesses);
        }
    }
}

fn mentioned(formula: &Formula, parameters: &[Parameter]) -> Vec<VariableId> {
    let mut found = Vec::new();
    let mut note = |term: &Term| {
        if let Term::Variable(variable) = term
            && !found.contains(variable)
            && parameters.iter().any(|parameter| parameter.id == *variable)
        {
            found.push(*variable);
        }
    };
    formula.for_each_comparison(&mut |comparison| {
        comparison.left.for_each_part(&mut note);
        comparison.right.for_each_part(&mut note);
    });
    found
}

/// Collects what has to hold, or to fail, for a formula to hold or to fail.
fn conjuncts<'f>(formula: &'f Formula, holds: bool, found: &mut Vec<(&'f Formula, bool)>) {
    match formula {
        Formula::Not(part) => conjuncts(part, !holds, found),
        Formula::And(parts) if holds => parts.iter().for_each(|part| conjuncts(part, true, found)),
        Formula::Or(parts) if !holds => parts.iter().for_each(|part| conjuncts(part, false, found)),
        _ => found.push((formula, holds)),
    }
}

/// How many processes have to exist for a formula to hold, or to fail; as far as it is a conjunction.
fn witnesses(formula: &Formula, holds: bool) -> usize {
    let mut parts = Vec::new();
    conjuncts(formula, holds, &mut parts);
    let existential = parts.iter().filter_map(|&(part, holds)| Some((exists(part, holds)?, holds)));
    existential.map(|(quantified, holds)| 1 + witnesses(&quantified.body, holds)).sum()
}

/// The condition that a formula holds, or fails, if those processes are named that have to exist for that.
fn witnessed(conditions: &mut Conditions<'_, '_>, named: u8, formula: &Formula, holds: bool) -> Tree {
    let Some(quantified) = exists(formula, holds) else { return conditions.weak(formula, holds) };
    if conditions.effort.is_exhausted() {
        return Tree::False;
    }
    let mut parts = Vec::new();
    conjuncts(&quantified.body, holds, &mut parts);
    let cases = (0..named).map(|process| {
        conditions.bind(quantified.variable.id, process);
        Tree::all(parts.iter().map(|&(part, holds)| witnessed(conditions, named, part, holds)))
    });
    Tree::any(cases)
}

/// The formula that has to hold, or to fail, for some process.
fn exists(formula: &Formula, holds: bool) -> Option<&Quantified> {
    match formula {
        Formula::Quantified(one) if (one.quantifier == Quantifier::Exists) == holds => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use polycube_certificate::{Orders, State};
    use polycube_language::system::Processes;
    use polycube_smt::relation::{Comparison, Ordered, Relation};
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::cube::others::Others;
    use crate::cube::vocabulary::Universe;
    use crate::forward::{End, Limits, Options, Reduction, explore_states, orders_of, state};
    use crate::samples::{Sample, small_system};

    /// As many processes as can be named, and something is said of all others.
    #[test]
    fn there_may_be_no_room_for_others() {
        let system = polycube_language::check("array A[proc] : bool init (p) { A[p] = False }");
        let system = system.system.expect("a model");
        let vocabulary = Vocabulary::new(&system, Universe::Open).expect("a small system");
        let nobody = Cube::full(&vocabulary, 0);
        let others = Others::of(&vocabulary, &nobody, vec![Cube::full(&vocabulary, 1)]);
        let cube = Cube { at_least: vocabulary.max_named, others: Some(Box::new(others)), ..nobody };
        let initial = Initial::new(&vocabulary);
        assert!(initial.meets_possibly(&cube, &|_| false) && !initial.meets_possibly(&cube, &|_| true));
    }

    /// A cube that has an initial state is said to meet them; and with a fixed number of processes and
    /// finitely many states, no other one.
    #[test]
    fn random_cubes_meet_the_initial_states_that_they_have() {
        for_seeds!(4_000, |seed| {
            let mut random = Random::new(seed);
            let profile = [Profile::ALL, Profile::FINITE][seed as usize % 2].clone();
            let mut system = small_system(&mut random, &profile);
            if system.processes == Processes::Any && random.percent(30) {
                system.processes = Processes::Exactly(random.between(1, 3) as u32);
            }
            let processes = match system.processes {
                Processes::Exactly(count) => count,
                Processes::Any => random.between(1, 3) as u32,
            };
            let limits = Limits { depth: Some(0), states: Some(200), ..Limits::default() };
            let options = Options { limits, reduction: Reduction::None, ..Options::new(processes) };
            let mut initial: Vec<(Orders, State)> = Vec::new();
            let explored = explore_states(&system, &options, &mut (), &mut |instance, packed| {
                initial.push((orders_of(instance), state(instance, packed)));
            });
            let Ok(explored) = explored else { return };
            let (orders, start) = match initial.is_empty() {
                true => (Orders::default(), None),
                false => {
                    let (orders, start) = random.pick(&initial).clone();
                    (orders, Some(start))
                }
            };
            let Some(sample) = Sample::with(&system, processes, orders) else { return };
            let meets_initial = Initial::new(&sample.vocabulary);
            if let Some(start) = &start {
                let cube = sample.cube_around(start, &mut random);
                assert!(meets_initial.meets(&cube), "{start:?} in {cube:?}\n{}", system.to_source());
                // It is in one of the parts that are asked about.
                let is_elsewhere = |part: &Cube| !sample.is_in(part, start);
                assert!(meets_initial.meets_possibly(&cube, &is_elsewhere), "{start:?} in {cube:?}");
                let nowhere = meets_initial.possible_meeting(&cube, Some(&|_| true));
                assert!(!matches!(nowhere, Meeting::At(_)), "{cube:?}");
            }
            let is_complete = matches!(explored.end, End::Complete | End::Depth)
                && !sample.vocabulary.is_open()
                && system.symbols.iter().all(|symbol| !symbol.ty.is_numeric())
                && system.abstract_types.is_empty();
            let start = start.unwrap_or_else(|| sample.state(&mut random));
            for _ in 0..3 {
                let around = sample.neighbour(&start, &mut random);
                let cube = sample.cube_around(&around, &mut random);
                let has_initial = initial.iter().any(|(orders, state)| {
                    Sample::with(&system, processes, orders.clone())
                        .is_some_and(|sample| sample.is_in(&cube, state))
                });
                // Exploration does not choose orders that the system does not speak of.
                let has_order = cube.relations.iter().any(|relation| {
                    let Relation::Ordered(Ordered { comparison, .. }) = relation else { return false };
                    matches!(comparison, Comparison::Less | Comparison::LessEqual)
                });
                match meets_initial.meeting(&cube) {
                    Meeting::None => assert!(!has_initial, "{cube:?}\n{}", system.to_source()),
                    Meeting::At(draft) => {
                        assert!(
                            has_initial || has_order || !is_complete,
                            "{draft:?} in {cube:?}\n{}",
                            system.to_source()
                        );
                    }
                    Meeting::Unclear => {}
                }
            }
        });
    }
}
