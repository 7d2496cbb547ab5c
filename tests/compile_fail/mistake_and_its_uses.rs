use tensor_layout::{Layout, tiled};

type Weights = tiled!(bf16[16,256]{1,1:T(8,128)(2,1)});

fn rows<L: Layout<Element = tensor_layout::BF16>>() -> usize {
    L::DIMS.as_ref()[0]
}

// No error follows from the mistake.
fn main() {
    println!("{} {} {}", Weights::LEN, Weights::offset([3, 130]), rows::<Weights>());
    println!("{:?}", Weights::index(17).map(|[i, j]| i + j));
}
