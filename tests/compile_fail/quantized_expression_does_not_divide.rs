use tensor_layout::quantized;

const COLUMNS: usize = 50;

// A signature is enough for rustc to evaluate the expression.
fn weights() -> Option<quantized!(q4_0[64, { COLUMNS * 2 }])> {
    None
}

fn main() {
    weights();
}
