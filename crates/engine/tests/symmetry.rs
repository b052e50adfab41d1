//! Numbers of classes that are known: graphs, maps and permutations up to isomorphism, as numbers of states
//! up to renaming.
//!
//! The sequences are those of the On-Line Encyclopedia of Integer Sequences.

use polycube_engine::forward::{Options, Reduction, explore};
use polycube_language::check;

/// How many states are reachable, for each number of processes from 1 on.
fn counts(model: &str, up_to: u32, options: impl Fn(u32) -> Options) -> Vec<u64> {
    let checked = check(model);
    let system = checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics));
    let count = |processes| {
        let exploration = explore(&system, &options(processes), &mut ()).expect("an instance");
        let wanted = if processes == 1 { exploration.reduction } else { Reduction::Symmetry };
        assert_eq!(exploration.reduction, wanted);
        exploration.states
    };
    (1..=up_to).map(count).collect()
}

/// A000088.
#[test]
fn graphs() {
    let model = "
        array Edge[proc, proc] : bool
        init (p q) { Edge[p, q] = False }
        unsafe (p) { Edge[p, p] = True }
        transition join (p q)
        { Edge[k, l] := case | k = p && l = q : True | k = q && l = p : True | _ : Edge[k, l]; }";
    assert_eq!(counts(model, 7, Options::new), [1, 2, 4, 11, 34, 156, 1044]);
}

/// A000273.
#[test]
fn directed_graphs() {
    let model = "
        array Edge[proc, proc] : bool
        init (p q) { Edge[p, q] = False }
        unsafe (p) { Edge[p, p] = True }
        transition join (p q) { Edge[p, q] := True; }";
    assert_eq!(counts(model, 5, Options::new), [1, 3, 16, 218, 9608]);
}

/// A000595: directed graphs in which a vertex may have an edge to itself.
#[test]
fn relations() {
    let model = "
        array Related[proc, proc] : bool
        init (p q) { Related[p, q] = False }
        transition join (p q) { Related[p, q] := True; }
        transition mark (p) { Related[p, p] := True; }
        unsafe (p q) { Related[p, q] = True && Related[p, q] = False }";
    assert_eq!(counts(model, 4, Options::new), [2, 10, 104, 3044]);
}

/// A001372: maps of a set into itself.
#[test]
fn maps() {
    let model = "
        array Next[proc] : proc
        init (p) { Next[p] = p }
        transition point (p q) { Next[p] := q; }
        transition return (p) { Next[p] := p; }
        unsafe (p q) { Next[p] = q && Next[p] = p }";
    assert_eq!(counts(model, 8, Options::new), [1, 3, 7, 19, 47, 130, 343, 951]);
}

/// A000041: permutations up to renaming are partitions into cycles, and no process differs from another but
/// by the length of its cycle.
#[test]
fn permutations() {
    let model = "
        array Next[proc] : proc
        init (p) { Next[p] = p }
        transition exchange (p q)
        { Next[k] := case | k = p : Next[q] | k = q : Next[p] | _ : Next[k]; }
        unsafe (p q r) { Next[p] = q && Next[p] = r }";
    assert_eq!(counts(model, 12, Options::new), [1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77]);
}

/// A000041 once more: with as many interchangeable values as processes, what matters is which processes hold
/// the same one.
#[test]
fn values_of_processes() {
    let model = "
        type value
        array Holds[proc] : value
        init (p q) { Holds[p] = Holds[q] }
        transition choose (p) { Holds[p] := ?; }
        unsafe (p q) { Holds[p] = Holds[q] && Holds[p] <> Holds[q] }";
    let options = |processes| {
        let mut options = Options::new(processes);
        options.bounds.values = processes;
        options
    };
    assert_eq!(counts(model, 8, options), [1, 2, 3, 5, 7, 11, 15, 22]);
}

/// A052171: a process is an arc, from a value to a value; directed graphs with this many arcs, several of which
/// may be alike, and no vertex without arcs.
#[test]
fn pairs_of_values() {
    let model = "
        type value
        array From[proc] : value
        array To[proc] : value
        init (p q) { From[p] = From[q] && To[p] = From[q] }
        transition choose (p) { From[p] := ?; To[p] := ?; }
        unsafe (p) { From[p] = To[p] && From[p] <> To[p] }";
    let options = |processes| {
        let mut options = Options::new(processes);
        options.bounds.values = 2 * processes;
        options
    };
    assert_eq!(counts(model, 4, options), [2, 11, 52, 296]);
}

/// A000292: how many are at each of four places. A step is possible only after another one that comes later
/// in the model, and must not put it to sleep, whatever names the processes get; the order of the places in
/// their type has a part in that.
#[test]
fn steps_of_processes() {
    let places = ["Start", "Near", "Far", "End"];
    let orders = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
    for order in orders.map(|order| order.map(|at| places[at]).join(" | ")) {
        for other in [
            "array Next[proc] : proc init (p) { Next[p] = p && At[p] = Start }",
            "init (p) { At[p] = Start }",
        ] {
            let model = format!(
                "type place = {order}
                array At[proc] : place
                {other}
                transition third (p) requires {{ At[p] = Far }} {{ At[p] := End; }}
                transition second (p) requires {{ At[p] = Near }} {{ At[p] := Far; }}
                transition first (p) requires {{ At[p] = Start }} {{ At[p] := Near; }}
                unsafe (p) {{ At[p] = Start && At[p] = End }}"
            );
            assert_eq!(counts(&model, 6, Options::new), [4, 10, 20, 35, 56, 84], "{model}");
        }
    }
}
