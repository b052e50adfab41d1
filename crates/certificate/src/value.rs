//! Values: what a constant, a variable or a cell of an array holds.

use std::fmt::{self, Display};

use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{AbstractTypeId, EnumerationId, Type};

/// One value of one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The process `#k`, k from 1.
    Process(u32),
    /// The constructor of an enumeration with this index.
    Constructor(EnumerationId, u32),
    /// A number, of type `int` or `real`.
    Number(Number),
    /// The k-th value of an abstract type, k from 1. Two of them are equal where k is.
    Abstract(AbstractTypeId, u32),
}

impl Value {
    /// The value as text: `#2`, `Shared`, `17`, `-5/2`, `data!1`.
    ///
    /// A value that the system does not have is described instead, so that messages can speak about it.
    pub fn display(&self, system: &System) -> impl Display {
        fmt::from_fn(move |out| match self {
            Value::Process(process) => write!(out, "#{process}"),
            Value::Number(number) => write!(out, "{number}"),
            Value::Constructor(id, index) => match system.enumerations.get(id.0 as usize) {
                Some(enumeration) => match enumeration.constructors.get(*index as usize) {
                    Some(name) => out.write_str(name),
                    None => write!(out, "<constructor {index} of {}>", enumeration.name),
                },
                None => write!(out, "<constructor {index} of enumeration {}>", id.0),
            },
            Value::Abstract(id, number) => match system.abstract_types.get(id.0 as usize) {
                Some(abstract_type) => write!(out, "{}!{number}", abstract_type.name),
                None => write!(out, "<value {number} of abstract type {}>", id.0),
            },
        })
    }

    /// Reads what [`Value::display`] writes for a value of type `ty`, and decimals such as `-2.5` too.
    ///
    /// How many processes there are is not known here: every `#k` with k from 1 is read.
    pub fn parse(system: &System, ty: Type, text: &str) -> Option<Value> {
        match ty {
            Type::Process => Some(Value::Process(parse_process(text)?)),
            Type::Integer => parse_number(text).filter(Number::is_integer).map(Value::Number),
            Type::Real => parse_number(text).map(Value::Number),
            Type::Enumeration(id) => {
                let enumeration = system.enumerations.get(id.0 as usize)?;
                let (index, _) = (0..).zip(&enumeration.constructors).find(|(_, name)| *name == text)?;
                Some(Value::Constructor(id, index))
            }
            Type::Abstract(id) => {
                let abstract_type = system.abstract_types.get(id.0 as usize)?;
                let number = text.strip_prefix(abstract_type.name.as_str())?.strip_prefix('!')?;
                Some(Value::Abstract(id, parse_positive(number)?))
            }
        }
    }
}

/// Reads `#k`, k from 1.
pub(crate) fn parse_process(text: &str) -> Option<u32> {
    parse_positive(text.strip_prefix('#')?)
}

/// Reads digits that do not begin with `0`.
fn parse_positive(digits: &str) -> Option<u32> {
    // The library would also read `+1`.
    if digits.starts_with(|first: char| matches!(first, '1'..='9')) { digits.parse().ok() } else { None }
}

/// Reads `17`, `2.5` or `5/2`, perhaps with `-` before it.
fn parse_number(text: &str) -> Option<Number> {
    let (negative, size) = match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text),
    };
    let number = match size.split_once('/') {
        None => parse_decimal(size)?,
        Some((numerator, denominator)) => {
            let denominator =
                parse_decimal(denominator).filter(|number| number.is_integer() && !number.is_zero())?;
            parse_decimal(numerator)?.divided_by(&denominator)
        }
    };
    Some(if negative { -number } else { number })
}

fn parse_decimal(text: &str) -> Option<Number> {
    let begins_with_digit = text.starts_with(|first: char| first.is_ascii_digit());
    let looks_like_one = text.chars().all(|character| character.is_ascii_digit() || character == '.');
    if begins_with_digit && looks_like_one { Number::parse(text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system() -> System {
        let text = "type state = Idle | Crit\n type data\n var S : state\n var D : data\n init { S = Idle }";
        polycube_language::check(text).system.expect("a model")
    }

    #[test]
    fn what_is_shown_can_be_read() {
        let system = system();
        let (state, data) = (Type::Enumeration(EnumerationId(1)), Type::Abstract(AbstractTypeId(0)));
        for (ty, text) in [
            (Type::Process, "#1"),
            (Type::Process, "#64"),
            (state, "Idle"),
            (state, "Crit"),
            (Type::BOOL, "True"),
            (data, "data!1"),
            (data, "data!12"),
            (Type::Integer, "0"),
            (Type::Integer, "-17"),
            (Type::Integer, "123456789012345678901234567890123456789012345"),
            (Type::Real, "3"),
            (Type::Real, "5/2"),
            (Type::Real, "-5/2"),
            (Type::Real, "-7/1000"),
            (Type::Real, "1/8"),
            (Type::Real, "-22/7"),
        ] {
            let value = Value::parse(&system, ty, text).unwrap_or_else(|| panic!("{text} is a value"));
            assert_eq!(value.display(&system).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_value_is_not_read() {
        let system = system();
        let (state, data) = (Type::Enumeration(EnumerationId(1)), Type::Abstract(AbstractTypeId(0)));
        for (ty, texts) in [
            (Type::Process, &["", "#", "1", "#0", "#01", "#+1", "#-1", "#1 ", "##1", "#99999999999"][..]),
            (state, &["", "idle", "True", "Idle "]),
            (data, &["", "data", "data!", "data!0", "data!x", "dat!1", "other!1"]),
            (Type::Integer, &["", "-", "--1", "+1", "1/2", "2.5", "x", "1_000", "1 ", "1e3"]),
            (Type::Real, &["", ".", ".5", "1/0", "1/", "/2", "1/-2", "1/2/2", "1.5.5", "1/0.5"]),
            (Type::Enumeration(EnumerationId(9)), &["Idle"]),
            (Type::Abstract(AbstractTypeId(9)), &["data!1"]),
        ] {
            for text in texts {
                assert_eq!(Value::parse(&system, ty, text), None, "{text:?}");
            }
        }
    }

    #[test]
    fn decimals_and_fractions_are_the_same_numbers() {
        let read = |text| Value::parse(&system(), Type::Real, text).expect("a number");
        assert_eq!(read("2.5"), read("5/2"));
        assert_eq!(read("10/4"), read("5/2"));
        assert_eq!(read("-0.125"), read("-1/8"));
        assert_eq!(read("-0"), read("0"));
    }

    #[test]
    fn a_value_of_no_type_can_be_spoken_about() {
        let system = system();
        for value in [
            Value::Constructor(EnumerationId(1), 7),
            Value::Constructor(EnumerationId(7), 0),
            Value::Abstract(AbstractTypeId(7), 1),
        ] {
            assert!(value.display(&system).to_string().starts_with('<'), "{value:?}");
        }
    }
}
