//! Dimensions as arguments, as a number or as a list.

use alloc::vec::Vec;

/// The number of a dimension: a `usize`, or an `i32`. A negative number counts back from the end: `-1` is the last dimension.
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let logits = <tiled!(f32[2,3])>::pack(&[0.0; 6]).unwrap();
/// assert_eq!(logits.softmax(-1), logits.softmax(1));
/// ```
#[diagnostic::on_unimplemented(
    message = "a dimension is a number, not `{Self}`",
    label = "expected a `usize` or an `i32`",
    note = "dimensions count from 0, or back from the last, `-1`"
)]
pub trait Dim: Copy {
    /// The number of the dimension of an array of `rank` dimensions, counted from 0.
    #[doc(hidden)]
    fn number(self, rank: usize) -> usize;
}

#[diagnostic::do_not_recommend]
impl Dim for usize {
    fn number(self, _rank: usize) -> usize {
        self
    }
}

#[diagnostic::do_not_recommend]
impl Dim for i32 {
    #[track_caller]
    fn number(self, rank: usize) -> usize {
        match usize::try_from(self) {
            Ok(number) => number,
            Err(_) => rank
                .checked_sub(self.unsigned_abs() as usize)
                .unwrap_or_else(|| panic!("dimension {self} does not exist: the rank is {rank}")),
        }
    }
}

/// Dimensions to reduce: a list, `&[0, 1]`, or one [`Dim`].
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let acts = <tiled!(f32[2,3])>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
/// assert_eq!(acts.sum(&[1]), [6.0, 15.0]);
/// assert_eq!(acts.sum(1), acts.sum(-1));
/// assert_eq!(acts.sum(&[0, 1]), [21.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "dimensions are a number or a list of numbers, not `{Self}`",
    label = "expected dimensions, such as `&[0, 1]`",
    note = "`x.sum(0)` sums over the first dimension, `x.sum(-1)` over the last, and `x.sum(&[0, 1])` over two; the sum of all elements is `x.total()`"
)]
pub trait Dims: Copy + core::fmt::Debug {
    /// A bit for each of these dimensions of an array of `sizes`, and the number of their indices.
    ///
    /// # Panics
    /// If a number is not a dimension, or occurs twice.
    #[doc(hidden)]
    fn of(self, sizes: &[usize]) -> (u16, usize);

    /// Panics unless these dimensions are in ascending order.
    #[doc(hidden)]
    fn ascending(self);
}

/// Panics unless the dimensions are in ascending order, which is the order in which the values of a broadcast are read.
#[track_caller]
pub(crate) const fn require_ascending(dims: &[usize]) {
    let mut at = 1;
    while at < dims.len() {
        if dims[at - 1] >= dims[at] {
            panic!(
                "the dimensions of a broadcast are in ascending order: use `transpose` to put those of the array in order"
            )
        }
        at += 1;
    }
}

#[diagnostic::do_not_recommend]
impl Dims for &[usize] {
    #[track_caller]
    fn of(self, sizes: &[usize]) -> (u16, usize) {
        let (mut set, mut count) = (0, 1);
        for &dim in self {
            assert!(
                dim < sizes.len(),
                "dimension {dim} does not exist: the rank is {}",
                sizes.len()
            );
            assert!(set >> dim & 1 == 0, "dimension {dim} is given twice");
            set |= 1 << dim;
            count *= sizes[dim];
        }
        (set, count)
    }

    #[track_caller]
    fn ascending(self) {
        require_ascending(self);
    }
}

macro_rules! lists {
    ($([$($generics:tt)*] $List:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Dims for $List {
            #[track_caller]
            fn of(self, sizes: &[usize]) -> (u16, usize) {
                self.as_slice().of(sizes)
            }

            #[track_caller]
            fn ascending(self) {
                self.as_slice().ascending();
            }
        }
    )* };
}
lists! { [const N: usize] &[usize; N] [] &Vec<usize> }

macro_rules! numbers {
    ($($Number:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Dims for $Number {
            #[track_caller]
            fn of(self, sizes: &[usize]) -> (u16, usize) {
                [self.number(sizes.len())].of(sizes)
            }

            fn ascending(self) {}
        }
    )* };
}
numbers! { usize i32 }

#[cfg(test)]
mod tests {
    use super::{Dim, Dims};
    use crate::{Packed, tiled};

    #[test]
    fn numbers_and_lists_are_the_same_dimensions() {
        let sizes = [2, 3, 5];
        assert_eq!((2usize.of(&sizes), 2i32.of(&sizes), (-1).of(&sizes)), ((4, 5), (4, 5), (4, 5)));
        assert_eq!([0, 2].of(&sizes), (5, 10));
        assert_eq!(vec![0, 2].as_slice().of(&sizes), (&vec![0, 2]).of(&sizes));
        assert_eq!([-3, -2, -1, 0, 1, 2].map(|dim: i32| dim.number(3)), [0, 1, 2, 0, 1, 2]);
    }

    #[test]
    #[should_panic(expected = "dimension -3 does not exist: the rank is 2")]
    fn a_negative_number_beyond_the_first_dimension_panics() {
        Packed::<tiled!(f32[2,3])>::filled(1.0).sum(-3);
    }
}
