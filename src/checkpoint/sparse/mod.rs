//! Sparse tensors in checkpoints: views of them, and conversions from and to arrays with other layouts.

mod dense;
mod dynamic;
mod element;
mod prune;
mod view;

pub(super) use dense::dense_bytes;
pub(super) use dynamic::read;
pub use element::StoredElement;
pub(super) use element::with_element;
pub(super) use prune::{Keep, prune};
pub(super) use view::{of_type, stored_bytes, type_of, view};

use super::Result;
use super::error::CheckpointError;
use super::quantize::unpack_window;
use super::storable::StoredSpec;
use crate::sparse::{Encoding, SparseArray, SparseTensor, SparseTensorSpec, StoredSparseSpec};
use layout_core::tiled::TiledSpec;
use std::vec::Vec;

/// Converts the bytes of an array to a tensor in the encoding `to` with the same sizes and elements. Returns the layout of the
/// tensor and its bytes, which have been read back and compared with the array.
pub(super) fn build(
    name: &str,
    from: (&StoredSpec, &[u8]),
    to: &SparseTensorSpec,
) -> Result<(StoredSparseSpec, Vec<u8>)> {
    match from {
        // Zeros that are stored remain stored.
        (StoredSpec::Sparse(spec), bytes) if spec.tensor() == to => Ok((*spec, bytes.to_vec())),
        (StoredSpec::Sparse(spec), bytes) => {
            with_element!(
                to.element(), T => dynamic::convert::<T>(name, spec, bytes, to), Err(unsupported(name, to))
            )
        }
        from => {
            with_element!(
                to.element(), T => dense::build::<T>(name, from, to), Err(unsupported(name, to))
            )
        }
    }
}

/// [`build`] for the window that begins at `origin` and has the sizes of `to`. Unless that is the whole array, stored zeros are
/// dropped.
pub(super) fn build_part(
    name: &str,
    from: (&StoredSpec, &[u8]),
    origin: &[usize],
    to: &SparseTensorSpec,
) -> Result<(StoredSparseSpec, Vec<u8>)> {
    let (stored, bytes) = from;
    let dims: Vec<usize> = to.sizes().iter().map(|size| size.unwrap_or_default()).collect();
    if stored.dims() == dims {
        return build(name, from, to);
    }
    let row_major = |dims: &[usize]| {
        TiledSpec::row_major(stored.unpacked(), dims).map(StoredSpec::Tiled).ok_or_else(|| {
            let reason = std::format!("no layout has the dimensions {dims:?}");
            CheckpointError::NoLayout { name: name.into(), reason }
        })
    };
    let unpacked;
    let whole = match stored {
        StoredSpec::Sparse(spec) => {
            unpacked = dense_bytes(name, spec, bytes)?;
            (&row_major(spec.dims())?, &unpacked[..])
        }
        _ => (stored, bytes),
    };
    let local = row_major(&dims)?;
    let mut part = std::vec![0; local.bytes()];
    unpack_window(name, whole.0, origin, &dims, whole.1, &mut part)?;
    build(name, (&local, &part), to)
}

/// The layout of a sparse tensor, which is announced to a [`Writer`](super::Writer).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-sparse-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::{Checkpoint, Writer, stored_sparse};
/// use tensor_layout::sparse::{SparseTensor, formats::Csr};
/// type W1 = SparseTensor<Csr<u32, u16>, f32>;
///
/// let w1 = W1::from_dense([2, 3], &[0.0, 1.0, 0.0, 2.0, 0.0, 3.0])?;
/// let mut writer = Writer::create(&path, [("w1", stored_sparse(&w1)?)])?;
/// writer.write_sparse("w1", &w1)?;
/// writer.finish()?;
///
/// let checkpoint = Checkpoint::open(&path)?;
/// let w1 = checkpoint.get::<W1>("w1")?;                           // its arrays where they lie in the file
/// assert_eq!((w1.get([1, 2]), w1.coordinates(1)), (3.0, &[1, 0, 2][..]));
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If positions or coordinates have the width of a pointer and this machine's pointers do not have 64 bits. The encoding should
/// then give their width.
pub fn stored_sparse<E: Encoding, T: StoredElement>(
    tensor: &SparseTensor<E, T>,
) -> Result<StoredSparseSpec> {
    view::spec_of("", tensor)
}

/// All elements of an array in row-major order, as bytes.
pub(super) fn all_bytes(name: &str, stored: &StoredSpec, bytes: &[u8]) -> Result<Vec<u8>> {
    match stored {
        StoredSpec::Sparse(spec) => dense_bytes(name, spec, bytes),
        stored => dense::unpack(name, stored, bytes),
    }
}

/// The bytes of an array of a stored tensor.
fn array<'a>(spec: &StoredSparseSpec, bytes: &'a [u8], array: SparseArray) -> &'a [u8] {
    &bytes[spec.range(array)]
}

fn unsupported(name: &str, tensor: &SparseTensorSpec) -> CheckpointError {
    let reason =
        std::format!("tensor `{name}`: no sparse array of `{}` is stored", tensor.element());
    CheckpointError::Rule { reason }
}
