//! What is read, how mistakes are reported, and that nothing makes the parser panic or slow.

use std::fmt::Write as _;
use std::time::Duration;

use polycube_language::diagnostic::{Code, Diagnostics};
use polycube_testing::generate::Random;
use polycube_testing::{for_seeds, processor_time, shared_text};

use super::parse;
use crate::syntax::{Declaration, Expr, ExprKind, File, Operator, Range, RuleKind, StatementKind, TypeKind};
use crate::token::tokenize;

/// A model with nearly everything in it.
const MODEL: &str = r#"
const N: 3; Low, High: 1 + 2
type
  Proc: scalarset(N); Level: 0..N-1; Color: enum {Red, Green,};
  Any: union {Proc, enum {Home, None}};
  Cell: record a, b: boolean; c: array[Level] of Any end;
  Bag: multiset[N] of Color; R: real(3, 8);
VAR cell: Array [Proc] Of Cell; x, y: Level; bag: Bag; cover: boolean;

function next(l: Level; var c: Color): Level;
var other: Level;
begin
  other := l = N - 1 ? 0 : l + 1;
  if c = Red then return other elsif c == Green && !(l != 0) then return 0; else error "no color" endif;
end;
procedure reset(); begin clear x; undefine cell; end;

Ruleset p: Proc; l := 0 to 2 by 1 do
  alias f: cell[p]; g: cell[p].c do
    rule 10 "enter" !f.a & forall q: Proc; r: Proc do q = r | cell[q].b endforall ==>
      var z: Level;
    Begin
      z := next(l, undefined);
      for i: Level : g[i] := undefined; end;
      switch z case 0, 1: x := z; case 2: reset() else put "none"; endswitch;
      while x < 2 do x := x + 1; end;
      assert isundefined(x) | ismember(g[0], Proc) "message";;
      multisetadd(x, bag); multisetremove(0, bag); multisetremovepred(i: bag, bag[i] = Red)
    EndRule;
    rule begin x := -x * 2 % 3 end
  end
end;
choose i: bag do rule "take" multisetcount(j: bag, true) > 0 ==> cover := false; end; endchoose;
startstate "start" x := 0; END;
invariant "safe" exists p: Proc do cell[p].a end -> x <= High
invariant x >= 0 "text behind";
assume x = 0; liveness "progress" y = 1
"#;

fn accept(source: &str) -> File<'_> {
    let parsed = parse(source);
    let messages: Vec<&str> = parsed.diagnostics.iter().map(|error| error.message.as_str()).collect();
    assert!(messages.is_empty(), "{source}\n{messages:#?}");
    parsed.file
}

/// The expression, with all its parentheses.
fn grouped(source: &str) -> String {
    let source = format!("invariant {source}");
    let file = accept(&source);
    let RuleKind::Invariant { formula, .. } = &file.rules[0].kind else { panic!("an invariant") };
    show(formula)
}

fn show(expr: &Expr<'_>) -> String {
    let symbol = |operator| match operator {
        Operator::Implies => "->",
        Operator::Or => "|",
        Operator::And => "&",
        Operator::Equal => "=",
        Operator::Less => "<",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        _ => "?",
    };
    match &expr.kind {
        ExprKind::Name(name) => name.text.to_owned(),
        ExprKind::Integer(digits) => (*digits).to_owned(),
        ExprKind::Not(inner) => format!("!{}", show(inner)),
        ExprKind::Negative(inner) => format!("-{}", show(inner)),
        ExprKind::Binary(operator, sides) => {
            format!("({} {} {})", show(&sides[0]), symbol(*operator), show(&sides[1]))
        }
        ExprKind::Conditional(parts) => {
            format!("({} ? {} : {})", show(&parts[0]), show(&parts[1]), show(&parts[2]))
        }
        other => format!("{other:?}"),
    }
}

/// The errors: what is marked, the message, and the help, if there is one.
fn mistakes(source: &str) -> Vec<String> {
    let show = |diagnostics: &Diagnostics| {
        let lines = diagnostics.iter().map(|error| {
            let mut line = format!("{}: {}", error.primary.span.text(source), error.message);
            for label in &error.secondary {
                let _ = write!(line, " ({}: {})", label.span.text(source), label.text);
            }
            error.help.iter().for_each(|help| line += &format!(" [{help}]"));
            line
        });
        lines.collect()
    };
    show(&parse(source).diagnostics)
}

