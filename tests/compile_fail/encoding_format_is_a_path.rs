//! A path of Rust is one mistake, under all of it.
use tensor_layout::sparse_encoding;

sparse_encoding! { type Bad = (i, j) -> (i : formats::dense(3), j : compressed); }

fn main() {}
