//! Formulas as lines of text.

const WIDTH: usize = 110;

/// A text that may need more than one line.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    /// Never broken.
    Text(String),
    /// Parts with an operator between them. Broken behind every operator.
    Chain(&'static str, Vec<Layout>),
    /// Short texts with an operator between them. Broken where the line is full.
    Filled(&'static str, Vec<String>),
    /// Something that stands before its body. Broken between them.
    Before(String, Box<Layout>),
    /// Conditions and what is said under them, and what is said otherwise. Broken around what is said.
    Cases(Vec<(Layout, Layout)>, Box<Layout>),
    Parentheses(Box<Layout>),
}

impl Layout {
    pub(crate) fn text(text: impl Into<String>) -> Layout {
        Layout::Text(text.into())
    }

    pub(crate) fn before(head: impl Into<String>, body: Layout) -> Layout {
        Layout::Before(head.into(), Box::new(body))
    }

    pub(crate) fn parentheses(inner: Layout) -> Layout {
        Layout::Parentheses(Box::new(inner))
    }

    pub(crate) fn without_parentheses(&self) -> &Layout {
        match self {
            Layout::Parentheses(inner) => inner,
            other => other,
        }
    }

    /// The text, from this column on: lines after the first begin with as many spaces.
    pub(crate) fn at(&self, column: usize) -> String {
        let flat = self.shown(None);
        if column + flat.len() <= WIDTH { flat } else { self.shown(Some(column)) }
    }

    /// The text in one line, or broken into lines that begin at this column.
    fn shown(&self, column: Option<usize>) -> String {
        let line = column.map_or(" ".to_owned(), |column| format!("\n{}", " ".repeat(column)));
        let indented = if column.is_some() { format!("{line}  ") } else { line.clone() };
        let inner = |part: &Layout, offset: usize| match column {
            Some(column) => part.at(column + offset),
            None => part.shown(None),
        };
        match self {
            Layout::Text(text) => text.clone(),
            Layout::Chain(operator, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| inner(part, 0)).collect();
                parts.join(&format!(" {operator}{line}"))
            }
            Layout::Filled(operator, parts) => {
                let width = column.map_or(usize::MAX, |column| WIDTH.saturating_sub(column));
                fill(operator, parts, width).join(&line)
            }
            Layout::Before(head, body) => format!("{head}{indented}{}", inner(body, 2)),
            Layout::Cases(cases, otherwise) => {
                let cases = cases.iter().map(|(condition, part)| {
                    let (condition, part) = (inner(condition, 3), inner(part, 2));
                    format!("if {condition} then{indented}{part}{line}else ")
                });
                cases.collect::<String>() + &inner(otherwise, 5)
            }
            Layout::Parentheses(part) => format!("({})", inner(part, 1)),
        }
    }
}

/// The lines of a text, each as full as possible.
fn fill(operator: &str, parts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let part = if at + 1 < parts.len() { format!("{part} {operator}") } else { part.clone() };
        match lines.last_mut() {
            Some(line) if line.len() + 1 + part.len() <= width => {
                line.push(' ');
                line.push_str(&part);
            }
            _ => lines.push(part),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_broken() {
        let word = "x".repeat(60);
        let conjunction =
            Layout::Chain("/\\", vec![Layout::text(&word), Layout::text("y"), Layout::text(&word)]);
        let formula = Layout::before("not", Layout::parentheses(conjunction));
        assert_eq!(formula.at(2), format!("not\n    ({word} /\\\n     y /\\\n     {word})"));
        let filled = Layout::Filled("->", vec![word.clone(), "y".to_owned(), word.clone()]);
        assert_eq!(filled.at(2), format!("{word} -> y ->\n  {word}"));
        let cases =
            Layout::Cases(vec![(Layout::text("c"), Layout::text(&word))], Box::new(Layout::text(&word)));
        assert_eq!(cases.at(1), format!("if c then\n   {word}\n else {word}"));
        assert_eq!(Layout::before("not", Layout::text("y")).at(2), "not y");
    }
}
