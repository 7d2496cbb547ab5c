//! The macros. Each calls the procedural macro of the same name and passes it the path of this crate, `$crate`, so that the
//! crate may be renamed or re-exported.

/// A tiled layout in XLA's notation, as a type.
///
/// Accepts any static array shape of rank 0 to 16 as XLA prints it, `tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})`, and
/// the spelling of the documents, `tiled!(F32[3,5]<1,0:T(2,2)>)`. Without a layout the array is row-major.
///
/// This is `f32[3,5]{1,0:T(2,2)}`, in which each tile of 2 by 2 is contiguous. The colour is that of the tile, the number is the
/// offset, and padding is white:
///
#[cfg_attr(doc, doc = layout_macros::__pictures!("f32[3,5]{1,0:T(2,2)}"))]
///
/// # Attributes
/// These attributes may follow the dimensions, which are listed minor to major, in this order:
///
/// | attribute | meaning |
/// |---|---|
/// | `T(8,128)(2,1)` | The most minor dimensions are cut into tiles of 8 by 128, which are cut into tiles of 2 by 1, and so on. A size `*` combines a dimension with the next one. |
/// | `L(1024)` | The number of stored elements is rounded up to a multiple of 1024. |
/// | `E(4)` | Each element is stored in 4 bits, without gaps. |
/// | `S(1)` | The number of the memory that holds the array. |
/// | `SC(0:512)` | Physical dimension 0 is split at index 512, and each part is in another memory. |
/// | `M(16)` | 16 bytes of run-time sizes precede the array. |
///
/// Like all macros of this crate, it works whatever the crate is called: the dependency may be renamed in `Cargo.toml`, or be
/// re-exported by another crate, `pub use tensor_layout;`.
///
/// A size is a literal, a name (a const, or a const generic parameter), or an expression in braces. Literals are
/// checked by the macro, expressions by `cargo check`, and names where the type is first used.
///
/// ```
/// use tensor_layout::{Layout, Packed, tiled};
///
/// type Weights = tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)});
/// const _: () = assert!(Weights::LEN == 1000 * 384);
///
/// const ROWS: usize = 12;
/// type Rows = tiled!(f32[ROWS, {ROWS * 2}]{1,0:T(8,128)});
/// assert_eq!(Rows::DIMS, [12, 24]);
///
/// fn first<const N: usize>(x: &Packed<tiled!(f32[N, 128]{1,0:T(8,128)})>) -> f32 {
///     x.get([0, 0])
/// }
/// assert_eq!(first(&<tiled!(f32[3,128]{1,0:T(8,128)})>::pack(&[7.0; 3 * 128]).unwrap()), 7.0);
/// ```
///
/// XLA's older form of layouts, in which the dimensions are padded to given widths with a given value:
///
/// ```
/// use tensor_layout::tiled;
/// type Padded = tiled!(f32[2,3]{0,1} padded to [3,5] with zero);
/// assert_eq!((Padded::LEN, Padded::offset([1, 2])), (15, 7));
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::tiled!(f32[3,5]{1,1:T(0,2)});
/// ```
#[macro_export]
macro_rules! tiled {
    ($($input:tt)*) => { $crate::__private::macros::tiled! { [$crate] $($input)* } };
}

/// The layout that the TPU compiler (TPU v4 and later) gives an array by default, as a type.
///
/// `tpu!(bf16[1000,384])` is the same type as `tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})`. Sizes may be literals,
/// consts, and expressions in braces. A const generic parameter cannot be used: the order of the dimensions depends
/// on the sizes, and stable Rust cannot compute const arguments from parameters.
///
/// ```
/// use tensor_layout::{Layout, tiled, tpu};
/// const ROWS: usize = 1000;
/// type Acts = tpu!(bf16[ROWS, 384]);
/// let same: fn() -> Option<Acts> = || None::<tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})>;
/// assert_eq!(Acts::SPEC.to_string(), "bf16[1000,384]{1,0:T(8,128)(2,1)}");
/// ```
#[macro_export]
macro_rules! tpu {
    ($($input:tt)*) => { $crate::__private::macros::tpu! { [$crate] $($input)* } };
}

/// A block-scaled layout as a type: elements of 4 or 8 bits, with a scale for each block of elements.
///
/// The notation is this crate's own, not XLA's. A preset names a public format:
///
/// | preset | notation | defined by |
/// |---|---|---|
/// | `q8_0[M,K]` | `s8[M,K] by f16[1,32] in blocks` | GGUF |
/// | `q4_0[M,K]` | `s4[M,K] by f16[1,32] in blocks` | GGUF |
/// | `mxfp4_gguf[M,K]` | `f4e2m1fn[M,K] by f8e8m0fnu[1,32] in blocks` | GGUF |
/// | `mxfp4[M,K]` | `f4e2m1fn[M,K] by f8e8m0fnu[1,32] in planes` | OCP |
/// | `mxfp8[M,K]` | `f8e4m3fn[M,K] by f8e8m0fnu[1,32] in planes` | OCP |
/// | `mxfp8_e5m2[M,K]` | `f8e5m2[M,K] by f8e8m0fnu[1,32] in planes` | OCP |
/// | `nvfp4[M,K]` | `f4e2m1fn[M,K] by f8e4m3fn[1,16] by f32 in planes` | NVIDIA |
///
/// `by f16[1,32]` means one scale of type `f16` for every 32 elements along the last dimension, and `by f32` one scale for the
/// whole array. `in blocks` stores each scale before its elements; `in planes`, the default, stores all elements before all
/// scales. [`Arrangement`](crate::quantized::Arrangement) defines the position of each byte.
///
/// A size is a literal, a name (a const, or a const generic parameter), or an expression in braces, as in
/// [`tiled!`](crate::tiled!).
///
/// ```
/// use tensor_layout::quantized;
/// type Weights = quantized!(q4_0[4096,4096]);
/// const _: () = assert!(Weights::BYTES == 4096 * 4096 / 32 * 18);
/// assert_eq!(Weights::SPEC.to_string(), "s4[4096,4096] by f16[1,32] in blocks");
///
/// const ROWS: usize = 3;
/// type Scaled = quantized!(f8e4m3fn[ROWS, {ROWS * 128}] by f32[1,128]);
/// assert_eq!(Scaled::DIMS, [3, 384]);
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::quantized!(q8_0[4096,100]);
/// ```
#[macro_export]
macro_rules! quantized {
    ($($input:tt)*) => { $crate::__private::macros::quantized! { [$crate] $($input)* } };
}

