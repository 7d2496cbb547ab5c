//! A function for all layouts has the bound `L: Layout`.
use tensor_layout::Packed;

fn bytes<L>(x: &Packed<L>) -> usize {
    x.as_bytes().len()
}

fn main() {}
