//! Constrainers and chains that several tests ask.

pub(crate) mod cases;
pub(crate) mod chain;
