//! The common refinement of two maps of one array: each dimension is cut wherever either map cuts it, and each of its
//! parts then has one stride in either map.
//!
//! The rows of `f32[1000,384]{1,0:T(8,128)}` and of the row-major `f32[1000,384]` are cut at 1 and 8: into a part of 8 rows
//! with the strides 128 and 384, and a part of 125 groups of 8 rows with the strides 3072 and 3072. If one map has tiles of
//! 8 rows and the other tiles of 6, neither of which divides the other, there is no common refinement.

use super::{IndexMap, MAX_RANK, Part, Term};

/// The largest number of cuts. Each is a multiple of the one before, so there is at most one for each bit of a `usize`, plus
/// one at a period.
const MAX_CUTS: usize = usize::BITS as usize + 1;

/// Whether `stride` is `steps` times `inner`.
pub const fn spans(stride: usize, inner: usize, steps: usize) -> bool {
    stride.is_multiple_of(steps) && stride / steps == inner
}

/// Dimensions that are split as one: a single dimension, or several whole dimensions that a tile combines.
#[derive(Clone, Copy)]
pub struct Group {
    /// Minor to major.
    dims: [usize; MAX_RANK],
    len: usize,
    /// Number of the value that the map splits: the dimension, or the derived value that combines the dimensions.
    value: usize,
}

impl Group {
    /// The dimensions that `map` splits together with `dim`; `None` if it combines `dim` with parts of other dimensions.
    const fn of(map: &IndexMap, dim: usize) -> Option<Self> {
        let mut group = Self { dims: [dim; MAX_RANK], len: 1, value: dim };
        let terms = map.terms();
        let mut i = 0;
        while i < terms.len() {
            if terms[i].part.source == dim && terms[i].part.size > 1 && !nests(map, &terms[i]) {
                if group.value != dim {
                    return None;
                }
                group.value = terms[i].target;
            }
            i += 1;
        }
        if group.value != dim {
            group.len = 0;
        }
        // Terms are ordered minor to major. Only the most major dimension may be padded: padding of another one would leave
        // gaps between the values of the group.
        let mut padded = false;
        let mut i = 0;
        while i < terms.len() && group.value != dim {
            let part = &terms[i].part;
            if part.source == group.value && part.size > 1 {
                return None;
            }
            if terms[i].target == group.value && part.size > 1 {
                if part.source >= map.rank() || part.div > 1 || part.wrap || padded {
                    return None;
                }
                padded = part.size > map.bound(part.source);
                group.dims[group.len] = part.source;
                group.len += 1;
            }
            i += 1;
        }
        Some(group)
    }

    /// The dimensions that both maps can split together with `dim`; `None` if they combine it with different dimensions.
    pub const fn common(maps: [&IndexMap; 2], dim: usize) -> Option<Self> {
        let (Some(a), Some(b)) = (Self::of(maps[0], dim), Self::of(maps[1], dim)) else {
            return None;
        };
        let group = if a.len > b.len { a } else { b };
        let mut i = 0;
        while i < group.len {
            let mut map = 0;
            while map < maps.len() {
                match Self::of(maps[map], group.dims[i]) {
                    Some(other) if other.len == 1 || other.is(&group) => {}
                    _ => return None,
                }
                map += 1;
            }
            i += 1;
        }
        Some(group)
    }

    const fn is(&self, other: &Self) -> bool {
        let mut i = 0;
        while i < self.len && i < other.len && self.dims[i] == other.dims[i] {
            i += 1;
        }
        i == self.len && i == other.len
    }

    /// The dimensions as a mask: bit `d` is set if dimension `d` belongs to the group.
    pub const fn mask(&self) -> u16 {
        let mut mask = 0;
        let mut i = 0;
        while i < self.len {
            mask |= 1 << self.dims[i];
            i += 1;
        }
        mask
    }

    /// Whether the group is a single dimension.
    pub const fn is_alone(&self) -> bool {
        self.len == 1
    }

    /// Number of values of the group: the product of the sizes of its dimensions.
    pub const fn size(&self, map: &IndexMap) -> usize {
        let mut size = 1;
        let mut i = 0;
        while i < self.len {
            size *= map.bound(self.dims[i]);
            i += 1;
        }
        size
    }
}

