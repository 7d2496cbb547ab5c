//! Which changes of shape and layout move no byte.
//!
//! For arrays without tiles the answers are XLA's. XLA considers only minor_to_major; here tiles and padding count too, because
//! every answer is derived from the offsets of the elements.

use super::draft::{Draft, Padded, Tile};
use super::orders::Orders;
use super::spec::TiledSpec;
use crate::list::List;
use crate::parts::{Coordinates, MAX_RANK};

/// A change of shape and layout that moves no byte, expressed as reshapes and transposes.
///
/// ```
/// use tensor_layout::{TiledSpec, tiled::Bitcast};
/// let spec = |text: &str| text.parse::<TiledSpec>();
/// assert_eq!(spec("f32[4,6]{1,0}")?.decompose_bitcast(&spec("f32[24]{0}")?), Some(Bitcast::Reshape));
/// let transpose = spec("f32[4,6]{1,0}")?.decompose_bitcast(&spec("f32[6,4]{0,1}")?);
/// assert!(matches!(transpose, Some(Bitcast::Transpose { .. })));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a constant; nothing can be boxed in one")]
pub enum Bitcast {
    /// A reshape: the elements keep their row-major order.
    Reshape,
    /// A transpose: dimension `d` of the result is dimension `permutation[d]` of the array.
    Transpose {
        /// For each dimension of the result, the number of the corresponding dimension of the array.
        permutation: Coordinates,
    },
    /// A transpose of the array into the order of its storage, a reshape, and a transpose from the order of the result's
    /// storage to the result.
    TransposeReshapeTranspose {
        /// The first transpose.
        first: Coordinates,
        /// The sizes before the reshape.
        from: Coordinates,
        /// The sizes after the reshape.
        to: Coordinates,
        /// The second transpose.
        second: Coordinates,
    },
}

impl TiledSpec {
    /// Whether the tiles have no effect: every element has the offset that it would have without them, and there is no
    /// padding.
    ///
    /// ```
    /// use tensor_layout::TiledSpec;
    /// let is_untiled = |text: &str| text.parse::<TiledSpec>().unwrap().is_untiled();
    /// assert!(is_untiled("f32[24,128]{1,0:T(8,128)}"));
    /// assert!(!is_untiled("f32[2,3,4]{2,1,0:T(8,128)}"));
    /// assert!(!is_untiled("f32[8,256]{1,0:T(8,128)}"));
    /// ```
    pub const fn is_untiled(&self) -> bool {
        match untiled(self.draft()) {
            Some(plain) => self.len() == plain.len() && self.same_bytes(&plain),
            None => false,
        }
    }

    /// Whether a reshape of this array to the other moves no byte: element number `k` of both, in row-major order, has the
    /// same offset.
    pub const fn reshape_is_bitcast(&self, other: &Self) -> bool {
        self.same_bytes(other)
    }

    /// Whether a transpose of this array to the other moves no byte. Dimension `d` of the other is dimension
    /// `permutation[d]` of this one. False if `permutation` is not a permutation of the dimensions, or if the sizes differ.
    ///
    /// ```
    /// use tensor_layout::TiledSpec;
    /// let spec = |text: &str| text.parse::<TiledSpec>().unwrap();
    /// let rows = spec("f32[16,256]{1,0:T(8,128)}");
    /// assert!(rows.transpose_is_bitcast(&spec("f32[256,16]{0,1:T(8,128)}"), &[1, 0]));
    /// assert!(!rows.transpose_is_bitcast(&spec("f32[256,16]{1,0:T(8,128)}"), &[1, 0]));
    /// ```
    pub const fn transpose_is_bitcast(&self, other: &Self, permutation: &[usize]) -> bool {
        match self.transposed(permutation) {
            Some(transposed) => {
                equal(transposed.dims(), other.dims()) && transposed.same_bytes(other)
            }
            None => false,
        }
    }

