//! Conjunctions of relations without arithmetic.

use std::collections::BTreeMap;

use polycube_smt::budget::Budget;
use polycube_smt::ordered::{OrderModel, Value, satisfiable};
use polycube_smt::relation::{Comparison, Ordered, Sort, SortId, Term, Variable};
use polycube_smt::unsolved::Unsolved;
use polycube_testing::for_seeds;

use crate::BATCH;
use crate::random::{COMPARISONS, SplitMix64, ordered};
use crate::z3::{Verdict, Z3, compare};

const STEPS: u64 = 100_000;

/// Relations, the sorts that they are about, and the values that their variables can have.
#[derive(Clone, Debug)]
pub struct Problem {
    pub sorts: Vec<Sort>,
    pub domains: BTreeMap<Variable, u64>,
    pub relations: Vec<Ordered>,
}

impl Problem {
    pub fn domain(&self, variable: Variable) -> u64 {
        self.domains.get(&variable).copied().expect("every variable has a domain")
    }

    fn answer(&self, relations: &[&Ordered]) -> Result<OrderModel, Unsolved> {
        satisfiable(&self.sorts, &|variable| self.domain(variable), relations, &mut Budget::new(STEPS))
    }

    fn sort(&self, id: SortId) -> Sort {
        self.sorts[usize::from(id.0)]
    }
}

/// A problem with up to this many points in each sort, and variables of each sort.
pub fn problem(
    random: &mut SplitMix64,
    sorts: u64,
    points: u64,
    variables: u64,
    relations: u64,
    comparisons: &[Comparison],
) -> Problem {
    let mut problem = Problem { sorts: Vec::new(), domains: BTreeMap::new(), relations: Vec::new() };
    for id in 0..sorts as u16 {
        let points = random.below(points + 1) as u8;
        let has_others = points == 0 || random.once_in(2);
        let sort = Sort { points, other: has_others.then(|| points + random.below(3) as u8) };
        let first = id * 20;
        let variables: Vec<Variable> =
            (first..first + random.below(variables) as u16 + 1).map(Variable).collect();
        for &variable in &variables {
            let some = random.next() & random.next() & sort.values();
            let values = [sort.values(), sort.values() & random.next(), some];
            problem.domains.insert(variable, random.pick(&values));
        }
        problem.sorts.push(sort);
        for _ in 0..random.below(relations) + 1 {
            problem.relations.push(ordered(random, SortId(id), sort, &variables, comparisons));
        }
    }
    problem
}

/// What a model has to be, besides satisfying the relations.
pub fn check_model(problem: &Problem, relations: &[&Ordered], model: &OrderModel) {
    for relation in relations {
        assert!(model.satisfies(relation), "{model:?} violates {relation:?} of {problem:?}");
        let sort = problem.sort(relation.sort);
        let order = model.order(relation.sort);
        for variable in relation.variables() {
            let value = model.value(variable).expect("every variable has a value");
            assert!(order.contains(&value));
            let bit = match value {
                Value::Point(point) => 1 << point,
                Value::Other(_) => sort.others(),
            };
            assert!(bit & problem.domain(variable) != 0, "{model:?} leaves the domains of {problem:?}");
        }
    }
    for (id, sort) in problem.sorts.iter().enumerate() {
        let order = model.order(SortId(id as u16));
        let mut points: Vec<Value> =
            order.iter().copied().filter(|value| matches!(value, Value::Point(_))).collect();
        points.sort_unstable();
        assert_eq!(points, (0..sort.points).map(Value::Point).collect::<Vec<_>>());
        let others: Vec<Value> =
            order.iter().copied().filter(|value| matches!(value, Value::Other(_))).collect();
        assert_eq!(others, (0..others.len() as u16).map(Value::Other).collect::<Vec<_>>());
        assert!(others.is_empty() || sort.other.is_some());
    }
}