/// Whether the value to which a term belongs is exactly one part of another value: a part that a later tile does not divide.
const fn nests(map: &IndexMap, term: &Term) -> bool {
    let terms = map.terms();
    let mut alone = term.part.stride == 1 && (term.part.wrap || term.part.div > 1);
    let mut summands = 0;
    let mut i = 0;
    while i < terms.len() {
        if terms[i].part.size > 1 {
            summands += (terms[i].target == term.target) as usize;
            alone &= terms[i].part.source != term.target;
        }
        i += 1;
    }
    alone && summands == 1
}

/// The strides of a group in one map, minor to major. A part that continues the stride of the one before is merged
/// with it.
#[derive(Clone, Copy)]
struct Strides {
    /// The divisor of the group at which each stride starts: 1, then where the stride before ends.
    div: [usize; MAX_CUTS],
    stride: [usize; MAX_CUTS],
    len: usize,
}

impl Strides {
    const fn of(map: &IndexMap, group: &Group) -> Self {
        let mut strides = Self { div: [0; MAX_CUTS], stride: [0; MAX_CUTS], len: 0 };
        let mut unit = 1;
        let mut i = 0;
        while i < group.len {
            // The map splits all dimensions of the group as one, or each separately.
            let Some(own) = Group::of(map, group.dims[i]) else { unreachable!() };
            let size = own.size(map);
            strides.append(map, own.value, size, unit);
            unit *= size;
            i += own.len;
        }
        strides
    }

    /// Appends the parts of a value below `bound`; one step of the value is `unit` steps of the group.
    const fn append(&mut self, map: &IndexMap, value: usize, bound: usize, unit: usize) {
        let mut div = 1;
        while div < bound {
            let (part, nested) = part_at(map, value, div);
            let continues = self.len > 0 && {
                let (cut, last) = (div * unit, self.len - 1);
                cut.is_multiple_of(self.div[last])
                    && spans(part.stride, self.stride[last], cut / self.div[last])
            };
            if let Some(nested) = nested {
                // A tile can reach past the value that it splits. Do not cut past `bound`: what follows there is padding, or, in a
                // group, the next dimension.
                let (left, bound) = (bound.div_ceil(div), map.bound(nested));
                self.append(map, nested, if left < bound { left } else { bound }, div * unit);
            } else if !continues {
                self.div[self.len] = div * unit;
                self.stride[self.len] = part.stride;
                self.len += 1;
            }
            div = if part.wrap { div.saturating_mul(part.size) } else { bound };
        }
    }

    /// The number of the stride that contains `cut`.
    const fn at(&self, cut: usize) -> usize {
        let mut i = self.len - 1;
        while self.div[i] > cut {
            i -= 1;
        }
        i
    }

    /// Whether `cut` is a multiple of the divisor at which its stride starts.
    const fn can_cut(&self, cut: usize) -> bool {
        cut.is_multiple_of(self.div[self.at(cut)])
    }

    /// The distance in elements from one multiple of `cut` to the next, for a cut of the refinement.
    const fn stride_at(&self, cut: usize) -> usize {
        let i = self.at(cut);
        cut / self.div[i] * self.stride[i]
    }
}

/// The part of a value whose divisor is `div`. If the part is nested in a derived value, also the number of that value.
const fn part_at(map: &IndexMap, value: usize, div: usize) -> (&Part, Option<usize>) {
    let (parts, terms) = (map.parts(), map.terms());
    let mut i = 0;
    while i < parts.len() + terms.len() {
        let (part, nested) = if i < parts.len() {
            (&parts[i], None)
        } else {
            let term = &terms[i - parts.len()];
            (&term.part, Some(term.target))
        };
        if part.source == value && part.div == div && part.size > 1 {
            return (part, nested);
        }
        i += 1;
    }
    panic!("the parts of a value cover it")
}

/// Where two maps cut a group.
///
/// If one map numbers 2 by 10 elements as `d0 * 10 + d1`, without a cut, and the other stores them in tiles of 2 by 4, the cuts are
/// 1, 4 and 10. The parts at 1 and 4 start again at each multiple of 10, which is the period.
#[derive(Clone, Copy)]
struct Cuts {
    /// The divisors of both maps, ascending, each once.
    divs: [usize; MAX_CUTS],
    len: usize,
    /// The divisor that is not a multiple of the one before, because the parts below start again there; 0 if there is none.
    period: usize,
}

