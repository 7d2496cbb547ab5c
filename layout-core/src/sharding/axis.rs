//! Axes and sub-axes, and the operations on them from which shardings are built.

use alloc::borrow::Cow;
use core::fmt;
use smallvec::SmallVec;

/// A part of an axis. The axis of size `n` is reshaped to `[pre, size, n / (pre * size)]`, and the sub-axis is the middle
/// dimension. For an axis of size 8, `(2)2` is the middle dimension of `[2, 2, 2]`.
///
/// ```
/// use tensor_layout::sharding::{SubAxis, TensorSharding};
/// let sharding: TensorSharding = r#"<@mesh, [{"x":(2)2}]>"#.parse()?;
/// assert_eq!(sharding.dims[0].axes[0].sub, Some(SubAxis { pre: 2, size: 2 }));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SubAxis {
    /// The product of the sizes of the sub-axes to its left.
    pub pre: usize,
    /// Its size.
    pub size: usize,
}

/// An axis of a mesh, or a sub-axis of an axis: `"x"`, `"x":(2)4`.
///
/// ```
/// use tensor_layout::sharding::AxisRef;
/// assert_eq!(AxisRef::full("x").to_string(), r#""x""#);
/// assert_eq!(AxisRef::part("x", 2, 4).to_string(), r#""x":(2)4"#);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AxisRef {
    /// The name of the axis.
    pub name: Cow<'static, str>,
    /// The part of the axis; `None` for the whole axis.
    pub sub: Option<SubAxis>,
}

impl AxisRef {
    /// A whole axis.
    pub fn full(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), sub: None }
    }

    /// A part of an axis.
    pub fn part(name: impl Into<Cow<'static, str>>, pre: usize, size: usize) -> Self {
        Self { name: name.into(), sub: Some(SubAxis { pre, size }) }
    }
}

impl fmt::Display for AxisRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Quoted(&self.name).fmt(f)?;
        match self.sub {
            Some(SubAxis { pre, size }) => write!(f, ":({pre}){size}"),
            None => Ok(()),
        }
    }
}

/// A name, quoted as in MLIR.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\22")?,
                '\\' => f.write_str("\\\\")?,
                c if c.is_ascii_control() => write!(f, "\\{:02X}", c as u32)?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

/// Axes, major to minor.
pub(crate) type AxisList = SmallVec<[Axis; 2]>;

/// An axis or a sub-axis of a known mesh. A full axis is the part with the pre-size 1 and the size of the axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[doc(hidden)]
pub struct Axis {
    index: u16,
    full: bool,
    pre: u32,
    size: u32,
}

impl Axis {
    pub(crate) const fn full(index: usize, size: usize) -> Self {
        Self { index: index as u16, full: true, pre: 1, size: narrow(size) }
    }

    pub(crate) const fn sub(index: usize, pre: usize, size: usize) -> Self {
        Self { index: index as u16, full: false, pre: narrow(pre), size: narrow(size) }
    }

    /// The part of the same axis with this pre-size and size.
    pub(crate) const fn part(self, pre: usize, size: usize) -> Self {
        Self { index: self.index, full: false, pre: pre as u32, size: size as u32 }
    }

    /// The number of the axis in the mesh.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    pub(crate) const fn is_full(self) -> bool {
        self.full
    }

    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// The product of the sizes of the sub-axes to its left.
    pub(crate) const fn pre(self) -> usize {
        self.pre as usize
    }

    /// The pre-size of the sub-axis that follows.
    pub const fn end(self) -> usize {
        (self.pre as u64 * self.size as u64) as usize
    }

    pub(crate) fn sub_axis(self) -> Option<SubAxis> {
        (!self.full).then(|| SubAxis { pre: self.pre(), size: self.size() })
    }

    /// Whether `other` is this axis or a part of it.
    pub(crate) const fn contains(self, other: Self) -> bool {
        self.index == other.index
            && (self.full || !other.full && self.pre <= other.pre && self.end() >= other.end())
    }

    /// Whether this is the major part of `other`, or the whole of it.
    pub(crate) const fn is_prefix_of(self, other: Self) -> bool {
        other.contains(self) && self.pre == other.pre
    }

    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.index == other.index
            && (self.full
                || other.full
                || (self.pre as usize) < other.end() && (other.pre as usize) < self.end())
    }

    /// Whether an axis can be cut into sub-axes that include both.
    pub(crate) fn can_coexist(self, other: Self) -> bool {
        if self.index != other.index || self.full || other.full {
            return true;
        }
        let (min_pre, max_pre) = order(self.pre(), other.pre());
        let (min_end, max_end) = order(self.end(), other.end());
        if min_end > max_pre {
            max_pre.is_multiple_of(min_pre)
                && min_end.is_multiple_of(max_pre)
                && max_end.is_multiple_of(min_end)
        } else {
            max_pre.is_multiple_of(min_end)
        }
    }

    /// The longest major part of this axis that does not overlap `other`.
    pub(crate) fn prefix_without_overlap(self, other: Self) -> Option<Self> {
        if self.index != other.index {
            return Some(self);
        }
        if !self.can_coexist(other) {
            return None;
        }
        if !self.overlaps(other) {
            return Some(self);
        }
        (self.pre < other.pre).then(|| self.part(self.pre(), other.pre() / self.pre()))
    }

    /// [`Axis::prefix_without_overlap`] for each of `others`.
    pub(crate) fn prefix_without_overlaps(self, others: &[Self]) -> Option<Self> {
        others.iter().try_fold(self, |axis, &other| axis.prefix_without_overlap(other))
    }

    /// Whether `next` is the sub-axis that follows this one.
    pub(crate) const fn can_merge(self, next: Self) -> bool {
        !self.full && !next.full && self.index == next.index && self.end() == next.pre as usize
    }

    /// Both as one axis. If together they are the full axis, whose size is `axis_size`, the result is the full axis.
    pub(crate) const fn merge(self, next: Self, axis_size: usize) -> Self {
        let size = self.size as u64 * next.size as u64;
        Self {
            index: self.index,
            full: size as usize == axis_size,
            pre: self.pre,
            size: size as u32,
        }
    }
}

