//! Random systems, for tests and benchmarks of everything that works on [`System`].
//!
//! They look like protocols: initial states that fix most symbols, guards of a few literals, updates of a few
//! cells, properties about one to three processes; and now and then every other thing that the language has,
//! as far as the [`Profile`] allows. The same seed and profile give the same system, on every machine.

mod counters;
mod formula;
mod padding;
mod random;
mod universals;

use formula::compare;
use polycube_language::check::normalize;
use polycube_language::formula::{Access, Formula, Quantifier, Relation, Term, Variable, VariableId, ids};
use polycube_language::span::Origin;
use polycube_language::system::{
    AbstractType, AbstractTypeId, Branch, Enumeration, EnumerationId, Init, Processes, Property,
    PropertyKind, Symbol, SymbolId, SymbolKind, System, Transition, Type, Update, Value,
};

pub use counters::random_counters;
pub use padding::{Padding, padded};
pub use random::Random;
pub use universals::has_universals;

/// Which features random systems have.
#[derive(Clone, Debug)]
pub struct Profile {
    /// `number_procs` and `#k`.
    pub process_constants: bool,
    /// Symbols of type `int` and `real`, and linear terms.
    pub numbers: bool,
    /// Abstract types.
    pub abstract_types: bool,
    /// Symbols of type `proc`.
    pub process_values: bool,
    /// `<` on processes, enumerations and abstract types.
    pub order: bool,
    /// Universal quantifiers in guards.
    pub universal_guards: bool,
    /// Quantifiers in properties.
    pub quantified_properties: bool,
    /// Quantifiers in `init`, besides its parameters.
    pub quantified_init: bool,
    /// `?`.
    pub choice: bool,
    /// Constants.
    pub constants: bool,
    /// Processes go from place to place: the first symbol is an array of places, all processes begin at the
    /// first place, transitions move a process, and properties say where some processes are. So runs are
    /// longer.
    pub places: bool,
    /// Dimensions of arrays.
    pub max_dimensions: usize,
    /// Number of constants, variables and arrays.
    pub max_symbols: usize,
    /// Number of transitions.
    pub max_transitions: usize,
    /// Nesting of formulas.
    pub max_depth: usize,
}

impl Profile {
    /// Everything the language has.
    pub const ALL: Profile = Profile {
        process_constants: true,
        numbers: true,
        abstract_types: true,
        process_values: true,
        order: true,
        universal_guards: true,
        quantified_properties: true,
        quantified_init: true,
        choice: true,
        constants: true,
        places: false,
        max_dimensions: 3,
        max_symbols: 6,
        max_transitions: 5,
        max_depth: 3,
    };

    /// Enumerations, Booleans and processes only: every instance has finitely many states.
    pub const FINITE: Profile = Profile { numbers: false, abstract_types: false, ..Profile::ALL };

    /// [`Profile::FINITE`] without what backward reachability over cubes approximates or does not treat at
    /// all: no universal quantifiers, other than the parameters of `init`. The order of processes is
    /// included.
    pub const CUBES: Profile = Profile {
        process_constants: false,
        universal_guards: false,
        quantified_properties: false,
        quantified_init: false,
        max_dimensions: 2,
        ..Profile::FINITE
    };
}

/// The random system with this seed.
pub fn random_system(seed: u64, profile: &Profile) -> System {
    let mut generator =
        Generator { random: Random::new(seed), profile, system: System::default(), variables: 0 };
    generator.types();
    generator.symbols();
    generator.init();
    generator.properties();
    generator.transitions();
    normalize(&mut generator.system);
    generator.system
}

struct Generator<'p> {
    random: Random,
    profile: &'p Profile,
    system: System,
    /// Number of variables bound in this clause or transition.
    variables: u32,
}

