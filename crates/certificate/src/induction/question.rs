//! One question to the SAT solver after another, until there is no counterexample, or one of the invariant.

use std::collections::{BTreeMap, HashMap};

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use polycube_language::number::Number;
use polycube_language::system::Type;

use super::ground::{Atom, Ground, Node, Strict, Sum};
use super::meaning::{Meaning, When};
use super::model::Model;
use super::numbers::{self, Numbers};
use super::place::{CellId, Instance, Names, PlaceId};
use crate::invariant::Invariant;

/// How many violated instances are added at once, at most.
const AT_ONCE: usize = 4;

/// What a question led to.
pub(super) enum Outcome {
    /// There is no counterexample, because of these instances of the invariant.
    Impossible(Vec<Instance>),
    /// A state that violates none of the clauses.
    Possible(Model),
    /// Nothing: there are too many numbers.
    Open,
    /// Nothing so far.
    Stopped,
}

/// A solver for questions about the same processes.
pub(super) struct Question<'q> {
    pub(super) meaning: Meaning<'q>,
    invariant: &'q Invariant,
    solver: BasicSolver,
    /// The literal for each node that was spoken of.
    literals: Vec<Option<Lit>>,
    /// The cells whose values were spoken of, in the order in which that happened.
    cells: Vec<CellId>,
    /// The literals for their values, by cell.
    values: HashMap<CellId, Vec<Lit>>,
    /// The constraints on numbers that were spoken of.
    sums: Vec<(Lit, Sum, Strict)>,
    /// Whether the orders of processes, and of these enumerations, were spoken of.
    orders_places: bool,
    ordered: Vec<u32>,
    /// The instances that were spoken of.
    instances: Vec<(usize, Vec<PlaceId>)>,
    known: HashMap<(usize, Vec<PlaceId>), usize>,
    instance_literals: Vec<Lit>,
}

