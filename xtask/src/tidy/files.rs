//! Files that are too long, and files whose first line does not say what lives there.

use super::ratchet::{MOST_LINES, Ratchet};
use super::source::Package;

/// Files that do not begin with a doc comment.
pub(super) fn faults(package: &Package) -> Vec<String> {
    let silent = package.files.iter().filter(|f| !f.text.starts_with("//!"));
    silent.map(|f| format!("{}/{}: line 1 is no doc comment", package.name, f.path)).collect()
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