#[test]
fn everything_is_read() {
    let file = accept(MODEL);
    assert_eq!((file.declarations.len(), file.routines.len(), file.rules.len()), (14, 2, 7));
    let RuleKind::Ruleset { quantifiers, rules } = &file.rules[0].kind else { panic!("a ruleset") };
    assert!(matches!(quantifiers[1].range, Range::Steps { by: Some(_), .. }));
    let RuleKind::Alias { aliases, rules } = &rules[0].kind else { panic!("aliases") };
    assert_eq!(aliases.len(), 2);
    let [RuleKind::Simple { name, guard, body }, RuleKind::Simple { guard: None, .. }] =
        [&rules[0].kind, &rules[1].kind]
    else {
        panic!("two rules")
    };
    assert_eq!(name.map(|name| name.text), Some("enter"));
    assert!(guard.is_some());
    assert_eq!((body.declarations.len(), body.statements.len()), (1, 8));
    assert!(matches!(body.statements[4].kind, StatementKind::Assert { message: Some(_), .. }));
    assert!(matches!(file.rules[5].kind, RuleKind::Unsupported { .. }));
    let Declaration::Type { ty, .. } = &file.declarations[6] else { panic!("a type") };
    assert!(matches!(&ty.kind, TypeKind::Union(members) if members.len() == 2));
}

#[test]
fn operators_bind_as_in_both_tools() {
    assert_eq!(grouped("! x = 2 & y"), "(!(x = 2) & y)");
    assert_eq!(grouped("a = !b = c"), "(a = !(b = c))");
    assert_eq!(grouped("a -> b | c & d"), "(a -> (b | (c & d)))");
    assert_eq!(grouped("a -> b ? c : d -> e"), "((a -> b) ? c : (d -> e))");
    assert_eq!(grouped("a ? b ? 1 : 2 : 3"), "(a ? (b ? 1 : 2) : 3)");
    assert_eq!(grouped("- a * b - -c - d < +1"), "((((-a * b) - -c) - d) < 1)");
    assert_eq!(grouped("(a = b) = c"), "((a = b) = c)");
    // What only rumur has is looser than its short forms.
    assert_eq!(grouped("a | b && c | d || e"), "(((a | b) & (c | d)) | e)");
}

/// Most were tried with rumur 2022.08; the rest is CMurphi's.
#[test]
fn what_one_tool_accepts_is_accepted() {
    // Semicolons are needed between statements only.
    accept(
        "const N: 0x2 M: 3 type P: scalarset(N) Q: 0..M var a: array[P] of boolean x: Q y: 0..31
         procedure f() begin x := 1 end function g(): boolean begin return true end
         startstate begin x := 0; y := 0 end rule begin f() end invariant x = 1 invariant x < 2",
    );
    accept("rule x == 1 && y != 2 || z ==> begin end;; ; rule \"n\" if x = 1 then x := 2; end end");
    accept(
        "assume x < 3; cover \"c\" x = 2; liveness x = 1; assert \"a\" x < 3; assert x < 30 \"b\"; assert (x = x)",
    );
    accept("rule !!(x = 1) ==> x := - -1 + 2; end; rule \"a \\\" b\" begin put \"a\\n\"; end");
    accept("rule begin for i := 0 to C do x := i end; for i := C to 0 by -1 do x := i end end");
    accept("rule begin switch x case 1: y := 1 case 2, 3: y := 2 else y := 3 end end");
    // Rules, routines and declarations in any order.
    accept("rule begin f(); x := M; end; procedure f(); begin end; var x: T; type T: 0..M; const M: 1;");
    accept("const N: 2;\r\ntype P: scalarset(N);\rvar _x, __y: P;\r\nstartstate -- c\r\nend\r");
    accept("rule a == b ∧ c ≠ d ⇒ x ≔ 1 end");
    assert_eq!(mistakes("rule begin x := y << 1; end"), ["<<: bit operators are not supported"]);
    assert_eq!(mistakes("rule begin x := ~y; z := 1; end"), ["~: bit operators are not supported"]);
}

