//! Equality of shapes that ignores some of their fields.

use super::bitcast::equal;
use super::draft::{Draft, Padded};
use super::spec::TiledSpec;
use crate::dtype::Kind;

/// The fields that a comparison ignores; see [`TiledSpec::equal_except`]. Each method adds one.
///
/// ```
/// use tensor_layout::{TiledSpec, tiled::Fields};
/// const LAYOUT_ONLY: Fields = Fields::NONE.element_type().dims().bounds();
/// let spec = |text: &str| text.parse::<TiledSpec>().unwrap();
/// let (a, b) = (spec("f32[16,128]{1,0:T(8,128)S(1)}"), spec("s8[32,128]{1,0:T(8,128)}"));
/// assert!(!a.equal_except(&b, LAYOUT_ONLY));
/// assert!(a.equal_except(&b, LAYOUT_ONLY.memory_space()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fields(u16);

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident $NAME:ident $bit:literal;)*) => {
        impl Fields {
            /// No field.
            pub const NONE: Self = Self(0);
            $(
                const $NAME: Self = Self(1 << $bit);
                $(#[$doc])*
                #[must_use]
                pub const fn $name(self) -> Self {
                    Self(self.0 | Self::$NAME.0)
                }
            )*
        }
    };
}

fields! {
    /// Also ignores the element type.
    element_type ELEMENT_TYPE 0;
    /// Also ignores the width of floating-point types, so that `f32` and `bf16` are equal.
    float_width FLOAT_WIDTH 1;
    /// Also ignores the sizes, but not the rank.
    dims DIMS 2;
    /// Also ignores whether a dimension is bounded or unbounded.
    bounds BOUNDS 3;
    /// Also ignores minor_to_major.
    order ORDER 4;
    /// Also ignores the tiles.
    tiles TILES 5;
    /// Also ignores the tail alignment, `L`.
    tail_alignment TAIL_ALIGNMENT 6;
    /// Also ignores the element bits, `E`.
    element_bits ELEMENT_BITS 7;
    /// Also ignores the memory space, `S`.
    memory_space MEMORY_SPACE 8;
    /// Also ignores the splits between memories, `SC`.
    splits SPLITS 9;
    /// Also ignores the prefix of a dynamic shape, `M`.
    prefix_bytes PREFIX_BYTES 10;
    /// Also ignores explicit padding.
    padded PADDED 11;
}

impl Fields {
    /// Also ignores the whole layout: everything except the element type, the sizes and the bounds.
    #[must_use]
    pub const fn layout(self) -> Self {
        self.layout_but_order().order()
    }

    /// Also ignores the whole layout except minor_to_major.
    #[must_use]
    pub const fn layout_but_order(self) -> Self {
        let tiles = self.tiles().tail_alignment().element_bits().memory_space();
        tiles.splits().prefix_bytes().padded()
    }

    const fn has(self, field: Self) -> bool {
        self.0 & field.0 != 0
    }
}

impl TiledSpec {
    /// Whether two shapes with their layouts are equal in all fields except `fields`.
    ///
    /// ```
    /// use tensor_layout::{TiledSpec, tiled::Fields};
    /// let spec = |text: &str| text.parse::<TiledSpec>().unwrap();
    /// let tiled = spec("bf16[16,128]{1,0:T(8,128)(2,1)}");
    /// assert!(tiled.equal_except(&spec("bf16[16,128]"), Fields::NONE.tiles()));
    /// assert!(tiled.equal_except(&spec("bf16[16,128]{0,1}"), Fields::NONE.layout()));
    /// assert!(tiled.equal_except(&spec("f32[16,128]"), Fields::NONE.layout().float_width()));
    /// assert!(!tiled.equal_except(&spec("s16[16,128]"), Fields::NONE.layout().float_width()));
    /// ```
    pub const fn equal_except(&self, other: &Self, fields: Fields) -> bool {
        let (a, b) = (self.draft(), other.draft());
        let floats = matches!(a.dtype.kind(), Kind::Float) && matches!(b.dtype.kind(), Kind::Float);
        let same_type = a.dtype as usize == b.dtype as usize;
        (fields.has(Fields::ELEMENT_TYPE) || same_type || floats && fields.has(Fields::FLOAT_WIDTH))
            && a.dims.len() == b.dims.len()
            && (fields.has(Fields::DIMS) || equal(a.dims.as_slice(), b.dims.as_slice()))
            && (fields.has(Fields::BOUNDS) || a.bounded == b.bounded && a.unbounded == b.unbounded)
            && (fields.has(Fields::ORDER)
                || equal(a.minor_to_major.as_slice(), b.minor_to_major.as_slice()))
            && (fields.has(Fields::TILES) || equal_tiles(a, b))
            && (fields.has(Fields::TAIL_ALIGNMENT) || a.tail_alignment == b.tail_alignment)
            && (fields.has(Fields::ELEMENT_BITS) || a.element_bits == b.element_bits)
            && (fields.has(Fields::MEMORY_SPACE) || a.memory_space == b.memory_space)
            && (fields.has(Fields::SPLITS) || equal_splits(a, b))
            && (fields.has(Fields::PREFIX_BYTES) || a.prefix_bytes == b.prefix_bytes)
            && (fields.has(Fields::PADDED) || equal_padding(&a.padded, &b.padded))
    }
}

const fn equal_tiles(a: &Draft, b: &Draft) -> bool {
    let (a, b) = (a.tiles.as_slice(), b.tiles.as_slice());
    let mut i = 0;
    while i < a.len() && i < b.len() && equal(a[i].as_slice(), b[i].as_slice()) {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn equal_splits(a: &Draft, b: &Draft) -> bool {
    let (a, b) = (a.splits.as_slice(), b.splits.as_slice());
    let mut i = 0;
    while i < a.len()
        && i < b.len()
        && a[i].dimension == b[i].dimension
        && equal(a[i].indices.as_slice(), b[i].indices.as_slice())
    {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn equal_padding(a: &Option<Padded>, b: &Option<Padded>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.value as usize == b.value as usize && equal(a.widths.as_slice(), b.widths.as_slice())
        }
        (a, b) => a.is_none() && b.is_none(),
    }
}
