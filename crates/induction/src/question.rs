//! Asks the SAT solver repeatedly, until there is no counterexample, or one that violates no claim.

use std::collections::BTreeMap;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use polycube_certificate::hint::Hint;
use polycube_language::number::Number;
use polycube_language::system::Type;
use rustc_hash::FxHashMap;

use crate::Wanted;
use crate::ground::{Atom, Ground, Node, Strict, Sum};
use crate::meaning::{Meaning, Reading, When};
use crate::model::Model;
use crate::numbers::{self, Numbers};
use crate::truths::Truths;
use crate::universe::{CellId, PlaceId, id};
use crate::watch::Watch;

/// How many violated instances are added at once, at most.
const AT_ONCE: usize = 4;

/// What a question led to.
pub(crate) enum Outcome {
    /// There is no counterexample, because of these instances of the invariant; of none in particular, if the
    /// caller does not want to know.
    Impossible(Vec<Hint>),
    /// A state that violates none of the claims.
    Possible(Model),
    /// Nothing: there are too many numbers.
    Open,
    /// Nothing so far.
    Stopped,
}

/// Ends the SAT solver when the caller has cancelled.
struct Interrupt<'w>(&'w Watch<'w>);

impl Callbacks for Interrupt<'_> {
    fn stop(&self) -> bool {
        self.0.has_ended()
    }
}

/// A claim, and the places that its parameters stand for.
type Instance = (usize, Vec<PlaceId>);

/// A solver for questions about the same processes.
pub(crate) struct Question<'q> {
    pub(crate) meaning: Meaning<'q>,
    /// The claims that may be used.
    usable: std::ops::Range<usize>,
    wanted: Wanted,
    solver: Solver<Interrupt<'q>>,
    /// The literal for each node that was spoken of.
    literals: Vec<Option<Lit>>,
    /// The literals for the values of the cells that were spoken of.
    values: BTreeMap<CellId, Vec<Lit>>,
    /// The constraints on numbers that were spoken of.
    sums: Vec<(Lit, Sum, Strict)>,
    /// The comparisons of processes without places that were spoken of.
    compared: Vec<(Lit, Atom)>,
    /// The types whose orders were spoken of.
    ordered: Vec<Type>,
    /// The instances that were spoken of, and the literal that says that one holds; without hints, they
    /// simply hold.
    instances: Vec<Instance>,
    known: FxHashMap<Instance, usize>,
    instance_literals: Vec<Lit>,
    truths: Truths,
    /// The clause that is being added.
    clause: Vec<Lit>,
}

