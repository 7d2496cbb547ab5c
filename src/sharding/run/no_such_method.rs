//! Names of methods of split arrays in other libraries, and methods that a result has only once it is requested.

use super::Sharded;
use super::ops::{Call, Deferred};
use crate::sharding::typed::{ShardedArray, ShardedLayout};
use layout_core::no_such_method;

no_such_method! {
    methods of [O: Call] [Deferred<O>] where O::Made:
    WriteLocalOrOn "the operation has not run yet: `.local::<Y>()?` or `.on::<Y, _>(transport)?` is its result, an array of type `Y`"
        note "`.local()` exchanges nothing between devices, and `.on(transport)` what the type of the result requires":
        unwrap expect map zip scale convert softmax transpose reshape slice concatenate matmul dot dot_general sum max min reshard gather
        gather_rows update_rows broadcast_in_dim zip_broadcast relu tanh exp sqrt add sub mul div into_local unpack to_vec
        run compute collect wait get eval is_ok ok ok_or unwrap_or and_then;
}
no_such_method! {
    methods of [L: ShardedLayout] [Sharded<L>]:
    WriteShapeOfGlobal "the sizes are constants of the type: `<L as ShardedLayout>::Global::DIMS` of the whole array, and `<L as ShardedLayout>::Local::DIMS` of this device's part"
        note "`x.local().dims()` are the sizes of this device's part as well":
        shape dims size sizes ndim rank local_shape global_shape numel;
    WriteSharding "the sharding is a constant of the type: `<L as ShardedLayout>::SHARDING`":
        sharding spec placements mesh device_mesh layout is_sharded partition_spec;
    WriteGather "`x.gather(transport, 0)?` collects the array on device 0, as a `Vec`, and returns `None` on the others"
        note "`x.local().unpack()` is this device's part":
        to_vec unpack full_tensor to_local numpy to_numpy tolist item get to_array values as_slice addressable_data collect gather_all
        all_gather allgather fetch get_local local_shard addressable_shards to_host_vec;
    WriteReshard "`x.reshard::<Y, _>(transport)?` runs the collectives that lead to the sharding of the type `Y`"
        note "parts of sums are added by it too: `Y` is the type without `unreduced`":
        all_reduce allreduce reduce_scatter all_to_all redistribute with_sharding_constraint constrain psum device_put replicate relayout
        to_sharding with_sharding ppermute psum_scatter shard reduce broadcast;
    WriteMap "`x.map(|x| x.max(0.0))?` computes a function of each element on this device"
        note "`x.zip(&y, |x, y| x.max(y))?` computes a function of each element of two arrays that are split alike":
        relu exp tanh sqrt rsqrt abs neg sigmoid gelu silu clamp log ln apply pow powf maximum minimum add_scalar mul_scalar;
    WriteSumOfDims "sums name their dimensions in a type: `x.sum::<Dims1<1>>().on::<Y, _>(transport)?`"
        note "a mean is the sum, then `.scale(1.0 / n)?`":
        mean sum_axis amax amin argmax argmin prod norm var std reduce_sum total cumsum layer_norm;
    WriteMatmul "`x.matmul(&w).local::<Y>()?` is a product of matrices, and `x.dot_general::<Dot, _>(&w)` one along named dimensions":
        dot mm bmm mv einsum linear tensordot addmm gemm;
    WriteTransposeOfDims "`x.transpose::<Dims2<1, 0>, Y>()?` orders the dimensions anew, where `Y` is the type of the result":
        t permute swapaxes transposed swap_axes;
    WriteReshapeToType "`x.reshape::<Y>()?` gives the array the shape of the type `Y`":
        view flatten squeeze unsqueeze expand_dims ravel;
    WriteConvertOfShards "elements of another type are computed: `x.convert::<Y>(|x| x.to_f32())?`, where `Y` is the type of the result":
        astype cast to to_dtype float half to_f32 to_bf16 bfloat16;
    WriteScatter "shards are made by `Sharded::<L>::scatter(transport, 0, Some(&values))?` on device 0, with `None` on the others, and by `Sharded::<L>::filled(1.0)?`"
        note "`Sharded::<L>::new(local)` takes the packed array of this device":
        zeros ones full empty zeroed from_vec from_slice distribute_tensor from_local pack from_fn random rand randn from_array from_global
        distribute;
}
no_such_method! {
    functions of [G, L, M, D, R, U, const PADDED: bool] [ShardedArray<G, L, M, D, R, U, PADDED>]:
    WriteSharded "a sharded layout is not an array: `Sharded::<L>::filled(1.0)?` and `Sharded::<L>::scatter(transport, 0, Some(&values))?` make arrays; the sharding is `<L as ShardedLayout>::SHARDING`":
        filled scatter new zeros ones full from_fn from_slice from_vec pack sharding spec dims shape mesh local global local_shape
        global_shape;
}
