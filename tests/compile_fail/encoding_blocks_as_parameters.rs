use tensor_layout::sparse_encoding;

sparse_encoding! {
    type Rows<const B: usize> = (i, j) -> (i floordiv B : dense, j : compressed, i mod B : dense);
}

fn main() {}
