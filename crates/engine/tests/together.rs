//! Explorations that several processes share, and such that are kept and gone on with: their results are those of one process.
//! Here the processes are threads, and what is kept is in memory.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use polycube_engine::compile::domain::Bounds;
use polycube_engine::forward::{
    Alone, Arrived, Company, Deadlocks, End, Exploration, Fault, Goal, Journal, Limits, Lost, Observer,
    Options, Peers, Progress, Reduction, Take, Traffic, explore, explore_together,
};
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_testing::generate::{Profile, Random, random_system};
use polycube_testing::{for_seeds, models};

/// What a process tells another.
enum Message {
    States(Vec<u8>),
    EndOfLayer,
    Word(Vec<u64>),
    Stop,
}

/// A process that is a thread. Messages of one process arrive in order; those of different ones in any.
struct Thread {
    index: usize,
    to: Vec<Option<Sender<Message>>>,
    from: Vec<Option<Receiver<Message>>>,
    arrived: VecDeque<Vec<u8>>,
    /// Whose part of this layer has ended.
    ended: Vec<bool>,
    interrupt: Arc<AtomicBool>,
    /// At how many more meetings it takes part, until it is lost.
    meetings: usize,
}

impl Thread {
    fn company(count: usize) -> Vec<Thread> {
        let mut threads: Vec<Thread> = (0..count)
            .map(|index| Thread {
                index,
                to: (0..count).map(|_| None).collect(),
                from: (0..count).map(|_| None).collect(),
                arrived: VecDeque::new(),
                ended: vec![false; count],
                interrupt: Arc::default(),
                meetings: usize::MAX,
            })
            .collect();
        for from in 0..count {
            for to in (0..count).filter(|&to| to != from) {
                let (sender, receiver) = channel();
                threads[from].to[to] = Some(sender);
                threads[to].from[from] = Some(receiver);
            }
        }
        threads
    }

    fn tell(&self, message: impl Fn() -> Message) {
        self.to.iter().flatten().for_each(|to| drop(to.send(message())));
    }

    /// Takes what a process has sent until its part of the layer ends.
    fn take(&mut self, from: usize, wait: bool) -> Result<(), Lost> {
        while !self.ended[from] {
            let Some(receiver) = &self.from[from] else { break };
            let message = if wait {
                receiver.recv().map_err(|_| Lost)?
            } else {
                match receiver.try_recv() {
                    Ok(message) => message,
                    Err(_) => break,
                }
            };
            match message {
                Message::States(states) => self.arrived.push_back(states),
                Message::EndOfLayer => self.ended[from] = true,
                Message::Stop => self.interrupt.store(true, Ordering::Relaxed),
                Message::Word(_) => panic!("a word within a layer"),
            }
        }
        Ok(())
    }
}

impl Peers for Thread {
    fn count(&self) -> usize {
        self.to.len()
    }

    fn index(&self) -> usize {
        self.index
    }

    fn send(&mut self, to: usize, write: &mut dyn FnMut(&mut Vec<u8>)) {
        let to = self.to[to].as_ref().expect("nobody sends to itself");
        let mut states = Vec::new();
        write(&mut states);
        let _ = to.send(Message::States(states));
    }

    fn arrived(&mut self) -> Option<Arrived> {
        self.arrived.pop_front().map(|states| Box::new(states) as Arrived)
    }

    fn end_round(&mut self) -> Result<(), Lost> {
        (0..self.count()).try_for_each(|from| self.take(from, false))
    }

    fn end_layer(&mut self) -> Result<bool, Lost> {
        if !self.ended[self.index] {
            self.ended[self.index] = true;
            self.tell(|| Message::EndOfLayer);
        }
        (0..self.count()).try_for_each(|from| self.take(from, true))?;
        if !self.arrived.is_empty() {
            return Ok(false);
        }
        self.ended.fill(false);
        Ok(true)
    }

    fn gather(&mut self, word: &[u64]) -> Result<Vec<Vec<u64>>, Lost> {
        self.meetings = self.meetings.checked_sub(1).ok_or(Lost)?;
        self.tell(|| Message::Word(word.to_vec()));
        let mut words = Vec::new();
        for from in &self.from {
            let Some(from) = from else {
                words.push(word.to_vec());
                continue;
            };
            loop {
                match from.recv().map_err(|_| Lost)? {
                    Message::Word(word) => break words.push(word),
                    Message::Stop => self.interrupt.store(true, Ordering::Relaxed),
                    _ => panic!("states between layers"),
                }
            }
        }
        Ok(words)
    }

