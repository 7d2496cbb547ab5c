use tensor_layout::tiled;

const WIDTH: usize = 4;

// A signature is enough for rustc to evaluate the expression.
fn first() -> Option<tiled!(f32[3,5]{1,0:T(8,{WIDTH - 4})})> {
    None
}

fn main() {
    first();
}
