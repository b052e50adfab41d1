//! Several processes: the same report as one; and what becomes of all when one is lost.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::*;

/// A number that does not fit at first, and more than a few layers.
const WIDE: &str = "\
array X[proc] : int
var Last : proc
init (p) { X[p] = 0 }
unsafe (p) { X[p] = 9000 }
transition grow (p) requires { X[p] < 300 } { X[p] := X[p] + X[p] + 1; Last := p }
transition shrink (p q) requires { X[p] = X[q] } { X[p] := 0 }
";

/// What does not depend on who does the work.
pub(super) fn essence(report: &str) -> Value {
    let mut report: Value = serde_json::from_str(report).expect("JSON");
    let object = report.as_object_mut().expect("an object");
    for measured in ["seconds", "states_per_second", "bytes", "bytes_per_state", "parts", "threads"] {
        object.remove(measured);
    }
    report
}

pub(super) fn files() -> TempDir {
    let files = [
        ("wide.cub", WIDE),
        ("door.cub", DOOR),
        ("double.cub", DOUBLE),
        ("orders.cub", ORDERS),
        ("mix.cub", MIX),
    ];
    let folder = folder(&files);
    let german = repository().join("models/safe/german.cub");
    fs::copy(german, folder.path().join("german.cub")).expect("a copy");
    folder
}

/// Numbers that are widened, several orders, bad states, deadlocks: as one process.
#[test]
fn reports_are_those_of_one_process() {
    let folder = files();
    let calls: [&[&str]; 6] = [
        &["wide.cub", "-n2", "--keep-going", "--deadlock=error"],
        &["wide.cub", "-n3", "--no-symmetry", "--depth=9"],
        &["door.cub", "-n3", "--keep-going", "--deadlock=error"],
        &["orders.cub", "--keep-going"],
        &["mix.cub", "-n4", "--no-symmetry"],
        &["german.cub", "-n3", "--no-symmetry"],
    ];
    for call in calls {
        let report = |more: &[&str]| {
            let output = explore(folder.path(), &[call, &["--format=json"], more].concat());
            assert_eq!(err(&output), "", "{call:?} {more:?}");
            (code(&output), essence(out(&output)))
        };
        let alone = report(&["-j1"]);
        for together in
            [["--local=2", "-j1"], ["--local=3", "-j2"], ["--local=4", "-j1"], ["--local=1", "-j2"]]
        {
            assert_eq!(report(&together), alone, "{call:?} {together:?}");
        }
    }
}

