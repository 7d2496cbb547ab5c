tensor_layout::layouts! {
    /// Its documentation stays.
    pub type Bad = tiled!(f32[3,5]{1,1});
    pub type Good = tiled!(f32[3,5]{1,0});
}

fn main() {
    let _ = Good::LEN;
}
