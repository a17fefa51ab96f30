//! Letters as strokes, so that a picture of pixels needs no fonts of the system.

/// Height of a line of letters, from the lowest of those that hang below to the top.
pub(super) const HEIGHT: f64 = 10.0;
/// From one letter to the next.
pub(super) const ADVANCE: f64 = 5.0;
/// Width of the letters for each unit of their strokes.
const NARROW: f64 = 0.875;

/// Strokes of a letter, as pairs of digits `x y`, points of one stroke together: the letter stands on `y = 2`, reaches to 6 or 8,
/// and is 4 wide.
fn strokes(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        'A' => "022842 1535",
        'B' => "02083847463505 3544433202",
        'C' => "4738180703123243",
        'D' => "02082846442202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "47381807031232434525",
        'H' => "0208 4248 0545",
        'I' => "1232 2228 1838",
        'J' => "4843321203",
        'K' => "0208 4804 1542",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'O' => "180703123243473818",
        'P' => "02083847463505",
        'Q' => "180703123243473818 2442",
        'R' => "02083847463505 2542",
        'S' => "473818070615354443321203",
        'T' => "0848 2822",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812253248",
        'X' => "0248 0842",
        'Y' => "082548 2522",
        'Z' => "08480242",
        'a' => "16364542 441403123243",
        'b' => "0802 0516364543321203",
        'c' => "4536160503123243",
        'd' => "4842 4536160503123243",
        'e' => "04444536160503123243",
        'f' => "38281712 0636",
        'g' => "4641301001 4536160503123243",
        'h' => "0802 0516364542",
        'i' => "2226 2728",
        'j' => "26211000 2728",
        'k' => "0802 3603 1432",
        'l' => "2822",
        'm' => "0206 05162522 25364542",
        'n' => "0206 0516364542",
        'o' => "160503123243453616",
        'p' => "0600 0516364543321203",
        'q' => "4640 4536160503123243",
        'r' => "0206 05163645",
        's' => "45361605143443321203",
        't' => "18132232 0636",
        'u' => "0603123243 4642",
        'v' => "062246",
        'w' => "0612253246",
        'x' => "0642 4602",
        'y' => "0622 4610",
        'z' => "06460242",
        '0' => "180703123243473818 1337",
        '1' => "172822 1232",
        '2' => "07183847460242",
        '3' => "07183847463515 354443321203",
        '4' => "32380444",
        '5' => "480805354443321203",
        '6' => "4738180703123243443505",
        '7' => "084812",
        '8' => "183847463515060718 150403123243443515",
        '9' => "03123243473818070615 1545",
        '.' => "2223",
        ',' => "2312",
        ':' => "2223 2526",
        ';' => "2312 2526",
        '-' | '\u{2212}' | '\u{2013}' => "1535",
        '+' => "0545 2327",
        '=' => "0444 0646",
        '(' => "38272332",
        ')' => "18272312",
        '[' => "38181232",
        ']' => "18383212",
        '/' => "0248",
        '\\' => "0842",
        '_' => "0141",
        '\'' => "2827",
        '"' => "1817 3837",
        '%' => "0248 0807 4243",
        '<' => "471543",
        '>' => "073503",
        '|' => "2129",
        '#' => "1218 3238 0444 0646",
        '\u{b2}' => "1829381636",
        '\u{b7}' => "2526",
        '\u{d7}' => "1337 1733",
        '\u{b0}' => "2837261728",
        // A box for all others.
        _ => "0208484202",
    }
}

/// The strokes of a text that begins at the origin, `y` upwards from its lowest line: ends of straight pieces.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = [[f64; 2]; 2]> + '_ {
    text.chars().enumerate().flat_map(|(place, letter)| {
        let left = place as f64 * ADVANCE;
        strokes(letter).split(' ').flat_map(move |stroke| {
            let digit = |place: usize| f64::from(stroke.as_bytes()[place] - b'0');
            let point = move |k: usize| [left + NARROW * digit(2 * k), digit(2 * k + 1)];
            (1..stroke.len() / 2).map(move |k| [point(k - 1), point(k)])
        })
    })
}

/// The width of a text.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * ADVANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_plots_use_has_strokes_inside_its_box() {
        let all = (' '..='~')
            .filter(|c| !"!$&*?@^`{}~".contains(*c))
            .chain("\u{b2}\u{b7}\u{d7}\u{b0}\u{2212}".chars());
        for letter in all {
            let text = letter.to_string();
            assert_eq!(strokes(letter).is_empty(), letter == ' ', "{letter}");
            assert!(strokes(letter) != strokes('\u{1}'), "{letter} has no strokes of its own");
            for stroke in strokes(letter).split(' ').filter(|stroke| !stroke.is_empty()) {
                assert!(stroke.len() >= 4 && stroke.len() % 2 == 0, "{letter}: {stroke}");
            }
            for end in pieces(&text).flatten() {
                assert!((0.0..=4.0).contains(&end[0]) && (0.0..=9.0).contains(&end[1]), "{letter}: {end:?}");
            }
        }
        assert_eq!(pieces("LL").count(), 4);
        assert_eq!(pieces("LL").last(), Some([[ADVANCE, 2.0], [ADVANCE + 3.5, 2.0]]));
    }
}
