//! Arrays as text: the values, in the format of `ndarray`, and the layout.

use super::packed::Packed;
use super::view::{PackedMut, PackedRef};
use super::{DynPacked, Layout};
use crate::element::Element;
use core::fmt;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;

/// Arrays of fewer elements are printed completely.
const ALL: usize = 500;
/// The number of rows and of columns that are printed of a larger array.
const ROWS: usize = 11;
/// The number of indices that are printed of each dimension before the last two.
const STACKED: usize = 6;

/// Prints the values, in the format of `ndarray`, and the layout. For an array of 500 elements or more, `{:?}` prints the first
/// and the last elements along each dimension, and `{:#?}` prints all.
///
/// ```
/// use tensor_layout::{Layout, tpu};
/// let packed = <tpu!(f32[2,3])>::pack(&[0.5, 1.0, 1.5, 2.0, 2.5, 3.0]).unwrap();
/// assert_eq!(format!("{packed:?}"), "\
/// [[0.5, 1.0, 1.5],
///  [2.0, 2.5, 3.0]], layout=f32[2,3]{1,0:T(2,128)}");
/// ```
impl<L: Layout> fmt::Debug for PackedRef<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(f, &<L as Layout>::SPEC, self.sizes(), &|from| {
            let mut index = L::Index::default();
            index.as_mut().copy_from_slice(from);
            self.get(index)
        })
    }
}

/// Prints the array as [`Packed`] does.
impl<E: Element> fmt::Debug for DynPacked<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(f, self.spec(), self.dims(), &|index| self.get(index))
    }
}

impl<L: Layout> fmt::Debug for PackedMut<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

impl<L: Layout> fmt::Debug for Packed<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

/// Writes an array of `sizes`, and its layout.
fn print<H: fmt::Debug>(
    f: &mut fmt::Formatter<'_>,
    spec: &TiledSpec,
    sizes: &[usize],
    get: &dyn Fn(&[usize]) -> H,
) -> fmt::Result {
    let elements: usize = sizes.iter().product();
    if elements == 0 {
        sizes.iter().try_for_each(|_| f.write_str("["))?;
        sizes.iter().try_for_each(|_| f.write_str("]"))?;
    } else {
        let all = elements < ALL || f.alternate();
        let mut index = [0; MAX_RANK];
        write(f, sizes, get, &mut index[..sizes.len()], 0, all)?;
    }
    write!(f, ", layout={spec}")
}

/// Writes the elements whose index starts with the first `dim` coordinates of `index`.
fn write<H: fmt::Debug>(
    f: &mut fmt::Formatter<'_>,
    sizes: &[usize],
    get: &dyn Fn(&[usize]) -> H,
    index: &mut [usize],
    dim: usize,
    all: bool,
) -> fmt::Result {
    if dim == sizes.len() {
        return fmt::Debug::fmt(&get(index), f);
    }
    let (inner, size) = (sizes.len() - dim - 1, sizes[dim]);
    let most = if inner < 2 { ROWS } else { STACKED };
    // A comma between elements, an indented new line between rows, and one more new line for each further dimension that ends.
    let separate = |f: &mut fmt::Formatter<'_>| {
        if inner == 0 {
            return f.write_str(", ");
        }
        f.write_str(",")?;
        (0..inner).try_for_each(|_| f.write_str("\n"))?;
        (0..=dim).try_for_each(|_| f.write_str(" "))
    };
    f.write_str("[")?;
    let edge = if all || size <= most { size } else { most / 2 };
    for i in (0..edge).chain(size - edge.min(size - edge)..size) {
        if i > 0 {
            separate(f)?;
        }
        if i == size - edge && edge < size {
            f.write_str("...")?;
            separate(f)?;
        }
        index[dim] = i;
        write(f, sizes, get, index, dim + 1, all)?;
    }
    f.write_str("]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::*;
    use crate::{S8, S32, Tiled};
    use alloc::format;

    #[test]
    fn values_are_printed_as_ndarray_prints_them() {
        type Cube = Tiled<S8, Shape3<2, 2, 2>, Order3<0, 2, 1>>;
        let cube = Cube::pack(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        let text = "[[[1, 2],\n  [3, 4]],\n\n [[5, 6],\n  [7, 8]]], layout=s8[2,2,2]{0,2,1}";
        assert_eq!(format!("{cube:?}"), text);
        assert_eq!(format!("{:?}", cube.into_dyn().unwrap()), text);
        let scalar = <Tiled<S8, Shape0, Order0>>::pack(&[3]).unwrap();
        assert_eq!(format!("{scalar:?}"), "3, layout=s8[]");
        let empty = <Tiled<S8, Shape2<0, 3>, Order2<1, 0>>>::pack(&[]).unwrap();
        assert_eq!(format!("{empty:?}"), "[[]], layout=s8[0,3]{1,0}");
    }

    #[test]
    fn large_arrays_are_abridged() {
        type Long = Tiled<S32, Shape1<500>, Order1<0>>;
        let long = Packed::<Long>::from_fn(|[i]| i as i32);
        let text = "[0, 1, 2, 3, 4, ..., 495, 496, 497, 498, 499], layout=s32[500]{0}";
        assert_eq!(format!("{long:?}"), text);
        assert_eq!(format!("{long:#?}").matches(", ").count(), 500);

        type Stack = Tiled<S32, Shape3<7, 12, 11>, Order3<2, 1, 0>>;
        let stack = Packed::<Stack>::from_fn(|[i, j, k]| (i * 10_000 + j * 100 + k) as i32);
        let text = format!("{stack:?}");
        let lines: alloc::vec::Vec<_> = text.lines().collect();
        // Three matrices of five rows, dots and five rows; dots; three more.
        assert_eq!(lines.len(), 6 * 11 + 1 + 6);
        assert_eq!(lines[0], "[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],");
        assert_eq!((lines[5], lines[11], lines[36]), ("  ...,", "", " ...,"));
        assert!(lines[6].starts_with("  [700, 701, 702,"), "{}", lines[6]);
    }
}
