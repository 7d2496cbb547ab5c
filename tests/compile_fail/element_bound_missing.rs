//! A function for many layouts must require what it does with elements.
use tensor_layout::{Layout, Packed};

fn total<L: Layout>(x: &Packed<L>) -> f32 {
    x.total()
}

fn rows<L: Layout>(x: &Packed<L>) -> usize {
    x.sum(1).len()
}

fn shares<L: Layout>(x: &Packed<L>) -> Packed<L> {
    x.softmax(1)
}

fn main() {}
