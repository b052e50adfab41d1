//! A connection on which messages travel, and that never blocks.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::frame::{Frame, MOST, Malformed};
use crate::socket;

pub(crate) struct Link {
    stream: TcpStream,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    /// Nothing will arrive any more, and nothing can be sent.
    has_ended: bool,
}

impl Link {
    pub fn new(stream: TcpStream, silence: Duration) -> io::Result<Link> {
        socket::prepare(&stream, silence)?;
        stream.set_nonblocking(true)?;
        Ok(Link { stream, incoming: Vec::new(), outgoing: Vec::new(), has_ended: false })
    }

    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Whether the other side has closed it. What has arrived before can still be there.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    pub fn wants_to_send(&self) -> bool {
        !self.has_ended && !self.outgoing.is_empty()
    }

    /// Puts a message where it is sent from.
    pub fn send(&mut self, frame: &Frame) {
        if !self.has_ended {
            frame.write(&mut self.outgoing);
        }
    }

    /// Sends what can be sent now. Gives how many bytes that were.
    pub fn flush(&mut self) -> usize {
        let mut sent = 0;
        while !self.has_ended && sent < self.outgoing.len() {
            match (&self.stream).write(&self.outgoing[sent..]) {
                Ok(more) if more > 0 => sent += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // What the other side has said before is still read: only reading tells the end.
                Ok(_) | Err(_) => {
                    self.outgoing.clear();
                    return sent;
                }
            }
        }
        self.outgoing.drain(..sent);
        sent
    }

    /// Takes in what has arrived, some of it. Gives how many bytes that were.
    pub fn receive(&mut self) -> usize {
        let mut buffer = [0; 1 << 14];
        let mut received = 0;
        // What is not understood is not kept: more than one message is only here where nobody asked for it.
        while !self.has_ended && received < 1 << 20 && self.incoming.len() <= MOST + (1 << 20) {
            match (&self.stream).read(&mut buffer) {
                Ok(0) => self.has_ended = true,
                Ok(more) => {
                    self.incoming.extend(&buffer[..more]);
                    received += more;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.has_ended = true,
            }
        }
        received
    }

    /// The next message that has arrived.
    pub fn next(&mut self) -> Result<Option<Frame>, Malformed> {
        match Frame::read(&self.incoming)? {
            Some((frame, length)) => {
                self.incoming.drain(..length);
                Ok(Some(frame))
            }
            None => Ok(None),
        }
    }

    /// The farewell that has arrived, if there is one, wherever it stands.
    pub fn farewell(&self) -> Option<Frame> {
        let mut rest = &self.incoming[..];
        while let Ok(Some((frame, length))) = Frame::read(rest) {
            if matches!(frame, Frame::Farewell { .. }) {
                return Some(frame);
            }
            rest = &rest[length..];
        }
        None
    }

    /// Says that nothing more will be sent. What was sent before arrives nevertheless.
    pub fn shut(&mut self) {
        self.flush();
        // If it is closed already, that is as good.
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}
