//! XLA's canonical text.

use super::draft::{Draft, Tile};
use super::spec::TiledSpec;
use crate::text::TextOf;
use core::fmt::{self, Display, Formatter};

/// The largest length in bytes of the text of a layout: with all lists full and all numbers as long as possible.
pub const MAX_TEXT: usize = 3584;

impl TiledSpec {
    /// XLA's canonical text of the shape with its layout, computed by a `const fn`; `Display` prints the same.
    ///
    /// ```
    /// use tensor_layout::{BF16, Layout, Tiled, types::{Order2, Shape2, Tile2}};
    /// type Weights = Tiled<BF16, Shape2<16, 256>, Order2<1, 0>, (Tile2<8, 128>, Tile2<2, 1>)>;
    /// const NAME: &str = Weights::SPEC.text().as_str();
    /// assert_eq!(NAME, "bf16[16,256]{1,0:T(8,128)(2,1)}");
    /// ```
    pub const fn text(&self) -> TextOf<MAX_TEXT> {
        let draft = self.draft();
        let mut text = TextOf::new().str(draft.dtype.name()).str("[");
        let mut dim = 0;
        while dim < draft.dims.len() {
            text = text.str(if dim > 0 { "," } else { "" });
            text = match (draft.is_unbounded(dim), draft.bounded >> dim & 1 == 1) {
                (true, _) => text.str("?"),
                (_, true) => text.str("<=").num(draft.dims.as_slice()[dim]),
                _ => text.num(draft.dims.as_slice()[dim]),
            };
            dim += 1;
        }
        text = text.str("]");
        // XLA does not print the layout of a scalar unless it has attributes.
        if !draft.dims.is_empty() || !draft.is_plain() {
            text = draft.append_layout(text);
        }
        match draft.padded {
            Some(padded) => {
                let text = text.str(" padded to [").list(padded.widths.as_slice());
                text.str("] with ").str(padded.value.name())
            }
            None => text,
        }
    }

    /// The layout without the shape.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "bf16[16,256]{1,0:T(8,128)(2,1)S(1)}".parse().unwrap();
    /// assert_eq!(spec.layout().to_string(), "{1,0:T(8,128)(2,1)S(1)}");
    /// ```
    pub const fn layout(&self) -> LayoutText<'_> {
        LayoutText(self.draft())
    }
}

impl Display for TiledSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// The layout without the shape, `{1,0:T(8,128)(2,1)}`, as PJRT passes it between programs.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "bf16[1000,384]{1,0:T(8,128)(2,1)}".parse()?;
/// assert_eq!(spec.layout().to_string(), "{1,0:T(8,128)(2,1)}");
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
pub struct LayoutText<'a>(&'a Draft);

impl Display for LayoutText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.append_layout(TextOf::<MAX_TEXT>::new()).fmt(f)
    }
}

impl Draft {
    /// Whether the layout is only an order of the dimensions, without attributes.
    const fn is_plain(&self) -> bool {
        self.tiles.is_empty()
            && self.tail_alignment == 1
            && self.element_bits == 0
            && self.memory_space == 0
            && self.splits.is_empty()
            && self.prefix_bytes == 0
    }

    const fn append_layout<const N: usize>(&self, text: TextOf<N>) -> TextOf<N> {
        let mut text = text.str("{").list(self.minor_to_major.as_slice());
        if !self.is_plain() {
            text = text.str(":");
        }
        let mut i = 0;
        while i < self.tiles.len() {
            text =
                append_tile(text.str(if i == 0 { "T(" } else { "(" }), &self.tiles.as_slice()[i]);
            i += 1;
        }
        if self.tail_alignment != 1 {
            text = text.str("L(").num(self.tail_alignment).str(")");
        }
        if self.element_bits != 0 {
            text = text.str("E(").num(self.element_bits).str(")");
        }
        if self.memory_space != 0 {
            text = text.str("S(").num(self.memory_space).str(")");
        }
        let mut i = 0;
        while i < self.splits.len() {
            let split = &self.splits.as_slice()[i];
            text = text.str(if i == 0 { "SC(" } else { "(" }).num(split.dimension).str(":");
            text = text.list(split.indices.as_slice()).str(")");
            i += 1;
        }
        if self.prefix_bytes != 0 {
            text = text.str("M(").num(self.prefix_bytes).str(")");
        }
        text.str("}")
    }
}

const fn append_tile<const N: usize>(mut text: TextOf<N>, tile: &Tile) -> TextOf<N> {
    let mut at = 0;
    while at < tile.len() {
        text = text.str(if at > 0 { "," } else { "" });
        text = match tile.as_slice()[at] {
            Tile::COMBINE => text.str("*"),
            size => text.num(size),
        };
        at += 1;
    }
    text.str(")")
}

#[cfg(test)]
mod tests {
    use super::super::{List, MAX_SPLIT_INDICES, MAX_SPLITS, Padded, Split};
    use super::*;
    use crate::dtype::{DType, PaddingValue};
    use crate::parts::{MAX_RANK, MAX_TILE_RANK, MAX_TILES};

    #[test]
    fn the_longest_text_is_not_cut() {
        // Not a valid layout: all lists are full, and the numbers are longer than any that is allowed.
        let long = List::of(&[usize::MAX - 1; MAX_RANK]).unwrap();
        let tile = Tile::of(&[usize::MAX - 1; MAX_TILE_RANK]).unwrap();
        let indices = List::of(&[usize::MAX - 1; MAX_SPLIT_INDICES]).unwrap();
        let draft = Draft {
            bounded: u16::MAX,
            minor_to_major: long,
            tiles: (0..MAX_TILES).fold(List::new(tile), |list, _| list.push(tile).unwrap()),
            tail_alignment: usize::MAX,
            element_bits: usize::MAX,
            memory_space: usize::MAX,
            splits: (0..MAX_SPLITS).fold(List::new(Split { dimension: 0, indices }), |list, _| {
                list.push(Split { dimension: usize::MAX, indices }).unwrap()
            }),
            prefix_bytes: usize::MAX,
            padded: Some(Padded { widths: long, value: PaddingValue::Highest }),
            ..Draft::row_major(DType::F8E4M3B11FNUZ, long)
        };
        let spec = TiledSpec::row_major(DType::F32, &[]).unwrap();
        let spec = TiledSpec::of_parts(draft, *spec.map());
        assert!(spec.to_string().ends_with("] with highest"));
        assert!(spec.layout().to_string().ends_with(")}"));
    }
}