impl Cuts {
    /// `None` if there is no common refinement: a divisor does not divide the next one, and the maps do not both start again
    /// there.
    const fn of(a: &Strides, b: &Strides) -> Option<Self> {
        let mut cuts = Self { divs: [0; MAX_CUTS], len: 0, period: 0 };
        let (mut i, mut j) = (0, 0);
        while i < a.len || j < b.len {
            let first = j == b.len || (i < a.len && a.div[i] <= b.div[j]);
            let cut = if first { a.div[i] } else { b.div[j] };
            if cuts.len > 0 && !cut.is_multiple_of(cuts.divs[cuts.len - 1]) {
                if cuts.period > 0 || !a.can_cut(cut) || !b.can_cut(cut) {
                    return None;
                }
                cuts.period = cut;
            }
            cuts.divs[cuts.len] = cut;
            cuts.len += 1;
            i += (i < a.len && a.div[i] == cut) as usize;
            j += (j < b.len && b.div[j] == cut) as usize;
        }
        Some(cuts)
    }
}

/// A group of dimensions, cut wherever one of two maps cuts it.
#[derive(Clone, Copy)]
pub struct Refinement {
    cuts: Cuts,
    strides: [Strides; 2],
    size: usize,
}

/// A part of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefinedPart {
    /// The divisor of the group.
    pub div: usize,
    /// Number of values of the part: up to the next cut, or the end of the group.
    pub size: usize,
    /// The distance in elements from one value to the next, in each of the two maps.
    pub strides: [usize; 2],
}

impl Refinement {
    /// The refinement of a group that is common to both maps; `None` if the divisors of their parts do not divide each other.
    pub const fn of(maps: [&IndexMap; 2], group: &Group) -> Option<Self> {
        let strides = [Strides::of(maps[0], group), Strides::of(maps[1], group)];
        match Cuts::of(&strides[0], &strides[1]) {
            Some(cuts) => Some(Self { cuts, strides, size: group.size(maps[0]) }),
            None => None,
        }
    }

    /// Number of parts.
    pub const fn len(&self) -> usize {
        self.cuts.len
    }

    /// Whether there are no parts: the group has at most one value.
    pub const fn is_empty(&self) -> bool {
        self.cuts.len == 0
    }

    /// Part number `i`; 0 is the most minor.
    pub const fn part(&self, i: usize) -> RefinedPart {
        let div = self.cuts.divs[i];
        let end = if i + 1 < self.cuts.len { self.cuts.divs[i + 1] } else { self.size };
        let strides = [self.strides[0].stride_at(div), self.strides[1].stride_at(div)];
        RefinedPart { div, size: end.div_ceil(div), strides }
    }

    /// The divisor that is not a multiple of the one before, at each multiple of which the parts below start again; 0 if there
    /// is none.
    pub const fn period(&self) -> usize {
        self.cuts.period
    }

    /// The divisor of the most major part; 1 if there are no parts.
    pub const fn last_div(&self) -> usize {
        if self.cuts.len > 0 { self.cuts.divs[self.cuts.len - 1] } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::Builder;
    use alloc::vec::Vec;

    /// The parts of dimension 0 of a 1000x384 array, in tiles of `rows[0]` rows in one map and `rows[1]` in the other.
    fn parts_of_rows(rows: [usize; 2]) -> Option<Vec<RefinedPart>> {
        let tiled = |rows| {
            let map = Builder::new(&[1000, 384], &[1000, 384], &[1, 0]);
            map.tile(&[rows, 128]).and_then(Builder::with_strides).expect("a map")
        };
        let (a, b) = (tiled(rows[0]), tiled(rows[1]));
        let group = Group::common([&a, &b], 0).expect("a dimension alone");
        let refinement = Refinement::of([&a, &b], &group)?;
        Some((0..refinement.len()).map(|i| refinement.part(i)).collect())
    }

    #[test]
    fn a_dimension_is_cut_where_either_map_cuts_it() {
        let part = |div, size, strides| RefinedPart { div, size, strides };
        assert_eq!(
            parts_of_rows([8, 16]).unwrap(),
            [part(1, 8, [128, 128]), part(8, 2, [3072, 1024]), part(16, 63, [6144, 6144])]
        );
    }

    #[test]
    fn tiles_that_do_not_divide_each_other_have_no_refinement() {
        let divs =
            |rows| parts_of_rows(rows).map(|parts| parts.iter().map(|part| part.div).collect());
        assert_eq!(divs([8, 12]), None::<Vec<usize>>);
    }
}
