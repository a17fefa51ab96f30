//! The engine2d scene file format: reading, validation, JSON Schema and a catalogue of scenes.
#![doc = include_str!("../README.md")]
