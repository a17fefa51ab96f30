//! Families of problems that are nearly something else.

use engine2d_lcp::Row;
use engine2d_math::random::Lcg32;

/// A dense problem, with a solution if one is known.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) kinds: Vec<Row>,
    pub(crate) known: Option<Vec<f64>>,
}

type Make = fn(&mut Lcg32) -> Problem;

pub(crate) const FAMILIES: [(&str, Make); 14] = [
    ("twoscale", twoscale),
    ("opposed_bent", opposed_bent),
    ("opposed_near", opposed_near),
    ("opposed_slight", opposed_slight),
    ("clusters", clusters),
    ("dups", dups),
    ("bilateral_contradictions", contradictions),
    ("massratio_phys", massratio),
    ("rowscale", rowscale),
    ("lowrank", lowrank),
    ("vandermonde", vandermonde),
    ("hilbert", hilbert),
    ("denormal", denormal),
    ("overflow", overflow),
];

fn unit(rng: &mut Lcg32) -> f64 {
    2.0 * rng.next_unit() - 1.0
}

fn below(rng: &mut Lcg32, n: usize) -> usize {
    ((rng.next_unit() * n as f64) as usize).min(n - 1)
}

/// A power of ten between the two.
fn decade(rng: &mut Lcg32, from: f64, to: f64) -> f64 {
    10.0_f64.powf(from + (to - from) * rng.next_unit())
}

fn rows(rng: &mut Lcg32, n: usize, m: usize) -> Vec<Vec<f64>> {
    (0..n).map(|_| (0..m).map(|_| unit(rng)).collect()).collect()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `J diag(w) Jᵀ`, to the bit symmetric.
fn gram(j: &[Vec<f64>], w: &[f64]) -> Vec<f64> {
    let n = j.len();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for k in 0..=i {
            let entry: f64 = j[i].iter().zip(&j[k]).zip(w).map(|((x, y), w)| x * w * y).sum();
            (a[i * n + k], a[k * n + i]) = (entry, entry);
        }
    }
    a
}

/// Kinds, and a bias: in the range of `J`, from forces and accelerations that fit together, or any.
fn finish(rng: &mut Lcg32, j: &[Vec<f64>], w: &[f64], bilateral: f64) -> Problem {
    let n = j.len();
    let a = gram(j, w);
    let kinds: Vec<Row> =
        (0..n).map(|_| if rng.next_unit() < bilateral { Row::Bilateral } else { Row::Unilateral }).collect();
    let (b, known) = match below(rng, 4) {
        0 | 1 => {
            let u: Vec<f64> = w.iter().map(|_| unit(rng)).collect();
            (j.iter().map(|row| dot(row, &u)).collect(), None)
        }
        2 => fitting(rng, &a, &kinds),
        _ => ((0..n).map(|_| unit(rng)).collect(), None),
    };
    Problem { a, b, kinds, known }
}

/// A bias for which forces are known.
fn fitting(rng: &mut Lcg32, a: &[f64], kinds: &[Row]) -> (Vec<f64>, Option<Vec<f64>>) {
    let n = kinds.len();
    let (mut f, mut push) = (vec![0.0; n], vec![0.0; n]);
    let size = decade(rng, 0.0, 6.0);
    for i in 0..n {
        match (kinds[i], below(rng, 2)) {
            (Row::Bilateral, _) => f[i] = size * unit(rng),
            (_, 0) => f[i] = size * rng.next_unit(),
            _ => push[i] = rng.next_unit(),
        }
    }
    let b = (0..n).map(|i| push[i] - dot(&a[i * n..(i + 1) * n], &f)).collect();
    (b, Some(f))
}

/// Rows of a few directions and, ten thousand to ten million times smaller, of others.
fn twoscale(rng: &mut Lcg32) -> Problem {
    let n = 2 + below(rng, 8);
    let m = 1 + below(rng, n);
    let small = decade(rng, -7.0, -3.0);
    let extra = 1 + below(rng, 3);
    let j: Vec<Vec<f64>> = rows(rng, n, m + extra);
    let w: Vec<f64> = (0..m + extra).map(|c| if c < m { 1.0 } else { small * small }).collect();
    finish(rng, &j, &w, 0.2)
}

fn opposed(rng: &mut Lcg32, from: f64, to: f64, all: bool) -> Problem {
    let pairs = 1 + below(rng, 6);
    let m = 2 + below(rng, 4);
    let bend = decade(rng, from, to);
    let mut j = rows(rng, pairs, m);
    for k in 0..pairs {
        let column = below(rng, m);
        let opposite: Vec<f64> = j[k]
            .iter()
            .enumerate()
            .map(|(c, v)| -v + if all || c == column { bend * unit(rng) } else { 0.0 })
            .collect();
        j.push(opposite);
    }
    finish(rng, &j, &vec![1.0; m], 0.1)
}

fn opposed_bent(rng: &mut Lcg32) -> Problem {
    opposed(rng, -8.0, -4.0, true)
}

fn opposed_near(rng: &mut Lcg32) -> Problem {
    opposed(rng, -7.0, -3.0, false)
}

/// Opposed contacts whose demands differ by little, too.
fn opposed_slight(rng: &mut Lcg32) -> Problem {
    let mut problem = opposed(rng, -8.0, -5.0, true);
    let n = problem.b.len() / 2;
    let noise = decade(rng, -10.0, -5.0);
    for k in 0..n {
        problem.b[n + k] = -problem.b[k] + noise * unit(rng);
    }
    problem.known = None;
    problem
}

