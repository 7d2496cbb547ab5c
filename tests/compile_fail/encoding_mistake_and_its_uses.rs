use tensor_layout::sparse::Encoding;
use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dense, j : sparse));

fn levels<E: Encoding<Index = [usize; 2]>>() -> usize {
    E::SPEC.levels().len()
}

// No error follows from the mistake.
fn main() {
    println!("{}", levels::<Bad>());
}