/// A size that is too large for an axis becomes the largest number, which fails every check.
const fn narrow(size: usize) -> u32 {
    if size > u32::MAX as usize { u32::MAX } else { size as u32 }
}

fn order(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The parts of axis number `index`, of size `size`, that `used` does not cover, major to minor.
pub(crate) fn uncovered(index: usize, size: usize, used: &[Axis]) -> AxisList {
    let mut of_axis: AxisList = used.iter().copied().filter(|axis| axis.index() == index).collect();
    of_axis.sort_unstable_by_key(|axis| axis.pre());
    let whole = Axis::full(index, size);
    if of_axis.is_empty() {
        return [whole].into_iter().collect();
    }
    let (mut gaps, mut end) = (AxisList::new(), 1);
    for axis in of_axis {
        if axis.pre() > end {
            gaps.push(whole.part(end, axis.pre() / end));
        }
        end = end.max(axis.end());
    }
    if size > end {
        gaps.push(whole.part(end, size / end));
    }
    gaps
}

/// The product of the sizes of axes.
pub(crate) fn product(axes: &[Axis]) -> usize {
    axes.iter().fold(1, |product, axis| product.saturating_mul(axis.size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sub(pre: usize, size: usize) -> Axis {
        Axis::sub(0, pre, size)
    }

    #[test]
    fn sub_axes_lie_in_each_other() {
        let full = Axis::full(0, 24);
        assert!(full.contains(sub(2, 3)) && !sub(2, 3).contains(full));
        assert!(sub(2, 6).contains(sub(2, 3)) && sub(2, 6).contains(sub(6, 2)));
        assert!(sub(2, 3).is_prefix_of(sub(2, 6)) && !sub(6, 2).is_prefix_of(sub(2, 6)));
        assert!(sub(1, 4).overlaps(sub(2, 4)) && !sub(1, 2).overlaps(sub(2, 4)));
        assert!(!full.overlaps(Axis::full(1, 24)) && Axis::full(2, 1).overlaps(Axis::full(2, 1)));
    }

    #[test]
    fn sub_axes_need_common_cuts() {
        assert!(sub(1, 2).can_coexist(sub(4, 3)));
        assert!(!sub(1, 2).can_coexist(sub(3, 2)));
        assert!(sub(1, 4).can_coexist(sub(2, 4)));
        assert!(!sub(1, 4).can_coexist(sub(1, 6)));
    }

    #[test]
    fn what_no_part_covers_is_left() {
        let left = |used: &[Axis]| uncovered(0, 24, used).to_vec();
        assert_eq!(left(&[]), [Axis::full(0, 24)]);
        assert_eq!(left(&[Axis::full(1, 2), sub(2, 3)]), [sub(1, 2), sub(6, 4)]);
        assert_eq!(left(&[sub(12, 2), sub(1, 2)]), [sub(2, 6)]);
        assert!(left(&[Axis::full(0, 24)]).is_empty());
    }

    #[test]
    fn a_prefix_ends_where_the_other_begins() {
        assert_eq!(sub(1, 8).prefix_without_overlap(sub(4, 2)), Some(sub(1, 4)));
        assert_eq!(sub(4, 2).prefix_without_overlap(sub(1, 8)), None);
        assert_eq!(Axis::full(0, 24).prefix_without_overlap(sub(2, 3)), Some(sub(1, 2)));
        assert_eq!(sub(1, 2).prefix_without_overlap(sub(3, 2)), None);
        assert_eq!(sub(1, 2).merge(sub(2, 12), 24), Axis::full(0, 24));
        assert_eq!(sub(2, 2).merge(sub(4, 3), 24), sub(2, 6));
    }
}
