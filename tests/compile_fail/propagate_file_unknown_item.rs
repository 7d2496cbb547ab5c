//! An item after a file that is not one of the settings.
use tensor_layout::propagate;

propagate! {
    file "models/none.mlir";
    reshard = gspmd;
    arg0 [{x}];
}

fn main() {}