impl<'q> Question<'q> {
    pub(crate) fn new(meaning: Meaning<'q>, usable: std::ops::Range<usize>, wanted: Wanted) -> Question<'q> {
        Question {
            usable,
            wanted,
            solver: Solver::new(SolverOpts::default(), Interrupt(meaning.watch)),
            literals: Vec::new(),
            values: BTreeMap::new(),
            sums: Vec::new(),
            compared: Vec::new(),
            ordered: Vec::new(),
            instances: Vec::new(),
            known: FxHashMap::default(),
            instance_literals: Vec::new(),
            clause: Vec::new(),
            truths: Truths::new(meaning.claims, meaning.universe.len()),
            meaning,
        }
    }

    /// From now on, this holds.
    pub(crate) fn assume(&mut self, ground: Ground) {
        let literal = self.literal(ground);
        self.clause(&[literal]);
    }

    /// Looks for a state in which all of these hold, and that the claims allow. `first` is an instance of a
    /// claim that is worth trying.
    pub(crate) fn ask(&mut self, goal: &[Ground], first: Option<(usize, &[PlaceId])>) -> Outcome {
        if goal.contains(&Ground::FALSE) {
            return Outcome::Impossible(Vec::new());
        }
        let goal: Vec<Lit> = goal.iter().map(|&part| self.literal(part)).collect();
        let first = first.map(|(claim, places)| self.instance(claim, places));
        let mut used: Vec<usize> = first.into_iter().collect();
        loop {
            if self.meaning.watch.has_ended() {
                return Outcome::Stopped;
            }
            let mut assumptions = goal.clone();
            if self.wanted == Wanted::Hints {
                assumptions.extend(used.iter().map(|&at| self.instance_literals[at]));
            }
            let answer = self.solver.solve_limited(&assumptions);
            if answer == lbool::FALSE {
                return Outcome::Impossible(self.needed(&used));
            }
            if answer != lbool::TRUE {
                return Outcome::Stopped;
            }
            let model = match self.model() {
                Ok(model) => model,
                Err(Numbers::Impossible(_)) => continue,
                Err(_) => return Outcome::Open,
            };
            let mut violated = self.violated(&model, &used);
            if violated.is_empty() {
                let model = model.completed(&self.meaning);
                violated = self.violated(&model, &used);
                if violated.is_empty() {
                    // Where the search for violated instances was cut short, nothing is known.
                    return match self.meaning.watch.has_ended() {
                        true => Outcome::Stopped,
                        false => Outcome::Possible(model),
                    };
                }
            }
            used.extend(violated);
        }
    }

    /// The instances that are in the unsat core of the last answer.
    fn needed(&self, used: &[usize]) -> Vec<Hint> {
        if self.wanted == Wanted::Answers {
            return Vec::new();
        }
        // The core consists of negated assumptions.
        let core = self.solver.unsat_core();
        let needed = used.iter().filter(|&&at| core.contains(&!self.instance_literals[at]));
        let instance = |&at: &usize| {
            let (clause, places) = &self.instances[at];
            self.meaning.universe.hint(*clause, places)
        };
        needed.map(instance).collect()
    }

    /// Instances of claims that do not hold in a state.
    fn violated(&mut self, model: &Model, used: &[usize]) -> Vec<usize> {
        self.truths.forget();
        let mut found: Vec<Instance> = Vec::new();
        // Those that were needed before are likely to be needed again.
        if self.wanted == Wanted::Hints {
            let again = self.instances.iter().enumerate().filter(|(at, (claim, places))| {
                let exist = places.iter().all(|place| model.places.contains(place));
                exist && !used.contains(at) && self.is_violated(model, *claim, places)
            });
            found.extend(again.map(|(_, instance)| instance.clone()).take(AT_ONCE));
        }
        if found.is_empty() {
            let new = self.usable.clone().filter_map(|claim| {
                let mut places = Vec::new();
                self.violation(model, claim, &mut places, used).then_some((claim, places))
            });
            found.extend(new.take(AT_ONCE));
        }
        found.into_iter().map(|(claim, places)| self.instance(claim, &places)).collect()
    }

    /// Looks for processes for which a claim is violated, and was not used yet; `places` are the first of
    /// them, and in the end all. A quantified part cannot be evaluated in a state of some processes, so it is
    /// instantiated in any case.
    fn violation(&self, model: &Model, claim: usize, places: &mut Vec<PlaceId>, used: &[usize]) -> bool {
        let claims = self.meaning.claims;
        let said = &claims.claims[claim];
        let judged = &said.judged[places.len()];
        let may_hold = |&at: &usize| {
            let conjunct = &said.conjuncts[at];
            let holds = self.truths.holds(&self.meaning, model, conjunct, places);
            holds.unwrap_or(claims.parts[conjunct.part].has_quantifier)
        };
        if self.meaning.watch.has_ended() || !judged.iter().all(may_hold) {
            return false;
        }
        if places.len() == said.parameters {
            let known = self.known.get(&(claim, places.clone()));
            return known.is_none_or(|at| self.wanted == Wanted::Hints && !used.contains(at));
        }
        model.places.iter().any(|place| {
            if said.distinct && places.contains(place) {
                return false;
            }
            places.push(*place);
            let found = self.violation(model, claim, places, used);
            if !found {
                places.pop();
            }
            found
        })
    }

    fn is_violated(&self, model: &Model, claim: usize, places: &[PlaceId]) -> bool {
        let mut conjuncts = self.meaning.claims.claims[claim].conjuncts.iter();
        conjuncts.all(|conjunct| self.truths.holds(&self.meaning, model, conjunct, places) == Some(true))
    }

    /// The number of an instance of a claim.
    fn instance(&mut self, claim: usize, places: &[PlaceId]) -> usize {
        let key = (claim, places.to_vec());
        if let Some(&at) = self.known.get(&key) {
            return at;
        }
        // Read as a condition that implies the clause's own: a weaker one would exclude states that the
        // invariant allows.
        let mut never = self.meaning.claim(claim, places, When::Now, Reading::Implying);
        never.extend(places.iter().map(|&place| self.meaning.exists(place)));
        match self.wanted {
            Wanted::Answers => {
                if !never.contains(&Ground::FALSE) {
                    let clause: Vec<Lit> = never.iter().map(|&part| self.literal(part.not())).collect();
                    self.clause(&clause);
                }
            }
            Wanted::Hints => {
                let holds = self.meaning.formulas.and(never).not();
                let literal = self.literal(holds);
                self.instance_literals.push(literal);
            }
        }
        let at = self.instances.len();
        self.instances.push(key.clone());
        self.known.insert(key, at);
        at
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(literals);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// A literal that means the same as a formula.
    fn literal(&mut self, ground: Ground) -> Lit {
        let at = ground.node();
        let literal = match *self.literal_of(at) {
            Some(literal) => literal,
            None => {
                let literal = self.node(at);
                // Orders define the literals of all their pairs at once.
                *self.literal_of(at).get_or_insert(literal)
            }
        };
        if ground.is_negated() { !literal } else { literal }
    }

    fn literal_of(&mut self, node: usize) -> &mut Option<Lit> {
        if self.literals.len() <= node {
            self.literals.resize(node + 1, None);
        }
        &mut self.literals[node]
    }

    /// A literal that means the same as a node.
    fn node(&mut self, node: usize) -> Lit {
        match self.meaning.formulas.node(node).clone() {
            Node::True => {
                let literal = self.fresh();
                self.clause(&[literal]);
                literal
            }
            Node::Atom(atom) => self.atom(atom),
            Node::And(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|&part| self.literal(part)).collect();
                let literal = self.fresh();
                for &part in &parts {
                    self.clause(&[!literal, part]);
                }
                let mut all: Vec<Lit> = parts.iter().map(|&part| !part).collect();
                all.push(literal);
                self.clause(&all);
                literal
            }
        }
    }

    fn atom(&mut self, atom: Atom) -> Lit {
        match atom {
            Atom::Is(cell, value) => match self.values.get(&cell) {
                Some(known) => known[value as usize],
                None => self.value_literals(cell)[value as usize],
            },
            Atom::Sum(sum, strict) => {
                let literal = self.fresh();
                self.sums.push((literal, sum, strict));
                literal
            }
            Atom::Before(ty, left, right) => {
                if !self.ordered.contains(&ty) {
                    self.ordered.push(ty);
                    self.order(ty);
                }
                self.pair(ty, left, right).expect("the order defines all pairs")
            }
            Atom::Same(..) | Atom::Below(..) => {
                let literal = self.fresh();
                self.compared.push((literal, atom));
                literal
            }
            Atom::Exists(_) | Atom::Open(_) => self.fresh(),
        }
    }

    /// Literals for the values of a cell, of which exactly one is true.
    fn value_literals(&mut self, cell: CellId) -> Vec<Lit> {
        let count = self.meaning.values(cell).expect("such a cell has finitely many values");
        let literals: Vec<Lit> = match count {
            2 => {
                let literal = self.fresh();
                vec![!literal, literal]
            }
            _ => (0..count).map(|_| self.fresh()).collect(),
        };
        self.values.insert(cell, literals.clone());
        if count > 2 {
            self.clause(&literals);
            for (at, &left) in literals.iter().enumerate() {
                for &right in &literals[..at] {
                    self.clause(&[!left, !right]);
                }
            }
        }
        // What a cell holds exists.
        if self.meaning.ty(cell) == Type::Process {
            for place in self.meaning.universe.certain..self.meaning.universe.len() {
                let exists = self.meaning.exists(place);
                let exists = self.literal(exists);
                self.clause(&[!literals[place as usize], exists]);
                // This place stands for what the cell holds, unless an earlier one does: so no later one, and
                // not `far`.
                if self.meaning.universe.holder(place) == Some(cell) {
                    for &later in &literals[place as usize + 1..] {
                        self.clause(&[!later]);
                    }
                }
            }
        }
        literals
    }

    /// The literal that says that one place or constructor comes before another, which has a larger number.
    fn pair(&mut self, ty: Type, left: u32, right: u32) -> &mut Option<Lit> {
        let ground = self.meaning.formulas.atom(Atom::Before(ty, left, right));
        self.literal_of(ground.node())
    }

    /// Literals for a total order of the places, or of the constructors of an enumeration.
    fn order(&mut self, ty: Type) {
        let count = self.meaning.named(ty);
        let mut before = vec![vec![None; count as usize]; count as usize];
        for left in 0..count {
            for right in left + 1..count {
                let literal = self.fresh();
                *self.pair(ty, left, right) = Some(literal);
                before[left as usize][right as usize] = Some(literal);
                before[right as usize][left as usize] = Some(!literal);
            }
        }
        for first in 0..count as usize {
            for second in 0..count as usize {
                for third in 0..count as usize {
                    if let (Some(one), Some(two), Some(both)) =
                        (before[first][second], before[second][third], before[first][third])
                    {
                        self.clause(&[!one, !two, both]);
                    }
                }
            }
        }
    }

    fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// The state that the solver proposes, unless the numbers contradict each other: then it will not propose
    /// this again.
    fn model(&mut self) -> Result<Model, Numbers> {
        let numbers = self.numbers()?;
        let last = self.values.keys().next_back().map_or(0, |last| last + 1);
        let mut finite = vec![None; self.meaning.universe.cells.max(last) as usize];
        for (&cell, values) in &self.values {
            let value = values.iter().position(|&literal| self.is_true(literal));
            finite[cell as usize] = value.map(id);
        }
        let mut places: Vec<PlaceId> = (0..self.meaning.universe.certain).collect();
        for place in self.meaning.universe.certain..self.meaning.universe.len() {
            let exists = self.meaning.exists(place);
            let is_known = self.literals.get(exists.node()).copied().flatten();
            // A process of which nothing was said need not exist.
            if is_known.is_some_and(|literal| self.is_true(literal) != exists.is_negated()) {
                places.push(place);
            }
        }
        let ranks = self.ordered.clone().into_iter().map(|ty| (ty, self.ranks(ty))).collect();
        let compared = self.compared.iter();
        let compared = compared.map(|(literal, atom)| (atom.clone(), self.is_true(*literal))).collect();
        Ok(Model { finite, numbers, places, ranks, compared })
    }

    /// How many places or constructors come before each one.
    fn ranks(&mut self, ty: Type) -> Vec<usize> {
        let count = self.meaning.named(ty);
        let mut ranks = vec![0; count as usize];
        for left in 0..count {
            for right in left + 1..count {
                let literal = self.pair(ty, left, right).expect("the order defines all pairs");
                ranks[if self.is_true(literal) { right } else { left } as usize] += 1;
            }
        }
        ranks
    }

    fn numbers(&mut self) -> Result<BTreeMap<CellId, Number>, Numbers> {
        let mut literals = Vec::new();
        let mut constraints = Vec::new();
        for (literal, sum, strict) in &self.sums {
            if self.is_true(*literal) {
                literals.push(*literal);
                constraints.push((sum.clone(), *strict));
            } else {
                literals.push(!*literal);
                constraints.push((sum.scaled(&-Number::ONE), strict.negated()));
            }
        }
        if constraints.is_empty() {
            return Ok(BTreeMap::new());
        }
        match numbers::solve(&constraints, &|cell| self.meaning.ty(cell) == Type::Integer) {
            Numbers::Possible(values) => Ok(values),
            Numbers::Impossible(core) => {
                let clause: Vec<Lit> = core.iter().map(|&at| !literals[at]).collect();
                self.clause(&clause);
                Err(Numbers::Impossible(core))
            }
            Numbers::Open => Err(Numbers::Open),
        }
    }
}
