//! How much a user-data may become: packed parts, parts of parts, and files that are included many times.
//!
//! Some hundred bytes can be packed so that they are gigabytes, and files that include two others each can be read any
//! number of times. Each part is merged into all before it, so their number has a limit, too.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use crate::text::error::Error;

/// How many bytes the parts may have together.
const MOST_BYTES: usize = 64 << 20;
const MOST_PARTS: usize = 1_000;
/// What may come of all that is packed: so much, and so many times its size. A text of one letter is a thousand times
/// smaller when it is packed, a configuration three to ten times.
const UNPACKED_ALWAYS: usize = 1 << 20;
const UNPACKED_TIMES: usize = 20;

/// What the parts have come to.
#[derive(Debug, Default)]
pub(super) struct Size {
    parts: usize,
    bytes: usize,
    packed: usize,
    unpacked: usize,
}

impl Size {
    /// Counts a part.
    ///
    /// # Errors
    /// It is one too many.
    pub(super) fn count(&mut self, name: &str, bytes: usize) -> Result<(), Error> {
        (self.parts, self.bytes) = (self.parts + 1, self.bytes + bytes);
        if self.parts <= MOST_PARTS && self.bytes <= MOST_BYTES {
            return Ok(());
        }
        let what = format!("is more than can be merged: {MOST_PARTS} parts, or {} MiB of them", MOST_BYTES >> 20);
        Err(Error::input(what).in_file(name).help("put parts together, or include fewer of them"))
    }

    /// Unpacks what is packed with gzip.
    ///
    /// # Errors
    /// What is not packed so, and what becomes far too much.
    pub(super) fn unpacked(&mut self, name: &str, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.packed += bytes.len();
        let most = (UNPACKED_ALWAYS + UNPACKED_TIMES * self.packed).min(MOST_BYTES);
        let room = most.saturating_sub(self.unpacked);
        let mut unpacked = Vec::new();
        let limit = u64::try_from(room).unwrap_or(u64::MAX).saturating_add(1);
        let read = MultiGzDecoder::new(bytes).take(limit).read_to_end(&mut unpacked);
        read.map_err(|error| Error::input(format!("cannot be unpacked with gzip: {error}")).in_file(name))?;
        self.unpacked += unpacked.len();
        if unpacked.len() <= room {
            return Ok(unpacked);
        }
        let what = format!("is too much when it is unpacked: more than {most} bytes, made of {}", self.packed);
        Err(Error::input(what)
            .in_file(name)
            .help("no configuration gets so much smaller when it is packed: give it unpacked"))
    }
}
