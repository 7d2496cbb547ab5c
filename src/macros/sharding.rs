//! Meshes, shardings and sharding rules in Shardy's notation.

/// A mesh of devices, as a type.
///
/// Axes are listed from major to minor; `device_ids` lists the devices if they are not in ascending order.
///
/// ```
/// use tensor_layout::sharding::MeshType;
/// tensor_layout::mesh! {
///     /// Two hosts with four chips each.
///     pub Pod = ["data" = 2, "model" = 4]
/// }
/// tensor_layout::mesh! { Ring = ["x" = 4], device_ids=[0, 1, 3, 2] }
/// # fn main() {
/// assert_eq!(Pod::MESH.to_string(), r#"<["data"=2, "model"=4]>"#);
/// assert_eq!(Ring::MESH.device_id(2), 3);
/// # }
/// ```
///
/// The macro also defines a macro with the name of the mesh, from which other macros read the axes; one `use` imports both. A
/// mesh may also be pasted from a module of MLIR: `mesh! { sdy.mesh @Pod = <["data"=2, "model"=4]> }`.
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::mesh! { Bad = ["x" = 2, "x" = 4] }
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! mesh {
    ($($input:tt)*) => { $crate::__private::macros::mesh! { [$crate] $($input)* } };
}

/// An array that is split over a mesh, in Shardy's notation, as a type.
///
/// The array is written as for [`tiled!`](crate::tiled!), followed by the mesh that [`mesh!`](crate::mesh!) defined, and the
/// axes of each dimension. The local array has the same layout. A size may be a number, a const, or a const generic parameter;
/// rustc checks that the axes divide it as soon as it has a value.
///
/// ```
/// use tensor_layout::sharding::ShardedLayout;
/// use tensor_layout::{Layout, mesh, sharded};
///
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// type W1 = sharded!(bf16[8192,4096]{1,0:T(8,128)(2,1)} @ Pod [{"data"}, {"model", ?}p1]);
/// type Bias = sharded!(f32[7] @ Pod [{"model":(1)2}], replicated={"data"}, padded);
/// # fn main() {
/// assert_eq!(W1::SHARDING.to_string(), r#"<@Pod, [{"data"}, {"model", ?}p1]>"#);
/// let local = <W1 as ShardedLayout>::Local::SPEC.to_string();
/// assert_eq!(local, "bf16[4096,1024]{1,0:T(8,128)(2,1)}");
/// assert_eq!(W1::locate([5000, 2049]), (6, [904, 1]));
/// assert_eq!(W1::slice(6).unwrap(), [4096..8192, 2048..3072]);
/// assert_eq!(<Bias as ShardedLayout>::Local::DIMS, [4]);
/// # }
/// ```
///
/// The colour is that of the shard: it shows which devices of the mesh store which part of `bf16[8192,4096]`.
///
#[cfg_attr(doc, doc = layout_macros::__pictures!(
    r#"bf16[8192,4096] @ Pod [{"data"}, {"model"}]"# on r#"["data"=2, "model"=4]"#
))]
///
/// With `padded` the axes need not divide the dimensions: the last devices then store fewer elements.
///
/// A sparse tensor, written as for [`sparse_tensor!`](crate::sparse_tensor!), becomes a
/// [`ShardedSparseLayout`](crate::sharding::ShardedSparseLayout). Its encoding must be a type that does not depend on generic
/// parameters of the surrounding code.
///
/// # Errors
/// Every mistake is an error under its own token: everything that Shardy's verifier rejects, and meaningless shardings that it
/// accepts:
///
/// ```compile_fail
/// tensor_layout::mesh! { Pod = ["data" = 2, "model" = 4] }
/// type Bad = tensor_layout::sharded!(f32[7,8] @ Pod [{"data"}, {"data"}]);
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! sharded {
    ($($input:tt)*) => { $crate::__private::macros::sharded! { [$crate] $($input)* } };
}

/// A sharding rule: which dimensions of the operands and results of an operation correspond to each other.
///
/// As an expression, the macro returns an [`OpShardingRule`](crate::OpShardingRule). There are three notations: Shardy's, that of
/// einsum with names of any length, and that of Shardy's documents. Sizes that are not written follow from the shapes with which
/// the rule is used.
///
/// ```
/// use tensor_layout::sharding_rule;
/// let shardy = sharding_rule!(([ij, k])->([i, j, k]) {i=2, j=4, k=32});
/// let shapes: (&[&[usize]], &[&[usize]]) = (&[&[8, 32]], &[&[2, 4, 32]]);
/// for rule in [
///     sharding_rule!((i j) k -> i j k, i=2, j=4),
///     sharding_rule!(((ij),k)->(i,j,k)),
/// ] {
///     assert_eq!(rule.with_shapes(shapes.0, shapes.1).unwrap(), shardy);
/// }
/// assert_eq!(
///     sharding_rule!((i,k),(k,j)->(i,j) reduction={k}).to_string(),
///     "<([i, k], [k, j])->([i, j]) reduction={k}>",
/// );
/// ```
///
/// As an item, it defines a type with the function `rule`. [`propagate!`](crate::propagate!) takes its name after an operation,
/// `attention(q, k) : Attention`:
///
/// ```
/// tensor_layout::sharding_rule! { pub Attention = batch q d, batch k d -> batch q k reduction={d} }
/// # fn main() {
/// assert_eq!(Attention::rule().operands().len(), 2);
/// # }
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// let rule = tensor_layout::sharding_rule!(([i, j])->([i]) {i=2, j=3} reduction={j} permutation={j});
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! sharding_rule {
    ($($input:tt)*) => { $crate::__private::macros::sharding_rule! { [$crate] $($input)* } };
}
