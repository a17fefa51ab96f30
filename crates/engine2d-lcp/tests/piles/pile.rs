//! Random planar piles at the instant of an impact.

use engine2d_lcp::{Lcp, Row};
use engine2d_math::random::Lcg32;
use engine2d_math::trig;

/// Contact points at most: a hundred rows of expansion.
const CONTACTS: usize = 33;

/// A contact point: its Jacobian rows along the normal and the tangent.
struct Contact {
    rows: [Vec<(usize, f64)>; 2],
    mu: f64,
    restitution: f64,
}

/// Bodies that touch, and how they move.
pub(crate) struct Pile {
    place: Vec<(f64, f64)>,
    inverse_mass: Vec<f64>,
    velocity: Vec<f64>,
    contacts: Vec<Contact>,
}

fn signed(rng: &mut Lcg32) -> f64 {
    2.0 * rng.next_unit() - 1.0
}

impl Pile {
    /// Up to twenty bodies in rows between walls; what touches touches along edges, at two or three points, or at one. Half of the
    /// piles are regular, so that ties and redundant contacts are the rule.
    pub(crate) fn new(rng: &mut Lcg32) -> Self {
        let mut pile = Self { place: vec![], inverse_mass: vec![], velocity: vec![], contacts: vec![] };
        let unit = rng.next_unit();
        let bodies = 2 + (unit * unit * 19.0) as usize;
        let width = 1 + (rng.next_unit() * 5.0) as usize;
        let jitter = if rng.next_unit() < 0.5 { 0.0 } else { 0.2 * rng.next_unit() };
        // What a moving scene leaves of regularity: contacts that are redundant but for the last digits.
        let bend = if rng.next_unit() < 0.5 { 0.0 } else { 10_f64.powf(-3.0 - 9.0 * rng.next_unit()) };
        let shift = if rng.next_unit() < 0.5 { 0.5 } else { 0.0 };
        let mu = 0.3 + 0.6 * rng.next_unit();
        let each = rng.next_unit() < 0.3;
        let restitution = rng.next_unit();
        let walls = rng.next_unit() < 0.4;
        let alike = rng.next_unit() < 0.5;
        for k in 0..bodies {
            let (x, y) = ((k % width) as f64 + shift * ((k / width) % 2) as f64, (k / width) as f64);
            pile.place.push((x + jitter * signed(rng), y + jitter * signed(rng)));
            let mass = if alike { 1.0 } else { 10_f64.powf(1.5 * signed(rng)) };
            pile.inverse_mass.extend([1.0 / mass, 1.0 / mass, 6.0 / mass]);
        }
        let touch = |pile: &mut Self, rng: &mut Lcg32, above: usize, below: Option<usize>, to: (f64, f64)| {
            let (x, y) = pile.place[above];
            let mut angle = trig::atan2(y - to.1, x - to.0);
            if jitter == 0.0 || rng.next_unit() < 0.5 {
                let quarter = std::f64::consts::FRAC_PI_2;
                angle = (angle / quarter).round() * quarter;
            }
            angle += bend * signed(rng);
            let points = [1, 2, 2, 2, 3][(rng.next_unit() * 5.0) as usize];
            if pile.contacts.len() + points > CONTACTS {
                return;
            }
            let (s, c) = trig::sin_cos(angle);
            let middle = (0.5 * (x + to.0), 0.5 * (y + to.1));
            let mu = if each { 0.3 + 0.6 * rng.next_unit() } else { mu };
            let restitution = if each { rng.next_unit() } else { restitution };
            for k in 0..points {
                let along = [&[0.0][..], &[-0.4, 0.4], &[-0.4, 0.0, 0.4]][points - 1][k];
                let point = (middle.0 - s * along, middle.1 + c * along);
                let point = (point.0 + bend * signed(rng), point.1 + bend * signed(rng));
                let rows = [(c, s), (-s, c)].map(|(dx, dy)| pile.row(above, below, point, dx, dy));
                pile.contacts.push(Contact { rows, mu, restitution });
            }
        };
        for k in 0..bodies {
            let (x, y) = pile.place[k];
            if k < width {
                touch(&mut pile, rng, k, None, (x, y - 1.0));
            }
            if walls && k % width == 0 {
                touch(&mut pile, rng, k, None, (x - 1.0, y));
            }
            if walls && k % width == width - 1 {
                touch(&mut pile, rng, k, None, (x + 1.0, y));
            }
            for other in 0..k {
                let (dx, dy) = (x - pile.place[other].0, y - pile.place[other].1);
                let near = dx * dx + dy * dy < 1.5;
                if near {
                    let to = pile.place[other];
                    touch(&mut pile, rng, k, Some(other), to);
                }
            }
        }
        pile.set_in_motion(rng, bodies);
        pile
    }

