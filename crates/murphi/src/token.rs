//! Text to tokens. Comments leave no trace.

use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::span::Span;
use polycube_language::token::MAX_DIGITS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

macro_rules! kinds {
    (
        words { $($word:ident = $spelled:literal,)* }
        symbols { $($symbol:ident = $written:literal,)* }
        others { $($other:ident = $described:literal,)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum TokenKind {
            $($word,)*
            $($symbol,)*
            $($other,)*
        }

        impl TokenKind {
            /// The keyword that this is; `word` is in lower case.
            fn of_word(word: &str) -> Option<TokenKind> {
                match word {
                    $($spelled => Some(TokenKind::$word),)*
                    _ => None,
                }
            }

            pub fn is_keyword(self) -> bool {
                matches!(self, $(TokenKind::$word)|*)
            }

            /// How it is written, or what it is called if there are many ways to write it.
            pub fn text(self) -> &'static str {
                match self {
                    $(TokenKind::$word => $spelled,)*
                    $(TokenKind::$symbol => $written,)*
                    $(TokenKind::$other => $described,)*
                }
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
        Alias = "alias",
        Array = "array",
        Assert = "assert",
        Assume = "assume",
        Begin = "begin",
        Boolean = "boolean",
        By = "by",
        Case = "case",
        Choose = "choose",
        Clear = "clear",
        Const = "const",
        Cover = "cover",
        Do = "do",
        Else = "else",
        Elsif = "elsif",
        End = "end",
        EndAlias = "endalias",
        EndChoose = "endchoose",
        EndExists = "endexists",
        EndFor = "endfor",
        EndForall = "endforall",
        EndFunction = "endfunction",
        EndIf = "endif",
        EndProcedure = "endprocedure",
        EndRecord = "endrecord",
        EndRule = "endrule",
        EndRuleset = "endruleset",
        EndStartstate = "endstartstate",
        EndSwitch = "endswitch",
        EndWhile = "endwhile",
        Enum = "enum",
        Error = "error",
        Exists = "exists",
        ExternFun = "externfun",
        ExternProc = "externproc",
        False = "false",
        For = "for",
        Forall = "forall",
        Function = "function",
        If = "if",
        Invariant = "invariant",
        IsMember = "ismember",
        IsUndefined = "isundefined",
        Liveness = "liveness",
        Multiset = "multiset",
        MultisetAdd = "multisetadd",
        MultisetCount = "multisetcount",
        MultisetRemove = "multisetremove",
        MultisetRemovePred = "multisetremovepred",
        Of = "of",
        Procedure = "procedure",
        Put = "put",
        Real = "real",
        Record = "record",
        Return = "return",
        Rule = "rule",
        Ruleset = "ruleset",
        Scalarset = "scalarset",
        Startstate = "startstate",
        Switch = "switch",
        Then = "then",
        To = "to",
        True = "true",
        Type = "type",
        Undefine = "undefine",
        Undefined = "undefined",
        Union = "union",
        Var = "var",
        While = "while",
    }
    symbols {
        LeftParen = "(",
        RightParen = ")",
        LeftBracket = "[",
        RightBracket = "]",
        LeftBrace = "{",
        RightBrace = "}",
        Dot = ".",
        DotDot = "..",
        Comma = ",",
        Semicolon = ";",
        Colon = ":",
        Assign = ":=",
        Equal = "=",
        DoubleEqual = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        Plus = "+",
        Minus = "-",
        Star = "*",
        Slash = "/",
        Percent = "%",
        Not = "!",
        And = "&",
        DoubleAnd = "&&",
        Or = "|",
        DoubleOr = "||",
        Question = "?",
        Arrow = "->",
        LongArrow = "==>",
        // What other languages write: it is reported, and then read as ours.
        FatArrow = "=>",
        LessGreater = "<>",
    }
    others {
        Name = "a name",
        Integer = "a number",
        Decimal = "a number with a fraction",
        String = "a string",
        // `~`, `^`, `<<`, `>>`
        BitOperator = "a bit operator",
        // Something that has been reported; the parser says nothing more about it.
        Illegal = "something illegal",
        // Behind the last byte.
        EndOfFile = "the end of the file",
    }
}

impl TokenKind {
    /// Words that only one of the two tools reserves: where nothing starts with them they are names.
    pub fn may_be_name(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Name | Assume
                | Choose
                | Cover
                | ExternFun
                | ExternProc
                | IsMember
                | Liveness
                | Multiset
                | MultisetAdd
                | MultisetCount
                | MultisetRemove
                | MultisetRemovePred
                | Real
        )
    }

    /// `end`, `endif`, ...
    pub fn closes_block(self) -> bool {
        self.is_keyword() && self.text().starts_with("end")
    }
}

/// Splits `source` into tokens; the last one is the only [`TokenKind::EndOfFile`]. What is no token is reported, and
/// becomes [`TokenKind::Illegal`].
///
/// # Panics
/// If `source` is longer than 4 GiB (spans are 32 bits wide).
pub(crate) fn tokenize(source: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    assert!(u32::try_from(source.len()).is_ok(), "a source text has at most 4 GiB");
    // A string may span lines, and have escapes in rumur. But where a quote is missing, or a string of CMurphi ends with
    // a backslash, all strings behind it would be turned inside out.
    let readings = [Strings::HaveEscapes, Strings::SpanLines, Strings::EndWithLine];
    let read = readings.into_iter().find_map(|strings| {
        let mut found = Diagnostics::default();
        Some((pieces(source, strings, &mut found)?, found))
    });
    let (tokens, found) = read.expect("where strings end with their lines, all of them are closed");
    diagnostics.extend(found.iter().cloned());
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// They span lines, and `\"` is a part of them.
    HaveEscapes,
    SpanLines,
    EndWithLine,
}

/// The tokens; nothing where strings may span lines and the last one is never closed.
fn pieces(source: &str, strings: Strings, diagnostics: &mut Diagnostics) -> Option<Vec<Token>> {
    let mut tokens: Vec<Token> = Vec::with_capacity(source.len() / 4 + 1);
    let mut run: Option<Span> = None;
    let mut at = 0;
    while at < source.len() {
        let (piece, length) = first_piece(&source[at..], strings);
        let span = Span::new(at as u32, (at + length) as u32);
        at += length;
        // A run of illegal characters is one mistake.
        if let Some(run) = run.take_if(|run| piece != Piece::IllegalCharacter || run.end != span.start) {
            diagnostics.push(illegal_characters(run, source));
        }
        let kind = match piece {
            Piece::Blank => continue,
            Piece::UnclosedComment => {
                diagnostics.push(unclosed_comment(span));
                continue;
            }
            Piece::UnclosedString if strings != Strings::EndWithLine => return None,
            Piece::UnclosedString => {
                let error = Diagnostic::error(Code::Lexical, span, "this string is never closed");
                diagnostics.push(error.label("expected `\"` at its end"));
                TokenKind::String
            }
            Piece::IllegalWord => {
                diagnostics.push(illegal_word(span, source));
                TokenKind::Illegal
            }
            Piece::IllegalCharacter => {
                if let (Some(run), Some(last)) = (&mut run, tokens.last_mut()) {
                    run.end = span.end;
                    last.span = *run;
                    continue;
                }
                run = Some(span);
                TokenKind::Illegal
            }
            Piece::Token(TokenKind::Integer) if length > MAX_DIGITS => {
                let error = Diagnostic::error(Code::Lexical, span, "this number is too long");
                let note = format!("a number may have up to {MAX_DIGITS} digits");
                diagnostics.push(error.label(format!("{length} digits")).note(note));
                TokenKind::Illegal
            }
            Piece::Token(kind) => kind,
        };
        tokens.push(Token { kind, span });
    }
    if let Some(run) = run {
        diagnostics.push(illegal_characters(run, source));
    }
    let end = source.len() as u32;
    tokens.push(Token { kind: TokenKind::EndOfFile, span: Span::new(end, end) });
    Some(tokens)
}

/// What stands at some place of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Token(TokenKind),
    /// White space or a comment.
    Blank,
    UnclosedComment,
    UnclosedString,
    /// What other languages would call a name or a number.
    IllegalWord,
    IllegalCharacter,
}

