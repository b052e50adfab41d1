//! Makes a family of models, verifies all of them, and says which are safe: processes pass through several rooms, one behind the
//! other, and each room has a door that only some of the members of the family look at.
#![allow(clippy::print_stdout, reason = "it is a program")]

use std::fmt::Write;

use polycube::{Model, Verdict, VerifyOptions};

/// The model with so many rooms. In room `forgotten`, if there is one, nobody looks at the door.
pub fn rooms(count: usize, forgotten: Option<usize>) -> String {
    let places: Vec<String> = (0..=count).map(|room| format!("Room{room}")).collect();
    let mut text = format!("type place = {}\narray Place[proc] : place\n", places.join(" | "));
    let doors: String = (1..=count).map(|room| format!(" && not Taken{room}")).collect();
    for room in 1..=count {
        let _ = writeln!(text, "var Taken{room} : bool");
        let _ = writeln!(text, "unsafe (p q) {{ Place[p] = Room{room} && Place[q] = Room{room} }}");
        let looks = if forgotten == Some(room) { String::new() } else { format!(" && not Taken{room}") };
        let before = room - 1;
        let leave = if before == 0 { String::new() } else { format!("; Taken{before} := False") };
        let _ = writeln!(
            text,
            "transition enter{room} (p) requires {{ Place[p] = Room{before}{looks} }} \
             {{ Place[p] := Room{room}; Taken{room} := True{leave} }}"
        );
    }
    let _ = writeln!(text, "init (p) {{ Place[p] = Room0{doors} }}");
    text
}

/// Whether it is safe; if not, how long the run to a bad state is.
pub fn answer(text: String) -> Result<Result<(), usize>, Box<dyn std::error::Error>> {
    let model = Model::from_text(text)?;
    let verified = model.verify(&VerifyOptions::default())?;
    match verified.verdict() {
        Verdict::Safe => Ok(Ok(())),
        Verdict::Unsafe(run) | Verdict::WrongInvariant(run) => Ok(Err(run.trace.steps.len())),
        Verdict::Unknown(reason) => Err(reason.to_string().into()),
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for count in 1..=3 {
        for forgotten in std::iter::once(None).chain((1..=count).map(Some)) {
            let door =
                forgotten.map_or("every door is looked at".to_owned(), |room| format!("door {room} is not"));
            match answer(rooms(count, forgotten))? {
                Ok(()) => println!("rooms: {count}, {door}: safe"),
                Err(steps) => println!("rooms: {count}, {door}: two in a room after {steps} steps"),
            }
        }
    }
    Ok(())
}