    /// The transposed array in the layout in which the transpose moves no byte: its dimension `d` is dimension
    /// `permutation[d]` of this one. `None` if `permutation` is not a permutation of the dimensions.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[10,20,30]{2,1,0}".parse().unwrap();
    /// assert_eq!(spec.transposed(&[1, 2, 0]).unwrap().to_string(), "f32[20,30,10]{1,0,2}");
    /// ```
    pub const fn transposed(&self, permutation: &[usize]) -> Option<Self> {
        let Some(inverse) = inverse(permutation, self.rank()) else { return None };
        let draft = self.draft();
        let mut transposed = *draft;
        transposed.dims = pick(draft.dims.as_slice(), permutation);
        transposed.minor_to_major = pick(inverse.as_slice(), draft.minor_to_major.as_slice());
        transposed.bounded = pick_bits(draft.bounded, permutation);
        transposed.unbounded = pick_bits(draft.unbounded, permutation);
        if let Some(padded) = draft.padded {
            let widths = pick(padded.widths.as_slice(), permutation);
            transposed.padded = Some(Padded { widths, ..padded });
        }
        valid(transposed)
    }

    /// A layout for the array reshaped to `dims` in which the reshape moves no byte; `None` if there is no such layout, with these
    /// tiles or without tiles. Explicit padding is not kept.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,8,5,7,11]{3,2,1,0,4}".parse().unwrap();
    /// assert_eq!(spec.align_layout(&[3, 2, 4, 35, 1, 11]).unwrap().to_string(), "f32[3,2,4,35,1,11]{4,3,2,1,0,5}");
    /// assert_eq!(spec.align_layout(&[3, 8, 5, 11, 7]), None);
    /// ```
    pub const fn align_layout(&self, dims: &[usize]) -> Option<Self> {
        let Some(dims) = List::of(dims) else { return None };
        let row_major = Draft::row_major(self.dtype(), dims);
        let mut draft = Draft { dims, minor_to_major: row_major.minor_to_major, ..*self.draft() };
        (draft.bounded, draft.padded, draft.splits) = (0, None, row_major.splits);
        let plain = without_tiles(&draft);
        let order = self.aligned_order(dims.as_slice());
        // First the order that XLA chooses, if it moves no byte.
        let drafts = [draft, plain];
        let mut i = 0;
        while i < drafts.len() {
            if let Some(order) = order
                && let Some(aligned) = valid(Draft { minor_to_major: order, ..drafts[i] })
                && aligned.same_bytes(self)
            {
                return Some(aligned);
            }
            if let Some(aligned) = Orders::of(self, drafts[i]) {
                return Some(aligned);
            }
            i += 1;
        }
        None
    }

    /// The change from this array to the other as a reshape, a transpose, or three such steps; `None` if it moves bytes.
    ///
    /// ```
    /// use tensor_layout::{TiledSpec, tiled::Bitcast};
    /// let spec = |text: &str| text.parse::<TiledSpec>().unwrap();
    /// assert_eq!(spec("f32[6,4]").decompose_bitcast(&spec("f32[3,8]")), Some(Bitcast::Reshape));
    /// let transpose = spec("f32[6,4]").decompose_bitcast(&spec("f32[4,6]{0,1}")).unwrap();
    /// assert!(matches!(transpose, Bitcast::Transpose { permutation } if permutation == [1, 0]));
    /// let three_steps = spec("f32[6,4]{0,1}").decompose_bitcast(&spec("f32[8,3]")).unwrap();
    /// assert!(matches!(three_steps, Bitcast::TransposeReshapeTranspose { .. }));
    /// ```
    pub const fn decompose_bitcast(&self, other: &Self) -> Option<Bitcast> {
        if self.reshape_is_bitcast(other) {
            return Some(Bitcast::Reshape);
        }
        let (physical, other_physical) = (self.physical_order(), other.physical_order());
        let (Some(from), Some(to)) =
            (self.transposed(physical.as_slice()), other.transposed(other_physical.as_slice()))
        else {
            return None;
        };
        let Some(second) = inverse(other_physical.as_slice(), other.rank()) else { return None };
        if equal(from.dims(), to.dims()) {
            // Pairs the dimensions of the result and of the array that have the same position in the order of storage.
            let permutation = coordinates(pick(physical.as_slice(), second.as_slice()).as_slice());
            if self.transpose_is_bitcast(other, permutation.as_slice()) {
                return Some(Bitcast::Transpose { permutation });
            }
        }
        if !from.same_bytes(&to) {
            return None;
        }
        Some(Bitcast::TransposeReshapeTranspose {
            first: physical,
            from: coordinates(from.dims()),
            to: coordinates(to.dims()),
            second: coordinates(second.as_slice()),
        })
    }

