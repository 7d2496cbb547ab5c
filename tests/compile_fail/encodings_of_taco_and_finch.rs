//! Formats with the order of their modes, fibers, and levels whose order is in a map of its own.
use tensor_layout::sparse_encoding;

type Modes = sparse_encoding!({Dense, Sparse}, {1, 0});
type Fiber = sparse_encoding!(Dense(SparseList(Element(0.0))));
type Ordered = sparse_encoding!(#sparse_tensor.encoding<{ lvlTypes = ["dense", "compressed"], dimToLvl = affine_map<(i,j) -> (j,i)> }>);
type Hyphen = sparse_encoding!((i, j) -> (i : compressed(non-unique), j : singleton));
type Cusparse = sparse_encoding!(CUSPARSE_FORMAT_CSC);

fn main() {}
