//! Preimages: the cubes from which one step of a transition leads into a cube (`pre` of the Cubicle paper,
//! CAV 2012, section 3).
//!
//! For every way to choose the arguments of the transition among the processes of the cube and new ones, the
//! guard and what the cube says of the state afterwards, written in terms of the state before, form a
//! condition; its disjunctive normal form are the cubes. That is exact for everything the language has except
//! some universal quantifiers in an open universe, see [`others`](super::others): there it may be too large.
//!
//! A new process comes out of the others, so it is in one of their situations after the step. What remains of
//! the others is, before the step, in a situation from which the step leads into one of theirs; and it
//! satisfies what the guard says of all processes.

use std::ops::ControlFlow;

use polycube_language::System;
use polycube_language::system::{SymbolId, SymbolKind, Update};
use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, NumberKind, Relation, Term, Variable};
use polycube_smt::shape::{Kind, Shape, least};

use super::condition::{Chosen, Conditions, Resolved, Sum, linear, sum_of, term_of};
use super::effort::{Effort, TooMany};
use super::expansion::{Cases, Drafts, eliminate};
use super::others::Universal;
use super::rule::Rule;
use super::tree::Tree;
use crate::cube::others::Others;
use crate::cube::renaming::{NOWHERE, canonical};
use crate::cube::vocabulary::{CubeLayout, OTHER, PROCESSES, Vocabulary};
use crate::cube::{Cube, Draft};

/// A cube from which a step leads into another one.
#[derive(Clone, Debug)]
pub struct Predecessor {
    pub cube: Cube,
    /// The index of the transition in the system.
    pub transition: usize,
    /// Its arguments. Those below the number of processes that the other cube names are these processes.
    pub arguments: Box<[u8]>,
    /// What the processes of the step are called in the cube: first those of the other cube, then the new
    /// ones; [`NOWHERE`](crate::cube::renaming::NOWHERE) for one that the cube does not mention.
    pub names: Box<[u8]>,
    /// Whether some of its states may have no such step: the guard was weakened, or constants were forgotten.
    pub weakened: bool,
}

/// How to treat what cubes say about constants of a numeric type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constants {
    Exact,
    /// It is forgotten after each step: the cube is enlarged to all states that differ from one of its own in
    /// the values of constants. Cubes like `X + Tick < Y`, `X + 2 * Tick < Y`, and so on, where `0 < Tick`,
    /// all become `X < Y`, without which many searches have no end.
    Forgotten,
}

/// What is exact in a preimage. What is not makes it larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exactness {
    pub constants: Constants,
    pub universal: Universal,
}

impl Exactness {
    /// Everything, as far as cubes can tell.
    pub const ALL: Exactness = Exactness { constants: Constants::Exact, universal: Universal::Kept };
}

/// Calls `visit` with the predecessors of a cube by a transition, and now and then with nothing, until it
/// breaks.
pub fn predecessors(
    vocabulary: &Vocabulary<'_>,
    rule: &Rule<'_>,
    cube: &Cube,
    exactness: Exactness,
    visit: &mut dyn FnMut(Option<Predecessor>) -> ControlFlow<()>,
) -> Result<(), TooMany> {
    let restricted = restricted_cells(vocabulary, cube);
    // Of each other process: it comes after those that are named.
    let situations = cube.others.iter().flat_map(|others| others.situations());
    let of_others: Vec<_> = situations.flat_map(|one| restricted_cells(vocabulary, one)).collect();
    // The arguments are different: a cube would have to name them all.
    if rule.transition.parameters.len() > usize::from(vocabulary.max_named) {
        let may_change = |(symbol, _): &(SymbolId, &[u8])| rule.change(*symbol).is_some();
        let is_possible = vocabulary.is_open() && restricted.iter().chain(&of_others).any(may_change);
        return if is_possible { Err(TooMany::Processes) } else { Ok(()) };
    }
    let mut result = Ok(());
    let _ = for_each_assignment(vocabulary, rule.transition.parameters.len(), cube.named, &mut |arguments| {
        // There may be very many assignments. The error says that some are missing.
        if vocabulary.is_interrupted() {
            result = Err(TooMany::Cases);
            return ControlFlow::Break(());
        }
        // A step that changes nothing the cube speaks about leads into it only from inside.
        if !rule.changes_some(&restricted, arguments)
            && !changes_others(rule, &of_others, cube.named, arguments)
        {
            return ControlFlow::Continue(());
        }
        let fresh = arguments.iter().map(|&argument| argument + 1).max().unwrap_or(0);
        // A universal guard speaks of all processes that are known to exist. (So does what is kept of it.)
        let is_forgotten = rule.universal && exactness.universal == Universal::Forgotten;
        let known = if is_forgotten && vocabulary.is_open() { cube.at_least } else { 0 };
        let named = cube.named.max(fresh).max(known.min(vocabulary.max_named));
        match of_step(vocabulary, rule, cube, arguments, named, exactness, visit) {
            Ok(flow) => flow,
            Err(error) => {
                result = Err(error);
                ControlFlow::Continue(())
            }
        }
    });
    result
}