#[test]
fn each_part_is_reported() {
    let folder = files();
    let (_, report) = report(folder.path(), &["german.cub", "-n3", "--local=3"]);
    let sum = |field: &str| -> u64 {
        let parts = report["parts"].as_array().expect("parts").iter();
        parts.map(|part| part[field].as_u64().expect("a number")).sum()
    };
    assert_eq!(report["parts"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (sum("states"), sum("bytes")),
        (report["states"].as_u64().unwrap(), report["bytes"].as_u64().unwrap())
    );
}

/// Addresses on this machine that nobody uses.
pub(super) fn hosts(count: usize) -> String {
    let listeners: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let address = |listener: &TcpListener| format!("{}\n", listener.local_addr().expect("an address"));
    listeners.iter().map(address).collect()
}

/// Starts a process that is to work with others.
pub(super) fn begin(folder: &Path, arguments: &[&str]) -> Child {
    begin_by(&[env!("CARGO_BIN_EXE_polycube")], folder, arguments)
}

/// Starts one by a command, which begins with these words.
pub(super) fn begin_by(command: &[&str], folder: &Path, arguments: &[&str]) -> Child {
    Command::new(command[0])
        .current_dir(folder)
        .args(&command[1..])
        .arg("explore")
        .args(arguments)
        .env_remove("SLURM_PROCID")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The processes of a list, each with arguments of its own: what they say.
pub(super) fn listed(folder: &Path, hosts: &str, arguments: &[&[&str]]) -> Vec<Output> {
    fs::write(folder.join("hosts"), hosts).expect("a file");
    let start = |(process, own): (usize, &&[&str])| {
        let process = process.to_string();
        begin(folder, &[&["--hosts=hosts", "--process", &process], *own].concat())
    };
    let children: Vec<Child> = arguments.iter().enumerate().map(start).collect();
    children.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect()
}

/// The model goes from the first process to those that do not have it; and only the first one reports.
#[test]
fn processes_of_a_list_work_together() {
    let folder = files();
    let same = &["german.cub", "-n3", "--format=json"][..];
    let absent = &["elsewhere.cub", "-n3"][..];
    let outputs = listed(folder.path(), &hosts(3), &[same, same, absent]);
    let alone = explore(folder.path(), same);
    assert_eq!(essence(out(&outputs[0])), essence(out(&alone)));
    for output in &outputs {
        assert_eq!((code(output), err(output)), (0, ""));
    }
    assert_eq!((out(&outputs[1]), out(&outputs[2])), ("", ""));
}

/// The first process starts the others, here by something that takes itself for ssh: each gets the arguments through a shell,
/// its place and the secret on its input, and the model from the first one.
#[test]
fn processes_are_started_by_ssh() {
    let folder = files();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).expect("a folder");
    let stand_in = "#!/bin/sh\n[ \"$1 $2\" = '-o BatchMode=yes' ] || exit 9\nshift 2\necho \"$*\" >> \"$CALLS\"\n\
                    shift\ncd /\nexec sh -c \"$*\"\n";
    fs::write(bin.join("ssh"), stand_in).expect("a file");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(bin.join("ssh"), executable).expect("it is ours");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_polycube"), bin.join("polycube")).expect("a link");
    fs::copy(folder.path().join("german.cub"), folder.path().join("it's German.cub")).expect("a copy");
    fs::write(folder.path().join("hosts"), hosts(3)).expect("a file");
    fs::write(folder.path().join("secret"), "nobody else should know this").expect("a file");
    let call = ["it's German.cub", "-n3", "--format=json"];
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new(env!("CARGO_BIN_EXE_polycube"))
        .current_dir(folder.path())
        .arg("explore")
        .args(call)
        .args(["--hosts=hosts", "--launch", "ssh", "--secret-file", "secret"])
        .env("PATH", path)
        .env("CALLS", folder.path().join("calls"))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert_eq!((code(&output), err(&output)), (0, ""));
    assert_eq!(essence(out(&output)), essence(out(&explore(folder.path(), &call))));
    let calls = fs::read_to_string(folder.path().join("calls")).expect("what ssh was called with");
    let expected = "127.0.0.1 polycube 'explore' 'it'\\''s German.cub' '-n3' '--format=json' '--member=0'\n";
    assert_eq!(calls, expected.repeat(2));
    // Without ssh, it says so.
    let output = Command::new(env!("CARGO_BIN_EXE_polycube"))
        .current_dir(folder.path())
        .args(["explore", "german.cub", "-n3", "--hosts=hosts", "--launch=ssh", "--secret-file=secret"])
        .env("PATH", "/nowhere")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert_eq!(code(&output), 2, "{}", out(&output));
    assert!(err(&output).contains("cannot be started by `ssh`"), "{}", err(&output));
}

/// What is different is said on all sides, and nothing begins.
#[test]
fn processes_that_do_not_belong_together_say_why() {
    let folder = files();
    fs::create_dir(folder.path().join("other")).expect("a folder");
    fs::write(folder.path().join("other.cub"), LIFT).expect("a file");
    for (file, text) in
        [("secret", "sixteen letters are enough"), ("wrong", "these are sixteen letters, too")]
    {
        fs::write(folder.path().join(file), text).expect("a file");
    }
    let own = &["german.cub", "-n3"][..];
    let cases: [(&[&str], &[&str], &str); 4] = [
        (own, &["german.cub", "-n4"], "with -n 4"),
        (own, &["other.cub", "-n3"], "has another model"),
        (own, &["german.cub", "-n3", "--keep-going"], "--keep-going"),
        (
            &["german.cub", "-n3", "--secret-file=secret", "--wait=2"],
            &["german.cub", "-n3", "--secret-file=wrong", "--wait=2"],
            "secret",
        ),
    ];
    for (first, second, why) in cases {
        let outputs = listed(folder.path(), &hosts(2), &[first, second]);
        for output in &outputs {
            assert_eq!((code(output), out(output)), (2, ""), "{second:?}: {}", err(output));
            assert!(err(output).contains(why), "{second:?}: {}", err(output));
            assert!(err(output).lines().count() <= 5, "{}", err(output));
        }
    }
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let folder = files();
    let hosts = hosts(2);
    let outputs = listed(folder.path(), &hosts, &[&["german.cub", "--wait=1"]]);
    let absent = format!("process 1 ({})", hosts.lines().nth(1).expect("two"));
    assert_eq!(code(&outputs[0]), 2);
    assert!(err(&outputs[0]).contains(&absent), "{}", err(&outputs[0]));
}

#[test]
fn lists_that_make_no_sense_are_refused() {
    let folder = files();
    for (hosts, arguments, why) in [
        ("127.0.0.1:1\n127.0.0.1\n", &["--process=0"][..], "line 2"),
        ("127.0.0.1:1\n", &["--process=1"], "there is no process 1"),
        ("127.0.0.1:1\n127.0.0.1:2\n", &[], "--process K"),
        ("far:1\nfar:2\n", &["--process=0"], "--secret-file"),
        ("far:1\n", &["--process=0", "--secret-file=none"], "none"),
    ] {
        fs::write(folder.path().join("hosts"), hosts).expect("a file");
        let output = begin(folder.path(), &[&["german.cub", "--hosts=hosts"], arguments].concat());
        let output = output.wait_with_output().expect("it ends");
        assert_eq!(code(&output), 2, "{}", err(&output));
        assert!(err(&output).contains(why), "{hosts:?}: {}", err(&output));
    }
}

/// The processes that a process has started, once there are so many.
pub(super) fn children(parent: &Child, count: usize) -> Vec<u32> {
    let is_child = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let of: u32 = status.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        Some(of == parent.id())
    };
    loop {
        let all = fs::read_dir("/proc")
            .expect("processes")
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let found: Vec<u32> = all.filter(|&id| is_child(id) == Some(true)).collect();
        if found.len() >= count {
            return found;
        }
        sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process.
pub(super) fn send(signal: &str, id: u32) {
    let _ = Command::new("sh").arg("-c").arg(format!("kill {signal} {id}")).status();
}

/// More than a moment's work.
const LONG: [&str; 5] = ["german.cub", "-n6", "--no-symmetry", "--format=json", "--local=3"];

/// Whichever process is killed: the others end soon, and each says which one was lost. Nothing is left behind.
#[test]
fn when_one_is_killed_all_end() {
    let folder = files();
    let parent = begin(folder.path(), &LONG);
    let started = children(&parent, 2);
    sleep(Duration::from_millis(500));
    send("-KILL", started[0]);
    let killed = Instant::now();
    let output = parent.wait_with_output().expect("it ends");
    assert!(killed.elapsed() < Duration::from_secs(20), "it took {:?}", killed.elapsed());
    assert_eq!(code(&output), 3, "{}", err(&output));
    assert!(err(&output).contains(" is gone: "), "{}", err(&output));
    let report: Value = serde_json::from_str(out(&output)).expect("one JSON object");
    assert_eq!((&report["end"], &report["complete"]), (&json!("lost"), &json!(false)));
    assert!(report["lost"].as_str().is_some_and(|lost| lost.contains(" is gone: ")), "{report}");
    for child in started {
        assert!(!PathBuf::from(format!("/proc/{child}")).exists(), "{child} still runs");
    }
}

/// Ctrl-C at the first one ends all, with one report about what was found until then.
#[test]
fn an_interruption_ends_all() {
    let folder = files();
    let parent = begin(folder.path(), &LONG);
    children(&parent, 2);
    sleep(Duration::from_millis(1500));
    send("-INT", parent.id());
    let output = parent.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 3, "{}", err(&output));
    let report: Value = serde_json::from_str(out(&output)).expect("one JSON object");
    assert_eq!(report["end"], "interrupted", "{report}");
}

/// Kept, killed at any moment, and gone on with: the report is that of one that was left in peace.
#[test]
fn killed_explorations_go_on() {
    for (local, call) in [("--local=1", ["wide.cub", "-n3"]), ("--local=2", ["german.cub", "-n4"])] {
        let folder = files();
        let call = [&call[..], &["--no-symmetry", "--keep-going", "--format=json"]].concat();
        let expected = explore(folder.path(), &call);
        let kept = [&call[..], &["--every=0", local]].concat();
        let mut next = "--checkpoint=kept";
        for pause in [150, 400, 250, 700] {
            let mut killed = begin(folder.path(), &[&kept[..], &[next]].concat());
            sleep(Duration::from_millis(pause));
            let _ = killed.kill();
            let _ = killed.wait();
            // What others still write there ends with their parent.
            sleep(Duration::from_millis(300));
            if folder.path().join("kept/process-0/manifest").exists() {
                next = "--resume=kept";
            }
        }
        let last = explore(folder.path(), &[&kept[..], &[next]].concat());
        assert_eq!(code(&last), code(&expected), "{local}: {}", err(&last));
        assert_eq!(essence(out(&last)), essence(out(&expected)), "{local}");
        // It is complete now: and still is when it is looked at again.
        let again = explore(folder.path(), &[&kept[..], &["--resume=kept"]].concat());
        assert_eq!(essence(out(&again)), essence(out(&expected)), "{local}");
    }
}

#[test]
fn checkpoints_of_something_else_are_refused() {
    let folder = files();
    let call = |arguments: &[&str]| {
        let output = explore(folder.path(), arguments);
        (code(&output), err(&output).to_owned())
    };
    assert_eq!(call(&["german.cub", "-n2", "--checkpoint=kept"]).0, 0);
    for (arguments, why) in [
        (&["german.cub", "-n2", "--checkpoint=kept"][..], "--resume kept"),
        (&["german.cub", "-n3", "--resume=kept"], "-n 2 there, -n 3 here"),
        (&["wide.cub", "-n2", "--resume=kept"], "german.cub"),
        (&["german.cub", "-n2", "--resume=kept", "--no-symmetry"], "--no-symmetry"),
        (&["german.cub", "-n2", "--resume=nothing"], "nothing"),
        (&["german.cub", "-n2", "--checkpoint=german.cub"], "not a folder"),
    ] {
        let (code, said) = call(arguments);
        assert_eq!(code, 2, "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
    let states = folder.path().join("kept/process-0/order-0.states");
    let mut bytes = fs::read(&states).expect("states");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&states, bytes).expect("a file");
    let (code, said) = call(&["german.cub", "-n2", "--resume=kept"]);
    let output = explore(folder.path(), &["german.cub", "-n2", "--resume=kept"]);
    assert_eq!(code, 3, "{said}");
    assert!(out(&output).replace('\n', " ").contains("is not what was written"), "{}", out(&output));
}
