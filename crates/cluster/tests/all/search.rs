//! Searches of several processes, compared with one.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use polycube_engine::forward::Peers;
use polycube_testing::for_seeds;

use crate::processes::{Process, patience, run};

/// A graph that nobody has to keep: the successors of a node are computed from it.
#[derive(Clone, Copy)]
struct Graph {
    seed: u64,
    nodes: u64,
    /// How long a state is: a node, and as much else.
    width: usize,
}

fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl Graph {
    fn successors(self, node: u64) -> Vec<u64> {
        let count = 1 + mixed(node ^ self.seed) % 3;
        // Now and then a long way without a choice: many layers of one node.
        if node % 7 < 3 {
            return vec![(node + 1) % self.nodes];
        }
        (0..count).map(|which| mixed(node * 31 + which + self.seed) % self.nodes).collect()
    }

    fn state(self, node: u64) -> Vec<u8> {
        let mut state = node.to_le_bytes().to_vec();
        state.resize(self.width, node as u8);
        state
    }

    fn node(self, state: &[u8]) -> u64 {
        assert!(state[8..].iter().all(|&byte| byte == state[0]), "a state has changed on its way");
        u64::from_le_bytes(state[..8].try_into().unwrap())
    }
}

/// How many nodes each layer has.
fn alone(graph: Graph) -> Vec<u64> {
    let (mut seen, mut layer) = (BTreeSet::from([0]), vec![0]);
    let mut sizes = Vec::new();
    while !layer.is_empty() {
        sizes.push(layer.len() as u64);
        let next = layer.iter().flat_map(|&node| graph.successors(node));
        layer = next.filter(|&node| seen.insert(node)).collect();
    }
    sizes
}

/// The same, together: `chunk` nodes in a round.
fn together(peers: &mut impl Peers, graph: Graph, chunk: usize, pause: Duration) -> Vec<u64> {
    let (count, own) = (peers.count() as u64, peers.index() as u64);
    let owner = |node: u64| mixed(node) % count;
    let mut seen = BTreeSet::new();
    let mut layer: Vec<u64> = if owner(0) == own { vec![0] } else { vec![] };
    seen.extend(&layer);
    let mut sizes = Vec::new();
    loop {
        let told = peers.gather(&[layer.len() as u64, own]).unwrap();
        assert!((0..).zip(&told).all(|(index, word)| word.len() == 2 && word[1] == index));
        match told.iter().map(|word| word[0]).sum() {
            0 => return sizes,
            size => sizes.push(size),
        }
        let mut next = Vec::new();
        for round in layer.chunks(chunk) {
            for node in round.iter().flat_map(|&node| graph.successors(node)) {
                if owner(node) != own {
                    peers
                        .send(owner(node) as usize, &mut |bytes| bytes.extend_from_slice(&graph.state(node)));
                } else if seen.insert(node) {
                    next.push(node);
                }
            }
            thread::sleep(pause);
            peers.end_round().unwrap();
            take(peers, graph, &mut seen, &mut next);
        }
        while !peers.end_layer().unwrap() {
            take(peers, graph, &mut seen, &mut next);
        }
        assert!(peers.arrived().is_none());
        layer = next;
    }
}

fn take(peers: &mut impl Peers, graph: Graph, seen: &mut BTreeSet<u64>, next: &mut Vec<u64>) {
    while let Some(states) = peers.arrived() {
        assert_eq!(states.len() % graph.width, 0);
        for state in states.chunks(graph.width) {
            let node = graph.node(state);
            if seen.insert(node) {
                next.push(node);
            }
        }
    }
}

#[test]
fn random_searches_find_the_same_together() {
    for_seeds!(12, |seed: u64| {
        let nodes = [10, 1000, 30_000][(seed % 3) as usize];
        let graph = Graph { seed: mixed(seed), nodes, width: 8 + (mixed(seed) % 40) as usize };
        let expected = alone(graph);
        let processes = 1 + (seed / 3 % 4) as usize;
        let chunk = 1 + (mixed(seed + 1) % 2000) as usize;
        let found = run(processes, &patience(), |mut process: Process| {
            let sizes = together(&mut process.dataflow, graph, chunk, Duration::ZERO);
            assert_eq!(process.dataflow.bytes(), 0, "nothing is kept in the end");
            process.leave();
            sizes
        });
        assert!(found.iter().all(|sizes| *sizes == expected), "{found:?} instead of {expected:?}");
    });
}

