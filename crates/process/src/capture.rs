//! Reading a program's output to its end while keeping only the beginning.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

const CHUNK: usize = 64 * 1024;

/// One stream's beginning, and how much more there was.
pub(crate) struct Capture {
    limit: usize,
    pub(crate) kept: Vec<u8>,
    pub(crate) discarded: u64,
}

impl Capture {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { limit, kept: Vec::new(), discarded: 0 }
    }

    /// Reads until the stream ends. What was read so far stays when the future is dropped.
    pub(crate) async fn fill(&mut self, stream: Option<impl AsyncRead + Unpin>) -> io::Result<()> {
        let Some(mut stream) = stream else { return Ok(()) };
        let mut chunk = vec![0; CHUNK];
        loop {
            match stream.read(&mut chunk).await? {
                0 => return Ok(()),
                count => self.take(&chunk[..count]),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = (self.limit - self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        self.discarded += (bytes.len() - room) as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However the bytes are cut into pieces, the beginning is kept and every further byte is counted.
        #[test]
        fn the_beginning_is_kept_and_the_rest_counted(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..50), 0..20),
            limit in 0usize..400,
        ) {
            let all: Vec<u8> = pieces.concat();
            let mut capture = Capture::new(limit);
            for piece in &pieces {
                capture.take(piece);
            }
            let kept = all.len().min(limit);
            prop_assert_eq!(&capture.kept[..], &all[..kept]);
            prop_assert_eq!(capture.discarded, (all.len() - kept) as u64);
        }
    }
}
