//! A sequence of low discrepancy after Sobol, with the primitive polynomials and initial numbers of Joe and Kuo.

/// Bits of a coordinate.
const BITS: usize = 32;

/// Degree, coefficients and initial numbers of each dimension from the second.
const DIMENSIONS: [(u32, u32, &[u32]); 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Most parameters that are sampled so.
pub(crate) const MOST_DIMENSIONS: usize = DIMENSIONS.len() + 1;

/// The direction numbers of a dimension.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0u32; BITS];
    let Some((degree, coefficients, initial)) = dimension.checked_sub(1).and_then(|d| DIMENSIONS.get(d))
    else {
        for (bit, direction) in v.iter_mut().enumerate() {
            *direction = 1 << (BITS - 1 - bit);
        }
        return v;
    };
    let s = *degree as usize;
    for bit in 0..BITS {
        v[bit] = match initial.get(bit) {
            Some(m) => m << (BITS - 1 - bit),
            None => {
                let mut value = v[bit - s] ^ (v[bit - s] >> s);
                for k in 1..s {
                    if (coefficients >> (s - 1 - k)) & 1 == 1 {
                        value ^= v[bit - k];
                    }
                }
                value
            }
        };
    }
    v
}

/// The first `count` points of a dimension, shifted digit by digit by the bits of `shift`; 0 shifts nothing.
pub(crate) fn points(dimension: usize, count: usize, shift: u32) -> Vec<f64> {
    let directions = directions(dimension);
    let mut bits = 0u32;
    let mut found = Vec::with_capacity(count);
    for place in 0..count {
        found.push(f64::from(bits ^ shift) / 4_294_967_296.0);
        // In the order of Gray's code each point differs from the last by one direction.
        let bit = (place.trailing_ones() as usize).min(BITS - 1);
        bits ^= directions[bit];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dimension_is_even_in_every_power_of_two() {
        for dimension in 0..MOST_DIMENSIONS {
            for shift in [0, 0x9e37_79b9] {
                let mut cells: Vec<usize> =
                    points(dimension, 256, shift).iter().map(|x| (x * 256.0) as usize).collect();
                cells.sort_unstable();
                assert_eq!(cells, (0..256).collect::<Vec<_>>(), "dimension {dimension}");
            }
        }
    }

    #[test]
    fn the_first_points_are_those_of_the_literature() {
        assert_eq!(points(0, 5, 0), [0.0, 0.5, 0.75, 0.25, 0.375]);
        assert_eq!(points(1, 5, 0), [0.0, 0.5, 0.25, 0.75, 0.375]);
        assert_eq!(points(2, 5, 0), [0.0, 0.5, 0.25, 0.75, 0.625]);
    }

    #[test]
    fn pairs_of_dimensions_fill_the_square() {
        // A quarter of the points falls into each quarter of the square.
        for dimension in 1..MOST_DIMENSIONS {
            let (x, y) = (points(0, 1024, 0), points(dimension, 1024, 0));
            let mut quarters = [0usize; 4];
            for (x, y) in x.iter().zip(&y) {
                quarters[usize::from(*x >= 0.5) + 2 * usize::from(*y >= 0.5)] += 1;
            }
            assert_eq!(quarters, [256; 4], "dimension {dimension}");
        }
    }
}