/// A sparse encoding in MLIR's notation, as a type.
///
/// Accepts a level map followed by the other entries of the encoding, or MLIR's whole text:
///
/// ```
/// use tensor_layout::sparse::Encoding;
/// use tensor_layout::sparse_encoding;
///
/// type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed));
/// type Dcsc = sparse_encoding!(
///     (i, j) -> (j : compressed, i : compressed), posWidth = 32, crdWidth = 8
/// );
/// type Bsr = sparse_encoding!(#sparse_tensor.encoding<{
///     map = (i, j) ->
///         ( i floordiv 2 : dense, j floordiv 3 : compressed,
///           i mod 2      : dense, j mod 3      : dense )
/// }>);
/// let text = "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>";
/// assert_eq!(Csr::SPEC.to_string(), text);
/// ```
///
/// A matrix stored in the first encoding, compressed rows. The positions are where the coordinates of each row begin and end:
///
#[cfg_attr(doc, doc = layout_macros::__pictures!("(i, j) -> (i : dense, j : compressed)"))]
///
/// The level formats are those of MLIR, `dense`, `batch`, `compressed`, `loose_compressed`, `singleton` and
/// `structured[n, m]`, and two more: `range`, for the diagonals of DIA, and `delta[b]`, which stores gaps instead of
/// coordinates. The macro proves that the level map has an inverse.
///
/// ```
/// use tensor_layout::sparse_encoding;
/// type Dia = sparse_encoding!((i, j) -> (j - i : compressed, i : range));
/// type Ell = sparse_encoding!([c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed));
/// type Nv24 = sparse_encoding!(
///     (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2
/// );
/// ```
///
/// Used as an item, the macro defines types whose tokens other macros can read: it also defines a macro of the same name, and
/// one `use` imports both:
///
/// ```
/// tensor_layout::sparse_encoding! {
///     /// Rows of sorted columns.
///     pub type Csr = (i, j) -> (i : dense, j : compressed);
///     type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
/// }
/// # fn main() {
/// let text = Csr!([stringify]);
/// assert!(text.contains("compressed"));
/// # }
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::sparse_encoding!((i, j) -> (i floordiv 2 : dense, j : compresed));
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sparse")))]
#[macro_export]
macro_rules! sparse_encoding {
    ($($input:tt)*) => { $crate::__private::macros::sparse_encoding! { [$crate] $($input)* } };
}

/// A sparse tensor with its sizes, as a type: MLIR's `tensor<4x6xf64, #CSR>`.
///
/// The encoding is an alias or MLIR's whole text. An alias names the type that Rust would spell that way: `#CSR` is `Csr`,
/// `#SortedCOO` is `SortedCoo`, and `#BSR_explicit` is `BsrExplicit`. The short form accepts any type that is an encoding, and
/// its sizes may also be names (consts or const generic parameters) and expressions in braces. `?` is a size that is known only
/// at run time.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, formats};
/// use tensor_layout::{sparse_encoding, sparse_tensor};
///
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// type A = sparse_tensor!(tensor<4x6xf64, #CSR>);
/// type B = sparse_tensor!(tensor<?x6xf64, #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>>);
/// const ROWS: usize = 2;
/// type C = sparse_tensor!(f64[{ROWS * 2}, 6] formats::Csr<u32, u32>);
/// fn rows<const N: usize>(matrix: &sparse_tensor!(f64[N, 6] Csr)) -> [usize; N] {
///     core::array::from_fn(|i| matrix.row(i).count())
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = A::from_coo(&[([0, 1], 1.0), ([3, 5], 2.0)], Duplicates::Error)?;
/// assert_eq!(rows(&a), [1, 0, 0, 1]);
/// let b = B::with_shape([3, 6], &[], Duplicates::Error)?;
/// assert_eq!((b.shape(), C::empty()?.shape()), ([3, 6], [4, 6]));
/// assert_eq!(
///     A::SPEC.to_string(),
///     "tensor<4x6xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
/// );
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::sparse_tensor!(f64[4,x-6] Csr);
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sparse")))]
#[macro_export]
macro_rules! sparse_tensor {
    ($($input:tt)*) => { $crate::__private::macros::sparse_tensor! { [$crate] $($input)* } };
}