impl<'q> Question<'q> {
    pub(super) fn new(meaning: Meaning<'q>, invariant: &'q Invariant) -> Question<'q> {
        Question {
            meaning,
            invariant,
            solver: BasicSolver::default(),
            literals: Vec::new(),
            cells: Vec::new(),
            values: HashMap::new(),
            sums: Vec::new(),
            orders_places: false,
            ordered: Vec::new(),
            instances: Vec::new(),
            known: HashMap::new(),
            instance_literals: Vec::new(),
        }
    }

    /// From now on, this holds.
    pub(super) fn assume(&mut self, ground: Ground) {
        let literal = self.literal(ground);
        self.clause(&[literal]);
    }

    /// Looks for a state of the invariant in which the goal holds. `first` is an instance of the invariant that is worth
    /// trying.
    pub(super) fn ask(
        &mut self,
        goal: Ground,
        first: Option<(usize, &[PlaceId])>,
        use_invariant: bool,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Outcome {
        if goal == Ground::FALSE {
            return Outcome::Impossible(Vec::new());
        }
        let goal = self.literal(goal);
        let mut used: Vec<usize> = Vec::new();
        if let Some((clause, places)) = first {
            used.push(self.instance(clause, places));
        }
        loop {
            if !goes_on() {
                return Outcome::Stopped;
            }
            let mut assumptions = vec![goal];
            assumptions.extend(used.iter().map(|&at| self.instance_literals[at]));
            if self.solver.solve_limited(&assumptions) == lbool::FALSE {
                // The core consists of negated assumptions.
                let core: Vec<Lit> = self.solver.unsat_core().iter().map(|&literal| !literal).collect();
                used.retain(|&at| core.contains(&self.instance_literals[at]));
                let instance = |&at: &usize| {
                    let (clause, places) = &self.instances[at];
                    self.meaning.universe.instance(*clause, places)
                };
                return Outcome::Impossible(used.iter().map(instance).collect());
            }
            let model = match self.model() {
                Ok(model) => model,
                Err(Numbers::Impossible(_)) => continue,
                Err(_) => return Outcome::Open,
            };
            if !use_invariant {
                return Outcome::Possible(model.completed(&self.meaning));
            }
            let mut violated = self.violated(&model, &used);
            if violated.is_empty() {
                let model = model.completed(&self.meaning);
                violated = self.violated(&model, &used);
                if violated.is_empty() {
                    return Outcome::Possible(model);
                }
            }
            used.extend(violated);
        }
    }

    /// Instances of the invariant that do not hold in a state.
    fn violated(&mut self, model: &Model, used: &[usize]) -> Vec<usize> {
        let mut found: Vec<(usize, Vec<PlaceId>)> = Vec::new();
        // Those that were needed before are likely to be needed again.
        for (at, (clause, places)) in self.instances.iter().enumerate() {
            let exist = places.iter().all(|place| model.places.contains(place));
            if exist && !used.contains(&at) && self.is_violated(model, *clause, places) {
                found.push((*clause, places.clone()));
                if found.len() == AT_ONCE {
                    break;
                }
            }
        }
        if found.is_empty() {
            for number in 0..self.invariant.clauses.len() {
                let Some(places) = self.violation(model, number, &mut Names::default(), &mut Vec::new())
                else {
                    continue;
                };
                let repeated = self.known.get(&(number, places.clone())).is_some_and(|at| used.contains(at));
                if !repeated {
                    found.push((number, places));
                }
                if found.len() == AT_ONCE {
                    break;
                }
            }
        }
        found.into_iter().map(|(clause, places)| self.instance(clause, &places)).collect()
    }

    /// The first processes for which a clause is violated, if there are some; `names` and `places` are the first of them.
    fn violation(
        &self,
        model: &Model,
        number: usize,
        names: &mut Names,
        places: &mut Vec<PlaceId>,
    ) -> Option<Vec<PlaceId>> {
        let clause = &self.invariant.clauses[number];
        match (model.holds(&self.meaning, &clause.never, names), clause.parameters.get(places.len())) {
            // Whatever the other processes are.
            (Some(false), _) | (None, None) => None,
            (Some(true), None) => Some(places.clone()),
            (_, Some(parameter)) => model.places.iter().find_map(|place| {
                if places.contains(place) {
                    return None;
                }
                names.push(parameter.id, *place);
                places.push(*place);
                let found = self.violation(model, number, names, places);
                places.pop();
                names.pop();
                found
            }),
        }
    }

    fn is_violated(&self, model: &Model, clause: usize, places: &[PlaceId]) -> bool {
        let clause = &self.invariant.clauses[clause];
        let names = Names::of(&clause.parameters, places);
        model.holds(&self.meaning, &clause.never, &names) == Some(true)
    }

    /// The number of an instance of the invariant.
    fn instance(&mut self, clause: usize, places: &[PlaceId]) -> usize {
        if let Some(&at) = self.known.get(&(clause, places.to_vec())) {
            return at;
        }
        let ground = self.clause_now(clause, places);
        let literal = self.literal(ground);
        let at = self.instances.len();
        self.instances.push((clause, places.to_vec()));
        self.instance_literals.push(literal);
        self.known.insert((clause, places.to_vec()), at);
        at
    }

    /// A clause holds now for these processes, if they exist.
    pub(super) fn clause_now(&mut self, clause: usize, places: &[PlaceId]) -> Ground {
        let clause = &self.invariant.clauses[clause];
        let names = Names::of(&clause.parameters, places);
        // What is implied by the states that are excluded may be more than these: nothing but those may be excluded.
        let never = self.meaning.implying(&clause.never, &names, When::Now);
        let exist: Vec<Ground> = places.iter().map(|&place| self.meaning.exists(place)).collect();
        let formulas = &mut self.meaning.formulas;
        let exist = formulas.and(exist);
        let both = formulas.and([exist, never]);
        both.not()
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// A literal that means the same as a formula.
    fn literal(&mut self, ground: Ground) -> Lit {
        let at = ground.node();
        if self.literals.len() <= at {
            self.literals.resize(at + 1, None);
        }
        let literal = match self.literals[at] {
            Some(literal) => literal,
            None => {
                let literal = match self.meaning.formulas.node(at).clone() {
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
                };
                if self.literals.len() <= at {
                    self.literals.resize(at + 1, None);
                }
                // Orders define the literals of all their pairs at once.
                *self.literals[at].get_or_insert(literal)
            }
        };
        if ground.is_negated() { !literal } else { literal }
    }

    fn atom(&mut self, atom: Atom) -> Lit {
        match atom {
            Atom::Is(cell, value) => self.value_literals(cell)[value as usize],
            Atom::Sum(sum, strict) => {
                let literal = self.fresh();
                self.sums.push((literal, sum, strict));
                literal
            }
            Atom::Before(left, right) => {
                if !std::mem::replace(&mut self.orders_places, true) {
                    self.order(self.meaning.universe.len(), &Atom::Before);
                }
                let ground = self.meaning.formulas.atom(Atom::Before(left, right));
                self.literals[ground.node()].expect("the order defines all pairs")
            }
            Atom::Less(enumeration, left, right) => {
                if !self.ordered.contains(&enumeration) {
                    self.ordered.push(enumeration);
                    let count = self.meaning.system.enumerations[enumeration as usize].constructors.len();
                    self.order(count as u32, &|left, right| Atom::Less(enumeration, left, right));
                }
                let ground = self.meaning.formulas.atom(Atom::Less(enumeration, left, right));
                self.literals[ground.node()].expect("the order defines all pairs")
            }
            Atom::Exists(_) | Atom::Open(_) => self.fresh(),
        }
    }

    /// Literals for the values of a cell, of which exactly one is true.
    fn value_literals(&mut self, cell: CellId) -> Vec<Lit> {
        if let Some(known) = self.values.get(&cell) {
            return known.clone();
        }
        let count = self.meaning.values(cell).expect("such a cell has finitely many values");
        let literals: Vec<Lit> = match count {
            2 => {
                let literal = self.fresh();
                vec![!literal, literal]
            }
            _ => (0..count).map(|_| self.fresh()).collect(),
        };
        self.values.insert(cell, literals.clone());
        self.cells.push(cell);
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
                // A process that is held here and nowhere else has a place of its own.
                if self.meaning.universe.holder(place) == Some(cell)
                    && let Some(far) = self.meaning.far(cell)
                {
                    self.clause(&[!literals[far as usize]]);
                }
            }
        }
        literals
    }

    /// Literals for a total order of so many things.
    fn order(&mut self, count: u32, atom: &dyn Fn(u32, u32) -> Atom) {
        let mut before = vec![vec![None; count as usize]; count as usize];
        for left in 0..count {
            for right in left + 1..count {
                let ground = self.meaning.formulas.atom(atom(left, right));
                if self.literals.len() <= ground.node() {
                    self.literals.resize(ground.node() + 1, None);
                }
                let literal = self.fresh();
                self.literals[ground.node()] = Some(literal);
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

    /// The state that the solver proposes, unless the numbers contradict each other: then it will not propose this again.
    fn model(&mut self) -> Result<Model, Numbers> {
        let numbers = self.numbers()?;
        let mut finite = vec![None; self.meaning.universe.cells as usize];
        for cell in &self.cells {
            let values = &self.values[cell];
            let value = values.iter().position(|&literal| self.is_true(literal));
            if *cell as usize >= finite.len() {
                finite.resize(*cell as usize + 1, None);
            }
            finite[*cell as usize] = value.map(|value| value as u32);
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
        let place_ranks = match self.orders_places {
            true => self.ranks(self.meaning.universe.len(), &Atom::Before),
            false => Vec::new(),
        };
        let mut constructor_ranks = BTreeMap::new();
        for enumeration in self.ordered.clone() {
            let count = self.meaning.system.enumerations[enumeration as usize].constructors.len();
            let atom = |left, right| Atom::Less(enumeration, left, right);
            constructor_ranks.insert(enumeration, self.ranks(count as u32, &atom));
        }
        Ok(Model { finite, numbers, places, place_ranks, constructor_ranks })
    }

    /// How many things come before each one.
    fn ranks(&mut self, count: u32, atom: &dyn Fn(u32, u32) -> Atom) -> Vec<usize> {
        let mut ranks = vec![0; count as usize];
        for left in 0..count {
            for right in left + 1..count {
                let ground = self.meaning.formulas.atom(atom(left, right));
                let literal = self.literals[ground.node()].expect("the order defines all pairs");
                ranks[if self.is_true(literal) { right } else { left } as usize] += 1;
            }
        }
        ranks
    }

    /// Values for the numbers.
    fn numbers(&mut self) -> Result<BTreeMap<CellId, Number>, Numbers> {
        let mut literals = Vec::new();
        let mut constraints = Vec::new();
        for (literal, sum, strict) in &self.sums {
            if self.is_true(*literal) {
                literals.push(*literal);
                constraints.push((sum.clone(), *strict));
            } else {
                literals.push(!*literal);
                let opposite = match strict {
                    Strict::Yes => Strict::No,
                    Strict::No => Strict::Yes,
                };
                let nothing = Sum::constant(Number::ZERO);
                let minus = -Number::ONE;
                constraints.push((nothing.plus(&minus, sum), opposite));
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
