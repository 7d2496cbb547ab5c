tensor_layout::checkpoint! {
    struct Model {
        bias: f32[64],
    }
}

fn main() {}