/// Statements in index notation as functions over sparse storage.
///
/// An operand is `Dense<T>[..]`, an encoding by name or in braces, `Packed<L>[..]` with the type of a layout, or a number. The
/// loops follow from the encodings and visit only stored entries. The documentation of the generated function shows the loops,
/// with their cost in terms of the operands' entries.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor};
/// use tensor_layout::{sparse_encoding, sparse_kernel};
///
/// sparse_encoding! {
///     pub type Csr = (i, j) -> (i : dense, j : compressed);
///     pub type Dcsc = (i, j) -> (j : compressed, i : compressed);
/// }
/// sparse_kernel! {
///     /// The product of a matrix and a vector.
///     pub fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
///     pub fn add(a: Csr<f64>[i, j], b: Dcsc<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j] }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = SparseTensor::<Csr, f64>::from_coo([2, 3], &[([0, 1], 2.0), ([1, 2], 3.0)], Duplicates::Error)?;
/// let b = SparseTensor::<Dcsc, f64>::from_coo([2, 3], &[([0, 1], 0.5), ([1, 0], 1.0)], Duplicates::Error)?;
/// let c = add(&a, &b)?;
/// assert_eq!(c.coordinates(1), [1, 0, 2]);
/// let mut y = spmv(&c, &[1.0, 10.0, 100.0])?;
/// assert_eq!(y.values(), [25.0, 301.0]);
/// spmv_into(&a, &[1.0, 1.0, 1.0], &mut y)?;              // adds to what `y` holds
/// assert_eq!(y.values(), [27.0, 304.0]);
/// let error = spmv(&c, &[1.0; 4]).unwrap_err();
/// assert_eq!(error.to_string(), "index `j` is 4 in `x`, but 3 in dimension 1 of `a`");
/// # Ok(())
/// # }
/// ```
///
/// # Expressions
/// A statement holds for all values of its indices: `y[i] += a[i, j] * x[j]` is a sum over `j`, since `y` has no `j`. Elements
/// that are not stored are zero, and zero times anything is zero, even infinity. So a product visits the indices that both of
/// its factors store, a sum visits those that either term stores, and a function that is not zero at zero visits all indices.
/// Computed zeros are stored; zeros that an encoding stores, as blocks do, count as stored. Several entries at one index are one
/// element, their sum.
///
/// There are three kinds of sparse outputs:
///
/// - The output has the positions and coordinates of an operand, or stores every element. In
///   `c[i, j] += s[i, j] * u[i, k] * v[k, j]` the output `c` has those of `s` if it has the same encoding. Then `.._into`
///   recomputes the values of a tensor that the function made before, even for `+=`. Other positions or coordinates are an
///   error.
/// - The entries of the output come in storage order, and not from several threads. Then `.._into` makes the output in the memory
///   of a given tensor, whatever its contents: from the second call on it allocates no arrays for the same number of entries.
/// - Any other output: the entries are sorted at the end, or come from several threads. Then there is no `.._into`.
///
/// The macro generates separate code for each combination of terms of a sum that are stored at an index. Every sparse term
/// doubles the number of combinations: six terms make 63, and more than 64 combinations are an error. Write a longer sum as two
/// statements, `let t[i, j] = a[i, j] + b[i, j] + c[i, j]` and `y[i, j] = t[i, j] + d[i, j] + ..`. A product may have any
/// number of factors, since it is zero if one of them is not stored.
///
/// Terms are added in the order of the loops, with one exception: if the innermost loop of a sum is over the entries of a level,
/// term `n` of a row is added to partial sum `n mod 4`, and if it reads arrays of `f32` or `f64` element by element, to partial
/// sum `n mod 8`; the partial sums are added at the end. The order depends on neither the CPU nor the number of threads. Each
/// product is computed as written, from left to right: in `y[i, l] += a[i, j] * b[i, l] * c[j, l]` no factor is moved out of the
/// sum, since that would change how results round and overflow. To move one, write two statements:
/// `let t[i, l] = a[i, j] * c[j, l]; y[i, l] = t[i, l] * b[i, l]`.
///
/// | written | |
/// |---|---|
/// | `=`, `+=` | the sum over all indices that the output does not have; `+=` adds to the dense output that `.._into` is given |
/// | `*=`, `min=`, `max=` | the product, the minimum, the maximum of the stored values; 1, infinity, -infinity if there are none |
/// | `= reduce(f, identity, x)` | a reduction by a commutative and associative function of two values; its identity is a number, a constant, or `\|\| 0.0` |
/// | `= min.plus(x, y)` | a semiring with the names of GraphBLAS: the monoid, then the multiplication, which applies where both are stored |
/// | `= argmin(x, j)`, `= argmax(x, j)` | the first `j` at which a stored value is the extremum; `i64::MAX` if nothing is stored |
/// | `= x if c` | `x`, omitted where `c` is zero |
/// | `x[p[j]]` | `x` read through an index array, `p: Dense<u32>[j]`, of any type of integers; they are checked against the size of `x` first |
/// | `y[p[i]] += x` | `y` written through an index array: values for the same element are added, or reduced by the operator of the statement |
/// | `2.5`, `alpha`, `i` | a number; an operand `alpha: f64`; the value of an index |
/// | `+`, `-`, `*`, `/` | a sparse operand cannot divide: it is zero where nothing is stored |
/// | `<`, `<=`, `>`, `>=`, `==`, `!=` | 1 or 0 |
/// | `min(x, y)`, `max(x, y)`, `pow(x, y)` | |
/// | `stored(x)` | 1 where `x` is stored |
/// | `select(c, x, y)` | `x` where `c` is not zero, `y` where it is |
/// | `abs`, `signum`, `sqrt`, `floor`, `ceil`, `round`, `trunc`, `exp_m1`, `ln_1p`, `sin`, `tan`, `asin`, `atan`, `sinh`, `tanh` | of `x`; zero at zero |
/// | `exp`, `exp2`, `ln`, `log2`, `log10`, `cos`, `cosh`, `recip` | of `x`; not zero at zero |
/// | `binary(x, y, both = f, left = g, right = h)` | the product of a semiring: the functions where both operands are stored, or only one of them; a case that is left out stores nothing, and `identity` returns the one operand unchanged |
/// | `unary(x, present = f, absent = 1.0)` | the same for one value |
/// | `call(f, x, ..)` | a function of Rust, called at every index |
///
/// Functions are paths or closures. The macro knows nothing about a function that `call` calls, so the loops visit every index,
/// stored or not: a thousand times as many for a matrix with one entry in a thousand. For a function that is zero at zero, write
/// `unary(x, present = f)`.
///
/// ```
/// # use tensor_layout::sparse::{Duplicates, SparseTensor};
/// # use tensor_layout::{sparse_encoding, sparse_kernel};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
///
/// fn clip(x: f64) -> f64 {
///     x.clamp(-1.0, 1.0)
/// }
///
/// sparse_kernel! {
///     fn clipped(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = unary(a[i, j], present = clip) }
///     fn upper(a: Csr<f64>[i, j], alpha: f64) -> c: Csr<f64>[i, j] { c[i, j] = alpha * a[i, j] * (j - i) if i < j }
///     fn shortest(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] {
///         c[i, j] min= binary(a[i, k], b[k, j], both = |x, y| x + y)
///     }
///     fn longest(a: Csr<f64>[i, j]) -> s: f64 { s = reduce(f64::max, 0.0, abs(a[i, j])) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = [([0, 1], 4.0), ([0, 2], 1.0), ([1, 0], -0.5), ([2, 1], 2.0)];
/// let a = SparseTensor::<Csr, f64>::from_coo([3, 3], &a, Duplicates::Error)?;
/// assert_eq!(clipped(&a)?.values(), [1.0, 1.0, -0.5, 1.0]);
/// assert_eq!(upper(&a, 10.0)?.to_coo(), [([0, 1], 40.0), ([0, 2], 20.0)]);
/// assert_eq!(shortest(&a, &a)?.to_coo(), [([0, 0], 3.5), ([0, 1], 3.0), ([1, 1], 3.5), ([1, 2], 0.5), ([2, 0], 1.5)]);
/// assert_eq!(longest(&a)?, 4.0);
/// # Ok(())
/// # }
/// ```
///
/// The monoids of semirings are `plus`, `times`, `min`, `max`, `any` (one of the values: the largest, so that the result is the
/// same every time), and for elements of `bool` `lor` and `land`. The multiplications are `plus`, `minus`, `times`, `div`,
/// `min`, `max`, `first`, `second`, `pair` (1), `land`, `lor`, `lxor`, `eq`, `ne`, `lt`, `le`, `gt` and `ge`. `=` overwrites
/// the output; the operator of the monoid, as in `c[i, j] min= min.plus(a[i, k], b[k, j])`, combines the result with its
/// values. A condition is a mask:
///
/// ```
/// # use tensor_layout::sparse::{Duplicates, SparseTensor};
/// # use tensor_layout::{sparse_encoding, sparse_kernel};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// sparse_kernel! {
///     fn two_steps(a: Csr<bool>[i, k], b: Csr<bool>[k, j]) -> c: Csr<bool>[i, j] { c[i, j] = lor.land(a[i, k], b[k, j]) }
///     fn triangles(a: Csr<bool>[i, j], b: Csr<bool>[k, j]) -> c: Csr<u64>[i, k] {
///         c[i, k] = plus.pair(a[i, j], b[k, j]) if a[i, k] != 0
///     }
///     fn next(a: Csr<bool>[i, j], found: Dense<bool>[i], seen: Dense<bool>[j]) -> n: Dense<bool>[j] {
///         n[j] = any.pair(found[i], a[i, j]) if found[i] * (1 - seen[j]) != 0
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = [[0, 1], [0, 2], [1, 2], [2, 3]].map(|edge| (edge, true));
/// let a = SparseTensor::<Csr, bool>::from_coo([4, 4], &a, Duplicates::Error)?;
/// assert_eq!(two_steps(&a, &a)?.to_coo(), [([0, 2], true), ([0, 3], true), ([1, 3], true)]);
/// assert_eq!(triangles(&a, &a)?.values().iter().sum::<u64>(), 1);
/// assert_eq!(next(&a, &[true, false, false, false], &[true; 4])?.values(), [false; 4]);
/// assert_eq!(next(&a, &[false, true, true, false], &[true, true, true, false])?.values(), [false, false, false, true]);
/// # Ok(())
/// # }
/// ```
///
/// # Elements
/// Elements are `bool`, `f16`, `bf16`, `f32`, `f64`, integers of 8 to 64 bits, or `Complex`. A kernel computes in the element
/// type of the output, or in the type of 32 bits if the elements have 16 bits or fewer: each value is widened when it is read,
/// and rounded once when the output is written. So the sum of a thousand ones of `bf16` is a thousand, although a sum in `bf16`
/// itself stops at 256. For this reason, loops that scatter into a dense output of such elements use a temporary array.
/// Literals must be values of the output's element type: `-1` is not a `u8`.
///
/// Operands may differ in element type if the type in which the kernel computes represents all of their values: `bf16`, `i8`
/// and `u16` fit in `f32`, but `i32` and `f64` do not, and need an output of `f64`, or a conversion before the call, such as
/// [`SparseTensor::cast`](crate::sparse::SparseTensor::cast). Entries at one index are widened before they are summed, and
/// Rust functions take elements of the output's type.
///
/// ```
/// # use tensor_layout::half::bf16;
/// # use tensor_layout::sparse::{Duplicates, SparseTensor};
/// # use tensor_layout::{sparse_encoding, sparse_kernel};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// sparse_kernel! {
///     fn multiply(a: Csr<bf16>[i, j], x: Dense<i8>[j], scale: f32) -> y: Dense<f32>[i] { y[i] = scale * a[i, j] * x[j] }
/// }
///
/// let a = [([0, 0], bf16::from_f32(0.5)), ([0, 1], bf16::from_f32(2.0))];
/// let a = SparseTensor::<Csr, bf16>::from_coo([1, 2], &a, Duplicates::Error).unwrap();
/// assert_eq!(multiply(&a, &[100i8, -3][..], 0.25).unwrap().values(), [11.0]);
/// ```
///
/// Computations use 0 and 1, in `i64`, for the values of `bool`, and a result other than 0 is written as true: a sum is true if a
/// term is, and `x - y` if the two differ. A mask of `bool` can be multiplied with numbers of any type.
///
/// `; accumulator(f64)` after a statement names another type for its computations. At the end the results are converted to
/// elements of the output, as by Rust's `as`: a `Dense<bf16>` can be summed in `f64`, and
/// `m[i, j] = a[i, j] > 0.5; accumulator(f32)` is a mask of `bool`.
///
/// Integers wrap around, as with Rust's `wrapping_add`: those of 32 and 64 bits at each operation, and narrower ones when they
/// are written, or compared by `min=` and `max=`. A sum that does not fit its type needs operands of a wider type. The quotient
/// of an integer and zero is zero.
///
/// The minimum and the maximum of values that include a NaN are NaN, in `min(x, y)` and `max(x, y)` as in `min=` and `max=`, in
/// any order. Positive and negative zero are equal.
///
/// # Subscripts
/// A subscript is a sum such as `2 * i + k - 1`. Elements outside of an operand count as not stored. The size of an
/// index is that of the dimensions with its name, or the size in `size(i, 4)`; otherwise it is the largest size for which the
/// subscripts of operands stay within their dimensions. If there is no such size, as for a window longer than the dimension along
/// which it slides, the index has no values.
///
/// | | |
/// |---|---|
/// | slice | `c[i, j] = a[i + 1, 2 * j]; size(i, 3)` |
/// | diagonal | `d[i] = a[i, i]` |
/// | transposition | `c[j, i] = a[i, j]` |
/// | concatenation, below 4 rows | `c[i, j] = a[i, j] + b[i - 4, j]; size(i, 9)` |
/// | reshape | `c[i, j] = v[4 * i + j]; size(j, 4)` and `v[4 * i + j] = c[i, j]; size(j, 4)` |
/// | convolution | `y[i] += x[i + k] * w[k]` |
/// | convolution, padded, stride 2 | `y[i] += x[2 * i + k - 1] * w[k]; size(i, 8)` |
///
/// # Packed operands
/// An operand `Packed<L>[j, k]` is an array in the layout `L`: `tpu!(..)`, `tiled!(..)`, or the name of a type. Its elements
/// have the host type: `bf16` for `Packed<tpu!(bf16[64, 256])>`, and `i8` for `s4`. An output `Packed<L>` is computed in
/// row-major order, and packed at the end; its padding is zero. The padding of operands is never read. If the sizes of the
/// layout contradict those of the other arguments, the call does not compile.
///
/// An array is read in place if its rows are contiguous, or consist of contiguous runs of a multiple of 32 elements, as in
/// `f32[..]{1,0:T(8,128)}`. Any other array is unpacked before the loops run, which needs memory:
/// `bf16[..]{1,0:T(8,128)(2,1)}`, whose rows alternate, arrays with a tile that combines dimensions, and vectors, except those
/// stored in row-major order, as `tpu!` stores them.
///
/// ```
/// use tensor_layout::half::bf16;
/// use tensor_layout::sparse::{Duplicates, SparseTensor};
/// use tensor_layout::{Layout, sparse_encoding, sparse_kernel, tiled, tpu};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// type Features = tpu!(bf16[3,40]);
/// type Hidden = tiled!(f32[2,40]{1,0:T(8,128)});
/// sparse_kernel! {
///     fn gather(a: Csr<f32>[i, j], x: Packed<Features>[j, k]) -> h: Packed<Hidden>[i, k] { h[i, k] = a[i, j] * x[j, k] }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = SparseTensor::<Csr, f32>::from_coo([2, 3], &[([0, 2], 0.5), ([1, 0], 2.0)], Duplicates::Error)?;
/// let x: Vec<bf16> = (0..120).map(|n| bf16::from_f32(n as f32)).collect();
/// let h = gather(&a, &Features::pack(&x)?)?;
/// assert_eq!((h.get([0, 7]), h.get([1, 7])), (43.5, 14.0));
/// # Ok(())
/// # }
/// ```
///
/// # Outputs
/// An output is dense, packed, a number, or has any encoding. Entries that are computed in the order in which the output stores
/// them are appended; entries that scatter over a row go through a workspace; all others are sorted at the end. If one operand
/// determines the entries, as in `o[i, j] = s[i, j] * u[i, k] * v[k, j]`, the output has its positions and coordinates.
/// Operands whose levels are in another order than the loops are converted first. The documentation of the function says which
/// case applies.
///
/// # Several statements
/// Statements are separated by semicolons and run one after another; each has the same result as by itself. `let` declares a
/// temporary. It may have a type, as in `let e: Csr<f64>[i, j] = ..`; otherwise it is dense, or a number, with elements of the
/// type in which the first output is computed. A statement reads operands, and temporaries and outputs that were computed
/// before it. Several outputs are listed in parentheses, and returned as a tuple.
///
/// These functions are attention over the stored entries of a mask, in which the scores have the structure of the mask, one step
/// of conjugate gradients, which updates `x` and `r` in place if called as `.._into`, and the largest entry of each row:
///
/// ```
/// # use tensor_layout::sparse::{Duplicates, SparseTensor};
/// # use tensor_layout::{sparse_encoding, sparse_kernel};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// sparse_kernel! {
///     fn attention(
///         mask: Csr<bool>[i, j], q: Dense<f64>[i, k], key: Dense<f64>[j, k], v: Dense<f64>[j, l],
///     ) -> o: Dense<f64>[i, l] {
///         let e: Csr<f64>[i, j] = stored(mask[i, j]) * q[i, k] * key[j, k];
///         let most[i] max= e[i, j];
///         let p: Csr<f64>[i, j] = stored(e[i, j]) * exp(e[i, j] - most[i]);
///         let sum[i] = p[i, j];
///         let t[i, l] = p[i, j] * v[j, l];
///         o[i, l] = select(sum[i], t[i, l] / sum[i], 0)
///     }
///     fn step(a: Csr<f64>[i, j], p: Dense<f64>[j], rr: f64) -> (x: Dense<f64>[i], r: Dense<f64>[i], next: f64) {
///         let q[i] = a[i, j] * p[j];
///         let pq = p[i] * q[i];
///         x[i] += rr / pq * p[i];
///         r[i] += -(rr / pq) * q[i];
///         next = r[i] * r[i]
///     }
///     fn best(a: Csr<f64>[i, j]) -> (most: Dense<f64>[i], at: Dense<i64>[i]) {
///         most[i] max= a[i, j];
///         at[i] = argmax(a[i, j], j)
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mask = SparseTensor::<Csr, bool>::from_coo([2, 2], &[([0, 0], true), ([0, 1], true)], Duplicates::Error)?;
/// let o = attention(&mask, &[[1.0], [1.0]], &[[0.5], [0.5]], &[[2.0, 4.0], [4.0, 0.0]])?;
/// assert_eq!(o.values(), [3.0, 2.0, 0.0, 0.0]);
///
/// let a = [([0, 0], 4.0), ([0, 1], 1.0), ([1, 0], 1.0), ([1, 1], 3.0)];
/// let a = SparseTensor::<Csr, f64>::from_coo([2, 2], &a, Duplicates::Error)?;
/// let (mut x, mut r, mut p, mut rr) = (vec![0.0; 2], vec![1.0, 2.0], vec![1.0, 2.0], 5.0);
/// for _ in 0..2 {
///     let next = step_into(&a, &p, rr, &mut x, &mut r)?;
///     p = r.iter().zip(&p).map(|(r, p)| r + next / rr * p).collect();
///     rr = next;
/// }
/// assert!((x[0] - 1.0 / 11.0).abs() < 1e-12 && (x[1] - 7.0 / 11.0).abs() < 1e-12);
///
/// let (most, at) = best(&a)?;
/// assert_eq!((most.values(), at.values()), (&[4.0, 3.0][..], &[0, 1][..]));
/// # Ok(())
/// # }
/// ```
///
/// `.._into` takes the dense outputs as arguments, and returns the others, which include packed outputs and those whose
/// statement has an accumulator. A statement is fused into the loops that compute a dense temporary, so that the temporary is
/// not stored, if its elements depend only on elements at the same position of the temporary and of other arrays of that shape,
/// and if no other statement reads the temporary: `h[i, k] = max(t[i, k], 0)`. Consecutive statements whose outermost loops
/// are over the same rows share that loop, as all statements of `attention` above do, if each statement reads only the current
/// row of what the others compute: one row at a time of `e`, `most`, `p`, `sum` and `t` exists. This applies to arrays, and to
/// matrices whose rows are compressed, in one element type that is also computed in, such as `f32`, if all of the statements
/// are `parallel` or none is. The results are bit for bit those of separate loops. All other statements have loops of their
/// own. The documentation of the function shows all loops. A temporary is dropped after the last statement that reads it.
/// `argmin` and `argmax` first compute the extremum and then search for it, in `i64` if that represents all values that are
/// read, and otherwise in `f64`. At run time, `SparseKernel::run_all` runs all statements.
///
/// # Schedules
/// By default the loops are those with the lowest estimated cost. A schedule after a statement requests other loops:
///
/// | `; ..` | |
/// |---|---|
/// | `order(i, k, j)` | the order of the loops, outermost first; those that are left out may be anywhere |
/// | `split(i, 4)` | blocks of four: `i floordiv 4` and `i mod 4` are separate loops, and can be named in the rest of the schedule |
/// | `unroll(j, 4)` | four iterations at once |
/// | `vectorize(k)` | the innermost loop in vector registers |
/// | `parallel(i)` | the outermost loop on all threads of rayon's pool, with the feature `parallel` |
/// | `gallop(j)` | a search with doubling steps for the intersection of sparse operands, for operands of very different lengths |
/// | `size(i, 4)` | the size of an index |
///
/// A parallel loop is over an index of the output, or computes a number. Each thread computes some of the rows of the output,
/// and the result is bit for bit that of a single thread. Several threads add entries to a sparse output if its first level is
/// the index and all levels are dense, compressed or singletons, or if its entries are sorted at the end.
///
/// A number is the sum of partial sums, in order, each of 256 iterations, or of a 64th of all iterations if that is more. So it
/// depends neither on the number of threads nor on whether the feature is on. Without `parallel(i)`, the same terms are added in
/// another order.
///
/// ```
/// # use tensor_layout::sparse::{Duplicates, SparseTensor};
/// # use tensor_layout::{sparse_encoding, sparse_kernel};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// sparse_kernel! {
///     fn multiply(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[k, j]; parallel(i) }
///     fn energy(a: Csr<f64>[i, j], x: Dense<f64>[i], y: Dense<f64>[j]) -> s: f64 { s += x[i] * a[i, j] * y[j]; parallel(i) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = SparseTensor::<Csr, f64>::from_coo([2, 2], &[([0, 1], 2.0), ([1, 0], 3.0)], Duplicates::Error)?;
/// assert_eq!(multiply(&a, &a)?.to_coo(), [([0, 0], 6.0), ([1, 1], 6.0)]);
/// assert_eq!(energy(&a, &[1.0, 2.0][..], &[10.0, 1.0][..])?, 62.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::sparse_kernel! {
///     fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = x[j] }
/// }
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sparse")))]
#[macro_export]
macro_rules! sparse_kernel {
    ($($input:tt)*) => { $crate::__private::macros::sparse_kernel! { [$crate] $($input)* } };
}

