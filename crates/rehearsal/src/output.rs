//! Prints lines, exact bytes and floods. Everything is flushed at once, as an agent's output would arrive.

use std::io::{self, Write};

use crate::scenario::{Printed, StreamName};

/// How much a flood writes at a time.
const CHUNK: usize = 64 * 1024;

/// Lines of a byte flood are this long, newline included.
const FLOOD_LINE: usize = 80;

fn with_stream(to: StreamName, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match to {
        StreamName::Stdout => {
            let mut stream = io::stdout().lock();
            write(&mut stream)?;
            stream.flush()
        }
        StreamName::Stderr => {
            let mut stream = io::stderr().lock();
            write(&mut stream)?;
            stream.flush()
        }
    }
}

/// Prints something that does not follow a shape.
pub(crate) fn print(to: StreamName, what: &Printed) -> io::Result<()> {
    match what {
        Printed::Line(text) => line(to, text),
        Printed::Bytes(exact) => bytes(to, exact),
        Printed::FloodLines(lines) => flood_lines(to, *lines),
        Printed::FloodBytes(count) => flood_bytes(to, *count),
        Printed::EndlessLine(count) => repeat(to, &vec![b'='; CHUNK], *count),
    }
}

/// Prints a line with its newline.
pub(crate) fn line(to: StreamName, line: &str) -> io::Result<()> {
    bytes(to, format!("{line}\n").as_bytes())
}

/// Prints bytes as they are.
fn bytes(to: StreamName, bytes: &[u8]) -> io::Result<()> {
    with_stream(to, |stream| stream.write_all(bytes))
}

/// Prints numbered lines.
fn flood_lines(to: StreamName, lines: u64) -> io::Result<()> {
    with_stream(to, |stream| {
        let mut buffer = io::BufWriter::with_capacity(CHUNK, stream);
        for number in 1..=lines {
            writeln!(buffer, "flood line {number}")?;
        }
        buffer.flush()
    })
}

/// Prints exactly this many bytes, a newline at the end of each full line.
fn flood_bytes(to: StreamName, count: u64) -> io::Result<()> {
    let mut line = vec![b'~'; FLOOD_LINE - 1];
    line.push(b'\n');
    repeat(to, &line.repeat(CHUNK / FLOOD_LINE), count)
}

/// Prints the pattern over and over, `count` bytes in all.
fn repeat(to: StreamName, pattern: &[u8], count: u64) -> io::Result<()> {
    with_stream(to, |stream| {
        let mut left = count;
        while left > 0 {
            let now = usize::try_from(left).unwrap_or(usize::MAX).min(pattern.len());
            stream.write_all(pattern.get(..now).unwrap_or(pattern))?;
            left -= now as u64;
        }
        Ok(())
    })
}
