//! The encoding is used, although the tensor could not be read: its import is not reported.
use tensor_layout::sparse::formats;
use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse_tensor;

type Exchanged = sparse_tensor!(Csr f64[4, 6]);
type OfMlir = sparse_tensor!(tensor<4,6,f64, formats::Csc>);

fn main() {}
