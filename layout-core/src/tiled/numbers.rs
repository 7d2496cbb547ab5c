//! An array as the signed numbers in which other programs exchange it: XLA's protos, PJRT's C structs.

use super::draft::Tile;
use super::spec::TiledSpec;
use super::syntax::{ArraySyntax, DimSyntax, LayoutSyntax, PaddedSyntax, Size, SplitSyntax};
use super::syntax::{TileSyntax, lower};
use crate::dtype::{DType, PaddingValue};
use crate::syntax::{Diagnostic, Number};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// An array shape with its layout as signed numbers, unchecked.
///
/// ```
/// use tensor_layout::{TiledSpec, tiled::ArrayNumbers};
/// let spec: TiledSpec = "f32[2,<=7,?]{2,1,0:T(*,3)}".parse().unwrap();
/// let numbers = ArrayNumbers::of(&spec);
/// assert_eq!(numbers.dims, [2, 7, ArrayNumbers::UNBOUNDED]);
/// assert_eq!(numbers.tiles, [[ArrayNumbers::COMBINE, 3]]);
/// assert_eq!(numbers.spec(), Ok(spec));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayNumbers {
    /// Element type.
    pub dtype: DType,
    /// The size or the bound of each dimension; [`ArrayNumbers::UNBOUNDED`] if it is unbounded.
    pub dims: Vec<i64>,
    /// Whether each size is a bound; a missing entry means false.
    pub dynamic: Vec<bool>,
    /// The dimensions from the most minor to the most major.
    pub minor_to_major: Vec<i64>,
    /// The tiles, outermost first; [`ArrayNumbers::COMBINE`] represents `*`.
    pub tiles: Vec<Vec<i64>>,
    /// `L`, the tail alignment; 0 means 1.
    pub tail_alignment: i64,
    /// `E`, the bits of an element; 0 means the width of the type.
    pub element_bits: i64,
    /// `S`, the memory space.
    pub memory_space: i64,
    /// `SC`: physical dimensions, each with the indices at which it is split.
    pub splits: Vec<(i64, Vec<i64>)>,
    /// `M`, the bytes of the prefix.
    pub prefix_bytes: i64,
    /// Widths of explicit padding, of the older form of layouts; empty if there is none.
    pub padded_dimensions: Vec<i64>,
    /// The value of explicit padding, if the layout names one.
    pub padding_value: Option<PaddingValue>,
}

/// All mistakes of an array in numbers, one to a line.
///
/// ```
/// use tensor_layout::{DType, tiled::ArrayNumbers};
/// let numbers = ArrayNumbers { minor_to_major: vec![1, 1], ..ArrayNumbers::row_major(DType::F32, vec![3, -5]) };
/// assert_eq!(numbers.spec().unwrap_err().to_string().lines().count(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumbersError(String);

impl ArrayNumbers {
    /// The number that XLA writes for the `*` of a tile.
    pub const COMBINE: i64 = i64::MIN;
    /// The number that XLA writes for the size of an unbounded dimension.
    pub const UNBOUNDED: i64 = i64::MIN;

    /// A row-major array without tiles.
    pub fn row_major(dtype: DType, dims: Vec<i64>) -> Self {
        Self {
            dtype,
            minor_to_major: (0..dims.len() as i64).rev().collect(),
            dims,
            dynamic: Vec::new(),
            tiles: Vec::new(),
            tail_alignment: 1,
            element_bits: 0,
            memory_space: 0,
            splits: Vec::new(),
            prefix_bytes: 0,
            padded_dimensions: Vec::new(),
            padding_value: None,
        }
    }

    /// The numbers of a checked layout.
    pub fn of(spec: &TiledSpec) -> Self {
        // The sizes of a spec fit the address space, so they fit an `i64`.
        let number = |n: usize| n as i64;
        let numbers = |list: &[usize]| list.iter().copied().map(number).collect::<Vec<_>>();
        let draft = spec.draft();
        let bit = |bits: u16, dim: usize| bits >> dim & 1 == 1;
        let size = |dim| match draft.is_unbounded(dim) {
            true => Self::UNBOUNDED,
            false => number(spec.dims()[dim]),
        };
        let entry = |entry: &usize| match *entry {
            Tile::COMBINE => Self::COMBINE,
            size => number(size),
        };
        let tile = |tile: &Tile| tile.as_slice().iter().map(entry).collect();
        Self {
            dtype: spec.dtype(),
            dims: (0..spec.rank()).map(size).collect(),
            dynamic: (0..spec.rank())
                .map(|dim| bit(draft.bounded | draft.unbounded, dim))
                .collect(),
            minor_to_major: numbers(spec.minor_to_major()),
            tiles: spec.tiles().iter().map(tile).collect(),
            tail_alignment: number(draft.tail_alignment),
            element_bits: number(draft.element_bits),
            memory_space: number(draft.memory_space),
            splits: spec
                .splits()
                .iter()
                .map(|split| (number(split.dimension), numbers(split.indices.as_slice())))
                .collect(),
            prefix_bytes: number(draft.prefix_bytes),
            padded_dimensions: spec.padded().map_or(Vec::new(), |p| numbers(p.widths.as_slice())),
            padding_value: spec.padded().map(|padded| padded.value),
        }
    }

