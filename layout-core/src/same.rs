//! Questions about two layout types, answered by rustc.

use crate::layout::Layout;
use crate::text::TextOf;
use crate::tiled::MAX_TEXT;

/// Whether two layouts put every element in the same place; see [`TiledSpec::same_bytes`].
///
/// [`TiledSpec::same_bytes`]: crate::TiledSpec::same_bytes
pub const fn same_bytes<A: Layout, B: Layout>() -> bool {
    A::SPEC.same_bytes(&B::SPEC)
}

/// Fails to compile unless two layouts put every element in the same place, in a `const` item or block.
///
/// ```
/// use layout_core::{BF16, Tiled, assert_same_bytes, types::{Order1, Order2, Shape1, Shape2, Tile1, Tile2}};
/// type Rows = Tiled<BF16, Shape2<8, 128>, Order2<1, 0>, (Tile2<8, 128>, Tile2<2, 1>)>;
/// type Flat = Tiled<BF16, Shape1<1024>, Order1<0>, (Tile1<1024>, Tile1<128>, Tile2<2, 1>)>;
/// const _: () = assert_same_bytes::<Rows, Flat>();
/// ```
///
/// ```compile_fail
/// use layout_core::{F32, Tiled, assert_same_bytes, types::{Order2, Shape2}};
/// type Rows = Tiled<F32, Shape2<8, 128>, Order2<1, 0>>;
/// type Columns = Tiled<F32, Shape2<8, 128>, Order2<0, 1>>;
/// const _: () = assert_same_bytes::<Rows, Columns>();
/// ```
///
/// # Panics
/// In const evaluation, so as a compile error, with both layouts and the first element whose place differs.
#[track_caller]
pub const fn assert_same_bytes<A: Layout, B: Layout>() {
    let (a, b) = (&A::SPEC, &B::SPEC);
    if a.same_bytes(b) {
        return;
    }
    let (a_text, b_text) = (a.text(), b.text());
    let text: TextOf<{ 2 * MAX_TEXT + 200 }> = TextOf::new().str("`").str(a_text.as_str());
    let text = text
        .str("` and `")
        .str(b_text.as_str())
        .str("` do not put the same bytes in the same place");
    let text = match a.first_difference(b) {
        Some(element) => {
            text.str(": element ").num(element).str(", in row-major order, is the first to differ")
        }
        None => text.str(": they differ in element type, stored bits or number of elements"),
    };
    panic!("{}", text.as_str())
}
