//! Structs of the tensors of a checkpoint.

/// A typed manifest: a struct whose fields are the tensors of a [checkpoint](mod@crate::checkpoint), loaded by name.
///
/// A field that is written as a layout becomes a view of the file: [`PackedRef`](crate::PackedRef) for tiled layouts,
/// [`QuantizedRef`](crate::quantized::QuantizedRef) for `quantized!(..)`, and
/// [`SparseTensorRef`](crate::sparse::SparseTensorRef) for `sparse_tensor!(..)` or a `SparseTensor`.
/// [`Manifest::load`](crate::checkpoint::Manifest::load) checks all fields, and one error reports every difference between the
/// checkpoint and the struct.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-manifest-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::{Checkpoint, Manifest, Writer};
/// use tensor_layout::{Layout, checkpoint, tiled, tpu};
///
/// checkpoint! {
///     #[derive(Debug)]
///     pub struct Block<'a, const D: usize> {
///         #[name = "attn.wq"]
///         pub queries: tiled!(f32[D,D]{1,0:T(8,128)}),    // becomes `PackedRef<'a, ..>`
///         pub norm: tiled!(f32[D]),                       // the name of the field is the default: `norm`
///     }
///
///     pub struct Model {                                  // without a lifetime, it has `'a`
///         #[name = "tok_embeddings.weight"]
///         embeddings: tpu!(f32[100,64]),
///         #[name = "layers.{}"]                           // `{}` is the index: `layers.0.attn.wq`, `layers.0.norm`, ...
///         layers: [Block<'a, 64>; 2],                     // or `Vec<..>`: as many as the file has
///         bias: Option<tiled!(f32[64])>,                  // if the file has it
///     }
/// }
///
/// let matrix = <tiled!(f32[64,64]{1,0:T(8,128)})>::SPEC;
/// let tensors = [
///     ("tok_embeddings.weight", <tpu!(f32[100,64])>::SPEC),
///     ("layers.0.attn.wq", matrix), ("layers.0.norm", <tiled!(f32[64])>::SPEC),
///     ("layers.1.attn.wk", matrix), ("layers.1.norm", <tiled!(f32[32])>::SPEC),
/// ];
/// let mut writer = Writer::create(&path, tensors)?;
/// for (name, spec) in tensors {
///     writer.write(name, &vec![0; spec.storage_bytes()])?;
/// }
/// writer.finish()?;
///
/// let checkpoint = Checkpoint::open(&path)?;
/// let first: Block<64> = Block::load_from(&checkpoint, "layers.0")?;
/// assert_eq!(first.queries.get([63, 63]), 0.0);
/// let error = Model::load(&checkpoint).err().unwrap();
/// assert_eq!(error.to_string(), "\
/// the checkpoint is not the one that the program expects: 2 errors
///
/// there is no tensor `layers.1.attn.wq`
/// help: did you mean `layers.0.attn.wq`?
///
/// tensor `layers.1.norm` is `f32[32]{0}`, not `f32[64]{0}`
/// help: the shapes differ; give the tensor's own, `f32[32]`");
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
///
/// A field is one of these:
///
/// - A layout: a macro that expands to one, an alias, or a type parameter. A sparse tensor is written as its type, with sizes or
///   without.
/// - A type with a lifetime: a nested manifest, [`Loaded`](crate::checkpoint::Loaded), or another type that implements
///   [`Manifest`](crate::checkpoint::Manifest). The lifetime of a manifest of the same macro call may be left out. For another type
///   without a lifetime, `#[nested]` says that it is not a layout.
/// - A list of either, `[T; N]` or `Vec<T>`. The index replaces `{}` in the name, or else follows the name and a dot. An array
///   has exactly `N` elements; a `Vec` has as many elements as the file has, which must be at least one.
/// - `Option` of either: `None` if the file does not have the name.
///
/// The names of a nested manifest's fields are prefixed with the name of the field and a dot; `#[name = ""]` adds no prefix.
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::checkpoint! {
///     pub struct Block {
///         #[name = "layers.{}.wq"]
///         wq: tensor_layout::tpu!(f32[64,64]),
///     }
/// }
/// # fn main() {}
/// ```
#[cfg(feature = "checkpoint")]
#[macro_export]
macro_rules! checkpoint {
    ($($input:tt)*) => { $crate::__private::macros::checkpoint! { [$crate] $($input)* } };
}
