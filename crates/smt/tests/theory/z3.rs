//! The solver z3 as a second opinion: one process, which is asked in SMT-LIB.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, NumberKind, Variable};

/// A running z3.
pub struct Z3 {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What it said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

/// So many questions are written before the first answer is read: the answers fit into a pipe.
const BATCH: usize = 500;

impl Z3 {
    /// Starts it; `None` if it is not installed.
    ///
    /// # Panics
    ///
    /// If it is not installed, but the environment says that it has to be.
    pub fn start() -> Option<Z3> {
        let spawned = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut process) = spawned else {
            polycube_testing::skip_without_solver("z3 is not installed");
            return None;
        };
        let mut input = process.stdin.take().expect("the input is a pipe");
        let output = BufReader::new(process.stdout.take().expect("the output is a pipe"));
        writeln!(input, "(set-option :timeout 2000)").expect("z3 reads");
        Some(Z3 { process, input: Some(input), output })
    }

    /// The verdicts on questions, each of which consists of declarations and assertions.
    pub fn verdicts(&mut self, questions: &[String]) -> Vec<Verdict> {
        self.ask(questions, "(check-sat)")
    }

    /// The same for questions with quantifiers.
    pub fn verdicts_with_quantifiers(&mut self, questions: &[String]) -> Vec<Verdict> {
        self.ask(questions, "(check-sat-using (then qe smt))")
    }

    fn ask(&mut self, questions: &[String], command: &str) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let input = self.input.as_mut().expect("the input is open");
        for batch in questions.chunks(BATCH) {
            for question in batch {
                writeln!(input, "(push)\n{question}{command}\n(pop)").expect("z3 reads");
            }
            input.flush().expect("z3 reads");
            for question in batch {
                let mut line = String::new();
                self.output.read_line(&mut line).expect("z3 answers");
                verdicts.push(match line.trim() {
                    "sat" => Verdict::Satisfiable,
                    "unsat" => Verdict::Unsatisfiable,
                    "unknown" => Verdict::Unknown,
                    other => panic!("z3 answers {other:?} to\n{question}"),
                });
            }
        }
        verdicts
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // After a failed test, it may still be busy with questions. Nothing can be done if it does not go.
        drop(self.input.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Declares the variables of linear relations, and asserts all of the relations.
pub fn linear_question(relations: &[&Linear]) -> String {
    let mut variables: Vec<(Variable, NumberKind)> = relations
        .iter()
        .flat_map(|relation| relation.variables().map(|variable| (variable, relation.kind)))
        .collect();
    variables.sort_unstable();
    variables.dedup();
    let mut question = String::new();
    for (variable, kind) in variables {
        question += &declaration(variable, kind);
    }
    for relation in relations {
        question += &format!("(assert {})\n", linear(relation));
    }
    question
}

pub fn declaration(variable: Variable, kind: NumberKind) -> String {
    let sort = match kind {
        NumberKind::Integer => "Int",
        NumberKind::Real => "Real",
    };
    format!("(declare-const v{} {sort})\n", variable.0)
}

/// A linear relation. All fractions are multiplied away.
pub fn linear(relation: &Linear) -> String {
    let mut factor = relation.constant.denominator();
    for (_, coefficient) in &relation.terms {
        factor = &factor * &coefficient.denominator();
    }
    let number = |number: &Rational| {
        let number = number * &factor;
        assert!(number.is_integer());
        if number.is_negative() { format!("(- {})", number.abs()) } else { number.to_string() }
    };
    let mut sum = format!("(+ 0 {}", number(&relation.constant));
    for (variable, coefficient) in &relation.terms {
        sum += &format!(" (* {} v{})", number(coefficient), variable.0);
    }
    sum += ")";
    compare(relation.comparison, &sum, "0")
}

pub fn compare(comparison: Comparison, left: &str, right: &str) -> String {
    let operator = match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "distinct",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
    };
    format!("({operator} {left} {right})")
}
