//! Formulas without quantifiers over cells, each stored once.

use polycube_language::number::Number;
use polycube_language::system::Type;
use rustc_hash::FxHashMap;

use crate::universe::{CellId, PlaceId};

/// A formula: the number of a node, and whether it is negated. Equal formulas have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ground(u32);

/// What cannot be taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// A cell with finitely many values has this one.
    Is(CellId, u32),
    /// A sum is at most zero, or below it. Its first coefficient is positive.
    Sum(Sum, Strict),
    /// Of the processes or the constructors of an enumeration, the first, which has the smaller number, comes
    /// before the second.
    Before(Type, u32, u32),
    Exists(PlaceId),
    /// The first process is the same as the second, or comes before it. That is for processes without a
    /// place, of which nothing else is known: two cells may hold the same one.
    Same(Operand, Operand),
    Below(Operand, Operand),
    /// Something of which nothing is known.
    Open(u32),
}

/// A process: the one of a place, or the one that a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Operand {
    Role(PlaceId),
    Cell(CellId),
}

/// Whether zero is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Strict {
    No,
    Yes,
}

impl Strict {
    pub(crate) fn negated(self) -> Strict {
        match self {
            Strict::Yes => Strict::No,
            Strict::No => Strict::Yes,
        }
    }
}

/// A sum of cells with coefficients other than zero, ordered by cell, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(CellId, Number)>,
    pub(crate) constant: Number,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    Atom(Atom),
    /// At least two parts, sorted.
    And(Vec<Ground>),
}

/// All formulas of a question.
#[derive(Default)]
pub(crate) struct Formulas {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
    unknowns: u32,
    /// How many parts all formulas have together: few may be long.
    parts: usize,
}

impl Ground {
    pub(crate) const TRUE: Ground = Ground(0);
    pub(crate) const FALSE: Ground = Ground(1);

    pub(crate) fn constant(value: bool) -> Ground {
        if value { Ground::TRUE } else { Ground::FALSE }
    }

    #[must_use]
    pub(crate) fn not(self) -> Ground {
        Ground(self.0 ^ 1)
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl Formulas {
    pub(crate) fn new() -> Formulas {
        let mut formulas = Formulas::default();
        formulas.insert(Node::True);
        formulas
    }

    /// How much there is, of formulas and of their parts.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() + self.parts
    }

    pub(crate) fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    fn insert(&mut self, node: Node) -> Ground {
        if let Some(&number) = self.numbers.get(&node) {
            return Ground(number << 1);
        }
        let number = u32::try_from(self.nodes.len()).ok().filter(|number| number >> 31 == 0);
        let number = number.expect("a question ends long before it has so many formulas");
        if let Node::And(parts) = &node {
            self.parts += parts.len();
        }
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        Ground(number << 1)
    }

    pub(crate) fn atom(&mut self, atom: Atom) -> Ground {
        self.insert(Node::Atom(atom))
    }

    /// Something of which nothing is known: different from everything else.
    pub(crate) fn unknown(&mut self) -> Ground {
        self.unknowns += 1;
        self.atom(Atom::Open(self.unknowns))
    }

    pub(crate) fn and(&mut self, parts: impl IntoIterator<Item = Ground>) -> Ground {
        let mut flat = Vec::new();
        for part in parts {
            match &self.nodes[part.node()] {
                Node::True if part.is_negated() => return Ground::FALSE,
                Node::True => {}
                Node::And(inner) if !part.is_negated() => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        // A formula and its negation are neighbours.
        if flat.windows(2).any(|pair| pair[0].not() == pair[1]) {
            return Ground::FALSE;
        }
        match flat[..] {
            [] => Ground::TRUE,
            [one] => one,
            _ => self.insert(Node::And(flat)),
        }
    }

    /// The same cases, if a condition holds as well.
    pub(crate) fn under<T>(
        &mut self,
        condition: Ground,
        cases: impl IntoIterator<Item = (Ground, T)>,
    ) -> impl Iterator<Item = (Ground, T)> {
        cases.into_iter().map(move |(case, value)| (self.and([condition, case]), value))
    }

    pub(crate) fn or(&mut self, parts: impl IntoIterator<Item = Ground>) -> Ground {
        let parts: Vec<Ground> = parts.into_iter().map(Ground::not).collect();
        self.and(parts).not()
    }

    pub(crate) fn implies(&mut self, left: Ground, right: Ground) -> Ground {
        self.or([left.not(), right])
    }

    pub(crate) fn iff(&mut self, left: Ground, right: Ground) -> Ground {
        let both = self.and([left, right]);
        let neither = self.and([left.not(), right.not()]);
        self.or([both, neither])
    }

    pub(crate) fn if_then_else(&mut self, condition: Ground, yes: Ground, no: Ground) -> Ground {
        let first = self.implies(condition, yes);
        let second = self.implies(condition.not(), no);
        self.and([first, second])
    }

    /// A sum is at most zero, or below it.
    pub(crate) fn at_most_zero(&mut self, sum: &Sum, strict: Strict) -> Ground {
        let Some((_, first)) = sum.terms.first() else {
            let holds = sum.constant.is_negative() || (strict == Strict::No && sum.constant.is_zero());
            return Ground::constant(holds);
        };
        let scaled = sum.scaled(&Number::ONE.divided_by(first));
        if first.is_negative() {
            // -s <= 0 means that s < 0 is false.
            return self.atom(Atom::Sum(scaled, strict.negated())).not();
        }
        self.atom(Atom::Sum(scaled, strict))
    }
}

impl Sum {
    pub(crate) fn constant(constant: Number) -> Sum {
        Sum { terms: Vec::new(), constant }
    }

    pub(crate) fn cell(cell: CellId) -> Sum {
        Sum { terms: vec![(cell, Number::ONE)], constant: Number::ZERO }
    }

    /// This sum, multiplied with a number other than zero.
    pub(crate) fn scaled(&self, factor: &Number) -> Sum {
        let terms = self.terms.iter().map(|(cell, number)| (*cell, number.clone() * factor)).collect();
        Sum { terms, constant: self.constant.clone() * factor }
    }

    pub(crate) fn minus(&self, other: &Sum) -> Sum {
        self.plus(&-Number::ONE, other)
    }

    pub(crate) fn plus(&self, factor: &Number, other: &Sum) -> Sum {
        let mut terms = self.terms.clone();
        terms.extend(other.terms.iter().map(|(cell, number)| (*cell, number.clone() * factor)));
        terms.sort_by_key(|(cell, _)| *cell);
        terms.dedup_by(|(next, number), (kept, total)| {
            let same = next == kept;
            if same {
                *total = total.clone() + number;
            }
            same
        });
        terms.retain(|(_, number)| !number.is_zero());
        Sum { terms, constant: self.constant.clone() + &(other.constant.clone() * factor) }
    }
}
