use tensor_layout::half::bf16;
use tensor_layout::sparse::{BlockTensor, SparseTensor};
use tensor_layout::{sparse_encoding, tiled};

type Blocks = sparse_encoding!((i, j) -> (i floordiv 8 : dense, j floordiv 64 : compressed, i mod 8 : dense, j mod 64 : dense));
type Tile = tiled!(bf16[8,128]{1,0:T(8,128)(2,1)});

fn main() {
    let sparse = SparseTensor::<Blocks, bf16>::from_dense([8, 64], &[bf16::ONE; 512]).unwrap();
    BlockTensor::<Blocks, Tile>::pack(&sparse).unwrap();
}