    /// The layout, checked by the same rules as its text.
    ///
    /// # Errors
    /// If the numbers break a rule.
    pub fn spec(&self) -> Result<TiledSpec, NumbersError> {
        let mut diagnostics = Vec::new();
        if self.dynamic.len() > self.dims.len() {
            return Err(NumbersError::new("more bounds are marked than there are dimensions", ""));
        }
        let draft = lower(&self.syntax(), &mut diagnostics);
        let (Some(draft), []) = (draft, &diagnostics[..]) else {
            return Err(NumbersError::of(&diagnostics));
        };
        draft.validate().map_err(|problem| {
            NumbersError::new(problem.message().as_str(), problem.help().as_str())
        })
    }

    /// The array as parsed text, with all positions 0.
    fn syntax(&self) -> ArraySyntax<usize> {
        let number = |n: &i64| Number { value: i128::from(*n), span: 0 };
        let numbers = |list: &[i64]| list.iter().map(number).collect::<Vec<_>>();
        let size = |size, bounded| DimSyntax { size, bounded, span: 0 };
        let literal = |n: &i64| Size::Literal(i128::from(*n));
        let dim = |(at, n): (usize, &i64)| match (*n, self.dynamic.get(at)) {
            (Self::UNBOUNDED, _) => size(Size::Unbounded, false),
            (_, dynamic) => size(literal(n), dynamic.copied().unwrap_or(false)),
        };
        let entry = |n: &i64| match *n {
            Self::COMBINE => size(Size::Combine, false),
            _ => size(literal(n), false),
        };
        let tile =
            |tile: &Vec<i64>| TileSyntax { sizes: tile.iter().map(entry).collect(), span: 0 };
        let split = |(dimension, indices): &(i64, Vec<i64>)| SplitSyntax {
            dimension: number(dimension),
            indices: numbers(indices),
        };
        let dims: Vec<_> = self.dims.iter().enumerate().map(dim).collect();
        let has_widths = !self.padded_dimensions.is_empty();
        let padded = (has_widths || self.padding_value.is_some()).then(|| PaddedSyntax {
            widths: match has_widths {
                true => self.padded_dimensions.iter().map(|n| size(literal(n), false)).collect(),
                false => dims.clone(),
            },
            has_widths,
            widths_span: 0,
            value: Some(self.padding_value.unwrap_or(PaddingValue::Zero)),
            value_span: 0,
            span: 0,
        });
        let attribute = |n: i64| Some(number(&n));
        ArraySyntax {
            dtype: Some(self.dtype),
            dtype_span: 0,
            dims,
            dims_span: 0,
            layout: Some(LayoutSyntax {
                has_order: true,
                order: numbers(&self.minor_to_major),
                order_span: 0,
                span: 0,
                tiles: self.tiles.iter().map(tile).collect(),
                tiles_span: None,
                tail_alignment: attribute(if self.tail_alignment == 0 {
                    1
                } else {
                    self.tail_alignment
                }),
                element_bits: attribute(self.element_bits),
                memory_space: attribute(self.memory_space),
                splits: self.splits.iter().map(split).collect(),
                prefix_bytes: attribute(self.prefix_bytes),
            }),
            padded,
        }
    }
}

impl NumbersError {
    pub(super) fn new(message: &str, help: &str) -> Self {
        Self(match help {
            "" => message.into(),
            help => alloc::format!("{message} (help: {help})"),
        })
    }

    fn of(diagnostics: &[Diagnostic<usize>]) -> Self {
        let lines = diagnostics.iter().map(|found| Self::new(&found.message, &found.help).0);
        Self(lines.collect::<Vec<_>>().join("\n"))
    }
}

impl fmt::Display for NumbersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for NumbersError {}
