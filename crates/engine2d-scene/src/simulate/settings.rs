//! From the settings of a scene to those of a world.

use crate::body::{Body, Friction};
use crate::compliant::CompliantDamping;
use crate::material::Material;
use crate::material_pair::MaterialPair;
use crate::scene::Scene;
use crate::settings::{
    AdaptiveSolver, Clock, ClockSettings, CollisionHandling, ContactModel, EventLocator, ExtraAcceleration,
    Fidelity, FixedSolver, FrictionRule, ImpactLaw, PreciseMethod, PreciseSolver, Profile, Solver,
    SteppingSolver,
};
use engine2d_geometry::Tolerances;
use engine2d_sim as sim;
use engine2d_sim::compliant::{MaterialTable, PairMaterial};

/// Elastic constants of bodies that do not say.
const WOOD: sim::compliant::Material =
    sim::compliant::Material { young: 1.1e10, poisson: 0.4, density: 700.0 };

impl Scene {
    pub(crate) fn sim_settings(&self) -> sim::Settings {
        let s = &self.settings.clone().resolved();
        sim::Settings {
            fidelity: match s.fidelity {
                Fidelity::Free => sim::Fidelity::Free,
                Fidelity::Collisions => sim::Fidelity::Collisions,
                Fidelity::Contacts => sim::Fidelity::Contacts,
            },
            profile: match s.profile {
                Profile::Engine2d => sim::Profile::Engine2d,
                Profile::Reference => sim::Profile::Reference,
            },
            tolerances: Tolerances {
                distance: s.distance_tolerance,
                velocity: s.velocity_tolerance,
                accuracy: s.collision_accuracy,
            },
            collision_handling: match s.collision_handling {
                CollisionHandling::Simultaneous => sim::CollisionHandling::Simultaneous,
                CollisionHandling::Hybrid => sim::CollisionHandling::Hybrid,
                CollisionHandling::SerialGrouped => sim::CollisionHandling::SerialGrouped,
                CollisionHandling::SerialGroupedLastPass => sim::CollisionHandling::SerialGroupedLastPass,
                CollisionHandling::SerialSeparate => sim::CollisionHandling::SerialSeparate,
                CollisionHandling::SerialSeparateLastPass => sim::CollisionHandling::SerialSeparateLastPass,
            },
            extra_acceleration: match s.extra_acceleration {
                ExtraAcceleration::None => sim::ExtraAcceleration::None,
                ExtraAcceleration::Velocity => sim::ExtraAcceleration::Velocity,
                ExtraAcceleration::VelocityJoints => sim::ExtraAcceleration::VelocityJoints,
                ExtraAcceleration::VelocityAndDistance => sim::ExtraAcceleration::VelocityAndDistance,
                ExtraAcceleration::VelocityAndDistanceJoints => {
                    sim::ExtraAcceleration::VelocityAndDistanceJoints
                }
            },
            extra_acceleration_step: s.extra_acceleration_time_step,
            method: method(s.solver),
            seed: s.seed,
            time_step: s.time_step,
            joint_small_impacts: s.joint_small_impacts,
            potential_offset: s.potential_offset,
            independent_groups: s.group_contacts,
            event_locator: match s.event_locator {
                EventLocator::Automatic => sim::EventLocator::Automatic,
                EventLocator::Backtracking => sim::EventLocator::Backtracking,
                EventLocator::ZeroCrossing => sim::EventLocator::ZeroCrossing,
            },
            time_stepping: match s.clock {
                Some(Clock::Own(ClockSettings::TimeStepping { solver, substeps, budget_ms, sleeping })) => {
                    Some(sim::TimeStepping {
                        substeps,
                        budget_ms,
                        sleeping: sleeping.map(|s| sim::Sleeping { speed: s.speed, time: s.time }),
                        solver: match solver {
                            SteppingSolver::Exact => sim::SteppingSolver::Exact,
                            SteppingSolver::Iterative => sim::SteppingSolver::Iterative,
                            SteppingSolver::Auto => sim::SteppingSolver::Auto,
                        },
                    })
                }
                _ => None,
            },
            contact_model: match s.contact_model {
                ContactModel::Rigid => sim::ContactModel::Rigid,
                ContactModel::Compliant => sim::ContactModel::Compliant(sim::CompliantContact {
                    z_eps: s.compliant.z_eps,
                    damping: match s.compliant.damping {
                        CompliantDamping::Common { max } => sim::compliant::DampingLaw::Common { max },
                        CompliantDamping::Calibrated { max } => {
                            sim::compliant::DampingLaw::Calibrated { max }
                        }
                    },
                    ..sim::CompliantContact::default()
                }),
            },
            friction_rule: match s.friction_rule {
                FrictionRule::GeometricMean => sim::FrictionRule::GeometricMean,
                FrictionRule::Minimum => sim::FrictionRule::Minimum,
                FrictionRule::Maximum => sim::FrictionRule::Maximum,
                FrictionRule::Product => sim::FrictionRule::Product,
            },
            impact_law: match s.impact_law {
                ImpactLaw::Poisson => sim::ImpactLaw::Poisson,
                ImpactLaw::Newton => sim::ImpactLaw::Newton,
                ImpactLaw::Stronge => sim::ImpactLaw::Stronge,
            },
            materials: self.surfaces(),
            surfaces: self.surface_pairs(),
            rest_speed: s.rest_speed,
            ..sim::Settings::default()
        }
    }

