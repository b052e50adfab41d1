//! How clusters begin, or do not.

use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use polycube_cluster::{Cluster, Hosts, JoinError, Model, Patience, Secret};

use crate::processes::{introduction, join, patience, places, run, secret, try_all};

#[test]
fn the_model_travels() {
    let long = "x".repeat(3_000_000);
    let processes = places(3).into_iter().map(|place| {
        let mut introduction = introduction(place.index);
        match place.index {
            0 => introduction.model = Some(Model { name: "a.pc".to_owned(), text: long.clone() }),
            1 => introduction.model = Some(Model { name: "other name.pc".to_owned(), text: long.clone() }),
            _ => {}
        }
        (place, introduction)
    });
    let clusters = try_all(processes.collect(), &patience());
    for (index, cluster) in clusters.iter().enumerate() {
        let model = cluster.as_ref().unwrap().model();
        assert_eq!(model.text, long);
        assert_eq!(model.name, if index == 1 { "other name.pc" } else { "a.pc" });
    }
}

#[test]
fn differences_are_told_everywhere() {
    let everybody_says = |change: &dyn Fn(&mut polycube_cluster::Introduction), expected: &str| {
        let places = places(3);
        let name = places[0].hosts.name(1);
        let processes = places.into_iter().map(|place| {
            let mut introduction = introduction(place.index);
            if place.index == 1 {
                change(&mut introduction);
            }
            (place, introduction)
        });
        for result in try_all(processes.collect(), &patience()) {
            assert_eq!(result.unwrap_err(), JoinError::Different(format!("{name} {expected}")));
        }
    };
    everybody_says(
        &|introduction| introduction.version = "0.2.0".to_owned(),
        "runs version 0.2.0, process 0 runs 0.1.0",
    );
    everybody_says(
        &|introduction| introduction.settings[0].1 = "4".to_owned(),
        "explores with -n 4, process 0 with -n 5",
    );
    everybody_says(
        &|introduction| introduction.model = Some(Model { name: "a".to_owned(), text: "b".to_owned() }),
        "has another model: its text differs from that of process 0",
    );
}

#[test]
fn another_secret_is_told() {
    let mut places = places(3);
    places[1].secret = Secret::new(b"another secret, of somebody else").unwrap();
    let name = places[0].hosts.name(0);
    let processes = places.into_iter().map(|place| {
        let index = place.index;
        (place, introduction(index))
    });
    let patience = Patience { start: Duration::from_secs(1), ..patience() };
    let results = try_all(processes.collect(), &patience);
    let text = |index: usize| results[index].as_ref().unwrap_err().to_string();
    // Process 1 knows at once. Process 2 connects to both, and notices the one.
    assert_eq!(text(1), format!("the secret of {name} is another one; give all processes the same file"));
    assert!(text(0).contains("with another secret refused") || text(0).contains(" ended: "), "{}", text(0));
    assert!(text(2).contains("the secret of process 1") || text(2).contains("did not come"), "{}", text(2));
}

#[test]
fn who_is_absent_is_named() {
    let mut places = places(4);
    let hosts = places[0].hosts.clone();
    let patience = Patience { start: Duration::from_millis(400), ..patience() };
    // Processes 2 and 3 do not come; nobody listens there.
    places.truncate(2);
    let start = Instant::now();
    let processes = places.into_iter().map(|place| {
        let index = place.index;
        (place, introduction(index))
    });
    let results = try_all(processes.collect(), &patience);
    assert!(start.elapsed() < Duration::from_secs(3));
    let absent = format!("{} and {} did not come within 0.4 s", hosts.name(2), hosts.name(3));
    let texts: Vec<String> = results.iter().map(|result| result.as_ref().unwrap_err().to_string()).collect();
    assert!(texts.contains(&absent), "{texts:?}");
    assert!(texts.iter().all(|text| text.ends_with(&absent)), "{texts:?}");
}

