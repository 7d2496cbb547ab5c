use tensor_layout::sparse::Encoding;
use tensor_layout::sparse_encoding;
use tensor_layout::typenum::U2;

type Csf = sparse_encoding!((i, j, k) -> (i : compressed, j : compressed, k : compressed));

fn matrix<E: Encoding<Rank = U2>>() {}

fn main() {
    matrix::<Csf>();
}
