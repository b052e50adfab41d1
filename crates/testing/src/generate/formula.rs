//! Random formulas and terms.

use super::Generator;
use polycube_language::formula::{
    Access, Comparison, Formula, Linear, Quantifier, Relation, Term, Variable, VariableId, ids,
};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Processes, Symbol, SymbolId, Type};

impl Generator<'_> {
    pub(super) fn formula(&mut self, scope: &[VariableId], depth: usize) -> Formula {
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

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        scope: &[VariableId],
        depth: usize,
    ) -> Formula {
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

    pub(super) fn literal(&mut self, scope: &[VariableId]) -> Formula {
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

    pub(super) fn relation(&mut self, ty: Type) -> Relation {
        let ordered = ty.is_numeric()
            || self.profile.order && self.random.percent(if ty == Type::Process { 40 } else { 5 });
        match self.random.below(if ordered { 8 } else { 6 }) {
            0..=3 => Relation::Equal,
            4 | 5 => Relation::NotEqual,
            6 => Relation::Less,
            _ => Relation::LessEqual,
        }
    }

    pub(super) fn can_index(&self, symbol: usize, scope: &[VariableId]) -> bool {
        self.system.symbols[symbol].dimensions() == 0 || self.has_process(scope)
    }

    /// Whether there is a simple term of type `proc`.
    pub(super) fn has_process(&self, scope: &[VariableId]) -> bool {
        !scope.is_empty() || self.system.processes != Processes::Any || self.process_symbol().is_some()
    }

    /// A constant or variable of type `proc`.
    pub(super) fn process_symbol(&self) -> Option<SymbolId> {
        let is_one = |symbol: &Symbol| symbol.ty == Type::Process && symbol.dimensions() == 0;
        self.system.symbols.iter().position(is_one).map(|at| SymbolId(at as u32))
    }

    /// A simple term of type `proc`: mostly a variable. There is one, see [`Generator::has_process`].
    pub(super) fn process(&mut self, scope: &[VariableId]) -> Term {
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

    pub(super) fn access(&mut self, symbol: usize, scope: &[VariableId]) -> Term {
        let indices = (0..self.system.symbols[symbol].dimensions()).map(|_| self.index(scope)).collect();
        self.accessed(Access { symbol: SymbolId(symbol as u32), indices })
    }

    /// An index: mostly a variable, sometimes a cell of type `proc`.
    pub(super) fn index(&mut self, scope: &[VariableId]) -> Term {
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

    pub(super) fn accessed(&self, access: Access) -> Term {
        let ty = self.system.symbol(access.symbol).ty;
        Term::access(access, ty)
    }

    /// A value that can be written down, or a variable where there is none.
    pub(super) fn simple_value(&mut self, ty: Type, scope: &[VariableId]) -> Term {
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

    pub(super) fn decimal(&mut self) -> Number {
        let number = Number::from(self.random.below(9) as i64 - 2);
        let half = Number::parse("0.5").expect("a number");
        if self.random.percent(50) { number * &half } else { number }
    }

    pub(super) fn term(&mut self, ty: Type, scope: &[VariableId], depth: usize) -> Term {
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

pub(super) fn compare(left: Term, relation: Relation, right: Term, ty: Type) -> Formula {
    Formula::Compare(Comparison { left, relation, right, ty, origin: Origin::default() })
}