/// All variables and points are real numbers: those are dense and without end.
pub fn question(problem: &Problem, relations: &[&Ordered]) -> String {
    let name = |sort: SortId, term: Term| match term {
        Term::Point(point) => format!("p{}_{point}", sort.0),
        Term::Variable(variable) => format!("v{}", variable.0),
    };
    let mut text = String::new();
    for (id, sort) in problem.sorts.iter().enumerate() {
        let points: Vec<String> = (0..sort.points).map(|point| format!("p{id}_{point}")).collect();
        for point in &points {
            text += &format!("(declare-const {point} Real)\n");
        }
        if points.len() > 1 {
            text += &format!("(assert (distinct {}))\n", points.join(" "));
        }
    }
    let mut declared = Vec::new();
    for relation in relations {
        let sort = problem.sort(relation.sort);
        for variable in relation.variables() {
            if declared.contains(&variable) {
                continue;
            }
            declared.push(variable);
            text += &format!("(declare-const v{} Real)\n", variable.0);
            let points: Vec<String> =
                (0..sort.points).map(|point| name(relation.sort, Term::Point(point))).collect();
            let domain = problem.domain(variable);
            let mut cases = String::from("(or false");
            for (index, point) in points.iter().enumerate() {
                if domain >> index & 1 == 1 {
                    cases += &format!(" (= v{} {point})", variable.0);
                }
            }
            if domain & sort.others() != 0 {
                cases += " (and true";
                for point in &points {
                    cases += &format!(" (distinct v{} {point})", variable.0);
                }
                cases += ")";
            }
            text += &format!("(assert {cases}))\n");
        }
        let (left, right) = (name(relation.sort, relation.left), name(relation.sort, relation.right));
        text += &format!("(assert {})\n", compare(relation.comparison, &left, &right));
    }
    text
}

/// Whether all relations of a problem with one sort hold for some order and values: tries every place for
/// every point and variable, with as many places as there are of them.
fn brute_force(problem: &Problem, relations: &[&Ordered]) -> bool {
    let sort = problem.sorts[0];
    let mut variables: Vec<Variable> = relations.iter().flat_map(|relation| relation.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    let points = usize::from(sort.points);
    let mut places = vec![0; points + variables.len()];
    try_places(problem, relations, &variables, &mut places, 0)
}

fn try_places(
    problem: &Problem,
    relations: &[&Ordered],
    variables: &[Variable],
    places: &mut [usize],
    next: usize,
) -> bool {
    let sort = problem.sorts[0];
    let points = usize::from(sort.points);
    if next == places.len() {
        let place = |term| match term {
            Term::Point(point) => places[usize::from(point)],
            Term::Variable(variable) => places[points + variables.binary_search(&variable).unwrap()],
        };
        return relations
            .iter()
            .all(|relation| relation.comparison.holds(place(relation.left).cmp(&place(relation.right))));
    }
    for place in 0..places.len() {
        let point = places[..points.min(next)].iter().position(|&other| other == place);
        let is_possible = match (next.checked_sub(points), point) {
            (None, point) => point.is_none(),
            (Some(variable), Some(point)) => problem.domain(variables[variable]) >> point & 1 == 1,
            (Some(variable), None) => problem.domain(variables[variable]) & sort.others() != 0,
        };
        places[next] = place;
        if is_possible && try_places(problem, relations, variables, places, next + 1) {
            return true;
        }
    }
    false
}

const ORDERS: [Comparison; 4] =
    [Comparison::Less, Comparison::LessEqual, Comparison::LessEqual, Comparison::NotEqual];
const EQUALITIES: [Comparison; 3] = [Comparison::Equal, Comparison::NotEqual, Comparison::NotEqual];

fn comparisons(round: usize) -> &'static [Comparison] {
    [COMPARISONS.as_slice(), ORDERS.as_slice(), EQUALITIES.as_slice()][round % 3]
}

#[test]
fn small_random_problems_against_brute_force() {
    for_seeds!(1_500, |seed| {
        let problem = problem(&mut SplitMix64(seed), 1, 3, 3, 6, comparisons(seed as usize));
        let relations: Vec<&Ordered> = problem.relations.iter().collect();
        let expected = brute_force(&problem, &relations);
        match problem.answer(&relations) {
            Ok(model) => {
                assert!(expected, "{problem:?} has no model, but there is {model:?}");
                check_model(&problem, &relations, &model);
            }
            Err(Unsolved::Conflict(core)) => {
                assert!(!expected, "{problem:?} has a model");
                let core: Vec<&Ordered> = core.into_iter().map(|index| relations[index]).collect();
                assert!(!brute_force(&problem, &core), "{core:?} of {problem:?} is not a core");
            }
            Err(Unsolved::GaveUp) => panic!("gave up on {problem:?}"),
        }
    });
}

