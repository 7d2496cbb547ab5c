tensor_layout::mesh! { Pod = ["data" = 2] }
tensor_layout::layouts! {
    pub type Bad = sharded!(f32[8] @ Pod [{"model"}]);
}

fn main() {}
