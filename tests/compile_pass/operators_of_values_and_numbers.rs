//! Operators take arrays by value and by reference, in any layouts of one shape, and numbers on both sides.
use tensor_layout::{Layout, Packed, half::bf16, tiled};

type Rows = tiled!(f32[2,3]);
type Columns = tiled!(f32[2,3]{0,1});
type Narrow = tiled!(bf16[2,3]);

fn first<L: Layout>() -> usize {
    L::DIMS[0]
}

fn main() {
    let x = Packed::<Rows>::from_fn(|[i, j]| (3 * i + j) as f32);
    let y = x.relayout::<Columns>();
    assert_eq!((x.clone() + y.clone()).unpack(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!((&x - y.clone()).total(), 0.0);
    assert_eq!((1.0 - &x * 2.0).unpack(), [1.0, -1.0, -3.0, -5.0, -7.0, -9.0]);
    assert_eq!((60.0 / (x.clone() + 1.0)).unpack(), [60.0, 30.0, 20.0, 15.0, 12.0, 10.0]);
    let mut sums = x.clone();
    sums += y;
    sums *= 0.5;
    assert_eq!(sums, x);
    let narrow = x.convert::<Narrow>(bf16::from_f32);
    assert_eq!((bf16::ONE + &narrow).get([1, 2]).to_f32(), 6.0);
    assert_eq!(first::<Rows>(), 2);
}
