//! What goes into a job and comes out of it while it runs.

use std::future::{Future, pending};
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loopwright_domain::OutputStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{sleep, timeout};

use crate::frame::Framer;
use crate::job::OutputSink;
use crate::redact::{Redactor, Secrets};
use crate::system::{self, PipeEnd, Pipes};

const CHUNK: usize = 256 * 1024;
/// More than both pipes hold.
const PIPE_LIMIT: u64 = 4 * 1024 * 1024;
/// After so long without output whoever listens is told that there was none, and again after as long.
const SILENCE: Duration = Duration::from_millis(500);
/// How long the last output may take to arrive once nobody should be left to write more.
const LAST_OUTPUT_LIMIT: Duration = Duration::from_millis(300);

/// A job's input and its two outputs.
pub(crate) struct Flow<'a> {
    out: Channel<ChildStdout>,
    err: Channel<ChildStderr>,
    feeding: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    sink: &'a mut dyn OutputSink,
    heard: &'a AtomicU64,
    failure: Option<io::Error>,
}

impl<'a> Flow<'a> {
    /// Begins. `heard` is kept up to date with the number of bytes read.
    pub(crate) fn new(
        (stdin, stdout, stderr): Pipes,
        input: Vec<u8>,
        secrets: &Secrets,
        sink: &'a mut dyn OutputSink,
        heard: &'a AtomicU64,
    ) -> Self {
        Self {
            out: Channel::new(OutputStream::Stdout, stdout, secrets),
            err: Channel::new(OutputStream::Stderr, stderr, secrets),
            feeding: Some(Box::pin(async move { feed(stdin, &input).await })),
            sink,
            heard,
            failure: None,
        }
    }

    /// Waits for something else, and lets everything flow in the meantime.
    pub(crate) async fn alongside<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        tokio::select! {
            biased;
            result = &mut other => return result,
            () = async { self.drain().await; fed(&mut self.feeding).await } => {}
        }
        other.await
    }

    /// Reads to the end of both outputs, which are no longer written to. Gives up, and says so, when nothing comes
    /// for a while or more than the pipes can have held: then somebody still has a hand in them.
    pub(crate) async fn drained(&mut self) -> bool {
        let heard = self.heard;
        let first = heard.load(Ordering::Relaxed);
        loop {
            let before = heard.load(Ordering::Relaxed);
            if timeout(LAST_OUTPUT_LIMIT, self.drain()).await.is_ok() {
                return true;
            }
            let now = heard.load(Ordering::Relaxed);
            if now == before || now - first > PIPE_LIMIT {
                return false;
            }
        }
    }

    /// Reads to the end of both outputs. Can be dropped and called again.
    async fn drain(&mut self) {
        while self.out.is_open() || self.err.is_open() {
            let (stream, count) = tokio::select! {
                () = fed(&mut self.feeding) => continue,
                count = self.out.read() => (OutputStream::Stdout, count),
                count = self.err.read() => (OutputStream::Stderr, count),
                () = sleep(SILENCE) => {
                    self.sink.caught_up();
                    continue;
                }
            };
            let count = count.unwrap_or_else(|error| {
                self.failure.get_or_insert(error);
                0
            });
            self.heard.fetch_add(count as u64, Ordering::Relaxed);
            match stream {
                OutputStream::Stdout => self.out.take(count, self.sink),
                OutputStream::Stderr => self.err.take(count, self.sink),
            }
        }
    }

    /// The numbers of the pipes that have not come to their end.
    pub(crate) fn open_pipes(&self) -> Vec<u64> {
        [self.out.number(), self.err.number()].into_iter().flatten().collect()
    }

    /// Hands on what was held back, and tells how it went.
    pub(crate) fn close(mut self) -> io::Result<Totals> {
        self.out.close(self.sink);
        self.err.close(self.sink);
        match self.failure {
            Some(error) => Err(error),
            None => Ok(Totals {
                stdout: self.out.bytes,
                stderr: self.err.bytes,
                redactions: self.out.redactor.redactions() + self.err.redactor.redactions(),
            }),
        }
    }
}

/// What came out of a job.
pub(crate) struct Totals {
    pub(crate) stdout: u64,
    pub(crate) stderr: u64,
    pub(crate) redactions: u64,
}

/// One output: read, redacted, framed, handed on.
struct Channel<R> {
    stream: OutputStream,
    pipe: Option<R>,
    chunk: Vec<u8>,
    bytes: u64,
    redactor: Redactor,
    framer: Framer,
}

impl<R: AsyncRead + Unpin + PipeEnd> Channel<R> {
    fn new(stream: OutputStream, pipe: Option<R>, secrets: &Secrets) -> Self {
        if let Some(pipe) = &pipe {
            system::widen(pipe);
        }
        Self {
            stream,
            pipe,
            chunk: vec![0; CHUNK],
            bytes: 0,
            redactor: Redactor::new(secrets.clone()),
            framer: Framer::default(),
        }
    }

    const fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    fn number(&self) -> Option<u64> {
        self.pipe.as_ref().and_then(system::pipe_number)
    }

    /// Reads the next bytes into the chunk. Nothing is lost when this is dropped.
    async fn read(&mut self) -> io::Result<usize> {
        match &mut self.pipe {
            Some(pipe) => pipe.read(&mut self.chunk).await,
            None => pending().await,
        }
    }

    /// Hands on what was read; nothing means the end.
    fn take(&mut self, count: usize, sink: &mut dyn OutputSink) {
        if count == 0 {
            self.pipe = None;
            return;
        }
        self.bytes += count as u64;
        let (stream, framer) = (self.stream, &mut self.framer);
        self.redactor.push(&self.chunk[..count], &mut |clean| {
            sink.output(stream, clean);
            framer.push(clean, &mut |line| sink.line(stream, line));
        });
        sink.caught_up();
    }

    fn close(&mut self, sink: &mut dyn OutputSink) {
        let (stream, framer) = (self.stream, &mut self.framer);
        self.redactor.finish(&mut |clean| {
            sink.output(stream, clean);
            framer.push(clean, &mut |line| sink.line(stream, line));
        });
        self.framer.finish(&mut |line| sink.line(stream, line));
    }
}

/// Waits until the input is written, once.
async fn fed(feeding: &mut Option<Pin<Box<dyn Future<Output = ()> + Send>>>) {
    match feeding {
        Some(running) => running.await,
        None => pending().await,
    }
    *feeding = None;
}

/// Writes the input and closes it. A program that stops reading is within its rights, so errors end the writing
/// and nothing else.
pub(crate) async fn feed(stdin: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(bytes).await;
        let _ = stdin.shutdown().await;
    }
}
