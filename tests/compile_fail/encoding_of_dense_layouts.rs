//! The layouts of Kokkos, and the orders of arrays.
type Right = tensor_layout::sparse_encoding!(LayoutRight);
type Columns = tensor_layout::sparse_encoding!(column_major);
type Levels = tensor_layout::sparse_encoding!((i, j) -> (i = Dense, j = Sparse));

fn main() {}
