use tensor_layout::sparse::SparseTensor;
use tensor_layout::sparse_encoding;

type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed));
type Csc = sparse_encoding!((i, j) -> (j : dense, i : compressed));

fn rows(_: &SparseTensor<Csr, f32>) {}

fn main() {
    rows(&SparseTensor::<Csc, f32>::from_dense([1, 4], &[1.0; 4]).unwrap());
}
