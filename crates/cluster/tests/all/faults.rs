//! Processes that are lost, and what the others say.

use std::io::Read;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use polycube_cluster::{Cause, Event};
use polycube_engine::forward::{Lost, Peers};

use crate::processes::{Process, patience, run};

/// What a process waits for when another is lost.
fn lose(process: &mut Process) -> Duration {
    let start = Instant::now();
    loop {
        match process.dataflow.end_layer() {
            Ok(_) => {}
            Err(Lost) => return start.elapsed(),
        }
    }
}

#[test]
fn a_process_with_a_reason_is_believed() {
    let names = run(3, &patience(), |mut process| {
        let lifeline = process.cluster.lifeline().clone();
        if lifeline.index() == 1 {
            thread::sleep(Duration::from_millis(50));
            lifeline.fail("out of memory: more than 4.0 GB");
            assert_eq!(process.dataflow.gather(&[]), Err(Lost));
            return;
        }
        let time = lose(&mut process);
        assert!(time < Duration::from_millis(900), "{time:?}");
        let failure = process.failure();
        assert_eq!(Some(&failure), lifeline.failure());
        let name = lifeline.hosts().name(1);
        assert_eq!(failure.to_string(), format!("{name} ended: out of memory: more than 4.0 GB"));
    });
    assert_eq!(names.len(), 3);
}

#[test]
fn all_are_asked_to_stop() {
    run(3, &patience(), |process| {
        let lifeline = process.cluster.lifeline();
        if lifeline.index() == 2 {
            lifeline.stop(7);
        } else {
            let event = process.events.recv_timeout(Duration::from_secs(5)).unwrap();
            assert_eq!(event, Event::Stop { process: 2, cause: 7 });
        }
        process.leave();
    });
}

#[test]
fn counters_are_heard() {
    run(3, &patience(), |process| {
        let lifeline = process.cluster.lifeline().clone();
        lifeline.counters().set(3, 100 + lifeline.index() as u64);
        let start = Instant::now();
        while lifeline.all_counters().iter().map(|counters| counters[3]).ne([100, 101, 102]) {
            assert!(start.elapsed() < Duration::from_secs(5));
            thread::sleep(Duration::from_millis(10));
        }
        process.leave();
    });
}

#[test]
fn who_leaves_before_the_others_is_no_failure_but_who_vanishes_is() {
    let all = Barrier::new(2);
    run(2, &patience(), |process| {
        let lifeline = process.cluster.lifeline().clone();
        if lifeline.index() == 1 {
            // It does not wait for the other one.
            let left = process.cluster.leave(process.dataflow, Duration::from_millis(50));
            assert_eq!(left, Err(None));
            all.wait();
        } else {
            all.wait();
            thread::sleep(Duration::from_millis(2000));
            assert_eq!(lifeline.failure(), None);
            process.leave();
        }
    });
}

/// The program that this is, once more, as a process that can be killed.
mod children {
    use std::env;
    use std::io::{BufReader, stdin, stdout};
    use std::process::Command;

    use polycube_cluster::local::{self, Children};

    use super::*;
    use crate::processes::{introduction, join};

    const VARIABLE: &str = "POLYCUBE_CLUSTER_TEST_CHILD";

    /// A child: joins, and works until something happens.
    #[test]
    #[ignore = "the other tests start it"]
    fn child() {
        if env::var_os(VARIABLE).is_none() {
            return;
        }
        let place = local::receive(&mut BufReader::new(stdin()), &mut Redirected(stdout())).unwrap();
        local::watch_parent(stdin(), || std::process::exit(7)).unwrap();
        let index = place.index;
        let (mut cluster, _events) = join(place, introduction(index), &patience()).unwrap();
        let mut dataflow = cluster.dataflow().unwrap();
        while dataflow.end_layer().is_ok() {}
    }

    /// The test harness prints a line first.
    struct Redirected<W>(W);

    impl<W: std::io::Write> std::io::Write for Redirected<W> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }

    fn start(count: usize) -> (Process, Children) {
        let command = |_| {
            // The harness says on its output what it does; a shell keeps that away.
            let mut command = Command::new("sh");
            let run = r#""$0" --ignored --exact faults::children::child --nocapture 2>/dev/null | grep --line-buffered "^polycube""#;
            command.args(["-c", run]).arg(env::current_exe().unwrap()).env(VARIABLE, "1");
            command
        };
        let (place, children) = local::start(count, command, Duration::from_secs(10), &|| None).unwrap();
        let (cluster, events) = join(place, introduction(0), &patience()).unwrap();
        (Process::new(cluster, events), children)
    }

    /// The processes that a child consists of.
    fn descendants(parent: u32) -> Vec<u32> {
        let file = format!("/proc/{parent}/task/{parent}/children");
        let mut text = String::new();
        std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text)).unwrap();
        text.split_whitespace().map(|id| id.parse().unwrap()).collect()
    }

    /// The child itself, behind the shell.
    fn inner(shell: u32) -> u32 {
        let is_child = |id: &u32| {
            let name = std::fs::read(format!("/proc/{id}/cmdline")).unwrap();
            String::from_utf8_lossy(&name).contains("faults::children::child")
        };
        descendants(shell).into_iter().find(is_child).unwrap()
    }

    fn signal(name: &str, process: u32) {
        let status = Command::new("kill").arg(name).arg(process.to_string()).status().unwrap();
        assert!(status.success());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_killed_process_is_gone() {
        let (mut process, children) = start(3);
        let started = Instant::now();
        signal("-KILL", inner(children.ids()[0]));
        lose(&mut process);
        let failure = process.failure();
        assert_eq!((failure.process, failure.cause), (1, Cause::Gone));
        assert!(started.elapsed() < Duration::from_millis(900), "{:?}", started.elapsed());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_stopped_process_does_not_answer() {
        let (mut process, children) = start(3);
        let started = Instant::now();
        let child = inner(children.ids()[1]);
        signal("-STOP", child);
        lose(&mut process);
        let failure = process.failure();
        assert_eq!((failure.process, failure.cause), (2, Cause::Silent(patience().silence)));
        assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
        signal("-CONT", child);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn children_end_with_their_parent() {
        let (process, children) = start(2);
        let child = inner(children.ids()[0]);
        drop(children);
        // Its input has ended, and its output: it does not outlive that by long.
        let start = Instant::now();
        while std::path::Path::new(&format!("/proc/{child}")).exists() {
            assert!(start.elapsed() < Duration::from_secs(5));
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(process.failure().cause, Cause::Gone);
    }

    #[test]
    fn a_child_that_does_not_begin_is_told() {
        let command = |_| {
            let mut command = Command::new("sh");
            command.args(["-c", "exit 3"]);
            command
        };
        let error = local::start(2, command, Duration::from_secs(10), &|| None).unwrap_err();
        assert_eq!(error.to_string(), "process 1 ended before it began: exit status: 3");
        let command = |_| {
            let mut command = Command::new("sleep");
            command.arg("10");
            command
        };
        let error = local::start(3, command, Duration::from_millis(100), &|| None).unwrap_err();
        assert_eq!(error.to_string(), "process 1 did not begin within 0.1 s");
    }
}
