//! A field names a layout: the macro makes it a view.
use tensor_layout::checkpoint;

checkpoint! {
    pub struct Mlp {
        up: tensor_layout::Packed<tensor_layout::tpu!(bf16[64,128])>,
    }
}
checkpoint! {
    pub struct Called {
        up: tpu(bf16[64,128]),
    }
}

fn main() {}
