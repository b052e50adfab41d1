//! States on their way, by timely dataflow: an implementation of [`Peers`].
//!
//! One dataflow: what is sent goes to the process it is addressed to, and waits there until it is taken. Time is
//! a *step* and a *round*. A step is a layer, or a word that all tell all; all processes do the same steps in the
//! same order. The engine knows which times are over everywhere, with all that was sent arrived.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::net::TcpStream;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use polycube_engine::forward::{Arrived, Lost, Peers, Traffic};
use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::allocator::zero_copy::bytes_slab::BytesRefill;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::{Hooks, Push};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::core::input;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe, probe};
use timely::worker::{Config, Worker};

use crate::lifeline::Lifeline;
use crate::socket::DataStream;

/// What is sent is collected until it is as long as this, in all or for one process: each parcel wakes threads, of which two
/// processes feel 3 %. But many processes have little for each other, and should not need much room for it.
const COLLECTED: usize = 1 << 20;
const CHUNK: usize = 64 << 10;

/// How many rounds a process may be behind the fastest one. With one, everybody waits for everybody after each round;
/// with two, differences between rounds even out; with more, more is kept of what was sent, and nothing is gained.
const BEHIND: u64 = 2;

/// After such a time a process that waits looks whether the others are still there.
const GLANCE: Duration = Duration::from_millis(20);

/// The last bits of a time are the round.
const ROUND: u32 = 32;

/// Buffers of the engine that are kept for later, for each connection and direction; of one megabyte each.
const BUFFERS: usize = 4;

/// The processes of a cluster, for a search. It belongs to the thread that has made it.
pub struct Dataflow {
    /// It ends with the program: its threads cannot be told to.
    worker: ManuallyDrop<Worker>,
    input: ManuallyDrop<input::Handle<u64, NoopBuilder<Parcel>>>,
    probe: probe::Handle<u64>,
    count: usize,
    index: usize,
    lifeline: Lifeline,
    /// What was sent and has not left yet, for each process: in the same room throughout a layer.
    chunks: Vec<Vec<u8>>,
    /// What has arrived and was not taken yet, by step. A fast process can be one step ahead.
    inbox: Rc<RefCell<Inbox>>,
    step: u64,
    round: u64,
    /// The rounds of the layer are over here.
    is_ending: bool,
    /// How much was sent at which time, as long as it may not have arrived.
    on_its_way: VecDeque<(u64, usize)>,
    sent: Arc<AtomicU64>,
    traffic: Traffic,
    /// Why this process stops early, when it does: a number of the program.
    cause: Box<dyn Fn() -> u32>,
}

/// Who has sent it, and what.
type Queue = VecDeque<(u16, Content)>;

/// What has arrived, by step.
#[derive(Default)]
struct Inbox {
    parcels: BTreeMap<(u64, Kind), Queue>,
    bytes: usize,
}

/// What a parcel has in it. Whoever takes states in between should not get words that somebody else tells already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    #[default]
    States,
    Word,
}

impl Inbox {
    fn put(&mut self, step: u64, parcel: Parcel) {
        self.bytes += parcel.bytes.len();
        self.parcels.entry((step, parcel.kind)).or_default().push_back((parcel.from, parcel.bytes));
    }

    fn take(&mut self, step: u64, kind: Kind) -> Option<(u16, Content)> {
        let queue = self.parcels.get_mut(&(step, kind))?;
        let parcel = queue.pop_front();
        if queue.is_empty() {
            self.parcels.remove(&(step, kind));
        }
        self.bytes -= parcel.as_ref().map_or(0, |(_, bytes)| bytes.len());
        parcel
    }

    fn count(&self, step: u64, kind: Kind) -> usize {
        self.parcels.get(&(step, kind)).map_or(0, VecDeque::len)
    }
}

/// Bytes with an address: what the engine takes for a record.
#[derive(Clone, Default)]
struct Parcel {
    from: u16,
    to: u16,
    kind: Kind,
    bytes: Content,
}

/// What is to be sent, or has arrived: then it stays where the engine has put it, which is faster than to copy it.
#[derive(Clone)]
enum Content {
    Made(Vec<u8>),
    Arrived(Bytes),
}

impl Default for Content {
    fn default() -> Content {
        Content::Made(Vec::new())
    }
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Content::Made(bytes) => bytes,
            Content::Arrived(bytes) => bytes,
        }
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes.is_empty())
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(mut bytes: Bytes) -> Self {
        // What it reads was written below, by a process of the same version.
        let head = bytes.extract_to(16);
        let (&[a, b, c, d, kind, ..], length) = head.split_first_chunk::<8>().expect("a parcel has a head");
        let length = u64::from_le_bytes(length.try_into().expect("and a length"));
        Parcel {
            from: u16::from_le_bytes([a, b]),
            to: u16::from_le_bytes([c, d]),
            kind: if kind == 0 { Kind::States } else { Kind::Word },
            bytes: Content::Arrived(bytes.extract_to(length as usize)),
        }
    }

    fn length_in_bytes(&self) -> usize {
        16 + self.bytes.len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let mut write =
            |bytes: &[u8]| writer.write_all(bytes).expect("there is as much room as was asked for");
        write(&self.from.to_le_bytes());
        write(&self.to.to_le_bytes());
        write(&[u8::from(self.kind == Kind::Word), 0, 0, 0]);
        write(&(self.bytes.len() as u64).to_le_bytes());
        write(&self.bytes);
        write(&[0; 8][..self.bytes.len().next_multiple_of(8) - self.bytes.len()]);
    }
}

