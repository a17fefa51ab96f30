//! Dependencies that a manifest declares and no source of its crate names.

use super::source::Package;

/// What a crate declares in vain.
pub(super) fn faults(package: &Package) -> Vec<String> {
    let named = |dependency: &&String| {
        let name = dependency.replace('-', "_");
        package.files.iter().any(|file| names(&file.text, &name))
    };
    let declared = declared(&package.manifest);
    let vain = declared.iter().filter(|dependency| !named(dependency));
    vain.map(|dependency| format!("{}: depends on {dependency} and does not use it", package.name)).collect()
}

/// Whether a text has a name as a whole word.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(start, _)| {
        !is_part(text[..start].chars().next_back()) && !is_part(text[start + name.len()..].chars().next())
    })
}

/// The dependencies of a manifest, those of tests and of single platforms too.
fn declared(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies");
        } else if inside && !line.starts_with('#') {
            let end = line.find(['.', ' ', '=']).unwrap_or(0);
            found.extend((end > 0).then(|| line[..end].to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::source::File;
    use super::*;

    #[test]
    fn what_no_source_names_is_a_fault() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nserde.workspace = true\nrand-core = \"1\"\n[dev-dependencies]\ninsta = \"1\"\n[features]\nfile = []";
        let file = |text: &str| vec![File::new("src/a.rs", text)];
        let package = |text: &str| Package { name: "x".into(), manifest: manifest.into(), files: file(text) };
        assert!(faults(&package("use serde::X; use rand_core::Y; fn f() { insta::glob!() }")).is_empty());
        assert_eq!(
            faults(&package("use serde_json::X; use rand_core::Y; insta::z();")),
            ["x: depends on serde and does not use it"]
        );
    }
}
