//! Tiled layouts in XLA's notation.

/// A tiled layout in XLA's notation, as a type.
///
/// Accepts an array shape as XLA prints it, `tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})`, and in the spelling of XLA's documents,
/// `tiled!(F32[3,5]<1,0:T(2,2)>)`. An array has up to 16 dimensions, none of them of unknown size (`?`), and up to four tiles of
/// up to eight sizes each. Without a layout, the array is row-major.
///
/// This is `f32[3,5]{1,0:T(2,2)}`, in which each tile of 2 by 2 is contiguous. The colour is that of the tile, the number is the
/// offset, and padding is hatched:
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
/// | `S(1)` | The number of the memory space that holds the array. |
/// | `SC(0:512)` | Physical dimension 0 is split at index 512, and each part is in another memory. |
/// | `M(16)` | 16 bytes of run-time sizes precede the array. They are not counted in its bytes. |
///
/// Like all macros of this crate, it finds the crate under any name: the dependency may be renamed in `Cargo.toml`, or be
/// re-exported by another crate, `pub use tensor_layout;`.
///
/// A size is a literal, a name (a const, or a const generic parameter), or an expression in braces. Literals are
/// checked by the macro, expressions by `cargo check`, and names where the type is first used. A size `<=n` is a bound: the
/// layout is that for size `n`, and an array stores its current size at run time, as
/// [`Packed::with_sizes`](crate::Packed::with_sizes) shows.
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
///
/// A size `<=n` is a bound, as in [`tiled!`](crate::tiled!).
///
/// # Errors
/// Every mistake is an error under its own token. The compiler has no default layout for types of 6 bits, `s1` and `u1`: write
/// their layouts with [`tiled!`](crate::tiled!).
///
/// ```compile_fail
/// type Bad = tensor_layout::tpu!(f6e2m3fn[8,128]);
/// ```
#[macro_export]
macro_rules! tpu {
    ($($input:tt)*) => { $crate::__private::macros::tpu! { [$crate] $($input)* } };
}
