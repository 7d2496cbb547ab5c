//! Aliases of layouts with const parameters.

use tensor_layout::sharding::ShardedLayout;
use tensor_layout::{Packed, layouts, mesh};

mesh! { Pod = ["data" = 2] }

layouts! {
    /// Rows of 128.
    pub type Rows<const N: usize> = tiled!(f32[N,128]{1,0:T(8,128)});
    type Both<const M: usize, const N: usize = 4> = tiled!(f32[M,N]);
    type Split<const N: usize> = sharded!(f32[8,N] @ Pod [{"data"}, {}]);
}

fn first<const N: usize>(x: &Packed<Rows<N>>) -> f32 {
    x.get([0, 0])
}

fn main() {
    assert_eq!(Rows::<8>::LEN, 1024);
    assert_eq!(Both::<3>::DIMS, [3, 4]);
    assert_eq!(<Split<5> as ShardedLayout>::Local::DIMS, [4, 5]);
    assert_eq!(first(&Rows::<2>::pack(&[7.0; 256]).unwrap()), 7.0);
}
