//! The scripted agent through its real binary.

#[cfg(test)]
mod choosing;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod files;
#[cfg(test)]
mod mistakes;
#[cfg(test)]
mod output;
#[cfg(unix)]
#[cfg(test)]
mod processes;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod signals;
#[cfg(test)]
mod support;
