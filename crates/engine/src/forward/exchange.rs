//! A search that is shared with other processes: who owns a state, and how states get there.

use super::expand::SearchError;
use super::hash::hash;
use super::peers::Peers;
use super::search::{Search, read, write};
use super::visited::{Batch, SHARDS, shard_of};

/// Which part of the states is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub index: usize,
    pub count: usize,
}

/// Bits of a hash that neither shards, nor places and tags in tables, nor the order within a batch depend on
/// (`visited.rs`): so the states of one process are spread as evenly as all states.
const OWNER_SHIFT: u32 = 15;
const OWNER_BITS: u32 = 11;

impl Share {
    pub fn of(peers: &dyn Peers) -> Share {
        Share { index: peers.index(), count: peers.count() }
    }

    /// Whose state it is that has this hash.
    #[inline]
    pub fn owner(self, hash: u64) -> usize {
        let bits = (hash >> OWNER_SHIFT) as usize & ((1 << OWNER_BITS) - 1);
        (bits * self.count) >> OWNER_BITS
    }

    #[inline]
    pub fn is_mine(self, hash: u64) -> bool {
        self.count == 1 || self.owner(hash) == self.index
    }

    /// Into how many rounds the states would be cut that are known here, or more. The larger a round is, the closer its successors
    /// lie together in the tables of the shards, and the more memory they take. Alone, a state should take at most 1.25 times
    /// its packed size and 8 bytes, everything included. Together, the time that is gained makes up for what states cost on
    /// their way; that takes some bytes for each state where a process has a few million, and nothing from 17 million on,
    /// since rounds are not larger than a quarter of a million.
    pub fn rounds(self) -> u64 {
        if self.count == 1 { 64 } else { 16 }
    }

    /// How many lists states are sorted into by [`Share::place`].
    pub fn places(self) -> usize {
        if self.count == 1 { SHARDS } else { SHARDS + self.count }
    }

    /// The list that a state belongs to: of a shard, or else of the process whose it is.
    #[inline]
    pub fn place(self, hash: u64) -> usize {
        if self.count == 1 {
            return shard_of(hash);
        }
        let (owner, shard) = (self.owner(hash), shard_of(hash));
        // No jump: half of them would be predicted wrongly.
        if owner == self.index { shard } else { SHARDS + owner }
    }
}

/// How many bytes of states are taken in at once.
const BYTES: usize = 8 << 20;

/// How many states are sent at once.
const PIECE: usize = 1024;

impl<const W: usize> Search<'_, W> {
    /// Sends the states that the first lanes have found for others.
    pub(super) fn send(&self, lanes: usize, peers: &mut dyn Peers) {
        for lane in &self.lanes[..lanes] {
            for (to, states) in read(lane).successors[SHARDS..].iter().enumerate() {
                for (states, rules) in states.pieces(PIECE) {
                    peers.send(to, &mut |bytes| self.packing.write(states, rules, bytes));
                }
            }
        }
    }

    /// Takes in all that has arrived.
    pub fn receive(&mut self, peers: &mut dyn Peers) -> Result<(), SearchError> {
        loop {
            match self.read_arrived(peers) {
                0 => return Ok(()),
                arrived => self.take_in(0, arrived)?,
            }
        }
    }

    /// Reads what has arrived, up to some megabytes, into as many lanes.
    ///
    /// Any order is as good: which rules sleep in a state depends on the rule by which it was found first, but
    /// not that it is found, nor how many steps there are (`sleep.rs`).
    pub(super) fn read_arrived(&mut self, peers: &mut dyn Peers) -> usize {
        let (mut chunks, mut bytes) = (Vec::new(), 0);
        while bytes < BYTES
            && let Some(chunk) = peers.arrived()
        {
            bytes += chunk.len();
            chunks.push(chunk);
        }
        let (record, words) = (self.packing.record(), self.instance.layout.words);
        let lanes = chunks.len().min(self.incoming.len());
        self.in_parallel(lanes, bytes / record, &|number| {
            let lane = &mut *write(&self.incoming[number]);
            lane.successors.iter_mut().for_each(Batch::clear);
            let lists = lane.successors.first_chunk_mut::<SHARDS>().expect("one for each shard, and more");
            for chunk in chunks.iter().skip(number).step_by(lanes) {
                self.packing.for_each_record(chunk, |state, rule| {
                    lists[shard_of(hash(&state, words))].push(state, rule);
                });
            }
            lane.weigh();
        });
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every state has one owner, and each process owns about as many as any other.
    #[test]
    fn owners_have_equal_shares() {
        for count in 1..=256 {
            let shares: Vec<Share> = (0..count).map(|index| Share { index, count }).collect();
            let mut owned = vec![0; count];
            for bits in 0..1u64 << OWNER_BITS {
                let hash = bits << OWNER_SHIFT | 0xFFFF << 32 | 5;
                let owners: Vec<usize> =
                    shares.iter().filter(|share| share.is_mine(hash)).map(|share| share.index).collect();
                assert_eq!(owners, [shares[0].owner(hash)]);
                for share in shares.iter().step_by(31) {
                    let place = if share.is_mine(hash) { shard_of(hash) } else { SHARDS + owners[0] };
                    assert_eq!(share.place(hash), place);
                    assert!(place < share.places());
                }
                owned[owners[0]] += 1;
            }
            let (least, most) = (owned.iter().min(), owned.iter().max());
            assert!(most <= least.map(|least| least + 1).as_ref(), "{count}: {owned:?}");
        }
    }
}
