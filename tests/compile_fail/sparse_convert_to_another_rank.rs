use tensor_layout::sparse::{SparseTensor, formats::Csr};
use tensor_layout::sparse_encoding;

type Csf = sparse_encoding!((i, j, k) -> (i : compressed, j : compressed, k : compressed));

fn main() {
    let _ = SparseTensor::<Csr, f32>::empty([2, 3]).unwrap().convert::<Csf>();
}
