//! Conjunctions of relations of all kinds.

use polycube_smt::budget::Budget;
use polycube_smt::relation::{Linear, NumberKind, Ordered, Relation, Variable};
use polycube_smt::theory::satisfiable;
use polycube_smt::unsolved::Unsolved;
use polycube_testing::for_seeds;

use crate::BATCH;
use crate::ordered::{check_model, problem, question};
use crate::random::{COMPARISONS, Numbers, SplitMix64, linear};
use crate::z3::{Verdict, Z3, linear_question};

#[test]
fn random_relations_of_all_kinds_against_z3() {
    for_seeds!(10, |seed| compare_all(&mut SplitMix64(seed)));
}

fn compare_all(random: &mut SplitMix64) {
    let (mut questions, mut expected) = (Vec::new(), Vec::new());
    for _ in 0..BATCH {
        let orders = problem(random, 2, 3, 3, 3, &COMPARISONS);
        let mut relations: Vec<Relation> = orders.relations.iter().copied().map(Relation::from).collect();
        for (kind, first) in [(NumberKind::Integer, 100), (NumberKind::Real, 200)] {
            let variables: Vec<Variable> = (first..first + 3).map(Variable).collect();
            for _ in 0..random.below(3) + 1 {
                let relation = linear(random, kind, &variables, Numbers::Small, &COMPARISONS);
                let place = random.below(relations.len() as u64) as usize;
                relations.insert(place, Relation::from(relation));
            }
        }
        let text = |relations: &[&Relation]| {
            let (mut orders_only, mut sums): (Vec<&Ordered>, Vec<&Linear>) = (Vec::new(), Vec::new());
            for relation in relations {
                match relation {
                    Relation::Ordered(ordered) => orders_only.push(ordered),
                    Relation::Linear(linear) => sums.push(linear),
                }
            }
            question(&orders, &orders_only) + &linear_question(&sums)
        };
        let all: Vec<&Relation> = relations.iter().collect();
        let domain = |variable| orders.domain(variable);
        questions.push(text(&all));
        match satisfiable(&orders.sorts, &domain, &all, &mut Budget::new(100_000)) {
            Ok(model) => {
                expected.push(Verdict::Satisfiable);
                check_model(&orders, &orders.relations.iter().collect::<Vec<_>>(), &model.ordered);
                for relation in &relations {
                    if let Relation::Linear(linear) = relation {
                        assert!(linear.holds(&|variable| model.linear.value(variable).unwrap().clone()));
                    }
                }
            }
            Err(Unsolved::Conflict(core)) => {
                expected.extend([Verdict::Unsatisfiable; 2]);
                questions.push(text(&core.into_iter().map(|index| all[index]).collect::<Vec<_>>()));
            }
            Err(Unsolved::GaveUp) => panic!("gave up on {relations:?}"),
        }
    }
    let Some(mut z3) = Z3::start() else { return };
    for ((verdict, expected), question) in z3.verdicts(&questions).into_iter().zip(expected).zip(&questions) {
        assert_eq!(verdict, expected, "z3 is right about\n{question}");
    }
}
