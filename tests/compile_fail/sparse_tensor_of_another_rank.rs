use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Bcoo = (i, j, k) -> (i : dense, j : loose_compressed(nonunique), k : singleton); }

type Bad = sparse_tensor!(tensor<10x10xf32, #BCOO>);

fn main() {
    let _: Option<Bad> = None;
}
