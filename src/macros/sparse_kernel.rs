//! Statements in index notation, compiled to loops over stored entries.

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
/// A statement holds for all values of its indices: `y[i] += a[i, j] * x[j]` is a sum over `j`, since `y` has no `j`. That is a sum of
/// the whole right side: `y[i] = a[i, j] * x[j] + b[i]` adds `b[i]` once for each `j`, and the macro warns about it. To add it
/// only once, as TACO does, write `let t[i] = a[i, j] * x[j]; y[i] = t[i] + b[i]`.
///
/// Elements that are not stored are zero, and zero times anything is zero, even infinity. So a product visits the indices that
/// both of its factors store, a sum visits those that either term stores, and a function that is not zero at zero visits all
/// indices.
/// Computed zeros are stored; zeros that an encoding stores, as blocks do, count as stored. Several entries at one index are one
/// element, their sum.
///
/// `.._into` writes to a given output. With `+=`, `*=`, `min=` and `max=` it combines the result with the elements of the output; for
/// sparse outputs see [below](#given-sparse-outputs). With `=` it overwrites the output. There are three kinds
/// of sparse outputs of such statements:
///
/// - The output has the positions and coordinates of an operand, or stores every element. In
///   `c[i, j] = s[i, j] * u[i, k] * v[k, j]` the output `c` has those of `s` if it has the same encoding. Then `.._into`
///   recomputes the values of a tensor that the function made before. Other positions or coordinates are an error.
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
/// sum `n mod 8`; the partial sums are added at the end. The order does not depend on the number of threads. It depends on the
/// CPU in only one case: CPUs that multiply pairs of `bf16` fast add the products of a matrix of blocks, or of `structured` columns,
/// and a dense matrix, both of `bf16`, to sums of `f32` two at a time, and treat numbers below the smallest normal `f32` as zero.
/// `TENSOR_LAYOUT_CPU=avx2` in the environment prevents that.
///
/// Each product is computed as written, from left to right: in `y[i, l] += a[i, j] * b[i, l] * c[j, l]` no factor is moved out of
/// the sum, since that would change how results round and overflow. To move one, write two statements:
/// `let t[i, l] = a[i, j] * c[j, l]; y[i, l] = t[i, l] * b[i, l]`.
///
/// | written | |
/// |---|---|
/// | `=`, `+=` | the sum over all indices that the output does not have; `+=` adds to the output that `.._into` is given |
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
/// | `stored(x)` | 1 where `x` is stored, whatever the type of its elements |
/// | `cast(x)` | `x` computed from operands of any type, whose values are [converted](#elements) as Rust's `as` does |
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
/// # Given sparse outputs
/// `.._into` of a statement with `+=`, `*=`, `min=` or `max=` adds the entries that it computes to those of a given sparse tensor,
/// as GraphBLAS accumulates: an element that both store becomes the sum, the product, the minimum or the maximum of the two, and
/// all others remain as they are. If the statement has a condition, its mask, then nothing is computed where it does not hold.
/// Elements of the given tensor that are stored there remain, or are dropped if the statement ends with `; replace`. With `=`, all
/// elements of the given tensor are dropped, or with `; keep` those where the condition holds.
///
/// | GraphBLAS | |
/// |---|---|
/// | `C += A B` | `c[i, j] += a[i, k] * b[k, j]` |
/// | `C<M> += A B` | `c[i, j] += a[i, k] * b[k, j] if m[i, j] != 0` |
/// | `C<M, replace> += A B` | `c[i, j] += a[i, k] * b[k, j] if m[i, j] != 0; replace` |
/// | `C<!M> min= A min.+ B` | `c[i, j] min= min.plus(a[i, k], b[k, j]) if m[i, j] == 0` |
/// | `C<M> = A B` | `c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0; keep` |
/// | `C<M, replace> = A B` | `c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0` |
///
/// The result is the same as if the entries were computed first, as by the function that returns a new tensor, rounded to elements,
/// and then merged with those of the given tensor, row by row with two pointers, in time linear in the number of entries of both.
/// Where rounding makes no difference, `+=` computes the sum of both in one pass. After an error the given tensor is unchanged.
/// Zeros that an encoding stores, as blocks do, are elements. The condition of `replace` and `keep` depends on nothing but indices
/// of the output, and the function has one statement.
///
/// ```
/// # use tensor_layout::sparse::{Duplicates, SparseTensor};
/// # use tensor_layout::{sparse_encoding, sparse_kernel};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// sparse_kernel! {
///     fn add(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, j] }
///     fn add_upper(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, j] if i < j; replace }
///     fn relax(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> d: Csr<f64>[i, j] { d[i, j] min= min.plus(a[i, k], b[k, j]) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let of = |entries: &[_]| SparseTensor::<Csr, f64>::from_coo([2, 3], entries, Duplicates::Error);
/// let a = of(&[([0, 1], 1.0), ([0, 2], 2.0)])?;
/// let mut c = of(&[([0, 2], 40.0), ([1, 0], 3.0)])?;
/// add_into(&a, &mut c)?;
/// assert_eq!(c.to_coo(), [([0, 1], 1.0), ([0, 2], 42.0), ([1, 0], 3.0)]);
/// add_upper_into(&a, &mut c)?;
/// assert_eq!(c.to_coo(), [([0, 1], 2.0), ([0, 2], 44.0)]);
///
/// // Shorter paths replace longer ones.
/// let edges = [([0, 1], 1.0), ([0, 2], 9.0), ([1, 2], 2.0)];
/// let edges = SparseTensor::<Csr, f64>::from_coo([3, 3], &edges, Duplicates::Error)?;
/// let mut distance = edges.clone();
/// relax_into(&edges, &edges, &mut distance)?;
/// assert_eq!(distance.to_coo(), [([0, 1], 1.0), ([0, 2], 3.0), ([1, 2], 2.0)]);
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
/// and `u16` fit in `f32`, but `i32` and `f64` do not, and need an output of `f64`, or a conversion: in `y[i] += cast(a[i, j]) * x[j]`
/// each value of `a` is converted when it is read, as by Rust's `as`. A value of `f64` is rounded to `f32`, and `1e10` becomes the
/// largest `i32`. What a kernel makes of `bool` is computed in `i64`, so there `cast` makes 0.3 false. An operand is either read
/// through `cast` or not. Entries at one index are widened or converted before they are
/// summed, and Rust functions take elements of the output's type.
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
/// sparse_kernel! {
///     fn rounded(a: Csr<f64>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] = cast(a[i, j]) * x[j] }
/// }
///
/// let a = [([0, 0], bf16::from_f32(0.5)), ([0, 1], bf16::from_f32(2.0))];
/// let a = SparseTensor::<Csr, bf16>::from_coo([1, 2], &a, Duplicates::Error).unwrap();
/// assert_eq!(multiply(&a, &[100i8, -3][..], 0.25).unwrap().values(), [11.0]);
/// let a = SparseTensor::<Csr, f64>::from_coo([1, 2], &[([0, 1], 0.1)], Duplicates::Error).unwrap();
/// assert_eq!(rounded(&a, &[0.0, 2.0]).unwrap().values(), [0.1f32 * 2.0]);
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
/// One operand may be read under several names: `c[i, j] += a[i, k] * a[j, k]` is the product of a matrix and its transposed,
/// where `j` has the size of the first dimension of `a`.
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
/// matrices whose rows are compressed, if all have the same element type and it is also the type of the computation, such as
/// `f32`, and if all of the statements are `parallel` or none is. The results are bit for bit those of separate loops. All other statements have loops of their
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
/// | `keep`, `replace` | the elements of a [given sparse output](#given-sparse-outputs) where the condition does not hold remain, or are dropped |
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
