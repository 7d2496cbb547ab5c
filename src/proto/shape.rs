//! Shapes to and from their protos.

use super::messages::{LayoutProto, ShapeProto, SplitConfigProto, TileProto};
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::tiled::{ArrayNumbers, NumbersError};
use layout_core::{DType, PaddingValue, Shape, TiledSpec};

/// Numbers of `PrimitiveType` that are not element types.
const TUPLE: i32 = 13;
const OPAQUE: i32 = 14;
const TOKEN: i32 = 17;
const BUFFER: i32 = 34;

/// The number of an element type in XLA's `PrimitiveType`.
const fn number(dtype: DType) -> i32 {
    match dtype {
        DType::PRED => 1,
        DType::S8 => 2,
        DType::S16 => 3,
        DType::S32 => 4,
        DType::S64 => 5,
        DType::U8 => 6,
        DType::U16 => 7,
        DType::U32 => 8,
        DType::U64 => 9,
        DType::F16 => 10,
        DType::F32 => 11,
        DType::F64 => 12,
        DType::C64 => 15,
        DType::BF16 => 16,
        DType::C128 => 18,
        DType::F8E5M2 => 19,
        DType::F8E4M3FN => 20,
        DType::S4 => 21,
        DType::U4 => 22,
        DType::F8E4M3B11FNUZ => 23,
        DType::F8E5M2FNUZ => 24,
        DType::F8E4M3FNUZ => 25,
        DType::S2 => 26,
        DType::U2 => 27,
        DType::F8E4M3 => 28,
        DType::F8E3M4 => 29,
        DType::S1 => 30,
        DType::U1 => 31,
        DType::F4E2M1FN => 32,
        DType::F8E8M0FNU => 33,
        DType::F6E3M2FN => 35,
        DType::F6E2M3FN => 36,
    }
}

