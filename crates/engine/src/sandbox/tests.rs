//! What the settings and the machine come to.
