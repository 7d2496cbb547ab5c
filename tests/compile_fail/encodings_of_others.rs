//! PyTorch's names, TACO's order of modes, SciPy's blocks, MLIR's former keys.
use tensor_layout::sparse_encoding;

struct Torch(sparse_encoding!(torch.sparse_csr));
struct Order(sparse_encoding!(Format({Dense, Sparse}, {1, 0})));
struct Blocks(sparse_encoding!(bsr_matrix(blocksize=(4, 8))));
struct Types(sparse_encoding!(lvlTypes = ["dense", "compressed"]));
struct Widths(sparse_encoding!((i, j) -> (i : dense, j : compressed), pos = i32, crd = i32));

fn main() {}
