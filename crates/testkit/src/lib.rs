//! What the tests share: temporary projects, snapshot normalisers.
