//! The linear index of one element, computed step by step.

use crate::draw::{NAMES, tuple};
use crate::parts::Part;
use crate::tiled::{Tile, TiledSpec};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The computation of one offset, one line for each step, as in XLA's document on tiled layouts; see [`TiledSpec::steps`].
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// assert_eq!(spec.steps(&[2, 3]).unwrap().lines().last().unwrap(), "= 17");
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Steps(pub(super) Vec<String>);

impl Steps {
    /// The lines.
    pub fn lines(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl TiledSpec {
    /// The computation of the linear index of the element at `index`; `None` if `index` is out of bounds.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.steps(&[2, 3]).unwrap().lines(), [
    ///     "linear_index_with_tile((2,3), (3,5), (2,2))",
    ///     "= linear_index((1,1,0,1), (2,3,2,2))",
    ///     "= linear_index((1,1), (2,3)) * 2 * 2 + linear_index((0,1), (2,2))",
    ///     "= (1 * 3 + 1) * 2 * 2 + (0 * 2 + 1)",
    ///     "= 17",
    /// ]);
    /// ```
    pub fn steps(&self, index: &[usize]) -> Option<Steps> {
        let offset = self.checked_offset(index)?;
        let major = || self.minor_to_major().iter().rev();
        let element = tuple(major().map(|dim| index[*dim]));
        let bounds = tuple(major().map(|dim| self.widths()[*dim]));
        let tiles: String = self.tiles().iter().map(tile).collect();
        let mut lines = alloc::vec![match tiles.is_empty() {
            true => format!("linear_index({element}, {bounds})"),
            false => format!("linear_index_with_tile({element}, {bounds}, {tiles})"),
        }];
        lines.extend(self.placed(offset));
        lines.push(format!("= {offset}"));
        Some(Steps(lines))
    }

    /// The computation of the index of the element at `offset`; `None` past the end.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.steps_back(17).unwrap().lines(), [
    ///     "17",
    ///     "= (1 * 3 + 1) * 2 * 2 + (0 * 2 + 1)",
    ///     "= linear_index((1,1), (2,3)) * 2 * 2 + linear_index((0,1), (2,2))",
    ///     "= linear_index((1,1,0,1), (2,3,2,2))",
    ///     "i = 1 * 2 + 0 = 2",
    ///     "j = 1 * 2 + 1 = 3",
    ///     "element (2,3)",
    /// ]);
    /// assert_eq!(spec.steps_back(9).unwrap().lines().last().unwrap(), "padding: j is not below 5");
    /// ```
    pub fn steps_back(&self, offset: usize) -> Option<Steps> {
        if offset >= self.len() {
            return None;
        }
        let mut lines = alloc::vec![offset.to_string()];
        if offset >= self.map().len() {
            lines.push(format!("padding: after the {} elements of the tiles", self.map().len()));
            return Some(Steps(lines));
        }
        lines.extend(self.placed(offset).into_iter().rev());
        let mut outside = Vec::new();
        // If dimensions are combined, several of them are computed from one digit, so no line is written for each of them.
        if self.map().terms().is_empty() {
            for (dim, name) in NAMES.iter().enumerate().take(self.rank()) {
                let digits =
                    self.map().parts().iter().filter(|part| part.source == dim && part.size > 1);
                let digits: Vec<_> = digits.map(|part| (part.at(offset), part.div)).collect();
                let sum: Vec<_> = digits
                    .iter()
                    .map(
                        |(at, div)| if *div > 1 { format!("{at} * {div}") } else { at.to_string() },
                    )
                    .collect();
                let value: usize = digits.iter().map(|(at, div)| at * div).sum();
                let sum = if sum.is_empty() { "0".to_string() } else { sum.join(" + ") };
                lines.push(if digits.len() > 1 || sum != value.to_string() {
                    format!("{name} = {sum} = {value}")
                } else {
                    format!("{name} = {value}")
                });
                if value >= self.dims()[dim] {
                    outside.push(format!("{name} is not below {}", self.dims()[dim]));
                }
            }
        }
        lines.push(match self.index(offset) {
            Some(index) => format!("element {}", tuple(index.iter().copied())),
            None if outside.is_empty() => "padding".into(),
            None => format!("padding: {}", outside.join(", ")),
        });
        Some(Steps(lines))
    }

    /// The lines that lead from an element to its offset.
    fn placed(&self, offset: usize) -> Vec<String> {
        let parts = self.map().parts();
        let all = linear(parts, offset);
        let (outer, inner) = match self.tile_parts() {
            Some(outer) if outer > 0 && outer < parts.len() => parts.split_at(outer),
            _ => return alloc::vec![format!("= {all}"), format!("= {}", horner(parts, offset))],
        };
        let sizes = inner.iter().filter(|part| part.size > 1);
        let sizes: String = sizes.map(|part| format!(" * {}", part.size)).collect();
        let group = |parts: &[Part]| match parts {
            [_, _, ..] => format!("({})", horner(parts, offset)),
            _ => horner(parts, offset),
        };
        alloc::vec![
            format!("= {all}"),
            format!("= {}{sizes} + {}", linear(outer, offset), linear(inner, offset)),
            format!("= {}{sizes} + {}", group(outer), group(inner)),
        ]
    }
}

fn tile(tile: &Tile) -> String {
    let entry = |size: &usize| match *size {
        Tile::COMBINE => "*".to_string(),
        size => size.to_string(),
    };
    let entries: Vec<_> = tile.as_slice().iter().map(entry).collect();
    format!("({})", entries.join(","))
}

/// `linear_index((1,1), (2,3))`
fn linear(parts: &[Part], offset: usize) -> String {
    let digits = tuple(parts.iter().map(|part| part.at(offset)));
    format!("linear_index({digits}, {})", tuple(parts.iter().map(|part| part.size)))
}

/// `(1 * 3 + 1) * 2 + 0`
fn horner(parts: &[Part], offset: usize) -> String {
    let mut sum = String::new();
    for (i, part) in parts.iter().enumerate() {
        let at = part.at(offset);
        sum = match i {
            0 => at.to_string(),
            1 => format!("{sum} * {} + {at}", part.size),
            _ => format!("({sum}) * {} + {at}", part.size),
        };
    }
    if sum.is_empty() { "0".into() } else { sum }
}
