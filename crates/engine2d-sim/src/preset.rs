//! Settings by name, for those who would rather not choose each.

use crate::settings::{OdeMethod, Settings};
use std::fmt;

/// Error per step of demonstrations.
const A_MILLIONTH: f64 = 1e-6;

/// Error per step of games.
const A_THOUSANDTH: f64 = 1e-3;

/// A choice of settings with a name and a sentence.
///
/// ```
/// use engine2d_sim::{Preset, Settings};
///
/// assert_eq!(Preset::Classroom.settings(), Settings::classroom());
/// for preset in Preset::ALL {
///     println!("{preset}: {}", preset.sentence());
/// }
/// assert_eq!(Preset::named("Fast"), Some(Preset::Fast));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// [`Settings::precise`].
    Precise,
    /// [`Settings::classroom`].
    Classroom,
    /// [`Settings::fast`].
    Fast,
    /// [`Settings::reference`].
    Reference,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Precise, Self::Classroom, Self::Fast, Self::Reference];

    /// Its name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Precise => "precise",
            Self::Classroom => "classroom",
            Self::Fast => "fast",
            Self::Reference => "reference",
        }
    }

    /// What it is for, in a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Precise => {
                "Events to rounding, joints and resting bodies to 1e-10: for figures that are compared."
            }
            Self::Classroom => {
                "Steps of a sixtieth of a second, errors of a millionth: for demonstrations that run live."
            }
            Self::Fast => {
                "Errors of a thousandth, bounces below 5 cm/s end at once: for games and first looks."
            }
            Self::Reference => "The rules of the recorded runs to the letter: for comparing with them.",
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(self) -> Settings {
        match self {
            Self::Precise => Settings::precise(),
            Self::Classroom => Settings::classroom(),
            Self::Fast => Settings::fast(),
            Self::Reference => Settings::reference(),
        }
    }

    /// The preset of a name; upper and lower case are not told apart.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Settings {
    /// Events to rounding, joints and resting bodies to 1e-10: for figures that are compared. These are the defaults.
    #[must_use]
    pub fn precise() -> Self {
        Self::default()
    }

    /// Steps of a sixtieth of a second, errors of a millionth, bounces below 1 cm/s end at once: for demonstrations that run
    /// live.
    #[must_use]
    pub fn classroom() -> Self {
        Self {
            method: OdeMethod::dormand_prince(A_MILLIONTH),
            rest_speed: 0.01,
            time_step: 1.0 / 60.0,
            ..Self::default()
        }
    }

    /// Errors of a thousandth, bounces below 5 cm/s end at once: for games and first looks. Events are still located, so that
    /// nothing passes through anything.
    #[must_use]
    pub fn fast() -> Self {
        Self {
            method: OdeMethod::dormand_prince(A_THOUSANDTH),
            rest_speed: 0.05,
            time_step: 1.0 / 60.0,
            ..Self::default()
        }
    }
}
