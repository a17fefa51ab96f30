//! Piles as they are found in a box: discs dropped one after the other roll until they lie on two others, on a wall or on the
//! floor. Grains move a little, and gaps that close within a step are contacts, too.

use super::scene::Scene;
use crate::measure::within;
use engine2d_math::random::Lcg32;
use std::collections::HashMap;

/// Radii are between these.
const LEAST_RADIUS: f64 = 0.3;
/// See [`LEAST_RADIUS`].
const RADIUS: f64 = 0.5;
/// A step in seconds, for masses whose weight is that of the other scenes.
const STEP: f64 = 0.01;
/// Gaps that are contacts, as a share of the radius.
const NEAR: f64 = 0.01;
/// Velocities before a step are up to this one.
const SPEED: f64 = 0.01;
/// Coefficient of friction.
const MU: f64 = 0.5;
/// Half the length of a face, as a share of the radius.
const FACE: f64 = 0.3;

/// Angle by which the next thing met must be ahead.
const AHEAD: f64 = 1e-9;

/// A disc: its middle and its radius.
type Disc = (f64, f64, f64);

/// A contact to be: the gap, the other disc, the direction that pushes the new one, and the point.
type Touch = (f64, Option<usize>, (f64, f64), (f64, f64));

/// What a disc touches.
#[derive(Clone, Copy, PartialEq)]
enum Support {
    Disc(usize),
    Floor,
    Left,
    Right,
}

/// Round grains.
pub(super) fn discs(contacts: usize) -> Scene {
    pile(contacts, 0.0)
}

/// Grains with faces: half of the contacts have two points.
pub(super) fn blocks(contacts: usize) -> Scene {
    pile(contacts, 0.5)
}

/// A pile with at least so many contacts, of which a share has two points.
fn pile(contacts: usize, faces: f64) -> Scene {
    let mut rng = Lcg32::new(11);
    let grains = contacts as f64 / (2.2 * (1.0 + faces));
    let mut bin = Bin::new(1.2 * grains.sqrt().max(3.0) * (LEAST_RADIUS + RADIUS) / 2.0 * 1.6);
    let mut scene = Scene { mu: Some(MU), ..Scene::default() };
    while scene.rows.len() < 2 * contacts {
        let radius = within(&mut rng, LEAST_RADIUS, RADIUS);
        let (x, y, r) = bin.drop(within(&mut rng, radius, bin.width - radius), radius);
        let inverse = 1.0 / (4.0 * r * r);
        let body = scene.body_of(x, y, [inverse, inverse, 2.0 * inverse / (r * r)]);
        for velocity in &mut scene.velocity[3 * body..] {
            *velocity = within(&mut rng, -SPEED, SPEED) / STEP;
        }
        for (gap, other, (c, s), point) in bin.touching((x, y, r)) {
            let two = within(&mut rng, 0.0, 1.0) < faces;
            let ends: &[f64] = if two { &[-FACE, FACE] } else { &[0.0] };
            for along in ends {
                let point = (point.0 - along * r * s, point.1 + along * r * c);
                scene.contact(body, other, point, (c, s));
                let normal = scene.extra.len() - 2;
                scene.extra[normal] = gap.max(0.0) / (STEP * STEP);
            }
        }
        bin.place((x, y, r));
    }
    scene
}

/// A box with discs in it.
struct Bin {
    width: f64,
    discs: Vec<Disc>,
    /// Discs by cells of side 1.
    cells: HashMap<(i32, i32), Vec<usize>>,
    /// Height of the highest disc.
    top: f64,
}

impl Bin {
    fn new(width: f64) -> Self {
        Self { width, discs: Vec::new(), cells: HashMap::new(), top: 0.0 }
    }

    fn place(&mut self, disc: Disc) {
        self.cells.entry((disc.0 as i32, disc.1 as i32)).or_default().push(self.discs.len());
        self.top = self.top.max(disc.1);
        self.discs.push(disc);
    }

