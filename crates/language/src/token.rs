//! Text to tokens. Comments are kept apart, in order, for the formatter.

use crate::diagnostic::{Code, Diagnostic, Diagnostics, shortened};
use crate::span::Span;

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The tokens of a text, ended by [`TokenKind::End`], and its comments.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// All tokens; the last one is the only [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The places of all comments, delimiters included.
    pub comments: Vec<Span>,
}

macro_rules! kinds {
    (
        words { $($word:ident = $spelled:literal,)* }
        symbols { $($symbol:ident = $written:literal,)* }
        others { $($other:ident = $described:literal,)* }
    ) => {
        /// The kinds of tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // each is its own text
        pub enum TokenKind {
            $($word,)*
            $($symbol,)*
            $($other,)*
        }

        impl TokenKind {
            /// The reserved word that this is.
            fn of_word(word: &str) -> Option<TokenKind> {
                match word {
                    $($spelled => Some(TokenKind::$word),)*
                    _ => None,
                }
            }

            /// Whether it is a reserved word.
            pub fn is_keyword(self) -> bool {
                matches!(self, $(TokenKind::$word)|*)
            }

            /// How messages name it.
            pub fn describe(self) -> &'static str {
                match self {
                    $(TokenKind::$word => concat!("`", $spelled, "`"),)*
                    $(TokenKind::$symbol => concat!("`", $written, "`"),)*
                    $(TokenKind::$other => $described,)*
                }
            }
        }
    };
}

kinds! {
    words {
        Type = "type",
        Init = "init",
        Transition = "transition",
        Invariant = "invariant",
        Requires = "requires",
        Array = "array",
        Var = "var",
        Const = "const",
        Unsafe = "unsafe",
        UniversalUnsafe = "universal_unsafe",
        Case = "case",
        ForallOther = "forall_other",
        ExistsOther = "exists_other",
        Forall = "forall",
        Exists = "exists",
        Predicate = "predicate",
        If = "if",
        Then = "then",
        Else = "else",
        Not = "not",
        True = "true",
        False = "false",
        NumberProcs = "number_procs",
        Let = "let",
        In = "in",
    }
    symbols {
        LeftParen = "(",
        RightParen = ")",
        LeftBracket = "[",
        RightBracket = "]",
        LeftBrace = "{",
        RightBrace = "}",
        Dot = ".",
        HashBrace = "#{",
        Question = "?",
        Plus = "+",
        Minus = "-",
        Star = "*",
        Colon = ":",
        Equal = "=",
        Implies = "=>",
        Iff = "<=>",
        Assign = ":=",
        NotEqual = "<>",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        Or = "||",
        Bar = "|",
        Comma = ",",
        Semicolon = ";",
        Underscore = "_",
        And = "&&",
        // What other languages write: it is reported, and then read as ours (`Parser::read_as`).
        DoubleEqual = "==",
        SlashEqual = "/=",
        EqualLess = "=<",
        Arrow = "->",
        DoubleArrow = "<->",
        SingleAnd = "&",
        BackslashOr = "\\/",
        Tilde = "~",
    }
    others {
        Lower = "a lower-case name",
        Upper = "an upper-case name",
        Integer = "an integer",
        Real = "a real number",
        Process = "a process constant",
        // Something that has been reported; the parser says nothing more about it.
        Illegal = "something illegal",
        // Behind the last byte.
        End = "the end of the file",
    }
}

impl TokenKind {
    /// The words with which declarations start.
    pub const DECLARATIONS: [TokenKind; 11] = {
        use TokenKind::*;
        [
            Type,
            Var,
            Const,
            Array,
            Init,
            Unsafe,
            UniversalUnsafe,
            Invariant,
            Transition,
            Predicate,
            NumberProcs,
        ]
    };

