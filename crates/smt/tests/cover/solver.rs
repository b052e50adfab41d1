//! Questions with more relations, variables and cubes than brute force can do, against z3.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_smt::budget::Budget;
use polycube_smt::cover::Covered;
use polycube_smt::relation::{NumberKind, Relation, SortId, Term, Variable};
use polycube_smt::shape::{Kind, Shape};
use polycube_smt::theory;
use polycube_testing::for_seeds;

use crate::question::{Cube, Family, MAX_ORDERED_POINTS, Question, shape, variables_with};
use crate::random::{COMPARISONS, Numbers, SplitMix64, linear, ordered};
use crate::sequence::{ask, cover};
use crate::z3::{Verdict, Z3, compare, declaration, linear as linear_text};

const STEPS: u64 = 1_000_000;

/// How many questions each seed stands for: a process for each would cost more than the answers.
const BATCH: usize = 100;

const NUMBERS: [Numbers; 6] =
    [Numbers::Unit, Numbers::Unit, Numbers::Small, Numbers::Small, Numbers::Fractions, Numbers::Large];

/// How large questions are.
struct Size {
    variables: u64,
    relations: u64,
    excluded: usize,
}

/// A question; none if its cube has no states.
fn question(seed: u64, size: &Size) -> Option<Question> {
    let mut random = SplitMix64(seed);
    let shape = shape(&mut random, Family::Everything, size.variables);
    if shape.sorts.iter().any(|sort| sort.points > MAX_ORDERED_POINTS) {
        return None;
    }
    let mut pool = Vec::new();
    for _ in 0..random.below(size.relations) {
        pool.extend(relation(&mut random, &shape));
    }
    let question = Question::about(&mut random, shape, &pool, size.excluded);
    has_states(&question.shape, &question.cube).then_some(question)
}

/// A relation of any kind, if the shape has variables for it.
fn relation(random: &mut SplitMix64, shape: &Shape) -> Option<Relation> {
    let id = SortId(random.below(shape.sorts.len() as u64) as u16);
    let sort = shape.sorts[usize::from(id.0)];
    match random.below(3) {
        0 => {
            let kind = random.pick(&[NumberKind::Integer, NumberKind::Real]);
            let variables = variables_with(shape, |other| *other == Kind::Number(kind));
            let numbers = random.pick(&NUMBERS);
            let relation = || linear(random, kind, &variables, numbers, &COMPARISONS).into();
            (!variables.is_empty()).then(relation)
        }
        _ => {
            let of_sort =
                |kind: &Kind| matches!(kind, Kind::Finite(of, _) | Kind::Unbounded(of) if *of == id);
            let variables = variables_with(shape, of_sort);
            let relation = || ordered(random, id, sort, &variables, &COMPARISONS).into();
            (!variables.is_empty()).then(relation)
        }
    }
}

fn has_states(shape: &Shape, cube: &Cube) -> bool {
    let domain = |variable| shape.domain(&cube.words, variable);
    let relations: Vec<&Relation> = cube.relations.iter().collect();
    theory::satisfiable(&shape.sorts, &domain, &relations, &mut Budget::new(STEPS)).is_ok()
}

/// Whether there is a state of the cube outside some of the excluded ones. All that has no arithmetic is a
/// real number: those are dense and without end.
fn text(question: &Question, excluded: impl IntoIterator<Item = usize>) -> String {
    let shape = &question.shape;
    let mut text = String::new();
    for (id, sort) in shape.sorts.iter().enumerate() {
        let points: Vec<String> = (0..sort.points).map(|point| format!("p{id}_{point}")).collect();
        for point in &points {
            text += &format!("(declare-const {point} Real)\n");
        }
        if points.len() > 1 {
            text += &format!("(assert (distinct {}))\n", points.join(" "));
        }
    }
    for (kind, index) in shape.variables.iter().zip(0..) {
        match *kind {
            Kind::Number(kind) => text += &declaration(Variable(index), kind),
            Kind::Finite(sort, _) => {
                text += &declaration(Variable(index), NumberKind::Real);
                let values = shape.sorts[usize::from(sort.0)].values();
                text += &format!("(assert {})\n", one_of(shape, Variable(index), sort, values));
            }
            Kind::Unbounded(sort) => {
                text += &declaration(Variable(index), NumberKind::Real);
                let values = shape.sorts[usize::from(sort.0)].others();
                text += &format!("(assert {})\n", one_of(shape, Variable(index), sort, values));
            }
        }
    }
    text += &format!("(assert {})\n", cube_text(shape, &question.cube));
    for number in excluded {
        text += &format!("(assert (not {}))\n", cube_text(shape, &question.excluded[number]));
    }
    text
}

