tensor_layout::layouts! { pub(crate) type D = tiled!(f32[3]); }
