//! Text to tokens. Comments are kept apart, in order, for the formatter.

use logos::{Lexer, Logos};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::span::Span;

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// A comment, delimiters included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands.
    pub span: Span,
}

/// The tokens of a text, ended by [`TokenKind::End`], and its comments.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// All tokens; the last one is the only [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// All comments.
    pub comments: Vec<Comment>,
}

/// The kinds of tokens.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\x0C\u{FEFF}]+")]
#[repr(u8)]
#[allow(missing_docs)] // each is its own text
pub enum TokenKind {
    #[token("type")]
    Type,
    #[token("init")]
    Init,
    #[token("transition")]
    Transition,
    #[token("invariant")]
    Invariant,
    #[token("requires")]
    #[token("require")]
    Requires,
    #[token("array")]
    Array,
    #[token("var")]
    Var,
    #[token("const")]
    Const,
    #[token("unsafe")]
    Unsafe,
    #[token("case")]
    Case,
    #[token("forall_other")]
    ForallOther,
    #[token("exists_other")]
    ExistsOther,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("predicate")]
    Predicate,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("not")]
    #[token("!")]
    Not,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("number_procs")]
    NumberProcs,
    #[token("let")]
    Let,
    #[token("in")]
    In,
    #[regex("[a-z][a-zA-Z0-9_]*")]
    Lower,
    #[regex("[A-Z][a-zA-Z0-9_]*")]
    Upper,
    #[regex("[0-9]+", priority = 3)]
    Integer,
    #[regex(r"[0-9]+\.[0-9]*")]
    Real,
    #[regex("#[1-9][0-9]*")]
    Process,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token(":")]
    Colon,
    #[token("=")]
    Equal,
    #[token("=>")]
    Implies,
    #[token("<=>")]
    Iff,
    #[token(":=")]
    Assign,
    #[token("<>")]
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("||")]
    Or,
    #[token("|")]
    Bar,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("_")]
    Underscore,
    #[token("&&")]
    And,
    #[regex(r"\(\*", block_comment)]
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment,
    /// `==`, which is reported and then read as `=`.
    #[token("==")]
    DoubleEqual,
    /// `/=`, which is reported and then read as `<>`.
    #[token("/=")]
    SlashEqual,
    /// `=<`, which is reported and then read as `<=`.
    #[token("=<")]
    EqualLess,
    /// `->` and `==>`, which are reported and then read as `=>`.
    #[token("->")]
    #[token("==>")]
    Arrow,
    /// `&`, `/\\`, which are reported and then read as `&&`.
    #[token("&")]
    #[token("/\\")]
    SingleAnd,
    /// `\\/`, which is reported and then read as `||`.
    #[token("\\/")]
    BackslashOr,
    /// `~`, which is reported and then read as `not`.
    #[token("~")]
    Tilde,
    /// Something that has been reported; the parser says nothing more about it.
    #[regex(r"[\p{L}_][\p{L}\p{N}_']*", priority = 1)]
    #[regex("\"[^\"\n]*\"", priority = 1)]
    #[regex(r"/\*", c_comment)]
    Illegal,
    /// Behind the last byte.
    End,
}

/// Ends a `(*` comment at its matching `*)`; comments nest. The rest of the text where there is none.
fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> bool {
    let rest = lexer.remainder().as_bytes();
    let (mut depth, mut at) = (1usize, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'(', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b')', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            lexer.bump(at);
            return true;
        }
    }
    lexer.bump(rest.len());
    false
}

/// Ends a comment of the C language.
fn c_comment(lexer: &mut Lexer<'_, TokenKind>) -> bool {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |end| end + 2));
    true
}

