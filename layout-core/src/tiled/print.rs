//! XLA's canonical text.

use super::draft::{Draft, Tile};
use super::spec::TiledSpec;
use core::fmt::{self, Display, Formatter};

impl Display for TiledSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let draft = self.draft();
        write!(f, "{}[", draft.dtype)?;
        for (dim, size) in draft.dims.as_slice().iter().enumerate() {
            f.write_str(if dim > 0 { "," } else { "" })?;
            match (draft.is_unbounded(dim), draft.bounded >> dim & 1 == 1) {
                (true, _) => f.write_str("?")?,
                (_, true) => write!(f, "<={size}")?,
                _ => write!(f, "{size}")?,
            }
        }
        f.write_str("]")?;
        let layout = self.layout();
        // XLA prints no layout for a scalar that has nothing to say in it.
        if self.rank() > 0 || !layout.is_plain() {
            write!(f, "{layout}")?;
        }
        if let Some(padded) = draft.padded {
            write!(f, " padded to [{}] with {}", Numbers(padded.widths.as_slice()), padded.value)?;
        }
        Ok(())
    }
}

/// The layout alone, `{1,0:T(8,128)(2,1)}`, as PJRT passes it between programs.
pub struct LayoutText<'a>(&'a Draft);

impl TiledSpec {
    /// The layout without the shape.
    ///
    /// ```
    /// let spec: layout_core::TiledSpec = "bf16[16,256]{1,0:T(8,128)(2,1)S(1)}".parse().unwrap();
    /// assert_eq!(spec.layout().to_string(), "{1,0:T(8,128)(2,1)S(1)}");
    /// ```
    pub const fn layout(&self) -> LayoutText<'_> {
        LayoutText(self.draft())
    }
}

impl LayoutText<'_> {
    fn is_plain(&self) -> bool {
        *self.0 == Draft { padded: self.0.padded, ..plain(self.0) }
    }
}

/// The draft without any attribute.
fn plain(draft: &Draft) -> Draft {
    Draft {
        minor_to_major: draft.minor_to_major,
        bounded: draft.bounded,
        unbounded: draft.unbounded,
        ..Draft::row_major(draft.dtype, draft.dims)
    }
}

impl Display for LayoutText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let draft = self.0;
        write!(f, "{{{}", Numbers(draft.minor_to_major.as_slice()))?;
        if !self.is_plain() {
            f.write_str(":")?;
        }
        for (i, tile) in draft.tiles.as_slice().iter().enumerate() {
            write!(f, "{}({})", if i == 0 { "T" } else { "" }, Numbers(tile.as_slice()))?;
        }
        if draft.tail_alignment != 1 {
            write!(f, "L({})", draft.tail_alignment)?;
        }
        if draft.element_bits != 0 {
            write!(f, "E({})", draft.element_bits)?;
        }
        if draft.memory_space != 0 {
            write!(f, "S({})", draft.memory_space)?;
        }
        for (i, split) in draft.splits.as_slice().iter().enumerate() {
            let indices = Numbers(split.indices.as_slice());
            write!(f, "{}({}:{indices})", if i == 0 { "SC" } else { "" }, split.dimension)?;
        }
        if draft.prefix_bytes != 0 {
            write!(f, "M({})", draft.prefix_bytes)?;
        }
        f.write_str("}")
    }
}

struct Numbers<'a>(&'a [usize]);

impl Display for Numbers<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, &number) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "," } else { "" })?;
            match number {
                Tile::COMBINE => f.write_str("*")?,
                _ => write!(f, "{number}")?,
            }
        }
        Ok(())
    }
}
