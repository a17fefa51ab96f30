//! Circles of imports among the files of a crate. `mod` alone is no import; the root of a crate is none of the files,
//! what it re-exports counts as coming from where it is.

use super::ratchet::Ratchet;
use super::source::{File, Package};
use std::collections::{BTreeMap, BTreeSet};

/// A path of names, as of a module.
type Names = Vec<String>;

/// Notes the circles of a crate.
pub(super) fn count(package: &Package, counted: &mut Ratchet) {
    let found = circles(&package.files);
    if !found.is_empty() {
        counted.circles.insert(package.name.clone(), found);
    }
}

/// The sets of files that reach each other.
fn circles(files: &[File]) -> BTreeSet<BTreeSet<String>> {
    let modules = Modules::new(files);
    let uses: Vec<BTreeSet<usize>> =
        modules.list.iter().map(|(names, file)| modules.used_by(names, file)).collect();
    let reached: Vec<BTreeSet<usize>> = (0..uses.len()).map(|start| reachable(&uses, start)).collect();
    let mut circles = BTreeSet::new();
    for (i, reach) in reached.iter().enumerate() {
        let circle: BTreeSet<String> = (0..reached.len())
            .filter(|j| reach.contains(j) && reached[*j].contains(&i))
            .map(|j| modules.list[j].1.path.clone())
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles
}

/// All that can be reached from `start` in one step or more.
fn reachable(uses: &[BTreeSet<usize>], start: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<usize> = uses[start].iter().copied().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(&uses[next]);
        }
    }
    found
}

/// The modules of a crate that are files, without its root.
struct Modules<'a> {
    list: Vec<(Names, &'a File)>,
    index: BTreeMap<Names, usize>,
    /// What the root re-exports, and from which module.
    exported: BTreeMap<String, usize>,
}

impl<'a> Modules<'a> {
    fn new(files: &'a [File]) -> Self {
        let sources = files.iter().filter(|f| f.is_source());
        let (roots, list): (Vec<_>, Vec<_>) =
            sources.map(|f| (module_of(&f.path), f)).partition(|(names, _)| names.is_empty());
        let index = list.iter().enumerate().map(|(i, (names, _))| (names.clone(), i)).collect();
        let mut modules = Self { list, index, exported: BTreeMap::new() };
        for (_, root) in roots {
            for path in used_paths(&root.code) {
                if let (Some(target), Some(name)) = (modules.resolve(&[], &path), path.last()) {
                    modules.exported.insert(name.clone(), target);
                }
            }
        }
        modules
    }

    /// The modules that a file uses.
    fn used_by(&self, names: &[String], file: &File) -> BTreeSet<usize> {
        let paths = used_paths(&file.code).into_iter().chain(inline_paths(&file.code));
        let own = self.index.get(names).copied();
        paths.filter_map(|path| self.resolve(names, &path)).filter(|target| Some(*target) != own).collect()
    }

    /// The module that a path used in module `current` leads to.
    fn resolve(&self, current: &[String], path: &[String]) -> Option<usize> {
        let mut base: Names = current.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|n| n == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            first => {
                let mut child = base.clone();
                child.push(first.to_owned());
                self.index.get(&child)?;
            }
        }
        if base.is_empty()
            && let Some(target) = rest.first().and_then(|name| self.exported.get(name))
        {
            return Some(*target);
        }
        let mut found = self.index.get(&base).copied();
        for name in rest {
            base.push(name.clone());
            match self.index.get(&base) {
                Some(target) => found = Some(*target),
                None => break,
            }
        }
        found
    }
}

/// The module that a file of `src` is; empty for the root of the crate.
fn module_of(path: &str) -> Names {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
    if matches!(inner, "lib" | "main") { Vec::new() } else { inner.split('/').map(str::to_owned).collect() }
}

/// The paths of all `use` declarations.
fn used_paths(code: &str) -> Vec<Names> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find("use ") {
        let is_word = !rest[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        rest = &rest[start + 4..];
        if is_word {
            let end = rest.find(';').unwrap_or(rest.len());
            expand(&rest[..end], &mut Vec::new(), &mut paths);
            rest = &rest[end..];
        }
    }
    paths
}

/// Adds the leaves of a tree of imports.
fn expand(tree: &str, prefix: &mut Names, paths: &mut Vec<Names>) {
    let depth = prefix.len();
    let tree = tree.trim();
    let (head, group) = match tree.find('{') {
        Some(open) => (&tree[..open], Some(&tree[open + 1..tree.rfind('}').unwrap_or(tree.len())])),
        None => (tree.split(" as ").next().unwrap_or(tree), None),
    };
    prefix.extend(head.split("::").map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()));
    match group {
        None => paths.push(prefix.clone()),
        Some(group) => {
            let mut level = 0;
            let parts = group.split(|c: char| {
                level += i32::from(c == '{') - i32::from(c == '}');
                c == ',' && level == 0
            });
            for part in parts.filter(|part| !part.trim().is_empty()) {
                expand(part, prefix, paths);
            }
        }
    }
    prefix.truncate(depth);
}

/// The paths of two names or more that stand anywhere in code.
fn inline_paths(code: &str) -> Vec<Names> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .filter(|word| word.contains("::"))
        .map(|word| word.split("::").filter(|n| !n.is_empty()).map(str::to_owned).collect())
        .filter(|names: &Names| names.len() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files: Vec<File> = files.iter().map(|(path, text)| File::new(path, text)).collect();
        circles(&files).into_iter().map(|c| c.into_iter().collect()).collect()
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let found = circles_of(&[
            ("src/lib.rs", "mod a; mod b; mod c; pub use c::{Thing, other::More as Most};"),
            ("src/a.rs", "use crate::{b::{self, B}, std::fmt}; mod inner;"),
            ("src/a/inner.rs", "fn f() { super::g() }"),
            ("src/b.rs", "fn f(x: crate::Thing) {}"),
            (
                "src/c.rs",
                "// use crate::a::A;\nuse super::a::A;\n#[cfg(test)] mod tests { use crate::b::B; }",
            ),
            ("src/d.rs", "use crate::a::A;"),
        ]);
        assert_eq!(found, [["src/a.rs", "src/b.rs", "src/c.rs"]]);
    }

    #[test]
    fn one_way_is_no_circle() {
        let found = circles_of(&[
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "mod inner; use inner::X; use crate::b::B;"),
            ("src/a/inner.rs", "use crate::b::B;"),
            ("src/b.rs", "use std::a::A;"),
        ]);
        assert!(found.is_empty(), "{found:?}");
        let found = circles_of(&[("src/a.rs", "use b::X;"), ("src/a/b.rs", "use super::Y;")]);
        assert_eq!(found.len(), 1);
    }
}
