//! Conditions on states, over the cells of cubes with a fixed number of processes: conjunctions and
//! disjunctions of what a cube can say.

use std::hash::{Hash, Hasher};

use polycube_smt::relation::{Relation, Variable};
use polycube_smt::shape::Shape;
use rustc_hash::{FxHashMap, FxHasher};

use crate::cube::Cube;
use crate::cube::vocabulary::CubeLayout;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    True,
    False,
    /// The cell has one of these values.
    Within(Variable, u64),
    Relation(Relation),
    /// Every process that is not named satisfies the condition with this number: see
    /// [`Conditions::of_other`].
    ///
    /// [`Conditions::of_other`]: super::condition::Conditions::of_other
    Others(u8),
    /// All parts hold. At least two, none of them a constant or a conjunction; no cell has two parts.
    And(Vec<Tree>),
    /// Some part holds. At least two, none of them a constant or a disjunction; no cell has two parts.
    Or(Vec<Tree>),
}

impl Tree {
    pub fn constant(value: bool) -> Tree {
        if value { Tree::True } else { Tree::False }
    }

    /// The cell has one of these values, where words say what is known of it.
    pub fn within(shape: &Shape, words: &[u64], cell: Variable, values: u64) -> Tree {
        let field = shape.field(cell).expect("a cell of a finite type has a field");
        let known = field.get(words);
        if known & values == 0 {
            Tree::False
        } else if known & !values == 0 {
            Tree::True
        } else {
            Tree::Within(cell, known & values)
        }
    }

    /// What a cube says of the processes that it names.
    pub fn of_cube(layout: &CubeLayout, cube: &Cube) -> Tree {
        let by_value = layout.restricted(&cube.words).map(|(cell, _, _, values)| Tree::Within(cell, values));
        Tree::all(by_value.chain(cube.relations.iter().cloned().map(Tree::Relation)))
    }

    /// Drops relations that have such a variable: that is weaker. Says whether there were any.
    pub fn drop_relations(&mut self, dropped: &dyn Fn(Variable) -> bool) -> bool {
        let is_all = matches!(self, Tree::And(_));
        match self {
            Tree::Relation(relation) if relation.variables().any(dropped) => {
                *self = Tree::True;
                true
            }
            Tree::And(parts) | Tree::Or(parts) => {
                let mut parts = std::mem::take(parts);
                let drops = parts.iter_mut().fold(false, |drops, part| part.drop_relations(dropped) | drops);
                *self = if is_all { Tree::all(parts) } else { Tree::any(parts) };
                drops
            }
            Tree::True | Tree::False | Tree::Within(..) | Tree::Relation(_) | Tree::Others(_) => false,
        }
    }

    pub fn size(&self) -> u64 {
        match self {
            Tree::True | Tree::False | Tree::Within(..) | Tree::Relation(_) | Tree::Others(_) => 1,
            Tree::And(parts) | Tree::Or(parts) => 1 + parts.iter().map(Tree::size).sum::<u64>(),
        }
    }

    pub fn and(left: Tree, right: Tree) -> Tree {
        match (left, right) {
            (Tree::False, _) | (_, Tree::False) => Tree::False,
            (Tree::True, tree) | (tree, Tree::True) => tree,
            (left, right) => Tree::all([left, right]),
        }
    }

    pub fn or(left: Tree, right: Tree) -> Tree {
        match (left, right) {
            (Tree::True, _) | (_, Tree::True) => Tree::True,
            (Tree::False, tree) | (tree, Tree::False) => tree,
            (left, right) => Tree::any([left, right]),
        }
    }

    pub fn all(parts: impl IntoIterator<Item = Tree>) -> Tree {
        let mut kept = Parts::default();
        for part in parts {
            let is_possible = match part {
                Tree::True => true,
                Tree::False => false,
                Tree::And(inner) => inner.into_iter().all(|part| kept.conjoin(part)),
                part => kept.conjoin(part),
            };
            if !is_possible {
                return Tree::False;
            }
        }
        kept.joined(Tree::True, Tree::And)
    }

