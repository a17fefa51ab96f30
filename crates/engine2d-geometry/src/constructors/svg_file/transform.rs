//! The `transform` attribute of SVG.

use engine2d_math::trig;

/// `a b c d e f`: `x' = a x + c y + e`, `y' = b x + d y + f`.
pub(super) type Matrix = [f64; 6];

pub(super) const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// First `inner`, then `outer`.
pub(super) fn product(outer: Matrix, inner: Matrix) -> Matrix {
    let [a, b, c, d, e, f] = outer;
    let turned = |x: f64, y: f64| (a * x + c * y, b * x + d * y);
    let ((p, q), (r, s)) = (turned(inner[0], inner[1]), turned(inner[2], inner[3]));
    let (t, u) = turned(inner[4], inner[5]);
    [p, q, r, s, t + e, u + f]
}

/// The product of a list of transforms, the last of which comes first; `None` for what is none.
pub(super) fn parse(text: &str) -> Option<Matrix> {
    let mut all = IDENTITY;
    let mut rest = text.trim_matches(is_separator);
    while !rest.is_empty() {
        let (name, after) = rest.split_once('(')?;
        let (list, after) = after.split_once(')')?;
        let numbers = list
            .split(is_separator)
            .filter(|word| !word.is_empty())
            .map(|word| word.parse::<f64>().ok().filter(|number| number.is_finite()))
            .collect::<Option<Vec<f64>>>()?;
        all = product(all, single(name.trim(), &numbers)?);
        rest = after.trim_start_matches(is_separator);
    }
    Some(all)
}

fn single(name: &str, numbers: &[f64]) -> Option<Matrix> {
    let turn = |degrees: f64| {
        // Quarter turns are exact.
        let quarters = degrees / 90.0;
        let (sin, cos) = if quarters.fract() == 0.0 {
            [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4.0) as usize % 4]
        } else {
            trig::sin_cos(degrees.to_radians())
        };
        [cos, sin, -sin, cos, 0.0, 0.0]
    };
    Some(match (name, numbers) {
        ("matrix", &[a, b, c, d, e, f]) => [a, b, c, d, e, f],
        ("translate", &[x]) => [1.0, 0.0, 0.0, 1.0, x, 0.0],
        ("translate", &[x, y]) => [1.0, 0.0, 0.0, 1.0, x, y],
        ("scale", &[s]) => [s, 0.0, 0.0, s, 0.0, 0.0],
        ("scale", &[x, y]) => [x, 0.0, 0.0, y, 0.0, 0.0],
        ("rotate", &[degrees]) => turn(degrees),
        ("rotate", &[degrees, x, y]) => {
            let (there, back) = ([1.0, 0.0, 0.0, 1.0, x, y], [1.0, 0.0, 0.0, 1.0, -x, -y]);
            product(there, product(turn(degrees), back))
        }
        ("skewX", &[degrees]) => [1.0, 0.0, degrees.to_radians().tan(), 1.0, 0.0, 0.0],
        ("skewY", &[degrees]) => [1.0, degrees.to_radians().tan(), 0.0, 1.0, 0.0, 0.0],
        _ => return None,
    })
}

fn is_separator(c: char) -> bool {
    c.is_ascii_whitespace() || c == ','
}