/// Why a proto is not a shape.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number of an element type that this crate does not know.
    #[error("{0} is not the number of an element type")]
    ElementType(i32),
    /// A tuple, a token, an opaque value or a buffer where an array is expected.
    #[error("expected an array, found element type {0}")]
    NotAnArray(i32),
    /// A buffer that does not consist of one array.
    #[error("a buffer holds one array, found {0} shapes")]
    Buffer(usize),
    /// A token, an opaque value or a tuple with dimensions.
    #[error("a shape that is not an array has dimensions")]
    Dimensions,
    /// A number that does not name a padding value.
    #[error("{0} is not the number of a padding value")]
    PaddingValue(i32),
    /// A field that only sparse arrays have.
    #[error("`{0}` is for sparse arrays, and this array is dense")]
    Sparse(&'static str),
    /// A rule of layouts is broken.
    #[error(transparent)]
    Layout(#[from] NumbersError),
}

impl From<&TiledSpec> for LayoutProto {
    fn from(spec: &TiledSpec) -> Self {
        let numbers = ArrayNumbers::of(spec);
        let value = |value| PaddingValue::ALL.iter().position(|other| *other == value);
        let split = |(dimension, split_indices)| SplitConfigProto { dimension, split_indices };
        Self {
            minor_to_major: numbers.minor_to_major,
            padded_dimensions: numbers.padded_dimensions,
            // 0 means that there is none.
            padding_value: numbers.padding_value.and_then(value).map_or(0, |at| at as i32 + 1),
            tiles: numbers.tiles.into_iter().map(|dimensions| TileProto { dimensions }).collect(),
            element_size_in_bits: numbers.element_bits,
            memory_space: numbers.memory_space,
            dynamic_shape_metadata_prefix_bytes: numbers.prefix_bytes,
            tail_padding_alignment_in_elements: numbers.tail_alignment,
            split_configs: numbers.splits.into_iter().map(split).collect(),
            ..Self::default()
        }
    }
}

impl From<&TiledSpec> for ShapeProto {
    fn from(spec: &TiledSpec) -> Self {
        let numbers = ArrayNumbers::of(spec);
        Self {
            element_type: number(spec.dtype()),
            dimensions: numbers.dims,
            tuple_shapes: Vec::new(),
            layout: Some(spec.into()),
            is_dynamic_dimension: numbers.dynamic,
        }
    }
}

impl From<&Shape> for ShapeProto {
    fn from(shape: &Shape) -> Self {
        let of =
            |element_type, tuple_shapes| Self { element_type, tuple_shapes, ..Self::default() };
        match shape {
            Shape::Array(spec) => (&**spec).into(),
            Shape::Tuple(shapes) => of(TUPLE, shapes.iter().map(Self::from).collect()),
            Shape::Buffer(spec) => of(BUFFER, Vec::from([(&**spec).into()])),
            Shape::Token => of(TOKEN, Vec::new()),
            Shape::Opaque => of(OPAQUE, Vec::new()),
        }
    }
}

impl TryFrom<&ShapeProto> for TiledSpec {
    type Error = ShapeError;

    /// Reads an array. Without a layout it is row-major.
    fn try_from(proto: &ShapeProto) -> Result<Self, ShapeError> {
        let dtype = DType::ALL.into_iter().find(|dtype| number(*dtype) == proto.element_type);
        let dtype = match (dtype, proto.element_type) {
            (Some(dtype), _) => dtype,
            (None, other @ (TUPLE | OPAQUE | TOKEN | BUFFER)) => {
                return Err(ShapeError::NotAnArray(other));
            }
            (None, other) => return Err(ShapeError::ElementType(other)),
        };
        let mut numbers = ArrayNumbers::row_major(dtype, proto.dimensions.clone());
        numbers.dynamic = proto.is_dynamic_dimension.clone();
        let Some(layout) = &proto.layout else { return Ok(numbers.spec()?) };
        for (field, is_set) in [
            ("physical_shape", layout.physical_shape.is_some()),
            ("index_primitive_type", layout.index_primitive_type != 0),
            ("pointer_primitive_type", layout.pointer_primitive_type != 0),
        ] {
            if is_set {
                return Err(ShapeError::Sparse(field));
            }
        }
        numbers.padding_value = match layout.padding_value {
            0 => None,
            value => {
                let at = usize::try_from(value - 1).ok();
                let value = at.and_then(|at| PaddingValue::ALL.get(at));
                Some(*value.ok_or(ShapeError::PaddingValue(layout.padding_value))?)
            }
        };
        let split = |split: &SplitConfigProto| (split.dimension, split.split_indices.clone());
        numbers.minor_to_major = layout.minor_to_major.clone();
        numbers.padded_dimensions = layout.padded_dimensions.clone();
        numbers.tiles = layout.tiles.iter().map(|tile| tile.dimensions.clone()).collect();
        numbers.tail_alignment = layout.tail_padding_alignment_in_elements;
        numbers.element_bits = layout.element_size_in_bits;
        numbers.memory_space = layout.memory_space;
        numbers.splits = layout.split_configs.iter().map(split).collect();
        numbers.prefix_bytes = layout.dynamic_shape_metadata_prefix_bytes;
        Ok(numbers.spec()?)
    }
}

impl TryFrom<&ShapeProto> for Shape {
    type Error = ShapeError;

    /// Reads any shape. The recursion is bounded: messages that `prost` decodes are nested at most 100 levels deep.
    fn try_from(proto: &ShapeProto) -> Result<Self, ShapeError> {
        let shape = match proto.element_type {
            TUPLE => Self::Tuple(
                proto.tuple_shapes.iter().map(Self::try_from).collect::<Result<_, _>>()?,
            ),
            TOKEN => Self::Token,
            OPAQUE => Self::Opaque,
            BUFFER => match &proto.tuple_shapes[..] {
                [array] => Self::Buffer(Box::new(TiledSpec::try_from(array)?)),
                other => return Err(ShapeError::Buffer(other.len())),
            },
            _ => return Ok(Self::Array(Box::new(TiledSpec::try_from(proto)?))),
        };
        if proto.dimensions.is_empty() { Ok(shape) } else { Err(ShapeError::Dimensions) }
    }
}
