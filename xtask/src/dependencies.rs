//! `cargo xtask dependencies`: what the workspace is built from. Licences that fit ours, no dependency that no source names, few packages
//! in several versions, and each direct one with its reason in `docs/dependencies.md`.

mod licence;

use crate::{TaskError, complain, say, workspace};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Packages that may be there in several versions, and why.
const MANY: [(&str, &str); 4] = [
    ("equator", "assertions of faer and of its kernels, which name different ones"),
    ("equator-macro", "as equator"),
    ("getrandom", "tables of hashes of Arrow name an older one than the tests"),
    ("syn", "parsers of derive macros: they run in the compiler only"),
];

/// Dependencies that are there for their features alone, by the crate and the name, and why.
const UNNAMED: [(&str, &str, &str); 0] = [];

/// What is looked at; there is nothing to choose.
#[derive(clap::Args)]
pub(crate) struct Options {}

/// A package by others.
struct Package {
    name: String,
    version: String,
    licence: String,
}

pub(crate) fn run(_: &Options) -> Result<ExitCode, TaskError> {
    let told = cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
    let told: Value = serde_json::from_str(&told)?;
    let tree = ["tree", "--workspace", "--edges", "normal,build,dev", "--prefix", "none", "--locked"];
    let others = packages(&cargo(&[&tree[..], &["--format", "{p}|{l}"]].concat())?);
    let reasons = fs::read_to_string(workspace().join("docs/dependencies.md"))?;
    let mut faults = Vec::new();
    let foreign = others.iter().filter(|package| !licence::fits(&package.licence));
    faults.extend(foreign.map(|package| format!("{}: its licence is {:?}", package.name, package.licence)));
    for member in array(&told["packages"]) {
        faults.extend(unused(member)?);
        faults.extend(unexplained(member, &reasons));
    }
    let many = many(&others);
    for (name, versions) in &many {
        let versions = versions.join(" and ");
        match MANY.iter().find(|known| known.0 == *name) {
            Some((_, reason)) => say(&format!("{name} {versions}: {reason}")),
            None => faults.push(format!("{name} is there as {versions}")),
        }
    }
    faults.iter().for_each(|fault| complain(fault));
    let (all, many) = (others.len(), many.len());
    say(&format!("{all} packages by others, {many} names in several versions, {} faults", faults.len()));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What cargo prints in the workspace.
fn cargo(arguments: &[&str]) -> Result<String, TaskError> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let output = cargo.current_dir(workspace()).args(arguments).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The packages by others in lines of `NAME vVERSION …|LICENCE`, each once. Ours stand with their folders.
fn packages(tree: &str) -> Vec<Package> {
    let lines: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let read = |line: &str| {
        let (package, licence) = line.split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned());
        (!package.contains("(/") && !package.contains(":\\")).then(|| Package {
            name,
            version,
            licence: licence.to_owned(),
        })
    };
    lines.into_iter().filter_map(read).collect()
}

/// The dependencies of a crate that its sources do not name: ordinary ones have to be named outside its tests.
fn unused(member: &Value) -> Result<Vec<String>, TaskError> {
    let name = text(&member["name"]);
    let folder = Path::new(text(&member["manifest_path"])).parent().ok_or("a manifest in no folder")?;
    let (mut program, mut tests) = (String::new(), String::new());
    for path in sources(folder)? {
        let apart = path.strip_prefix(folder)?.components().next();
        let apart = apart.and_then(|first| first.as_os_str().to_str()).unwrap_or_default();
        let of = if ["tests", "benches", "examples"].contains(&apart) { &mut tests } else { &mut program };
        *of += &fs::read_to_string(path)?;
    }
    let mut faults = Vec::new();
    for dependency in array(&member["dependencies"]) {
        let other = text(&dependency["name"]);
        let identifier = dependency["rename"].as_str().unwrap_or(other).replace('-', "_");
        let found = names(&program, &identifier)
            || dependency["kind"].as_str() == Some("dev") && names(&tests, &identifier);
        if !found && !UNNAMED.iter().any(|known| (known.0, known.1) == (name, other)) {
            faults.push(format!("{name}: no source names {other}"));
        }
    }
    Ok(faults)
}

/// Whether a text has an identifier as a word outside plain comments.
fn names(text: &str, identifier: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.lines().filter(|line| is_code(line)).any(|line| {
        line.match_indices(identifier).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + identifier.len()..].chars().next();
            !before.is_some_and(part) && !after.is_some_and(part)
        })
    })
}

/// Lines of documentation count: their examples are compiled.
fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.starts_with("//") || line.starts_with("///") || line.starts_with("//!")
}

/// The Rust files of a crate, and the pages whose examples are its tests.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                if !path.ends_with("target") && !path.ends_with("fuzz")
                    || path.starts_with(folder.join("src"))
                {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|own| own == "rs" || own == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Direct dependencies by others of which the page of reasons says nothing.
fn unexplained(member: &Value, reasons: &str) -> Vec<String> {
    let others = array(&member["dependencies"]).filter(|dependency| dependency["path"].is_null());
    let absent = others
        .map(|dependency| text(&dependency["name"]))
        .filter(|name| !reasons.contains(&format!("`{name}`")));
    absent
        .map(|name| format!("{}: docs/dependencies.md does not say why {name}", text(&member["name"])))
        .collect()
}

/// The packages that are there in more than one version.
fn many(packages: &[Package]) -> BTreeMap<&str, Vec<&str>> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    versions.retain(|_, all| all.len() > 1);
    versions
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_dependency_is_used_where_its_name_is_a_word_of_the_code() {
        assert!(names("use serde::Serialize;", "serde"));
        assert!(names("    #[derive(thiserror::Error)]", "thiserror"));
        assert!(names("/// use serde_json::json;", "serde_json"));
        assert!(!names("use serde_json::Value;", "serde"));
        assert!(!names("// serde would do", "serde"));
        assert!(!names("let deserde = 1;", "serde"));
    }

    #[test]
    fn a_package_by_others_is_told_once_and_with_all_its_versions() {
        let tree = "own v0.2.0 (/home/own)|MIT\na v1.0.0|MIT\n\nb v1.0.0 (proc-macro)|Zlib\na v2.0.0|MIT\na v1.0.0|MIT (*)\n";
        let packages = packages(tree);
        let told: Vec<_> =
            packages.iter().map(|p| (p.name.as_str(), p.version.as_str(), p.licence.as_str())).collect();
        assert_eq!(told, [("a", "1.0.0", "MIT"), ("a", "2.0.0", "MIT"), ("b", "1.0.0", "Zlib")]);
        assert_eq!(many(&packages), BTreeMap::from([("a", vec!["1.0.0", "2.0.0"])]));
    }

    #[test]
    fn a_direct_dependency_needs_its_reason() {
        let member = json!({ "name": "own", "dependencies": [
            { "name": "told", "path": null }, { "name": "silent", "path": null }, { "name": "near", "path": "/x" },
        ] });
        let found = unexplained(&member, "| `told` | own | since |");
        assert_eq!(found, ["own: docs/dependencies.md does not say why silent"]);
    }
}