    /// Discs in the cells about a point.
    fn about(&self, x: f64, y: f64) -> impl Iterator<Item = usize> + '_ {
        let (i, j) = (x as i32, y as i32);
        let cells = (i - 2..=i + 2).flat_map(move |i| (j - 2..=j + 2).map(move |j| (i, j)));
        cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied()
    }

    /// Where a disc comes to rest that falls at `x`.
    fn drop(&self, mut x: f64, r: f64) -> Disc {
        let mut from = self.top + 2.0;
        loop {
            let (mut y, mut on) = (r, Support::Floor);
            // Bands of cells from above; what is met first may be in the one after that of the first found.
            let (mut level, mut bands) = (from, 2);
            while level > -2.0 && bands > 0 {
                for k in self.about(x, level.max(0.0)) {
                    let (cx, cy, cr) = self.discs[k];
                    let room = (r + cr).powi(2) - (x - cx).powi(2);
                    if room > 0.0 && cy + room.sqrt() > y && cy + room.sqrt() <= from {
                        (y, on) = (cy + room.sqrt(), Support::Disc(k));
                    }
                }
                level -= 2.0;
                bands -= usize::from(on != Support::Floor);
            }
            let Support::Disc(k) = on else { return (x, y, r) };
            match self.roll(k, (x, y, r)) {
                Ok(rest) => return rest,
                Err((edge, height)) => (x, from) = (edge, height),
            }
        }
    }

    /// Rolls a disc down another one until it lies on two; else tells where it falls off.
    fn roll(&self, mut on: usize, disc: Disc) -> Result<Disc, (f64, f64)> {
        let (mut x, mut y, r) = disc;
        let right = x > self.discs[on].0;
        let sign = if right { 1.0 } else { -1.0 };
        loop {
            let (cx, cy, cr) = self.discs[on];
            let reach = r + cr;
            // The angle from upright, and the next thing met.
            let angle = |x: f64, y: f64| (sign * (x - cx)).atan2(y - cy);
            let now = angle(x, y);
            let (mut next, mut at, mut met) = (std::f64::consts::FRAC_PI_2, (cx + sign * reach, cy), None);
            let mut consider = |x: f64, y: f64, support: Support| {
                let there = angle(x, y);
                if there > now + AHEAD && there < next {
                    (next, at, met) = (there, (x, y), Some(support));
                }
            };
            for k in self.about(cx, cy.max(0.0)).filter(|&k| k != on) {
                let (ox, oy, or) = self.discs[k];
                let (dx, dy, other) = (ox - cx, oy - cy, r + or);
                let d = dx.hypot(dy);
                if d < reach + other {
                    let along = (d * d + reach * reach - other * other) / (2.0 * d);
                    let across = (reach * reach - along * along).max(0.0).sqrt();
                    for side in [-1.0, 1.0] {
                        let (ux, uy) = (dx / d, dy / d);
                        let (px, py) =
                            (cx + along * ux - side * across * uy, cy + along * uy + side * across * ux);
                        consider(px, py, Support::Disc(k));
                    }
                }
            }
            let wall = if right { self.width - r } else { r };
            let room = reach * reach - (wall - cx).powi(2);
            if room > 0.0 {
                consider(wall, cy + room.sqrt(), if right { Support::Right } else { Support::Left });
            }
            let room = reach * reach - (r - cy).powi(2);
            if room > 0.0 {
                consider(cx + sign * room.sqrt(), r, Support::Floor);
            }
            (x, y) = at;
            match met {
                None => return Err((x, y)),
                Some(Support::Disc(k)) if sign * (self.discs[k].0 - x) <= 0.0 => on = k,
                Some(_) => return Ok((x, y, r)),
            }
        }
    }

    /// What a new disc touches, or nearly.
    fn touching(&self, (x, y, r): Disc) -> Vec<Touch> {
        let walls = [(y - r, (0.0, 1.0)), (x - r, (1.0, 0.0)), (self.width - x - r, (-1.0, 0.0))];
        let walls = walls.into_iter().map(|(gap, n)| (gap, None, n, (x - r * n.0, y - r * n.1)));
        let mut others: Vec<usize> = self.about(x, y).collect();
        others.sort_unstable();
        let others = others.into_iter().map(|k| {
            let (ox, oy, or) = self.discs[k];
            let d = (x - ox).hypot(y - oy);
            let n = ((x - ox) / d, (y - oy) / d);
            (d - r - or, Some(k), n, (x - r * n.0, y - r * n.1))
        });
        walls.chain(others).filter(|(gap, ..)| *gap < NEAR * r).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_lcp::Solver;

    #[test]
    fn grains_touch_and_do_not_overlap() {
        let mut rng = Lcg32::new(5);
        let mut bin = Bin::new(8.0);
        for _ in 0..300 {
            let r = within(&mut rng, LEAST_RADIUS, RADIUS);
            let disc = bin.drop(within(&mut rng, r, bin.width - r), r);
            let touches = bin.touching(disc);
            assert!(touches.iter().all(|t| t.0 > -1e-9), "{disc:?} overlaps");
            assert!(touches.iter().any(|t| t.0 < 1e-9), "{disc:?} hangs");
            bin.place(disc);
        }
    }

    #[test]
    fn piles_of_three_thousand_contacts_are_solved_cold() {
        for make in [discs, blocks] {
            let problem = make(3000).problem().expect("a valid problem");
            let solution = Solver::auto().solve(&problem).expect("finite forces");
            assert!(solution.is_solved(), "{:?}", solution.certificate());
        }
    }
}