/// Groups of rows that are nearly the same.
fn clusters(rng: &mut Lcg32) -> Problem {
    let m = 2 + below(rng, 4);
    let apart = decade(rng, -9.0, -4.0);
    let mut j = Vec::new();
    for centre in rows(rng, 1 + below(&mut rng.clone(), 3), m) {
        for _ in 0..1 + below(rng, 4) {
            j.push(centre.iter().map(|v| v + apart * unit(rng)).collect());
        }
    }
    finish(rng, &j, &vec![1.0; m], 0.2)
}

/// Rows and their copies and opposites, with demands that differ by about the tolerance.
fn dups(rng: &mut Lcg32) -> Problem {
    let m = 1 + below(rng, 4);
    let distinct = 1 + below(rng, 4);
    let mut j = rows(rng, distinct, m);
    let copies = 1 + below(rng, 5);
    for _ in 0..copies {
        let sign = if rng.next_unit() < 0.5 { 1.0 } else { -1.0 };
        let copy = j[below(rng, distinct)].iter().map(|v| sign * v).collect();
        j.push(copy);
    }
    let mut problem = finish(rng, &j, &vec![1.0; m], 0.3);
    let u: Vec<f64> = (0..m).map(|_| unit(rng)).collect();
    let noise = decade(rng, -9.0, -6.0);
    problem.b = j.iter().map(|row| 4.0 * dot(row, &u) + noise * unit(rng)).collect();
    problem.known = None;
    problem
}

/// Redundant bilateral rows whose demands differ by about the tolerance.
fn contradictions(rng: &mut Lcg32) -> Problem {
    let m = 1 + below(rng, 6);
    let n = m + 1 + below(rng, 12);
    let j = rows(rng, n, m);
    let mut problem = finish(rng, &j, &vec![1.0; m], 0.8);
    let u: Vec<f64> = (0..m).map(|_| unit(rng)).collect();
    let noise = decade(rng, -10.0, -6.0);
    problem.b = j.iter().map(|row| dot(row, &u) + noise * unit(rng)).collect();
    problem.known = None;
    problem
}

/// Contacts among bodies whose masses differ by powers of ten.
fn massratio(rng: &mut Lcg32) -> Problem {
    let bodies = 2 + below(rng, 6);
    let n = 1 + below(rng, 14);
    let w: Vec<f64> = (0..bodies).flat_map(|_| [decade(rng, -4.0, 4.0); 2]).collect();
    let j: Vec<Vec<f64>> = (0..n)
        .map(|_| {
            let (first, second) = (below(rng, bodies), below(rng, bodies + 1));
            let normal = [unit(rng), unit(rng)];
            let mut row = vec![0.0; 2 * bodies];
            for c in 0..2 {
                row[2 * first + c] += normal[c];
                if second < bodies && second != first {
                    row[2 * second + c] -= normal[c];
                }
            }
            row
        })
        .collect();
    finish(rng, &j, &w, 0.15)
}

/// Rows in units far apart.
fn rowscale(rng: &mut Lcg32) -> Problem {
    let n = 2 + below(rng, 8);
    let m = 1 + below(rng, n + 2);
    let mut j = rows(rng, n, m);
    for row in &mut j {
        let scale = decade(rng, -6.0, 6.0);
        row.iter_mut().for_each(|v| *v *= scale);
    }
    finish(rng, &j, &vec![1.0; m], 0.2)
}

fn lowrank(rng: &mut Lcg32) -> Problem {
    let n = 2 + below(rng, 30);
    let m = 1 + below(rng, n / 2 + 1);
    let j = rows(rng, n, m);
    finish(rng, &j, &vec![1.0; m], 0.2)
}

fn vandermonde(rng: &mut Lcg32) -> Problem {
    let n = 2 + below(rng, 14);
    let m = 2 + below(rng, 10);
    let j: Vec<Vec<f64>> = (0..n)
        .map(|_| {
            let x = unit(rng);
            (0..m).map(|k| x.powi(k as i32)).collect()
        })
        .collect();
    finish(rng, &j, &vec![1.0; m], 0.2)
}

fn hilbert(rng: &mut Lcg32) -> Problem {
    let n = 2 + below(rng, 14);
    let a: Vec<f64> = (0..n * n).map(|k| 1.0 / (1 + k / n + k % n) as f64).collect();
    let kinds: Vec<Row> =
        (0..n).map(|_| if rng.next_unit() < 0.2 { Row::Bilateral } else { Row::Unilateral }).collect();
    let (b, known) = match below(rng, 2) {
        0 => fitting(rng, &a, &kinds),
        _ => ((0..n).map(|_| unit(rng)).collect(), None),
    };
    Problem { a, b, kinds, known }
}

fn denormal(rng: &mut Lcg32) -> Problem {
    let n = 1 + below(rng, 5);
    let mut problem = lowrank(rng);
    let size = problem.kinds.len();
    let n = n.min(size);
    let scale: Vec<f64> =
        (0..n).map(|_| if rng.next_unit() < 0.5 { decade(rng, -162.0, -150.0) } else { 1.0 }).collect();
    problem.a = (0..n * n).map(|k| problem.a[k / n * size + k % n] * scale[k / n] * scale[k % n]).collect();
    problem.b.truncate(n);
    problem.kinds.truncate(n);
    for kind in &mut problem.kinds {
        if rng.next_unit() < 0.2 {
            *kind = Row::Boxed { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        }
    }
    for b in &mut problem.b {
        *b = if rng.next_unit() < 0.3 { 0.0 } else { *b };
    }
    problem.known = None;
    problem
}

fn overflow(rng: &mut Lcg32) -> Problem {
    let mut problem = lowrank(rng);
    let (a, b) = (decade(rng, -300.0, 300.0), decade(rng, -300.0, 300.0));
    problem.a.iter_mut().for_each(|v| *v *= a);
    problem.b.iter_mut().for_each(|v| *v *= b);
    problem.known = None;
    problem
}
