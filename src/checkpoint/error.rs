//! The errors of checkpoints.

use super::storable::StoredSpec;
use crate::movement::PackError;
use crate::quantized::QuantizedError;
use crate::sparse::{AssembleError, BuildError, SparseTensorSpec, StoredProblem};
use core::fmt;
use std::boxed::Box;
use std::io;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

/// Why a checkpoint cannot be read or written.
///
/// ```
/// use tensor_layout::checkpoint::{Checkpoint, CheckpointError};
/// match Checkpoint::open("/no/such/folder/model.safetensors") {
///     Err(CheckpointError::Io { path, .. }) => assert!(path.ends_with("model.safetensors")),
///     Err(error) => panic!("{error}"),
///     Ok(_) => panic!("the file exists"),
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system refuses to read or write a file.
    #[error("`{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The file is not a complete safetensors file, or its metadata contradicts it.
    #[error("`{}`: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    /// The file was packed by a later version of the library.
    #[error(
        "`{}` is a packed checkpoint of version {found}, but version 1 is read here\nhelp: update tensor-layout",
        path.display()
    )]
    Version { path: PathBuf, found: String },
    /// No tensor has the name.
    #[error("there is no tensor `{name}`{}", Nearest(.nearest.as_deref()))]
    Missing { name: String, nearest: Option<String> },
    /// The tensor has another shape, element type or layout than the program requests.
    #[error("tensor `{name}` is `{stored}`, not `{wanted}`\nhelp: {}", Difference(.stored, .wanted))]
    Layout { name: String, stored: Box<StoredSpec>, wanted: Box<StoredSpec> },
    /// The tensor is block-scaled, but a tiled one is requested.
    #[error(
        "tensor `{name}` is block-scaled, `{stored}`\nhelp: `get` takes its type, `quantized!({stored})`, and `get_quantized` any"
    )]
    BlockScaled { name: String, stored: Box<StoredSpec> },
    /// The tensor is not block-scaled, but a block-scaled one is requested.
    #[error(
        "tensor `{name}` is `{stored}`, which is not block-scaled\nhelp: pack the file with a rule for it, `{name} = q8_0`"
    )]
    NotBlockScaled { name: String, stored: Box<StoredSpec> },
    /// The tensor is sparse, but a tiled or block-scaled one is requested.
    #[error(
        "tensor `{name}` is sparse, `{stored}`\nhelp: `get` takes its type, `SparseTensor<..>`, `get_sparse` any encoding, and `dense_bytes` gives all elements"
    )]
    Sparse { name: String, stored: Box<StoredSpec> },
    /// The tensor is not sparse, but a sparse one is requested.
    #[error(
        "tensor `{name}` is `{stored}`, which is not sparse\nhelp: pack the file with a rule for it, `{name} = (i, j) -> (i : dense, j : compressed)`"
    )]
    NotSparse { name: String, stored: Box<StoredSpec> },
    /// The tensor has another encoding, other sizes or another value type than the program requests.
    #[error(
        "tensor `{name}` is `{stored}`, not `{wanted}`\nhelp: {}", SparseDifference(.stored, .wanted)
    )]
    SparseType { name: String, stored: Box<StoredSpec>, wanted: Box<SparseTensorSpec> },
    /// The arrays in the file are not a tensor of their encoding.
    #[error("tensor `{name}`: {source}\nhelp: pack the file again")]
    SparseArrays { name: String, source: Box<AssembleError> },
    /// The bytes of a sparse tensor are not those of its arrays.
    #[error("tensor `{name}`: {reason}")]
    SparseBytes { name: String, reason: &'static str },
    /// A tensor cannot be stored as a sparse tensor.
    #[error("tensor `{name}`: {source}")]
    SparseSpec { name: String, source: StoredProblem },
    /// The encoding cannot store the elements of a tensor.
    #[error("tensor `{name}`: {source}")]
    SparseBuild { name: String, source: Box<BuildError> },
    /// The tensor is split over a mesh in another way than the program requests.
    #[error(
        "tensor `{name}` is {}, not `{wanted}`\nhelp: write the sharding of the file, or pack the file again", Split(.stored.as_deref())
    )]
    Sharding { name: String, stored: Option<String>, wanted: String },
    /// The tensor is split over a mesh, and the file was not opened for a device.
    #[error(
        "tensor `{name}` is split, `{sharding}`, and each device has a part of it\nhelp: name the device, `Checkpoint::open_for(path, 0)`, or a part, `{name}@0`"
    )]
    Sharded { name: String, sharding: String },
    /// The mesh of a tensor does not have the device for which the checkpoint is opened.
    #[error(
        "tensor `{name}` is split, `{sharding}`, in which device {device} does not exist\nhelp: the last device is {largest}"
    )]
    Device { name: String, device: usize, largest: usize, sharding: String },
    /// No layout has the element type or the rank of the tensor.
    #[error("tensor `{name}` has no layout: {reason}\nhelp: `bytes` gives its bytes as they are")]
    NoLayout { name: String, reason: String },
    /// The bytes of the tensor are not those that were written.
    #[error(
        "tensor `{name}` is damaged: the CRC-32 of its bytes is {found:08x}, but {stored:08x} was written\nhelp: copy or pack the file again"
    )]
    Checksum { name: String, stored: u32, found: u32 },
    /// The file has become shorter since it was opened.
    #[error(
        "`{}` has {actual} bytes now, but had {expected} when it was opened\nhelp: write a new file and rename it; a file that is mapped must not change",
        path.display()
    )]
    Shrunk { path: PathBuf, actual: u64, expected: u64 },
    /// The file has more elements of a list than the program requests.
    #[error(
        "the list has {len} elements, but the file also has `{name}`\nhelp: make the list longer, or use a `Vec`, which has the length of the list in the file"
    )]
    TooMany { name: String, len: usize },
    /// Several tensors do not match a manifest.
    #[error("{}", All(.errors))]
    Mismatches { errors: Vec<CheckpointError> },
    /// Bytes cannot be viewed or moved.
    #[error("tensor `{name}`: {source}{}", Copied(.source))]
    Pack { name: String, source: PackError },
    /// Bytes cannot be viewed, or numbers cannot be packed, as a block-scaled array.
    #[error("tensor `{name}`: {source}")]
    Quantized { name: String, source: QuantizedError },
    /// The bytes that are written do not match the tensor that was announced.
    #[error("{reason}")]
    Write { reason: String },
    /// A rule of a packer cannot be read or applied.
    #[error("{reason}")]
    Rule { reason: String },
}

