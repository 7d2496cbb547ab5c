//! Each definition is read, whatever is wrong with the others.
use tensor_layout::layouts;

layouts! {
    pub type A = f32[3,5]{1,0};
    const B = tiled!(f32[3,5]);
    pub type C = tiled!(f32[3,5]{1,1});
    use tensor_layout::tiled;
    pub type D = einsum!("ij->ji");
}

fn main() {}
