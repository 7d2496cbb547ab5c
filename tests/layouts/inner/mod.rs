pub(crate) mod deep;

tensor_layout::layouts! { pub(crate) type I = tiled!(f32[2]); }
