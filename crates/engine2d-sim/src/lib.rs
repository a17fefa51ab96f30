//! Event-driven exact simulation of planar rigid bodies with contact, impact and joints.
#![doc = include_str!("../README.md")]
