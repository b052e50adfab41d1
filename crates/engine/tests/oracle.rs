//! The oracle against a look at every state.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_certificate::tuples::distinct_tuples;
use polycube_engine::forward::states::{Cell, Conjunction, Literal, States, Unnamed};
use polycube_engine::forward::{Goal, Limits, Options, Reduction};
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{Processes, SymbolId, Type};
use polycube_smt::relation::Comparison;
use polycube_testing::for_seeds;
use polycube_testing::generate::{Profile, Random, random_system};

/// What the cells of a state hold.
struct Values<'v> {
    finite: &'v dyn Fn(SymbolId, &[u32]) -> u32,
    number: &'v dyn Fn(SymbolId, &[u32]) -> Number,
}

/// A random comparison of a sum of numbers of one type; none if there is no such cell.
fn random_sum(system: &System, variables: u32, random: &mut Random) -> Option<Literal> {
    let ty = *random.pick(&[Type::Integer, Type::Real]);
    let usable: Vec<SymbolId> = (0..system.symbols.len() as u32)
        .map(SymbolId)
        .filter(|&symbol| system.symbol(symbol).ty == ty)
        .filter(|&symbol| variables > 0 || system.symbol(symbol).dimensions() == 0)
        .collect();
    if usable.is_empty() {
        return None;
    }
    let term = |random: &mut Random| {
        let symbol = *random.pick(&usable);
        let indices =
            (0..system.symbol(symbol).dimensions()).map(|_| random.below(variables as usize) as u32);
        (Cell { symbol, indices: indices.collect() }, *random.pick(&[1, -1, 1, -1, 2, -3]))
    };
    let terms = (0..random.between(1, 3)).map(|_| term(random)).collect();
    let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessEqual];
    let constant = random.below(7) as i64 - 3;
    Some(Literal::Linear { terms, constant, comparison: *random.pick(&comparisons) })
}

/// For each variable, perhaps a process that the system names, another one each time.
fn random_names(system: &System, variables: u32, random: &mut Random) -> Vec<Option<u32>> {
    let mut left = system.named_processes();
    let mut name = || {
        let is_named = !left.is_empty() && random.percent(60);
        is_named.then(|| left.swap_remove(random.below(left.len())))
    };
    (0..variables).map(|_| name()).collect()
}

/// A random conjunction over the finite cells of a system; none if there is no such cell.
fn random_conjunction(system: &System, values: u32, random: &mut Random) -> Option<Conjunction> {
    let variables = random.between(0, 3) as u32;
    let named = random_names(system, variables, random);
    let usable: Vec<SymbolId> = (0..system.symbols.len() as u32)
        .map(SymbolId)
        .filter(|&symbol| !system.symbol(symbol).ty.is_numeric())
        .filter(|&symbol| variables > 0 || system.symbol(symbol).dimensions() == 0)
        .collect();
    if usable.is_empty() {
        return None;
    }
    let literal = |variables: u32, random: &mut Random| {
        let cell = |symbol: SymbolId, random: &mut Random| Cell {
            symbol,
            indices: (0..system.symbol(symbol).dimensions())
                .map(|_| random.below(variables as usize) as u32)
                .collect(),
        };
        let symbol = *random.pick(&usable);
        let ty = system.symbol(symbol).ty;
        let first = cell(symbol, random);
        let same: Vec<SymbolId> =
            usable.iter().copied().filter(|&other| system.symbol(other).ty == ty).collect();
        if random.percent(20) {
            let second = cell(*random.pick(&same), random);
            return if random.percent(50) {
                Literal::Same(first, second)
            } else {
                Literal::Different(first, second)
            };
        }
        match ty {
            Type::Process => Literal::Processes {
                cell: first,
                variables: (0..variables).filter(|_| random.percent(40)).collect(),
                others: if random.percent(40) { Unnamed::Allowed } else { Unnamed::Excluded },
            },
            ty => {
                let size = match ty {
                    Type::Enumeration(id) => system.enumeration(id).constructors.len() as u32,
                    _ => values,
                };
                Literal::Values(first, (0..size).filter(|_| random.percent(50)).collect())
            }
        }
    };
    let mut literals: Vec<Literal> = (0..random.between(1, 4)).map(|_| literal(variables, random)).collect();
    if random.percent(50) {
        literals.extend(random_sum(system, variables, random));
    }
    if random.percent(30) {
        // The process that situations are about comes after the variables.
        let situation = |random: &mut Random| {
            (0..random.between(1, 2)).map(|_| literal(variables + 1, random)).collect::<Vec<_>>()
        };
        let situations = (0..random.below(4)).map(|_| situation(random)).collect();
        let besides = (0..variables).filter(|_| random.percent(80)).collect();
        literals.push(Literal::Each { besides, situations });
    }
    Some(Conjunction { variables: named, literals })
}