    /// All move at random, all fall, one hits what rests, or all turn.
    fn set_in_motion(&mut self, rng: &mut Lcg32, bodies: usize) {
        let way = (rng.next_unit() * 4.0) as usize;
        let striker = (rng.next_unit() * bodies as f64) as usize;
        let slope = if rng.next_unit() < 0.5 { 0.0 } else { signed(rng) };
        for k in 0..bodies {
            let noise = [signed(rng), signed(rng), signed(rng)];
            self.velocity.extend(match way {
                0 => noise,
                1 => [slope, -1.0, 0.0],
                2 if k == striker => [slope, -1.0, 0.3 * noise[2]],
                2 => [0.0; 3],
                _ => [slope + 0.1 * noise[0], -1.0 + 0.1 * noise[1], noise[2]],
            });
        }
    }

    fn row(&self, a: usize, b: Option<usize>, point: (f64, f64), dx: f64, dy: f64) -> Vec<(usize, f64)> {
        let mut row = Vec::new();
        for (body, sign) in [(Some(a), 1.0), (b, -1.0)] {
            let Some(body) = body else { continue };
            let (x, y) = (point.0 - self.place[body].0, point.1 - self.place[body].1);
            row.extend([
                (3 * body, sign * dx),
                (3 * body + 1, sign * dy),
                (3 * body + 2, sign * (x * dy - y * dx)),
            ]);
        }
        row
    }

    /// Rows `2k` and `2k + 1`: normal and tangent of contact `k`, at its velocities.
    pub(crate) fn compression(&self) -> Lcp<'static> {
        let rows: Vec<_> = self.contacts.iter().flat_map(|c| &c.rows).collect();
        self.problem(&rows, &self.velocity, self.kinds())
    }

    fn kinds(&self) -> Vec<Row> {
        let pair = |(k, c): (usize, &Contact)| [Row::Unilateral, Row::Friction { normal: 2 * k, mu: c.mu }];
        self.contacts.iter().enumerate().flat_map(pair).collect()
    }

    /// What follows the impulses `p` of compression: each contact gives back its share and, where it needs more, more; friction
    /// is bounded by both together.
    pub(crate) fn expansion(&self, p: &[f64]) -> Option<Lcp<'static>> {
        let mut velocity = self.velocity.clone();
        let mut push = |row: &[(usize, f64)], p: f64| {
            for &(c, v) in row {
                velocity[c] += self.inverse_mass[c] * v * p;
            }
        };
        let given: Vec<f64> =
            self.contacts.iter().enumerate().map(|(k, c)| c.restitution * p[2 * k].max(0.0)).collect();
        if given.iter().all(|p| *p == 0.0) {
            return None;
        }
        for (k, c) in self.contacts.iter().enumerate() {
            push(&c.rows[0], p[2 * k] + given[k]);
            push(&c.rows[1], p[2 * k + 1]);
        }
        let mut rows: Vec<_> = self.contacts.iter().flat_map(|c| &c.rows).collect();
        let mut kinds = self.kinds();
        for (c, given) in self.contacts.iter().zip(&given) {
            rows.push(&c.rows[1]);
            kinds.push(Row::Boxed { lo: -c.mu * given, hi: c.mu * given });
        }
        Some(self.problem(&rows, &velocity, kinds))
    }

    fn problem(&self, rows: &[&Vec<(usize, f64)>], velocity: &[f64], kinds: Vec<Row>) -> Lcp<'static> {
        let n = rows.len();
        let mut dense = vec![0.0; 3 * self.place.len()];
        let mut a = vec![0.0; n * n];
        for (i, row) in rows.iter().enumerate() {
            row.iter().for_each(|&(c, v)| dense[c] = self.inverse_mass[c] * v);
            for (j, other) in rows.iter().enumerate().take(i + 1) {
                let sum = other.iter().map(|&(c, v)| v * dense[c]).sum();
                (a[i * n + j], a[j * n + i]) = (sum, sum);
            }
            row.iter().for_each(|&(c, _)| dense[c] = 0.0);
        }
        let bias: Vec<f64> =
            rows.iter().map(|row| row.iter().map(|&(c, v)| v * velocity[c]).sum::<f64>()).collect();
        Lcp::from_dense(a, bias).and_then(|p| p.rows(kinds)).expect("a valid pile")
    }
}
