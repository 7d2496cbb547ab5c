//! Packs arrays with any strides: transposed, reversed, broadcast or cut out of larger ones.

use super::error::PackError;
use super::run_time::{DynLayout, allocate};
use super::transfer::check_layout;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;

/// Host values given as bytes, at any strides, as in NumPy's arrays.
///
/// A stride is the number of bytes from one index of a dimension to the next. It is negative for a reversed dimension, and zero
/// for a broadcast one.
///
/// ```
/// use tensor_layout::{DynLayout, Strided, TiledSpec};
/// let spec: TiledSpec = "s8[2,3]".parse()?;
/// let mut packed = [0; 6];
/// // The values 1, 2 and 3 in reverse, as both rows.
/// let values = Strided { bytes: &[1, 2, 3], first: 2, strides: &[0, -1] };
/// spec.pack_strided_bytes(values, &mut packed)?;
/// assert_eq!(packed, [3, 2, 1, 3, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    /// The memory that contains the values.
    pub bytes: &'a [u8],
    /// The byte at which the element with index 0 in every dimension starts.
    pub first: usize,
    /// The stride in bytes of each dimension.
    pub strides: &'a [isize],
}

/// See [`DynLayout::pack_strided_bytes`].
pub(super) fn pack(
    spec: &TiledSpec,
    values: Strided<'_>,
    packed: &mut [u8],
) -> Result<(), PackError> {
    check_layout(spec)?;
    let width = spec.dtype().byte_width();
    check(spec, values, width)?;
    let mut rows = allocate::<u8>(spec, spec.elements() * width)?;
    gather(spec.dims(), values, width, &mut rows);
    spec.pack_bytes(&rows, packed)
}

/// Checks that every element is within the bytes.
fn check(spec: &TiledSpec, values: Strided<'_>, width: usize) -> Result<(), PackError> {
    let (dims, Strided { bytes, first, strides }) = (spec.dims(), values);
    if strides.len() != dims.len() {
        let (actual, expected) = (strides.len(), dims.len());
        return Err(PackError::Strides { actual, expected, layout: (*spec).into() });
    }
    if spec.elements() == 0 {
        return Ok(());
    }
    let (mut least, mut most) = (first as i128, first as i128 + width as i128);
    for (size, stride) in dims.iter().zip(strides) {
        // At most 63 bits by 64, and a sum of at most 16 such products.
        let reach = (*size as i128 - 1) * *stride as i128;
        least += reach.min(0);
        most += reach.max(0);
    }
    let reached = if least < 0 { least } else { most };
    match least < 0 || most > bytes.len() as i128 {
        true => Err(PackError::StridesReach { reached, len: bytes.len(), layout: (*spec).into() }),
        false => Ok(()),
    }
}

/// Copies the elements into row-major order. All of them must be within the bytes.
fn gather(dims: &[usize], values: Strided<'_>, width: usize, rows: &mut [u8]) {
    let Strided { bytes, first, strides } = values;
    let Some((&row, outer)) = dims.split_last() else {
        return rows.copy_from_slice(&bytes[first..first + width]);
    };
    let (stride, outer_strides) = (strides[outer.len()], &strides[..outer.len()]);
    let mut index = [0; MAX_RANK];
    let mut start = first;
    if rows.is_empty() {
        return;
    }
    for row in rows.chunks_exact_mut(row * width) {
        match usize::try_from(stride) == Ok(width) {
            true => row.copy_from_slice(&bytes[start..start + row.len()]),
            false => {
                let mut at = start;
                for element in row.chunks_exact_mut(width) {
                    element.copy_from_slice(&bytes[at..at + width]);
                    at = at.wrapping_add_signed(stride);
                }
            }
        }
        for dim in (0..outer.len()).rev() {
            index[dim] += 1;
            start = start.wrapping_add_signed(outer_strides[dim]);
            if index[dim] < outer[dim] {
                break;
            }
            start =
                start.wrapping_add_signed(outer_strides[dim].wrapping_mul(-(index[dim] as isize)));
            index[dim] = 0;
        }
    }
}
