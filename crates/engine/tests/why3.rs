//! The invariants that the engines report, as Why3 and the provers behind it see them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_engine::backward::Options;
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{for_seeds, models};
use tempfile::TempDir;

/// How long a prover may take for a goal, in seconds.
const TIME_LIMIT: &str = "60";

/// How many random systems Why3 has to understand.
const RANDOM: u64 = 20;

/// Why3 with its own configuration, and a folder for its files.
struct Why3 {
    folder: TempDir,
}

impl Why3 {
    /// If it is installed, and z3 as well.
    ///
    /// # Panics
    ///
    /// If one of them is not installed, but the environment says that it has to be.
    fn installed() -> Option<Why3> {
        for program in ["why3", "z3"] {
            if Command::new(program).arg("--version").stdout(Stdio::null()).status().is_err() {
                polycube_testing::skip_without_solver(&format!("{program} is not installed"));
                return None;
            }
        }
        let why3 = Why3 { folder: tempfile::tempdir().expect("a folder") };
        let detected = why3.run(&["config", "detect"], &[]);
        assert!(detected.status.success(), "{detected:?}");
        Some(why3)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn run(&self, command: &[&str], arguments: &[&str]) -> Output {
        let configuration = self.path("why3.conf");
        let mut why3 = Command::new("why3");
        why3.args(command).arg("-C").arg(configuration).args(arguments);
        why3.current_dir(self.folder.path()).output().expect("it is installed")
    }

    /// It finds nothing wrong with the syntax and the types.
    #[track_caller]
    fn understands(&self, system: &System, invariant: &Invariant) {
        let theory = polycube_why3::theory(system, invariant, &|_| None);
        for (suffix, text) in [(".why", theory), (".mlw", polycube_why3::program(system, invariant))] {
            // Several may be looked at at the same time.
            let file = tempfile::Builder::new().suffix(suffix).tempfile_in(self.folder.path());
            let file = file.expect("a file");
            fs::write(&file, &text).expect("a file");
            let output = self.run(&["prove"], &[file.path().to_str().expect("the name is text")]);
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{complaint}\n{text}");
        }
    }

    /// How many goals z3 proves, and what it says of the others.
    #[track_caller]
    fn prove(&self, theory: &str) -> (usize, Vec<String>) {
        fs::write(self.path("theory.why"), theory).expect("a file");
        self.proved(&["-P", "z3", "-t", TIME_LIMIT, "theory.why"])
    }

    /// How many of the parts that it finds to prove of a program z3 proves, and what it says of the others.
    #[track_caller]
    fn prove_program(&self, program: &str) -> (usize, Vec<String>) {
        fs::write(self.path("program.mlw"), program).expect("a file");
        self.proved(&["-P", "z3", "-t", TIME_LIMIT, "-a", "split_vc", "program.mlw"])
    }

    fn proved(&self, arguments: &[&str]) -> (usize, Vec<String>) {
        let output = self.run(&["prove"], arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        let goals = text.lines().filter(|line| line.starts_with("Goal ") || line.starts_with("Sub-goal "));
        let results = text.lines().filter_map(|line| line.strip_prefix("Prover result is: "));
        let (proved, others) =
            goals.zip(results).partition::<Vec<_>, _>(|(_, result)| result.starts_with("Valid"));
        let others = others.into_iter().map(|(goal, result)| format!("{goal} {result}"));
        (proved.len(), others.collect())
    }
}

fn model(name: &str) -> System {
    let models = models("safe");
    let model = models.iter().find(|model| model.name() == name).expect("there is such a model");
    polycube_language::check(&model.text).system.expect("a correct model")
}

/// The invariant of a system, and the system that counts what it speaks of.
fn invariant(system: System) -> (System, Invariant) {
    let verification = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
    let verification = verification.expect("a system that is supported");
    assert_eq!(verification.verdict().word(), "safe");
    let clauses = verification
        .invariant
        .iter()
        .map(|cube| Clause { parameters: cube.parameters.clone(), never: cube.formula.clone() });
    let invariant = Invariant { clauses: clauses.collect() };
    (verification.counting.unwrap_or(system), invariant)
}

/// The invariant that no property is violated. It need not be inductive.
fn properties(system: &System) -> Invariant {
    let clauses = system
        .properties
        .iter()
        .map(|property| Clause { parameters: property.parameters.clone(), never: property.formula.clone() });
    Invariant { clauses: clauses.collect() }
}

fn all_goals_are_valid(name: &str) {
    let Some(why3) = Why3::installed() else { return };
    let system = model(name);
    let (system, invariant) = invariant(system);
    let (proved, others) = why3.prove(&polycube_why3::theory(&system, &invariant, &|_| None));
    assert!(others.is_empty(), "{name}: {others:?}");
    assert_eq!(proved, Obligation::all(&system, &invariant).len(), "{name}");
}

#[test]
fn mutex() {
    all_goals_are_valid("mutex");
}

#[test]
fn germanish() {
    all_goals_are_valid("germanish");
}

/// Larger ones, with two-dimensional arrays, integers, and an order of the processes among them. They take
/// long, so that each time it is the turn of another one.
#[test]
fn a_random_larger_model() {
    for_seeds!(1, |seed| {
        let models = ["german", "szymanski_atomic", "szymanski_nonatomic", "ricart_agrawala"];
        all_goals_are_valid(models[seed as usize % models.len()]);
    });
}

/// What Why3 itself finds to be proved of the program.
fn program_is_proved(name: &str) {
    let Some(why3) = Why3::installed() else { return };
    let system = model(name);
    let (system, invariant) = invariant(system);
    let (proved, others) = why3.prove_program(&polycube_why3::program(&system, &invariant));
    assert!(others.is_empty(), "{name}: {others:?}");
    // Each clause at the start of the loop, and at the end of each transition that changes something of it;
    // and each property.
    let clauses = invariant.clauses.iter();
    let changed = clauses.map(|clause| {
        system.transitions.iter().filter(|transition| !clause.is_untouched_by(transition)).count()
    });
    let least = changed.sum::<usize>() + invariant.clauses.len() + system.properties.len();
    assert!(proved >= least, "{name}: {proved} parts, and there should be {least}");
}

#[test]
fn program_of_mutex() {
    program_is_proved("mutex");
}

#[test]
fn program_of_german() {
    program_is_proved("german");
}

/// Its clauses say that processes exist.
#[test]
fn program_of_the_splitter() {
    program_is_proved("splitter");
}

/// Its clauses speak of numbers of processes.
#[test]
fn a_number_of_readers() {
    all_goals_are_valid("readers_writers_counted");
    program_is_proved("readers_writers_counted");
}

/// Without one of the clauses, the rest is not proved.
#[test]
fn program_without_a_clause() {
    let Some(why3) = Why3::installed() else { return };
    let system = model("splitter");
    let (system, mut invariant) = invariant(system);
    invariant.clauses.remove(invariant.clauses.len() / 2);
    let (proved, others) = why3.prove_program(&polycube_why3::program(&system, &invariant));
    assert!(proved > 0 && !others.is_empty(), "{proved}: {others:?}");
}

/// The goals do not hold of just anything: of this invariant, no clause can be left out.
#[test]
fn not_without_a_clause() {
    let Some(why3) = Why3::installed() else { return };
    let system = model("german");
    let (system, mut invariant) = invariant(system);
    invariant.clauses.remove(invariant.clauses.len() / 2);
    let (proved, others) = why3.prove(&polycube_why3::theory(&system, &invariant, &|_| None));
    // That is what z3 says where it has found a counterexample.
    assert!(others.iter().any(|result| result.contains("(sat)")), "{others:?}");
    assert_eq!(proved + others.len(), Obligation::all(&system, &invariant).len());
}

/// Nor do they have other premises than those that are asked for.
#[test]
fn not_without_premises() {
    let Some(why3) = Why3::installed() else { return };
    let system = model("mutex");
    let (system, invariant) = invariant(system);
    let (_, others) = why3.prove(&polycube_why3::theory(&system, &invariant, &|_| Some(Vec::new())));
    assert!(others.iter().any(|goal| goal.starts_with("Goal never_unsafe_1.")), "{others:?}");
}

#[test]
fn random_systems_are_understood() {
    let Some(why3) = Why3::installed() else { return };
    for_seeds!(RANDOM, |seed| {
        let profile = &[Profile::CUBES, Profile::FINITE, Profile::ALL][seed as usize % 3];
        let system = random_system(seed, profile);
        why3.understands(&system, &properties(&system));
    });
}

/// Names that mean something to Why3 or to theories, all types of numbers, and all orders.
#[test]
fn awkward_models_are_understood() {
    let Some(why3) = Why3::installed() else { return };
    for model in [
        "
        number_procs 3
        type val = End | Process1 | Theory | Tuple0
        type system_state
        type tuple0
        const Goal : int
        const Ref : real
        var S : val
        var Clause_1 : tuple0
        var Clause : system_state
        var T : bool
        var Zero : real
        var One : int
        array All_clauses[proc] : bool
        array Same_all_clauses[proc, proc] : proc
        init { S = End && not T && Zero = 0.5 && One = -1 }
        init (val t) { not All_clauses[val] && Same_all_clauses[val, t] = val && Clause_1 <= Clause_1 }
        unsafe (s s_2) { All_clauses[s] && All_clauses[s_2] && (if T then S < End else s <= s_2) }
        unsafe (old) { Clause_1 < Clause_1 || 3 * Goal - One < -2 || -0.5 * Zero + 2 * Ref <= Zero - 1.25 || T < All_clauses[old] }
        invariant { T <=> exists theory. All_clauses[Same_all_clauses[theory, #2]] }
        transition goal (s) { All_clauses[s] := ?; Clause_1 := ?; Zero := -Zero; }
        transition goal (initial t) requires { forall_other axiom. Same_all_clauses[initial, axiom] <> t } {
          Same_all_clauses[val, k] := case | val = k && exists meta. All_clauses[meta] : #3 | k = t : ? | _ : Same_all_clauses[k, #1];
          One := One - 1;
        }
        transition clause_1 () { S := case | T : Process1 | _ : Tuple0; T := False; }
        ",
        "
        const N : int
        init { N = 1 }
        unsafe (z) { N = 2 }
        transition step () { }
        ",
    ] {
        let checked = polycube_language::check(model);
        let system = checked.system.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        why3.understands(&system, &properties(&system));
    }
}