/// The cubes before one step, for given arguments.
fn of_step(
    vocabulary: &Vocabulary<'_>,
    rule: &Rule<'_>,
    cube: &Cube,
    arguments: &[u8],
    mut named: u8,
    exactness: Exactness,
    visit: &mut dyn FnMut(Option<Predecessor>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, TooMany> {
    let mut spare = 0;
    loop {
        if visit(None).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if named > vocabulary.max_named {
            return Err(TooMany::Processes);
        }
        let Found { found, outside, weakened, sites } =
            Preimage::new(vocabulary, rule, cube, arguments, named, exactness).cubes(cube.at_least)?;
        for before in found {
            let (cube, names) = canonical(vocabulary, before);
            let (arguments, names) = (arguments.into(), names.into_boxed_slice());
            let predecessor = Predecessor { cube, transition: rule.index, arguments, names, weakened };
            if visit(Some(predecessor)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        // One more process, as long as some case needs it. Each quantifier and each index needs one at most.
        if !outside || spare >= sites {
            return Ok(ControlFlow::Continue(()));
        }
        spare += 1;
        named += 1;
    }
}

/// The cubes before one step in a closed universe, with the names of its processes as they are.
pub fn cubes_before(
    vocabulary: &Vocabulary<'_>,
    rule: &Rule<'_>,
    cube: &Cube,
    arguments: &[u8],
) -> Result<Vec<Cube>, TooMany> {
    let step = Preimage::new(vocabulary, rule, cube, arguments, cube.named, Exactness::ALL);
    Ok(Preimage { purpose: Purpose::Run, ..step }.cubes(cube.at_least)?.found)
}

pub fn numeric_constants(system: &System) -> impl Iterator<Item = SymbolId> + '_ {
    let symbols = system.symbols.iter().zip(0..);
    let constants =
        symbols.filter(|(symbol, _)| symbol.kind == SymbolKind::Constant && symbol.ty.is_numeric());
    constants.map(|(_, index)| SymbolId(index))
}

/// Calls `visit` with all ways to choose different arguments: among the processes that are named, and new
/// ones (in an open universe), where one new process is like the other; until it says that this is enough.
pub fn for_each_assignment<B>(
    vocabulary: &Vocabulary<'_>,
    parameters: usize,
    named: u8,
    visit: &mut dyn FnMut(&[u8]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    fn extend<B>(
        open: bool,
        parameters: usize,
        named: u8,
        fresh: u8,
        chosen: &mut Vec<u8>,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if chosen.len() == parameters {
            return visit(chosen);
        }
        for process in 0..named {
            if !chosen.contains(&process) {
                chosen.push(process);
                extend(open, parameters, named, fresh, chosen, visit)?;
                chosen.pop();
            }
        }
        if open {
            chosen.push(named + fresh);
            extend(open, parameters, named, fresh + 1, chosen, visit)?;
            chosen.pop();
        }
        ControlFlow::Continue(())
    }
    if vocabulary.is_open() || parameters <= usize::from(named) {
        return extend(vocabulary.is_open(), parameters, named, 0, &mut Vec::new(), visit);
    }
    ControlFlow::Continue(())
}

/// The cells that a cube says something about: symbols, with the processes that index them.
pub fn restricted_cells<'v>(vocabulary: &'v Vocabulary<'_>, cube: &Cube) -> Vec<(SymbolId, &'v [u8])> {
    let layout = vocabulary.layout(cube.named);
    let by_value = layout.restricted(&cube.words).map(|(cell, ..)| cell);
    let by_relation = cube.relations.iter().flat_map(Relation::variables);
    by_value.chain(by_relation).map(|cell| (layout.symbol(cell), layout.indices(cell))).collect()
}

/// Whether a step may change one of these cells for some process that a cube over `named` processes does not
/// name, and which has this number in the cells.
fn changes_others(rule: &Rule<'_>, cells: &[(SymbolId, &[u8])], named: u8, arguments: &[u8]) -> bool {
    // One that is no argument, and those that are.
    let others = [NOWHERE].into_iter().chain(arguments.iter().copied().filter(|&argument| argument >= named));
    cells.iter().any(|(symbol, indices)| {
        others.clone().any(|other| {
            let index = |&index: &u8| if index == named { other } else { index };
            let indices: Vec<u8> = indices.iter().map(index).collect();
            rule.changes(*symbol, &indices, arguments)
        })
    })
}

/// A transition with its arguments, and the cube that this step should lead into.
struct Preimage<'p, 'v, 's> {
    vocabulary: &'v Vocabulary<'s>,
    layout: &'v CubeLayout,
    rule: &'p Rule<'s>,
    arguments: &'p [u8],
    /// What the cube says, over the processes of the step.
    after: Draft,
    /// What it says of the processes after the first ones, and of all others.
    others: Option<&'p Others>,
    /// How many the first ones are.
    first: u8,
    universal: Universal,
    forgotten: Vec<Variable>,
    purpose: Purpose,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A proof: none may be missing.
    Proof,
    /// A run, which is executed: it helps to know some of them more exactly.
    Run,
}

/// The largest absolute value that is tried for a `?` that cannot be eliminated.
const TRIED: i64 = 16;

/// They are not tried where there are more cubes already.
const FEW: usize = 50;

/// What was found: drafts, and then cubes.
#[derive(Default)]
struct Found<T> {
    found: T,
    outside: bool,
    weakened: bool,
    sites: usize,
}

impl<'p, 'v, 's> Preimage<'p, 'v, 's> {
    fn new(
        vocabulary: &'v Vocabulary<'s>,
        rule: &'p Rule<'s>,
        cube: &'p Cube,
        arguments: &'p [u8],
        named: u8,
        exactness: Exactness,
    ) -> Preimage<'p, 'v, 's> {
        let layout = vocabulary.layout(named);
        let after = cube.over(vocabulary, named);
        let forgotten = match exactness.constants {
            Constants::Exact => Vec::new(),
            Constants::Forgotten => {
                numeric_constants(vocabulary.system).map(|symbol| layout.cell(symbol, &[])).collect()
            }
        };
        let (others, first) = (cube.others.as_deref(), cube.named);
        let (universal, purpose) = (exactness.universal, Purpose::Proof);
        Preimage { vocabulary, layout, rule, arguments, after, others, first, universal, forgotten, purpose }
    }

    /// The same step, over one more process.
    fn with_other(&self) -> Preimage<'p, 'v, 's> {
        let layout = self.vocabulary.layout(self.layout.named + 1);
        Preimage { layout, after: Draft::default(), forgotten: Vec::new(), ..*self }
    }

    fn shape(&self) -> &'v Shape {
        &self.layout.shape
    }

    fn changes(&self, cell: Variable) -> bool {
        self.rule.changes(self.layout.symbol(cell), self.layout.indices(cell), self.arguments)
    }

    fn cubes(&self, at_least: u8) -> Result<Found<Vec<Cube>>, TooMany> {
        let mut conditions = Conditions::new(self.vocabulary, self.layout.named);
        conditions.universal = self.universal;
        let Found { found, outside, weakened, sites } = self.drafts(&mut conditions)?;
        let found = conditions.cubes(found, at_least);
        // Then what was found means nothing.
        if conditions.effort.is_exhausted() {
            return Err(TooMany::Cases);
        }
        Ok(Found { found, outside, weakened: weakened | conditions.weakened, sites })
    }

    fn drafts(&self, conditions: &mut Conditions<'v, 's>) -> Result<Found<Drafts>, TooMany> {
        conditions.bind_all(&self.rule.transition.parameters, self.arguments);
        let mut found = Found { sites: self.rule.guard_sites, ..Found::default() };

        // What the step leaves alone, and what it may change.
        let mut changed_cells = Vec::new();
        for (cell, _, field, values) in self.layout.restricted(&self.after.words) {
            if self.changes(cell) {
                changed_cells.push((cell, values));
            } else {
                field.set(&mut conditions.draft, values);
            }
        }
        let (changed_relations, relations): (Vec<&Relation>, Vec<&Relation>) = self
            .after
            .relations
            .iter()
            .partition(|relation| relation.variables().any(|cell| self.changes(cell)));
        let relations = relations.into_iter().cloned().collect();
        let mut draft = Draft::new(conditions.draft.clone(), relations);
        let mut pending = Vec::new();
        let guard = conditions.formula(&self.rule.transition.guard, true);
        if !draft.assert(self.shape(), guard, &mut pending) {
            found.outside = conditions.outside;
            return Ok(found);
        }
        conditions.draft.clone_from(&draft.words);

        let choosing = self.choosing_cells(&changed_relations);
        let related = changed_relations.iter().flat_map(|relation| relation.variables());
        let sites = changed_cells.iter().map(|(cell, _)| *cell).chain(related).map(|cell| self.sites(cell));
        found.sites = sites.chain([choosing.len()]).fold(found.sites, usize::saturating_add);
        let mut result = Ok(());
        self.each_choice(&choosing, conditions, &mut Vec::new(), &mut |conditions, auxiliary| {
            let (mut draft, mut pending) = (draft.clone(), pending.clone());
            // Each condition is simplified by those before it.
            conditions.draft.clone_from(&draft.words);
            let mut assert = |conditions: &mut Conditions<'v, 's>, tree: Tree| {
                let is_possible = draft.assert(self.shape(), tree, &mut pending);
                conditions.draft.clone_from(&draft.words);
                is_possible
            };
            for &(cell, values) in &changed_cells {
                let tree = self.new_within(conditions, cell, values);
                if !assert(conditions, tree) {
                    return;
                }
            }
            for relation in &changed_relations {
                let tree = self.new_relation(conditions, relation);
                if !assert(conditions, tree) {
                    return;
                }
            }
            for process in self.first..self.layout.named {
                let tree = self.in_situation(conditions, process, &mut found.sites);
                if !assert(conditions, tree) {
                    return;
                }
            }
            let others = self.other_situations(conditions);
            if !assert(conditions, others) {
                return;
            }
            let effort = &conditions.effort;
            let cases = Cases::of(self.shape(), draft, pending, effort, &mut |mut draft| {
                let drafts = eliminate(&draft, auxiliary).unwrap_or_else(|| {
                    let mut drafts = match self.purpose {
                        Purpose::Run if found.found.len() <= FEW => self.try_numbers(&draft, auxiliary),
                        Purpose::Run | Purpose::Proof => Vec::new(),
                    };
                    // Weaker: what cannot be expressed without the chosen values is dropped.
                    found.weakened = true;
                    draft.relations.retain(|relation| {
                        relation.variables().all(|variable| !auxiliary.contains(&variable))
                    });
                    drafts.push(draft);
                    drafts
                });
                for draft in drafts.into_iter().flat_map(|draft| self.forget(draft, &mut found.weakened)) {
                    found.found.add(self.shape(), draft, effort)?;
                }
                Ok(ControlFlow::Continue(()))
            });
            result = result.and(cases);
        });
        result?;
        found.outside = conditions.outside;
        Ok(found)
    }

    /// Parts of a draft in which `?` stands for some number, where not all of it can be said without that
    /// number. Which numbers leave integers for the others depends on remainders: so several are tried.
    fn try_numbers(&self, draft: &Draft, auxiliary: &[Variable]) -> Vec<Draft> {
        let is_integer = |variable: &&Variable| {
            draft.relations.iter().any(|relation| match relation {
                Relation::Linear(linear) => {
                    linear.kind == NumberKind::Integer && linear.coefficient(**variable).is_some()
                }
                Relation::Ordered(_) => false,
            })
        };
        let integers: Vec<Variable> = auxiliary.iter().filter(is_integer).copied().collect();
        let with = |number: i64| {
            let mut draft = draft.clone();
            draft.relations.extend(integers.iter().map(|&variable| {
                let terms = [(variable, Rational::ONE)];
                Linear::new(NumberKind::Integer, terms, Rational::from(-number), Comparison::Equal).into()
            }));
            eliminate(&draft, auxiliary).unwrap_or_default()
        };
        let is_possible = |draft: &Draft| draft.is_consistent(self.shape(), &self.vocabulary.interrupt);
        (-TRIED..=TRIED).flat_map(with).filter(is_possible).collect()
    }

    fn forget(&self, draft: Draft, weakened: &mut bool) -> Vec<Draft> {
        let mut drafts = vec![draft];
        for constant in &self.forgotten {
            let occurs = |draft: &Draft| {
                draft.relations.iter().any(|relation| relation.variables().any(|other| other == *constant))
            };
            if drafts.iter().any(occurs) {
                // What cannot be expressed without the constant keeps it.
                let forgotten = drafts.iter().map(|draft| eliminate(draft, &[*constant]));
                if let Some(forgotten) = forgotten.collect::<Option<Vec<_>>>() {
                    *weakened = true;
                    drafts = forgotten.into_iter().flatten().collect();
                }
            }
        }
        drafts
    }

    /// The condition that a process is afterwards in one of the situations of those that the cube does not
    /// name.
    fn in_situation(&self, conditions: &mut Conditions<'v, 's>, process: u8, sites: &mut usize) -> Tree {
        let Some(others) = self.others else { return Tree::True };
        let own: Vec<u8> = (0..self.first).collect();
        let situations = others.at(self.vocabulary, &own, process, self.layout.named);
        Tree::any(situations.map(|situation| self.afterwards(conditions, &situation, sites)))
    }

    /// The condition that all processes which are not named are in such a situation afterwards.
    fn other_situations(&self, conditions: &mut Conditions<'v, 's>) -> Tree {
        if self.others.is_none() {
            return Tree::True;
        }
        if self.layout.named >= self.vocabulary.max_named {
            conditions.weakened = true;
            return Tree::True;
        }
        let wider = self.with_other();
        conditions.of_other(&mut |conditions, other| wider.in_situation(conditions, other, &mut 0))
    }

    /// The condition that what a cube says holds afterwards.
    fn afterwards(&self, conditions: &mut Conditions<'v, 's>, cube: &Cube, sites: &mut usize) -> Tree {
        let mut parts = Vec::new();
        for (cell, _, _, values) in self.layout.restricted(&cube.words) {
            if self.changes(cell) {
                *sites = sites.saturating_add(self.sites(cell));
                parts.push(self.new_within(conditions, cell, values));
            } else {
                parts.push(conditions.within(cell, values));
            }
        }
        for relation in &cube.relations {
            let changed: Vec<Variable> = relation.variables().filter(|&cell| self.changes(cell)).collect();
            *sites = changed.iter().map(|&cell| self.sites(cell)).fold(*sites, usize::saturating_add);
            let is_chosen = |cell: &Variable| {
                self.rule.change(self.layout.symbol(*cell)).is_some_and(|change| change.chooses)
                    && !conditions.choices.iter().any(|(chosen, _)| chosen == cell)
            };
            if changed.is_empty() {
                parts.push(Tree::Relation(relation.clone()));
            } else if changed.iter().any(is_chosen) {
                // Weaker: what is chosen for each process by itself is not compared with anything.
                conditions.weakened = true;
            } else {
                parts.push(self.new_relation(conditions, relation));
            }
        }
        Tree::all(parts)
    }

    fn sites(&self, cell: Variable) -> usize {
        self.rule.change(self.layout.symbol(cell)).map_or(0, |change| change.sites)
    }

    /// The cells in these relations, and those that situations share, to which the step may assign `?`. Each
    /// has one value in all of them.
    fn choosing_cells(&self, relations: &[&Relation]) -> Vec<Variable> {
        let mut cells: Vec<Variable> = relations.iter().flat_map(|relation| relation.variables()).collect();
        for situation in self.others.iter().flat_map(|others| others.situations()) {
            let restricted = restricted_cells(self.vocabulary, situation).into_iter();
            let shared = restricted.filter(|(_, indices)| !indices.contains(&self.first));
            cells.extend(shared.map(|(symbol, indices)| self.layout.cell(symbol, indices)));
        }
        cells.retain(|&cell| {
            let change = self.rule.change(self.layout.symbol(cell));
            self.changes(cell) && change.is_some_and(|change| change.chooses)
        });
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Calls `visit` with all values for cells that choose: points one by one, a variable for infinitely
    /// many.
    fn each_choice(
        &self,
        cells: &[Variable],
        conditions: &mut Conditions<'v, 's>,
        auxiliary: &mut Vec<Variable>,
        visit: &mut dyn FnMut(&mut Conditions<'v, 's>, &[Variable]),
    ) {
        let Some((&cell, rest)) = cells.split_first() else {
            visit(conditions, auxiliary);
            return;
        };
        let Kind::Finite(sort, field) = self.shape().kind(cell) else {
            let number = u16::try_from(self.layout.cells() + auxiliary.len());
            let variable = Variable(number.expect("cells take at most half of the numbers"));
            auxiliary.push(variable);
            conditions.choices.push((cell, Chosen::Variable(variable)));
            self.each_choice(rest, conditions, auxiliary, visit);
            conditions.choices.pop();
            auxiliary.pop();
            return;
        };
        let mut values = field.get(&self.after.words);
        if sort == PROCESSES && values >> OTHER & 1 == 1 {
            values &= !(1 << OTHER);
            conditions.outside = true;
        }
        while values != 0 && conditions.effort.spend(Effort::NODE).is_ok() {
            let point = least(values);
            values &= values - 1;
            conditions.choices.push((cell, Chosen::Point(point)));
            self.each_choice(rest, conditions, auxiliary, visit);
            conditions.choices.pop();
        }
    }

    fn update(&self, cell: Variable) -> &'s Update {
        self.rule.change(self.layout.symbol(cell)).expect("a cell that changes has an update").update
    }

    /// The condition that a cell has one of these values afterwards.
    fn new_within(&self, conditions: &mut Conditions<'v, 's>, cell: Variable, values: u64) -> Tree {
        conditions.new_value(self.update(cell), cell, &mut |conditions, value| match value {
            Resolved::Process(point) | Resolved::Constructor(point) => {
                Tree::constant(values >> point & 1 == 1)
            }
            Resolved::Cell(cell) => conditions.within(cell, values),
            Resolved::Anything => Tree::True,
            Resolved::Sum(_) => panic!("a number has no field"),
        })
    }

    /// The condition that a relation holds afterwards.
    fn new_relation(&self, conditions: &mut Conditions<'v, 's>, relation: &Relation) -> Tree {
        match relation {
            Relation::Ordered(ordered) => self.new_term(conditions, ordered.left, &mut |conditions, left| {
                self.new_term(conditions, ordered.right, &mut |conditions, right| {
                    conditions.compare_terms(ordered.sort, left, ordered.comparison, right)
                })
            }),
            Relation::Linear(relation) => {
                let sum = Sum { terms: Vec::new(), constant: relation.constant.clone() };
                self.new_sum(conditions, relation, 0, sum)
            }
        }
    }

    fn new_term(
        &self,
        conditions: &mut Conditions<'v, 's>,
        term: Term,
        then: &mut dyn FnMut(&mut Conditions<'v, 's>, Term) -> Tree,
    ) -> Tree {
        match term {
            Term::Variable(cell) if self.changes(cell) => {
                conditions.new_value(self.update(cell), cell, &mut |conditions, value| {
                    then(conditions, term_of(&value))
                })
            }
            _ => then(conditions, term),
        }
    }

    fn new_sum(&self, conditions: &mut Conditions<'v, 's>, relation: &Linear, next: usize, sum: Sum) -> Tree {
        let Some((cell, coefficient)) = relation.terms.get(next) else {
            return linear(Linear::new(relation.kind, sum.terms, sum.constant, relation.comparison));
        };
        let mut add = |conditions: &mut Conditions<'v, 's>, value: Resolved| {
            let (mut sum, new) = (sum.clone(), sum_of(value));
            sum.terms.extend(new.terms.iter().map(|(cell, factor)| (*cell, factor * coefficient)));
            sum.constant = &sum.constant + &(&new.constant * coefficient);
            self.new_sum(conditions, relation, next + 1, sum)
        };
        if self.changes(*cell) {
            conditions.new_value(self.update(*cell), *cell, &mut add)
        } else {
            add(conditions, Resolved::Cell(*cell))
        }
    }
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::samples::{Sample, small_system};

    /// A state of a small instance is in a predecessor of a cube exactly if a step leads from it into the
    /// cube, as the judge takes steps; or it is in the cube, since steps that change nothing are left out.
    #[test]
    fn random_predecessors_are_the_states_with_a_step() {
        for_seeds!(6_000, |seed| {
            let mut random = Random::new(seed);
            let profile = [Profile::ALL, Profile::FINITE, Profile::CUBES][seed as usize % 3].clone();
            let system = small_system(&mut random, &profile);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            if !sample.has_few_steps() {
                return;
            }
            let start = sample.state(&mut random);
            let after = sample.all_successors(&start);
            let after =
                if after.is_empty() { sample.state(&mut random) } else { random.pick(&after).clone() };
            let cube = canonical(&sample.vocabulary, sample.cube_around(&after, &mut random)).0;
            let mut found = Vec::new();
            let universal = if random.percent(20) { Universal::Forgotten } else { Universal::Kept };
            let exactness = Exactness { constants: Constants::Exact, universal };
            for rule in Rule::all(&system) {
                let done = predecessors(&sample.vocabulary, &rule, &cube, exactness, &mut |one| {
                    found.extend(one);
                    ControlFlow::Continue(())
                });
                if done.is_err() {
                    return;
                }
            }
            let mut states = vec![start];
            for _ in 0..6 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for state in states.iter().filter(|state| !sample.is_in(&cube, state)) {
                for transition in 0..system.transitions.len() {
                    let steps = sample.successors(transition, state);
                    let leads = steps.iter().any(|after| sample.is_in(&cube, after));
                    let mut before = found.iter().filter(|one| one.transition == transition);
                    if leads {
                        let is_found = before.any(|one| sample.is_in(&one.cube, state));
                        assert!(
                            is_found,
                            "{transition} leads from {state:?} to {cube:?}\n{}",
                            system.to_source()
                        );
                    } else if sample.has_all_choices(transition) {
                        let wrong = before.find(|one| !one.weakened && sample.is_in(&one.cube, state));
                        assert!(
                            wrong.is_none(),
                            "{wrong:?} has {state:?}, before {cube:?}\n{}",
                            system.to_source()
                        );
                    }
                }
            }
        });
    }
}
