//! Scenes of planar bodies turned into problems: bodies at places, contacts and joints at points.

use engine2d_lcp::{Lcp, Row, SparseRows};
use engine2d_math::random::Lcg32;
use engine2d_math::trig;

/// What holds for all rows of a scene.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mood {
    /// Decades over which masses spread.
    pub(crate) mass_decades: f64,
    /// Decades over which rows are scaled.
    pub(crate) row_decades: f64,
    /// Size of all accelerations.
    pub(crate) size: f64,
    /// Acceleration added to each row, relative to `size`: takes `b` out of the range of the rows.
    pub(crate) bias_noise: f64,
    /// Coefficient of friction; 0 for none.
    pub(crate) mu: f64,
}

/// Bodies and rows under construction.
pub(crate) struct Scene {
    place: Vec<(f64, f64)>,
    inverse_mass: Vec<f64>,
    rows: Vec<(Vec<(usize, f64)>, Row)>,
    pub(crate) rng: Lcg32,
    mood: Mood,
}

impl Scene {
    pub(crate) fn new(seed: u32, mood: Mood) -> Self {
        Self { place: vec![], inverse_mass: vec![], rows: vec![], rng: Lcg32::new(seed), mood }
    }

    /// A number between -1 and 1.
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.rng.next_unit() - 1.0
    }

    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.rng.next_unit() < share
    }

    /// Whether demands are consistent and masses alike.
    pub(crate) fn exact(&self) -> bool {
        self.mood.bias_noise == 0.0 && self.mood.mass_decades < 1.0
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// A body of size about 1; returns its number.
    pub(crate) fn body(&mut self, x: f64, y: f64) -> Option<usize> {
        let mass = 10_f64.powf(self.mood.mass_decades * (self.rng.next_unit() - 0.5));
        self.place.push((x, y));
        self.inverse_mass.extend([1.0 / mass, 1.0 / mass, 6.0 / mass]);
        Some(self.place.len() - 1)
    }

    /// Row along the direction at `angle` at a point between two bodies; `None` is the fixed world.
    pub(crate) fn row(&mut self, bodies: [Option<usize>; 2], point: (f64, f64), angle: f64, kind: Row) {
        let (s, c) = trig::sin_cos(angle);
        let scale = 10_f64.powf(self.mood.row_decades * (self.rng.next_unit() - 0.5));
        let mut entries = Vec::new();
        for (body, sign) in bodies.into_iter().zip([scale, -scale]) {
            let Some(body) = body else { continue };
            let (x, y) = (point.0 - self.place[body].0, point.1 - self.place[body].1);
            entries.extend([
                (3 * body, sign * c),
                (3 * body + 1, sign * s),
                (3 * body + 2, sign * (x * s - y * c)),
            ]);
        }
        self.rows.push((entries, kind));
    }

    /// A contact pushing the first body along the normal, with friction if the mood has it.
    pub(crate) fn contact(&mut self, bodies: [Option<usize>; 2], point: (f64, f64), angle: f64) {
        self.row(bodies, point, angle, Row::Unilateral);
        if self.mood.mu > 0.0 {
            let (normal, mu) = (self.rows.len() - 1, self.mood.mu * self.rng.next_unit());
            let quarter = std::f64::consts::FRAC_PI_2;
            self.row(bodies, point, angle + quarter, Row::Friction { normal, mu });
        }
    }

    /// A pin: two bilateral rows.
    pub(crate) fn pin(&mut self, bodies: [Option<usize>; 2], point: (f64, f64)) {
        self.row(bodies, point, 0.0, Row::Bilateral);
        self.row(bodies, point, std::f64::consts::FRAC_PI_2, Row::Bilateral);
    }

    /// Repeats the last row, turned around if `opposed`, bent by `bend` relative.
    pub(crate) fn repeat(&mut self, opposed: bool, bend: f64) {
        let Some((entries, kind)) = self.rows.last().cloned() else { return };
        let sign = if opposed { -1.0 } else { 1.0 };
        let mut turned = Vec::new();
        for (column, value) in entries {
            turned.push((column, sign * value * (1.0 + bend * self.signed())));
        }
        self.rows.push((turned, kind));
    }

    /// The problem under a load: 0 gravity, 1 tilted gravity, 2 random pushes, 3 an impact, 4 one body moves.
    pub(crate) fn problem(mut self, load: u32) -> Lcp<'static> {
        let bodies = self.place.len();
        let mut u = Vec::with_capacity(3 * bodies);
        let tilt = if load == 1 { 0.6 * self.signed() } else { 0.0 };
        for body in 0..bodies {
            let (s, c) = trig::sin_cos(tilt);
            let still = [10.0 * s, -10.0 * c, 0.0];
            let noise = [self.signed(), self.signed(), self.signed()];
            u.extend(match load {
                2 => [still[0] + 6.0 * noise[0], still[1] + 12.0 * noise[1], 8.0 * noise[2]],
                3 => noise,
                4 if body > 0 => [0.0; 3],
                _ => still,
            });
        }
        u.iter_mut().for_each(|u| *u *= self.mood.size);
        let mut j = SparseRows { start: vec![0], ..SparseRows::default() };
        let mut bias = Vec::new();
        for (entries, _) in &self.rows {
            bias.push(entries.iter().map(|&(c, v)| v * u[c]).sum::<f64>());
            j.column.extend(entries.iter().map(|e| e.0));
            j.value.extend(entries.iter().map(|e| e.1));
            j.start.push(j.column.len());
        }
        if self.mood.bias_noise > 0.0 {
            for b in &mut bias {
                *b += self.mood.size * self.mood.bias_noise * (2.0 * self.rng.next_unit() - 1.0);
            }
        }
        let kinds: Vec<Row> = self.rows.iter().map(|row| row.1).collect();
        Lcp::jacobian(j, self.inverse_mass, bias).and_then(|p| p.rows(kinds)).expect("a valid scene")
    }
}
