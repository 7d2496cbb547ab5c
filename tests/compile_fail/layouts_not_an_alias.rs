tensor_layout::layouts! {
    pub struct Bad;
}

fn main() {}
