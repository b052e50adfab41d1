//! "Did you mean": the known name that is nearest to an unknown one.

use strsim::damerau_levenshtein;

/// The nearest of `known` to `name`: the same letters in another case, few slips of the keyboard away, or the
/// same beginning.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (name.chars().count() / 3).max(1);
    let distance = |candidate: &str| {
        if candidate.eq_ignore_ascii_case(name) { 0 } else { damerau_levenshtein(candidate, name) }
    };
    let begins = |candidate: &str| name.len() >= 3 && candidate.starts_with(name);
    let near = |candidate: &&'n str| {
        let similar = candidate.len().abs_diff(name.len()) <= allowed && distance(candidate) <= allowed;
        *candidate != name && (similar || begins(candidate))
    };
    // One slip turns `X` into every other one-letter name: such a suggestion says nothing.
    let long_enough =
        |candidate: &&'n str| candidate.len().max(name.len()) > 1 || candidate.eq_ignore_ascii_case(name);
    known
        .into_iter()
        .filter(long_enough)
        .filter(near)
        .min_by_key(|candidate| (distance(candidate), *candidate))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_what_is_near_and_nothing_else() {
        let known = ["Cache", "Channel", "Turn", "X", "i"];
        assert_eq!(nearest("Cahce", known), Some("Cache"));
        assert_eq!(nearest("turn", known), Some("Turn"));
        assert_eq!(nearest("Chanel", known), Some("Channel"));
        assert_eq!(nearest("Zork", known), None);
        assert_eq!(nearest("Y", known), None);
        assert_eq!(nearest("x", known), Some("X"));
    }
}
