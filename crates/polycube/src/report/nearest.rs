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

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour to turn one into the other.
fn distance(left: &str, right: &str) -> usize {
    let [left, right]: [Vec<char>; 2] = [left, right].map(|word| word.chars().collect());
    // rows[i][j] is the distance between the first i letters of `left` and the first j letters of `right`.
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}
