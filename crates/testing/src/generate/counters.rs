//! Random systems that count: processes go from place to place, and variables go up and down with them.

use super::Random;

const PLACES: [&str; 5] = ["Out", "In", "Busy", "Done", "Gone"];

/// A model with counters. They are changed by one or two, set back, and compared with numbers, with each other, with
/// numbers of processes and with sums; whole arrays are set back; some guards speak of all processes.
pub fn random_counters(seed: u64) -> String {
    let mut random = Random::new(seed);
    let places = &PLACES[..random.between(2, PLACES.len())];
    let counters = &["X", "Y"][..random.between(1, 2)];
    let has_flag = random.percent(40);
    let has_level = random.percent(30);
    let mut text = format!("type place = {}\n", places.join(" | "));
    text += "array Place[proc] : place\n";
    if has_flag {
        text += "array Flag[proc] : bool\n";
    }
    if has_level {
        text += "array Level[proc] : int\n";
    }
    for counter in counters {
        text += &format!("var {counter} : int\n");
    }
    let mut start = vec!["Place[p] = Out".to_owned()];
    start.extend(counters.iter().map(|counter| format!("{counter} = {}", random.below(3))));
    start.extend(has_flag.then(|| "Flag[p] = False".to_owned()));
    start.extend(has_level.then(|| "Level[p] = 0".to_owned()));
    text += &format!("init (p) {{ {} }}\n", start.join(" && "));
    let mut generator = Generator { random, places, counters, has_flag, has_level };
    for _ in 0..generator.random.between(1, 2) {
        text += &generator.property();
    }
    for number in 0..generator.random.between(2, 5) {
        text += &generator.transition(number);
    }
    text
}

struct Generator<'g> {
    random: Random,
    places: &'g [&'g str],
    counters: &'g [&'g str],
    has_flag: bool,
    has_level: bool,
}

impl Generator<'_> {
    fn place(&mut self) -> String {
        (*self.random.pick(self.places)).to_owned()
    }

    fn counter(&mut self) -> String {
        (*self.random.pick(self.counters)).to_owned()
    }

    fn count(&mut self) -> String {
        match self.random.below(5) {
            0 if self.has_level => format!("#{{q | Place[q] = {} : Level[q]}}", self.place()),
            1 if self.has_level => "#{q | Level[q] >= 0 : Level[q]}".to_owned(),
            2 => "#{q | true}".to_owned(),
            3 if self.has_flag => {
                let both = *self.random.pick(&["&&", "||"]);
                format!("#{{q | Flag[q] = True {both} Place[q] = {}}}", self.place())
            }
            _ if self.random.percent(40) => {
                let places = (0..self.random.between(2, 3)).map(|_| format!("Place[q] = {}", self.place()));
                let places = places.collect::<Vec<_>>().join(" || ");
                let places = if self.random.percent(30) { format!("not ({places})") } else { places };
                format!("#{{q | {places}}}")
            }
            _ => format!("#{{q | Place[q] = {}}}", self.place()),
        }
    }

    /// A comparison with a counter.
    fn comparison(&mut self) -> String {
        let (left, relation) = (self.counter(), *self.random.pick(&["=", "<", ">", "<=", ">=", "<>"]));
        let right = match self.random.below(6) {
            0 => self.counter(),
            1 => self.count(),
            _ => self.random.below(3).to_string(),
        };
        format!("{left} {relation} {right}")
    }

    fn property(&mut self) -> String {
        let processes = &["p", "q", "r"][..self.random.below(3)];
        let mut parts: Vec<String> =
            processes.iter().map(|process| format!("Place[{process}] = {}", self.place())).collect();
        if parts.is_empty() || self.random.percent(60) {
            let comparison = self.comparison();
            parts.push(comparison);
        }
        format!("unsafe ({}) {{ {} }}\n", processes.join(" "), parts.join(" && "))
    }

    fn transition(&mut self, number: usize) -> String {
        if self.random.percent(15) {
            return self.reset(number);
        }
        let two = self.random.percent(20);
        let parameters = if two { "p q" } else { "p" };
        let mut guard = vec![format!("Place[p] = {}", self.place())];
        if two {
            guard.push(format!("Place[q] = {}", self.place()));
        }
        if self.random.percent(40) {
            guard.push(self.comparison());
        }
        if self.random.percent(10) {
            guard.push(format!("(forall_other k. Place[k] <> {})", self.place()));
        }
        let (first, second) = (self.place(), self.place());
        let mut updates = vec![match two {
            true => format!("Place[k] := case | k = p : {first} | k = q : {second} | _ : Place[k]"),
            false => format!("Place[p] := {first}"),
        }];
        if self.has_flag && self.random.percent(50) {
            updates.push(format!("Flag[p] := {}", self.random.pick(&["True", "False"])));
        }
        if self.has_level && self.random.percent(60) {
            let value = *self.random.pick(&["Level[p] + 1", "Level[p] - 1", "0", "2 * Level[p] + 1"]);
            updates.push(format!("Level[p] := {value}"));
        }
        for counter in self.counters {
            match self.random.below(8) {
                0..3 => updates.push(format!("{counter} := {counter} + 1")),
                3..6 => updates.push(format!("{counter} := {counter} - 1")),
                6 => updates.push(format!("{counter} := {counter} + 2")),
                _ => {}
            }
        }
        format!(
            "transition t{number} ({parameters}) requires {{ {} }} {{ {} }}\n",
            guard.join(" && "),
            updates.join("; ")
        )
    }

    /// All processes go to one place, or from one to another, and counters are set.
    fn reset(&mut self, number: usize) -> String {
        let guard = self.comparison();
        let place = match self.random.percent(50) {
            true => format!("Place[k] := case | _ : {}", self.place()),
            false => {
                format!("Place[k] := case | Place[k] = {} : {} | _ : Place[k]", self.place(), self.place())
            }
        };
        let counter = self.counter();
        let value = if self.random.percent(70) { "0".to_owned() } else { self.count() };
        format!("transition t{number} () requires {{ {guard} }} {{ {place}; {counter} := {value} }}\n")
    }
}
