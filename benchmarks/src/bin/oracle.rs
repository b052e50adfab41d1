//! How long the oracle takes for a candidate of three literals.
//!
//! `cargo run --release -p polycube-benchmarks --bin oracle [FILE PROCESSES]` explores an instance (by
//! default our German protocol with 6 processes) and asks random conjunctions over two processes, and over
//! one, of three literals each.

use std::env;
use std::fs;
use std::time::{Duration, Instant};

use polycube_engine::forward::Options;
use polycube_engine::forward::states::{Cell, Conjunction, Literal, States, Unnamed};
use polycube_language::system::{SymbolId, Type};
use polycube_language::{System, check};
use polycube_testing::generate::Random;
use polycube_testing::repository;

const QUERIES: usize = 20_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let file = arguments.first().map_or_else(|| repository().join("models/safe/german.cub"), Into::into);
    let processes = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(6);
    let text = fs::read_to_string(&file).expect("a file that can be read");
    let system = check(&text).system.expect("a model without mistakes");

    let start = Instant::now();
    let (oracle, _) = States::explore(&system, &Options::new(processes), &mut ()).expect("an instance");
    print(&format!("{} states explored and kept in {:?}", oracle.len(), start.elapsed()));

    let mut random = Random::new(1);
    let queries: Vec<Conjunction> = (0..QUERIES).map(|_| random_conjunction(&system, &mut random)).collect();
    let start = Instant::now();
    queries.iter().for_each(|query| drop(oracle.witness(query, &mut 0)));
    print(&format!("first pass, columns made on the way: {:?}", start.elapsed()));

    let (mut found, mut missed) =
        ((0u32, Duration::ZERO, Duration::ZERO), (0u32, Duration::ZERO, Duration::ZERO));
    for query in &queries {
        let start = Instant::now();
        let witness = oracle.witness(query, &mut 0);
        let time = start.elapsed();
        let (count, total, most) = if witness.is_some() { &mut found } else { &mut missed };
        *count += 1;
        *total += time;
        *most = time.max(*most);
    }
    for (name, (count, total, most)) in [("with a witness", found), ("without a witness", missed)] {
        print(&format!("{count} {name}: {:?} on average, {most:?} at most", total / count.max(1)));
    }
}

/// Three literals over one or two processes, most of them `cell = value`.
fn random_conjunction(system: &System, random: &mut Random) -> Conjunction {
    let variables = random.between(1, 2) as u32;
    let symbols: Vec<SymbolId> = (0..system.symbols.len() as u32)
        .map(SymbolId)
        .filter(|&symbol| !system.symbol(symbol).ty.is_numeric())
        .collect();
    let literals = (0..3).map(|_| {
        let symbol = *random.pick(&symbols);
        let indices =
            (0..system.symbol(symbol).dimensions()).map(|_| random.below(variables as usize) as u32);
        let cell = Cell { symbol, indices: indices.collect() };
        match system.symbol(symbol).ty {
            Type::Process => {
                let variables = vec![random.below(variables as usize) as u32];
                Literal::Processes { cell, variables, others: Unnamed::Excluded }
            }
            ty => {
                let size = match ty {
                    Type::Enumeration(id) => system.enumeration(id).constructors.len(),
                    _ => 2,
                };
                let value = random.below(size) as u32;
                let different = random.percent(25);
                Literal::Values(
                    cell,
                    (0..size as u32).filter(|&other| (other == value) != different).collect(),
                )
            }
        }
    });
    Conjunction { variables: vec![None; variables as usize], literals: literals.collect() }
}

#[allow(clippy::print_stdout)] // what this program is for
fn print(line: &str) {
    println!("{line}");
}
