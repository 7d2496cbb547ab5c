tensor_layout::layouts! {
    pub type Bad = tilde!(f32[3,5]{1,0});
}

fn main() {}
