//! The figures of XLA's document on tiled layouts.

tensor_layout::layouts! {
    /// An array of 3 by 5 in tiles of 2 by 2.
    pub type Figure1 = tiled!(F32[3,5]<1,0:T(2,2)>);
    /// Tiles of 2 by 4, each in tiles of 2 by 1: the format of `bf16` on a TPU, with a smaller first tile.
    pub type Figure2 = tiled!(F32[4,8]<1,0:T(2,4)(2,1)>);
    /// Dimensions that a tile combines.
    pub type Combined = tiled!(f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)});
}