    /// The dimensions from the most major to the most minor: minor_to_major backwards.
    pub const fn physical_order(&self) -> Coordinates {
        let mut order = coordinates(self.minor_to_major());
        let mut i = 0;
        while i < self.rank() {
            order.as_mut_slice()[i] = self.minor_to_major()[self.rank() - 1 - i];
            i += 1;
        }
        order
    }

    /// An order for the reshaped dimensions that follows the order of these. Both lists of sizes are cut into groups of equal
    /// products, and the dimensions of each group must be row-major and adjacent in the order.
    ///
    /// `[3,8,5,7,11]` and `[3,2,4,35,1,11]` have the groups `3 = 3`, `8 = 2 * 4`, `5 * 7 = 35 * 1` and `11 = 11`.
    const fn aligned_order(&self, dims: &[usize]) -> Option<List<usize, MAX_RANK>> {
        let order = self.minor_to_major();
        let mut aligned = List::new(0);
        let mut taken = [false; MAX_RANK];
        let mut at = 0;
        while at < order.len() {
            if self.dims()[order[at]] == 1 {
                at += 1;
                continue;
            }
            let Some(group) = Group::around(self.dims(), dims, order[at]) else { return None };
            // From the last dimension of the group to the first: row-major, minor to major.
            let mut dim = group.ours.1;
            while dim > group.ours.0 {
                dim -= 1;
                if self.dims()[dim] != 1 {
                    while at < order.len() && self.dims()[order[at]] == 1 {
                        at += 1;
                    }
                    if at == order.len() || order[at] != dim {
                        return None;
                    }
                    at += 1;
                }
            }
            let mut dim = group.others.1;
            while dim > group.others.0 {
                dim -= 1;
                aligned = push(aligned, dim);
                taken[dim] = true;
            }
        }
        // Dimensions of size one that are in no group become the most major ones.
        let mut dim = dims.len();
        while dim > 0 {
            dim -= 1;
            if !taken[dim] {
                aligned = push(aligned, dim);
            }
        }
        Some(aligned)
    }
}

/// A range of dimensions of one shape and a range of the other with the same product of sizes: `(first, end)` of each.
struct Group {
    ours: (usize, usize),
    others: (usize, usize),
}

impl Group {
    /// The smallest group that contains dimension `dim` of `ours`; `None` if the shapes differ in the number of elements.
    const fn around(ours: &[usize], others: &[usize], dim: usize) -> Option<Self> {
        let (mut i, mut j) = (0, 0);
        while i < ours.len() || j < others.len() {
            let start = (i, j);
            let (mut a, mut b): (u128, u128) = (1, 1);
            loop {
                if a <= b && i < ours.len() {
                    a = a.saturating_mul(ours[i] as u128);
                    i += 1;
                } else if j < others.len() {
                    b = b.saturating_mul(others[j] as u128);
                    j += 1;
                } else {
                    return None;
                }
                if a == b && (a != 1 || (i == ours.len() && j == others.len())) {
                    break;
                }
            }
            if start.0 <= dim && dim < i {
                // Dimensions of size one after the group also belong to it, so that none is left over.
                while j < others.len() && others[j] == 1 {
                    j += 1;
                }
                return Some(Self { ours: (start.0, i), others: (start.1, j) });
            }
            while j < others.len() && others[j] == 1 {
                j += 1;
            }
        }
        None
    }
}

