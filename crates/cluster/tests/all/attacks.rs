//! Strangers at the port, while the processes find each other. None keeps them from it.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use polycube_cluster::Patience;
use polycube_engine::forward::Peers;

use crate::processes::{introduction, join, patience, places};

/// Does something to the port of process 0 before process 1 comes, and as long as it likes. The cluster comes about,
/// within a second, and works.
fn withstands(patience: &Patience, attack: impl Fn(SocketAddr, &AtomicBool) + Send + Sync) {
    let mut places = places(2);
    let (one, zero) = (places.pop().unwrap(), places.pop().unwrap());
    let target = zero.listener.as_ref().unwrap().local_addr().unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let work = |place: polycube_cluster::Place| {
            let index = place.index;
            let (mut cluster, _events) = join(place, introduction(index), patience).unwrap();
            let joined = Instant::now();
            let mut dataflow = cluster.dataflow().unwrap();
            let words = dataflow.gather(&[index as u64]).unwrap();
            assert_eq!(words, [[0], [1]]);
            cluster.leave(dataflow, Duration::from_secs(5)).unwrap();
            joined
        };
        let zero = scope.spawn(move || work(zero));
        let attack = &attack;
        let is_over = &is_over;
        let attacker = scope.spawn(move || attack(target, is_over));
        thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        let one = scope.spawn(move || work(one));
        for process in [zero, one] {
            let time = process.join().unwrap().duration_since(start);
            assert!(time < Duration::from_secs(1), "{time:?}");
        }
        is_over.store(true, Ordering::SeqCst);
        attacker.join().unwrap();
    });
}

fn connect(target: SocketAddr) -> Option<TcpStream> {
    TcpStream::connect(target).ok()
}

/// Waits until the other side closes the connection; gives what it has said.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

#[test]
fn garbage_is_answered_by_nothing() {
    withstands(&patience(), |target, _| {
        let zeros = [0; 44];
        let long = [255; 100_000];
        let request = b"GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: somebody\r\n\r\n";
        let streams = [&zeros[..8], &zeros, &long, request].map(|garbage| {
            let mut stream = connect(target).unwrap();
            let _ = stream.write_all(garbage);
            stream
        });
        for stream in streams {
            assert_eq!(rest(stream), b"");
        }
    });
}

#[test]
fn silence_is_not_waited_for() {
    withstands(&patience(), |target, is_over| {
        let silent: Vec<_> = (0..50).map(|_| connect(target)).collect();
        while !is_over.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
        drop(silent);
    });
}

#[test]
fn silence_ends() {
    let start = Instant::now();
    withstands(&patience(), |target, _| {
        let stream = connect(target).unwrap();
        assert_eq!(rest(stream), b"");
        assert!(start.elapsed() < Duration::from_secs(2));
    });
}

#[test]
fn slow_strangers_do_not_get_more_time() {
    withstands(&patience(), |target, is_over| {
        let start = Instant::now();
        let mut stream = connect(target).unwrap();
        while stream.write_all(b"p").is_ok() && !is_over.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(40));
        }
        assert!(start.elapsed() < Duration::from_secs(2));
    });
}

#[test]
fn a_thousand_connections_are_no_hindrance() {
    for strangers in [1024, 64] {
        withstands(&Patience { strangers, ..patience() }, |target, is_over| {
            let mut streams = Vec::new();
            while streams.len() < 1000 && !is_over.load(Ordering::SeqCst) {
                streams.extend(connect(target));
            }
            while !is_over.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(5));
            }
        });
    }
}

#[test]
fn a_storm_of_connections_is_no_hindrance() {
    withstands(&Patience { strangers: 64, ..patience() }, |target, is_over| {
        while !is_over.load(Ordering::SeqCst) {
            if let Some(mut stream) = connect(target) {
                let _ = stream.write_all(b"polycube\x01\0\0\0");
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    });
}

/// A wire between process 1 and process 0 that remembers what was said, and says it again.
#[test]
fn what_was_recorded_is_worth_nothing() {
    use std::net::TcpListener;
    use std::sync::{Arc, Mutex};

    let recorded: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let recorder = Arc::clone(&recorded);
    let mut places = places(2);
    let (mut one, zero) = (places.pop().unwrap(), places.pop().unwrap());
    let target = zero.listener.as_ref().unwrap().local_addr().unwrap();
    // Process 1 believes that process 0 is here.
    let wire = TcpListener::bind("127.0.0.1:0").unwrap();
    let addresses = vec![wire.local_addr().unwrap().to_string(), one.hosts.address(1).to_owned()];
    one.hosts = polycube_cluster::Hosts::new(addresses).unwrap();
    // These threads end with the connections, which end with the test.
    thread::spawn(move || {
        for _ in 0..2 {
            let recorder = Arc::clone(&recorder);
            let (near, _) = wire.accept().unwrap();
            let far = connect(target).unwrap();
            let (mut near_reads, mut far_writes) = (near.try_clone().unwrap(), far.try_clone().unwrap());
            thread::spawn(move || {
                let mut bytes = [0; 1000];
                let mut said = Vec::new();
                while let Ok(read @ 1..) = near_reads.read(&mut bytes) {
                    said.extend(&bytes[..read]);
                    if said.len() == 44 + 37 {
                        recorder.lock().unwrap().push(said.clone());
                    }
                    if far_writes.write_all(&bytes[..read]).is_err() {
                        break;
                    }
                }
                let _ = far_writes.shutdown(Shutdown::Write);
            });
            let (mut far, mut near) = (far, near);
            thread::spawn(move || {
                let _ = std::io::copy(&mut far, &mut near);
                let _ = near.shutdown(Shutdown::Write);
            });
        }
    });
    thread::scope(|scope| {
        let processes = [zero, one].map(|place| {
            scope.spawn(move || {
                let index = place.index;
                let (mut cluster, _events) = join(place, introduction(index), &patience()).unwrap();
                let mut dataflow = cluster.dataflow().unwrap();
                assert_eq!(dataflow.gather(&[7]).unwrap(), [[7], [7]]);
                cluster.leave(dataflow, Duration::from_secs(5)).unwrap();
            })
        });
        for process in processes {
            process.join().unwrap();
        }
    });
    let recorded = recorded.lock().unwrap().clone();
    assert_eq!(recorded.len(), 2);
    withstands(&patience(), |target, _| {
        for said in &recorded {
            let mut stream = connect(target).unwrap();
            stream.write_all(said).unwrap();
            // The answer to the greeting, which anybody gets, and no verdict.
            assert_eq!(rest(stream).len(), 76);
        }
    });
}