#[test]
fn what_does_not_chain_is_an_error() {
    assert_eq!(
        mistakes("invariant a -> b -> c"),
        [
            "->: implications cannot be chained (a -> b: the first one) [write `a -> (b -> c)` or `(a -> b) -> c`]"
        ]
    );
    assert_eq!(
        mistakes("invariant 0 < x < 2 < 3"),
        ["<: comparisons cannot be chained (0 < x: the first one) [write `0 < x & x < 2`, or `(0 < x) < 2`]"]
    );
}

#[test]
fn blocks_are_closed_by_their_own_word() {
    accept("rule x ==> if a then for i: T do x := 1 endfor end endrule");
    assert_eq!(
        mistakes("rule x ==> for i: T do x := 1; endif; end; rule y ==> end"),
        ["endif: `endif` does not close `for` (for: this `for` is still open)"]
    );
    assert_eq!(mistakes("rule x ==> if a then for i: T do x := 1; endif; end; rule y ==> end").len(), 1);
    assert_eq!(
        mistakes("ruleset i: T do rule x ==> if a then x := 1; end; rule y ==> end; end;"),
        [
            "rule: expected a statement, `end` or `endrule`, found the keyword `rule` (rule: this `rule` is still open)"
        ]
    );
    assert_eq!(mistakes("rule x ==> y := 1; end; end; rule y ==> end"), ["end: this `end` closes nothing"]);
    assert_eq!(
        mistakes("rule x ==> if a then x := 1; else if b then x := 2; end; end")[0]
            .split_once('[')
            .map(|x| x.1),
        Some("`else if` opens a second `if` with an `end` of its own; perhaps `elsif` is meant]")
    );
}

#[test]
fn frequent_mistakes_have_a_remedy() {
    let check = |source, expected: &str| assert_eq!(mistakes(source), [expected], "{source}");
    check("rule x ==> x = 1; end", "=: expected `:=`, found `=` [to assign write `:=`]");
    check(
        "rule x := 1 ==> x := 2; end",
        ":=: expected an operator, found `:=` [this is an expression: write `=` to compare]",
    );
    let help = "a guard ends with `==>`; a rule without one starts with `begin`";
    check("rule x := 1; y := 2; end", &format!(":=: expected an operator or `==>`, found `:=` [{help}]"));
    check("rule \"n\" x = 1 y := 2; end", &format!("y: expected an operator or `==>`, found `y` [{help}]"));
    check("rule x ==> if a x := 1; end; end", "x: expected an operator or `then`, found `x`");
    check(
        "rule x ==> x := 1 y := 2; end",
        "1: `;` is missing behind this statement [statements are separated by `;`]",
    );
    check(
        "ruel x ==> end; rule y ==> end",
        "ruel: expected a declaration or a rule, found `ruel` [did you mean `rule`?]",
    );
    check(
        "rule x ==> wihle a do x := 1; end; end",
        "wihle: expected a statement, found `wihle` [did you mean `while`?]",
    );
    check(
        "rule x ==> if a then x := 1; esle x := 2; end; end",
        "esle: expected a statement, found `esle` [did you mean `else`?]",
    );
    check("rule a and b ==> end", "and: expected an operator, found `and` [write `&`]");
    check(
        "procedure p(); var a: T; a := 1; end;",
        "a: expected a declaration or `begin`, found `a` [`begin` stands between the declarations and the statements]",
    );
    check("const N = 3; M: 4;", "=: expected `:`, found `=` [a declaration is `N : ...`]");
    check(
        "externfun f(a: T; b: T): T \"file\"; rule x ==> end",
        "externfun: external functions and procedures are not supported",
    );
}