fn cube_text(shape: &Shape, cube: &Cube) -> String {
    let mut text = String::from("(and true");
    for (kind, index) in shape.variables.iter().zip(0..) {
        if let Kind::Finite(sort, field) = *kind {
            text += &format!(" {}", one_of(shape, Variable(index), sort, field.get(&cube.words)));
        }
    }
    for relation in &cube.relations {
        let relation = match relation {
            Relation::Ordered(ordered) => {
                let name = |term| term_text(ordered.sort, term);
                compare(ordered.comparison, &name(ordered.left), &name(ordered.right))
            }
            Relation::Linear(linear) => linear_text(linear),
        };
        text += &format!(" {relation}");
    }
    text + ")"
}

/// A variable has one of these values.
fn one_of(shape: &Shape, variable: Variable, id: SortId, values: u64) -> String {
    let sort = shape.sorts[usize::from(id.0)];
    let points: Vec<String> = (0..sort.points).map(|point| term_text(id, Term::Point(point))).collect();
    let mut text = String::from("(or false");
    for (number, point) in points.iter().enumerate() {
        if values >> number & 1 == 1 {
            text += &format!(" (= v{} {point})", variable.0);
        }
    }
    if values & sort.others() != 0 {
        text += " (and true";
        for point in &points {
            text += &format!(" (distinct v{} {point})", variable.0);
        }
        text += ")";
    }
    text + ")"
}

fn term_text(sort: SortId, term: Term) -> String {
    match term {
        Term::Point(point) => format!("p{}_{point}", sort.0),
        Term::Variable(variable) => format!("v{}", variable.0),
    }
}

/// What the answers were.
#[derive(Debug, Default)]
struct Totals {
    covered: AtomicU64,
    not_covered: AtomicU64,
    unknown: AtomicU64,
}

impl Totals {
    /// Asks both about some questions: a core has to cover the cube on its own.
    fn compare(&self, seed: u64, size: &Size) {
        let (mut questions, mut expected) = (Vec::new(), Vec::new());
        let mut random = SplitMix64(seed);
        for _ in 0..BATCH {
            let Some(question) = question(random.next(), size) else { continue };
            let excluded = question.excluded.len();
            match ask(&mut cover(&question, excluded), STEPS) {
                Covered::Yes(core) => {
                    questions.push(text(&question, core));
                    expected.push(Verdict::Unsatisfiable);
                    self.covered.fetch_add(1, Ordering::Relaxed);
                }
                Covered::No => {
                    questions.push(text(&question, 0..excluded));
                    expected.push(Verdict::Satisfiable);
                    self.not_covered.fetch_add(1, Ordering::Relaxed);
                }
                Covered::GaveUp => panic!("gave up on {question:#?}"),
            }
        }
        let Some(mut z3) = Z3::start() else { return };
        for ((verdict, expected), question) in
            z3.verdicts(&questions).into_iter().zip(expected).zip(&questions)
        {
            // Some versions give up on large coefficients.
            if verdict == Verdict::Unknown {
                self.unknown.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            assert_eq!(verdict, expected, "z3 is right about\n{question}");
        }
    }

    fn are_balanced(&self, tried: Option<u64>) {
        if tried.is_some() {
            let [covered, not_covered, unknown] = [&self.covered, &self.not_covered, &self.unknown]
                .map(|counter| counter.load(Ordering::Relaxed));
            let all = covered + not_covered;
            assert!(covered > all / 6 && not_covered > all / 6, "{self:?}");
            assert!(unknown <= 3 + all / 50, "{self:?}");
        }
    }
}

#[test]
fn small_random_questions_against_z3() {
    let totals = Totals::default();
    let size = Size { variables: 6, relations: 6, excluded: 8 };
    totals.are_balanced(for_seeds!(30, |seed| totals.compare(seed, &size)));
}

#[test]
fn large_random_questions_against_z3() {
    let totals = Totals::default();
    let size = Size { variables: 20, relations: 20, excluded: 60 };
    totals.are_balanced(for_seeds!(4, |seed| totals.compare(seed, &size)));
}

/// More relations than there are bits for reasons in the theory.
#[test]
fn random_questions_with_many_relations_against_z3() {
    let totals = Totals::default();
    let size = Size { variables: 10, relations: 120, excluded: 60 };
    totals.are_balanced(for_seeds!(4, |seed| totals.compare(seed, &size)));
}