/// The array without tiles, and without the tail alignment that only tiled arrays have.
const fn without_tiles(draft: &Draft) -> Draft {
    Draft { tiles: List::new(Tile::new(0)), tail_alignment: 1, ..*draft }
}

const fn untiled(draft: &Draft) -> Option<TiledSpec> {
    valid(without_tiles(draft))
}

const fn valid(draft: Draft) -> Option<TiledSpec> {
    match draft.validate() {
        Ok(spec) => Some(spec),
        Err(_) => None,
    }
}

/// The inverse permutation: the new position of each dimension. `None` if `permutation` is not a permutation of `rank` dimensions.
const fn inverse(permutation: &[usize], rank: usize) -> Option<List<usize, MAX_RANK>> {
    if permutation.len() != rank || rank > MAX_RANK {
        return None;
    }
    let mut inverse = [usize::MAX; MAX_RANK];
    let mut i = 0;
    while i < rank {
        if permutation[i] >= rank || inverse[permutation[i]] != usize::MAX {
            return None;
        }
        inverse[permutation[i]] = i;
        i += 1;
    }
    List::of(inverse.split_at(rank).0)
}

/// `from[at[0]], from[at[1]], ...`
const fn pick(from: &[usize], at: &[usize]) -> List<usize, MAX_RANK> {
    let mut picked = List::new(0);
    let mut i = 0;
    while i < at.len() {
        picked = push(picked, from[at[i]]);
        i += 1;
    }
    picked
}

const fn pick_bits(bits: u16, at: &[usize]) -> u16 {
    let mut picked = 0;
    let mut i = 0;
    while i < at.len() {
        picked |= (bits >> at[i] & 1) << i;
        i += 1;
    }
    picked
}

const fn push(list: List<usize, MAX_RANK>, item: usize) -> List<usize, MAX_RANK> {
    match list.push(item) {
        Ok(list) | Err(list) => list,
    }
}

const fn coordinates(at: &[usize]) -> Coordinates {
    match Coordinates::new(at) {
        Some(coordinates) => coordinates,
        None => unreachable!(),
    }
}

