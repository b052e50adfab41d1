//! What can happen to processes that share an exploration, and when: at the start, in the middle, while they write down what
//! they have found, while they look for runs. The others say what it was, and another exploration goes on from there.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use polycube_testing::{skip, skip_without_tool};

use super::together::{begin, begin_by, children, essence, files, hosts, send};
use super::*;

const POLYCUBE: &str = env!("CARGO_BIN_EXE_polycube");

/// More work than there is time for.
const ENDLESS: [&str; 5] = ["german.cub", "-n6", "--no-symmetry", "--format=json", "-j1"];

/// Keeps each layer.
const KEPT: [&str; 2] = ["--checkpoint=kept", "--every=0"];

/// Starts two processes of a list, the second one by a command of its own.
fn pair(folder: &Path, call: &[&str], by: &[&str], more: &[&str]) -> (Child, Child) {
    fs::write(folder.join("hosts"), hosts(2)).expect("a file");
    let first = begin(folder, &[call, &["--hosts=hosts", "--process=0"]].concat());
    (first, begin_by(by, folder, &[call, &["--hosts=hosts", "--process=1"], more].concat()))
}

/// Waits for something that takes a moment.
fn wait_until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not happen");
        sleep(Duration::from_micros(100));
    }
}

/// How many bytes of states two processes have kept.
fn kept(folder: &Path) -> [u64; 2] {
    let size = |process| fs::metadata(folder.join(format!("process-{process}/order-0.states")));
    [0, 1].map(|process| size(process).map_or(0, |file| file.len()))
}

/// Waits until both processes are in the middle of their work.
fn wait_for_layers(folder: &Path) {
    wait_until(|| kept(&folder.join("kept")).iter().all(|&bytes| bytes > 50_000));
}

