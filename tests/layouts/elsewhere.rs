//! A file that `#[path]` names; the files of its modules are next to it.

pub(crate) mod inner;

tensor_layout::layouts! { pub(crate) type E = tiled!(f32[1]); }