    fn stop(&mut self) {
        self.tell(|| Message::Stop);
    }

    fn bytes(&self) -> usize {
        self.arrived.iter().map(Vec::len).sum()
    }

    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

/// A stage: its name, and its layers.
type Stage = (Vec<u64>, Vec<(Vec<u64>, Vec<u8>)>);

/// What is kept, in memory; and a copy of it at each commit.
#[derive(Clone, Default)]
struct Memory {
    stages: BTreeMap<usize, Stage>,
    order: usize,
    /// What counts, from each commit on.
    commits: Vec<BTreeMap<usize, Stage>>,
    /// After how many layers it is time to keep them.
    every: usize,
    asked: usize,
}

impl Memory {
    fn stage_mut(&mut self) -> &mut Stage {
        self.stages.get_mut(&self.order).expect("a stage is open")
    }
}

impl Journal for Memory {
    fn stage(&self, order: usize) -> Option<Vec<u64>> {
        self.stages.get(&order).map(|stage| stage.0.clone())
    }

    fn open(&mut self, order: usize, stage: &[u64]) -> Result<usize, Fault> {
        self.order = order;
        if self.stage(order).as_deref() != Some(stage) {
            self.stages.insert(order, (stage.to_vec(), Vec::new()));
        }
        Ok(self.stage_mut().1.len())
    }

    fn truncate(&mut self, layers: usize) -> Result<(), Fault> {
        self.stage_mut().1.truncate(layers);
        Ok(())
    }

    fn read(&mut self, layer: usize, take: &mut Take<'_>) -> Result<Vec<u64>, Fault> {
        let (word, states) = self.stage_mut().1[layer].clone();
        states.chunks(5).try_for_each(take)?;
        Ok(word)
    }

    fn is_due(&mut self) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(self.every)
    }

