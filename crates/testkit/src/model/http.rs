//! As much of HTTP/1.1 as the CLIs speak: requests in whole, answers in one piece or in chunks.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// More than any CLI sends.
const MOST_BYTES: usize = 64 * 1024 * 1024;
const MOST_HEADERS: usize = 100;
/// How often someone who waits looks whether it still makes sense.
const TICK: Duration = Duration::from_millis(50);

/// A request, read to its end.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// One client.
#[derive(Debug)]
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
    stopping: Arc<AtomicBool>,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, stopping: Arc<AtomicBool>) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), stopping })
    }

    /// The next request; nothing when the client has left or the server stops.
    pub(super) fn request(&mut self) -> io::Result<Option<Request>> {
        while self.stream.buffer().is_empty() {
            match self.peek()? {
                Some(0) => return Ok(None),
                Some(_) => break,
                None if self.stopping.load(Ordering::Relaxed) => return Ok(None),
                None => {}
            }
        }
        self.stream.get_ref().set_read_timeout(None)?;
        let mut request = self.head()?;
        if request.header("expect").is_some() {
            self.stream.get_mut().write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        request.body = self.body(&request)?;
        Ok(Some(request))
    }

    fn head(&mut self) -> io::Result<Request> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            let space = (MOST_BYTES - bytes.len()) as u64;
            if self.stream.by_ref().take(space).read_until(b'\n', &mut bytes)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        parsed.parse(&bytes).map_err(io::Error::other)?;
        let path = parsed.path.unwrap_or("/").split('?').next().unwrap_or("/");
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        Ok(Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            headers: parsed
                .headers
                .iter()
                .map(|header| (header.name.to_owned(), text(header.value)))
                .collect(),
            body: Vec::new(),
        })
    }

    fn body(&mut self, request: &Request) -> io::Result<Vec<u8>> {
        if request.header("transfer-encoding").is_some_and(|coding| coding.contains("chunked")) {
            return self.chunks();
        }
        let length =
            request.header("content-length").and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        self.exactly(length)
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.by_ref().take(1_024).read_line(&mut line)?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(io::Error::other)?;
            let mut chunk = self.exactly(size.saturating_add(2))?;
            if size == 0 {
                return Ok(body);
            }
            chunk.truncate(size);
            body.append(&mut chunk);
            if body.len() > MOST_BYTES {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        if length > MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// An answer in one piece. To `HEAD` the same without its body.
    pub(super) fn answer(
        &mut self,
        request: &Request,
        status: u16,
        headers: &[(String, String)],
        body: &[u8],
    ) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {status} {}\r\ncontent-type: application/json\r\n", reason(status));
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let mut bytes = head.into_bytes();
        if request.method != "HEAD" {
            bytes.extend_from_slice(body);
        }
        self.stream.get_mut().write_all(&bytes)
    }

    /// The beginning of a stream of events.
    pub(super) fn begin_events(&mut self) -> io::Result<()> {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\
                    transfer-encoding: chunked\r\n\r\n";
        self.stream.get_mut().write_all(head.as_bytes())
    }

    /// One event of the stream.
    pub(super) fn event(&mut self, event: &str) -> io::Result<()> {
        let chunk = format!("{:x}\r\n{event}\r\n", event.len());
        self.stream.get_mut().write_all(chunk.as_bytes())
    }

    /// The end of the stream.
    pub(super) fn end_events(&mut self) -> io::Result<()> {
        self.stream.get_mut().write_all(b"0\r\n\r\n")
    }

    /// Waits; false when the client left or the server stops meanwhile.
    pub(super) fn wait(&mut self, limit: Duration) -> io::Result<bool> {
        let started = Instant::now();
        while started.elapsed() < limit {
            if self.stopping.load(Ordering::Relaxed) || self.peek()? == Some(0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether bytes wait to be read: `Some(0)` is the end, nothing says that none came within a tick.
    fn peek(&mut self) -> io::Result<Option<usize>> {
        let stream = self.stream.get_ref();
        stream.set_read_timeout(Some(TICK))?;
        match stream.peek(&mut [0]) {
            Ok(0) => Ok(Some(0)),
            Ok(count) => {
                // Someone who waits would otherwise spin while the next request is there already.
                std::thread::sleep(Duration::from_millis(1));
                Ok(Some(count))
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        426 => "Upgrade Required",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