/// Gives each parcel to the process it is for.
struct Deliver;

impl Distributor<Parcel> for Deliver {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = usize::from(parcel.to);
        Message::push_at(parcel, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}

impl Dataflow {
    /// Makes the dataflow in this thread, on connections to all others.
    pub(crate) fn new(lifeline: Lifeline, sockets: Vec<Option<TcpStream>>) -> io::Result<Dataflow> {
        let (count, index) = (lifeline.hosts().count(), lifeline.index());
        let sent = Arc::new(AtomicU64::new(0));
        let stream = |(peer, socket)| DataStream::new(socket, peer, lifeline.clone(), Arc::clone(&sent));
        let sockets = (0..).zip(sockets).map(|(peer, socket)| socket.map(|socket| stream((peer, socket))));
        let hooks = || {
            let refill =
                BytesRefill { logic: Arc::new(|size| Box::new(vec![0_u8; size])), limit: Some(BUFFERS) };
            Hooks { refill, ..Hooks::default() }
        };
        let builders = ProcessBuilder::new_typed_vector(1, hooks().refill, None);
        let (builders, guard): (_, CommsGuard) =
            initialize_networking_from_sockets(builders, sockets.collect(), index, 1, hooks())?;
        // It would wait for the threads of the engine, which wait for the end of the program.
        std::mem::forget(guard);
        let builder = builders.into_iter().next().expect("one for each thread");
        // It needs to know the time: otherwise it never sleeps.
        let mut worker =
            Worker::new(Config::default(), Allocator::Tcp(builder.build()), Some(Instant::now()));

        let inbox = Rc::new(RefCell::new(Inbox::default()));
        let sink = Rc::clone(&inbox);
        let (input, probe) = worker.dataflow::<u64, _, _>(move |scope| {
            let (input, stream) = scope.new_input_with_builder::<NoopBuilder<Parcel>>();
            let arrived = stream.unary::<NoopBuilder<Parcel>, _, _, _>(
                DistributorPact(|_| Deliver),
                "arrived",
                |_, _| {
                    move |input, _| {
                        input.for_each(|time, parcel| {
                            sink.borrow_mut().put(*time.time() >> ROUND, std::mem::take(parcel));
                        });
                    }
                },
            );
            (input, arrived.probe().0)
        });
        Ok(Dataflow {
            worker: ManuallyDrop::new(worker),
            input: ManuallyDrop::new(input),
            probe,
            count,
            index,
            lifeline,
            chunks: vec![Vec::new(); count],
            inbox,
            step: 0,
            round: 0,
            is_ending: false,
            on_its_way: VecDeque::new(),
            sent,
            traffic: Traffic::default(),
            cause: Box::new(|| 0),
        })
    }

    /// What to tell the others when this process stops early: see [`Event::Stop`](crate::Event::Stop).
    pub fn stops_because_of(&mut self, cause: impl Fn() -> u32 + 'static) {
        self.cause = Box::new(cause);
    }

    fn time(&self) -> u64 {
        self.step << ROUND | self.round
    }

    /// Sends a parcel, now. Gives back the room that it took.
    fn dispatch(&mut self, to: usize, kind: Kind, bytes: Vec<u8>) -> Vec<u8> {
        if bytes.is_empty() {
            return bytes;
        }
        // A word is short, and the next step makes sure that it has arrived.
        if kind == Kind::States {
            let time = self.time();
            match self.on_its_way.back_mut() {
                Some((last, sum)) if *last == time => *sum += bytes.len(),
                _ => self.on_its_way.push_back((time, bytes.len())),
            }
        }
        let bytes = Content::Made(bytes);
        let mut parcel = Parcel { from: self.index as u16, to: to as u16, kind, bytes };
        self.input.send_batch(&mut parcel);
        // Gives it to the threads that write, and takes what has arrived.
        self.worker.step();
        // The bytes were copied to where they are sent from.
        match parcel.bytes {
            Content::Made(mut room) => {
                room.clear();
                room
            }
            Content::Arrived(_) => Vec::new(),
        }
    }

    fn dispatch_all(&mut self) {
        for to in 0..self.count {
            let chunk = std::mem::take(&mut self.chunks[to]);
            self.chunks[to] = self.dispatch(to, Kind::States, chunk);
        }
    }