    /// For compliant contact every body is a material of its own, named by its place in the list: pairs get the
    /// mean of both.
    fn surfaces(&self) -> MaterialTable {
        let mut table = MaterialTable::empty();
        if self.settings.contact_model == ContactModel::Compliant {
            for (index, body) in self.bodies.iter().enumerate() {
                let name = surface_name(index);
                let shared =
                    body.material.as_ref().and_then(|m| self.materials.get(m)).copied().unwrap_or_default();
                let young = shared.young.unwrap_or(WOOD.young);
                table.set_material(&name, sim::compliant::Material { young, ..WOOD });
                let [_, friction] = self.friction(body);
                let pair = PairMaterial {
                    restitution: self.restitution(body),
                    friction,
                    rolling: shared.rolling.unwrap_or(0.0),
                    ..PairMaterial::default()
                };
                table.set_pair(&name, &name, pair);
            }
            for pair in &self.material_pairs {
                self.set_pairs(pair, &mut table);
            }
        }
        table
    }
}

impl Scene {
    /// The body with its surface: what it brings along where it is rigid, its own material where contact is compliant.
    pub(super) fn with_surface(&self, index: usize, mut built: sim::Body) -> sim::Body {
        let body = &self.bodies[index];
        let compliant = self.settings.contact_model == ContactModel::Compliant;
        if compliant {
            built = built.material(surface_name(index));
        } else if let Some(material) = body.material.as_ref().filter(|name| self.is_paired(name)) {
            built = built.material(material);
        }
        if compliant && !body.rigid {
            return built;
        }
        let [at_rest, kinetic] = self.friction(body);
        let rough = built.friction(sim::Friction { at_rest, kinetic }).surface_speed(body.surface_speed);
        let rough = rough.rolling_resistance(self.rolling_resistance(body));
        let rough = rough.tangential_restitution(self.tangential_restitution(body));
        if body.rigid { rough.rigid() } else { rough }
    }

    /// The places of the bodies of a material.
    fn bodies_of<'a>(&'a self, material: &'a String) -> impl Iterator<Item = usize> + Clone + 'a {
        (0..self.bodies.len()).filter(move |&index| self.bodies[index].material.as_ref() == Some(material))
    }

    /// Sets what the bodies of two materials do to each other in compliant contact.
    fn set_pairs(&self, pair: &MaterialPair, table: &mut MaterialTable) {
        let [first, second] =
            pair.between.each_ref().map(|m| self.bodies_of(m).map(surface_name).collect::<Vec<_>>());
        for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
            let Ok(own) = table.pair(a, b) else { continue };
            let friction = pair.friction.map_or(own.friction, |friction| friction.coefficients()[1]);
            let restitution = pair.restitution.unwrap_or(own.restitution);
            table.set_pair(a, b, PairMaterial { restitution, friction, ..own });
        }
    }

    /// A body's coefficients of friction, at rest and sliding: its own, else its material's, else none.
    pub(super) fn friction(&self, body: &Body) -> [f64; 2] {
        let friction = body.friction.or_else(|| self.material(body)?.friction);
        friction.map_or([0.0; 2], Friction::coefficients)
    }

    /// A body's rolling resistance: its own, else its material's, else none.
    pub(super) fn rolling_resistance(&self, body: &Body) -> f64 {
        let own = body.rolling_resistance.or_else(|| self.material(body)?.rolling_resistance);
        own.unwrap_or(0.0)
    }

    /// A body's tangential restitution: its own, else its material's, else none.
    fn tangential_restitution(&self, body: &Body) -> f64 {
        let own = body.tangential_restitution.or_else(|| self.material(body)?.tangential_restitution);
        own.unwrap_or(0.0)
    }

    fn material(&self, body: &Body) -> Option<&Material> {
        self.materials.get(body.material.as_ref()?)
    }

    /// What pairs of materials of rigid bodies do to each other. Where contact is compliant each body is a material of its own.
    fn surface_pairs(&self) -> sim::SurfaceTable {
        let mut table = sim::SurfaceTable::default();
        for pair in &self.material_pairs {
            let friction = pair.friction.map(|friction| {
                let [at_rest, kinetic] = friction.coefficients();
                sim::Friction { at_rest, kinetic }
            });
            let [a, b] = &pair.between;
            let &MaterialPair { restitution, surface_speed, rolling_resistance, .. } = pair;
            let tangential_restitution = pair.tangential_restitution;
            let pair = sim::SurfacePair {
                restitution,
                friction,
                surface_speed,
                rolling_resistance,
                tangential_restitution,
            };
            if self.settings.contact_model == ContactModel::Rigid {
                table.set(a, b, pair);
                continue;
            }
            let [first, second] = [a, b].map(|m| self.bodies_of(m).filter(|&index| self.bodies[index].rigid));
            for (i, j) in first.flat_map(|i| second.clone().map(move |j| (i, j))) {
                table.set(&surface_name(i), &surface_name(j), pair);
            }
        }
        table
    }
}

/// Name of the surface of a body in the table of materials.
pub(super) fn surface_name(index: usize) -> String {
    format!("bodies[{index}]")
}

fn method(solver: Solver) -> sim::OdeMethod {
    let fixed = |solver: FixedSolver| match solver {
        FixedSolver::Euler => sim::FixedStepMethod::Euler,
        FixedSolver::ModifiedEuler => sim::FixedStepMethod::ModifiedEuler,
        FixedSolver::RungeKutta4 => sim::FixedStepMethod::RungeKutta4,
    };
    match solver {
        Solver::Fixed(solver) => sim::OdeMethod::Fixed(fixed(solver)),
        Solver::Precise(PreciseSolver { method: PreciseMethod::DormandPrince, tolerance }) => {
            sim::OdeMethod::dormand_prince(tolerance)
        }
        Solver::Adaptive(AdaptiveSolver { inner, tolerance, second_difference }) => {
            sim::OdeMethod::EnergyAdaptive { inner: fixed(inner), tolerance, second_difference }
        }
    }
}
