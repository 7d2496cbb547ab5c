//! Checkpoints: packed arrays in safetensors files, which are written once and mapped without a copy.
//!
//! A **packed checkpoint** is a safetensors file whose bytes are in packed order, so a program can map it and compute with it
//! at once: nothing is repacked or copied, and existing tools open it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = std::env::temp_dir().join(format!("tensor-layout-doc-{}.safetensors", std::process::id()));
//! use tensor_layout::checkpoint::{Checkpoint, Writer};
//! use tensor_layout::{Layout, tpu};
//! type W1 = tpu!(f32[64,128]);
//!
//! let weights = W1::pack(&[0.5; 64 * 128])?;
//! let mut writer = Writer::create(&path, [("layers.0.w1", W1::SPEC)])?;
//! writer.write("layers.0.w1", weights.as_bytes())?;
//! writer.finish()?;                                               // the file appears whole, or not at all
//!
//! let checkpoint = Checkpoint::open(&path)?;                      // mapped
//! let w1 = checkpoint.get::<W1>("layers.0.w1")?;                  // a view of the file
//! assert_eq!(w1.get([63, 127]), 0.5);
//!
//! type Transposed = tpu!(f32[128,64]);
//! let error = checkpoint.get::<Transposed>("layers.0.w1").unwrap_err();
//! assert_eq!(error.to_string(), "\
//! tensor `layers.0.w1` is `f32[64,128]{1,0:T(8,128)}`, not `f32[128,64]{0,1:T(8,128)}`
//! help: the shapes differ; give the tensor's own, `f32[64,128]`");
//! # std::fs::remove_file(&path)?;
//! # Ok(())
//! # }
//! ```
//!
//! A plain safetensors file is also a checkpoint, whose arrays are row-major: [`Checkpoint::get_or_relayout`] packs an array
//! when it is loaded, and [`Packer`] converts the whole file to a packed checkpoint.
//!
//! A program that knows the names of all tensors can declare them as a struct: see the macro
//! [`checkpoint!`](macro@crate::checkpoint).
//!
//! # The file
//! The format is a subset of safetensors:
//!
//! - The header is padded with spaces, so that the data begins at a multiple of 64 bytes. So does each tensor: if the previous
//!   one ends elsewhere, an entry `__padding__.0`, `__padding__.1`, ... of type `U8` fills the gap.
//! - A tensor's entry has the physical shape of its layout, tile by tile (`F32 [8, 1, 8, 128]`), if that accounts for all of
//!   its bytes and safetensors has the element type; otherwise it is `U8` with the number of bytes.
//! - A tensor with a bounded dimension, `f32[<=8,4]`, has the bytes of its bound. The file does not say how many indices are in use: a
//!   tensor that is read has its largest size, and the elements past the size that it had are whatever its bytes contain. Store
//!   that size in a tensor of its own, and set it with [`Packed::set_len`](crate::Packed::set_len).
//! - A block-scaled tensor, `s8[64,64] by f16[1,32] in blocks`, is `U8` with the bytes of its format: blocks or planes.
//! - A sparse tensor is `U8` with its arrays one after another, each at a multiple of 64 bytes: the positions and the
//!   coordinates of each level, and the values. Its layout is MLIR's type and the lengths of the arrays, as
//!   [`StoredSparseSpec`](crate::sparse::StoredSparseSpec) writes it: `tensor<2x3xf64, #sparse_tensor.encoding<{ .. }>> with 3
//!   positions(1), 4 coordinates(1), 4 values`.
//! - `__metadata__` has `tensor_layout.version`, `"1"`, and for each tensor its layout as canonical text, with the logical
//!   shape, under `layout.NAME`, and a CRC-32 in eight hexadecimal digits under `checksum.NAME`: that of the name, a line
//!   feed, the layout, a line feed, and the bytes.
//! - A tensor `NAME` that is split over a mesh has an entry for each different part, `NAME@0`, `NAME@1`, ..., in row-major
//!   order of the parts, and its mesh and sharding as canonical text under `sharding.NAME`: `<mesh<["data"=2, "model"=4]>,
//!   [{"model"}, {}]>`. The checksum of a part has ` @ ` and that text after the layout. All parts have the same layout, except
//!   that the arrays of sparse parts differ in length.

mod checksum;
mod dtype;
mod error;
mod header;
mod manifest;
mod no_such_method;
mod not_indexed;
mod open;
mod packer;
mod partial;
mod quantize;
mod rules;
mod shards;
mod source;
mod sparse;
mod storable;
mod writer;

#[cfg(test)]
mod tests;

pub use dtype::element_type;
pub use error::CheckpointError;
pub use manifest::{Loader, Manifest};
pub use open::{Checkpoint, Loaded, Options, Verify};
pub use packer::{Packer, Summary};
pub use rules::{Rule, Rules, matches_pattern};
pub use shards::Contents;
pub use sparse::{StoredElement, stored_sparse};
pub use storable::{Storable, StoredSpec, View};
pub use writer::Writer;

/// The position of each tensor in the file is a multiple of this number of bytes.
pub const ALIGNMENT: usize = 64;

type Result<T, E = CheckpointError> = core::result::Result<T, E>;
