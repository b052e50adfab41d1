//! Syntax tree to [`Model`]: names, types, and the values of constants.
//!
//! Types are equal by name; all ranges of numbers are compatible with each other. What a
//! constant is can be asked for: that is how a file is read for another number of processes.

mod expression;
mod multiset;
mod rule;
mod scope;
mod statement;
mod types;

use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::span::Span;

use crate::model::{Constant, ConstantId, Frame, LocalId, Model, Size, Type, TypeId, TypeKind, Variable};
use crate::parse::{Parsed, parse};
use crate::syntax::{Declaration, Expr, ExprKind, File, Name};
use scope::{Meaning, Scope};
pub use types::MAX_VALUES;

/// Of how many mistakes it is said what may be meant.
const MAX_SUGGESTIONS: usize = 20;

/// What a text says.
#[derive(Debug)]
pub struct Checked {
    /// The model, if there is no error.
    pub model: Option<Model>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a model. Constants that are named in `values` have these values instead of those in the file.
pub fn check(source: &str, values: &[(&str, i64)]) -> Checked {
    let Parsed { file, diagnostics } = parse(source);
    let mut checker = Checker {
        model: predefined(),
        scope: Scope::default(),
        frame: Frame::default(),
        variables: Vec::new(),
        fixed: Vec::new(),
        result: None,
        diagnostics,
        values,
    };
    checker.file(&file);
    let diagnostics = checker.diagnostics.finish();
    let model = (!diagnostics.has_errors()).then_some(checker.model);
    Checked { model, diagnostics }
}

fn predefined() -> Model {
    let ty = |kind| Type { name: None, kind, span: Span::default() };
    let types = [TypeKind::Boolean, TypeKind::Integer, TypeKind::Error].map(ty).to_vec();
    Model { types, ..Model::default() }
}

struct Checker<'s, 'v> {
    model: Model,
    scope: Scope<'s>,
    /// What the present rule or routine binds.
    frame: Frame,
    /// Its local variables.
    variables: Vec<LocalId>,
    /// What it ranges over, which cannot be assigned.
    fixed: Vec<LocalId>,
    /// What the present function gives.
    result: Option<TypeId>,
    diagnostics: Diagnostics,
    values: &'v [(&'v str, i64)],
}

impl<'s> Checker<'s, '_> {
    fn file(&mut self, file: &File<'s>) {
        for declaration in &file.declarations {
            self.declaration(declaration, &mut |checker, name, ty| {
                let at =
                    u32::try_from(checker.model.globals.len()).expect("a text has fewer than 2^32 names");
                checker.model.globals.push(Variable { name: name.text.to_owned(), ty, span: name.span });
                Meaning::Global(at)
            });
        }
        self.routines(&file.routines);
        self.rules(&file.rules);
        if file.rules.is_empty() && !self.diagnostics.has_errors() {
            let missing = Diagnostic::error(Code::Missing, Span::default(), "the model has no rules");
            self.report(missing.help("is this a Murphi model?"));
        } else if self.model.starts.is_empty() && !self.diagnostics.has_errors() {
            let missing = Diagnostic::error(Code::Missing, Span::default(), "the model has no start state");
            self.report(missing.help("write `startstate ... end;`"));
        }
    }

    /// Reads a declaration. What a variable is, is for the caller to say.
    fn declaration(
        &mut self,
        declaration: &Declaration<'s>,
        variable: &mut dyn FnMut(&mut Self, Name<'s>, TypeId) -> Meaning,
    ) {
        match declaration {
            Declaration::Constant { name, value } => {
                let meaning = match (&value.kind, self.named_value(value)) {
                    (ExprKind::Boolean(value), _) => Meaning::Boolean(*value),
                    (_, Some(meaning)) => meaning,
                    _ => Meaning::Number(self.constant(*name, value)),
                };
                self.bind(*name, meaning);
            }
            Declaration::Type { name, ty } => {
                let id = self.ty(ty);
                let named = &mut self.model.types[id.0 as usize];
                if id > TypeId::ERROR && named.name.is_none() {
                    named.name = Some(name.text.to_owned());
                }
                self.bind(*name, Meaning::Type(id));
            }
            Declaration::Variables { names, ty } => {
                let id = self.ty(ty);
                for name in names {
                    let meaning = variable(self, *name, id);
                    self.bind(*name, meaning);
                }
            }
        }
    }

    /// A value that is no number, if that is what a name stands for.
    fn named_value(&self, value: &Expr<'s>) -> Option<Meaning> {
        let ExprKind::Name(name) = &value.kind else { return None };
        let meaning = self.scope.get(name.text)?;
        matches!(meaning, Meaning::Boolean(_) | Meaning::Constant(..)).then(|| meaning.clone())
    }

    fn constant(&mut self, name: Name<'s>, value: &Expr<'s>) -> Size {
        let size = self.number(value);
        let is_literal = matches!(value.kind, ExprKind::Integer(_));
        if !is_literal {
            return size;
        }
        let value =
            self.values.iter().find(|(asked, _)| *asked == name.text).map_or(size.value, |asked| asked.1);
        let id = ConstantId(u32::try_from(self.model.constants.len()).expect("fewer than 2^32 names"));
        self.model.constants.push(Constant { name: name.text.to_owned(), value, span: name.span });
        Size::of_constant(id, value)
    }

    fn bind(&mut self, name: Name<'s>, meaning: Meaning) {
        if let Some(before) = self.scope.bind(name, meaning) {
            let message = format!("`{}` is declared twice", name.text);
            self.report(
                Diagnostic::error(Code::DuplicateName, name.span, message)
                    .also(before, "declared here first"),
            );
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn mistake(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn unknown(&mut self, name: Name<'s>) {
        let message = format!("unknown name `{}`", name.text);
        let diagnostic = Diagnostic::error(Code::UnknownName, name.span, message);
        // To look for one costs time, and of so many nobody reads them.
        let similar = self.can_suggest().then(|| self.scope.similar(name.text)).flatten();
        self.report(match similar {
            Some(similar) => diagnostic.did_you_mean(similar),
            None => diagnostic,
        });
    }

    fn can_suggest(&self) -> bool {
        self.diagnostics.errors() < MAX_SUGGESTIONS
    }
}