    fn append(
        &mut self,
        word: &[u64],
        states: &mut dyn FnMut(&mut Take<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut bytes = Vec::new();
        states(&mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        self.stage_mut().1.push((word.to_vec(), bytes));
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.commits.push(self.stages.clone());
        Ok(())
    }
}

/// Explores an instance with several processes, each with what it has kept; what each of them finds, and keeps.
fn together(
    system: &System,
    options: &Options,
    journals: Vec<Option<Memory>>,
) -> Vec<(Exploration, Option<Memory>)> {
    together_as(Thread::company(journals.len()), system, options, journals)
}

fn together_as(
    threads: Vec<Thread>,
    system: &System,
    options: &Options,
    journals: Vec<Option<Memory>>,
) -> Vec<(Exploration, Option<Memory>)> {
    std::thread::scope(|scope| {
        let run = |mut thread: Thread, mut memory: Option<Memory>| {
            let options = Options { interrupt: thread.interrupt.clone(), ..options.clone() };
            let journal = memory.as_mut().map(|memory| memory as &mut dyn Journal);
            let found =
                explore_together(system, &options, &mut (), &mut Company { peers: &mut thread, journal })
                    .expect("as one process");
            (found, memory)
        };
        let processes = threads.into_iter().zip(journals);
        let running: Vec<_> =
            processes.map(|(thread, memory)| scope.spawn(move || run(thread, memory))).collect();
        running.into_iter().map(|running| running.join().expect("a process does not panic")).collect()
    })
}

/// What does not depend on who finds it.
fn result(found: &Exploration) -> Exploration {
    Exploration { bytes: 0, parts: Vec::new(), ..found.clone() }
}

fn instance(random: &mut Random, seed: u64) -> (System, Options) {
    let profile = [Profile::ALL, Profile::FINITE][seed as usize % 2].clone();
    let small = Profile { max_dimensions: 2, max_symbols: 4, max_transitions: 4, max_depth: 2, ..profile };
    let system = random_system(random.number(), &small);
    let processes = match system.processes {
        Processes::Exactly(count) => count,
        Processes::Any => random.between(1, 3) as u32,
    };
    let goal = [Goal::FirstUnsafe, Goal::Everything][random.below(2)].clone();
    let reduction = [Reduction::Symmetry, Reduction::None][random.below(2)];
    let deadlocks = [Deadlocks::NoStep, Deadlocks::NoChange][random.below(2)];
    // A few thousand states, each with as many successors, would take minutes.
    let limits = Limits { depth: Some(random.between(3, 12)), choices: Some(100), ..Limits::default() };
    let bounds = Bounds { numbers: -1..=1, values: 2 };
    let options = Options {
        goal,
        reduction,
        deadlocks,
        limits,
        bounds,
        threads: 1 + seed as usize % 2,
        ..Options::new(processes)
    };
    (system, options)
}

/// Whether an instance is small enough, and ends with an answer.
fn alone(system: &System, options: &Options) -> Option<Exploration> {
    let limited = Options { limits: Limits { states: Some(20_000), ..options.limits }, ..options.clone() };
    let found = explore(system, &limited, &mut ()).ok()?;
    matches!(found.end, End::Complete | End::Unsafe | End::Depth).then_some(found)
}

#[test]
fn random_instances_are_explored_alike_by_several_processes() {
    for_seeds!(500, |seed| {
        let mut random = Random::new(seed);
        let (system, options) = instance(&mut random, seed);
        let Some(expected) = alone(&system, &options) else { return };
        for count in 1..=3 {
            let found = together(&system, &options, vec![None; count]);
            for (found, _) in &found {
                assert_eq!(result(found), result(&expected), "{count} processes\n{}", system.to_source());
                assert_eq!(found.parts.len(), count);
                assert_eq!(found.parts.iter().map(|part| part.states).sum::<u64>(), found.states);
            }
        }
    });
}

/// Whatever moment an exploration is killed at: what goes on with what was kept by then has the same result. Processes may
/// have been killed between different commits.
#[test]
fn random_explorations_go_on_from_what_was_kept() {
    for_seeds!(300, |seed| {
        let mut random = Random::new(seed);
        let (system, options) = instance(&mut random, seed);
        let Some(expected) = alone(&system, &options) else { return };
        let count = 1 + seed as usize % 3;
        let every = random.between(1, 4);
        let empty = Memory { every, ..Memory::default() };
        let found = together(&system, &options, vec![Some(empty.clone()); count]);
        let kept: Vec<&Memory> = found
            .iter()
            .map(|(found, memory)| {
                assert_eq!(result(found), result(&expected), "kept\n{}", system.to_source());
                memory.as_ref().expect("what is kept")
            })
            .collect();
        for _ in 0..4 {
            // Commits are made together: one process may be one of them ahead.
            let at = random.below(kept[0].commits.len() + 1);
            let journals = kept.iter().map(|memory| {
                let at = (at + random.below(2)).min(memory.commits.len());
                let stages = at.checked_sub(1).map(|at| memory.commits[at].clone()).unwrap_or_default();
                Some(Memory { stages, ..empty.clone() })
            });
            for (found, _) in together(&system, &options, journals.collect()) {
                assert_eq!(result(&found), result(&expected), "from commit {at}\n{}", system.to_source());
            }
        }
    });
}

/// Explorations that were ended by a limit on the depth go on where there is none.
#[test]
fn what_was_kept_may_be_explored_further() {
    let text = "
        var Turn : proc
        array Ticket[proc] : int
        array In[proc] : bool
        init (p) { Ticket[p] = 0 && In[p] = False }
        unsafe (p q) { In[p] = True && In[q] = True && Turn = p }
        transition up (p) requires { Ticket[p] < 9 } { Ticket[p] := Ticket[p] + 1 }
        transition pass (p q) requires { Turn = p && Ticket[q] > Ticket[p] } { Turn := q }
        transition enter (p) requires { Turn = p } { In[p] := True }
        transition leave (p) requires { In[p] = True } { In[p] := False }
    ";
    let system = polycube_language::check(text).system.expect("a model");
    let limit = |depth| Limits { depth, ..Limits::default() };
    let options = |depth| Options { goal: Goal::Everything, limits: limit(depth), ..Options::new(2) };
    let expected = explore(&system, &options(None), &mut ()).expect("an instance");
    assert_eq!(expected.end, End::Complete);
    for count in 1..=2 {
        let empty = Memory { every: 3, ..Memory::default() };
        let first = together(&system, &options(Some(7)), vec![Some(empty); count]);
        let kept = first.into_iter().map(|(found, memory)| {
            assert_eq!((found.end, found.depth), (End::Depth, 7));
            memory
        });
        for (found, _) in together(&system, &options(None), kept.collect()) {
            assert_eq!(result(&found), result(&expected), "{count}");
        }
    }
}

/// Sees to it that a process is interrupted after some rounds.
struct Interrupting {
    rounds: usize,
    interrupt: Arc<AtomicBool>,
}

impl Observer for Interrupting {
    fn progress(&mut self, _: &Progress) {
        self.rounds = self.rounds.saturating_sub(1);
        if self.rounds == 0 {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }
}

/// If one process ends early, all do; and what they had kept is whole.
#[test]
fn when_one_process_is_interrupted_all_end() {
    let model = models("safe").into_iter().find(|model| model.name() == "german");
    let text = model.expect("german").text;
    let system = polycube_language::check(&text).system.expect("a model");
    let options = Options { reduction: Reduction::None, ..Options::new(3) };
    let expected = explore(&system, &options, &mut ()).expect("an instance");
    for rounds in [1, 5, 9, 20] {
        let kept: Vec<Mutex<Memory>> =
            (0..3).map(|_| Mutex::new(Memory { every: 4, ..Memory::default() })).collect();
        let threads = Thread::company(3);
        let ends: Vec<End> = std::thread::scope(|scope| {
            let run = |mut thread: Thread| {
                let interrupt = thread.interrupt.clone();
                let options = Options { interrupt: interrupt.clone(), ..options.clone() };
                let mut memory = kept[thread.index].lock().expect("one thread");
                let journal = Some(&mut *memory as &mut dyn Journal);
                let rounds = if thread.index == 1 { rounds } else { usize::MAX };
                let observer = &mut Interrupting { rounds, interrupt };
                let company = &mut Company { peers: &mut thread, journal };
                explore_together(&system, &options, observer, company).expect("an instance").end
            };
            let running: Vec<_> =
                threads.into_iter().map(|thread| scope.spawn(move || run(thread))).collect();
            running.into_iter().map(|running| running.join().expect("no panic")).collect()
        });
        assert_eq!(ends, [End::Interrupted; 3], "{rounds}");
        let kept = kept.into_iter().map(|kept| Some(kept.into_inner().expect("no panic")));
        for (found, _) in together(&system, &options, kept.collect()) {
            assert_eq!(result(&found), result(&expected), "{rounds}");
        }
    }
}

/// Whenever a process is lost, also while a run is put together: the others end, without an answer, and go on from what was
/// kept.
#[test]
fn when_a_process_is_lost_the_others_end() {
    let text = "
        array A[proc] : int
        array B[proc] : bool
        init (p) { A[p] = 0 && B[p] = False }
        unsafe (p q) { A[p] = 3 && A[q] = 3 && B[p] = True && B[q] = True }
        unsafe (p) { A[p] = 2 && B[p] = True }
        transition up (p) requires { A[p] < 3 && B[p] = False } { A[p] := A[p] + 1 }
        transition on (p) requires { B[p] = False } { B[p] := True }
    ";
    let system = polycube_language::check(text).system.expect("a model");
    let options = Options { goal: Goal::Everything, ..Options::new(3) };
    let expected = explore(&system, &options, &mut ()).expect("an instance");
    assert_eq!((expected.end, expected.violations.len()), (End::Complete, 2));
    let mut lost = 0;
    for meetings in 0.. {
        let mut threads = Thread::company(3);
        threads[1].meetings = meetings;
        let empty = Memory { every: 2, ..Memory::default() };
        let found = together_as(threads, &system, &options, vec![Some(empty); 3]);
        if found.iter().all(|(found, _)| found.end != End::Lost) {
            for (found, _) in &found {
                assert_eq!(result(found), result(&expected), "{meetings}");
            }
            break;
        }
        for (found, _) in &found {
            assert_eq!(found.end, End::Lost, "{meetings}");
            // What could be shown before is right.
            assert!(
                found.violations.iter().all(|one| expected.violations.contains(one)),
                "{meetings}: {found:?}"
            );
        }
        lost += 1;
        let kept = found.into_iter().map(|(_, kept)| kept);
        for (found, _) in together(&system, &options, kept.collect()) {
            assert_eq!(result(&found), result(&expected), "{meetings}");
        }
    }
    // One after each layer, and one for each step of a run.
    assert!(lost > expected.depth + 7, "{lost}");
}

#[test]
fn one_process_alone_is_as_any() {
    let model = "
        var X : int
        init () { X = 0 }
        unsafe () { X = 40 }
        transition up () requires { X < 100 } { X := X + 3 }
        transition down () requires { X > 0 } { X := X - 1 }
    ";
    let system = polycube_language::check(model).system.expect("a model");
    let expected = explore(&system, &Options::new(1), &mut ()).expect("an instance");
    let company = &mut Company { peers: &mut Alone, journal: None };
    let found = explore_together(&system, &Options::new(1), &mut (), company).expect("an instance");
    assert_eq!(found, expected);
    assert_eq!(found.violations.len(), 1);
}
