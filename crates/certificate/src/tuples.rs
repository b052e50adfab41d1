//! Tuples of processes, in lexicographic order.

/// All tuples of `length` processes `1..=processes`; there is one of length 0. Without processes there is no
/// other.
pub fn tuples(processes: u32, length: usize) -> impl Iterator<Item = Vec<u32>> {
    let first = (processes > 0 || length == 0).then(|| vec![1; length]);
    std::iter::successors(first, move |tuple| next(processes, tuple))
}

/// The tuples of pairwise distinct processes.
pub fn distinct_tuples(processes: u32, length: usize) -> Box<dyn Iterator<Item = Vec<u32>>> {
    if length > processes as usize {
        return Box::new(std::iter::empty());
    }
    if length == 0 {
        return Box::new(std::iter::once(Vec::new()));
    }
    let extended = move |tuple: Vec<u32>| {
        (1..=processes)
            .filter(|process| !tuple.contains(process))
            .map(|process| [tuple.as_slice(), &[process]].concat())
            .collect::<Vec<_>>()
    };
    Box::new(distinct_tuples(processes, length - 1).flat_map(extended))
}

/// Counts: the last place that can grow does, and what stands behind it begins again.
fn next(processes: u32, tuple: &[u32]) -> Option<Vec<u32>> {
    let grows = tuple.iter().rposition(|&process| process < processes)?;
    let mut tuple = tuple.to_vec();
    tuple[grows] += 1;
    tuple[grows + 1..].fill(1);
    Some(tuple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tuples_in_order() {
        let pairs: Vec<_> = tuples(2, 2).collect();
        assert_eq!(pairs, [[1, 1], [1, 2], [2, 1], [2, 2]]);
        assert_eq!(tuples(3, 4).count(), 81);
        assert_eq!(tuples(5, 0).collect::<Vec<_>>(), [[0; 0]]);
        assert_eq!(tuples(0, 0).count(), 1);
        assert_eq!(tuples(0, 1).count(), 0);
    }

    #[test]
    fn distinct_tuples_are_the_tuples_without_repetition() {
        for (processes, length) in [(0, 0), (0, 1), (1, 1), (1, 2), (3, 0), (3, 2), (3, 3), (3, 4), (4, 3)] {
            let distinct = |tuple: &Vec<u32>| (1..tuple.len()).all(|at| !tuple[..at].contains(&tuple[at]));
            let expected: Vec<_> = tuples(processes, length).filter(distinct).collect();
            assert_eq!(distinct_tuples(processes, length).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn more_places_than_processes_take_no_time() {
        assert_eq!(distinct_tuples(64, 65).count(), 0);
    }
}
