//! Models that are made to be large: deep nesting, many symbols, parameters, properties, long formulas. Each
//! is small as a text, and means something; what it takes to find out what must stay within the limits.

use std::fmt::Write as _;

use crate::generate::Random;

/// How large each part of a model is.
struct Sizes {
    booleans: usize,
    numbers: usize,
    enumerations: usize,
    constructors: usize,
    arrays: usize,
    init_parameters: usize,
    parameters: usize,
    properties: usize,
    transitions: usize,
    /// Atoms of a formula.
    atoms: usize,
    /// How deep formulas are nested.
    depth: usize,
    /// How deep indices are nested.
    index: usize,
    quantifiers: usize,
    branches: usize,
    updates: usize,
    digits: usize,
    /// Terms of a sum.
    terms: usize,
    /// `number_procs`, if it is not 0.
    processes: usize,
}

/// A large model, the same for the same seed.
pub fn model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut sizes = Sizes {
        booleans: random.size(2, 6),
        numbers: random.below(3),
        enumerations: 1,
        constructors: 3,
        arrays: 1,
        init_parameters: 1,
        parameters: 2,
        properties: 1,
        transitions: random.size(1, 4),
        atoms: 3,
        depth: 2,
        index: 0,
        quantifiers: 0,
        branches: 1,
        updates: 2,
        digits: 1,
        terms: 2,
        processes: 0,
    };
    for _ in 0..random.size(1, 3) {
        match random.below(18) {
            0 => sizes.booleans = random.size(50, 6000),
            1 => sizes.numbers = random.size(5, 300),
            2 => sizes.enumerations = random.size(5, 320),
            3 => sizes.constructors = random.size(5, 70),
            4 => sizes.arrays = random.size(3, 120),
            5 => sizes.init_parameters = random.size(3, 20),
            6 => sizes.parameters = random.size(3, 16),
            7 => sizes.properties = random.size(5, 1500),
            8 => sizes.transitions = random.size(5, 1000),
            9 => sizes.atoms = random.size(10, 3000),
            10 => sizes.depth = random.size(8, 190),
            11 => sizes.index = random.size(2, 60),
            12 => sizes.quantifiers = random.size(1, 9),
            13 => sizes.branches = random.size(3, 300),
            14 => sizes.updates = random.size(5, 60),
            15 => sizes.digits = random.size(3, 80),
            16 => sizes.terms = random.size(4, 200),
            _ => sizes.processes = random.size(1, 64),
        }
    }
    // Whatever is large, the text is small.
    sizes.properties = sizes.properties.min(30_000 / sizes.atoms / sizes.terms.min(30)).max(1);
    sizes.transitions = sizes.transitions.min(30_000 / sizes.atoms / sizes.branches).max(1);
    Writer { random, sizes, text: String::new(), scope: Vec::new() }.write()
}

struct Writer {
    random: Random,
    sizes: Sizes,
    text: String,
    /// The names of processes that are visible.
    scope: Vec<String>,
}

impl Writer {
    fn write(mut self) -> String {
        self.declarations();
        let initial = self.parameters("i", self.sizes.init_parameters);
        let conjuncts = match self.random.below(4) {
            0 => "true".to_owned(),
            1 => self.formula(),
            _ => self.start(),
        };
        let _ = writeln!(self.text, "init {initial} {{ not B0 && {conjuncts} }}");
        for property in 0..self.sizes.properties {
            let keyword = if property > 0 && self.random.one_in(4) { "invariant" } else { "unsafe" };
            let count = self.random.below(self.sizes.parameters + 1);
            let parameters = self.parameters("u", count);
            let formula = if keyword == "unsafe" { self.existential() } else { "not B1".to_owned() };
            let _ = writeln!(self.text, "{keyword} {parameters} {{ B0 && {formula} }}");
        }
        for number in 0..self.sizes.transitions {
            self.transition(number);
        }
        self.text
    }

