//! What the front-end has to say about a text, as data: how it is shown is decided elsewhere.

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text has no meaning: there is no [`System`](crate::System).
    Error,
    /// The text has a meaning, but probably not the one its author wanted.
    Warning,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// The class of a diagnostic, with a stable name (`docs/diagnostics.md` describes each).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// Every class, in the order of the documentation.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The stable name, as printed between brackets and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }
        }
    };
}

codes! {
    /// A character, comment or number that is no token.
    Lexical = "lexical",
    /// A token where the grammar has no place for it.
    Syntax = "syntax",
    /// Formulas nested deeper than programs that walk them can bear.
    TooDeep = "too-deep",
    /// A formula that grows beyond bounds when its predicates are expanded.
    TooLarge = "too-large",
    /// A name that is declared nowhere.
    UnknownName = "unknown-name",
    /// A name declared twice.
    DuplicateName = "duplicate-name",
    /// Two things of different types, or a thing of the wrong type.
    TypeMismatch = "type-mismatch",
    /// The wrong number of indices or arguments.
    Arity = "arity",
    /// A product of two variables.
    NonLinear = "non-linear",
    /// A number of processes that cannot be told, or kept track of.
    Count = "count",
    /// Integers and reals in one term or comparison.
    MixedNumbers = "mixed-numbers",
    /// A process constant without, or beyond, `number_procs`.
    ProcessConstant = "process-constant",
    /// An assignment to something that does not vary.
    NotAssignable = "not-assignable",
    /// Two updates of one variable or array in one transition.
    DuplicateUpdate = "duplicate-update",
    /// A wrong index on the left of `:=`.
    UpdateIndex = "update-index",
    /// A `case` without default whose conditions leave something open.
    CaseNotExhaustive = "case-not-exhaustive",
    /// A predicate that calls itself.
    RecursivePredicate = "recursive-predicate",
    /// `?` in a place where no value can be chosen.
    Choice = "choice",
    /// A model without a part it needs.
    Missing = "missing",
    /// A formula that no state satisfies.
    NeverHolds = "never-holds",
    /// A formula that every state satisfies.
    AlwaysHolds = "always-holds",
    /// A declaration that nothing uses.
    Unused = "unused",
    /// A bound name that hides another one.
    Shadowed = "shadowed",
    /// An order on values for which the language defines none.
    UnspecifiedOrder = "unspecified-order",
    /// A name in a predicate that is neither declared nor a parameter.
    Captured = "captured",
    /// A `case` branch that can never be reached.
    Unreachable = "unreachable",
    /// A model that is correct, and too large for what is asked of it.
    Unsupported = "unsupported",
    /// No state is initial, with a few processes.
    NoInitialState = "no-initial-state",
    /// A transition that is not possible in any state, with a few processes.
    NeverPossible = "never-possible",
    /// A part of a property that is not true in any state, with a few processes.
    NeverTrue = "never-true",
}

/// A stretch of a model to quote in a message, not too long.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 3).chain("...".chars()).collect()
}

/// A marked place with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The marked text.
    pub span: Span,
    /// The words under the mark; may be empty.
    pub text: String,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Its class.
    pub code: Code,
    /// One line: what is wrong.
    pub message: String,
    /// Where it is wrong.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// Facts that explain it.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Vec<String>,
    /// The text that should stand in place of the primary mark, if that is known.
    pub replacement: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            replacement: None,
        }
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Words under the primary mark.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// One more marked place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// A fact that explains the message.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Suggests another text in place of the primary mark.
    #[must_use]
    pub fn did_you_mean(mut self, text: &str) -> Self {
        self.replacement = Some(text.to_owned());
        self.help(format!("did you mean `{text}`?"))
    }

    /// What to write instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}

/// The diagnostics of one text. Keeps at most [`Diagnostics::LIMIT`] of each severity and counts the rest, so
/// that a file of rubbish costs no more than a short list.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Diagnostics {
    /// How many errors, and how many warnings, are kept.
    pub const LIMIT: usize = 1000;

    /// A list of one.
    pub fn from_one(diagnostic: Diagnostic) -> Self {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(diagnostic);
        diagnostics
    }

    /// Adds one, unless there are too many: then it is only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        // Each severity has its own limit: warnings do not crowd out errors.
        if *count <= Self::LIMIT {
            self.list.push(diagnostic);
        }
    }

    /// Adds others.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        others.into_iter().for_each(|other| self.push(other));
    }

    /// Sorts by place, and drops what was said twice: a predicate is read at each of its calls, and would
    /// repeat its mistakes.
    pub fn finish(mut self) -> Self {
        self.list.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity));
        let before = (self.count(Severity::Error), self.count(Severity::Warning));
        self.list.dedup_by(|next, kept| {
            (next.primary.span, next.code, &next.message) == (kept.primary.span, kept.code, &kept.message)
        });
        self.errors -= before.0 - self.count(Severity::Error);
        self.warnings -= before.1 - self.count(Severity::Warning);
        self
    }

    fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// The diagnostics, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Number of errors, those that were not kept included.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Number of warnings, those that were not kept included.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many were counted but not kept.
    pub fn omitted(&self) -> usize {
        self.errors + self.warnings - self.list.len()
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
