//! Products of packed arrays in einsum notation.

/// A product of two packed arrays of up to eight dimensions each, with a letter for each dimension.
///
/// A dimension whose letter is in both operands but not in the result is summed over; one whose letter is in all three arrays
/// is a batch dimension. A letter of only one operand must also be in the result, and no array may have a letter twice. The
/// letters may be in any order, and dimensions with the same letter must have the same size, or the product does not compile. The
/// element types and the sums are those of [`matmul`](crate::matmul). The layout of the result is that of the variable to which
/// it is assigned.
///
/// ```
/// use tensor_layout::{Layout, Packed, einsum, half::bf16, tpu};
/// let q = <tpu!(bf16[4,20,64])>::pack(&[bf16::ONE; 4 * 20 * 64])?;
/// let k = <tpu!(bf16[4,30,64])>::pack(&[bf16::ONE; 4 * 30 * 64])?;
/// let scores: Packed<tpu!(f32[4,20,30])> = einsum!("bqd,bkd->bqk", q, k);
/// assert_eq!(scores.get([3, 19, 29]), 64.0);
///
/// // Heads side by side in each row, and the products in another order.
/// let heads = <tpu!(bf16[20,4,16])>::pack(&[bf16::ONE; 20 * 4 * 16])?;
/// let weights = <tpu!(bf16[4,16,64])>::pack(&[bf16::ONE; 4 * 16 * 64])?;
/// let y: Packed<tpu!(bf16[64,20])> = einsum!("thd,hdo->ot", heads, weights);
/// assert_eq!(y.get([63, 19]).to_f32(), 64.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
///
/// With one operand, it permutes dimensions:
/// ```
/// use tensor_layout::{Layout, Packed, einsum, tiled};
/// let a = <tiled!(f32[2,3])>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let transposed: Packed<tiled!(f32[3,2]{1,0:T(8,128)})> = einsum!("ij->ji", a);
/// assert_eq!(transposed.unpack(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
///
/// Sizes that differ, here those of `d`, do not compile:
/// ```compile_fail
/// # use tensor_layout::{Packed, einsum, tiled};
/// # let q = Packed::<tiled!(f32[4,20,64])>::zeroed().unwrap();
/// let k = Packed::<tiled!(f32[4,30,65])>::zeroed().unwrap();
/// let scores: Packed<tiled!(f32[4,20,30])> = einsum!("bqd,bkd->bqk", q, k);
/// ```
///
/// # Speed
/// If the letters of an operand are batch letters followed by two others, and the tiles of its layout extend over at most these
/// two dimensions, its matrices are multiplied in place. Other operands and results are copied to such an order.
///
/// # Panics
/// If memory cannot be allocated, as collections do; [`try_dot_general`](crate::try_dot_general) returns an error instead. Also
/// if bounded dimensions with the same letter differ in size. With one operand, if a dimension that is bounded only there is shorter
/// than its bound.
#[macro_export]
macro_rules! einsum {
    ($($input:tt)*) => { $crate::__private::macros::einsum! { [$crate] $($input)* } };
}