pub(super) const fn equal(a: &[usize], b: &[usize]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    fn spec(text: &str) -> TiledSpec {
        text.parse().unwrap()
    }

    /// Whether a transpose moves no byte, element by element.
    fn stays(a: &TiledSpec, b: &TiledSpec, permutation: &[usize]) -> bool {
        a.indices().all(|index| {
            let transposed: Vec<usize> = permutation.iter().map(|&dim| index[dim]).collect();
            b.checked_offset(&transposed) == Some(a.offset(&index))
        })
    }

    #[test]
    fn transposes_are_bitcasts_where_no_element_moves() {
        let layouts = ["{0,1,2}", "{0,2,1}", "{1,0,2}", "{1,2,0}", "{2,0,1}", "{2,1,0}"];
        let tiles = ["", ":T(2,2)", ":T(4,2)(2,1)"];
        let permutations = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut found = 0;
        for (a, b) in layouts.iter().flat_map(|a| layouts.iter().map(move |b| (a, b))) {
            for (s, t) in tiles.iter().flat_map(|s| tiles.iter().map(move |t| (s, t))) {
                for permutation in permutations {
                    let dims = [2, 3, 4];
                    let turned = permutation.map(|dim| dims[dim]);
                    let layout =
                        |order: &str, tiles: &str| order.replace('}', &alloc::format!("{tiles}}}"));
                    let a = spec(&alloc::format!("f32[2,3,4]{}", layout(a, s)));
                    let [x, y, z] = turned;
                    let b = spec(&alloc::format!("f32[{x},{y},{z}]{}", layout(b, t)));
                    let answer = a.transpose_is_bitcast(&b, &permutation);
                    assert_eq!(answer, stays(&a, &b, &permutation), "{a} {b} {permutation:?}");
                    found += usize::from(answer);
                }
            }
        }
        assert!(found >= 6 * 6 * 3, "{found}");
    }

    #[test]
    fn reshapes_are_bitcasts_between_row_major_arrays_only() {
        assert!(spec("f32[3,4]").reshape_is_bitcast(&spec("f32[6,2]")));
        assert!(!spec("f32[3,4]{0,1}").reshape_is_bitcast(&spec("f32[6,2]{0,1}")));
        assert!(!spec("f32[3,4]").reshape_is_bitcast(&spec("f32[6,2]{0,1}")));
        assert!(!spec("f32[3,4]").reshape_is_bitcast(&spec("s32[6,2]")));
        assert!(
            spec("f32[2,8,128]{2,1,0:T(8,128)}")
                .reshape_is_bitcast(&spec("f32[16,128]{1,0:T(8,128)}"))
        );
        assert!(
            !spec("f32[2,4,128]{2,1,0:T(8,128)}")
                .reshape_is_bitcast(&spec("f32[8,128]{1,0:T(8,128)}"))
        );
    }

    #[test]
    fn aligned_layouts_make_the_reshape_a_bitcast() {
        for (from, dims, aligned) in [
            (
                "f32[3,8,5,7,11]{3,2,1,0,4}",
                &[3, 2, 4, 35, 11][..],
                Some("f32[3,2,4,35,11]{3,2,1,0,4}"),
            ),
            ("f32[3,8,5,7,11]{3,2,1,0,4}", &[24, 5, 7, 11], Some("f32[24,5,7,11]{2,1,0,3}")),
            ("f32[4,6]{0,1}", &[2, 2, 6], Some("f32[2,2,6]{1,0,2}")),
            ("f32[4,6]{0,1}", &[24], None),
            ("f32[4,6]{0,1}", &[5, 5], None),
            ("f32[16,128]{1,0:T(8,128)}", &[2, 8, 128], Some("f32[2,8,128]{2,1,0:T(8,128)}")),
            ("f32[8,128]{1,0:T(8,128)}", &[1024], Some("f32[1024]{0}")),
            ("f32[3,5]{1,0:T(8,128)}", &[15], None),
            ("f32[]", &[1, 1], Some("f32[1,1]{1,0}")),
            // A dimension of size 1 that fills the second-minor entry of a tile.
            ("f32[2,4]{1,0:T(2,1,2)}", &[8, 1], Some("f32[8,1]{0,1:T(2,1,2)}")),
            ("f32[1,8]{1,0:T(2,4)}", &[2, 4], None),
            ("f32[8]{0:T(2,4)}", &[8, 1], Some("f32[8,1]{0,1:T(2,4)}")),
            // Tiles that transpose a matrix.
            ("f32[2,2]{1,0:T(2,1)}", &[2, 1, 2], Some("f32[2,1,2]{2,0,1:T(2,1)}")),
        ] {
            let spec = spec(from);
            let found = spec.align_layout(dims);
            assert_eq!(found.map(|spec| spec.to_string()).as_deref(), aligned, "{from} {dims:?}");
            assert!(found.is_none_or(|found| found.same_bytes(&spec)), "{from} {dims:?}");
        }
    }

    #[test]
    fn a_decomposed_bitcast_moves_no_byte_at_any_step() {
        let from = spec("f32[6,4]{0,1}");
        let to = spec("f32[2,12]{0,1}");
        let Some(Bitcast::TransposeReshapeTranspose { first, from: before, to: after, second }) =
            from.decompose_bitcast(&to)
        else {
            panic!("three steps are needed")
        };
        let turned = from.transposed(&first).unwrap();
        assert_eq!(turned.dims(), &before[..]);
        let reshaped = turned.align_layout(&after).unwrap();
        let turned = reshaped.transposed(&second).unwrap();
        assert_eq!(turned.dims(), to.dims());
        assert!(turned.same_bytes(&to));
        assert_eq!(from.decompose_bitcast(&spec("f32[6,4]{1,0:T(2,2)}")), None);
    }
}
