//! Which parts of claims hold in a state that the solver proposes: found out once for each choice of
//! processes.

use std::cell::Cell;

use crate::claims::{Claims, Conjunct};
use crate::meaning::Meaning;
use crate::model::Model;
use crate::universe::{Names, PlaceId};

/// How many answers are kept. Parts that would need more are judged anew each time.
const MAX_ENTRIES: usize = 1 << 20;

/// What is known of a part: nothing yet, or whether it holds, if that can be said.
#[derive(Clone, Copy)]
enum Entry {
    New,
    Judged(Option<bool>),
}

/// A table of answers about one state.
pub(crate) struct Truths {
    places: usize,
    /// Where the entries of each part begin: one for each tuple of places.
    first: Vec<Option<usize>>,
    entries: Vec<Cell<Entry>>,
}

impl Truths {
    pub(crate) fn new(claims: &Claims, places: PlaceId) -> Truths {
        let places = places as usize;
        let mut count = 0_usize;
        let entries = |arity: usize| places.checked_pow(u32::try_from(arity).ok()?);
        let mut begin = |arity: usize| {
            let first = count;
            count = entries(arity)?.checked_add(first).filter(|&count| count <= MAX_ENTRIES)?;
            Some(first)
        };
        let first = claims.parts.iter().map(|part| begin(part.arity)).collect();
        Truths { places, first, entries: vec![Cell::new(Entry::New); count] }
    }

    /// The next questions are about another state.
    pub(crate) fn forget(&mut self) {
        self.entries.fill(Cell::new(Entry::New));
    }

    /// Whether a conjunct of a claim holds in the state, for the processes of the claim.
    pub(crate) fn holds(
        &self,
        meaning: &Meaning<'_>,
        model: &Model,
        conjunct: &Conjunct,
        places: &[PlaceId],
    ) -> Option<bool> {
        let arguments = conjunct.arguments.iter().map(|&argument| places[argument]);
        let judge = || {
            let places: Vec<PlaceId> = arguments.clone().collect();
            let formula = &meaning.claims.parts[conjunct.part].formula;
            model.holds(meaning, formula, &Names::numbered(&places))
        };
        let Some(first) = self.first[conjunct.part] else { return judge() };
        let at = arguments.clone().fold(0, |at, place| at * self.places + place as usize);
        let entry = &self.entries[first + at];
        if let Entry::Judged(answer) = entry.get() {
            return answer;
        }
        let answer = judge();
        entry.set(Entry::Judged(answer));
        answer
    }
}
