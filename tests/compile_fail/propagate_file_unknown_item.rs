//! Something beside a file that means nothing.
use tensor_layout::propagate;

propagate! {
    file "models/none.mlir";
    reshard = gspmd;
    arg0 [{x}];
}

fn main() {}
