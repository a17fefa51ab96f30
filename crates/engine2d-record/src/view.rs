//! Which part of the world a picture shows.

use engine2d_geometry::PathShape;
use engine2d_math::Vec2;
use engine2d_scene::View;
use engine2d_sim::World;

/// Room left around what is shown, as a part of its larger extent.
const MARGIN: f64 = 0.06;

/// How far around what moves a picture shows what stands still, as a part of the larger extent of what moves at the time: a block
/// on a ramp does not fill it, and a floor that goes on for ever does not make all else small.
const NEAR: f64 = 1.0;

/// Smallest extent of a picture (length), for scenes of a single point.
const SMALLEST_EXTENT: f64 = 1e-3;

/// Grows to hold what moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    low: Vec2,
    high: Vec2,
}

impl Extent {
    pub(crate) fn empty() -> Self {
        Self { low: Vec2::repeat(f64::INFINITY), high: Vec2::repeat(f64::NEG_INFINITY) }
    }

    /// Of least x and y and greatest x and y; empty without.
    pub(crate) fn of(corners: Option<[f64; 4]>) -> Self {
        corners.map_or_else(Self::empty, |[left, bottom, right, top]| Self {
            low: Vec2::new(left, bottom),
            high: Vec2::new(right, top),
        })
    }

    /// Least x and y and greatest x and y, unless it is empty.
    pub(crate) fn corners(&self) -> Option<[f64; 4]> {
        let all = [self.low.x, self.low.y, self.high.x, self.high.y];
        all.iter().all(|value| value.is_finite()).then_some(all)
    }

    /// Takes in the bodies as they are now: those that move, and of what stands still as much as is near them; all bodies if
    /// none moves.
    pub(crate) fn include(&mut self, world: &World) {
        let nothing_moves = world.bodies().all(|body| body.is_fixed());
        let mut moving = Self::empty();
        for body in world.bodies().filter(|body| nothing_moves || !body.is_fixed()) {
            let collision = body.collision_body();
            let center = collision.world_centroid();
            let radius = Vec2::repeat(reach(&collision.shape));
            moving.low = moving.low.inf(&(center - radius));
            moving.high = moving.high.sup(&(center + radius));
        }
        self.low = self.low.inf(&moving.low);
        self.high = self.high.sup(&moving.high);
        if nothing_moves {
            return;
        }
        let near = Vec2::repeat(NEAR * (moving.high - moving.low).max());
        let (low, high) = (moving.low - near, moving.high + near);
        for body in world.bodies().filter(|body| body.is_fixed() && !body.shape().is_unbounded()) {
            let collision = body.collision_body();
            let mut own = Self::empty();
            for vertex in collision.shape.vertices() {
                let point = collision.to_world(vertex.point());
                (own.low, own.high) = (own.low.inf(&point), own.high.sup(&point));
            }
            let (low, high) = (own.low.sup(&low), own.high.inf(&high));
            if low.x <= high.x && low.y <= high.y {
                (self.low, self.high) = (self.low.inf(&low), self.high.sup(&high));
            }
        }
    }

    /// The rectangle with a margin.
    pub(crate) fn view(&self) -> View {
        if !(self.low.x <= self.high.x && self.low.y <= self.high.y) {
            return View { left: -1.0, bottom: -1.0, right: 1.0, top: 1.0 };
        }
        let size = self.high - self.low;
        let margin = (MARGIN * size.x.max(size.y)).max(SMALLEST_EXTENT);
        View {
            left: self.low.x - margin,
            bottom: self.low.y - margin,
            right: self.high.x + margin,
            top: self.high.y + margin,
        }
    }
}

/// Distance of the farthest vertex from the centroid; a wall's own figure is not its extent.
fn reach(shape: &PathShape) -> f64 {
    shape.vertices().iter().map(|v| (v.point() - shape.centroid()).norm()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_sim::Body;

    fn shown(bodies: Vec<Body>) -> [f64; 4] {
        let builder = bodies.into_iter().fold(World::builder(), |builder, body| builder.body(body));
        let mut extent = Extent::empty();
        extent.include(&builder.build().expect("a world"));
        extent.corners().expect("bodies")
    }

    #[test]
    fn what_stands_still_beside_what_moves_is_shown() {
        let r = 0.5_f64.sqrt();
        let block = || Body::block(1.0, 1.0).at(0.0, 0.5).named("block");
        let close = |found: [f64; 4], wanted: [f64; 4]| {
            assert!(found.iter().zip(wanted).all(|(f, w)| (f - w).abs() < 1e-12), "{found:?} {wanted:?}");
        };
        close(shown(vec![block()]), [-r, 0.5 - r, r, 0.5 + r]);
        // A small step beside it whole, a floor as far as twice its size to either side, what is far away not at all.
        let step = Body::block(0.5, 0.2).fixed().at(1.0, 0.1).named("step");
        close(shown(vec![block(), step]), [-r, 0.5 - r, 1.25, 0.5 + r]);
        let floor = Body::block(100.0, 0.4).fixed().at(0.0, -0.2).named("floor");
        close(shown(vec![block(), floor]), [-3.0 * r, -0.4, 3.0 * r, 0.5 + r]);
        let far = Body::block(1.0, 1.0).fixed().at(9.0, 9.0).named("far");
        close(shown(vec![block(), far]), [-r, 0.5 - r, r, 0.5 + r]);
        // Alone it is all there is.
        let only = Body::block(2.0, 2.0).fixed().at(9.0, 9.0).named("only");
        let around = 2.0_f64.sqrt();
        close(shown(vec![only]), [9.0 - around, 9.0 - around, 9.0 + around, 9.0 + around]);
    }
}