    /// From now on, what is sent belongs to the given time. What was before is complete, as far as this process is
    /// concerned.
    fn advance(&mut self, step: u64, round: u64) {
        self.dispatch_all();
        (self.step, self.round) = (step, round);
        let time = self.time();
        self.input.advance_to(time);
        self.worker.step();
    }

    /// Waits until something is so.
    fn wait(&mut self, is_so: impl Fn(&Dataflow) -> bool) -> Result<(), Lost> {
        while !is_so(self) {
            if self.lifeline.is_over() {
                return Err(Lost);
            }
            self.worker.step_or_park(Some(GLANCE));
        }
        while let Some(&(time, _)) = self.on_its_way.front()
            && !self.probe.less_equal(&time)
        {
            self.on_its_way.pop_front();
        }
        Ok(())
    }

    /// Goes on with what the engine has to do for others, while this process has nothing to do itself.
    pub(crate) fn serve(&mut self) {
        self.worker.step_or_park(Some(GLANCE));
    }
}

impl Peers for Dataflow {
    fn count(&self) -> usize {
        self.count
    }

    fn index(&self) -> usize {
        self.index
    }

    fn send(&mut self, to: usize, write: &mut dyn FnMut(&mut Vec<u8>)) {
        assert!(
            to != self.index && !self.is_ending,
            "own states stay here, and a layer that is over has no more"
        );
        let chunk = &mut self.chunks[to];
        write(chunk);
        if chunk.len() >= (COLLECTED / self.count).max(CHUNK) {
            let chunk = std::mem::take(chunk);
            self.chunks[to] = self.dispatch(to, Kind::States, chunk);
        }
    }

    fn arrived(&mut self) -> Option<Arrived> {
        // All that belongs to the layer, also when the layer has ended here: the step is the next one then.
        let step = self.step - u64::from(self.is_ending);
        self.inbox.borrow_mut().take(step, Kind::States).map(|(_, states)| Box::new(states) as Arrived)
    }

    fn end_round(&mut self) -> Result<(), Lost> {
        let (step, round) = (self.step, self.round + 1);
        assert!(round < 1 << ROUND, "a layer has too many rounds");
        self.advance(step, round);
        match round.checked_sub(BEHIND) {
            // All times before it are over everywhere.
            Some(oldest) => self.wait(|flow| !flow.probe.less_than(&(step << ROUND | oldest))),
            None => self.wait(|_| true),
        }
    }

    fn end_layer(&mut self) -> Result<bool, Lost> {
        let start = Instant::now();
        if !self.is_ending {
            // A process has no more to do with this layer, so nobody waits for it: not for its rounds either.
            self.advance(self.step + 1, 0);
            self.is_ending = true;
        }
        let layer = self.step - 1;
        self.wait(|flow| {
            flow.inbox.borrow().count(layer, Kind::States) > 0
                || !flow.probe.less_than(&((layer + 1) << ROUND))
        })?;
        self.traffic.waited += start.elapsed();
        let is_over = self.inbox.borrow().count(layer, Kind::States) == 0;
        if is_over {
            self.is_ending = false;
            self.traffic.meetings += 1;
        }
        Ok(is_over)
    }

    fn gather(&mut self, word: &[u64]) -> Result<Vec<Vec<u64>>, Lost> {
        assert!(!self.is_ending, "the layer has not ended everywhere");
        let start = Instant::now();
        self.dispatch_all();
        // The layer is over: room for what is sent is needed again in the next one, if there is one.
        self.chunks.iter_mut().for_each(|chunk| *chunk = Vec::new());
        let step = self.step;
        // What stands first makes sure that a word is never empty.
        let bytes: Vec<u8> =
            [word.len() as u64].iter().chain(word).flat_map(|word| word.to_le_bytes()).collect();
        for to in 0..self.count {
            if to != self.index {
                self.dispatch(to, Kind::Word, bytes.clone());
            }
        }
        self.advance(step + 1, 0);
        // Nobody can be two steps ahead: for the next one, this process is needed.
        let others = self.count - 1;
        self.wait(|flow| flow.inbox.borrow().count(step, Kind::Word) == others)?;
        let mut words = vec![Vec::new(); self.count];
        words[self.index] = word.to_vec();
        while let Some((from, bytes)) = self.inbox.borrow_mut().take(step, Kind::Word) {
            let word = bytes.chunks_exact(8).skip(1);
            words[usize::from(from)] =
                word.map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
        }
        self.traffic.meetings += 1;
        self.traffic.waited += start.elapsed();
        Ok(words)
    }

    fn stop(&mut self) {
        self.lifeline.stop((self.cause)());
    }

    fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Vec::capacity).sum();
        let on_its_way: usize = self.on_its_way.iter().map(|(_, bytes)| bytes).sum();
        chunks + on_its_way + self.inbox.borrow().bytes
    }

    fn traffic(&self) -> Traffic {
        Traffic { sent: self.sent.load(Ordering::Relaxed), ..self.traffic }
    }
}
