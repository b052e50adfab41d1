//! Larger systems that do what smaller ones do: for tests of what happens around the limits of sizes.

use std::fmt::Write;

use polycube_language::check;
use polycube_language::formula::{Variable, VariableId};
use polycube_language::span::Origin;
use polycube_language::system::{System, Type};

/// What a system gets besides what it has. Its own types, constructors, symbols, properties and transitions
/// come last, so that their numbers are large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    /// Enumerations that no symbol has, of one value: whoever takes one for a type of the system has fewer
    /// values.
    pub enumerations: usize,
    /// Abstract types that no symbol has.
    pub abstract_types: usize,
    /// Values of each of its enumerations but `bool`. `init` says that no symbol has one; the system must not
    /// say `?` or a symbol may get one later.
    pub constructors: usize,
    /// Variables, of a type that has only one value.
    pub variables: usize,
    /// Arrays of one dimension, of that type.
    pub arrays: usize,
    /// Transitions that are never possible, besides two that set two flags.
    pub transitions: usize,
    /// Parameters of the first of them, and of the first property.
    pub parameters: usize,
    /// Properties: each says that both flags are set, which is not reachable.
    pub properties: usize,
}

impl Padding {
    /// How many times as many states a system has then: two flags are set, but never both.
    pub const STATES: u64 = 3;
}

/// A system with more of everything. Of its own properties, the first has the index [`Padding::properties`];
/// whether one can be violated, and after how many steps, is as before.
///
/// # Panics
///
/// If the system has names that begin with `Pad`.
pub fn padded(system: &System, padding: &Padding) -> System {
    let text = text(system, padding).expect("a string takes all that is written");
    let checked = check(&text);
    let mut padded = checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics));
    // The language limits parameters; what comes after it should not rest on that.
    let parameters = || {
        let variable = |number| Variable {
            id: VariableId(number),
            name: format!("p{number}"),
            origin: Origin::default(),
        };
        (0..).map(variable).take(padding.parameters).collect()
    };
    if padding.transitions > 0 {
        padded.transitions[FLAGS.len()].parameters = parameters();
    }
    if padding.properties > 0 {
        padded.properties[0].parameters = parameters();
    }
    padded
}

/// The flags: one is set where the other is not.
const FLAGS: [[&str; 2]; 2] = [["Pad_one", "Pad_other"], ["Pad_other", "Pad_one"]];

const BOTH: &str = "Pad_one = True && Pad_other = True";

fn text(system: &System, padding: &Padding) -> Result<String, std::fmt::Error> {
    let source = system.to_source();
    // The number of processes stands first, and keeps its place.
    let (head, rest) = match source.strip_prefix("number_procs") {
        Some(_) => source.split_at(source.find('\n').unwrap_or(source.len())),
        None => ("", &source[..]),
    };
    let mut text = format!("{head}\n");
    for number in 0..padding.enumerations {
        writeln!(text, "type pad_{number} = Pad_{number}")?;
    }
    for number in 0..padding.abstract_types {
        writeln!(text, "type pad_abstract_{number}")?;
    }
    writeln!(text, "type pad_unit = Pad_only")?;
    for number in 0..padding.variables {
        writeln!(text, "var Pad_v{number} : pad_unit")?;
    }
    for number in 0..padding.arrays {
        writeln!(text, "array Pad_w{number}[proc] : pad_unit")?;
    }
    writeln!(text, "var Pad_one : bool\nvar Pad_other : bool")?;
    writeln!(text, "init () {{ Pad_one = False && Pad_other = False }}")?;
    for _ in 0..padding.properties {
        writeln!(text, "unsafe () {{ {BOTH} }}")?;
    }
    for [one, other] in FLAGS {
        writeln!(text, "transition set_{one} () requires {{ {other} = False }} {{ {one} := True }}")?;
    }
    for number in 0..padding.transitions {
        writeln!(text, "transition pad_{number} () requires {{ {BOTH} }} {{ Pad_one := False }}")?;
    }
    let mut rest = rest.to_owned();
    if padding.constructors > 0 {
        for (number, enumeration) in system.enumerations.iter().enumerate().skip(1) {
            let more: String = (0..padding.constructors).map(|at| format!("Pad_{number}_{at} | ")).collect();
            let head = format!("type {} =", enumeration.name);
            assert!(rest.contains(&head), "a system is printed with its types");
            rest = rest.replacen(&head, &format!("{head} {more}"), 1);
        }
        own_values(system, &mut text)?;
    }
    text.push_str(&rest);
    Ok(text)
}

/// Says that every cell has one of the values of its type that the system knows.
fn own_values(system: &System, text: &mut String) -> std::fmt::Result {
    for symbol in &system.symbols {
        let Type::Enumeration(id) = symbol.ty else { continue };
        let parameters: Vec<String> = (0..symbol.dimensions()).map(|at| format!("p{at}")).collect();
        let mut cell = symbol.name.clone();
        if !parameters.is_empty() {
            write!(cell, "[{}]", parameters.join(", "))?;
        }
        let values = system.enumeration(id).constructors.iter();
        let values: Vec<String> = values.map(|value| format!("{cell} = {value}")).collect();
        writeln!(text, "init ({}) {{ {} }}", parameters.join(" "), values.join(" || "))?;
    }
    Ok(())
}
