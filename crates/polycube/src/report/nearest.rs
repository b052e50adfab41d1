//! "Did you mean": the known name that is nearest to an unknown one.

/// The nearest of `known` to `name`, if one is only a few slips of the keyboard away, or the same letters in another case.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (name.len() / 3).max(1);
    known
        .into_iter()
        // The lengths first: they take no time, and most names differ in them.
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= allowed && candidate.len() > 1)
        .map(|candidate| (distance(&candidate.to_lowercase(), &name.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters have to be inserted, removed or replaced to turn one into the other (Levenshtein's distance).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    // The distances between the beginning of `left` so far and all beginnings of `right`.
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (to, &other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[to + 1];
            row[to + 1] = replaced.min(row[to] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