/// Whether a state satisfies a conjunction, for some choice of processes.
fn holds_somewhere(system: &System, conjunction: &Conjunction, processes: u32, values: &Values<'_>) -> bool {
    let named = system.named_processes();
    let fits = |variable: Option<u32>, process: u32| match variable {
        Some(own) => process == own,
        None => !named.contains(&process),
    };
    distinct_tuples(processes, conjunction.variables.len()).any(|chosen| {
        let chosen: Vec<u32> = chosen.iter().map(|process| process - 1).collect();
        conjunction.variables.iter().zip(&chosen).all(|(&variable, &process)| fits(variable, process))
            && holds(&conjunction.literals, &chosen, processes, values)
    })
}

/// Whether a state satisfies a conjunction, for these processes: the definition.
fn holds(literals: &[Literal], chosen: &[u32], processes: u32, state: &Values<'_>) -> bool {
    let tuple =
        |cell: &Cell| -> Vec<u32> { cell.indices.iter().map(|&index| chosen[index as usize]).collect() };
    let cell = |cell: &Cell| (state.finite)(cell.symbol, &tuple(cell));
    literals.iter().all(|literal| match literal {
        Literal::Values(first, values) => values.contains(&cell(first)),
        Literal::Processes { cell: first, variables, others } => {
            match chosen.iter().position(|&process| process == cell(first)) {
                Some(variable) => variables.contains(&(variable as u32)),
                None => *others == Unnamed::Allowed,
            }
        }
        Literal::Same(first, second) => cell(first) == cell(second),
        Literal::Different(first, second) => cell(first) != cell(second),
        Literal::Linear { terms, constant, comparison } => {
            let add = |(sum, of): (i128, i128), (one, factor): &(Cell, i32)| {
                let number = (state.number)(one.symbol, &tuple(one));
                let (numerator, denominator) = number.to_ratio().expect("a small number");
                (sum * denominator + i128::from(*factor) * numerator * of, of * denominator)
            };
            let (sum, _) = terms.iter().fold((i128::from(*constant), 1), add);
            comparison.holds(sum.cmp(&0))
        }
        Literal::Each { besides, situations } => (0..processes).all(|other| {
            let is_named = besides.iter().any(|&variable| chosen[variable as usize] == other);
            let with_other = [chosen, &[other]].concat();
            is_named || situations.iter().any(|situation| holds(situation, &with_other, processes, state))
        }),
    })
}

#[test]
fn the_oracle_of_a_random_system_finds_a_witness_exactly_where_there_is_one() {
    let (asked, found) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(400, |seed| {
        let mut random = Random::new(seed);
        let system = random_system(seed, &Profile::ALL);
        let processes = match system.processes {
            Processes::Exactly(count) => count,
            Processes::Any => random.between(1, 3) as u32,
        };
        let options = Options {
            goal: Goal::Everything,
            limits: Limits { states: Some(400), depth: Some(20), ..Limits::default() },
            reduction: if random.percent(50) { Reduction::Symmetry } else { Reduction::None },
            ..Options::new(processes)
        };
        let (oracle, exploration) =
            States::explore(&system, &options, &mut ()).expect("small instances can be explored");
        assert!(oracle.len() as u64 <= exploration.states);
        for _ in 0..20 {
            let Some(conjunction) = random_conjunction(&system, options.bounds.values, &mut random) else {
                break;
            };
            let expected = (0..oracle.len()).any(|state| {
                let finite = |symbol: SymbolId, tuple: &[u32]| oracle.value(state, symbol, tuple);
                let number = |symbol: SymbolId, tuple: &[u32]| oracle.number(state, symbol, tuple);
                holds_somewhere(
                    &system,
                    &conjunction,
                    processes,
                    &Values { finite: &finite, number: &number },
                )
            });
            let witness = oracle.witness(&conjunction, &mut 0);
            assert_eq!(witness.is_some(), expected, "seed {seed}: {conjunction:?}");
            if let Some(witness) = witness {
                let finite = |symbol: SymbolId, tuple: &[u32]| oracle.value(witness.state, symbol, tuple);
                let number = |symbol: SymbolId, tuple: &[u32]| oracle.number(witness.state, symbol, tuple);
                let values = Values { finite: &finite, number: &number };
                assert!(
                    holds(&conjunction.literals, &witness.processes, processes, &values),
                    "seed {seed}: {conjunction:?}"
                );
                found.fetch_add(1, Ordering::Relaxed);
            }
            asked.fetch_add(1, Ordering::Relaxed);
        }
    });
    if let Some(tried) = tried {
        let (asked, found) = (asked.into_inner(), found.into_inner());
        assert!(asked > 8 * tried && found > asked / 10 && found < asked * 9 / 10, "{found} of {asked}");
    }
}
