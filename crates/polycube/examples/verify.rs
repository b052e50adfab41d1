//! Verifies a small protocol, and says what is known.
#![allow(clippy::print_stdout, reason = "it is a program")]

use polycube::{Model, Verdict, VerifyOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::from_text(
        "type phase = Idle | Waiting | Critical
         var Turn : proc
         array Phase[proc] : phase
         init (p) { Phase[p] = Idle }
         unsafe (p q) { Phase[p] = Critical && Phase[q] = Critical }
         transition ask (p) requires { Phase[p] = Idle } { Phase[p] := Waiting }
         transition enter (p) requires { Phase[p] = Waiting && Turn = p } { Phase[p] := Critical }
         transition leave (p q) requires { Phase[p] = Critical } { Phase[p] := Idle; Turn := q }",
    )?;
    let verified = model.verify(&VerifyOptions::default())?;
    match verified.verdict() {
        Verdict::Safe => println!("proved by {} clauses", verified.invariant().clauses.len()),
        Verdict::Unsafe(run) | Verdict::WrongInvariant(run) => {
            println!("a run of {} steps is bad", run.trace.steps.len());
        }
        Verdict::Unknown(reason) => println!("not known: {reason}"),
    }
    print!("{verified}");
    println!("3 processes have {} states", model.explore(3)?.states);
    Ok(())
}
