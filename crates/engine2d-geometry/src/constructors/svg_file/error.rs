//! What can be wrong with an SVG document.

use crate::error::ShapeError;

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SvgError {
    /// The text is not XML.
    #[error("line {line}: {what}")]
    Xml {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// An attribute that means nothing.
    #[error("line {line}: {attribute} of <{element}> is {value:?}: {allowed}")]
    Attribute {
        /// Line, from 1.
        line: usize,
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// An element whose outline is no shape.
    #[error("line {line}: <{element}>: {source}")]
    Shape {
        /// Line, from 1.
        line: usize,
        /// The element.
        element: String,
        /// What is wrong with it.
        source: ShapeError,
    },
}
