//! The generator behind a simulation's random choices.

use crate::settings::Profile;
use engine2d_math::random::Lcg32;
use rand_chacha::ChaCha8Rng;
use rand_core::{Infallible, Rng, SeedableRng, TryRng};
use serde::{Deserialize, Serialize};

/// The recorded generator, or ChaCha with 8 rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Generator {
    /// The linear congruential generator of the recorded runs.
    Recorded(Lcg32),
    /// ChaCha8.
    ChaCha(Box<ChaCha8Rng>),
}

impl Generator {
    /// The generator of a profile, at its beginning for `seed`.
    #[must_use]
    pub fn new(profile: Profile, seed: u32) -> Self {
        match profile {
            Profile::Reference => Self::Recorded(Lcg32::new(seed)),
            Profile::Engine2d => Self::ChaCha(Box::new(ChaCha8Rng::seed_from_u64(u64::from(seed)))),
        }
    }

    /// The state of the recorded generator; `None` for ChaCha.
    #[must_use]
    pub fn recorded_state(&self) -> Option<u32> {
        match self {
            Self::Recorded(g) => Some(g.state()),
            Self::ChaCha(_) => None,
        }
    }
}

impl TryRng for Generator {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(match self {
            Self::Recorded(g) => g.next_u32(),
            Self::ChaCha(g) => g.next_u32(),
        })
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(match self {
            Self::Recorded(g) => g.next_u64(),
            Self::ChaCha(g) => g.next_u64(),
        })
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        match self {
            Self::Recorded(g) => g.fill_bytes(dst),
            Self::ChaCha(g) => g.fill_bytes(dst),
        }
        Ok(())
    }
}