#[test]
fn states_may_be_long() {
    let graph = Graph { seed: 3, nodes: 3000, width: 5000 };
    let expected = alone(graph);
    let found = run(3, &patience(), |mut process: Process| {
        let sizes = together(&mut process.dataflow, graph, 500, Duration::ZERO);
        let traffic = process.dataflow.traffic();
        // Two of three states belong to others; some are sent by several.
        assert!(traffic.sent > 1_000_000 && traffic.meetings > 1, "{traffic:?}");
        process.leave();
        sizes
    });
    assert!(found.iter().all(|sizes| *sizes == expected));
}

#[test]
fn parcels_may_be_longer_than_any_buffer() {
    run(2, &patience(), |mut process: Process| {
        let (own, dataflow) = (process.dataflow.index(), &mut process.dataflow);
        let parts = [1, 65_535, 65_536, 5_000_000, 7].map(|length| vec![length as u8; length]);
        for part in &parts {
            dataflow.send(1 - own, &mut |bytes| bytes.extend_from_slice(part));
        }
        let mut arrived = Vec::new();
        while !dataflow.end_layer().unwrap() {
            arrived.extend(dataflow.arrived());
        }
        let bytes: Vec<&[u8]> = arrived.iter().map(|bytes| &***bytes).collect();
        assert!(bytes.concat() == parts.concat(), "what was sent arrives in its order");
        process.leave();
    });
}

#[test]
fn fast_and_slow_processes_agree() {
    let graph = Graph { seed: 9, nodes: 500, width: 8 };
    let expected = alone(graph);
    let found = run(3, &patience(), |mut process: Process| {
        let pause = Duration::from_millis([0, 3, 0][process.dataflow.index()]);
        let sizes = together(&mut process.dataflow, graph, 20, pause);
        process.leave();
        sizes
    });
    assert!(found.iter().all(|sizes| *sizes == expected));
}

#[test]
fn words_are_told_at_any_speed() {
    run(4, &patience(), |mut process: Process| {
        let own = process.dataflow.index() as u64;
        for step in 0..200_u64 {
            if (step + own).is_multiple_of(50) {
                thread::sleep(Duration::from_millis(20));
            }
            // Words of different lengths, also empty ones.
            let word = |index: u64| vec![step * 10 + index; ((step + index) % 4) as usize];
            let told = process.dataflow.gather(&word(own)).unwrap();
            assert_eq!(told, (0..4).map(word).collect::<Vec<_>>());
            // And layers without anything.
            if step % 3 == 0 {
                assert!(process.dataflow.end_layer().unwrap());
            }
        }
        process.leave();
    });
}

#[test]
fn nobody_is_far_behind() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let rounds = [AtomicU64::new(0), AtomicU64::new(0)];
    run(2, &patience(), |mut process: Process| {
        let own = process.dataflow.index();
        for _ in 0..60 {
            if own == 1 {
                thread::sleep(Duration::from_millis(2));
            }
            process.dataflow.send(1 - own, &mut |bytes| bytes.extend([1; 100]));
            rounds[own].fetch_add(1, Ordering::SeqCst);
            process.dataflow.end_round().unwrap();
            while process.dataflow.arrived().is_some() {}
            let ahead = rounds[0].load(Ordering::SeqCst).saturating_sub(rounds[1].load(Ordering::SeqCst));
            assert!(ahead <= 3, "{ahead} rounds");
            assert!(process.dataflow.bytes() <= 1000, "{}", process.dataflow.bytes());
        }
        while !process.dataflow.end_layer().unwrap() {
            process.dataflow.arrived();
        }
        process.leave();
    });
}