    fn declarations(&mut self) {
        if self.sizes.processes > 0 {
            let _ = writeln!(self.text, "number_procs {}", self.sizes.processes);
        }
        for number in 0..self.sizes.enumerations {
            let names: Vec<String> =
                (0..self.sizes.constructors).map(|value| format!("C{number}x{value}")).collect();
            let _ = writeln!(self.text, "type e{number} = {}", names.join(" | "));
            let _ = writeln!(self.text, "var E{number} : e{number}\nvar F{number} : e{number}");
        }
        self.text += "type d\nvar D0 : d\nvar D1 : d\nvar P : proc\n";
        self.text += "array L[proc] : proc\narray M[proc, proc] : bool\narray N[proc, proc] : proc\n";
        for number in 0..self.sizes.booleans {
            let _ = writeln!(self.text, "var B{number} : bool");
        }
        for number in 0..self.sizes.numbers {
            let kind = if self.random.one_in(5) { "const" } else { "var" };
            let _ = writeln!(self.text, "{kind} I{number} : int\n{kind} R{number} : real");
        }
        for number in 0..self.sizes.arrays {
            let _ = writeln!(self.text, "array A{number}[proc] : bool\narray G{number}[proc] : e0");
        }
    }

    /// So many parameters, which are visible from now on, and no others.
    fn parameters(&mut self, prefix: &str, count: usize) -> String {
        self.scope = (0..count).map(|number| format!("{prefix}{number}")).collect();
        format!("({})", self.scope.join(" "))
    }

    /// Values to start with for some cells.
    fn start(&mut self) -> String {
        let mut parts: Vec<String> =
            (0..self.sizes.booleans).map(|number| format!("not B{number}")).collect();
        if let Some(process) = self.scope.first() {
            parts.extend((0..self.sizes.arrays).map(|number| format!("not A{number}[{process}]")));
            parts.push(format!("L[{process}] = {process}"));
            let all: Vec<String> = self.scope.iter().map(|process| format!("not A0[{process}]")).collect();
            parts.push(format!("({})", all.join(" || ")));
        }
        parts.join(" && ")
    }

    fn transition(&mut self, number: usize) {
        let count = self.random.below(self.sizes.parameters + 1);
        let parameters = self.parameters("p", count);
        let guard = self.formula();
        let _ = writeln!(self.text, "transition t{number} {parameters} requires {{ {guard} }} {{");
        let mut changed = vec![0];
        self.text += "  B0 := True;\n";
        for _ in 0..self.random.size(1, self.sizes.updates) {
            let target = self.random.below(self.sizes.booleans);
            if !changed.contains(&target) {
                changed.push(target);
                let value = if self.random.one_in(3) { "?" } else { "True" };
                let _ = writeln!(self.text, "  B{target} := {value};");
            }
        }
        if self.random.one_in(2) {
            self.case("A0[k]", "True");
        }
        if self.random.one_in(3) {
            let value = if self.random.one_in(3) { "?".to_owned() } else { self.process() };
            self.case("L[k]", &value);
        }
        if self.random.one_in(4) {
            self.text += "  M[k, l] := case | k = l : ? | _ : M[l, k];\n";
        }
        if self.sizes.numbers > 0 && self.random.one_in(2) && self.text.contains("var I0 ") {
            let value = if self.random.one_in(3) { "?".to_owned() } else { self.sum("I") };
            let _ = writeln!(self.text, "  I0 := {value};");
        }
        if self.sizes.numbers > 0 && self.random.one_in(3) && self.text.contains("var R0 ") {
            let _ = writeln!(self.text, "  R0 := R0 + 0.5;");
        }
        self.text += "}\n";
    }

    /// An update with many branches.
    fn case(&mut self, cell: &str, value: &str) {
        let _ = write!(self.text, "  {cell} := case");
        self.scope.push("k".to_owned());
        for _ in 0..self.sizes.branches {
            let condition = if self.random.one_in(3) { self.formula() } else { self.atom() };
            let _ = write!(self.text, " | {condition} : {value}");
        }
        self.scope.pop();
        let _ = writeln!(self.text, " | _ : {cell};");
    }

    /// A formula without universal quantifiers, mostly.
    fn existential(&mut self) -> String {
        if self.sizes.quantifiers > 0 && self.random.one_in(2) {
            self.junction(" && ")
        } else {
            self.formula()
        }
    }

    /// A formula: deep, long, or below quantifiers.
    fn formula(&mut self) -> String {
        if self.sizes.quantifiers > 0 && self.random.one_in(2) {
            return self.quantified();
        }
        if self.sizes.depth > 2 && self.random.one_in(2) {
            return self.nested();
        }
        let connective = [" && ", " || "][self.random.below(2)];
        self.junction(connective)
    }

    /// Many atoms side by side.
    fn junction(&mut self, connective: &str) -> String {
        let count = self.random.size(1, self.sizes.atoms);
        let other = if connective == " && " { " || " } else { " && " };
        let parts: Vec<String> = (0..count)
            .map(|_| match self.random.below(4) {
                0 => format!("({}{other}{})", self.atom(), self.atom()),
                _ => self.atom(),
            })
            .collect();
        format!("({})", parts.join(connective))
    }

