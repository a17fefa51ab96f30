//! The built-in scenes: each a function of a few parameters, and the list of them with their defaults.

mod clock;
mod collection;
mod compliant;
mod contact;
mod drive;
mod driven;
mod friction;
mod granular;
mod holding;
mod linked;
mod machine;
mod masonry;
mod mechanism;
mod pile;
mod sized;
mod walker;

pub use clock::{pendulum_clock, weight_clock};
pub use collection::{curved_shapes, fast_ball, mutual_attraction, polygons};
pub use compliant::{
    billiard_break, block_on_slope, buffers, compliant_cradle, gear_backlash, located_bounces,
    restitution_sweep, rocker,
};
pub use contact::{ball_on_floor, billiards, newtons_cradle, stack};
pub use drive::{clutch, conveyor, friction_drive, kicking_ball};
pub use driven::{breaking_bridge, crane, planetary_gear, ragdoll, suspended_car};
pub use friction::{chalk, dominoes, ladder, rocking_block, rolling, rough_slope, rough_stack, stick_slip};
pub use granular::{granular_column, hopper, mixing_drum, rolling_wheels, smash, tumbler};
pub use holding::{brake, drawer, leaning_tower, screw, wedge};
pub use linked::{chain_bridge, joint_grid, ragdoll_stairs, wrecking_ball};
pub use machine::{car, cart_pendulum, do_nothing_grinder, gears, roller_coaster};
pub use masonry::{arch, card_house, pyramid, round_arch, wall};
pub use mechanism::{
    chain, double_pendulum, pendulum, pendulum_and_spring, planet, rope_pendulum, spring_block,
};
pub use pile::pile;
pub use sized::SizeError;
pub use walker::walker;

use crate::scene::Scene;

/// A built-in scene.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name by which it is asked for.
    pub name: &'static str,
    /// What there is to see.
    pub summary: &'static str,
    build: fn() -> Scene,
}

impl Entry {
    /// The scene with its default parameters.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = (self.build)();
        scene.name = Some(self.name.to_owned());
        scene.description = Some(self.summary.to_owned());
        scene
    }
}

