//! Connections: how they are set up, and one on which the engine's threads read and write.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustix::net::sockopt;
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::lifeline::Lifeline;

/// Makes a connection that sends at once, and that the system asks for signs of life. The lifeline notices sooner;
/// this is for what it does not see.
pub(crate) fn prepare(stream: &TcpStream, silence: Duration) -> io::Result<()> {
    let seconds = silence.as_secs().max(1);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    sockopt::set_socket_keepalive(stream, true)?;
    // A system may know none of the rest.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let _ = sockopt::set_tcp_keepidle(stream, Duration::from_secs(seconds));
        let _ = sockopt::set_tcp_keepintvl(stream, Duration::from_secs(seconds.div_ceil(3)));
        let _ = sockopt::set_tcp_keepcnt(stream, 3);
        let _ = sockopt::set_tcp_user_timeout(stream, u32::try_from(2000 * seconds).unwrap_or(u32::MAX));
    }
    Ok(())
}

/// A connection for states. The engine's threads panic when one fails, and print what they think of it; so this one
/// does not fail: the lifeline learns of it, and the thread waits for the end of the program.
#[derive(Clone)]
pub(crate) struct DataStream {
    stream: Arc<TcpStream>,
    peer: usize,
    lifeline: Lifeline,
    sent: Arc<AtomicU64>,
}

impl DataStream {
    pub fn new(stream: TcpStream, peer: usize, lifeline: Lifeline, sent: Arc<AtomicU64>) -> DataStream {
        DataStream { stream: Arc::new(stream), peer, lifeline, sent }
    }

    fn is_over(&self) -> ! {
        self.lifeline.data_is_closed(self.peer);
        loop {
            thread::park();
        }
    }
}

impl Read for DataStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match (&*self.stream).read(buffer) {
                Ok(read) if read > 0 => return Ok(read),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => self.is_over(),
            }
        }
    }
}

impl Write for DataStream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        loop {
            match (&*self.stream).write(buffer) {
                Ok(written) if written > 0 || buffer.is_empty() => {
                    self.sent.fetch_add(written as u64, Ordering::Relaxed);
                    return Ok(written);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => self.is_over(),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for DataStream {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // If it is closed already, that is as good.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