fn end(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

/// What the others say of a process with an end like this: in one line, with the right code, and in the report.
fn is_lost(output: &Output, process: usize, why: &str) {
    assert_eq!(code(output), 3, "{}", err(output));
    let line = err(output);
    let name = format!("polycube: process {process} (");
    assert!(line.starts_with(&name) && line.contains(why) && line.lines().count() == 1, "{line}");
    if !out(output).is_empty() {
        let report: Value = serde_json::from_str(out(output)).expect("one JSON object");
        assert_eq!(report["end"], "lost");
        assert_eq!(report["lost"].as_str(), line.trim_end().strip_prefix("polycube: "));
    }
}

const GONE: &str = "is gone: its connection was closed";
const SILENT: &str = "does not answer: nothing was heard of it for 10 s";

/// From what was kept another exploration goes on: it knows what one knows that came as far and was left in peace.
fn goes_on(folder: &Path) {
    let resumed = explore(folder, &[&ENDLESS[..], &["--local=2", "--resume=kept", "--depth=0"]].concat());
    assert_eq!(err(&resumed), "");
    let resumed = essence(out(&resumed));
    let depth = resumed["depth"].as_u64().expect("a number");
    assert!(depth > 2, "{resumed}");
    let depth = format!("--depth={depth}");
    assert_eq!(resumed, essence(out(&explore(folder, &[&ENDLESS[..], &[&depth]].concat()))));
}

/// Killed, or stopped, before the other one is there.
#[test]
fn who_is_lost_before_the_start_is_absent() {
    let folder = files();
    for signal in ["-KILL", "-STOP"] {
        let call = ["german.cub", "-n3", "--hosts=hosts", "--wait=2"];
        fs::write(folder.path().join("hosts"), hosts(2)).expect("a file");
        let mut second = begin(folder.path(), &[&call[..], &["--process=1"]].concat());
        sleep(Duration::from_millis(200));
        send(signal, second.id());
        let first = end(begin(folder.path(), &[&call[..], &["--process=0"]].concat()));
        assert_eq!((code(&first), out(&first)), (2, ""));
        assert!(err(&first).contains("process 1 (127.0.0.1:"), "{}", err(&first));
        assert!(err(&first).contains("did not come within 2 s"), "{}", err(&first));
        second.kill().expect("it is ours");
        second.wait().expect("it ends");
    }
}

#[test]
fn a_kill_in_the_middle_or_while_something_is_written_loses_a_layer_at_most() {
    for while_writing in [false, true] {
        let folder = files();
        let call = [&ENDLESS[..], &KEPT].concat();
        let (first, mut second) = pair(folder.path(), &call, &[POLYCUBE], &[]);
        wait_for_layers(folder.path());
        if while_writing {
            // The states of a layer are written first, then the manifest.
            let before = kept(&folder.path().join("kept"));
            wait_until(|| kept(&folder.path().join("kept"))[1] > before[1]);
        }
        second.kill().expect("it is ours");
        second.wait().expect("it ends");
        is_lost(&end(first), 1, GONE);
        goes_on(folder.path());
    }
}

#[test]
fn who_is_stopped_does_not_answer() {
    let folder = files();
    let parent = begin(folder.path(), &[&ENDLESS[..], &KEPT, &["--local=2"]].concat());
    let child = children(&parent, 1)[0];
    wait_for_layers(folder.path());
    send("-STOP", child);
    is_lost(&end(parent), 1, SILENT);
    assert!(!Path::new(&format!("/proc/{child}")).exists(), "it is still there");
    goes_on(folder.path());
}

/// A process that may have no more memory than it has.
#[test]
fn who_has_no_memory_is_gone() {
    let folder = files();
    let (first, second) = pair(folder.path(), &[&ENDLESS[..], &KEPT].concat(), &[POLYCUBE], &[]);
    wait_for_layers(folder.path());
    let mut limit = Command::new("prlimit");
    limit.args(["--pid", &second.id().to_string(), "--as=1000000"]);
    if !limit.status().is_ok_and(|status| status.success()) {
        [first, second].iter_mut().for_each(|child| child.kill().expect("it is ours"));
        return skip_without_tool("there is no `prlimit` (util-linux)");
    }
    let second = end(second);
    assert!(err(&second).contains("memory allocation of"), "{}", err(&second));
    assert_eq!(second.status.signal(), Some(6));
    is_lost(&end(first), 1, GONE);
    goes_on(folder.path());
}

/// A limit that one of them has is one for all.
#[test]
fn a_limit_of_one_ends_all() {
    let folder = files();
    let (first, second) =
        pair(folder.path(), &[&ENDLESS[..], &KEPT].concat(), &[POLYCUBE], &["--max-memory=2M"]);
    let (first, second) = (end(first), end(second));
    assert_eq!((code(&first), err(&first)), (3, ""));
    assert_eq!((code(&second), err(&second), out(&second)), (3, "", ""));
    let report: Value = serde_json::from_str(out(&first)).expect("one JSON object");
    assert_eq!(report["end"], "memory");
    goes_on(folder.path());
}

/// A clause for each of many bad states that are far away: finding the runs to them takes longer than finding them.
fn far() -> String {
    let clause = |number: u32| {
        let (one, other) = (number % 8, number / 8);
        format!("unsafe (p q r s) {{ X[p] = 7 && X[q] = 7 && X[r] = {one} && X[s] = {other} }}\n")
    };
    let clauses: String = (0..64).map(clause).collect();
    format!(
        "array X[proc] : int\ninit (p) {{ X[p] = 0 }}\n{clauses}\
         transition up (p) requires {{ X[p] < 7 }} {{ X[p] := X[p] + 1 }}\n"
    )
}

/// All states are found, and kept; then one is killed.
#[test]
fn a_kill_while_runs_are_looked_for_loses_no_state() {
    let folder = files();
    fs::write(folder.path().join("far.cub"), far()).expect("a file");
    let call = ["far.cub", "-n5", "--no-symmetry", "--keep-going", "--format=json", "-j1"];
    let whole = explore(folder.path(), &[&call[..], &["--local=2", "--checkpoint=whole"]].concat());
    assert_eq!((code(&whole), err(&whole)), (1, ""));
    let whole = essence(out(&whole));
    let (first, mut second) = pair(folder.path(), &[&call[..], &KEPT].concat(), &[POLYCUBE], &[]);
    let all = kept(&folder.path().join("whole"));
    wait_until(|| kept(&folder.path().join("kept")) == all);
    second.kill().expect("it is ours");
    second.wait().expect("it ends");
    let first = end(first);
    is_lost(&first, 1, GONE);
    let lost: Value = serde_json::from_str(out(&first)).expect("one JSON object");
    for field in ["states", "transitions", "depth"] {
        assert_eq!(lost[field], whole[field], "{field}");
    }
    let runs = |report: &Value| report["violations"].as_array().expect("runs").len();
    assert!(runs(&lost) < runs(&whole), "it was killed too late");
    let resumed = explore(folder.path(), &[&call[..], &["--local=2", "--resume=kept"]].concat());
    assert_eq!((essence(out(&resumed)), err(&resumed)), (whole, ""));
}

/// The program as if it were of another version: with other numbers in it.
#[test]
fn another_version_is_refused() {
    let folder = files();
    let own = env!("CARGO_PKG_VERSION");
    let other =
        "9".repeat(own.find('.').expect("a version has parts")) + &own[own.find('.').expect("parts")..];
    let replace = format!("LC_ALL=C sed 's/{}/{other}/g' '{POLYCUBE}' > other", own.replace('.', "[.]"));
    let make = format!("{replace} && chmod +x other && ./other --version");
    let made = Command::new("sh").arg("-c").arg(make).current_dir(folder.path()).output().expect("a shell");
    assert_eq!(out(&made), format!("polycube {other}\n"));
    let (first, second) = pair(folder.path(), &["german.cub", "-n3"], &["./other"], &[]);
    for output in [end(first), end(second)] {
        assert_eq!((code(&output), out(&output)), (2, ""), "{}", err(&output));
        assert!(err(&output).contains(own) && err(&output).contains(&other), "{}", err(&output));
    }
    assert_eq!(code(&explore(folder.path(), &["german.cub", "-n2", "--checkpoint=kept"])), 0);
    let resumed = end(begin_by(&["./other"], folder.path(), &["german.cub", "-n2", "--resume=kept"]));
    assert_eq!((code(&resumed), out(&resumed)), (2, ""));
    assert!(err(&resumed).contains(own) && err(&resumed).contains(&other), "{}", err(&resumed));
}

/// A small file system, while this lives.
struct Small<'p>(&'p Path);