#[test]
fn who_does_not_listen_is_named_with_the_reason() {
    let mut places = places(2);
    let place = places.pop().unwrap();
    // Nobody listens there any more.
    places.clear();
    let patience = Patience { start: Duration::from_millis(300), ..patience() };
    let text = join(place, introduction(1), &patience).unwrap_err().to_string();
    assert!(text.starts_with("process 0 (127.0.0.1:"), "{text}");
    assert!(text.contains("connecting fails") && text.ends_with("did not come within 0.3 s"), "{text}");
}

#[test]
fn an_index_can_be_started_once() {
    let places = places(3);
    let hosts = places[0].hosts.clone();
    let mut places = places.into_iter();
    let (zero, one) = (places.next().unwrap(), places.next().unwrap());
    let stop = &AtomicBool::new(false);
    thread::scope(|scope| {
        let interrupt = move || stop.load(Ordering::SeqCst).then(|| "interrupted".to_owned());
        let first = [zero, one].map(|place| {
            let introduction = introduction(place.index);
            scope.spawn(move || Cluster::join(place, introduction, &patience(), &interrupt, |_| ()))
        });
        // Process 1 is there by now.
        thread::sleep(Duration::from_millis(300));
        let again = polycube_cluster::Place {
            hosts: hosts.clone(),
            index: 1,
            secret: secret(),
            listener: Some(TcpListener::bind("127.0.0.1:0").unwrap()),
        };
        let text = join(again, introduction(1), &patience()).unwrap_err().to_string();
        assert_eq!(text, format!("{} already has a process 1; start each index once", hosts.name(0)));
        stop.store(true, Ordering::SeqCst);
        for first in first {
            let error = first.join().unwrap().unwrap_err();
            assert_eq!(error, JoinError::Interrupted("interrupted".to_owned()));
        }
    });
}

#[test]
fn a_process_may_come_back_before_all_are_there() {
    let mut places = places(3);
    let (two, one, zero) = (places.pop().unwrap(), places.pop().unwrap(), places.pop().unwrap());
    let again = polycube_cluster::Place {
        hosts: one.hosts.clone(),
        index: 1,
        secret: secret(),
        listener: Some(one.listener.as_ref().unwrap().try_clone().unwrap()),
    };
    thread::scope(|scope| {
        let zero = scope.spawn(move || join(zero, introduction(0), &patience()).map(|_| ()));
        let until = Instant::now() + Duration::from_millis(300);
        let interrupt = || (Instant::now() > until).then(|| "interrupted".to_owned());
        let given_up = Cluster::join(one, introduction(1), &patience(), &interrupt, |_| ());
        assert!(matches!(given_up, Err(JoinError::Interrupted(_))));
        let one = scope.spawn(move || join(again, introduction(1), &patience()).map(|_| ()));
        thread::sleep(Duration::from_millis(100));
        let two = scope.spawn(move || join(two, introduction(2), &patience()).map(|_| ()));
        for process in [zero, one, two] {
            process.join().unwrap().unwrap();
        }
    });
}

#[test]
fn addresses_are_bound_or_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = |address: &str| polycube_cluster::Place {
        hosts: Hosts::new(vec![address.to_owned()]).unwrap(),
        index: 0,
        secret: secret(),
        listener: None,
    };
    let address = taken.local_addr().unwrap().to_string();
    let patience = Patience { start: Duration::from_millis(300), ..patience() };
    let text = |address: &str| join(place(address), introduction(0), &patience).unwrap_err().to_string();
    assert!(text(&address).contains("is another process started with this index"), "{}", text(&address));
    assert!(
        text("192.0.2.1:4000").contains("has to be an address of the machine"),
        "{}",
        text("192.0.2.1:4000")
    );
    assert!(
        text("no.such.host.invalid:4000").contains("is unknown"),
        "{}",
        text("no.such.host.invalid:4000")
    );
    // A cluster of one.
    drop(taken);
    join(place(&address), introduction(0), &patience).unwrap();
}

#[test]
fn a_process_that_ends_well_is_no_failure() {
    for count in 1..=4 {
        run(count, &patience(), |process| {
            // They do not all end at the same time.
            thread::sleep(Duration::from_millis(20 * process.cluster.lifeline().index() as u64));
            process.leave();
        });
    }
}