#[test]
fn one_mistake_does_not_hide_or_cause_others() {
    let errors = mistakes(
        "var a: array [] of T; b: enum {X Y};
         rule x = ==> a[ := 1; b := (1 + 2; switch c case : b := 1; end; if then c := 1 end; d := 4; end;
         invariant forall i T do a[i] end; invariant a +; procedure (); begin end; rule \"ok\" b ==> end",
    );
    let marked: Vec<&str> = errors.iter().filter_map(|error| error.split(": ").next()).collect();
    assert_eq!(marked, ["]", "Y", "==>", ":=", ";", ":", "then", "T", ";", "("]);
}

#[test]
fn nesting_is_limited_and_long_chains_are_not() {
    let deep = |before: &str, inner: &str, after: &str| {
        let source = [&before.repeat(20_000), inner, &after.repeat(20_000)].concat();
        [
            format!("invariant {source}"),
            format!("rule a ==> {source} end"),
            format!("var a: {source};"),
            source,
        ]
    };
    let sources = [
        deep("(", "x", ")"),
        deep("!", "x", ""),
        deep("- ", "x", ""),
        deep("f(", "x", ")"),
        deep("a[", "x", "]"),
        deep("a", "", ".b"),
        deep("a ? b : (", "x", ")"),
        deep("forall i: T do ", "x", " end"),
        deep("1 + ", "x", ""),
        deep("if a then ", "x := 1", " end"),
        deep("array [T] of ", "T", ""),
        deep("record a: ", "T", " end"),
        deep("ruleset i: T do ", "rule x ==> end", " end"),
    ];
    for variants in &sources {
        let too_deep = |source: &String| {
            let diagnostics = parse(source).diagnostics;
            diagnostics.iter().filter(|error| error.code == Code::TooDeep).count()
        };
        let counts: Vec<usize> = variants.iter().map(too_deep).collect();
        assert_eq!(counts.iter().max(), Some(&1), "{}", &variants[0][..60]);
    }
    accept(&format!("invariant {} true", "a = 1 & ".repeat(20_000)));
    accept(&format!("rule a ==> if a then b := 1 {} end end", "elsif a then b := 1 ".repeat(20_000)));
}

/// Reading takes time proportional to the length, whatever is read.
#[test]
fn time_is_linear() {
    let Some(start) = processor_time() else { return };
    let rule = "ruleset i: T do rule \"step\" a[i] = 1 & forall j: T do b[j].c end ==> a[i] := a[i] + 1; end; end;\n";
    let pieces = [
        rule,
        "(",
        "forall ",
        "if x then ",
        "if x y forall ",
        "elsif a b forall ",
        "else ",
        "rule x ",
        "rule forall ",
        "x := ",
        "\"",
        "\" ",
        "/*",
        "var a: record ",
        "@",
        "1 + ",
        "a & ",
        "a.b[",
        "end ",
        "case ",
        "\u{e4} ",
        "7",
    ];
    for piece in pieces {
        parse(&piece.repeat((1 << 20) / piece.len()));
    }
    let taken = processor_time().map_or(Duration::ZERO, |now| now.saturating_sub(start));
    assert!(taken < Duration::from_secs(20), "{taken:?}");
}

#[test]
fn every_prefix_is_read_to_its_end() {
    for (end, _) in MODEL.char_indices() {
        parse(&MODEL[..end]);
    }
}

#[test]
fn random_mutations_are_read_to_their_end() {
    let words: Vec<&str> = {
        let tokens = tokenize(MODEL, &mut Diagnostics::default());
        tokens.iter().map(|token| token.span.text(MODEL)).collect()
    };
    for_seeds!(2000, |seed| {
        let mut random = Random::new(seed);
        let mut words = words.clone();
        for _ in 0..random.size(1, 12) {
            let (at, other) = (random.below(words.len()), random.below(words.len()));
            match random.below(4) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                2 => words.swap(at, other),
                _ => words.truncate(at.max(10)),
            }
        }
        let source = words.join(" ");
        let parsed = parse(&source);
        for error in &parsed.diagnostics {
            assert!(source.get(error.primary.span.start as usize..error.primary.span.end as usize).is_some());
        }
    });
}

#[test]
fn published_models_are_accepted() {
    let Some(list) = shared_text("corpus/murphi/origin.tsv") else { return };
    for line in list.lines().skip(1) {
        let file = line.split('\t').next().unwrap_or_default();
        accept(&shared_text(&format!("corpus/murphi/{file}")).expect("a file of the list"));
    }
}