/// Every built-in scene; the first one is what a run without a scene shows.
pub const CATALOGUE: &[Entry] = &[
    Entry {
        name: "pile",
        summary: "Twelve random blocks and balls dropped into a walled box come to rest.",
        build: || pile(12, 6),
    },
    Entry {
        name: "stack",
        summary: "Five blocks at rest on each other: the forces are the weights above.",
        build: || stack(5),
    },
    Entry {
        name: "ball_on_floor",
        summary: "A ball bounces ever lower until it rests.",
        build: || ball_on_floor(2.0, 0.7),
    },
    Entry {
        name: "newtons_cradle",
        summary: "Five balls in a row pass on the blow of the first.",
        build: || newtons_cradle(5),
    },
    Entry {
        name: "billiards",
        summary: "A ball meets a rack of ten on a table without friction.",
        build: || billiards(4),
    },
    Entry { name: "pendulum", summary: "A bar swings about a pin at its end.", build: || pendulum(1.0) },
    Entry {
        name: "double_pendulum",
        summary: "Two bars pinned end to end swing wildly, and keep their energy.",
        build: || double_pendulum(2.0),
    },
    Entry {
        name: "chain",
        summary: "A chain of twelve links, held at one end, falls and swings out.",
        build: || chain(12),
    },
    Entry {
        name: "rope_pendulum",
        summary: "A ball on a slack rope falls, is caught and swings.",
        build: || rope_pendulum(3.0),
    },
    Entry { name: "spring_block", summary: "A block hangs from a damped spring.", build: spring_block },
    Entry { name: "planet", summary: "A moon circles its planet.", build: planet },
    Entry {
        name: "mutual_attraction",
        summary: "Balls that attract each other gather in a heap.",
        build: || mutual_attraction(10),
    },
    Entry {
        name: "curved_shapes",
        summary: "Bodies bounded by arcs fall into a dish.",
        build: curved_shapes,
    },
    Entry {
        name: "polygons",
        summary: "Random polygons of three corners and more fall into a box.",
        build: || polygons(12),
    },
    Entry {
        name: "fast_ball",
        summary: "A ball that crosses several of its diameters a step still meets every block and wall.",
        build: || fast_ball(60.0),
    },
    Entry { name: "car", summary: "A car on damped springs rolls over bumps.", build: || car(3.0) },
    Entry {
        name: "cart_pendulum",
        summary: "A cart on a track swings with the pendulum that hangs from it.",
        build: || cart_pendulum(1.2),
    },
    Entry {
        name: "do_nothing_grinder",
        summary: "Two shuttles on crossed tracks guide a handle on an ellipse.",
        build: do_nothing_grinder,
    },
    Entry {
        name: "gears",
        summary: "One gear drives another by the contact of their teeth.",
        build: || gears(12),
    },
    Entry {
        name: "pendulum_clock",
        summary: "An escapement lets its wheel turn by half a tooth a beat and keeps the pendulum going.",
        build: || pendulum_clock(0.35),
    },
    Entry {
        name: "pendulum_and_spring",
        summary: "A ball on a spring at the end of a pendulum.",
        build: pendulum_and_spring,
    },
    Entry {
        name: "roller_coaster",
        summary: "A ball on a track runs over a hump and back.",
        build: roller_coaster,
    },
    Entry {
        name: "restitution_sweep",
        summary: "Compliant balls of growing restitution bounce side by side.",
        build: || restitution_sweep(2.0),
    },
    Entry {
        name: "compliant_cradle",
        summary: "Five compliant balls in a row pass on the blow of the first.",
        build: || compliant_cradle(5),
    },
    Entry {
        name: "block_on_slope",
        summary: "A block with friction slides down a slope and stops.",
        build: || block_on_slope(0.2, 0.5),
    },
    Entry {
        name: "billiard_break",
        summary: "A ball breaks a rack, with friction between the balls.",
        build: billiard_break,
    },
    Entry {
        name: "gear_backlash",
        summary: "An alternating torque takes up the play between two compliant gears on either side.",
        build: || gear_backlash(3.0),
    },
    Entry {
        name: "buffers",
        summary: "Rigid wagons with rubber buffers run against a stop.",
        build: || buffers(3),
    },
    Entry {
        name: "rocker",
        summary: "A disc with its weight low rocks on the floor and comes to rest.",
        build: rocker,
    },
    Entry {
        name: "located_bounces",
        summary: "A rigid ball whose every bounce is located to rounding, until it rests.",
        build: || located_bounces(0.7),
    },
    Entry {
        name: "rough_slope",
        summary: "Blocks on a slope: those with a coefficient of friction above its tangent stay.",
        build: || rough_slope(0.4),
    },
    Entry {
        name: "rolling",
        summary: "Discs, a hoop and a ball slide until they roll; one comes back.",
        build: || rolling(0.2),
    },
    Entry {
        name: "ladder",
        summary: "A ladder against a smooth wall, a hundredth below the angle that holds it.",
        build: || ladder(0.4, 0.99),
    },
    Entry { name: "dominoes", summary: "A row of dominoes falls.", build: || dominoes(12) },
    Entry {
        name: "rocking_block",
        summary: "A tall block rocks from corner to corner until it stands.",
        build: || rocking_block(0.15),
    },
    Entry {
        name: "stick_slip",
        summary: "A block on a spring on a belt sticks and slips.",
        build: || stick_slip(0.5, 0.3),
    },
    Entry {
        name: "chalk",
        summary: "A chalk pushed over a board jams: Painlevé's paradox.",
        build: || chalk(1.6),
    },
    Entry {
        name: "rough_stack",
        summary: "A ball is thrown at a pyramid of rough stones.",
        build: || rough_stack(0.5),
    },
    Entry {
        name: "drawer",
        summary: "Two drawers pulled beside their middle: the one pulled too far out jams.",
        build: || drawer(0.4, 0.8),
    },
    Entry {
        name: "wedge",
        summary: "Two wedges under loads: the steeper one is driven out.",
        build: || wedge(0.3, 0.95),
    },
    Entry {
        name: "screw",
        summary: "Two screws, unrolled: the one with the smaller lead locks itself.",
        build: || screw(0.3, 0.95),
    },
    Entry {
        name: "brake",
        summary: "Friction draws one lever onto its drum and lifts the other: that one stops later.",
        build: || brake(0.5, 20.0),
    },
    Entry {
        name: "leaning_tower",
        summary: "Two towers of shifted bricks: one leans, one tips.",
        build: || leaning_tower(6, 0.95),
    },
    Entry { name: "conveyor", summary: "Belts take boxes along and back.", build: || conveyor(2.0) },
    Entry {
        name: "friction_drive",
        summary: "A motor's wheel slips on a larger one until that has come to its speed.",
        build: || friction_drive(0.3, -12.0),
    },
    Entry {
        name: "clutch",
        summary: "Shoes fly out against a drum and take it along: a centrifugal clutch.",
        build: || clutch(0.4, 12.0),
    },
    Entry {
        name: "spinning_ball",
        summary: "Balls that spin kick off the floor.",
        build: || kicking_ball(30.0),
    },
    Entry {
        name: "suspended_car",
        summary: "A car drives on four sprung wheels with motors over bumps.",
        build: || suspended_car(2.0),
    },
    Entry {
        name: "crane",
        summary: "A motor raises a jib with a load on a rope until a limit stops it.",
        build: || crane(1.1),
    },
    Entry {
        name: "ragdoll",
        summary: "A ragdoll of limbs with limited angles falls onto the floor.",
        build: || ragdoll(0.7),
    },
    Entry {
        name: "breaking_bridge",
        summary: "A ball falls onto a bridge, whose pins break one after another.",
        build: || breaking_bridge(2e4),
    },
    Entry {
        name: "planetary_gear",
        summary: "A driven sun turns planets in a ring, and they turn their carrier.",
        build: || planetary_gear(2.0),
    },
    Entry {
        name: "weight_clock",
        summary: "A weight on a drum drives an escapement, which keeps a pendulum going.",
        build: || weight_clock(0.22),
    },
    Entry {
        name: "walker",
        summary: "A machine with four legs on motorised cranks walks by the friction of its feet.",
        build: || walker(3.0),
    },
    Entry { name: "pyramid", summary: "A pyramid of blocks stands.", build: || pyramid(10) },
    Entry { name: "wall", summary: "A wall in running bond stands.", build: || wall(8) },
    Entry {
        name: "arch",
        summary: "Stones of a round arch hold each other without mortar.",
        build: || arch(9),
    },
    Entry {
        name: "card_house",
        summary: "Cards lean on each other in three stories.",
        build: || card_house(3),
    },
    Entry {
        name: "mixing_drum",
        summary: "A drum turns and mixes small grains with large ones.",
        build: || mixing_drum(60, 1.2),
    },
    Entry {
        name: "hopper",
        summary: "Grains run out of a hopper until they make an arch over its opening: it jams.",
        build: || hopper(32, 2.1),
    },
    Entry {
        name: "granular_column",
        summary: "A column of grains that nothing holds spreads over the floor.",
        build: || granular_column(10, 0.5),
    },
    Entry {
        name: "chain_bridge",
        summary: "A hanging bridge of planks takes a load of crates.",
        build: || chain_bridge(12, 30.0),
    },
    Entry {
        name: "wrecking_ball",
        summary: "A ball on a chain swings into a wall.",
        build: || wrecking_ball(6, 120.0),
    },
    Entry {
        name: "ragdoll_stairs",
        summary: "Ragdolls fall down a flight of stairs.",
        build: || ragdoll_stairs(2, 0.4),
    },
    Entry {
        name: "rolling_wheels",
        summary: "Discs and hoops roll down a slope: the discs leave the hoops behind.",
        build: || rolling_wheels(8, 0.3),
    },
    Entry {
        name: "joint_grid",
        summary: "A grid of balls pinned to each other hangs by one corner, folds and swings.",
        build: || joint_grid(6, 0.6),
    },
    Entry {
        name: "tumbler",
        summary: "A box that turns tumbles the blocks in it.",
        build: || tumbler(25, 0.8),
    },
    Entry {
        name: "smash",
        summary: "A heavy block smashes a square of small ones, without weight.",
        build: || smash(7, 12.0),
    },
];

/// The name of a built-in scene most like a mistyped one.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    let near = crate::suggestion::nearest(name, CATALOGUE.iter().map(|entry| entry.name))?;
    CATALOGUE.iter().map(|entry| entry.name).find(|known| *known == near)
}

impl Scene {
    /// The built-in scene of a name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        CATALOGUE.iter().find(|entry| entry.name == name).map(Entry::scene)
    }
}
