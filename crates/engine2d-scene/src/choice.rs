//! Values of the format that are one of a few words, each spelled in one place.

/// A type whose values are written as words.
pub(crate) trait Choice: Sized + Copy + 'static {
    /// Every value with its word, in the order they are listed to the user.
    const WORDS: &'static [(&'static str, Self)];
}

/// Declares an enum of words: the serde spelling and the reader's table are the same list.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant),+
        }

        impl $crate::choice::Choice for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $word),+ })
            }
        }
    };
}
pub(crate) use choice;
