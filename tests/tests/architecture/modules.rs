//! The graph of a crate's top-level modules, read from its sources.
//!
//! A module depends on another when a file of it
//!
//! - names the other, by `crate::other` or by `super::other` from its top, alone or in a list;
//! - names something that the crate's root re-exports from there;
//! - calls a method that the other adds to a type of a third module;
//! - names something that the root itself defines: the root depends on every module.
//!
//! Tests, comments and documentation do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use super::source::{Method, SourceFile};

/// What the root of a crate is called among its modules.
const ROOT: &str = "(root)";

/// The modules of one crate, each with those it names and the file that does.
#[derive(Debug, Default)]
pub(crate) struct Graph(BTreeMap<String, BTreeMap<String, String>>);

impl Graph {
    /// Reads the modules below the folder of a crate's root.
    pub(crate) fn read(source: &Path) -> Self {
        let files = SourceFile::all_below(source);
        let modules: BTreeSet<String> = files.iter().filter_map(SourceFile::module).collect();
        let roots = || files.iter().filter(|file| file.module().is_none());
        let exports: BTreeMap<String, String> = roots()
            .flat_map(SourceFile::re_exports)
            .filter_map(|(name, path)| {
                Some((name, path.first().filter(|first| modules.contains(*first))?.clone()))
            })
            .collect();
        let of_root: BTreeSet<String> = roots().flat_map(SourceFile::definitions).collect();
        let mut graph = Self::default();
        for file in &files {
            let from = file.module().unwrap_or_else(|| ROOT.to_owned());
            for path in file.paths() {
                let Some(first) = path.first() else { continue };
                let named = modules.get(first).or_else(|| exports.get(first));
                let root = || of_root.contains(first).then(|| ROOT.to_owned());
                if let Some(to) = named.cloned().or_else(root) {
                    graph.add(&from, &to, file);
                }
            }
        }
        for module in &modules {
            // What it re-exports, what it starts with: a root stands above all.
            graph.0.entry(ROOT.to_owned()).or_default().insert(module.clone(), "the root".to_owned());
        }
        graph.add_calls(&files, &exports);
        graph
    }

    /// Adds the calls of methods that a module adds to a type of another one.
    fn add_calls(&mut self, files: &[SourceFile], exports: &BTreeMap<String, String>) {
        let mut added: BTreeMap<Method, BTreeSet<String>> = BTreeMap::new();
        for file in files {
            let Some(module) = file.module() else { continue };
            let paths = file.paths();
            let home = |type_name: &str| {
                let path = paths.iter().find(|path| path.last().is_some_and(|last| last == type_name))?;
                let first = path.first()?;
                Some(exports.get(first).unwrap_or(first).clone())
            };
            for method in file.methods() {
                if home(&method.0).is_some_and(|home| home != module) {
                    added.entry(method).or_default().insert(module.clone());
                }
            }
        }
        for file in files {
            let Some(from) = file.module() else { continue };
            let (calls, own) = (file.calls(), file.methods());
            for (method, to) in added.iter().filter(|(_, modules)| !modules.contains(&from)) {
                if calls.iter().any(|call| call.may_be(method, &own)) {
                    to.iter().for_each(|to| self.add(&from, to, file));
                }
            }
        }
    }

    fn add(&mut self, from: &str, to: &str, file: &SourceFile) {
        let edges = self.0.entry(from.to_owned()).or_default();
        if from != to {
            edges.entry(to.to_owned()).or_insert_with(|| file.parts.join("/"));
        }
    }

    /// The modules that lie on some cycle.
    pub(crate) fn cyclic(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).filter(|module| self.way_back(module).is_some()).collect()
    }

    /// The shortest cycle, with the file behind each step.
    pub(crate) fn shortest_cycle(&self) -> Option<String> {
        let cycles = self.0.keys().filter_map(|module| self.way_back(module));
        let cycle = cycles.min_by_key(Vec::len)?;
        let first = cycle.first()?.clone();
        let steps = cycle.iter().zip(cycle.iter().skip(1).chain([&first]));
        let step = |(from, to): (&String, &String)| {
            let file = self.0.get(from).and_then(|edges| edges.get(to)).cloned().unwrap_or_default();
            format!("{from} → {to} (in {file})")
        };
        Some(steps.map(step).collect::<Vec<_>>().join(", "))
    }

    /// The shortest way from a module back to itself.
    fn way_back(&self, start: &str) -> Option<Vec<String>> {
        let mut queue = VecDeque::from([vec![start.to_owned()]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = queue.pop_front() {
            let edges = way.last().and_then(|last| self.0.get(last));
            for next in edges.into_iter().flat_map(BTreeMap::keys) {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    queue.push_back(way.iter().cloned().chain([next.clone()]).collect());
                }
            }
        }
        None
    }
}