/// Asks both solvers, and checks models and cores. Every `cores`-th core is shown to z3.
fn compare_all(problems: &[Problem], cores: usize) {
    let (mut questions, mut expected) = (Vec::new(), Vec::new());
    for (index, problem) in problems.iter().enumerate() {
        let relations: Vec<&Ordered> = problem.relations.iter().collect();
        questions.push(question(problem, &relations));
        match problem.answer(&relations) {
            Ok(model) => {
                check_model(problem, &relations, &model);
                expected.push(Verdict::Satisfiable);
            }
            Err(Unsolved::Conflict(core)) => {
                expected.push(Verdict::Unsatisfiable);
                if index % cores == 0 {
                    let core: Vec<&Ordered> = core.into_iter().map(|index| relations[index]).collect();
                    questions.push(question(problem, &core));
                    expected.push(Verdict::Unsatisfiable);
                }
            }
            Err(Unsolved::GaveUp) => panic!("gave up on {problem:?}"),
        }
    }
    let Some(mut z3) = Z3::start() else { return };
    for ((verdict, expected), question) in z3.verdicts(&questions).into_iter().zip(expected).zip(&questions) {
        assert_eq!(verdict, expected, "z3 is right about\n{question}");
    }
}

#[test]
fn random_problems_with_one_sort_against_z3() {
    for_seeds!(20, |seed| {
        let mut random = SplitMix64(seed);
        let problems: Vec<Problem> =
            (0..BATCH).map(|round| problem(&mut random, 1, 4, 5, 8, comparisons(round))).collect();
        compare_all(&problems, 4);
    });
}

#[test]
fn random_problems_with_two_sorts_against_z3() {
    for_seeds!(10, |seed| {
        let mut random = SplitMix64(seed);
        let problems: Vec<Problem> =
            (0..BATCH).map(|round| problem(&mut random, 2, 6, 6, 12, comparisons(round))).collect();
        compare_all(&problems, 4);
    });
}

/// More relations, and deeper searches, than there are bits for reasons.
#[test]
fn large_random_problems_against_z3() {
    for_seeds!(4, |seed| {
        let mut random = SplitMix64(seed);
        let mut problems: Vec<Problem> =
            (0..BATCH / 10).map(|round| problem(&mut random, 1, 5, 12, 120, comparisons(round))).collect();
        let mut equalities = problem(&mut random, 1, 9, 20, 70, &[Comparison::NotEqual]);
        equalities.relations.truncate(60);
        problems.push(equalities);
        compare_all(&problems, 1);
    });
}

#[test]
fn points_have_some_order_but_only_one() {
    let sort = Sort { points: 2, other: None };
    let below = |left, right| Ordered {
        sort: SortId(0),
        left: Term::Point(left),
        comparison: Comparison::Less,
        right: Term::Point(right),
    };
    let (one, other) = (below(0, 1), below(1, 0));
    let answer = |relations: &[&Ordered]| satisfiable(&[sort], &|_| 0, relations, &mut Budget::new(STEPS));
    assert!(answer(&[&one]).is_ok());
    let Ok(model) = answer(&[&other]) else { panic!("satisfiable") };
    assert_eq!(model.order(SortId(0)), [Value::Point(1), Value::Point(0)]);
    assert_eq!(answer(&[&one, &other]), Err(Unsolved::Conflict(vec![0, 1])));
}

#[test]
fn nothing_is_asked_for() {
    let answer = satisfiable(&[Sort { points: 2, other: None }], &|_| 0, &[], &mut Budget::new(STEPS));
    assert!(answer.is_ok());
}

#[test]
fn without_a_budget_nothing_is_known() {
    let relation = Ordered {
        sort: SortId(0),
        left: Term::Variable(Variable(0)),
        comparison: Comparison::Less,
        right: Term::Variable(Variable(1)),
    };
    let sort = Sort { points: 0, other: Some(0) };
    assert_eq!(satisfiable(&[sort], &|_| 1, &[&relation], &mut Budget::new(0)), Err(Unsolved::GaveUp));
}
