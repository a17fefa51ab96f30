//! Files that are too long, files whose first line does not say what lives there, and tests that no program takes in.

use super::ratchet::{MOST_LINES, Ratchet};
use super::source::Package;

/// Files that do not begin with a doc comment, and tests that nothing runs.
pub(super) fn faults(package: &Package) -> Vec<String> {
    let silent = package.files.iter().filter(|f| !f.text.starts_with("//!"));
    let silent = silent.map(|f| format!("{}/{}: line 1 is no doc comment", package.name, f.path));
    silent.chain(forgotten(package)).collect()
}

/// Where a package names the programs of its tests, the files beside them that are neither named nor a module of one that is.
fn forgotten(package: &Package) -> Vec<String> {
    if !package.manifest.contains("autotests = false") {
        return Vec::new();
    }
    let tests = || {
        let all = package.files.iter();
        all.filter_map(|f| Some((f.path.strip_prefix("tests/")?.strip_suffix(".rs")?, f)))
            .filter(|(name, _)| !name.contains('/'))
    };
    let programs: Vec<_> = tests()
        .filter(|(name, _)| package.manifest.contains(&format!("[[test]]\nname = \"{name}\"\n")))
        .collect();
    let taken = |name: &str| {
        let module = format!("mod {name};");
        programs
            .iter()
            .any(|&(program, file)| program == name || file.code.lines().any(|line| line.trim() == module))
    };
    let left = tests().filter(|&(name, _)| !taken(name));
    left.map(|(_, file)| format!("{}/{}: no program of tests takes it in", package.name, file.path)).collect()
}

/// Notes the files that are longer than they should be.
pub(super) fn count(package: &Package, counted: &mut Ratchet) {
    for file in &package.files {
        let lines = file.text.lines().count();
        if lines > MOST_LINES {
            counted.long_files.insert(format!("{}/{}", package.name, file.path), lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::File;
    use super::*;

    #[test]
    fn tests_that_nothing_runs_are_found() {
        let named =
            "[package]\nautotests = false\n\n[[test]]\nname = \"all\"\n\n[[test]]\nname = \"alone\"\n";
        let package = |manifest: &str| Package {
            name: "x".to_owned(),
            manifest: manifest.to_owned(),
            files: vec![
                File::new("src/lost.rs", "//! A.\n"),
                File::new("tests/all.rs", "//! B.\n\nmod one;\n// mod lost;\n"),
                File::new("tests/alone.rs", "//! C.\n"),
                File::new("tests/lost.rs", "//! D.\n"),
                File::new("tests/one.rs", "//! E.\n"),
                File::new("tests/one/part.rs", "//! F.\n"),
            ],
        };
        assert_eq!(faults(&package(named)), ["x/tests/lost.rs: no program of tests takes it in"]);
        assert_eq!(faults(&package("[package]\n")), [""; 0]);
    }

    #[test]
    fn long_and_silent_files_are_found() {
        let long = format!("//! Long.\n{}", "\n".repeat(MOST_LINES));
        let files = vec![
            File::new("src/a.rs", "//! Said.\n"),
            File::new("src/b.rs", "use c;"),
            File::new("src/d.rs", &long),
        ];
        let package = Package { name: "x".to_owned(), manifest: String::new(), files };
        assert_eq!(faults(&package), ["x/src/b.rs: line 1 is no doc comment"]);
        let mut counted = Ratchet::default();
        count(&package, &mut counted);
        assert_eq!(counted.long_files.into_iter().collect::<Vec<_>>(), [("x/src/d.rs".to_owned(), 401)]);
    }
}