/// A mesh of devices, as a type.
///
/// Axes are listed from major to minor; `device_ids` lists the devices if they are not in ascending order.
///
/// ```
/// use tensor_layout::sharding::MeshType;
/// tensor_layout::mesh! {
///     /// Two hosts with four chips each.
///     pub Pod = ["data" = 2, "model" = 4]
/// }
/// tensor_layout::mesh! { Ring = ["x" = 4], device_ids=[0, 1, 3, 2] }
/// # fn main() {
/// assert_eq!(Pod::MESH.to_string(), r#"<["data"=2, "model"=4]>"#);
/// assert_eq!(Ring::MESH.device_id(2), 3);
/// # }
/// ```
///
/// The macro also defines a macro with the name of the mesh, from which other macros read the axes; one `use` imports both. A
/// mesh may also be pasted from a module of MLIR: `mesh! { sdy.mesh @Pod = <["data"=2, "model"=4]> }`.
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::mesh! { Bad = ["x" = 2, "x" = 4] }
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! mesh {
    ($($input:tt)*) => { $crate::__private::macros::mesh! { [$crate] $($input)* } };
}

/// An array that is split over a mesh, in Shardy's notation, as a type.
///
/// The array is written as for [`tiled!`], followed by the mesh that [`mesh!`] defined, and the axes of each dimension. The local
/// array has the same layout. A size may be a number, a const, or a const generic parameter; rustc checks that the axes divide
/// it where it knows its value.
///
/// ```
/// use tensor_layout::sharding::ShardedLayout;
/// use tensor_layout::{Layout, mesh, sharded};
///
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// type W1 = sharded!(bf16[8192,4096]{1,0:T(8,128)(2,1)} @ Pod [{"data"}, {"model", ?}p1]);
/// type Bias = sharded!(f32[7] @ Pod [{"model":(1)2}], replicated={"data"}, padded);
/// # fn main() {
/// assert_eq!(W1::SHARDING.to_string(), r#"<@Pod, [{"data"}, {"model", ?}p1]>"#);
/// let local = <W1 as ShardedLayout>::Local::SPEC.to_string();
/// assert_eq!(local, "bf16[4096,1024]{1,0:T(8,128)(2,1)}");
/// assert_eq!(W1::locate([5000, 2049]), (6, [904, 1]));
/// assert_eq!(W1::slice(6).unwrap(), [4096..8192, 2048..3072]);
/// assert_eq!(<Bias as ShardedLayout>::Local::DIMS, [4]);
/// # }
/// ```
///
/// The colour is that of the shard: it shows which devices of the mesh store which part of `bf16[8192,4096]`.
///
#[cfg_attr(doc, doc = layout_macros::__pictures!(
    r#"bf16[8192,4096] @ Pod [{"data"}, {"model"}]"# on r#"["data"=2, "model"=4]"#
))]
///
/// With `padded` the axes need not divide the dimensions: the last devices then store fewer elements.
///
/// A sparse tensor, written as for [`sparse_tensor!`], becomes a
/// [`ShardedSparseLayout`](crate::sharding::ShardedSparseLayout). Its encoding must be a type that does not depend on generic
/// parameters of the surrounding code.
///
/// # Errors
/// Everything that Shardy rejects, and everything that it accepts although it is meaningless, is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::mesh! { Pod = ["data" = 2, "model" = 4] }
/// type Bad = tensor_layout::sharded!(f32[7,8] @ Pod [{"data"}, {"data"}]);
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! sharded {
    ($($input:tt)*) => { $crate::__private::macros::sharded! { [$crate] $($input)* } };
}

