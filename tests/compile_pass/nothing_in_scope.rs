//! The macros refer to everything by its full path.
#![no_implicit_prelude]

mod core {}
mod tensor_layout {}

struct Tiled;
struct F32;
struct Shape2;

fn named(_: Tiled, _: F32, _: Shape2) {}

fn main() {
    const N: usize = 3;
    named(Tiled, F32, Shape2);
    ::std::assert_eq!(<::tensor_layout::tiled!(f32[N,{N + 2}]{1,0:T(2,2)})>::LEN, 24);
    ::std::assert_eq!(<::tensor_layout::tpu!(f32[N,{N + 2}])>::LEN, 4 * 128);
}
