//! Random Murphi models, as texts: well typed, small, and mostly such that they can be translated.

mod bags;
mod counters;

use std::fmt::Write as _;

use bags::Bags;
use polycube_testing::generate::Random;

/// The model with this seed.
pub fn model(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.model();
    generator.text
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Boolean,
    /// The processes.
    Node,
    Color,
    /// Another scalarset, of fixed size.
    Data,
    /// The processes, and a constant.
    Owner,
    /// `0..n`
    Number(u32),
    /// One of the named records and arrays.
    Named(usize),
}

/// A record or an array.
#[derive(Clone, Debug)]
enum Composite {
    Record(Vec<(String, Ty)>),
    Array(Ty, Ty),
}

/// A name that can be used.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    ty: Ty,
    is_variable: bool,
}

/// A function or procedure.
#[derive(Clone, Debug)]
struct Routine {
    name: String,
    formals: Vec<(Ty, bool)>,
    result: Option<Ty>,
    /// Whether it changes variables of the state or its arguments.
    has_effect: bool,
}

struct Generator {
    random: Random,
    text: String,
    indent: usize,
    nodes: u32,
    is_scalarset: bool,
    /// The first number of the processes, if they are a range.
    first: u32,
    /// Whether rules call processes of a range by numbers, or compare them by their order: invariants may.
    has_names: bool,
    has_data: bool,
    has_owner: bool,
    /// Whether errors are likely.
    is_careless: bool,
    composites: Vec<Composite>,
    globals: Vec<Entry>,
    /// Variables that are written, but not read.
    unread: Vec<Entry>,
    scope: Vec<Entry>,
    routines: Vec<Routine>,
    names: usize,
    /// Whether functions with effects may be called.
    may_have_effects: bool,
    /// Whether state may be changed.
    may_write: bool,
    calls: usize,
    /// The multisets, if there are any.
    bags: Option<Bags>,
    /// Whether statements may be about them.
    may_use_bags: bool,
    /// Whether there are numbers of processes.
    has_counters: bool,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed ^ 0x4D75);
        let is_scalarset = random.percent(70);
        Generator {
            nodes: if random.percent(70) { 2 } else { 3 },
            first: random.below(2) as u32,
            has_names: random.percent(60),
            has_data: random.percent(25),
            has_owner: is_scalarset && random.percent(25),
            is_careless: random.percent(45),
            is_scalarset,
            random,
            text: String::new(),
            indent: 0,
            composites: Vec::new(),
            globals: Vec::new(),
            unread: Vec::new(),
            scope: Vec::new(),
            routines: Vec::new(),
            names: 0,
            may_have_effects: false,
            may_write: true,
            calls: 0,
            bags: None,
            may_use_bags: false,
            has_counters: false,
        }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * self.indent);
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn model(&mut self) {
        let nodes = self.nodes;
        self.line(&format!("const Count: {nodes};"));
        self.line("type");
        self.indent += 1;
        let node = match (self.is_scalarset, self.first) {
            (true, _) => "Node: scalarset(Count);",
            (false, 1) => "Node: 1..Count;",
            (false, _) => "Node: 0..Count - 1;",
        };
        self.line(node);
        self.line("Color: enum { red, green, blue };");
        self.line("Small: 0..2;");
        self.line("Tiny: 0..1;");
        if self.has_data {
            self.line("Data: scalarset(2);");
        }
        if self.has_owner {
            self.line("Owner: union { Node, enum { free } };");
        }
        for _ in 0..self.random.between(1, 3) {
            self.composite();
        }
        // An array over the processes makes them the parameter.
        let (at, element) = (self.composites.len(), self.simple());
        let written = self.name(element);
        self.line(&format!("T{at}: array [Node] of {written};"));
        self.composites.push(Composite::Array(Ty::Node, element));
        self.bag_type();
        self.indent -= 1;
        self.line("var");
        self.indent += 1;
        self.bag_variables();
        self.counter_variables();
        self.line(&format!("base: T{at};"));
        self.globals.push(Entry { name: "base".to_owned(), ty: Ty::Named(at), is_variable: true });
        let mut size = self.size(self.globals[0].ty);
        for _ in 0..self.random.between(3, 7) {
            let ty = if self.random.percent(45) { self.composite_type() } else { self.simple() };
            if size + self.size(ty) > 9 {
                continue;
            }
            size += self.size(ty);
            let name = self.fresh("v");
            let written = self.name(ty);
            self.line(&format!("{name}: {written};"));
            self.globals.push(Entry { name, ty, is_variable: true });
        }
        if self.random.percent(25) {
            for _ in 0..self.random.between(1, 2) {
                let ty = *self.random.pick(&[
                    Ty::Node,
                    Ty::Node,
                    Ty::Color,
                    Ty::Number(2),
                    Ty::Number(1),
                    Ty::Boolean,
                ]);
                let name = self.fresh("unread");
                let written = self.name(ty);
                self.line(&format!("{name}: {written};"));
                self.unread.push(Entry { name, ty, is_variable: true });
            }
        }
        self.indent -= 1;
        self.scope = self.globals.clone();
        for _ in 0..self.random.below(3) {
            self.routine();
        }
        for _ in 0..self.random.size(1, 3) {
            self.start();
        }
        for _ in 0..self.random.between(3, 7) {
            self.rules(2);
        }
        if let Some(bags) = self.bags {
            self.bag_rule(bags);
        }
        self.has_names = true;
        for _ in 0..self.random.between(1, 3) {
            self.invariant();
        }
    }

    fn name(&self, ty: Ty) -> String {
        match ty {
            Ty::Boolean => "boolean".into(),
            Ty::Node => "Node".into(),
            Ty::Color => "Color".into(),
            Ty::Data => "Data".into(),
            Ty::Owner => "Owner".into(),
            Ty::Number(2) => "Small".into(),
            Ty::Number(_) => "Tiny".into(),
            Ty::Named(at) => format!("T{at}"),
        }
    }

    /// How many leaves it has.
    fn size(&self, ty: Ty) -> usize {
        match ty {
            Ty::Named(at) => match &self.composites[at] {
                Composite::Record(fields) => fields.iter().map(|(_, ty)| self.size(*ty)).sum(),
                Composite::Array(index, element) => self.values(*index) * self.size(*element),
            },
            _ => 1,
        }
    }

    fn values(&self, ty: Ty) -> usize {
        match ty {
            Ty::Boolean | Ty::Data => 2,
            Ty::Node => self.nodes as usize,
            Ty::Owner => self.nodes as usize + 1,
            Ty::Color => 3,
            Ty::Number(most) => most as usize + 1,
            Ty::Named(_) => 0,
        }
    }

    fn simple(&mut self) -> Ty {
        let mut all =
            vec![Ty::Boolean, Ty::Boolean, Ty::Color, Ty::Color, Ty::Node, Ty::Number(2), Ty::Number(1)];
        if self.has_data {
            all.push(Ty::Data);
        }
        if self.has_owner {
            all.push(Ty::Owner);
        }
        *self.random.pick(&all)
    }

    fn index(&mut self) -> Ty {
        let mut all = vec![
            Ty::Node,
            Ty::Node,
            Ty::Node,
            Ty::Node,
            Ty::Boolean,
            Ty::Color,
            Ty::Number(1),
            Ty::Number(2),
        ];
        if self.has_data {
            all.push(Ty::Data);
        }
        if self.has_owner {
            all.push(Ty::Owner);
        }
        *self.random.pick(&all)
    }

    fn composite_type(&mut self) -> Ty {
        Ty::Named(self.random.below(self.composites.len()))
    }

    fn composite(&mut self) {
        let inner = |generator: &mut Generator| {
            if !generator.composites.is_empty() && generator.random.percent(30) {
                generator.composite_type()
            } else {
                generator.simple()
            }
        };
        let (composite, written) = if self.random.percent(45) {
            let names = ["f", "g", "h"];
            let fields: Vec<(String, Ty)> = names[..self.random.between(1, 3)]
                .iter()
                .map(|name| ((*name).to_owned(), inner(self)))
                .collect();
            let parts: Vec<String> =
                fields.iter().map(|(name, ty)| format!("{name}: {};", self.name(*ty))).collect();
            (Composite::Record(fields), format!("record {} end", parts.join(" ")))
        } else {
            let (index, element) = (self.index(), inner(self));
            let written = format!("array [{}] of {}", self.name(index), self.name(element));
            (Composite::Array(index, element), written)
        };
        let at = self.composites.len();
        self.line(&format!("T{at}: {written};"));
        self.composites.push(composite);
    }

    // Expressions.

    /// A place of this type; nothing if there is none.
    fn place(&mut self, ty: Ty, is_target: bool, depth: usize) -> Option<String> {
        let scope = self.scope.clone();
        let mut fitting: Vec<(&Entry, Vec<Step>)> = Vec::new();
        for entry in scope.iter().filter(|entry| entry.is_variable || !is_target) {
            for path in self.paths(entry.ty, ty) {
                fitting.push((entry, path));
            }
        }
        if fitting.is_empty() {
            return None;
        }
        let (entry, path) = self.random.pick(&fitting).clone();
        let mut text = entry.name.clone();
        for step in path {
            match step {
                Step::Field(name) => text.push_str(&format!(".{name}")),
                Step::Index(index) => {
                    let index = self.index_value(index, depth)?;
                    text.push_str(&format!("[{index}]"));
                }
            }
        }
        Some(text)
    }

    /// An index: mostly a bound name or a constant.
    fn index_value(&mut self, ty: Ty, depth: usize) -> Option<String> {
        let bound: Vec<String> = self
            .scope
            .iter()
            .filter(|entry| {
                !entry.is_variable && (entry.ty == ty || (ty == Ty::Owner && entry.ty == Ty::Node))
            })
            .map(|entry| entry.name.clone())
            .collect();
        if !bound.is_empty() && self.random.percent(75) {
            return Some(self.random.pick(&bound).clone());
        }
        if depth > 0 && self.has_value(ty) && self.random.percent(30) {
            return Some(self.expr(ty, depth - 1));
        }
        self.constant(ty)
            .or_else(|| if depth > 0 { self.place(ty, false, depth - 1) } else { None })
            .or_else(|| bound.first().cloned())
    }

    fn paths(&self, from: Ty, to: Ty) -> Vec<Vec<Step>> {
        let is_number = |ty: Ty| matches!(ty, Ty::Number(_));
        if from == to || is_number(from) && is_number(to) {
            return vec![Vec::new()];
        }
        let Ty::Named(at) = from else { return Vec::new() };
        let steps: Vec<(Step, Ty)> = match &self.composites[at] {
            Composite::Record(fields) => {
                fields.iter().map(|(name, ty)| (Step::Field(name.clone()), *ty)).collect()
            }
            Composite::Array(index, element) => vec![(Step::Index(*index), *element)],
        };
        let mut found = Vec::new();
        for (step, ty) in steps {
            for path in self.paths(ty, to) {
                found.push([vec![step.clone()], path].concat());
            }
        }
        found
    }

    fn constant(&mut self, ty: Ty) -> Option<String> {
        Some(match ty {
            Ty::Boolean => (*self.random.pick(&["true", "false"])).to_owned(),
            Ty::Color => (*self.random.pick(&["red", "green", "blue"])).to_owned(),
            Ty::Number(most) => self.random.between(0, most as usize).to_string(),
            Ty::Owner => "free".to_owned(),
            Ty::Node if self.has_names && !self.is_scalarset && self.random.percent(25) => {
                (self.first + self.random.below(2) as u32).to_string()
            }
            _ => return None,
        })
    }

    /// An expression of a simple type.
    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth > 0 {
            match ty {
                Ty::Boolean if self.random.percent(75) => return self.condition(depth - 1),
                Ty::Number(most) if self.random.percent(35) => {
                    let (one, other) = (self.expr(ty, depth - 1), self.random.between(1, 2));
                    return match self.random.below(6) {
                        0 if self.is_careless => format!("{one} + 1"),
                        1 if self.is_careless => format!("{one} - {other}"),
                        2 if self.is_careless => {
                            let divisor = self.expr(ty, 0);
                            format!("({one}) / ({divisor})")
                        }
                        3 => {
                            let other = self.expr(ty, depth - 1);
                            format!("(({one}) + ({other})) % {}", most + 1)
                        }
                        4 => format!("(({one}) * {other}) % {}", most + 1),
                        _ => format!("(({one}) + {other}) % {}", most + 1),
                    };
                }
                _ => {}
            }
            if self.random.percent(8) {
                let (condition, one, other) =
                    (self.condition(depth - 1), self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                return format!("({condition} ? {one} : {other})");
            }
            let functions: Vec<Routine> = self
                .routines
                .iter()
                .filter(|routine| {
                    routine.result == Some(ty) && (!routine.has_effect || self.may_have_effects)
                })
                .cloned()
                .collect();
            if !functions.is_empty() && self.random.percent(40) {
                let routine = self.random.pick(&functions).clone();
                if let Some(call) = self.call(&routine) {
                    return call;
                }
            }
        }
        if self.random.percent(70)
            && let Some(place) = self.place(ty, false, depth)
        {
            let fits = match ty {
                Ty::Number(most) if !self.is_careless => format!("({place}) % {}", most + 1),
                _ => place,
            };
            return fits;
        }
        if let Some(constant) = self.constant(ty) {
            return constant;
        }
        if ty == Ty::Owner
            && self.random.percent(50)
            && let Some(place) = self.place(Ty::Node, false, 0)
        {
            return place;
        }
        if let Some(place) = self.place(ty, false, 1) {
            return place;
        }
        // There is always a process, or an element, that is bound.
        self.scope
            .iter()
            .rev()
            .find(|entry| entry.ty == ty)
            .map(|entry| entry.name.clone())
            .unwrap_or_else(|| panic!("no value of type {ty:?}"))
    }

    /// Whether there is a value of this type to be written.
    fn has_value(&self, ty: Ty) -> bool {
        match ty {
            Ty::Node | Ty::Data => self.scope.iter().any(|entry| entry.ty == ty && !entry.is_variable),
            _ => true,
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.percent(55) {
            match self.random.below(12) {
                0..=2 => {
                    let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
                    return format!("({one} & {other})");
                }
                3..=4 => {
                    let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
                    return format!("({one} | {other})");
                }
                5 => {
                    let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
                    return format!("({one} -> {other})");
                }
                6 => {
                    let one = self.condition(depth - 1);
                    return format!("!({one})");
                }
                7..=9 => {
                    let word = *self.random.pick(&["forall", "exists"]);
                    let (name, range, ty) = self.binder();
                    let before = self.scope.len();
                    self.scope.push(Entry { name: name.clone(), ty, is_variable: false });
                    let body = self.condition(depth - 1);
                    self.scope.truncate(before);
                    return format!("{word} {name}{range} do {body} end");
                }
                10 => {
                    let ty = self.simple();
                    if let Some(place) = self.place(ty, true, 0) {
                        let guarded = self.comparison(depth - 1);
                        return match self.random.below(3) {
                            0 => format!("isundefined({place})"),
                            1 => format!("(isundefined({place}) | {guarded})"),
                            _ => format!("(!isundefined({place}) & {guarded})"),
                        };
                    }
                }
                _ => {
                    if let Some(place) = self.place(Ty::Boolean, false, depth) {
                        return place;
                    }
                }
            }
        }
        self.comparison(depth)
    }

    fn comparison(&mut self, depth: usize) -> String {
        if let Some(bags) = self.bags
            && self.random.percent(20)
        {
            return self.bag_comparison(bags);
        }
        if self.has_counters && self.random.percent(15) {
            return self.counter_comparison();
        }
        let ty = self.simple();
        let depth = depth.min(1);
        let Some(place) = self.place(ty, false, depth) else {
            return (*self.random.pick(&["true", "false"])).to_owned();
        };
        if ty == Ty::Owner && self.random.percent(30) {
            return format!("ismember({place}, Node)");
        }
        if ty == Ty::Boolean && self.random.percent(50) {
            return place;
        }
        let has_order = self.has_names && !self.is_scalarset;
        let is_ordered =
            matches!(ty, Ty::Number(_)) || ty == Ty::Node && has_order && self.random.percent(25);
        let relation = match self.random.below(6) {
            0 if is_ordered => "<",
            1 if is_ordered => "<=",
            2 if is_ordered => ">",
            3 if is_ordered => ">=",
            0..=3 => "=",
            _ => "!=",
        };
        let other = if ty == Ty::Owner && self.has_value(Ty::Node) && self.random.percent(50) {
            self.place(Ty::Node, false, 0).unwrap_or_else(|| "free".to_owned())
        } else {
            self.value_or_place(ty, depth, &place)
        };
        format!("({place} {relation} {other})")
    }

    fn value_or_place(&mut self, ty: Ty, depth: usize, place: &str) -> String {
        if self.has_value(ty) {
            return self.expr(ty, depth);
        }
        // There is at least the place itself.
        self.place(ty, false, depth).unwrap_or_else(|| place.to_owned())
    }

    /// A bound name, what it ranges over, and its type.
    fn binder(&mut self) -> (String, String, Ty) {
        let name = self.fresh("q");
        let ty = match self.random.below(10) {
            0..=5 => Ty::Node,
            6 => Ty::Color,
            7 => Ty::Boolean,
            8 => {
                return (name, " := 0 to 1".to_owned(), Ty::Number(1));
            }
            _ if self.has_data => Ty::Data,
            _ => Ty::Number(self.random.between(1, 2) as u32),
        };
        let range = format!(": {}", self.name(ty));
        (name, range, ty)
    }

    fn call(&mut self, routine: &Routine) -> Option<String> {
        if self.calls > 1 {
            return None;
        }
        self.calls += 1;
        let mut arguments = Vec::new();
        for (ty, is_reference) in &routine.formals {
            let argument = match (ty, is_reference) {
                (Ty::Named(_), _) | (_, true) => {
                    // References are to variables of just this type.
                    let scope = self.scope.clone();
                    self.scope.retain(|entry| self.composites.is_empty() || entry.is_variable);
                    let place = self.exact_place(*ty);
                    self.scope = scope;
                    place
                }
                _ if self.has_value(*ty) => Some(self.expr(*ty, 1)),
                _ => self.place(*ty, false, 0),
            };
            arguments.push(argument);
        }
        self.calls -= 1;
        let arguments: Option<Vec<String>> = arguments.into_iter().collect();
        Some(format!("{}({})", routine.name, arguments?.join(", ")))
    }

    /// A variable of just this type: ranges of numbers are different types.
    fn exact_place(&mut self, ty: Ty) -> Option<String> {
        let scope = self.scope.clone();
        for _ in 0..if scope.is_empty() { 0 } else { 8 } {
            let entry = self.random.pick(&scope).clone();
            if entry.ty == ty {
                return Some(entry.name);
            }
            if let Ty::Named(at) = entry.ty
                && let Composite::Record(fields) = &self.composites[at]
                && let Some((field, _)) = fields.iter().find(|(_, inner)| *inner == ty)
            {
                return Some(format!("{}.{field}", entry.name));
            }
            if let Ty::Named(at) = entry.ty
                && let Composite::Array(index, element) = self.composites[at]
                && element == ty
                && (self.has_value(index) || index == Ty::Owner)
            {
                let index = self.expr(index, 0);
                return Some(format!("{}[{index}]", entry.name));
            }
        }
        None
    }

    // Statements.

    fn block(&mut self, depth: usize, most: usize) {
        self.indent += 1;
        for _ in 0..self.random.between(1, most) {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        if let Some(bags) = self.bags
            && self.may_use_bags
            && self.random.percent(30)
        {
            return self.bag_statement(bags);
        }
        // In loops over processes, most would be refused.
        if self.has_counters && self.may_use_bags && depth > 1 && self.random.percent(30) {
            return self.counter_statement();
        }
        if depth == 0 || self.random.percent(50) {
            return self.assignment();
        }
        match self.random.below(15) {
            0..=3 => {
                let condition = self.condition(2);
                self.line(&format!("if {condition} then"));
                self.block(depth - 1, 2);
                if self.random.percent(30) {
                    let condition = self.condition(1);
                    self.line(&format!("elsif {condition} then"));
                    self.block(depth - 1, 2);
                }
                if self.random.percent(40) {
                    self.line("else");
                    self.block(depth - 1, 2);
                }
                self.line("end;");
            }
            4 => self.switch(depth),
            5..=6 => self.for_processes(depth),
            7 => {
                let (name, range, ty) = loop {
                    let binder = self.binder();
                    if binder.2 != Ty::Node {
                        break binder;
                    }
                };
                self.line(&format!("for {name}{range} do"));
                let before = self.scope.len();
                self.scope.push(Entry { name, ty, is_variable: false });
                self.block(depth - 1, 2);
                self.scope.truncate(before);
                self.line("end;");
            }
            8 => {
                let ty = if self.random.percent(40) { self.composite_type() } else { self.simple() };
                let Some(place) = self.place(ty, true, 1) else { return self.assignment() };
                let name = self.fresh("a");
                let ty = if let Ty::Number(_) = ty { return self.assignment() } else { ty };
                self.line(&format!("alias {name}: {place} do"));
                let before = self.scope.len();
                self.scope.push(Entry { name, ty, is_variable: true });
                self.block(depth - 1, 3);
                self.scope.truncate(before);
                self.line("end;");
            }
            9..=10 => {
                let procedures: Vec<Routine> = self
                    .routines
                    .iter()
                    .filter(|routine| routine.result.is_none() || self.random.clone().percent(20))
                    .cloned()
                    .collect();
                if procedures.is_empty() || !self.may_write {
                    return self.assignment();
                }
                let routine = self.random.pick(&procedures).clone();
                match self.call(&routine) {
                    Some(call) => self.line(&format!("{call};")),
                    None => self.assignment(),
                }
            }
            11 => {
                let ty = if self.random.percent(30) { self.composite_type() } else { self.simple() };
                match self.place(ty, true, 1) {
                    Some(place) if self.is_careless && self.random.percent(70) => {
                        self.line(&format!("undefine {place};"));
                    }
                    Some(place) if !matches!(ty, Ty::Node | Ty::Owner | Ty::Named(_)) => {
                        self.line(&format!("clear {place};"));
                    }
                    _ => self.assignment(),
                }
            }
            12 if self.is_careless => {
                let condition = self.condition(2);
                if self.random.percent(60) {
                    self.line(&format!("assert {condition} \"text\";"));
                } else {
                    self.line(&format!("if {condition} then error \"text\"; end;"));
                }
            }
            13 => {
                let ty = if self.random.percent(70) {
                    let scope = self.globals.clone();
                    self.random.pick(&scope).ty
                } else {
                    self.composite_type()
                };
                let (one, other) = (self.place(ty, true, 1), self.place(ty, false, 1));
                match (one, other) {
                    (Some(one), Some(other)) if matches!(ty, Ty::Named(_)) => {
                        self.line(&format!("{one} := {other};"));
                    }
                    _ => self.assignment(),
                }
            }
            _ if !self.unread.is_empty() => self.unread_assignment(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) {
        for _ in 0..6 {
            let ty = self.simple();
            if !self.has_value(ty) && self.random.percent(60) {
                continue;
            }
            let Some(target) = self.place(ty, true, 1) else { continue };
            let value = if self.has_value(ty) {
                self.expr(ty, 2)
            } else {
                match self.place(ty, false, 1) {
                    Some(value) => value,
                    None => continue,
                }
            };
            // A narrower range than that of the place may be meant.
            return match ty {
                Ty::Number(_) if !self.is_careless => self.line(&format!("{target} := ({value}) % 2;")),
                _ if self.is_careless && self.random.percent(2) => {
                    self.line(&format!("{target} := undefined;"));
                }
                _ => self.line(&format!("{target} := {value};")),
            };
        }
        self.line("if true then end;");
    }

    fn switch(&mut self, depth: usize) {
        let ty = *self.random.pick(&[Ty::Color, Ty::Color, Ty::Number(2), Ty::Boolean, Ty::Node]);
        if !self.has_value(ty) {
            return self.assignment();
        }
        let Some(place) = self.place(ty, false, 1) else { return self.assignment() };
        self.line(&format!("switch {place}"));
        for _ in 0..self.random.between(1, 2) {
            let mut values = self.case(ty);
            if self.random.percent(30) {
                let other = self.case(ty);
                if other != values {
                    values = format!("{values}, {other}");
                }
            }
            self.line(&format!("case {values}:"));
            self.block(depth - 1, 2);
        }
        if self.random.percent(50) {
            self.line("else");
            self.block(depth - 1, 2);
        }
        self.line("end;");
    }

    fn case(&mut self, ty: Ty) -> String {
        match self.constant(ty) {
            Some(constant) if self.random.percent(80) => constant,
            _ => self.expr(ty, 0),
        }
    }

    /// A loop over the processes. Most write their own cells, or one constant.
    fn for_processes(&mut self, depth: usize) {
        let name = self.fresh("p");
        let before = self.scope.len();
        if self.random.percent(15) {
            self.line(&format!("for {name}: Node do"));
            self.scope.push(Entry { name, ty: Ty::Node, is_variable: false });
            self.block(depth - 1, 2);
            self.scope.truncate(before);
            return self.line("end;");
        }
        let arrays: Vec<Entry> = self
            .scope
            .iter()
            .filter(|entry| {
                entry.is_variable
                    && matches!(entry.ty, Ty::Named(at) if matches!(self.composites[at], Composite::Array(Ty::Node, _)))
            })
            .cloned()
            .collect();
        self.line(&format!("for {name}: Node do"));
        self.indent += 1;
        let whole = self.scope.clone();
        let bound = Entry { name: name.clone(), ty: Ty::Node, is_variable: false };
        if !arrays.is_empty() && self.random.percent(75) {
            let array = self.random.pick(&arrays).clone();
            let Ty::Named(at) = array.ty else { unreachable!("arrays have names") };
            let Composite::Array(_, element) = self.composites[at] else { unreachable!("it is an array") };
            let own = Entry { name: format!("{}[{name}]", array.name), ty: element, is_variable: true };
            // What is read: anything else, and the own cell.
            let readable: Vec<Entry> = whole
                .iter()
                .filter(|entry| entry.name != array.name)
                .cloned()
                .chain([bound, own.clone()])
                .collect();
            for _ in 0..self.random.between(1, 2) {
                let leaf = self.leaf_below(&own);
                if let Some((place, ty)) = leaf {
                    self.scope = readable.clone();
                    self.scope.iter_mut().for_each(|entry| entry.is_variable &= entry.name == own.name);
                    let condition = self.random.percent(50).then(|| self.condition(1));
                    let value = self.value_or_place(ty, 1, &place);
                    let value = match ty {
                        Ty::Number(most) => format!("({value}) % {}", most + 1),
                        _ => value,
                    };
                    match condition {
                        Some(condition) => {
                            self.line(&format!("if {condition} then {place} := {value}; end;"));
                        }
                        None => self.line(&format!("{place} := {value};")),
                    }
                }
            }
        } else if !self.unread.is_empty() && self.random.percent(70) {
            self.scope.push(bound);
            let condition = self.condition(1);
            self.line(&format!("if {condition} then"));
            self.indent += 1;
            self.unread_assignment();
            self.indent -= 1;
            self.line("end;");
        } else {
            let simple = [Ty::Boolean, Ty::Color, Ty::Number(1)];
            let ty = *self.random.pick(&simple);
            let targets: Vec<String> = (self.scope.iter())
                .filter(|entry| entry.is_variable && entry.ty == ty)
                .map(|entry| entry.name.clone())
                .collect();
            self.scope.push(bound);
            if let (false, Some(constant)) = (targets.is_empty(), self.constant(ty)) {
                let target = self.random.pick(&targets).clone();
                self.scope.retain(|entry| entry.name != target);
                let condition = self.condition(2);
                self.line(&format!("if {condition} then {target} := {constant}; end;"));
            }
        }
        self.scope = whole;
        self.indent -= 1;
        self.line("end;");
    }

    /// Some leaf of a variable, with indices that are constants or bound.
    fn leaf_below(&mut self, entry: &Entry) -> Option<(String, Ty)> {
        let Ty::Named(at) = entry.ty else { return Some((entry.name.clone(), entry.ty)) };
        let (name, ty) = match self.composites[at].clone() {
            Composite::Record(fields) => {
                let (field, ty) = self.random.pick(&fields).clone();
                (format!("{}.{field}", entry.name), ty)
            }
            Composite::Array(index, element) => {
                let value = self.index_value(index, 0)?;
                (format!("{}[{value}]", entry.name), element)
            }
        };
        self.leaf_below(&Entry { name, ty, is_variable: true })
    }

    fn unread_assignment(&mut self) {
        let unread = self.unread.clone();
        let target = self.random.pick(&unread).clone();
        let same: Vec<&Entry> = unread
            .iter()
            .filter(|entry| {
                entry.ty == target.ty || matches!((entry.ty, target.ty), (Ty::Number(_), Ty::Number(_)))
            })
            .collect();
        let value = if same.len() > 1 && self.random.percent(50) {
            self.random.pick(&same).name.clone()
        } else if self.has_value(target.ty) {
            self.expr(target.ty, 1)
        } else {
            return self.assignment();
        };
        self.line(&format!("{} := {value};", target.name));
    }

    // Routines, rules, start states, invariants.

    fn routine(&mut self) {
        let name = self.fresh("routine");
        let is_function = self.random.percent(55);
        let whole = self.scope.clone();
        let has_effect = self.random.percent(if is_function { 25 } else { 80 });
        let sees_state = self.random.percent(70);
        self.scope = if sees_state { self.globals.clone() } else { Vec::new() };
        if !has_effect {
            self.scope.iter_mut().for_each(|entry| entry.is_variable = false);
        }
        let (mut formals, mut written) = (Vec::new(), Vec::new());
        // A process comes first, so that there is always one.
        for at in 0..self.random.between(1, 3) {
            let ty = match at {
                0 => Ty::Node,
                _ if self.random.percent(20) => self.composite_type(),
                _ => self.simple(),
            };
            let is_reference = at > 0 && has_effect && self.random.percent(50);
            let formal = self.fresh("x");
            let word = if is_reference { "var " } else { "" };
            written.push(format!("{word}{formal}: {}", self.name(ty)));
            formals.push((ty, is_reference));
            // By-value parameters are not assigned: tools disagree about them. As a bound name, the first is an index.
            self.scope.push(Entry { name: formal, ty, is_variable: is_reference });
        }
        let result = is_function.then(|| {
            loop {
                let ty = self.simple();
                if !matches!(ty, Ty::Data | Ty::Owner) {
                    break ty;
                }
            }
        });
        let (word, ending) = match result {
            Some(ty) => ("function", format!(": {}", self.name(ty))),
            None => ("procedure", String::new()),
        };
        self.line(&format!("{word} {name}({}){ending};", written.join("; ")));
        self.locals();
        self.line("begin");
        self.may_write = has_effect;
        if has_effect || self.random.percent(40) {
            let is_possible = self.scope.iter().any(|entry| entry.is_variable);
            if is_possible {
                self.block(1, 2);
            }
        }
        self.indent += 1;
        match result {
            Some(ty) => {
                if self.random.percent(60) {
                    let (condition, value) = (self.condition(2), self.returned(ty));
                    self.line(&format!("if {condition} then return {value}; end;"));
                }
                if self.random.percent(20) {
                    let value = self.returned(ty);
                    let condition = self.condition(1);
                    let bound = self.fresh("q");
                    self.line(&format!(
                        "for {bound}: Color do if {condition} then return {value}; end; end;"
                    ));
                }
                if !self.is_careless || self.random.percent(85) {
                    let value = self.returned(ty);
                    self.line(&format!("return {value};"));
                }
            }
            None => {
                if self.random.percent(40) {
                    let condition = self.condition(1);
                    self.line(&format!("if {condition} then return; end;"));
                    self.assignment();
                }
            }
        }
        self.indent -= 1;
        self.line("end;");
        self.may_write = true;
        self.scope = whole;
        self.routines.push(Routine { name, formals, result, has_effect });
    }

    fn returned(&mut self, ty: Ty) -> String {
        let value = self.expr(ty, 1);
        match ty {
            Ty::Number(most) if !self.is_careless => format!("({value}) % {}", most + 1),
            _ => value,
        }
    }

    /// Local variables; what is careful gives them a value at once.
    fn locals(&mut self) {
        if self.random.percent(55) {
            return;
        }
        self.line("var");
        let mut declared = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let name = self.fresh("loc");
            let ty = if self.random.percent(25) { self.composite_type() } else { self.simple() };
            let written = self.name(ty);
            self.line(&format!("  {name}: {written};"));
            declared.push(Entry { name, ty, is_variable: true });
        }
        self.scope.extend(declared);
    }

    /// Gives local variables a value.
    fn initialise(&mut self, from: usize) {
        for at in from..self.scope.len() {
            let entry = self.scope[at].clone();
            if !entry.name.starts_with("loc") || self.is_careless && self.random.percent(40) {
                continue;
            }
            if let Ty::Named(_) = entry.ty {
                let whole = self.scope.clone();
                self.scope.retain(|other| !other.name.starts_with("loc"));
                if let Some(other) = self.place(entry.ty, false, 0) {
                    self.line(&format!("  {} := {other};", entry.name));
                }
                self.scope = whole;
            } else if let Some(constant) = self.constant(entry.ty) {
                self.line(&format!("  {} := {constant};", entry.name));
            } else if let Some(bound) =
                self.scope.iter().find(|other| !other.is_variable && other.ty == entry.ty).cloned()
            {
                self.line(&format!("  {} := {};", entry.name, bound.name));
            }
        }
    }

    fn rules(&mut self, depth: usize) {
        let before = self.scope.len();
        let quantifiers: Vec<(String, String, Ty)> =
            (0..self.random.size(1, 3)).map(|_| self.binder()).collect();
        let written: Vec<String> =
            quantifiers.iter().map(|(name, range, _)| format!("{name}{range}")).collect();
        let is_bare = depth == 2 && self.random.percent(10);
        if !is_bare {
            self.line(&format!("ruleset {} do", written.join("; ")));
            self.indent += 1;
            self.scope.extend(quantifiers.into_iter().map(|(name, _, ty)| Entry {
                name,
                ty,
                is_variable: false,
            }));
        }
        if !is_bare && depth > 1 && self.random.percent(15) {
            self.rules(depth - 1);
        }
        let ty = if self.random.percent(50) { self.composite_type() } else { Ty::Color };
        let alias = if self.random.percent(12) { self.place(ty, true, 1) } else { None };
        if let Some(place) = &alias {
            let name = self.fresh("a");
            self.line(&format!("alias {name}: {place} do"));
            self.scope.push(Entry { name, ty, is_variable: true });
        }
        let name = self.fresh("rule ");
        if self.random.percent(90) {
            let guard = self.condition(2);
            self.line(&format!("rule \"{name}\" {guard} ==>"));
        } else {
            self.line(&format!("rule \"{name}\""));
        }
        let outer = self.scope.len();
        self.locals();
        self.line("begin");
        self.initialise(outer);
        self.may_have_effects = self.random.percent(40);
        self.may_use_bags = true;
        self.block(2, 3);
        self.may_use_bags = false;
        if self.random.percent(8) {
            self.bounded_while();
        }
        if self.random.percent(8) {
            let condition = self.condition(1);
            self.line(&format!("  if {condition} then return; end;"));
            self.block(1, 2);
        }
        self.may_have_effects = false;
        self.line("end;");
        if alias.is_some() {
            self.line("end;");
        }
        if !is_bare {
            self.indent -= 1;
            self.line("end;");
        }
        self.scope.truncate(before);
    }

    /// A loop that a local counter ends.
    fn bounded_while(&mut self) {
        let Some(counter) = self
            .scope
            .iter()
            .rev()
            .find(|entry| entry.name.starts_with("loc") && matches!(entry.ty, Ty::Number(_)))
        else {
            return;
        };
        let (name, ty) = (counter.name.clone(), counter.ty);
        let Ty::Number(most) = ty else { unreachable!("it is a number") };
        self.line(&format!("  {name} := 0;"));
        self.line(&format!("  while {name} < {most} do"));
        let scope = self.scope.clone();
        self.scope.retain(|entry| entry.name != name);
        self.block(1, 2);
        self.scope = scope;
        self.line(&format!("    {name} := {name} + 1;"));
        self.line("  end;");
    }

    fn start(&mut self) {
        let before = self.scope.len();
        let mut quantifiers = Vec::new();
        let needs = |generator: &Generator, ty: Ty| {
            generator
                .globals
                .iter()
                .chain(&generator.unread)
                .any(|entry| !generator.paths(entry.ty, ty).is_empty())
        };
        if needs(self, Ty::Node) || needs(self, Ty::Owner) || self.random.percent(25) {
            quantifiers.push(("i", Ty::Node));
        }
        if needs(self, Ty::Data) {
            quantifiers.push(("d", Ty::Data));
        }
        if self.random.percent(15) {
            quantifiers.push(("c", Ty::Color));
        }
        // Without one, a process comes from a loop.
        let is_last = !quantifiers.is_empty() && quantifiers[0].1 == Ty::Node && self.random.percent(25);
        if is_last {
            quantifiers.remove(0);
        }
        if !quantifiers.is_empty() {
            let written: Vec<String> =
                quantifiers.iter().map(|(name, ty)| format!("{name}: {}", self.name(*ty))).collect();
            self.line(&format!("ruleset {} do", written.join("; ")));
        }
        let name = self.fresh("start ");
        self.line(&format!("startstate \"{name}\""));
        self.line("begin");
        self.scope = quantifiers
            .iter()
            .map(|(name, ty)| Entry { name: (*name).to_owned(), ty: *ty, is_variable: false })
            .collect();
        self.indent += 1;
        for entry in [self.globals.clone(), self.unread.clone()].concat() {
            if self.is_careless && self.random.percent(12) {
                continue;
            }
            self.set_all(&entry, is_last);
        }
        self.start_counters();
        self.indent -= 1;
        self.line("end;");
        if !quantifiers.is_empty() {
            self.line("end;");
        }
        self.scope = self.globals.clone();
        self.scope.truncate(before);
    }

    /// Sets all leaves of a variable.
    fn set_all(&mut self, entry: &Entry, is_last: bool) {
        if let Ty::Named(at) = entry.ty {
            match self.composites[at].clone() {
                Composite::Record(fields) => {
                    for (field, ty) in fields {
                        let name = format!("{}.{field}", entry.name);
                        self.set_all(&Entry { name, ty, is_variable: true }, is_last);
                    }
                }
                Composite::Array(index, element) => {
                    let name = self.fresh("k");
                    let range = self.name(index);
                    self.line(&format!("for {name}: {range} do"));
                    self.scope.push(Entry { name: name.clone(), ty: index, is_variable: false });
                    self.indent += 1;
                    let cell = format!("{}[{name}]", entry.name);
                    self.set_all(&Entry { name: cell, ty: element, is_variable: true }, is_last);
                    self.indent -= 1;
                    self.line("end;");
                    self.scope.pop();
                }
            }
            return;
        }
        let bound: Vec<Entry> = self.scope.iter().filter(|other| other.ty == entry.ty).cloned().collect();
        let value = match self.constant(entry.ty) {
            Some(constant) if bound.is_empty() || self.random.percent(60) => constant,
            _ if !bound.is_empty() => self.random.pick(&bound).name.clone(),
            _ if is_last => {
                let name = self.fresh("p");
                return self.line(&format!("for {name}: Node do {} := {name}; end;", entry.name));
            }
            _ => return,
        };
        self.line(&format!("{} := {value};", entry.name));
    }

    fn invariant(&mut self) {
        let name = self.fresh("invariant ");
        let before = self.scope.len();
        let has_ruleset = self.random.percent(30);
        if has_ruleset {
            let quantifiers: Vec<_> = (0..self.random.between(1, 2)).map(|_| self.binder()).collect();
            let written: Vec<String> =
                quantifiers.iter().map(|(name, range, _)| format!("{name}{range}")).collect();
            self.line(&format!("ruleset {} do", written.join("; ")));
            self.scope.extend(quantifiers.into_iter().map(|(name, _, ty)| Entry {
                name,
                ty,
                is_variable: false,
            }));
        }
        let formula = match self.random.below(3) {
            0 => self.condition(3),
            _ => {
                let word = *self.random.pick(&["forall", "forall", "exists"]);
                let bound = self.fresh("q");
                self.scope.push(Entry { name: bound.clone(), ty: Ty::Node, is_variable: false });
                let body = self.condition(3);
                format!("{word} {bound}: Node do {body} end")
            }
        };
        self.line(&format!("invariant \"{name}\" {formula};"));
        if has_ruleset {
            self.line("end;");
        }
        self.scope.truncate(before);
    }
}

/// A step from a variable to a part of it.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Index(Ty),
}
