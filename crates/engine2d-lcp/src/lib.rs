//! Mixed linear complementarity problems of contact mechanics, solved to a certificate.
#![doc = include_str!("../README.md")]

mod policy;
pub mod reference;

pub use policy::Policy;