/// What `text`, which is not empty, starts with, and how many bytes that has: always the longest piece.
fn first_piece(text: &str, strings: Strings) -> (Piece, usize) {
    use TokenKind::*;
    let (kind, length) = match text.as_bytes() {
        [b' ' | b'\t' | b'\r' | b'\n' | b'\x0B' | b'\x0C', ..] => return (Piece::Blank, 1),
        [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => return word(text),
        [b'0'..=b'9', ..] => return number(text),
        [b'-', b'-', ..] => return (Piece::Blank, text.find('\n').unwrap_or(text.len())),
        [b'/', b'*', ..] => {
            return match text[2..].find("*/") {
                Some(end) => (Piece::Blank, end + 4),
                None => (Piece::UnclosedComment, text.len()),
            };
        }
        [b'"', ..] => return string(text, 1, strings),
        [b'=', b'=', b'>', ..] => (LongArrow, 3),
        [b'=', b'=', ..] => (DoubleEqual, 2),
        [b'=', b'>', ..] => (FatArrow, 2),
        [b':', b'=', ..] => (Assign, 2),
        [b'!', b'=', ..] => (NotEqual, 2),
        [b'<', b'=', ..] => (LessEqual, 2),
        [b'<', b'>', ..] => (LessGreater, 2),
        [b'<', b'<', ..] | [b'>', b'>', ..] => (BitOperator, 2),
        [b'>', b'=', ..] => (GreaterEqual, 2),
        [b'-', b'>', ..] => (Arrow, 2),
        [b'&', b'&', ..] => (DoubleAnd, 2),
        [b'|', b'|', ..] => (DoubleOr, 2),
        [b'.', b'.', ..] => (DotDot, 2),
        [b'^' | b'~', ..] => (BitOperator, 1),
        [b'(', ..] => (LeftParen, 1),
        [b')', ..] => (RightParen, 1),
        [b'[', ..] => (LeftBracket, 1),
        [b']', ..] => (RightBracket, 1),
        [b'{', ..] => (LeftBrace, 1),
        [b'}', ..] => (RightBrace, 1),
        [b'.', ..] => (Dot, 1),
        [b',', ..] => (Comma, 1),
        [b';', ..] => (Semicolon, 1),
        [b':', ..] => (Colon, 1),
        [b'=', ..] => (Equal, 1),
        [b'<', ..] => (Less, 1),
        [b'>', ..] => (Greater, 1),
        [b'+', ..] => (Plus, 1),
        [b'-', ..] => (Minus, 1),
        [b'*', ..] => (Star, 1),
        [b'/', ..] => (Slash, 1),
        [b'%', ..] => (Percent, 1),
        [b'!', ..] => (Not, 1),
        [b'&', ..] => (And, 1),
        [b'|', ..] => (Or, 1),
        [b'?', ..] => (Question, 1),
        _ => return beyond_ascii(text, strings),
    };
    (Piece::Token(kind), length)
}

const LONGEST_KEYWORD: usize = "multisetremovepred".len();

fn word(text: &str) -> (Piece, usize) {
    let length = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    let word = &text.as_bytes()[..length];
    if !word.is_ascii() {
        return (Piece::IllegalWord, length);
    }
    let mut lower = [0; LONGEST_KEYWORD];
    let keyword = lower.get_mut(..length).and_then(|lower| {
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        str::from_utf8(lower).ok().and_then(TokenKind::of_word)
    });
    (Piece::Token(keyword.unwrap_or(TokenKind::Name)), length)
}

fn number(text: &str) -> (Piece, usize) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let whole = match text.get(2..).filter(|_| is_hexadecimal) {
        Some(rest) => 2 + rest.bytes().take_while(u8::is_ascii_hexdigit).count(),
        None => digits(text),
    };
    // `0x` alone is no number.
    let whole = if whole == 2 && is_hexadecimal { 1 } else { whole };
    let in_name = |c: char| c == '_' || c.is_alphanumeric();
    let fraction = text[whole..].strip_prefix('.').filter(|_| !is_hexadecimal).map_or(0, digits);
    let (kind, length) = match fraction {
        0 => (TokenKind::Integer, whole),
        _ => (TokenKind::Decimal, whole + 1 + fraction),
    };
    match text[length..].find(|c| !in_name(c)).unwrap_or(text.len() - length) {
        0 => (Piece::Token(kind), length),
        more => (Piece::IllegalWord, length + more),
    }
}