/// A product of two packed arrays of any rank, with a letter for each of their dimensions.
///
/// A dimension whose letter is in both operands but not in the result is summed over; one whose letter is in all three arrays
/// is a batch dimension. The letters may be in any order, and dimensions with the same letter must have the same size, or the
/// product does not compile. The element types and the sums are those of [`matmul`](crate::matmul). The layout of the result is
/// that of the variable to which it is assigned.
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
/// if bounded dimensions with the same letter differ in size.
#[macro_export]
macro_rules! einsum {
    ($($input:tt)*) => { $crate::__private::macros::einsum! { [$crate] $($input)* } };
}

/// A sharding rule, as a value of type `OpShardingRule` or as an item.
///
/// There are three notations: Shardy's, that of einsum with names of any length, and that of Shardy's documents. Sizes that are
/// not written follow from the shapes with which the rule is used.
///
/// ```
/// use tensor_layout::sharding_rule;
/// let shardy = sharding_rule!(([ij, k])->([i, j, k]) {i=2, j=4, k=32});
/// let shapes: (&[&[usize]], &[&[usize]]) = (&[&[8, 32]], &[&[2, 4, 32]]);
/// for rule in [
///     sharding_rule!((i j) k -> i j k, i=2, j=4),
///     sharding_rule!(((ij),k)->(i,j,k)),
/// ] {
///     assert_eq!(rule.with_shapes(shapes.0, shapes.1).unwrap(), shardy);
/// }
/// assert_eq!(
///     sharding_rule!((i,k),(k,j)->(i,j) reduction={k}).to_string(),
///     "<([i, k], [k, j])->([i, j]) reduction={k}>",
/// );
/// ```
///
/// ```
/// tensor_layout::sharding_rule! { pub Attention = batch q d, batch k d -> batch q k reduction={d} }
/// # fn main() {
/// assert_eq!(Attention::rule().operands().len(), 2);
/// # }
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! sharding_rule {
    ($($input:tt)*) => { $crate::__private::macros::sharding_rule! { [$crate] $($input)* } };
}