impl TokenKind {
    /// Whether a declaration starts here: where the parser finds its feet again after a mistake.
    pub fn starts_declaration(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Type | Init | Transition | Invariant | Array | Var | Const | Unsafe | Predicate | NumberProcs
        )
    }

    /// Whether this word is reserved.
    pub fn is_keyword(self) -> bool {
        (self as u8) <= (TokenKind::In as u8)
    }

    /// How messages name it.
    pub fn describe(self) -> &'static str {
        use TokenKind::*;
        match self {
            Type => "`type`",
            Init => "`init`",
            Transition => "`transition`",
            Invariant => "`invariant`",
            Requires => "`requires`",
            Array => "`array`",
            Var => "`var`",
            Const => "`const`",
            Unsafe => "`unsafe`",
            Case => "`case`",
            ForallOther => "`forall_other`",
            ExistsOther => "`exists_other`",
            Forall => "`forall`",
            Exists => "`exists`",
            Predicate => "`predicate`",
            If => "`if`",
            Then => "`then`",
            Else => "`else`",
            Not => "`not`",
            True => "`true`",
            False => "`false`",
            NumberProcs => "`number_procs`",
            Let => "`let`",
            In => "`in`",
            Lower => "a lower-case name",
            Upper => "an upper-case name",
            Integer => "an integer",
            Real => "a real number",
            Process => "a process constant",
            LeftParen => "`(`",
            RightParen => "`)`",
            LeftBracket => "`[`",
            RightBracket => "`]`",
            LeftBrace => "`{`",
            RightBrace => "`}`",
            Dot => "`.`",
            Question => "`?`",
            Plus => "`+`",
            Minus => "`-`",
            Star => "`*`",
            Colon => "`:`",
            Equal => "`=`",
            Implies => "`=>`",
            Iff => "`<=>`",
            Assign => "`:=`",
            NotEqual => "`<>`",
            Less => "`<`",
            LessEqual => "`<=`",
            Greater => "`>`",
            GreaterEqual => "`>=`",
            Or => "`||`",
            Bar => "`|`",
            Comma => "`,`",
            Semicolon => "`;`",
            Underscore => "`_`",
            And => "`&&`",
            Comment => "a comment",
            DoubleEqual => "`==`",
            SlashEqual => "`/=`",
            EqualLess => "`=<`",
            Arrow => "`->`",
            SingleAnd => "`&`",
            BackslashOr => "`\\/`",
            Tilde => "`~`",
            Illegal => "something illegal",
            End => "the end of the file",
        }
    }
}

/// The longest number, in digits: beyond it, arithmetic on a number costs more than reading it.
pub const MAX_DIGITS: usize = 1000;

/// Splits `source` into tokens. What is no token is reported, and becomes [`TokenKind::Illegal`].
///
/// # Panics
/// If `source` is longer than 4 GiB (spans are 32 bits wide).
pub fn tokenize(source: &str, diagnostics: &mut Diagnostics) -> Tokens {
    assert!(u32::try_from(source.len()).is_ok(), "a source text has at most 4 GiB");
    let mut tokens: Vec<Token> = Vec::with_capacity(source.len() / 4);
    let mut comments = Vec::new();
    let mut runs: Vec<Span> = Vec::new();
    let mut lexer = TokenKind::lexer(source);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let mut span = Span::new(range.start as u32, range.end as u32);
        let kind = match result {
            Ok(TokenKind::Comment) => {
                comments.push(Comment { span });
                continue;
            }
            Ok(TokenKind::Illegal) => {
                diagnostics.push(illegal_word(span, source));
                if span.text(source).starts_with("/*") {
                    continue;
                }
                TokenKind::Illegal
            }
            Ok(kind @ (TokenKind::Integer | TokenKind::Real)) if range.len() > MAX_DIGITS => {
                diagnostics.push(
                    Diagnostic::error(Code::Lexical, span, "this number is too long")
                        .label(format!("{} characters", range.len()))
                        .note(format!("numbers are exact and may have up to {MAX_DIGITS} digits")),
                );
                span.end = span.start + 1;
                kind
            }
            Ok(kind) => kind,
            Err(()) if span.text(source).starts_with("(*") => {
                diagnostics.push(unclosed_comment(span, source));
                continue;
            }
            Err(()) => {
                // A run of illegal characters is one mistake.
                if let (Some(run), Some(last)) = (runs.last_mut(), tokens.last_mut())
                    && run.end == span.start
                {
                    run.end = span.end;
                    last.span = *run;
                    continue;
                }
                runs.push(span);
                TokenKind::Illegal
            }
        };
        tokens.push(Token { kind, span });
    }
    for run in runs {
        diagnostics.push(illegal_characters(run, source));
    }
    let end = source.len() as u32;
    tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    Tokens { tokens, comments }
}

fn unclosed_comment(span: Span, source: &str) -> Diagnostic {
    let opening = Span::new(span.start, span.start + 2);
    let error = Diagnostic::error(Code::Lexical, opening, "this comment is never closed")
        .label("it starts here and runs to the end of the file");
    // Where comments are nested inside, the slip is more likely at the last one.
    match span.text(source)[2..].rfind("(*") {
        Some(inner) => {
            let inner = span.start + 2 + inner as u32;
            error
                .also(Span::new(inner, inner + 2), "the last one that is opened")
                .help("comments nest: each `(*` needs its own `*)`")
        }
        None => error.help("close it with `*)`"),
    }
}