/// A help with the nearest name.
struct Nearest<'a>(Option<&'a str>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "\nhelp: did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

/// How a tensor is split.
struct Split<'a>(Option<&'a str>);

impl fmt::Display for Split<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(sharding) => write!(f, "split by `{sharding}`"),
            None => f.write_str("not split"),
        }
    }
}

/// What to do if a tensor of a plain file cannot be viewed where it is.
struct Copied<'a>(&'a PackError);

impl fmt::Display for Copied<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PackError::Misaligned { .. } => f.write_str(
                "\nhelp: `get_or_relayout` copies it; a file that `Packer` writes is aligned",
            ),
            _ => Ok(()),
        }
    }
}

/// The number of errors, and each of them.
struct All<'a>(&'a [CheckpointError]);

impl fmt::Display for All<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the checkpoint is not the one that the program expects: {} errors",
            self.0.len()
        )?;
        self.0.iter().try_for_each(|error| write!(f, "\n\n{error}"))
    }
}

/// The difference between the layout in the file and the requested one, and what to do.
struct Difference<'a>(&'a StoredSpec, &'a StoredSpec);

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(stored, wanted) = self;
        if stored.dims() != wanted.dims() {
            write!(f, "the shapes differ; give the tensor's own, `{}[", stored.element())?;
            for (dim, size) in stored.dims().iter().enumerate() {
                write!(f, "{}{size}", if dim > 0 { "," } else { "" })?;
            }
            f.write_str("]`")
        } else if let StoredSpec::Sparse(spec) = stored {
            write!(
                f,
                "read it as a sparse tensor, `sparse_tensor!({})`, or pack the file again",
                spec.tensor()
            )
        } else if let StoredSpec::Quantized(_) = stored {
            write!(f, "read it as `quantized!({stored})`, or pack the file again")
        } else if let StoredSpec::Quantized(_) = wanted {
            write!(f, "pack the file again, with the rule `* = {wanted}`")
        } else if stored.element() != wanted.element() {
            let (stored, wanted) = (stored.element(), wanted.element());
            write!(
                f,
                "the element types differ; read it as `{stored}` and convert it to `{wanted}`"
            )
        } else {
            f.write_str(
                "`get_or_relayout` moves it into this layout; pack the file again to map it instead",
            )
        }
    }
}

/// The difference between a stored tensor and the requested sparse one, and what to do.
struct SparseDifference<'a>(&'a StoredSpec, &'a SparseTensorSpec);

impl fmt::Display for SparseDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(stored, wanted) = self;
        match stored.sparse().map(|spec| spec.tensor()) {
            None => write!(f, "pack the file again, with the rule `* = {}`", wanted.encoding()),
            Some(stored) if stored.encoding() != wanted.encoding() => f.write_str(
                "the encodings differ; read it in its own and `convert` it, or pack the file again",
            ),
            Some(stored) if stored.element() != wanted.element() => {
                let (stored, wanted) = (stored.element(), wanted.element());
                write!(
                    f,
                    "the values differ; read them as `{stored}` and `cast` them to `{wanted}`"
                )
            }
            Some(_) => f.write_str("the sizes differ; give the tensor's own"),
        }
    }
}