impl Generator<'_> {
    fn types(&mut self) {
        if self.profile.process_constants && self.random.percent(15) {
            self.system.processes = Processes::Exactly(self.random.between(1, 4) as u32);
        }
        let least = usize::from(self.profile.places);
        for number in 0..self.random.between(least, 2) {
            let count = self.random.between(1 + 2 * least, 4);
            let constructors = (0..count).map(|at| format!("{}{at}", ["L", "M"][number])).collect();
            let name = ["location", "message"][number].to_owned();
            self.system.enumerations.push(Enumeration { name, constructors, origin: Origin::default() });
        }
        if self.profile.abstract_types && self.random.percent(25) {
            self.system
                .abstract_types
                .push(AbstractType { name: "data".to_owned(), origin: Origin::default() });
        }
    }

    fn symbols(&mut self) {
        let first = usize::from(self.profile.places);
        if self.profile.places {
            let (name, kind) = ("A0".to_owned(), SymbolKind::Array { dimensions: 1 });
            self.system.symbols.push(Symbol { name, kind, ty: PLACE, origin: Origin::default() });
        }
        for number in first..self.random.between(1, self.profile.max_symbols) {
            let ty = self.ty();
            let (kind, name) = match self.random.below(10) {
                0 if self.profile.constants => (SymbolKind::Constant, format!("C{number}")),
                0..=3 => (SymbolKind::Variable, format!("V{number}")),
                _ => {
                    let dimensions = match self.random.below(10) {
                        0 => self.profile.max_dimensions.min(3),
                        1 | 2 => self.profile.max_dimensions.min(2),
                        _ => 1,
                    };
                    (SymbolKind::Array { dimensions }, format!("A{number}"))
                }
            };
            self.system.symbols.push(Symbol { name, kind, ty, origin: Origin::default() });
        }
    }

    fn ty(&mut self) -> Type {
        match self.random.below(20) {
            0 | 1 if self.profile.process_values => Type::Process,
            2 | 3 if self.profile.numbers => Type::Integer,
            4 if self.profile.numbers => Type::Real,
            5 | 6 if !self.system.abstract_types.is_empty() => Type::Abstract(AbstractTypeId(0)),
            _ => Type::Enumeration(EnumerationId(self.random.below(self.system.enumerations.len()) as u32)),
        }
    }

    /// Mostly one value for each symbol and all its cells; sometimes any formula.
    fn init(&mut self) {
        let clauses = if self.random.percent(10) { 2 } else { 1 };
        for _ in 0..clauses {
            let least = usize::from(self.profile.places);
            let parameters = self.parameters(least, 3);
            let scope = ids(&parameters);
            let mut parts = Vec::new();
            if self.profile.places {
                parts.push(self.is_at(scope[0], 0));
            }
            for at in least..self.system.symbols.len() {
                let dimensions = self.system.symbols[at].dimensions();
                if dimensions > scope.len() || self.random.percent(10) {
                    continue;
                }
                let indices = scope[..dimensions].iter().map(|&variable| Term::Variable(variable)).collect();
                let left = self.accessed(Access { symbol: SymbolId(at as u32), indices });
                let ty = self.system.symbols[at].ty;
                let right = self.simple_value(ty, &scope);
                parts.push(compare(left, Relation::Equal, right, ty));
            }
            if self.random.percent(15) {
                parts.push(self.init_formula(&scope, self.profile.max_depth));
            }
            let formula = if self.random.percent(10) {
                let other = self.init_formula(&scope, 1);
                Formula::or([Formula::and(parts), other])
            } else {
                Formula::and(parts)
            };
            self.system.init.push(Init { parameters, formula, origin: Origin::default() });
        }
    }

    fn init_formula(&mut self, scope: &[VariableId], depth: usize) -> Formula {
        if self.profile.quantified_init {
            return self.formula(scope, depth);
        }
        Formula::or([self.literal(scope), self.literal(scope)])
    }

    fn properties(&mut self) {
        for number in 0..self.random.between(1, 3) {
            let kind = if number > 0 && self.random.percent(30) {
                PropertyKind::Invariant
            } else {
                PropertyKind::Unsafe
            };
            let least = usize::from(self.profile.places);
            let parameters = self.parameters(least, 3);
            let scope = ids(&parameters);
            let mut parts: Vec<Formula> =
                (0..self.random.between(1 - least, 3 - least)).map(|_| self.literal(&scope)).collect();
            if self.profile.places {
                for &process in scope.iter().take(2) {
                    let place = self.other_place();
                    parts.push(self.is_at(process, place));
                }
            }
            if self.profile.quantified_properties && self.random.percent(20) {
                parts.push(self.formula(&scope, self.profile.max_depth));
            }
            let formula = Formula::and(parts);
            self.system.properties.push(Property { kind, parameters, formula, origin: Origin::default() });
        }
    }

    fn transitions(&mut self) {
        for number in 0..self.random.between(1, self.profile.max_transitions) {
            let name = if self.random.percent(5) { "again".to_owned() } else { format!("t{number}") };
            let least = usize::from(self.profile.places);
            let parameters = self.parameters(least, 2);
            let scope = ids(&parameters);
            let mut parts: Vec<Formula> =
                (0..self.random.between(0, 2)).map(|_| self.literal(&scope)).collect();
            if self.profile.places {
                // From each place something leads on.
                parts.push(self.is_at(scope[0], number as u32 % self.places()));
            }
            if self.profile.universal_guards && self.random.percent(25) {
                parts.push(self.quantified(Quantifier::Forall, &scope, 1));
            }
            if self.random.percent(10) {
                parts.push(self.guard_formula(&scope));
            }
            let mut updates: Vec<Update> = Vec::new();
            if self.profile.places {
                updates.push(self.goes(scope[0]));
            }
            for _ in 0..self.random.between(0, 3) {
                let symbol = SymbolId(self.random.below(self.system.symbols.len()) as u32);
                let constant = self.system.symbol(symbol).kind == SymbolKind::Constant;
                if !constant && updates.iter().all(|update| update.symbol != symbol) {
                    updates.push(self.update(symbol, &scope));
                }
            }
            let guard = Formula::and(parts);
            self.system.transitions.push(Transition {
                name,
                parameters,
                guard,
                updates,
                origin: Origin::default(),
            });
        }
    }

    /// How many places there are.
    fn places(&self) -> u32 {
        self.system.enumeration(PLACES).constructors.len() as u32
    }

    /// A place that is not the first.
    fn other_place(&mut self) -> u32 {
        self.random.between(1, self.places() as usize - 1) as u32
    }

    /// A process is at a place.
    fn is_at(&self, process: VariableId, place: u32) -> Formula {
        let access = Access { symbol: SymbolId(0), indices: vec![Term::Variable(process)] };
        compare(self.accessed(access), Relation::Equal, Term::Constructor(PLACES, place), PLACE)
    }

    /// A process goes to some place.
    fn goes(&mut self, process: VariableId) -> Update {
        let index = self.variable();
        let here = Term::Variable(index.id);
        let condition = compare(here.clone(), Relation::Equal, Term::Variable(process), Type::Process);
        let place = self.random.below(self.places() as usize) as u32;
        let value = Value::Term(Term::Constructor(PLACES, place));
        let unchanged = self.accessed(Access { symbol: SymbolId(0), indices: vec![here] });
        Update {
            symbol: SymbolId(0),
            indices: vec![index],
            branches: vec![Branch { condition, value, origin: Origin::default() }],
            otherwise: Value::Term(unchanged),
            origin: Origin::default(),
        }
    }

    fn guard_formula(&mut self, scope: &[VariableId]) -> Formula {
        if self.profile.universal_guards {
            return self.formula(scope, self.profile.max_depth);
        }
        match self.random.below(3) {
            0 => self.quantified(Quantifier::Exists, scope, 0),
            1 => Formula::iff(self.literal(scope), self.literal(scope)),
            _ => Formula::or([self.literal(scope), self.literal(scope)]),
        }
    }

    fn update(&mut self, symbol: SymbolId, scope: &[VariableId]) -> Update {
        let dimensions = self.system.symbol(symbol).dimensions();
        let ty = self.system.symbol(symbol).ty;
        let indices: Vec<Variable> = (0..dimensions).map(|_| self.variable()).collect();
        let index_terms: Vec<Term> = indices.iter().map(|index| Term::Variable(index.id)).collect();
        let unchanged = Value::Term(self.accessed(Access { symbol, indices: index_terms.clone() }));
        let mut inner = scope.to_vec();
        inner.extend(ids(&indices));
        let mut branches = Vec::new();
        // Mostly one cell, sometimes any cases.
        let cell = dimensions > 0 && self.has_process(scope) && self.random.percent(70);
        if cell {
            let here: Vec<Formula> = index_terms
                .iter()
                .map(|index| compare(index.clone(), Relation::Equal, self.process(scope), Type::Process))
                .collect();
            branches.push(Branch {
                condition: Formula::and(here),
                value: self.value(ty, scope),
                origin: Origin::default(),
            });
        }
        if !cell || self.random.percent(15) {
            for _ in 0..self.random.between(0, 2) {
                let condition = Formula::and(
                    (0..self.random.between(1, 2)).map(|_| self.literal(&inner)).collect::<Vec<_>>(),
                );
                branches.push(Branch { condition, value: self.value(ty, &inner), origin: Origin::default() });
            }
        }
        let keep = cell || self.random.percent(40);
        let otherwise = if keep { unchanged } else { self.value(ty, &inner) };
        Update { symbol, indices, branches, otherwise, origin: Origin::default() }
    }

    fn value(&mut self, ty: Type, scope: &[VariableId]) -> Value {
        if self.profile.choice && self.random.percent(10) {
            return Value::Any;
        }
        Value::Term(self.term(ty, scope, 1))
    }

    /// Fresh parameters of a clause or transition: numbering starts again.
    fn parameters(&mut self, low: usize, high: usize) -> Vec<Variable> {
        self.variables = 0;
        let count = self.random.between(low, high);
        (0..count).map(|_| self.variable()).collect()
    }

    fn variable(&mut self) -> Variable {
        let id = VariableId(self.variables);
        self.variables += 1;
        Variable { id, name: format!("p{}", id.0), origin: Origin::default() }
    }
}

/// The enumeration of places: the first one after `bool`.
const PLACES: EnumerationId = EnumerationId(1);

/// Their type.
const PLACE: Type = Type::Enumeration(PLACES);