/// A string behind its opening quote.
fn string(text: &str, quote: usize, strings: Strings) -> (Piece, usize) {
    let inner = &text[quote..];
    let line = match strings {
        Strings::HaveEscapes | Strings::SpanLines => inner,
        Strings::EndWithLine => &inner[..inner.find(['\r', '\n']).unwrap_or(inner.len())],
    };
    let mut is_escaped = false;
    let end = line.char_indices().find(|(_, c)| {
        let is_end = !is_escaped && matches!(c, '"' | '”');
        is_escaped = strings == Strings::HaveEscapes && *c == '\\' && !is_escaped;
        is_end
    });
    match end {
        Some((end, closing)) => (Piece::Token(TokenKind::String), quote + end + closing.len_utf8()),
        None => (Piece::UnclosedString, quote + line.len()),
    }
}

/// The symbols of rumur that are not ASCII, and what is no symbol.
fn beyond_ascii(text: &str, strings: Strings) -> (Piece, usize) {
    let first = text.chars().next().unwrap_or(' ');
    let kind = match first {
        '\u{FEFF}' => return (Piece::Blank, first.len_utf8()),
        '“' => return string(text, first.len_utf8(), strings),
        _ if first.is_alphabetic() => return word(text),
        '∀' => TokenKind::Forall,
        '∃' => TokenKind::Exists,
        '≔' => TokenKind::Assign,
        '≥' => TokenKind::GreaterEqual,
        '≤' => TokenKind::LessEqual,
        '≠' => TokenKind::NotEqual,
        '→' => TokenKind::Arrow,
        '⇒' => TokenKind::LongArrow,
        '¬' => TokenKind::Not,
        '∧' => TokenKind::And,
        '∨' => TokenKind::Or,
        _ => return (Piece::IllegalCharacter, first.len_utf8()),
    };
    (Piece::Token(kind), first.len_utf8())
}

