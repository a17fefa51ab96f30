//! The sources of the workspace as the checks see them: by crate, with comments, strings and tests taken out.

use crate::TaskError;
use std::fs;
use std::path::Path;

/// A crate of the workspace.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest: String,
    pub(super) files: Vec<File>,
}

/// A source file.
pub(super) struct File {
    /// Path from the folder of its crate, with forward slashes.
    pub(super) path: String,
    pub(super) text: String,
    /// The text with blanks for comments, strings and tests; lines stay where they are.
    pub(super) code: String,
}

impl File {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let code = without_tests(&without_comments(text));
        Self { path: path.to_owned(), text: text.to_owned(), code }
    }

    /// Whether the file is part of the library or program itself.
    pub(super) fn is_source(&self) -> bool {
        self.path.starts_with("src/") && !self.path.ends_with("/tests.rs") && !self.path.contains("/tests/")
    }
}

/// All crates of the workspace at `root`, by name.
pub(super) fn read(root: &Path) -> Result<Vec<Package>, TaskError> {
    let mut folders = vec![root.join("xtask")];
    for entry in fs::read_dir(root.join("crates"))? {
        folders.push(entry?.path());
    }
    let mut packages = Vec::new();
    for folder in folders.iter().filter(|f| f.join("Cargo.toml").is_file()) {
        let mut files = Vec::new();
        for part in ["src", "tests", "benches", "examples"] {
            if folder.join(part).is_dir() {
                collect(&folder.join(part), part, &mut files)?;
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
        packages.push(Package { name, manifest, files });
    }
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

fn collect(folder: &Path, name: &str, files: &mut Vec<File>) -> Result<(), TaskError> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &name, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(File::new(&name, &fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

/// The text with blanks for what stands in comments, strings and character literals.
fn without_comments(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code: Vec<char> = Vec::with_capacity(chars.len());
    let mut i = 0;
    while i < chars.len() {
        let end = opaque_end(&chars, i);
        if end > i {
            code.extend(chars[i..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            i = end;
        } else {
            code.push(chars[i]);
            i += 1;
        }
    }
    code.into_iter().collect()
}

/// Where the comment, string or character literal that starts at `i` ends; `i` if none does.
fn opaque_end(chars: &[char], i: usize) -> usize {
    let at = |k: usize| chars.get(k).copied().unwrap_or('\0');
    let find = |from: usize, stop: &dyn Fn(usize) -> bool| (from..chars.len()).find(|k| stop(*k));
    let before = if i == 0 { '\0' } else { chars[i - 1] };
    match (at(i), at(i + 1)) {
        ('/', '/') => find(i, &|k| at(k) == '\n').unwrap_or(chars.len()),
        ('/', '*') => {
            let mut depth = 0;
            let mut k = i;
            while k < chars.len() {
                match (at(k), at(k + 1)) {
                    ('/', '*') => (depth, k) = (depth + 1, k + 2),
                    ('*', '/') => (depth, k) = (depth - 1, k + 2),
                    _ => k += 1,
                }
                if depth == 0 {
                    break;
                }
            }
            k
        }
        ('r', '"' | '#') if !(before.is_alphanumeric() || before == '_') => {
            let hashes = (i + 1..chars.len()).take_while(|k| at(*k) == '#').count();
            if at(i + 1 + hashes) != '"' {
                return i;
            }
            let closes = |k: usize| at(k) == '"' && (1..=hashes).all(|h| at(k + h) == '#');
            find(i + 2 + hashes, &closes).map_or(chars.len(), |k| k + 1 + hashes)
        }
        ('"', _) => {
            let mut k = i + 1;
            while k < chars.len() && at(k) != '"' {
                k += if at(k) == '\\' { 2 } else { 1 };
            }
            (k + 1).min(chars.len())
        }
        ('\'', '\\') => find(i + 3, &|k| at(k) == '\'').map_or(chars.len(), |k| k + 1),
        ('\'', _) if at(i + 2) == '\'' => i + 3,
        _ => i,
    }
}

/// The code with blanks for modules of tests.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut result = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        let (kept, tail) = rest.split_at(start);
        result.push_str(kept);
        let end = item_end(tail);
        result.extend(tail[..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &tail[end..];
    }
    result.push_str(rest);
    result
}

/// Where the item that begins here ends: at its semicolon, or at the brace that closes it.
fn item_end(code: &str) -> usize {
    let mut depth = 0_usize;
    for (k, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return k + 1,
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return k + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_tests_are_blank() {
        let text = "a /* x /* y */ z */ b // c\nlet s = \"q\\\" r\"; let c = 'd'; fn f<'e>() {}\n\
                    let r = r#\"1e-9 \" \"#; g\n#[cfg(test)]\nmod tests { fn h() { i() } }\nj";
        let code = File::new("src/a.rs", text).code;
        assert_eq!(code.lines().count(), text.lines().count());
        let words: Vec<&str> = code.split_whitespace().collect();
        let expected =
            "a b let s = ; let c = ; fn f<'e>() {} let r = ; g j".split_whitespace().collect::<Vec<_>>();
        assert_eq!(words, expected);
    }
}
