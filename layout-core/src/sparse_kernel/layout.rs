//! The layouts of packed operands: their text, and how the loops read them.
//!
//! An operand is read in place if the offset of an element is a sum of one number for each coordinate, and if its rows, or runs of
//! 32 elements of them, are contiguous: `f32[64,256]{1,0:T(8,128)}`, and every layout without tiles whose last dimension is minor.
//! Any other operand is unpacked once before the loops run. In `bf16[64,256]{1,0:T(8,128)(2,1)}` a row alternates with the row
//! below it, so reading a row touches twice as many cache lines, and loops read rows more often than there are rows.

use super::element::ElementType;
use crate::dtype::DType;
use crate::tiled::TiledSpec;
use alloc::vec::Vec;

/// The layout of `tpu!(..)` or `tiled!(..)`, if all of its sizes are numbers.
///
/// ```
/// use tensor_layout::sparsify::layout_of;
/// let layout = layout_of("tpu!(bf16[64, 256])").unwrap();
/// assert_eq!(layout.to_string(), "bf16[64,256]{1,0:T(8,128)(2,1)}");
/// assert_eq!(layout_of("Weights"), None);
/// ```
pub fn layout_of(text: &str) -> Option<TiledSpec> {
    let (name, rest) = text.split_once('!')?;
    let array = rest.trim().get(1..rest.trim().len().checked_sub(1)?)?;
    match name.trim().rsplit(':').next()? {
        "tiled" => array.parse().ok(),
        "tpu" => {
            let (dtype, dims) = array.trim().split_once('[')?;
            let dims = dims.strip_suffix(']')?;
            let dims = dims.split(',').map(|dim| dim.trim().parse().ok());
            let dims: Vec<usize> = dims.collect::<Option<_>>()?;
            TiledSpec::tpu_default(DType::from_name(dtype.trim())?, &dims)
        }
        _ => None,
    }
}

/// The longest strip of lanes of a kernel; the lengths of all other strips divide it.
const LANES: usize = 32;

/// The number of contiguous elements in each run of a row, if the offset of an element is a sum of one number for each
/// coordinate; 0 if it is not.
const fn run(layout: &TiledSpec) -> usize {
    let (map, rank) = (layout.map(), layout.rank());
    if !map.terms().is_empty() {
        return 0;
    }
    let mut number = 0;
    while number < map.parts().len() {
        let part = map.parts()[number];
        if part.source + 1 == rank && part.div == 1 && part.stride == 1 && part.size > 1 {
            return part.size;
        }
        number += 1;
    }
    // A single column is a run of one element.
    if rank > 0 && layout.dims()[rank - 1] == 1 { 1 } else { 0 }
}

/// Whether the loops of a kernel read an operand in this layout in place.
#[doc(hidden)]
pub const fn is_read_in_place(layout: &TiledSpec) -> bool {
    let (run, rank) = (run(layout), layout.rank());
    let whole = run > 0 && run >= layout.dims()[rank - 1];
    // The loops read vectors in row-major order.
    whole || rank > 1 && run > 0 && run % LANES == 0
}

/// The host type of the elements of a layout, by the name of its element type.
pub(super) fn elements_of(dtype: &str) -> Option<ElementType> {
    Some(match DType::from_name(dtype)? {
        DType::PRED => ElementType::Bool,
        DType::F16 => ElementType::F16,
        DType::BF16 => ElementType::Bf16,
        DType::F32 => ElementType::F32,
        DType::F64 => ElementType::F64,
        // Types narrower than a byte have a whole byte each on the host.
        DType::S1 | DType::S2 | DType::S4 | DType::S8 => ElementType::I8,
        DType::S16 => ElementType::I16,
        DType::S32 => ElementType::I32,
        DType::S64 => ElementType::I64,
        DType::U1 | DType::U2 | DType::U4 | DType::U8 => ElementType::U8,
        DType::U16 => ElementType::U16,
        DType::U32 => ElementType::U32,
        DType::U64 => ElementType::U64,
        DType::C64 => ElementType::Complex32,
        DType::C128 => ElementType::Complex64,
        _ => return None,
    })
}
