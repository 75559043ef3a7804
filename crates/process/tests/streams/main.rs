//! Framing, redaction and logs, through their public faces.

#[cfg(test)]
mod framer;
#[cfg(test)]
mod log;
#[cfg(test)]
mod redactor;
#[cfg(test)]
mod split;
#[cfg(test)]
mod tokens;
