//! Framing, redaction and logs, through their public faces.

#[cfg(test)]
mod framer;
#[cfg(test)]
mod known_values;
#[cfg(test)]
mod log;
#[cfg(test)]
mod named_values;
#[cfg(test)]
mod redactor;
#[cfg(test)]
mod split;
#[cfg(test)]
mod tokens;
