use super::*;
use core::fmt;

/// An [`IndexMap`] as an MLIR affine map: `(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)`.
///
/// The results are the expanded physical shape, major to minor.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let map = spec.map().affine_map();
/// assert_eq!(map.to_string(), "(d0, d1) -> (d0 floordiv 2, d1 floordiv 2, d0 mod 2, d1 mod 2)");
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
pub struct AffineMap<'a>(pub(super) &'a IndexMap);

impl IndexMap {
    /// The map as MLIR text.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "bf16[2048]{0:T(1024)(128)(2,1)}".parse().unwrap();
    /// assert_eq!(
    ///     spec.map().affine_map().to_string(),
    ///     "(d0) -> (d0 floordiv 1024, (d0 floordiv 256) mod 4, d0 mod 128, (d0 floordiv 128) mod 2, 0)",
    /// );
    /// ```
    pub const fn affine_map(&self) -> AffineMap<'_> {
        AffineMap(self)
    }
}

impl fmt::Display for AffineMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let map = self.0;
        f.write_str("(")?;
        for dim in 0..map.rank {
            write!(f, "{}d{dim}", if dim > 0 { ", " } else { "" })?;
        }
        f.write_str(") -> (")?;
        for (i, part) in map.parts().iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            map.write_part(f, part, false)?;
        }
        f.write_str(")")
    }
}

impl IndexMap {
    fn write_part(&self, f: &mut fmt::Formatter<'_>, part: &Part, nested: bool) -> fmt::Result {
        if part.size <= 1 {
            return f.write_str("0");
        }
        let operators = usize::from(part.div > 1) + usize::from(part.wrap);
        if nested && operators > 0 {
            f.write_str("(")?;
        }
        if operators == 2 {
            f.write_str("(")?;
        }
        self.write_value(f, part.source, operators > 0)?;
        if part.div > 1 {
            write!(f, " floordiv {}", part.div)?;
        }
        if operators == 2 {
            f.write_str(")")?;
        }
        if part.wrap {
            write!(f, " mod {}", part.size)?;
        }
        if nested && operators > 0 {
            f.write_str(")")?;
        }
        Ok(())
    }

    fn write_value(&self, f: &mut fmt::Formatter<'_>, value: usize, nested: bool) -> fmt::Result {
        if value < self.rank {
            return write!(f, "d{value}");
        }
        // Terms were added minor to major; an affine map reads major to minor.
        let mut terms = self
            .terms()
            .iter()
            .rev()
            .filter(|term| term.target == value && term.part.size > 1)
            .peekable();
        let Some(first) = terms.next() else { return f.write_str("0") };
        let several = terms.peek().is_some();
        if nested && (several || first.part.stride > 1) {
            f.write_str("(")?;
        }
        for (i, term) in core::iter::once(first).chain(terms).enumerate() {
            if i > 0 {
                f.write_str(" + ")?;
            }
            self.write_part(f, &term.part, true)?;
            if term.part.stride > 1 {
                write!(f, " * {}", term.part.stride)?;
            }
        }
        if nested && (several || first.part.stride > 1) {
            f.write_str(")")?;
        }
        Ok(())
    }
}
