//! Comparisons of two layout types at compile time.

use crate::element::Element;
use crate::typed::Layout;
use layout_core::text::TextOf;
use layout_core::tiled::{Fields, MAX_TEXT, TiledSpec};

/// Requires a shape to be `S`: `Layout<Shape: SameShape<S>>` means `Layout<Shape = S>`, with an error message that names both
/// shapes.
///
/// ```
/// use tensor_layout::{Layout, Packed, SameShape, tiled, tpu};
/// fn add<A: Layout, B>(a: &Packed<A>, b: &Packed<B>) -> f32
/// where
///     A: Layout<Element = tensor_layout::F32>,
///     B: Layout<Element = tensor_layout::F32, Shape: SameShape<A::Shape>>,
/// {
///     a.zip(b, |x, y| x + y).total()
/// }
/// let (a, b) = (<tpu!(f32[2,3])>::pack(&[1.0; 6])?, <tiled!(f32[2,3])>::pack(&[2.0; 6])?);
/// assert_eq!(add(&a, &b), 18.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the shapes `{Self}` and `{S}` differ",
    note = "`reshape` reads the same bytes in another shape, `transpose` reverses the dimensions, `slice` takes a part; `zip_broadcast` adds a row or a column, and `matmul` multiplies matrices"
)]
pub trait SameShape<S> {}

#[diagnostic::do_not_recommend]
impl<S> SameShape<S> for S {}

/// Requires an element type to be `E`: `Layout<Element: SameElement<E>>` means `Layout<Element = E>`, with an error message that
/// names both types.
///
/// ```
/// use tensor_layout::{F32, Layout, Packed, SameElement, tpu};
/// fn largest<L: Layout<Element: SameElement<F32>>>(_: &Packed<L>) {}
/// largest(&Packed::<tpu!(f32[2,3])>::zeroed()?);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the element types `{Self}` and `{E}` differ",
    note = "`convert` computes elements of another type: `a.convert::<M>(|x| ..)`"
)]
pub trait SameElement<E: Element>: Element<Host = E::Host> {}

#[diagnostic::do_not_recommend]
impl<E: Element> SameElement<E> for E {}

/// Whether two layouts store every element at the same offset; see [`TiledSpec::same_bytes`].
///
/// ```
/// use tensor_layout::{same_bytes, tiled};
/// assert!(same_bytes::<tiled!(f32[8,128]), tiled!(f32[1024])>());
/// assert!(!same_bytes::<tiled!(f32[8,128]), tiled!(f32[8,128]{0,1})>());
/// ```
///
/// [`TiledSpec::same_bytes`]: crate::TiledSpec::same_bytes
pub const fn same_bytes<A: Layout, B: Layout>() -> bool {
    A::SPEC.same_bytes(&B::SPEC)
}

/// Fails to compile, if called in a `const` item or block, unless two layouts store every element at the same offset.
///
/// ```
/// use tensor_layout::{assert_same_bytes, tiled};
/// type Rows = tiled!(bf16[8,128]{1,0:T(8,128)(2,1)});
/// type Flat = tiled!(bf16[1024]{0:T(1024)(128)(2,1)});
/// const _: () = assert_same_bytes::<Rows, Flat>();
/// ```
///
/// ```compile_fail
/// use tensor_layout::{assert_same_bytes, tiled};
/// type Rows = tiled!(f32[8,128]);
/// type Columns = tiled!(f32[8,128]{0,1});
/// const _: () = assert_same_bytes::<Rows, Columns>();
/// ```
///
/// # Panics
/// If an offset differs, with both layouts and the first such element; in const evaluation that is a compile error.
#[track_caller]
pub const fn assert_same_bytes<A: Layout, B: Layout>() {
    let (a, b) = (&A::SPEC, &B::SPEC);
    if a.same_bytes(b) {
        return;
    }
    let text = differ(a, b, " do not store the same bytes at the same offsets: ");
    let text = match a.first_difference(b) {
        Some(element) => first(text, element),
        None => text.str("they differ in element type, stored bits or number of elements"),
    };
    panic!("{}", text.as_str())
}

/// Fails to compile unless the bytes of an array are the same in both layouts.
#[track_caller]
pub(crate) const fn assert_reshape<A: Layout, B: Layout>() {
    let (a, b) = (&A::SPEC, &B::SPEC);
    if a.elements() != b.elements() {
        let text = differ(a, b, " do not have the same number of elements: ");
        let text = text.num(a.elements()).str(" and ").num(b.elements());
        panic!("{}", text.str("; `slice` takes a part of an array").as_str())
    }
    if let Some(element) = a.first_difference(b) {
        let text = differ(a, b, " do not store the same bytes at the same offsets: ");
        let help = "; `relayout` to row-major order first, which has the same bytes in every shape";
        panic!("{}", first(text, element).str(help).as_str())
    }
    assert_same_bytes::<A, B>();
    if A::BYTES != B::BYTES {
        let text = differ(&A::SPEC, &B::SPEC, " do not take the same number of bytes");
        panic!("{}", text.as_str())
    }
}

/// What two layouts of the same shape may differ in: everything except the sizes, whether or not these are bounds.
const BUT_SIZES: Fields = Fields::NONE.element_type().bounds().layout();

/// Whether two layouts have the same shape, the same length, and the same offset for each element, so that one loop can process
/// both. Element types may differ.
///
/// Arrays of the same sizes can have layouts of different bounds. Equal offsets in row-major order of the bounds then say nothing,
/// because the number of an element depends on them.
pub(crate) const fn same_offsets(a: &TiledSpec, b: &TiledSpec) -> bool {
    a.equal_except(b, BUT_SIZES) && a.len() == b.len() && a.first_difference(b).is_none()
}

/// A text long enough for two layouts and a message.
type PairText = TextOf<{ 2 * MAX_TEXT + 280 }>;

/// The start of a message about two layouts.
const fn differ(a: &TiledSpec, b: &TiledSpec, how: &str) -> PairText {
    let (a, b) = (a.text(), b.text());
    TextOf::new().str("`").str(a.as_str()).str("` and `").str(b.as_str()).str("`").str(how)
}

const fn first(text: PairText, element: usize) -> PairText {
    text.str("element ").num(element).str(", in row-major order, is the first to differ")
}
