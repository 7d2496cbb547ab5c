//! An expression in braces is checked where it is written, also as a padded width.
use tensor_layout::tiled;

const WIDTH: usize = 1;

fn main() {
    let _: Option<tiled!(f32[3,5]{1,0} padded to [{WIDTH + 1},5] with zero)> = None;
}

