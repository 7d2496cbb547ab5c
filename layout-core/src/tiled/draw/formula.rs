use crate::draw::NAMES;
use crate::parts::Term;
use crate::parts::{IndexMap, Part};
use crate::tiled::TiledSpec;
use core::fmt;

/// The linear index of an element in source form: `(i/2*3 + j/2)*4 + i%2*2 + j%2`, for the index `(i,j)`.
///
/// Parts that are always zero are left out. The parts that number the tiles of the first level are in parentheses if those
/// tiles are contiguous.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// assert_eq!(spec.formula().to_string(), "(i/2*3 + j/2)*4 + i%2*2 + j%2");
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
pub struct Formula<'a>(&'a TiledSpec, &'a [&'static str]);

impl<'a> Formula<'a> {
    /// The formula with other names for the dimensions.
    pub(super) const fn named(spec: &'a TiledSpec, names: &'a [&'static str]) -> Self {
        Self(spec, names)
    }
}

impl TiledSpec {
    /// The linear index of an element in source form. `/` rounds down, `%` is the remainder.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "bf16[1000,384]{1,0:T(8,128)(2,1)}".parse().unwrap();
    /// assert_eq!(spec.formula().to_string(), "(i/8*3 + j/128)*1024 + i/2%4*256 + j%128*2 + i%2");
    /// ```
    pub const fn formula(&self) -> Formula<'_> {
        Formula(self, &NAMES)
    }
}

impl fmt::Display for Formula<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let map = self.0.map();
        let parts = map.parts();
        let outer = match (self.0.tile_parts(), self.0.tile_len()) {
            // Parentheses are needed only if several parts number the tiles, and a tile has several elements.
            (Some(outer), Some(len)) if count(map, &parts[..outer]) > 1 && len > 1 => {
                Some((outer, len))
            }
            _ => None,
        };
        let names = self.1;
        let Some((outer, len)) = outer else { return sum((map, names), parts, 1, f) };
        f.write_str("(")?;
        sum((map, names), &parts[..outer], len, f)?;
        write!(f, ")*{len}")?;
        if count(map, &parts[outer..]) > 0 {
            f.write_str(" + ")?;
            sum((map, names), &parts[outer..], 1, f)?;
        }
        Ok(())
    }
}

/// The number of parts that are not always zero.
fn count(map: &IndexMap, parts: &[Part]) -> usize {
    parts.iter().filter(|part| counts(map, part)).count()
}

/// Whether a part is not always zero. A part of combined dimensions of size 1 is, even if it is padded to a larger size.
fn counts(map: &IndexMap, part: &Part) -> bool {
    let is_term = |term: &&Term| term.target == part.source && counts(map, &term.part);
    part.size > 1 && (part.source < map.rank() || map.terms().iter().any(|term| is_term(&term)))
}

/// The sum of the parts, each multiplied by its stride, which is counted in units.
fn sum(
    (map, names): (&IndexMap, &[&str]),
    parts: &[Part],
    unit: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if count(map, parts) == 0 {
        return f.write_str("0");
    }
    for (i, part) in parts.iter().filter(|part| counts(map, part)).enumerate() {
        f.write_str(if i > 0 { " + " } else { "" })?;
        summand((map, names), part, part.stride / unit, f)?;
    }
    Ok(())
}

fn summand(
    (map, names): (&IndexMap, &[&str]),
    part: &Part,
    stride: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if part.source < map.rank() {
        f.write_str(names[part.source])?;
    } else {
        // Terms were added minor to major.
        let terms = map.terms().iter().rev();
        let terms = terms.filter(|term| term.target == part.source && counts(map, &term.part));
        f.write_str("(")?;
        for (i, term) in terms.enumerate() {
            f.write_str(if i > 0 { " + " } else { "" })?;
            summand((map, names), &term.part, term.part.stride, f)?;
        }
        f.write_str(")")?;
    }
    if part.div > 1 {
        write!(f, "/{}", part.div)?;
    }
    if part.wrap {
        write!(f, "%{}", part.size)?;
    }
    if stride > 1 { write!(f, "*{stride}") } else { Ok(()) }
}