/// The text between the quotes of a string.
pub(crate) fn unquoted(text: &str) -> &str {
    let text = text.strip_prefix(['"', '“']).unwrap_or(text);
    text.strip_suffix(['"', '”']).unwrap_or(text)
}

/// A stretch of a model to quote in a message, not too long.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 3).chain("...".chars()).collect()
}

fn unclosed_comment(span: Span) -> Diagnostic {
    let opening = Span::new(span.start, span.start + 2);
    Diagnostic::error(Code::Lexical, opening, "this comment is never closed")
        .label("it starts here and runs to the end of the file")
        .help("close it with `*/`")
}

fn illegal_word(span: Span, source: &str) -> Diagnostic {
    let text = span.text(source);
    let error =
        |what: &str| Diagnostic::error(Code::Lexical, span, format!("`{}` is not a {what}", shortened(text)));
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return error("number").note("a number is `31` or `0x1F`, and a name begins with a letter");
    }
    error("name").note("a name is a letter followed by ASCII letters, digits and `_`")
}

fn illegal_characters(span: Span, source: &str) -> Diagnostic {
    let text = span.text(source);
    let visible = |c: char| !c.is_whitespace() && !c.is_control();
    let shown = if text.chars().all(visible) {
        format!("`{}`", shortened(text))
    } else {
        format!("U+{:04X}", text.chars().next().unwrap_or(' ') as u32)
    };
    let one = text.chars().nth(1).is_none();
    let what = if one { "this character has" } else { "these characters have" };
    let error = Diagnostic::error(Code::Lexical, span, format!("{what} no meaning here: {shown}"));
    match text {
        "'" => error.help("strings are written `\"...\"`"),
        "#" => error.help("a comment is written `-- ...`"),
        _ => error.help("remove it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> (Vec<TokenKind>, usize) {
        let mut diagnostics = Diagnostics::default();
        let tokens = tokenize(source, &mut diagnostics);
        (tokens.iter().map(|token| token.kind).collect(), diagnostics.errors())
    }

    #[test]
    fn keywords_have_any_case_and_names_their_own() {
        use TokenKind::*;
        assert_eq!(
            kinds("EndRule FALSE mUltisetRemovePred rules _x").0,
            [EndRule, False, MultisetRemovePred, Name, Name, EndOfFile]
        );
        assert_eq!(kinds("0x1f..0XFF").0, [Integer, DotDot, Integer, EndOfFile]);
        assert_eq!(
            kinds("1..N 1.5 a.b ==>==->:=:").0,
            [
                Integer,
                DotDot,
                Name,
                Decimal,
                Name,
                Dot,
                Name,
                LongArrow,
                DoubleEqual,
                Arrow,
                Assign,
                Colon,
                EndOfFile
            ]
        );
    }

    #[test]
    fn comments_do_not_nest_and_strings_span_lines() {
        use TokenKind::*;
        assert_eq!(kinds("/* /* */ x -- /* \r\n y /***/"), (vec![Name, Name, EndOfFile], 0));
        assert_eq!(kinds("\"-- /* \n \\\" x"), (vec![String, Name, EndOfFile], 0));
        assert_eq!(kinds("x /* y").1, 1);
        assert_eq!(kinds(r#""a \" b\\" x "c\n""#), (vec![String, Name, String, EndOfFile], 0));
        assert_eq!(kinds(r#"rule "a\" x"#), (vec![Rule, String, Name, EndOfFile], 0));
    }

    #[test]
    fn without_its_closing_quote_a_string_ends_with_its_line() {
        use TokenKind::*;
        assert_eq!(kinds("rule \"a\nrule \"b\" x"), (vec![Rule, String, Rule, String, Name, EndOfFile], 1));
    }

    #[test]
    fn what_is_no_token_is_one_error() {
        assert_eq!(
            kinds("x @@$ y @"),
            (
                vec![
                    TokenKind::Name,
                    TokenKind::Illegal,
                    TokenKind::Name,
                    TokenKind::Illegal,
                    TokenKind::EndOfFile
                ],
                2
            )
        );
        assert_eq!(kinds("0x größe 3x \0 0xG").1, 5);
        assert_eq!(kinds(&"7".repeat(MAX_DIGITS + 1)).1, 1);
    }
}
