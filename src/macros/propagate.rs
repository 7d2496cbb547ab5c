//! Functions whose missing shardings are found by propagation, as in Shardy.

/// Propagates the shardings of a function, exactly as Shardy does, and turns the result into types.
///
/// The function is a list of operations on arrays; the shardings from which propagation starts are written after the arrays, or
/// after an operation. The function becomes a module with one type for each value. Its documentation shows every sharding, the
/// origin of each axis, the factors of each operation before and after, and the data that devices send each other.
///
/// ```
/// use tensor_layout::sharding::ShardedLayout;
/// use tensor_layout::{Layout, mesh, propagate};
///
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// propagate! {
///     mesh Pod;
///     fn mlp(x: bf16[64,512] [{"data"}, {}], w1: bf16[512,2048] [{}, {"model"}], w2: bf16[2048,512]) {
///         let h = dot(x, w1);
///         let g = tanh(h);
///         let y = dot(g, w2);
///         return y;
///     }
/// }
/// type Y = mlp::y;
///
/// # fn main() {
/// assert_eq!(Y::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
/// assert_eq!(<mlp::w2 as ShardedLayout>::SHARDING.to_string(), r#"<@Pod, [{"model", ?}, {?}]>"#);
/// assert_eq!(<mlp::g as ShardedLayout>::Local::DIMS, [32, 512]);
/// # }
/// ```
///
/// Operations have the names of StableHLO: elementwise ones (`tanh`, `add`, ...), `dot`, and every other operation for which
/// Shardy has a rule. Their attributes are written in brackets, or by name:
///
/// | operation | |
/// |---|---|
/// | `dot_general(x, y, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[1])` | |
/// | `transpose(x, [1, 0])`, `reshape(x, [2, 32])`, `reverse(x, [0])` | order, size of the result, dimensions |
/// | `broadcast_in_dim(x, [8, 4], [0])` | size of the result, and the dimension that each one becomes |
/// | `reduce(x, [0])`, `sort(x, y, 0)`, `concatenate(x, y, 0)` | dimensions |
/// | `slice(x, [4])`, `pad(x, [16])`, `dynamic_slice(x, i, j, [4, 4])`, `dynamic_update_slice(x, part, i, j)` | size of the result |
/// | `compare(x, y, direction=LT)`, `convert(x, type=f32)`, `bitcast_convert(x, type=u8)`, `select(p, x, y)`, `clamp(a, x, b)` | |
/// | `fft(x, [64], type=RFFT)`, `iota(s32[8], 0)`, `constant(f32[8])`, `rng_bit_generator(state, [8])` | |
/// | `convolution(x, w, input=[0,3,1,2], kernel=[2,3,0,1], output=[0,3,1,2], strides=[1,1], padding=[1,1,1,1])` | batch, feature and spatial dimensions; also `batch_groups`, `feature_groups` |
/// | `reduce_window(x, window=[1,2], strides=[1,2])`, `select_and_scatter(x, source, window=[1,2], strides=[1,2])` | also `padding` |
/// | `gather(x, i, offset=[1], collapsed=[0], slice_sizes=[1,8], index_vector=1)` | also `operand_batch`, `indices_batch`, `start_index_map` |
/// | `scatter(x, i, updates, window=[1], inserted=[0], index_vector=1)` | also `operand_batch`, `indices_batch`, `reduces=false`; several arrays, `scatter(x, y, i, updates_of_x, updates_of_y, ..)` |
/// | `cholesky(x)`, `triangular_solve(a, b, side=LEFT)`, `qr(x)`, `eigh(x)`, `householder_product(a, taus)` | |
/// | `top_k(x, 8)`, `approx_top_k(x, i, 8)`, `batch_norm_inference(x, scale, offset, mean, variance, 3)` | |
/// | `all_gather(x, [16])`, `reduce_scatter(x, [4])`, `all_to_all(x, [4, 16], split=0, concat=1)` | size of the result |
///
/// Operands must have the sizes and element types that StableHLO's verifier requires; `convert(x, type=f32)` converts them.
/// A product of operands of two types names that of the result, `dot(x, w, type=f32)`.
///
/// Any other operation is followed by its rule, `op(x, w) : (i,k),(k,j)->(i,j)`, or by the name of one that
/// [`sharding_rule!`](crate::sharding_rule!) defined: `op(x, w) : ops::Attention`. `let (a, b) = ..` names several results.
///
/// An operation whose tensors are over different meshes is a conflict, unless the tensors over the other mesh are replicated.
/// `reshard(x)` moves a value from one mesh to another; no collective moves it between a mesh and a single device.
///
/// Operands that are `unreduced` are summed over the devices before an operation uses them. The exceptions are operations that
/// are linear (`add`, `neg`, `reshape`, `mul` in one operand, ...) and whose result is written `unreduced` too, and products
/// whose result is written `unreduced`, which remain partial sums.
///
/// `constrain(x) [..]` sets the sharding of a value from that point on; `reshard(x)` as an operand permits resharding it as the
/// operation requires. `group(x, y);` makes values share one sharding, and `propagation_barrier(x, allowed_direction=FORWARD)`
/// lets shardings propagate in only one direction. Operations with bodies are written after `let`. The condition of a loop, and
/// the value that selects a body, may be left out of a program that is not run: `while (..) { .. }`, `case { .. } { .. }`.
///
/// ```
/// # use tensor_layout::{mesh, propagate};
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// mesh! { Ring = ["x" = 8] }
/// propagate! {
///     mesh Pod;
///     mesh Ring;                               // any other is named: `@Ring [..]`
///     const N = 8;                             // sizes are numbers, and expressions of them
///     fn f(x: f32[N, {N * 4}] [{"data"}, {}], r: f32[64] @Ring [{"x"}]) {
///         let (a, b) = while (a0 = x, b0 = x) {
///             let a1 = tanh(a0);
///             return a1, b0;
///         };
///         let c = case { return a; } { let n = negate(b); return n; };
///         let d = optimization_barrier(c);
///         let e = manual {"data"} (part = d [{"data"}, {}]) {      // local arrays; the manual axes come first
///             let s = exp(part);
///             return s [{"data"}, {}];
///         };
///         return e, r;
///     }
/// }
/// # fn main() {
/// assert_eq!(f::a1::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
/// assert_eq!(f::e::SHARDING.to_string(), r#"<@Pod, [{"data"}, {}]>"#);
/// # }
/// ```
///
/// A program may have several functions. The one that no other function calls becomes the module. Each call of another function
/// has its own values, named after its first result, and shardings propagate through it as through Shardy's calls:
///
/// ```
/// # use tensor_layout::{mesh, propagate};
/// # mesh! { Pod = ["data" = 2, "model" = 4] }
/// propagate! {
///     mesh Pod;
///     fn layer(x: f32[64,512], w: f32[512,512] [{}, {"model"}]) {
///         let h = dot(reshard(x), w);
///         return tanh(h);
///     }
///     fn net(x: f32[64,512] [{"data"}, {}], w1: f32[512,512], w2: f32[512,512]) {
///         let a = layer(x, w1);
///         let b = layer(a, w2);
///         return b;
///     }
/// }
/// # fn main() {
/// assert_eq!(net::a_h::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {"model", ?}]>"#);     // `h` in the call that makes `a`
/// assert_eq!(net::w2::SHARDING.to_string(), r#"<@Pod, [{?}, {"model", ?}]>"#);
/// # }
/// ```
///
/// A StableHLO program in a file, as JAX lowers it, becomes a module of the same kind. The path is relative to the directory of
/// Cargo.toml, and the macro is expanded again when the file changes:
///
/// ```
/// # use tensor_layout::sharding::ShardedLayout;
/// # use tensor_layout::{Layout, mesh, propagate};
/// # mesh! { Pod = ["data" = 4, "model" = 2] }
/// propagate!(file "tests/models/mlp.mlir");       // the module `mlp`
///
/// propagate! {
///     file "tests/models/mlp.mlir";
///     pub mod other;                              // another name, with attributes and a visibility
///     mesh Pod;                                   // in place of the first mesh of the file
///     arg1 [{}, {"model"}];                       // the sharding of an argument, or of a value: `12 [{"data"}, {?}];`
///     values = all;                               // types of all values, or of some: `values = [12, 14];`
///     reshard = shardy;                           // where tensors disagree, operands are resharded, as by Shardy
/// }
/// # fn main() {
/// assert_eq!(<mlp::result0 as ShardedLayout>::Local::DIMS, [32, 512]);
/// assert_eq!(mlp::COLLECTIVES[0].1, r#"all_reduce {"model"}"#);
/// assert_eq!(<other::v0 as ShardedLayout>::Local::DIMS, [16, 1024]);
/// # }
/// ```
///
/// The module has a type for each argument, `arg0`, ..., and for each result, `result0`, ..., the meshes of the file, and the
/// constants `COLLECTIVES`, `BYTES_RECEIVED`, `RESHARDS` and `MLIR`.
///
/// # Running a program
/// `run;` adds the function `run` to the module, which runs the program on one device: with threads, with processes, or with
/// any [`Transport`](crate::sharding::run::Transport). It takes and returns the shards of the device, in the types of the
/// module. An operation that cannot run is an error where it is written. Loops need their condition, and branches the value
/// that selects one:
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tensor_layout::sharding::run::{RunError, Sharded, Transport, threads};
/// use tensor_layout::{mesh, propagate};
///
/// mesh! { Pod = ["data" = 2, "model" = 2] }
/// propagate! {
///     run;
///     mesh Pod;
///     fn powers(x: f32[4,4] [{"data"}, {}], w: f32[4,4] [{}, {"model"}], n: s32[], one: s32[]) {
///         let (left, y) = while (k = n, h = reshard(x)) cond {
///             return compare(k, one, direction=GE);
///         } do {
///             let h2 = dot(reshard(h), reshard(w));
///             return sub(k, one), reshard(h2);
///         };
///         return y;
///     }
/// }
///
/// let results = threads::run(4, |transport| {
///     let is_first = transport.device() == 0;
///     let [x, w] = [vec![1.0; 16], vec![0.5; 16]];
///     let x = Sharded::scatter(transport, 0, is_first.then_some(&x))?;
///     let w = Sharded::scatter(transport, 0, is_first.then_some(&w))?;
///     let n = Sharded::scatter(transport, 0, is_first.then_some(&vec![3]))?;
///     let one = Sharded::scatter(transport, 0, is_first.then_some(&vec![1]))?;
///     let y = powers::run(transport, &x, &w, &n, &one)?;
///     y.gather(transport, 0)
/// });
/// assert_eq!(results[0].as_ref().unwrap().as_deref(), Some(&[8.0; 16][..]));
/// # }
/// ```
///
/// A program in a file runs as well: `propagate! { run; file "block.mlir"; }`. Its manual computations contain their own
/// collectives.
///
/// Shards can be arguments of many runs, and results can be arguments of the next run. A shard is unpacked when it is first passed
/// as an argument, and keeps that form, with the form in which products read it, until
/// [`local_mut`](crate::sharding::run::Sharded::local_mut): the weights of a model are packed once, however many steps they are
/// passed to. A result that is passed on is neither packed nor copied unless
/// [`local`](crate::sharding::run::Sharded::local) is called. Here are two steps with the same weights:
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tensor_layout::sharding::run::{RunError, Sharded, Transport, threads};
/// use tensor_layout::{mesh, propagate};
///
/// mesh! { Pod = ["data" = 2, "model" = 2] }
/// propagate! {
///     run;
///     mesh Pod;
///     fn layer(x: f32[4,8] [{"data"}, {}], w: f32[8,8] [{}, {"model"}]) {
///         let y = tanh(dot(x, w));
///         return y [{"data"}, {}];
///     }
/// }
///
/// let results = threads::run(4, |transport| {
///     let is_first = transport.device() == 0;
///     let x = Sharded::<layer::x>::scatter(transport, 0, is_first.then_some(&vec![0.5; 32]))?;
///     let w = Sharded::<layer::w>::scatter(transport, 0, is_first.then_some(&vec![0.25; 64]))?;
///     let h = layer::run(transport, &x, &w)?;
///     let y = layer::run(transport, &h, &w)?;         // `w` is not unpacked again
///     y.gather(transport, 0)
/// });
/// let y = results[0].as_ref().unwrap().as_ref().unwrap();
/// assert!((y[0] - (2.0 * 1f32.tanh()).tanh()).abs() < 1e-6);
/// # }
/// ```
///
/// # Errors
/// If the shardings of an operation's tensors conflict, Shardy silently reshards one of them; here that is an error, unless
/// `reshard` permits it. A shape that does not fit is an error at the operand.
///
/// ```compile_fail
/// # use tensor_layout::{mesh, propagate};
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// propagate! {
///     mesh Pod;
///     fn f(x: f32[8,8] [{"data"}, {}], y: f32[8,8] [{"model"}, {}]) {
///         let z = add(x, y);
///         return z;
///     }
/// }
/// # fn main() {}
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[macro_export]
macro_rules! propagate {
    ($($input:tt)*) => { $crate::__private::macros::propagate! { [$crate] $($input)* } };
}
