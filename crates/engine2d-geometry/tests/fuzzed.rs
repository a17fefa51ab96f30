//! The inputs of the fuzz corpus, and mutations of them, keep the laws of the fuzz targets.

mod judges;

use engine2d_math::random::Lcg32;
use std::path::Path;

/// Mutations of each input.
const MUTATIONS: u32 = 300;

/// The committed inputs of a target, in order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzed/corpus").join(target);
    let entries = std::fs::read_dir(&directory).expect("the corpus is beside this test");
    let mut paths: Vec<_> = entries.map(|e| e.expect("the corpus can be listed").path()).collect();
    paths.sort();
    paths.iter().map(|p| std::fs::read(p).expect("an input can be read")).collect()
}

/// Changes, removes, repeats or exchanges a few bytes.
fn mutate(input: &[u8], alphabet: &[u8], generator: &mut Lcg32) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let mut below = |n: usize| ((n as f64 * generator.next_unit()) as usize).min(n.saturating_sub(1));
    for _ in 0..=below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = below(bytes.len());
        match below(5) {
            0 => bytes[at] = alphabet[below(alphabet.len())],
            1 => bytes.insert(at, alphabet[below(alphabet.len())]),
            2 => drop(bytes.remove(at)),
            3 => bytes[at] ^= 1 << below(8),
            _ => {
                let end = (at + 1 + below(12)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
    bytes
}

/// Judges the corpus of a target and its mutations; returns how many inputs had an answer.
fn replay(target: &str, alphabet: &[u8], judge: fn(&[u8]) -> bool) -> usize {
    let mut generator = Lcg32::new(17);
    let mut answered = 0;
    for input in corpus(target) {
        answered += usize::from(judge(&input));
        for _ in 0..MUTATIONS {
            answered += usize::from(judge(&mutate(&input, alphabet, &mut generator)));
        }
    }
    answered
}

#[test]
fn path_data_is_an_error_or_a_sound_shape() {
    let answered = replay("svg_path", b"MmLlHhVvAaZz0123456789 ,.-+eE", judges::svg_path);
    assert!(answered > 200, "{answered}");
}

#[test]
fn convex_queries_are_errors_or_fit_each_other() {
    let alphabet: Vec<u8> = (0..=255).collect();
    let answered = replay("convex_pair", &alphabet, judges::convex_pair);
    assert!(answered > 1000, "{answered}");
}
