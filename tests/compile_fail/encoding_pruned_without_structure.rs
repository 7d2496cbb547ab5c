use tensor_layout::sparse::SparseTensor;
use tensor_layout::sparse_encoding;

type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed));

fn main() {
    SparseTensor::<Csr, f32>::from_dense_pruned([1, 4], &[1.0; 4]).unwrap();
}
