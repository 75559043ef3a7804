//! The scripted agent: plays a scenario file like a real agent CLI would.