/// Propagates the shardings of a function, exactly as Shardy does, and turns the result into types.
///
/// The function is a list of operations on arrays; the shardings from which propagation starts are written after the arrays, or
/// after an operation. The function becomes a module with one type for each value. Its documentation shows every sharding, the
/// origin of each axis, the factors of each operation before and after, and the data that devices send each other.
///
/// ```
/// use tensor_layout::sharding::ShardedLayout;
/// use tensor_layout::{Layout, mesh, propagate};
///
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// propagate! {
///     mesh Pod;
///     fn mlp(x: bf16[64,512] [{"data"}, {}], w1: bf16[512,2048] [{}, {"model"}], w2: bf16[2048,512]) {
///         let h = dot(x, w1);
///         let g = tanh(h);
///         let y = dot(g, w2);
///         return y;
///     }
/// }
/// type Y = mlp::y;
///
/// # fn main() {
/// assert_eq!(Y::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
/// assert_eq!(<mlp::w2 as ShardedLayout>::SHARDING.to_string(), r#"<@Pod, [{"model", ?}, {?}]>"#);
/// assert_eq!(<mlp::g as ShardedLayout>::Local::DIMS, [32, 512]);
/// # }
/// ```
///
/// Operations have the names of StableHLO: elementwise ones (`tanh`, `add`, ...), `dot`, and every other operation for which
/// Shardy has a rule. Their attributes are written in brackets, or by name:
///
/// | operation | |
/// |---|---|
/// | `dot_general(x, y, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[1])` | |
/// | `transpose(x, [1, 0])`, `reshape(x, [2, 32])`, `reverse(x, [0])` | order, size of the result, dimensions |
/// | `broadcast_in_dim(x, [8, 4], [0])` | size of the result, and the dimension that each one becomes |
/// | `reduce(x, [0])`, `sort(x, y, 0)`, `concatenate(x, y, 0)` | dimensions |
/// | `slice(x, [4])`, `pad(x, [16])`, `dynamic_slice(x, i, j, [4, 4])`, `dynamic_update_slice(x, part, i, j)` | size of the result |
/// | `compare(x, y, direction=LT)`, `convert(x, type=f32)`, `bitcast_convert(x, type=u8)`, `select(p, x, y)`, `clamp(a, x, b)` | |
/// | `fft(x, [64], type=RFFT)`, `iota(s32[8], 0)`, `constant(f32[8])`, `rng_bit_generator(state, [8])` | |
/// | `convolution(x, w, input=[0,3,1,2], kernel=[2,3,0,1], output=[0,3,1,2], strides=[1,1], padding=[1,1,1,1])` | batch, feature and spatial dimensions; also `batch_groups`, `feature_groups` |
/// | `reduce_window(x, window=[1,2], strides=[1,2])`, `select_and_scatter(x, source, window=[1,2], strides=[1,2])` | also `padding` |
/// | `gather(x, i, offset=[1], collapsed=[0], slice_sizes=[1,8], index_vector=1)` | also `operand_batch`, `indices_batch`, `start_index_map` |
/// | `scatter(x, i, updates, window=[1], inserted=[0], index_vector=1)` | also `operand_batch`, `indices_batch`, `reduces=false`; several arrays, `scatter(x, y, i, updates_of_x, updates_of_y, ..)` |
/// | `cholesky(x)`, `triangular_solve(a, b, side=LEFT)`, `qr(x)`, `eigh(x)`, `householder_product(a, taus)` | |
/// | `top_k(x, 8)`, `approx_top_k(x, i, 8)`, `batch_norm_inference(x, scale, offset, mean, variance, 3)` | |
/// | `all_gather(x, [16])`, `reduce_scatter(x, [4])`, `all_to_all(x, [4, 16], split=0, concat=1)` | size of the result |
///
/// Operands must have the sizes and element types that StableHLO's verifier requires; `convert(x, type=f32)` converts them.
/// A product of operands of two types names that of the result, `dot(x, w, type=f32)`.
///
/// Any other operation is followed by its rule, `op(x, w) : (i,k),(k,j)->(i,j)`, or by the name of one that
/// [`sharding_rule!`] defined: `op(x, w) : ops::Attention`. `let (a, b) = ..` names several results.
///
/// An operation whose tensors are over different meshes is a conflict, unless the tensors over the other mesh are replicated.
/// `reshard(x)` moves a value from one mesh to another; no collective moves it between a mesh and a single device.
///
/// Operands that are `unreduced` are summed over the devices before an operation uses them. The exceptions are operations that
/// are linear (`add`, `neg`, `reshape`, `mul` in one operand, ...) and whose result is written `unreduced` too, and products
/// whose result is written `unreduced`, which remain partial sums.
///
/// `constrain(x) [..]` sets the sharding of a value from there on; `reshard(x)` as an operand permits resharding it as the
/// operation requires. `group(x, y);` makes values share one sharding, and `propagation_barrier(x, allowed_direction=FORWARD)`
/// lets shardings propagate in only one direction. Operations with bodies are written after `let`. The condition of a loop, and
/// the value that selects a body, may be left out of a program that is not run: `while (..) { .. }`, `case { .. } { .. }`.
///
/// ```
/// # use tensor_layout::{mesh, propagate};
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// mesh! { Ring = ["x" = 8] }
/// propagate! {
///     mesh Pod;
///     mesh Ring;                               // any other is named: `@Ring [..]`
///     const N = 8;                             // sizes are numbers, and expressions of them
///     fn f(x: f32[N, {N * 4}] [{"data"}, {}], r: f32[64] @Ring [{"x"}]) {
///         let (a, b) = while (a0 = x, b0 = x) {
///             let a1 = tanh(a0);
///             return a1, b0;
///         };
///         let c = case { return a; } { let n = negate(b); return n; };
///         let d = optimization_barrier(c);
///         let e = manual {"data"} (part = d [{"data"}, {}]) {      // local arrays; the manual axes come first
///             let s = exp(part);
///             return s [{"data"}, {}];
///         };
///         return e, r;
///     }
/// }
/// # fn main() {
/// assert_eq!(f::a1::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
/// assert_eq!(f::e::SHARDING.to_string(), r#"<@Pod, [{"data"}, {}]>"#);
/// # }
/// ```
///
/// A program may have several functions. The one that no other function calls becomes the module. Each call of another function
/// has its own values, named after its first result, and shardings propagate through it as through Shardy's calls:
///
/// ```
/// # use tensor_layout::{mesh, propagate};
/// # mesh! { Pod = ["data" = 2, "model" = 4] }
/// propagate! {
///     mesh Pod;
///     fn layer(x: f32[64,512], w: f32[512,512] [{}, {"model"}]) {
///         let h = dot(reshard(x), w);
///         return tanh(h);
///     }
///     fn net(x: f32[64,512] [{"data"}, {}], w1: f32[512,512], w2: f32[512,512]) {
///         let a = layer(x, w1);
///         let b = layer(a, w2);
///         return b;
///     }
/// }
/// # fn main() {
/// assert_eq!(net::a_h::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {"model", ?}]>"#);     // `h` in the call that makes `a`
/// assert_eq!(net::w2::SHARDING.to_string(), r#"<@Pod, [{?}, {"model", ?}]>"#);
/// # }
/// ```
///
/// A StableHLO program in a file, as JAX lowers it, becomes a module of the same kind. The path is relative to the directory of
/// Cargo.toml, and the macro is expanded again when the file changes:
///
/// ```
/// # use tensor_layout::sharding::ShardedLayout;
/// # use tensor_layout::{Layout, mesh, propagate};
/// # mesh! { Pod = ["data" = 4, "model" = 2] }
/// propagate!(file "tests/models/mlp.mlir");       // the module `mlp`
///
/// propagate! {
///     file "tests/models/mlp.mlir";
///     pub mod other;                              // another name, with attributes and a visibility
///     mesh Pod;                                   // in place of the first mesh of the file
///     arg1 [{}, {"model"}];                       // the sharding of an argument, or of a value: `12 [{"data"}, {?}];`
///     values = all;                               // types of all values, or of some: `values = [12, 14];`
///     reshard = shardy;                           // where tensors disagree, operands are resharded, as by Shardy
/// }
/// # fn main() {
/// assert_eq!(<mlp::result0 as ShardedLayout>::Local::DIMS, [32, 512]);
/// assert_eq!(mlp::COLLECTIVES[0].1, r#"all_reduce {"model"}"#);
/// assert_eq!(<other::v0 as ShardedLayout>::Local::DIMS, [16, 1024]);
/// # }
/// ```
///
/// The module has a type for each argument, `arg0`, ..., and for each result, `result0`, ..., the meshes of the file, and the
/// constants `COLLECTIVES`, `BYTES_RECEIVED`, `RESHARDS` and `MLIR`.
///
/// # Running a program
/// `run;` adds the function `run` to the module, which runs the program on one device: with threads, with processes, or with
/// any [`Transport`](crate::sharding::run::Transport). It takes and returns the shards of the device, in the types of the
/// module. An operation that cannot run is an error where it is written. Loops need their condition, and branches the value
/// that selects one:
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tensor_layout::sharding::run::{RunError, Sharded, Transport, threads};
/// use tensor_layout::{mesh, propagate};
///
/// mesh! { Pod = ["data" = 2, "model" = 2] }
/// propagate! {
///     run;
///     mesh Pod;
///     fn powers(x: f32[4,4] [{"data"}, {}], w: f32[4,4] [{}, {"model"}], n: s32[], one: s32[]) {
///         let (left, y) = while (k = n, h = reshard(x)) cond {
///             return compare(k, one, direction=GE);
///         } do {
///             let h2 = dot(reshard(h), reshard(w));
///             return sub(k, one), reshard(h2);
///         };
///         return y;
///     }
/// }
///
/// let results = threads::run(4, |transport| {
///     let is_first = transport.device() == 0;
///     let [x, w] = [vec![1.0; 16], vec![0.5; 16]];
///     let x = Sharded::scatter(transport, 0, is_first.then_some(&x))?;
///     let w = Sharded::scatter(transport, 0, is_first.then_some(&w))?;
///     let n = Sharded::scatter(transport, 0, is_first.then_some(&vec![3]))?;
///     let one = Sharded::scatter(transport, 0, is_first.then_some(&vec![1]))?;
///     let y = powers::run(transport, &x, &w, &n, &one)?;
///     y.gather(transport, 0)
/// });
/// assert_eq!(results[0].as_ref().unwrap().as_deref(), Some(&[8.0; 16][..]));
/// # }
/// ```
///
/// A program in a file runs as well: `propagate! { run; file "block.mlir"; }`. Its manual computations contain their own
/// collectives.
///
/// # Errors
/// If the shardings of an operation's tensors conflict, Shardy silently reshards one of them; here that is an error, unless
/// `reshard` permits it. A shape that does not fit is an error at the operand.
///
/// ```compile_fail
/// # use tensor_layout::{mesh, propagate};
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// propagate! {
///     mesh Pod;
///     fn f(x: f32[8,8] [{"data"}, {}], y: f32[8,8] [{"model"}, {}]) {
///         let z = add(x, y);
///         return z;
///     }
/// }
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! propagate {
    ($($input:tt)*) => { $crate::__private::macros::propagate! { [$crate] $($input)* } };
}

