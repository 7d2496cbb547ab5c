tensor_layout::layouts! { pub(crate) type W = tiled!(f32[4]); }
