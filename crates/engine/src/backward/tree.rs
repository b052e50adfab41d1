//! Conditions on states, over the cells of cubes with a fixed number of processes: conjunctions and disjunctions
//! of what a cube can say.

use polycube_smt::relation::{Relation, Variable};

/// A condition on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// The cell has one of these values.
    Within(Variable, u64),
    /// The relation holds.
    Relation(Relation),
    /// All parts hold. At least two, none of them a constant or a conjunction; no cell has two parts to itself.
    And(Vec<Tree>),
    /// Some part holds. At least two, none of them a constant or a disjunction; no cell has two parts to itself.
    Or(Vec<Tree>),
}

impl Tree {
    /// True or false.
    pub fn constant(value: bool) -> Tree {
        if value { Tree::True } else { Tree::False }
    }

    /// Both hold.
    pub fn and(left: Tree, right: Tree) -> Tree {
        match (left, right) {
            (Tree::False, _) | (_, Tree::False) => Tree::False,
            (Tree::True, tree) | (tree, Tree::True) => tree,
            (left, right) => Tree::all([left, right]),
        }
    }

    /// One of them holds.
    pub fn or(left: Tree, right: Tree) -> Tree {
        match (left, right) {
            (Tree::True, _) | (_, Tree::True) => Tree::True,
            (Tree::False, tree) | (tree, Tree::False) => tree,
            (left, right) => Tree::any([left, right]),
        }
    }

    /// All parts hold.
    pub fn all(parts: impl IntoIterator<Item = Tree>) -> Tree {
        let mut kept: Vec<Tree> = Vec::new();
        for part in parts {
            match part {
                Tree::True => {}
                Tree::False => return Tree::False,
                Tree::And(inner) => {
                    for part in inner {
                        if !conjoin(&mut kept, part) {
                            return Tree::False;
                        }
                    }
                }
                part => {
                    if !conjoin(&mut kept, part) {
                        return Tree::False;
                    }
                }
            }
        }
        match kept.len() {
            0 => Tree::True,
            1 => kept.remove(0),
            _ => Tree::And(kept),
        }
    }

    /// Some part holds.
    pub fn any(parts: impl IntoIterator<Item = Tree>) -> Tree {
        let mut kept: Vec<Tree> = Vec::new();
        for part in parts {
            match part {
                Tree::False => {}
                Tree::True => return Tree::True,
                Tree::Or(inner) => inner.into_iter().for_each(|part| disjoin(&mut kept, part)),
                part => disjoin(&mut kept, part),
            }
        }
        match kept.len() {
            0 => Tree::False,
            1 => kept.remove(0),
            _ => Tree::Or(kept),
        }
    }

    /// Where the condition holds, the consequence; where its negation holds, the alternative.
    ///
    /// Condition and negation may overlap or leave cases out, where one of them could not be expressed; so neither
    /// is taken for the opposite of the other. If both consequence and alternative hold, the condition does not
    /// matter: that case is redundant, but it is a cube that is larger than parts of the others.
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

/// Adds a conjunct; says whether they can hold together, as far as one cell tells.
fn conjoin(parts: &mut Vec<Tree>, part: Tree) -> bool {
    if let Tree::Within(cell, values) = part {
        for other in parts.iter_mut() {
            if let Tree::Within(other, others) = other
                && *other == cell
            {
                *others &= values;
                return *others != 0;
            }
        }
    } else if parts.contains(&part) {
        return true;
    }
    parts.push(part);
    true
}

/// Adds a disjunct.
fn disjoin(parts: &mut Vec<Tree>, part: Tree) {
    if let Tree::Within(cell, values) = part {
        for other in parts.iter_mut() {
            if let Tree::Within(other, others) = other
                && *other == cell
            {
                *others |= values;
                return;
            }
        }
    } else if parts.contains(&part) {
        return;
    }
    parts.push(part);
}