    pub fn any(parts: impl IntoIterator<Item = Tree>) -> Tree {
        let mut kept = Parts::default();
        for part in parts {
            match part {
                Tree::False => {}
                Tree::True => return Tree::True,
                Tree::Or(inner) => inner.into_iter().for_each(|part| kept.disjoin(part)),
                part => kept.disjoin(part),
            }
        }
        kept.joined(Tree::False, Tree::Or)
    }

    /// Where the condition holds, the consequence; where its negation holds, the alternative.
    ///
    /// Condition and negation may overlap or leave cases out, where one of them could not be expressed; so
    /// neither is taken for the opposite of the other. If both consequence and alternative hold, the
    /// condition does not matter: that case is redundant, but a larger cube than parts of the others.
    pub fn choose(condition: Tree, negation: Tree, consequence: Tree, alternative: Tree) -> Tree {
        match (condition, negation, consequence, alternative) {
            (Tree::True, Tree::False, consequence, _) => consequence,
            (Tree::False, Tree::True, _, alternative) => alternative,
            (_, _, consequence, alternative) if consequence == alternative => consequence,
            (condition, _, Tree::True, alternative) => Tree::or(condition, alternative),
            (_, negation, Tree::False, alternative) => Tree::and(negation, alternative),
            (_, negation, consequence, Tree::True) => Tree::or(negation, consequence),
            (condition, _, consequence, Tree::False) => Tree::and(condition, consequence),
            (condition, negation, consequence, alternative) => Tree::any([
                Tree::and(condition, consequence.clone()),
                Tree::and(negation, alternative.clone()),
                Tree::and(consequence, alternative),
            ]),
        }
    }
}

#[derive(Default)]
struct Parts {
    list: Vec<Tree>,
    /// Where each part stands, by its hash, or that of its cell: once there are many.
    places: FxHashMap<u64, Vec<usize>>,
}

impl Parts {
    /// From this many parts on, they are found by their hashes.
    const MANY: usize = 32;

    /// Adds a conjunct; says whether they can hold together, as far as one cell tells.
    fn conjoin(&mut self, part: Tree) -> bool {
        match (self.find(&part).map(|at| &mut self.list[at]), &part) {
            (Some(Tree::Within(_, others)), Tree::Within(_, values)) => {
                *others &= values;
                *others != 0
            }
            (Some(_), _) => true,
            (None, _) => {
                self.push(part);
                true
            }
        }
    }

    fn disjoin(&mut self, part: Tree) {
        match (self.find(&part).map(|at| &mut self.list[at]), &part) {
            (Some(Tree::Within(_, others)), Tree::Within(_, values)) => *others |= values,
            (Some(_), _) => {}
            (None, _) => self.push(part),
        }
    }

    /// The part about the same cell, or the same part.
    fn find(&self, part: &Tree) -> Option<usize> {
        let is_same = |other: &Tree| match (part, other) {
            (Tree::Within(cell, _), Tree::Within(other, _)) => cell == other,
            _ => part == other,
        };
        if self.list.len() < Parts::MANY {
            return self.list.iter().position(is_same);
        }
        let places = self.places.get(&key(part))?;
        places.iter().copied().find(|&at| is_same(&self.list[at]))
    }

    /// None of them, the only one, or many together.
    fn joined(mut self, none: Tree, many: fn(Vec<Tree>) -> Tree) -> Tree {
        match self.list.len() {
            0 => none,
            1 => self.list.remove(0),
            _ => many(self.list),
        }
    }

    fn push(&mut self, part: Tree) {
        self.list.push(part);
        if self.list.len() >= Parts::MANY {
            let from = if self.places.is_empty() { 0 } else { self.list.len() - 1 };
            for at in from..self.list.len() {
                self.places.entry(key(&self.list[at])).or_default().push(at);
            }
        }
    }
}

/// A number that is the same for parts that are the same, or about the same cell.
fn key(part: &Tree) -> u64 {
    let mut hasher = FxHasher::default();
    match part {
        Tree::Within(cell, _) => cell.hash(&mut hasher),
        _ => part.hash(&mut hasher),
    }
    hasher.finish()
}
