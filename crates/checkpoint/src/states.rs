//! A file of states: layers, one behind the other.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::disk::Disk;

/// How many bytes are written or read at once.
pub(crate) const PIECE: usize = if cfg!(test) { 64 } else { 1 << 20 };

/// The name of the file for a stage of an order.
pub(crate) fn file_name(order: usize, generation: u64) -> String {
    match generation {
        0 => format!("order-{order}.states"),
        _ => format!("order-{order}.{generation}.states"),
    }
}

/// A file of states that is being written.
///
/// The file has the first `written` bytes; those in `buffer` come behind them.
#[derive(Debug)]
pub(crate) struct States {
    disk: Disk,
    written: u64,
    buffer: Vec<u8>,
    is_synchronised: bool,
}

impl States {
    /// A file without states.
    pub(crate) fn create(path: PathBuf) -> io::Result<States> {
        let disk = Disk::create(path)?;
        Ok(States { disk, written: 0, buffer: Vec::new(), is_synchronised: false })
    }

    /// A file with so many bytes of states, if it has them; what is behind them is cut off.
    pub(crate) fn open(path: PathBuf, end: u64) -> io::Result<States> {
        let mut disk = Disk::open(path)?;
        let length = disk.length()?;
        if length < end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if length > end {
            disk.cut(end)?;
        }
        Ok(States { disk, written: end, buffer: Vec::new(), is_synchronised: length == end })
    }

    pub(crate) fn path(&self) -> &Path {
        self.disk.path()
    }

    /// How many bytes there are.
    pub(crate) fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() > PIECE {
            self.flush()?;
        }
        if bytes.len() >= PIECE {
            self.is_synchronised = false;
            self.disk.write(self.written, bytes)?;
            self.written += bytes.len() as u64;
        } else {
            self.buffer.extend(bytes);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.is_synchronised = false;
            self.disk.write(self.written, &self.buffer)?;
            self.written += self.buffer.len() as u64;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Brings all bytes to the disk.
    pub(crate) fn synchronise(&mut self) -> io::Result<()> {
        self.flush()?;
        if !self.is_synchronised {
            self.disk.synchronise()?;
            self.is_synchronised = true;
        }
        Ok(())
    }

    /// Drops what comes behind so many bytes.
    pub(crate) fn cut(&mut self, end: u64) -> io::Result<()> {
        self.buffer.truncate(usize::try_from(end.saturating_sub(self.written)).unwrap_or(usize::MAX));
        if end < self.written {
            self.is_synchronised = false;
            self.disk.cut(end)?;
            self.written = end;
        }
        Ok(())
    }

    /// Gives the bytes of a layer to `take`, in pieces, and their hash. The inner result is what `take` says.
    pub(crate) fn read<E>(
        &mut self,
        offset: u64,
        length: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> io::Result<Result<String, E>> {
        let (mut place, end) = (offset, offset + length);
        if end > self.written {
            self.flush()?;
        }
        let mut hash = Sha256::new();
        let mut piece = vec![0; PIECE.min(usize::try_from(length).unwrap_or(PIECE))];
        while place < end {
            let wanted = PIECE.min(usize::try_from(end - place).unwrap_or(PIECE));
            self.disk.read(place, &mut piece[..wanted])?;
            hash.update(&piece[..wanted]);
            if let Err(error) = take(&piece[..wanted]) {
                return Ok(Err(error));
            }
            place += wanted as u64;
        }
        Ok(Ok(format!("{:x}", hash.finalize())))
    }
}
