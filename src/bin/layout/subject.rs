//! Reads a text: an array, a sparse encoding or tensor, a sharded array or a sharding rule.

use crate::hlo::text::shape_of;
use crate::report::Failure;
use crate::stablehlo;
use std::io::Read;
use tensor_layout::draw::{Draw, Explain, Facts, Picture, Sharded};
use tensor_layout::sharding::OpShardingRule;
use tensor_layout::sparse::{LevelFormat, SparseEncoding, SparseTensorSpec};
use tensor_layout::{ParseError, Shape, TiledSpec};

pub(crate) enum Subject {
    Tiled(Box<TiledSpec>),
    Sparse(Box<SparseEncoding>),
    SparseTensor(Box<SparseTensorSpec>),
    Sharded(Box<Sharded>),
    Rule(Box<OpShardingRule>),
}

impl Subject {
    /// Reads a text: each array of a tuple, or a single subject. From a line of HLO or StableHLO, only the shape is read.
    pub(crate) fn read_all(text: &str, mesh: Option<&str>) -> Result<Vec<Self>, Failure> {
        if let Some(arrays) = stablehlo::arrays(text) {
            return Ok(arrays.into_iter().map(|spec| Self::Tiled(Box::new(spec))).collect());
        }
        let text = shape_of(text).unwrap_or(text);
        if !is_tuple(text) {
            return Ok(vec![Self::read(text, mesh)?]);
        }
        let shape: Shape = text.parse().map_err(|error| fail("the layout", text, error))?;
        Ok(shape.arrays().map(|spec| Self::Tiled(Box::new(*spec))).collect())
    }

    fn read(text: &str, mesh: Option<&str>) -> Result<Self, Failure> {
        let of = |error| fail("the layout", text, error);
        if text.contains('@') {
            let Some(mesh) = mesh else {
                let help = "add `--mesh data=2,model=4`";
                return Err(Failure::input("the mesh of the sharded array is not known", help));
            };
            let mesh = crate::shard::mesh(mesh)?;
            return Ok(Self::Sharded(Box::new(Sharded::read(text, &mesh).map_err(of)?)));
        }
        if text.trim_start().starts_with("tensor<*") {
            let message = "a tensor without a rank has no layout";
            return Err(Failure::input(message, "write its sizes, `tensor<4x?xf32>`"));
        }
        if text.trim_start().starts_with("tensor<") {
            return Ok(Self::SparseTensor(Box::new(text.parse().map_err(of)?)));
        }
        // The map of a `memref` has an arrow as well.
        let is_memref = text.trim_start().starts_with("memref<");
        if is_memref || !text.contains("->") && !text.contains("#sparse_tensor") {
            return Ok(Self::Tiled(Box::new(text.parse().map_err(of)?)));
        }
        // For a text that is neither, the mistakes of the closer one are shown: only an encoding has level formats.
        match text.parse::<OpShardingRule>() {
            Ok(rule) => Ok(Self::Rule(Box::new(rule))),
            Err(_) if names_formats(text) => Ok(Self::Sparse(Box::new(text.parse().map_err(of)?))),
            Err(error) => Err(of(error)),
        }
    }
}

/// Whether a text is an XLA tuple, not the dimensions of an encoding or a rule.
fn is_tuple(text: &str) -> bool {
    text.trim_start().starts_with('(') && !text.contains("->")
}

/// Whether level formats follow the level expressions, even if a colon is missing.
fn names_formats(text: &str) -> bool {
    let mut pieces = text.split([',', '(', ')', '{', '}', '[', ']']);
    text.contains(':')
        || !text.trim_start().starts_with(char::is_alphabetic)
            && pieces.any(|piece| {
                let mut words = piece.split_whitespace().skip(1);
                words.any(|word| LevelFormat::NAMES.contains(&word))
            })
}

impl Draw for Subject {
    fn notation(&self) -> String {
        match self {
            Self::Tiled(spec) => spec.notation(),
            Self::Sparse(encoding) => encoding.notation(),
            Self::SparseTensor(tensor) => tensor.notation(),
            Self::Sharded(array) => array.notation(),
            Self::Rule(rule) => rule.notation(),
        }
    }

    fn facts(&self) -> Facts {
        match self {
            Self::Tiled(spec) => spec.facts(),
            Self::Sparse(encoding) => encoding.facts(),
            Self::SparseTensor(tensor) => tensor.facts(),
            Self::Sharded(array) => array.facts(),
            Self::Rule(rule) => rule.facts(),
        }
    }

    fn picture(&self) -> Picture {
        match self {
            Self::Tiled(spec) => spec.picture(),
            Self::Sparse(encoding) => encoding.picture(),
            Self::SparseTensor(tensor) => tensor.picture(),
            Self::Sharded(array) => array.picture(),
            Self::Rule(rule) => rule.picture(),
        }
    }

    fn digits(&self) -> Option<String> {
        match self {
            Self::Tiled(spec) => spec.digits(),
            Self::Sharded(array) => array.digits(),
            Self::Sparse(_) | Self::SparseTensor(_) | Self::Rule(_) => None,
        }
    }
}

impl Explain for Subject {
    fn sentences(&self) -> Vec<String> {
        match self {
            Self::Tiled(spec) => spec.sentences(),
            Self::Sparse(encoding) => encoding.sentences(),
            Self::SparseTensor(tensor) => tensor.sentences(),
            Self::Sharded(array) => array.sentences(),
            Self::Rule(rule) => rule.sentences(),
        }
    }
}

/// The error for a text that cannot be read.
pub(crate) fn fail(origin: &str, text: &str, error: ParseError) -> Failure {
    Failure::Text { origin: origin.into(), text: text.into(), error }
}

/// An array.
pub(crate) fn array(origin: &str, text: &str) -> Result<TiledSpec, Failure> {
    text.parse().map_err(|error| fail(origin, text, error))
}

/// An array whose sizes are all known, at least as upper bounds.
pub(crate) fn array_of_sizes(origin: &str, text: &str) -> Result<TiledSpec, Failure> {
    let spec = array(origin, text)?;
    if spec.is_static() {
        return Ok(spec);
    }
    let message = format!("{origin}, `{spec}`, has a dimension without a size");
    Err(Failure::input(message, "write a size instead of `?`"))
}

/// The largest number of bytes that are read from standard input.
const MAX_TEXT: u64 = 1 << 20;

/// The text of an argument, or standard input for `-`.
pub(crate) fn text(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut text = String::new();
    std::io::stdin().take(MAX_TEXT).read_to_string(&mut text)?;
    if text.len() as u64 >= MAX_TEXT {
        return Err(Failure::input(
            format!("a layout has fewer than {MAX_TEXT} bytes of text"),
            "",
        ));
    }
    Ok(text.trim_end().into())
}
