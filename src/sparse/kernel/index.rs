//! Elements of index arrays.

use super::error::KernelError;

/// An element of an index array, such as `p` in `x[p[i]]`: an integer of any width.
///
/// ```
/// use tensor_layout::sparse_kernel;
/// sparse_kernel! {
///     fn pick(x: Dense<f64>[j], p: Dense<u32>[i]) -> y: Dense<f64>[i] { y[i] = x[p[i]] }
/// }
/// # fn main() {
/// assert_eq!(pick(&[1.0, 2.0, 3.0], &[2_u32, 0]).unwrap().values(), [3.0, 1.0]);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not indices",
    label = "an index array has elements of an integer type, such as `u32` or `usize`",
    note = "give the array a type of integers, and convert its numbers before the call"
)]
pub trait IndexElement: Copy {
    /// The number. A negative number becomes larger than every size.
    #[doc(hidden)]
    fn index(self) -> usize;

    /// The number.
    #[doc(hidden)]
    fn number(self) -> i128;
}

macro_rules! integers {
    ($($T:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl IndexElement for $T {
            #[inline(always)]
            fn index(self) -> usize {
                // A number that does not fit is larger than every size too.
                usize::try_from(self).unwrap_or(usize::MAX)
            }

            #[inline(always)]
            fn number(self) -> i128 {
                self as i128
            }
        }
    )* };
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

/// An element of an index array that has been checked.
#[doc(hidden)]
#[inline(always)]
pub fn element<T: IndexElement>(element: T) -> usize {
    element.index()
}

/// The first element that is not an index below `size`, and its position.
pub(super) fn first_outside<T: IndexElement>(elements: &[T], size: usize) -> Option<(usize, T)> {
    // First finds the largest, without a branch for each element.
    let largest = elements.iter().fold(0, |largest, element| element.index().max(largest));
    if elements.is_empty() || largest < size {
        return None;
    }
    let position = elements.iter().position(|element| element.index() >= size)?;
    Some((position, elements[position]))
}

/// Checks that the elements of an index array are below a size.
///
/// # Errors
/// If an element is not below the size. The error contains its position.
#[doc(hidden)]
pub fn check_elements<T: IndexElement>(
    (array, elements): (&'static str, &[T]),
    (index, size): (&'static str, usize),
) -> Result<(), KernelError> {
    match first_outside(elements, size) {
        None => Ok(()),
        Some((position, element)) => {
            Err(KernelError::Index { array, position, found: element.number(), index, size })
        }
    }
}