    /// Connectives in each other.
    fn nested(&mut self) -> String {
        let (mut formula, kind) = (self.atom(), self.random.below(7));
        for _ in 0..self.sizes.depth {
            let (left, right) = (self.atom(), self.atom());
            let chosen = if kind == 6 { self.random.below(6) } else { kind };
            formula = match chosen {
                0 => format!("({formula} <=> {left})"),
                1 => format!("(if {formula} then {left} else {right})"),
                2 => format!("(if {left} then {formula} else {right})"),
                3 => format!("({left} => {formula})"),
                4 => format!("(({formula} || {left}) && {right})"),
                _ => format!("not ({formula} <=> {left})"),
            };
        }
        formula
    }

    fn quantified(&mut self) -> String {
        let count = self.random.size(1, self.sizes.quantifiers);
        let (mut text, before) = ("(".to_owned(), self.scope.len());
        for number in 0..count {
            let quantifier = ["exists", "forall", "exists_other", "forall_other"][self.random.below(4)];
            let _ = write!(text, "{quantifier} q{number}. ");
            self.scope.push(format!("q{number}"));
        }
        let connective = [" && ", " || "][self.random.below(2)];
        text += &self.junction(connective);
        self.scope.truncate(before);
        text + ")"
    }

    fn atom(&mut self) -> String {
        match self.random.below(12) {
            0..=2 => format!("B{}", self.random.below(self.sizes.booleans)),
            3 | 4 => {
                let (array, process) = (self.random.below(self.sizes.arrays), self.process());
                let not = if self.random.one_in(2) { "not " } else { "" };
                format!("{not}A{array}[{process}]")
            }
            5 => {
                let (array, process) = (self.random.below(self.sizes.arrays), self.process());
                format!("G{array}[{process}] <> C0x{}", self.random.below(self.sizes.constructors))
            }
            6 => {
                let number = self.random.below(self.sizes.enumerations);
                match self.random.below(3) {
                    0 => format!("E{number} = F{number}"),
                    1 => format!("E{number} <> F{number}"),
                    _ => format!("E{number} = C{number}x{}", self.random.below(self.sizes.constructors)),
                }
            }
            7 => format!("M[{}, {}]", self.process(), self.process()),
            8 => format!("{} = {}", self.process(), self.process()),
            9 => ["D0 = D1", "D0 <> D1"][self.random.below(2)].to_owned(),
            _ if self.sizes.numbers == 0 => format!("not B{}", self.random.below(self.sizes.booleans)),
            _ => {
                let relation = ["<", "<=", "=", "<>"][self.random.below(4)];
                let kind = if self.random.one_in(3) { "R" } else { "I" };
                format!("{} {relation} {}", self.sum(kind), self.sum(kind))
            }
        }
    }

    /// A sum of numbers of a kind.
    fn sum(&mut self, kind: &str) -> String {
        let mut text = self.number();
        if kind == "R" {
            text += ".5";
        }
        for _ in 0..self.random.size(1, self.sizes.terms) {
            let (factor, number) = (self.number(), self.random.below(self.sizes.numbers));
            let sign = ["+", "-"][self.random.below(2)];
            let _ = write!(text, " {sign} {factor} * {kind}{number}");
        }
        text
    }

    fn number(&mut self) -> String {
        let digits = self.random.size(1, self.sizes.digits);
        let first = char::from(b'1' + self.random.below(9) as u8);
        let rest = (1..digits).map(|_| char::from(b'0' + self.random.below(10) as u8));
        std::iter::once(first).chain(rest.collect::<Vec<_>>()).collect()
    }

    /// A process: by its name, or by cells that point at it.
    fn process(&mut self) -> String {
        let mut process = match self.random.below(6) {
            _ if self.scope.is_empty() => "P".to_owned(),
            0 => "P".to_owned(),
            1 if self.sizes.processes > 0 => format!("#{}", 1 + self.random.below(self.sizes.processes)),
            _ => self.random.pick(&self.scope).to_owned(),
        };
        if self.sizes.index > 0 && self.random.one_in(3) {
            let plane = self.random.one_in(3);
            for level in 0..self.random.size(1, self.sizes.index) {
                process = match plane {
                    true if level < 4 => format!("N[{process}, {process}]"),
                    _ => format!("L[{process}]"),
                };
            }
        }
        process
    }
}