/// A word that is none of ours.
fn illegal_word(span: Span, source: &str) -> Diagnostic {
    let text = span.text(source);
    let shown = crate::diagnostic::shortened(text);
    let error = |message: String| Diagnostic::error(Code::Lexical, span, message);
    if text.starts_with("/*") {
        return error("this is not a comment of this language".to_owned())
            .help("write `(* ... *)`, or `//` for one line");
    }
    if text.starts_with('"') {
        return error("there are no strings".to_owned())
            .help("declare the values of a type: `type t = Idle | Busy`");
    }
    let error = error(format!("`{shown}` is not a name"))
        .note("a name is a letter followed by ASCII letters, digits and `_`");
    if let Some(plain) = text.strip_suffix('\'') {
        error.help(format!("for the next value write `{plain} := ...` in the body of a transition"))
    } else if text.starts_with('_') {
        error.help(format!("write `{}`", text.trim_start_matches('_')))
    } else {
        error
    }
}

fn illegal_characters(span: Span, source: &str) -> Diagnostic {
    let text = span.text(source);
    let first = text.chars().next().unwrap_or(' ');
    let visible = |c: char| !c.is_whitespace() && !c.is_control();
    let shown = if text.chars().all(visible) {
        format!("`{}`", crate::diagnostic::shortened(text))
    } else {
        format!("U+{:04X}", first as u32)
    };
    let one = text.chars().nth(1).is_none();
    let what = if one { "this character has" } else { "these characters have" };
    let error = Diagnostic::error(Code::Lexical, span, format!("{what} no meaning here: {shown}"));
    match first {
        '#' => error
            .help("process constants are `#1`, `#2`, ... (they need `number_procs`); a comment is `// ...`"),
        '∀' => error.help("write `forall` or `forall_other`"),
        '∃' => error.help("write `exists` or `exists_other`"),
        '≠' => error.help("write `<>`"),
        '≤' => error.help("write `<=`"),
        '≥' => error.help("write `>=`"),
        '∧' => error.help("write `&&`"),
        '∨' => error.help("write `||`"),
        '¬' => error.help("write `not`"),
        '⇒' | '→' => error.help("write `=>`"),
        '⇔' | '↔' => error.help("write `<=>`"),
        '/' => error.help("there is no division; a comment is `(* ... *)` or `// ...`"),
        '%' => error.help("there is no remainder"),
        '^' => error.help("there are no powers"),
        c if c.is_whitespace() => error.help("replace it by a blank"),
        _ => error.help("remove it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> (Vec<TokenKind>, usize, usize) {
        let mut diagnostics = Diagnostics::default();
        let tokens = tokenize(source, &mut diagnostics);
        let kinds = tokens.tokens.iter().map(|token| token.kind).collect();
        (kinds, tokens.comments.len(), diagnostics.errors())
    }

    #[test]
    fn words_symbols_and_numbers() {
        use TokenKind::*;
        assert_eq!(kinds("X-1").0, [Upper, Minus, Integer, End]);
        assert_eq!(kinds("1. 1.5 007").0, [Real, Real, Integer, End]);
        assert_eq!(
            kinds("forall_other forall_others requires require").0,
            [ForallOther, Lower, Requires, Requires, End]
        );
        assert_eq!(kinds("a<=>b<>c!=d=>e:=f").0[1], Iff);
        assert_eq!(kinds("#1 !x _").0, [Process, Not, Lower, Underscore, End]);
    }

    #[test]
    fn comments_nest_and_know_no_strings() {
        assert_eq!(kinds("(* a (* b *) c *) X").1, 1);
        assert_eq!(kinds("(* \"*)\" *)").2, 1, "a quote inside a comment does not protect `*)`");
        assert_eq!(kinds("// (* not opened\nX // end").1, 2);
        assert_eq!(kinds("(*) *) X").0, [TokenKind::Upper, TokenKind::End]);
        assert_eq!(kinds("X (* (* *)").2, 1);
        assert_eq!(kinds("(***) X").0, [TokenKind::Upper, TokenKind::End]);
    }

    #[test]
    fn runs_of_illegal_characters_are_one_error() {
        assert_eq!(kinds("X @@@ Y @").2, 2);
        assert_eq!(kinds("#0").2, 1);
        assert_eq!(kinds("größe _x X' \"a b\" /* c */").2, 5);
    }
}