/// Layouts with documentation: each alias keeps its own comment, and gains the numbers and a picture of the layout.
///
/// An alias is made by [`tiled!`], [`tpu!`], [`sparse_encoding!`], [`sparse_tensor!`] or [`sharded!`]. Its page shows the
/// canonical text in the compiler's notation, the logical and the physical shape, stored elements, bytes and padding, the index
/// function in source form, and the offset of each element. For a sparse encoding it shows the contents of each level and a small
/// matrix stored in it, and for a sharding the part that each device stores. A search of the documentation for the canonical text
/// finds the alias.
///
/// ```
/// use tensor_layout::{Layout, layouts, mesh};
/// mesh! { pub Pod = ["data" = 2, "model" = 4] }
/// layouts! {
///     /// Weights of the first layer.
///     pub type W1 = tpu!(bf16[64,128]);
///     pub type Adj = sparse_encoding!((i, j) -> (i : dense, j : compressed));
///     pub type Emb = sharded!(bf16[32000,4096] @ Pod [{"data"}, {"model"}]);
/// }
/// # fn main() {
/// assert_eq!(W1::SPEC.to_string(), "bf16[64,128]{1,0:T(8,128)(2,1)}");
/// # }
/// ```
///
/// Only rustc knows the values of sizes that are names or expressions. The numbers and the picture then come from the file
/// `LAYOUTS.md`, which a test with [`layouts_listing!`](crate::layouts_listing) keeps up to date. An alias may have const
/// parameters, `type Rows<const N: usize> = tiled!(f32[N,128]);`; its page then has neither numbers nor a picture.
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::layouts! { pub type Bad = tiled!(f32[3,5]{1,1}); }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! layouts {
    ($($input:tt)*) => { $crate::__private::macros::layouts! { [$crate] $($input)* } };
}

