//! Energies of a state, and the books of what changes them.

use crate::ledger::{EnergyLedger, Entry, Ledger};
use crate::model::Model;
use crate::state::{PER_BODY, State};
use engine2d_geometry::CollisionBody;
use std::fmt;

/// Energies of a state. Immovable bodies have no kinetic energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Energy {
    /// `Σ ½ m |v|²`.
    pub translational: f64,
    /// `Σ ½ I ω²`.
    pub rotational: f64,
    /// Potential energy of all force laws, plus the offset of the settings.
    pub potential: f64,
}

impl Energy {
    /// Translational plus rotational energy.
    #[must_use]
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.potential + self.translational + self.rotational
    }
}

impl fmt::Display for Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "energy {:.9} (kinetic {:.9} = translational {:.9} + rotational {:.9}, potential {:.9})",
            self.total(),
            self.kinetic(),
            self.translational,
            self.rotational,
            self.potential
        )
    }
}

/// The energies of the scope of a state.
pub(crate) fn energy(model: &Model, state: &State) -> Energy {
    let mut translational = 0.0;
    let mut rotational = 0.0;
    for k in state.focus.bodies(state.bodies.len()) {
        let (data, b) = (&model.data[k], &state.bodies[k]);
        if data.is_movable() {
            translational += 0.5 * data.mass * b.velocity.norm_squared();
            rotational += 0.5 * data.moment * b.angular_velocity * b.angular_velocity;
        }
    }
    let context = model.at(state);
    let laws = (0..state.focus.law_count(model.laws.len())).map(|n| &model.laws[state.focus.law(n)]);
    let held: f64 = laws.map(|law| context.potential_energy(law)).sum();
    let stored = state.compliant.stored_energy(&state.bodies);
    Energy { translational, rotational, potential: held + stored + model.settings.potential_offset }
}

/// Power of the accelerations in `rates` (six per body): `Σ m v·a + I ω α`.
fn power(model: &Model, bodies: &[CollisionBody], rates: &[f64]) -> f64 {
    let bodies = model.data.iter().zip(bodies).zip(rates.chunks_exact(PER_BODY));
    bodies
        .filter(|((data, _), _)| data.is_movable())
        .map(|((data, b), r)| {
            data.mass * (b.velocity.x * r[1] + b.velocity.y * r[3]) + data.moment * b.angular_velocity * r[5]
        })
        .sum()
}

/// Does `add`, and books the power of the accelerations that it adds under an entry of the ledger, if there is one.
pub(crate) fn booked_power<T>(
    model: &Model,
    state: &mut State,
    rates: &mut Vec<f64>,
    entry: usize,
    add: impl FnOnce(&mut State, &mut Vec<f64>) -> T,
) -> T {
    if state.ledger.is_none() {
        return add(state, rates);
    }
    let before = power(model, &state.bodies, &rates[1..]);
    let result = add(state, rates);
    rates[1 + PER_BODY * state.bodies.len() + entry] = power(model, &state.bodies, &rates[1..]) - before;
    result
}

/// Opens the books anew at a state, or closes them, as the settings have it.
pub(crate) fn open_ledger(model: &Model, state: &mut State) {
    state.ledger = model.settings.energy_ledger.then(|| Ledger {
        work: vec![0.0; model.laws.len() + Entry::COUNT],
        start: energy(model, state).kinetic(),
    });
}

/// Whether the books fit the laws there are.
pub(crate) fn ledger_fits(model: &Model, state: &State) -> bool {
    match &state.ledger {
        Some(ledger) => model.settings.energy_ledger && ledger.work.len() == model.laws.len() + Entry::COUNT,
        None => !model.settings.energy_ledger,
    }
}

/// The books as they stand.
pub(crate) fn read_ledger(model: &Model, state: &State) -> Option<EnergyLedger> {
    let ledger = state.ledger.as_ref()?;
    let kinetic_change = energy(model, state).kinetic() - ledger.start;
    let booked: f64 = ledger.work.iter().sum();
    let laws = model.laws.len().min(ledger.work.len() - Entry::COUNT);
    let name = |k: usize| model.laws[k].kind().to_owned();
    let of = |entry: Entry| ledger.work[entry.place(laws)];
    Some(EnergyLedger {
        force_laws: (0..laws).map(|k| (name(k), ledger.work[k])).collect(),
        compliant_contacts: of(Entry::Compliant),
        constraint_forces: of(Entry::Constraints),
        friction: of(Entry::Friction),
        impulses: of(Entry::Impulses),
        corrections: of(Entry::Corrections),
        kinetic_change,
        integration_error: kinetic_change - booked,
    })
}

/// Does `work`, and books the kinetic energy that it gives as an impulse or a correction.
pub(crate) fn booked<T>(
    model: &Model,
    state: &mut State,
    correction: bool,
    work: impl FnOnce(&mut State) -> T,
) -> T {
    if state.ledger.is_none() {
        return work(state);
    }
    let before = energy(model, state).kinetic();
    let result = work(state);
    let given = energy(model, state).kinetic() - before;
    if let Some(ledger) = &mut state.ledger {
        let entry = if correction { Entry::Corrections } else { Entry::Impulses };
        ledger.work[entry.place(model.laws.len())] += given;
    }
    result
}
