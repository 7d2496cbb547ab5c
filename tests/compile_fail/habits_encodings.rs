//! Encodings as SciPy, TACO and PyTorch name them, and sizes and widths as they write them.
use tensor_layout::sparse_encoding;

type Scipy = sparse_encoding!(scipy.sparse.csr_matrix);
type Taco = sparse_encoding!({Dense, Compressed});
type Called = sparse_encoding!((i, j) -> (dense(i), compressed(j)));
type Widths = sparse_encoding!((i, j) -> (i : dense, j : compressed), posWidth = u32, crdWidth = "32");
type Index = sparse_encoding!((i, j) -> (i : dense, j : compressed), index_dtype = 32);
type Arrow = sparse_encoding!((i, j) => (i : dense, j : sparse));

fn main() {}
