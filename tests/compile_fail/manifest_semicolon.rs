tensor_layout::checkpoint! {
    struct Model {
        bias: tensor_layout::tpu!(f32[64]);
        scale: tensor_layout::tpu!(f32[64])
    }
}

fn main() {}