impl Small<'_> {
    fn mount(path: &Path) -> Option<Small<'_>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(path).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Small(path))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_ends_all_and_leaves_what_was_kept() {
    let folder = files();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).expect("a folder");
    let Some(_small) = Small::mount(&disk) else {
        return skip("small file systems cannot be mounted here");
    };
    let call = [&ENDLESS[..], &["--checkpoint=disk/kept", "--every=0", "--local=2"]].concat();
    let output = explore(folder.path(), &call);
    assert_eq!((code(&output), err(&output)), (3, ""));
    let report: Value = serde_json::from_str(out(&output)).expect("one JSON object");
    assert_eq!(report["end"], "unkept");
    assert!(report["unkept"].as_str().is_some_and(|why| why.contains("the disk is full")), "{report}");
    // It goes on where there is more room.
    let moved = Command::new("cp").args(["-r", "disk/kept", "kept"]).current_dir(folder.path()).status();
    assert!(moved.is_ok_and(|status| status.success()));
    goes_on(folder.path());
}

/// Two networks of this machine, and a cable between them.
struct Cable([String; 2]);

impl Cable {
    /// None where that is not allowed.
    fn lay() -> Option<Cable> {
        let id = std::process::id();
        let cable = Cable([0, 1].map(|end| format!("polycube-{id}-{end}")));
        let [one, other] = &cable.0;
        let is_done = ip(&["netns", "add", one])
            && ip(&["netns", "add", other])
            && ip(&[
                "link", "add", "cable", "netns", one, "type", "veth", "peer", "name", "cable", "netns", other,
            ])
            && [(one, "10.9.9.1/24"), (other, "10.9.9.2/24")].iter().all(|(end, address)| {
                ip(&["-n", end, "address", "add", address, "dev", "cable"])
                    && ip(&["-n", end, "link", "set", "cable", "up"])
            });
        is_done.then_some(cable)
    }

    fn cut(&self) {
        assert!(ip(&["-n", &self.0[1], "link", "set", "cable", "down"]));
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        for end in &self.0 {
            ip(&["netns", "delete", end]);
        }
    }
}

fn ip(arguments: &[&str]) -> bool {
    let output = Command::new("ip").args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn both_sides_notice_a_cable_that_is_cut() {
    if !ip(&["-Version"]) {
        return skip_without_tool("there is no `ip` (iproute2)");
    }
    let Some(cable) = Cable::lay() else {
        return skip("there can be no networks of one's own here");
    };
    let folder = files();
    fs::write(folder.path().join("hosts"), "10.9.9.1:4000\n10.9.9.2:4000\n").expect("a file");
    fs::write(folder.path().join("secret"), "nobody else should know this").expect("a file");
    let start = |index: usize| {
        let (network, process) = (&cable.0[index], format!("--process={index}"));
        let more = ["--hosts=hosts", "--secret-file=secret", &process];
        begin_by(
            &["ip", "netns", "exec", network, POLYCUBE],
            folder.path(),
            &[&ENDLESS[..], &KEPT, &more].concat(),
        )
    };
    let (first, second) = (start(0), start(1));
    wait_for_layers(folder.path());
    cable.cut();
    is_lost(&end(first), 1, SILENT);
    is_lost(&end(second), 0, SILENT);
    goes_on(folder.path());
}
