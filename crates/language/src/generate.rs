//! Random systems, for tests and benchmarks of everything that works on [`System`].
//!
//! They look like protocols: initial states that fix most symbols, guards of a few literals, updates of a few
//! cells, properties about one to three processes; and now and then every other thing that the language has,
//! as far as the [`Profile`] allows. The same seed and profile give the same system, on every machine.

use crate::check::apart::leave_out_processes_apart;
use crate::check::numbering::number_variables;
use crate::formula::{
    Access, Comparison, Formula, Linear, Quantifier, Relation, Term, Variable, VariableId, ids,
};
use crate::number::Number;
use crate::span::Origin;
use crate::system::{
    AbstractType, AbstractTypeId, Branch, Enumeration, EnumerationId, Init, Processes, Property,
    PropertyKind, Symbol, SymbolId, SymbolKind, System, Transition, Type, Update, Value,
};

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
    /// Processes go from place to place: the first symbol is an array of places, all processes begin at the first place,
    /// transitions move a process, and properties say where some processes are. So runs are longer.
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

/// A stream of random numbers: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream with this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many cases of a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of `items`, which are not empty.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}

/// The random system with this seed.
pub fn random_system(seed: u64, profile: &Profile) -> System {
    let mut generator =
        Generator { random: Random::new(seed), profile, system: System::empty(), variables: 0 };
    generator.types();
    generator.symbols();
    generator.init();
    generator.properties();
    generator.transitions();
    leave_out_processes_apart(&mut generator.system);
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
            let (mut parameters, mut formula) = (parameters, formula);
            number_variables(&mut parameters, &mut formula, &mut []);
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
            let (mut parameters, mut formula) = (parameters, Formula::and(parts));
            number_variables(&mut parameters, &mut formula, &mut []);
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
            let (mut parameters, mut guard) = (parameters, Formula::and(parts));
            number_variables(&mut parameters, &mut guard, &mut updates);
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

    fn formula(&mut self, scope: &[VariableId], depth: usize) -> Formula {
        if depth == 0 {
            return self.literal(scope);
        }
        let parts = |generator: &mut Self| -> Vec<Formula> {
            (0..generator.random.between(2, 3)).map(|_| generator.formula(scope, depth - 1)).collect()
        };
        match self.random.below(12) {
            0..=2 => Formula::and(parts(self)),
            3..=5 => Formula::or(parts(self)),
            6 => Formula::not(self.formula(scope, depth - 1)),
            7 => Formula::iff(self.formula(scope, depth - 1), self.formula(scope, depth - 1)),
            8 => {
                let [condition, consequence, alternative] =
                    std::array::from_fn(|_| self.formula(scope, depth - 1));
                Formula::if_then_else(condition, consequence, alternative)
            }
            9 => Formula::Constant(self.random.percent(50)),
            10 => self.quantified(Quantifier::Exists, scope, depth - 1),
            _ => self.quantified(Quantifier::Forall, scope, depth - 1),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, scope: &[VariableId], depth: usize) -> Formula {
        let other = self.random.percent(60);
        let count = if !other && self.random.percent(20) { 2 } else { 1 };
        let mut excluded = if other { scope.to_vec() } else { Vec::new() };
        let mut inner = scope.to_vec();
        let variables: Vec<Variable> = (0..count).map(|_| self.variable()).collect();
        inner.extend(ids(&variables));
        let mut formula = if depth == 0 { self.literal(&inner) } else { self.formula(&inner, depth) };
        excluded.extend(ids(&variables));
        for variable in variables.into_iter().rev() {
            excluded.pop();
            formula = Formula::quantified(quantifier, variable, &excluded, formula, Origin::default());
        }
        formula
    }

    fn literal(&mut self, scope: &[VariableId]) -> Formula {
        // Rather a literal about a symbol than one about two parameters.
        let readable: Vec<usize> =
            (0..self.system.symbols.len()).filter(|&at| self.can_index(at, scope)).collect();
        if readable.is_empty() || !scope.is_empty() && self.random.percent(8) {
            if !self.has_process(scope) {
                return Formula::Constant(self.random.percent(50));
            }
            let (left, right) = (self.process(scope), self.process(scope));
            let relation = self.relation(Type::Process);
            return compare(left, relation, right, Type::Process);
        }
        let at = *self.random.pick(&readable);
        let ty = self.system.symbols[at].ty;
        let left = self.access(at, scope);
        let right =
            if self.random.percent(75) { self.simple_value(ty, scope) } else { self.term(ty, scope, 1) };
        let relation = self.relation(ty);
        if self.random.percent(10) {
            compare(right, relation, left, ty)
        } else {
            compare(left, relation, right, ty)
        }
    }

    fn relation(&mut self, ty: Type) -> Relation {
        let ordered = ty.is_numeric()
            || self.profile.order && self.random.percent(if ty == Type::Process { 40 } else { 5 });
        match self.random.below(if ordered { 8 } else { 6 }) {
            0..=3 => Relation::Equal,
            4 | 5 => Relation::NotEqual,
            6 => Relation::Less,
            _ => Relation::LessEqual,
        }
    }

    fn can_index(&self, symbol: usize, scope: &[VariableId]) -> bool {
        self.system.symbols[symbol].dimensions() == 0 || self.has_process(scope)
    }

    /// Whether there is a simple term of type `proc`.
    fn has_process(&self, scope: &[VariableId]) -> bool {
        !scope.is_empty() || self.system.processes != Processes::Any || self.process_symbol().is_some()
    }

    /// A constant or variable of type `proc`.
    fn process_symbol(&self) -> Option<SymbolId> {
        let is_one = |symbol: &Symbol| symbol.ty == Type::Process && symbol.dimensions() == 0;
        self.system.symbols.iter().position(is_one).map(|at| SymbolId(at as u32))
    }

    /// A simple term of type `proc`: mostly a variable. There is one, see [`Generator::has_process`].
    fn process(&mut self, scope: &[VariableId]) -> Term {
        if !scope.is_empty() && self.random.percent(85) {
            return Term::Variable(*self.random.pick(scope));
        }
        match (self.system.processes, self.process_symbol()) {
            (_, Some(symbol)) if self.random.percent(50) => {
                Term::Access(Access { symbol, indices: Vec::new() })
            }
            (Processes::Exactly(count), _) => Term::Process(self.random.between(1, count as usize) as u32),
            (_, Some(symbol)) if scope.is_empty() => Term::Access(Access { symbol, indices: Vec::new() }),
            _ => Term::Variable(*self.random.pick(scope)),
        }
    }

    fn access(&mut self, symbol: usize, scope: &[VariableId]) -> Term {
        let indices = (0..self.system.symbols[symbol].dimensions()).map(|_| self.index(scope)).collect();
        self.accessed(Access { symbol: SymbolId(symbol as u32), indices })
    }

    /// An index: mostly a variable, sometimes a cell of type `proc`.
    fn index(&mut self, scope: &[VariableId]) -> Term {
        let is_row = |symbol: &Symbol| symbol.ty == Type::Process && symbol.dimensions() == 1;
        let row = self.system.symbols.iter().position(is_row);
        match row {
            Some(row) if self.random.percent(10) => {
                let indices = vec![self.process(scope)];
                Term::Access(Access { symbol: SymbolId(row as u32), indices })
            }
            _ => self.process(scope),
        }
    }

    fn accessed(&self, access: Access) -> Term {
        let ty = self.system.symbol(access.symbol).ty;
        Term::access(access, ty)
    }

    /// A value that can be written down, or a variable where there is none.
    fn simple_value(&mut self, ty: Type, scope: &[VariableId]) -> Term {
        match ty {
            Type::Enumeration(id) => Term::Constructor(
                id,
                self.random.below(self.system.enumeration(id).constructors.len()) as u32,
            ),
            Type::Integer => Linear::constant(Number::from(self.random.below(4) as i64 - 1)).into(),
            Type::Real => Linear::constant(self.decimal()).into(),
            Type::Process | Type::Abstract(_) => self.term(ty, scope, 0),
        }
    }

    fn decimal(&mut self) -> Number {
        let number = Number::from(self.random.below(9) as i64 - 2);
        let half = Number::parse("0.5").expect("a number");
        if self.random.percent(50) { number * &half } else { number }
    }

    fn term(&mut self, ty: Type, scope: &[VariableId], depth: usize) -> Term {
        let same: Vec<usize> = (0..self.system.symbols.len())
            .filter(|&at| self.system.symbols[at].ty == ty && self.can_index(at, scope))
            .collect();
        match ty {
            Type::Process if self.has_process(scope) && (same.is_empty() || self.random.percent(60)) => {
                self.process(scope)
            }
            Type::Enumeration(_) if same.is_empty() || self.random.percent(60) => {
                self.simple_value(ty, scope)
            }
            Type::Integer | Type::Real if same.is_empty() => self.simple_value(ty, scope),
            Type::Integer | Type::Real if depth > 0 => {
                let parts: Vec<Linear> = (0..self.random.between(1, 2))
                    .map(|_| {
                        let at = *self.random.pick(&same);
                        let Term::Linear(linear) = self.access(at, scope) else {
                            unreachable!("a numeric symbol")
                        };
                        if self.random.percent(75) {
                            return *linear;
                        }
                        let factor = if ty == Type::Real {
                            self.decimal()
                        } else {
                            Number::from(self.random.below(5) as i64 - 2)
                        };
                        linear.scaled(&factor)
                    })
                    .collect();
                let Term::Linear(constant) = self.simple_value(ty, scope) else { unreachable!("a number") };
                Linear::sum(parts.into_iter().chain([*constant])).into()
            }
            _ => {
                let at = *self.random.pick(&same);
                self.access(at, scope)
            }
        }
    }
}

/// The enumeration of places: the first one after `bool`.
const PLACES: EnumerationId = EnumerationId(1);

/// Their type.
const PLACE: Type = Type::Enumeration(PLACES);

fn compare(left: Term, relation: Relation, right: Term, ty: Type) -> Formula {
    Formula::Compare(Comparison { left, relation, right, ty, origin: Origin::default() })
}