    /// Whether a declaration starts here: where the parser finds its feet again after a mistake.
    pub fn starts_declaration(self) -> bool {
        TokenKind::DECLARATIONS.contains(&self)
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
    let mut at = 0;
    while at < source.len() {
        let (piece, length) = first_piece(&source[at..]);
        let mut span = Span::new(at as u32, (at + length) as u32);
        at += length;
        let kind = match piece {
            Piece::Blank => continue,
            Piece::Comment => {
                comments.push(span);
                continue;
            }
            Piece::UnclosedComment => {
                diagnostics.push(unclosed_comment(span, source));
                continue;
            }
            Piece::ForeignComment => {
                diagnostics.push(illegal_word(span, source));
                continue;
            }
            Piece::IllegalWord => {
                diagnostics.push(illegal_word(span, source));
                TokenKind::Illegal
            }
            Piece::IllegalCharacter => {
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
            Piece::Token(kind @ (TokenKind::Integer | TokenKind::Real)) if length > MAX_DIGITS => {
                diagnostics.push(
                    Diagnostic::error(Code::Lexical, span, "this number is too long")
                        .label(format!("{length} characters"))
                        .note(format!("numbers are exact and may have up to {MAX_DIGITS} digits")),
                );
                span.end = span.start + 1;
                kind
            }
            Piece::Token(kind) => kind,
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

/// What stands at some place of a text.
enum Piece {
    Token(TokenKind),
    Blank,
    Comment,
    /// A comment that runs to the end of the text.
    UnclosedComment,
    /// A comment of the C language.
    ForeignComment,
    /// A name or a string, as other languages have them.
    IllegalWord,
    IllegalCharacter,
}

/// What `text`, which is not empty, starts with, and how many bytes that has: always the longest piece.
fn first_piece(text: &str) -> (Piece, usize) {
    use TokenKind::*;
    let (kind, length) = match text.as_bytes() {
        [b' ' | b'\t' | b'\r' | b'\n' | b'\x0C', ..] => return (Piece::Blank, 1),
        [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => return word(text),
        [b'0'..=b'9', ..] => number(text),
        [b'#', b'1'..=b'9', ..] => (Process, 1 + digits(&text[1..])),
        [b'#', b'{', ..] => (HashBrace, 2),
        [b'(', b'*', ..] => return block_comment(text),
        [b'/', b'/', ..] => return (Piece::Comment, text.find('\n').unwrap_or(text.len())),
        [b'/', b'*', ..] => {
            return (Piece::ForeignComment, text[2..].find("*/").map_or(text.len(), |end| end + 4));
        }
        [b'<', b'=', b'>', ..] => (Iff, 3),
        [b'<', b'=', b'=', b'>', ..] => (DoubleArrow, 4),
        [b'<', b'-', b'>', ..] => (DoubleArrow, 3),
        [b'=', b'/', b'=', ..] => (SlashEqual, 3),
        [b'=', b'=', b'=', ..] => (DoubleEqual, 3),
        [b'=', b'=', b'>', ..] => (Arrow, 3),
        [b'=', b'>', ..] => (Implies, 2),
        [b':', b'=', ..] => (Assign, 2),
        [b'<', b'>', ..] | [b'!', b'=', ..] => (NotEqual, 2),
        [b'<', b'=', ..] => (LessEqual, 2),
        [b'>', b'=', ..] => (GreaterEqual, 2),
        [b'|', b'|', ..] => (Or, 2),
        [b'&', b'&', ..] => (And, 2),
        [b'=', b'=', ..] => (DoubleEqual, 2),
        [b'/' | b'~', b'=', ..] => (SlashEqual, 2),
        [b'=', b'<', ..] => (EqualLess, 2),
        [b'-', b'>', ..] => (Arrow, 2),
        [b'/', b'\\', ..] => (SingleAnd, 2),
        [b'\\', b'/', ..] => (BackslashOr, 2),
        [b'(', ..] => (LeftParen, 1),
        [b')', ..] => (RightParen, 1),
        [b'[', ..] => (LeftBracket, 1),
        [b']', ..] => (RightBracket, 1),
        [b'{', ..] => (LeftBrace, 1),
        [b'}', ..] => (RightBrace, 1),
        [b'.', ..] => (Dot, 1),
        [b'?', ..] => (Question, 1),
        [b'+', ..] => (Plus, 1),
        [b'-', ..] => (Minus, 1),
        [b'*', ..] => (Star, 1),
        [b':', ..] => (Colon, 1),
        [b'=', ..] => (Equal, 1),
        [b'!', ..] => (Not, 1),
        [b'<', ..] => (Less, 1),
        [b'>', ..] => (Greater, 1),
        [b'|', ..] => (Bar, 1),
        [b'&', ..] => (SingleAnd, 1),
        [b'~', ..] => (Tilde, 1),
        [b',', ..] => (Comma, 1),
        [b';', ..] => (Semicolon, 1),
        _ => return foreign(text),
    };
    (Piece::Token(kind), length)
}

/// A name, a reserved word, `_`, or what other languages would call a name.
fn word(text: &str) -> (Piece, usize) {
    use TokenKind::*;
    let in_name = |c: char| c == '_' || c == '\'' || c.is_alphanumeric();
    let length = text.find(|c| !in_name(c)).unwrap_or(text.len());
    let word = &text[..length];
    let kind = match word {
        "_" => Underscore,
        "require" => Requires,
        _ if !word.bytes().all(|c| c == b'_' || c.is_ascii_alphanumeric()) => {
            return (Piece::IllegalWord, length);
        }
        _ if word.starts_with(|c: char| c.is_ascii_lowercase()) => TokenKind::of_word(word).unwrap_or(Lower),
        _ if word.starts_with(|c: char| c.is_ascii_uppercase()) => Upper,
        _ => return (Piece::IllegalWord, length),
    };
    (Piece::Token(kind), length)
}

/// How many digits `text` starts with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn number(text: &str) -> (TokenKind, usize) {
    let whole = digits(text);
    match text[whole..].strip_prefix('.') {
        Some(fraction) => (TokenKind::Real, whole + 1 + digits(fraction)),
        None => (TokenKind::Integer, whole),
    }
}

/// A `(*` comment, up to its matching `*)`: comments nest.
fn block_comment(text: &str) -> (Piece, usize) {
    let text = text.as_bytes();
    let (mut depth, mut at) = (1usize, 2);
    while at < text.len() {
        match &text[at..] {
            [b'(', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b')', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return (Piece::Comment, at);
        }
    }
    (Piece::UnclosedComment, at)
}

/// What starts with a character that no token of ours starts with.
fn foreign(text: &str) -> (Piece, usize) {
    let first = text.chars().next().unwrap_or(' ');
    match first {
        '\u{FEFF}' => (Piece::Blank, first.len_utf8()),
        '"' => {
            let end = text[1..].find(['"', '\n']).map_or(text.len(), |end| end + 1);
            (Piece::IllegalWord, end + usize::from(text[end..].starts_with('"')))
        }
        _ if first.is_alphabetic() => word(text),
        _ => (Piece::IllegalCharacter, first.len_utf8()),
    }
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
    let error = |message: &str| Diagnostic::error(Code::Lexical, span, message);
    if text.starts_with("/*") {
        return error("this is not a comment of this language")
            .help("write `(* ... *)`, or `//` for one line");
    }
    if text.starts_with('"') {
        return error("there are no strings").help("declare the values of a type: `type t = Idle | Busy`");
    }
    let error = error(&format!("`{}` is not a name", shortened(text)))
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
        format!("`{}`", shortened(text))
    } else {
        format!("U+{:04X}", first as u32)
    };
    let one = text.chars().nth(1).is_none();
    let what = if one { "this character has" } else { "these characters have" };
    let error = Diagnostic::error(Code::Lexical, span, format!("{what} no meaning here: {shown}"));
    error.help(match first {
        '#' => "process constants are `#1`, `#2`, ... (they need `number_procs`); a comment is `// ...`",
        '∀' => "write `forall` or `forall_other`",
        '∃' => "write `exists` or `exists_other`",
        '≠' => "write `<>`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '∧' => "write `&&`",
        '∨' => "write `||`",
        '¬' => "write `not`",
        '⇒' | '→' => "write `=>`",
        '⇔' | '↔' => "write `<=>`",
        '/' => "there is no division; a comment is `(* ... *)` or `// ...`",
        '%' => "there is no remainder",
        '^' => "there are no powers",
        c if c.is_whitespace() => "replace it by a blank",
        _ => "remove it",
    })
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
        assert_eq!(kinds("X = \"a @\nY").0.len(), 5, "a string that is not closed ends with its line");
    }
}