/// A table of all layouts of a crate in Markdown, for its documentation: `#![doc = tensor_layout::layouts_index!()]`.
///
/// Reads the sources of the crate, starting from `src/lib.rs` or `src/main.rs`, or from the given file, relative to its
/// `Cargo.toml`: `layouts_index!("examples/kernels/main.rs")`. It finds the layouts that [`layouts!`] defines in the crate root
/// and in its modules, following `#[path]` and `cfg_attr`. If only rustc knows the values of sizes, the numbers come from the
/// file `LAYOUTS.md` that [`layouts_listing!`](crate::layouts_listing) keeps up to date. Meshes are also found through `use`.
/// Layouts that `#[cfg(..)]` excludes are left out; if only rustc can evaluate a condition, as for features, the layout is
/// listed with it.
///
/// ```no_run
/// let table: &str = tensor_layout::layouts_index!();
/// ```
#[macro_export]
macro_rules! layouts_index {
    ($($input:tt)*) => { $crate::__private::macros::layouts_index! { [$crate] $($input)* } };
}

/// All layouts of a crate, evaluated by rustc, as a `Listing`: for a test that keeps `LAYOUTS.md` and `LAYOUTS.json` up to
/// date, so that a reviewer sees in a diff that a layout changed, and by how many bytes.
///
/// ```no_run
/// #[test]
/// fn the_listing_is_up_to_date() {
///     tensor_layout::layouts_listing!().check(env!("CARGO_MANIFEST_DIR")).unwrap();   // `BLESS=1` rewrites it
/// }
/// ```
///
/// Accepts the same argument as [`layouts_index!`]. An alias must be visible in the crate root. Aliases that `#[cfg(..)]`
/// excludes are left out, as are those with parameters that have no default.
#[macro_export]
macro_rules! layouts_listing {
    ($($input:tt)*) => { $crate::__private::macros::layouts_listing! { [$crate] $($input)* } };
}

/// A typed manifest: a struct whose fields are the tensors of a [checkpoint](mod@crate::checkpoint), loaded by name.
///
/// A field that is written as a layout becomes a view of the file: [`PackedRef`](crate::PackedRef) for tiled layouts,
/// [`QuantizedRef`](crate::quantized::QuantizedRef) for `quantized!(..)`, and
/// [`SparseTensorRef`](crate::sparse::SparseTensorRef) for `sparse_tensor!(..)` or a `SparseTensor`.
/// [`Manifest::load`](crate::checkpoint::Manifest::load) checks all fields, and one error reports everything that is not as the
/// program expects.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-manifest-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::{Checkpoint, Manifest, Writer};
/// use tensor_layout::{Layout, checkpoint, tiled, tpu};
///
/// checkpoint! {
///     #[derive(Debug)]
///     pub struct Block<'a, const D: usize> {
///         #[name = "attn.wq"]
///         pub queries: tiled!(f32[D,D]{1,0:T(8,128)}),    // becomes `PackedRef<'a, ..>`
///         pub norm: tiled!(f32[D]),                       // the name of the field is the default: `norm`
///     }
///
///     pub struct Model {                                  // without a lifetime, it has `'a`
///         #[name = "tok_embeddings.weight"]
///         embeddings: tpu!(f32[100,64]),
///         #[name = "layers.{}"]                           // `{}` is the index: `layers.0.attn.wq`, `layers.0.norm`, ...
///         layers: [Block<'a, 64>; 2],                     // or `Vec<..>`: as many as the file has
///         bias: Option<tiled!(f32[64])>,                  // if the file has it
///     }
/// }
///
/// let matrix = <tiled!(f32[64,64]{1,0:T(8,128)})>::SPEC;
/// let tensors = [
///     ("tok_embeddings.weight", <tpu!(f32[100,64])>::SPEC),
///     ("layers.0.attn.wq", matrix), ("layers.0.norm", <tiled!(f32[64])>::SPEC),
///     ("layers.1.attn.wk", matrix), ("layers.1.norm", <tiled!(f32[32])>::SPEC),
/// ];
/// let mut writer = Writer::create(&path, tensors)?;
/// for (name, spec) in tensors {
///     writer.write(name, &vec![0; spec.storage_bytes()])?;
/// }
/// writer.finish()?;
///
/// let checkpoint = Checkpoint::open(&path)?;
/// let first: Block<64> = Block::load_from(&checkpoint, "layers.0")?;
/// assert_eq!(first.queries.get([63, 63]), 0.0);
/// let error = Model::load(&checkpoint).err().unwrap();
/// assert_eq!(error.to_string(), "\
/// the checkpoint is not the one that the program expects: 2 errors
///
/// there is no tensor `layers.1.attn.wq`
/// help: did you mean `layers.0.attn.wq`?
///
/// tensor `layers.1.norm` is `f32[32]{0}`, not `f32[64]{0}`
/// help: the shapes differ; give the tensor's own, `f32[32]`");
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
///
/// A field is one of these:
///
/// - A layout: a macro that expands to one, an alias, or a type parameter. Also a sparse tensor, of any sizes or of those of its
///   type.
/// - A type with a lifetime: a nested manifest, [`Loaded`](crate::checkpoint::Loaded), or another type that implements
///   [`Manifest`](crate::checkpoint::Manifest). For a type without a lifetime, `#[nested]` says that it is not a layout.
/// - A list of either, `[T; N]` or `Vec<T>`. The index replaces `{}` in the name, or else follows the name and a dot. An array
///   has exactly `N` elements; a `Vec` has as many as the file, but at least one.
/// - `Option` of either: `None` if the file does not have the name.
///
/// The names of a nested manifest's fields are prefixed with the name of the field and a dot; `#[name = ""]` adds no prefix.
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::checkpoint! {
///     pub struct Block {
///         #[name = "layers.{}.wq"]
///         wq: tensor_layout::tpu!(f32[64,64]),
///     }
/// }
/// # fn main() {}
/// ```
#[cfg(feature = "checkpoint")]
#[macro_export]
macro_rules! checkpoint {
    ($($input:tt)*) => { $crate::__private::macros::checkpoint! { [$crate] $($input)* } };
}

/// Replaces the macros of shardings if their feature is off.
#[cfg(not(feature = "sharding"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_sharding {
    ($($input:tt)*) => {
        ::core::compile_error! {
            "this macro needs the feature `sharding` of tensor-layout\n\nhelp: it is on by default; with `default-features = false`, add it to `features`"
        }
    };
}

/// Replaces the macros of sparse tensors if their feature is off.
#[cfg(not(feature = "sparse"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_sparse {
    ($($input:tt)*) => {
        ::core::compile_error! {
            "this macro needs the feature `sparse` of tensor-layout\n\nhelp: it is on by default; with `default-features = false`, add it to `features`"
        }
    };
}
