//! Names of methods and constructors in other libraries of arrays, such as NumPy, PyTorch, JAX and ndarray. Calling one is an
//! error that says what this library has in its place.

use super::{DynPacked, Layout, Packed, PackedMut, PackedRef, Tiled};
use crate::element::Element;
use layout_core::no_such_method;

no_such_method! {
    methods of [L: Layout] [Packed<L>, PackedRef<'_, L>, PackedMut<'_, L>]:
    WriteDims "the sizes of an array are `x.dims()`"
        note "as constants, the sizes are `L::DIMS`, and their number is `L::RANK`":
        shape size sizes dim dimensions raw_dim ndim ndims rank dims1 dims2 dims3 dims4 get_shape;
    WriteDimsOrForEachRun "the number of rows is `x.dims()[0]`, and `x.for_each_run(|index, run| ..)` visits rows"
        note "`x.slice::<M>([row, 0])` copies rows to an array of the layout `M`, and `x.gather_rows::<M>(&[4, 0])` rows by number":
        rows columns cols nrows ncols num_rows num_cols;
    WriteElementsOfSpec "the number of elements is `L::SPEC.elements()`, and with padding `L::LEN`"
        note "the number of stored bytes is `L::BYTES`":
        numel nelement elem_count num_elements nbytes byte_len size_in_bytes;
    WriteSpecOfLayout "the layout of an array is that of its type: `L::SPEC`"
        note "`L::SPEC.dtype()` is its element type, and `L::SPEC.stride(dim)` the stride of a dimension without tiles":
        layout spec dtype element_type strides stride minor_to_major is_contiguous device;
    WriteOffsetOfLayout "the offset of an element is a function of the layout: `L::offset([i, j])`"
        note "`L::index(offset)` is the index of the element at an offset, or `None` if that is padding":
        offset offset_of index_of flat_index linear_index linear_offset ravel_index ravel_multi_index unravel_index;
    WriteIter "`x.iter()` is an iterator of the elements in row-major order"
        note "`x.indexed_iter()` also gives the index of each element":
        iter_indexed enumerate into_iter elements flat_iter iter_flat for_each_element;
    WriteNormalization "the normalizations are `layer_norm`, `rms_norm` and `softmax`, of one dimension"
        note "`x.rms_norm(1, &scale, 1e-6)` and `x.layer_norm(1, &scale, &shift, 1e-6)` take one pass":
        normalize layernorm rmsnorm layer_normalize batch_norm group_norm softmax_last_dim;
    WriteBytes "`x.as_bytes()` are the bytes of an array, and `Packed::<L>::from_bytes(&bytes)?` makes an array of them"
        note "with the feature `checkpoint`, `Writer` and `Checkpoint` write and map files of arrays":
        save to_file write_to_file tofile write_npy save_npy dump serialize to_bytes into_bytes tobytes;
    WriteMatmulFunction "the product of matrices is a function: `let c: Packed<C> = matmul(&a, &b);`"
        note "`einsum!(\"bqd,bkd->bqk\", &q, &k)` multiplies arrays along the dimensions that it names":
        matmul dot mm bmm mv gemm tensordot vdot addmm outer inner kron outer_product einsum matvec dot_general;
    WriteTranspose "`x.transpose::<M>()` reverses the dimensions, where `M` is the layout of the result"
        note "`einsum!(\"ijk->ikj\", &x)` puts the dimensions in any order; `x.transposed()` is an operand of `matmul` that is not copied":
        t T H mT permute permute_axes permuted_axes permuted_view swapaxes swap_axes swap_dims moveaxis reversed_axes
        transpose_view transpose_axes rearrange;
    WriteConvert "elements of another type are computed: `x.convert::<M>(|x| x.to_f32())`, where `M` is the layout of the result"
        note "the closure takes and returns single elements, `|x| bf16::from_f32(x)` or `|x| x as i8`":
        astype as_type cast to to_dtype to_type to_f32 to_bf16 float half bfloat16 double int cast_to type_as quantize;
    WriteUnpack "`x.unpack()` copies an array to a row-major `Vec`"
        note "a single element is `x.get([i, j])`":
        to_vec into_vec to_vec1 to_vec2 to_vec3 tolist to_list numpy to_numpy to_array into_array item to_scalar into_raw_vec
         collect_vec;
    WriteAsElements "`x.as_elements()` is the storage as a slice of elements, and `x.as_bytes()` as a slice of bytes"
        note "both are in the order of the layout, padding included; `x.unpack()` copies the elements to row-major order":
        as_slice as_mut_slice as_slice_mut as_ptr as_mut_ptr data data_ptr values buffer storage;
    WriteReshape "`x.reshape::<M>()` reads the same bytes as an array of the layout `M`, which has the new shape"
        note "it compiles if both layouts store the elements in the same order; `x.relayout::<R>()`, where `R` is row-major, is first if not":
        view view_as flatten ravel squeeze unsqueeze expand_dims into_shape to_shape into_shape_with_order into_shape_clone
        reshape_as insert_axis remove_axis bitcast bitcast_convert;
    WriteRelayout "`x.relayout::<M>()` copies an array to another layout `M` of the same shape":
        contiguous to_contiguous as_standard_layout with_layout to_layout into_layout set_layout change_layout repack retile
        to_row_major to_tiled device_put as_layout;
    WriteZipBroadcast "`x.zip_broadcast(&[0], &values, |x, v| x + v)` combines each element with one value for each index of dimension 0"
        note "`&[1]` takes a value for each index of dimension 1; in arithmetic, `&x + 1.0` takes one value for all elements":
        broadcast broadcast_to broadcast_as broadcast_in_dim broadcast_add broadcast_mul broadcast_sub expand expand_as repeat
        repeat_interleave add_row add_bias;
    WriteSlice "`x.slice::<M>([row, column])` copies the part that begins at this index and has the shape of the layout `M`"
        note "`x.gather_rows::<M>(&[4, 0])` copies rows by number; `x.for_each_run(|index, run| ..)` visits rows in place":
        row column col row_mut column_mut narrow index_axis slice_axis slice_mut take windows subarray submatrix crop block
        chunk chunks chunks_exact split split_at outer_iter axis_iter axis_chunks_iter rows_iter iter_rows index_select select
        gather dynamic_slice get_row lanes embedding lookup take_rows;
    WriteMap "`x.map(|x| x.max(0.0))` computes any function of each element"
        note "the closure takes single elements; `x.map_in_place(|x| ..)` changes the array itself":
        relu exp exp2 sqrt rsqrt log ln log2 tanh sigmoid logistic gelu silu abs clamp clip pow powf powi neg sin cos recip square
        mapv mapv_into mapv_inplace map_inplace map_mut apply apply_ iter_mut indexed_iter_mut relu_ mul_scalar add_scalar sign floor
        round erf leaky_relu dropout fill fill_ zero_ exp_ sqrt_ tanh_ sigmoid_ softplus elu expm1 log1p log10 ceil trunc sinh cosh
        asin acos atan tan is_nan isnan isfinite nan_to_num clamp_ abs_ neg_ reciprocal square_ logical_not;
    WriteZip "`x.zip(&y, |x, y| x.max(y))` computes any function of each element of two arrays of one shape"
        note "the closure takes single elements; `&x + &y` and the other operators add, subtract, multiply and divide":
        zip_with zip_map zip_mut_with map2 maximum minimum where_cond masked_fill zip_apply add_ sub_ mul_ div_ allclose fmax fmin
        atan2 hypot equal not_equal greater less greater_equal less_equal logical_and logical_or masked_select isclose array_equal;
    WriteGetAndSet "`x.get([i, j])` reads an element, and `x.set([i, j], value)?` writes one"
        note "elements are not borrowed: they may be narrower than a byte":
        at at_mut get_mut item_at put set_item uget get_unchecked index_put uget_mut;
    WriteConcatenate "`a.concatenate::<DIM, _, T>(&b)` joins two arrays along dimension `DIM`, where `T` is the layout of the result"
        note "`x.push_rows(&values)?` appends rows to an array whose first dimension is bounded: `f32[<=64,128]`":
        cat concat stack hstack vstack append extend;
    WritePushRows "`x.push_rows(&values)?` appends rows to an array whose first dimension is bounded: `f32[<=64,128]`"
        note "`x.set_len(0, rows)?` changes the number of rows, and `x.len(0)` returns it":
        push push_row push_back insert_row add_row resize truncate reserve shrink_to;
    WriteUpdateSlice "`x.update_slice([row, column], &part)?` overwrites the part that begins at this index"
        note "`x.copy_window(first, shape, &from)?` copies a part of the same shape between two layouts":
        assign copy_ copy_from copy_from_slice slice_assign dynamic_update_slice set_slice index_copy;
    WriteBeforePacked "this is the product itself, already rounded: bias, scales and activation come before `.packed()`"
        note "`Product::of(&a, &b).column_bias(&bias).activation(|y| y.max(0.0)).packed::<C>()` rounds once":
        activation column_bias row_bias column_scales row_scales plus plus_scaled;
    NotAResult "this is the array itself, not a `Result`: leave the call out"
        note "the functions whose names start with `try_` return a `Result`: `try_matmul`, `x.try_map(|x| ..)`":
        unwrap expect unwrap_or_else unwrap_or_default unwrap_or unwrap_unchecked ok is_ok is_err map_err;
    WriteReduction "the reductions are `sum`, `mean`, `var`, `max`, `min`, `argmax` and `argmin`, of the dimensions that they are given"
        note "`x.total()` is the sum of all elements; `x.fold(..)` computes any other reduction, and `x.cumulative_sum(dim)` running sums":
        std prod product all any norm amax amin sum_all sum_axis sum_keepdim max_keepdim mean_axis argmax_axis logsumexp cumsum reduce
        reduce_sum nansum average argsort sort topk std_axis var_axis fold_axis log_softmax max_axis min_axis argmin_axis sum_dim
        mean_dim max_dim min_dim max_all min_all mean_all median quantile percentile nonzero count_nonzero minmax aminmax cumprod
        var_mean sum_keepdims min_value max_value logcumsumexp nanmean nanmax ptp;
    WriteUpdateSliceOfLarger "a larger array is made first: `let mut y = Packed::<M>::zeroed()?; y.update_slice([1, 1], &x)?`"
        note "a layout already pads the storage to whole tiles, and this padding needs no call":
        pad pad_to zero_pad constant_pad pad_with_zeros;
    WriteFromFn "`Packed::<M>::from_fn(|[i, j]| x.get([j, i]))` computes each element of a new array from its index":
        tile roll flip fliplr flipud rot90 diagonal diag triu tril triu_ tril_ reverse unfold meshgrid one_hot;
    WriteUnpackForOthers "there are no factorizations here: `x.unpack()` is a row-major `Vec` for a library that has them"
        note "with the feature `ndarray`, `x.to_ndarray()` is an array of that crate":
        inv inverse solve det svd qr lu cholesky eig eigh pinv lstsq logdet expm;
    LeaveOut "an array is in memory, is computed at once and has no gradient: leave the call out":
        cpu cuda to_device detach requires_grad requires_grad_ backward grad block_until_ready eval stop_gradient persist realize;
    WriteClone "`x.clone()` copies an array, and `x.try_clone()?` reports a lack of memory":
        copy deep_copy deepcopy cloned;
}
no_such_method! {
    methods of [L: Layout] [Packed<L>]:
    WriteZeroedOrFilledOrPack "arrays are made by `Packed::<L>::zeroed()?`, `Packed::<L>::filled(1.0)`, `Packed::<L>::from_fn(|[i, j]| ..)` and `L::pack(&values)?`"
        note "`L` is the layout, which contains the element type and the shape":
        new zeros ones full empty uninit zeros_like ones_like full_like rand randn random eye identity arange linspace from_vec
        from_slice from_array from_shape_vec from_shape_fn from_elem from_iter from_data from_row_major with_shape tensor constant
        from_vec1 allocate alloc;
}
no_such_method! {
    methods of [E: Element] [DynPacked<E>]:
    WriteDimsOfDynamic "the sizes of an array are `x.dims()`, and their number is `x.dims().len()`":
        shape size sizes dim ndim rank rows columns len nrows ncols;
    WriteSpec "`x.spec()` is the layout of an array: `x.spec().dtype()` is its element type, `x.spec().elements()` the number of elements":
        layout dtype element_type numel elem_count nbytes strides stride;
    WriteConvertOfDynamic "elements of another type are computed: `x.convert::<BF16>(&spec, |x| bf16::from_f32(x))?`":
        astype as_type cast to to_dtype to_f32 to_bf16 float half bfloat16;
    WriteUnpackOfDynamic "`x.unpack()` copies an array to a row-major `Vec`":
        to_vec into_vec tolist numpy to_numpy to_array item;
    WriteZeroedOfDynamic "arrays are made by `DynPacked::<F32>::zeroed(&spec)?` and `DynPacked::<F32>::pack(&spec, &values)?`":
        new zeros ones full filled from_vec from_slice from_array;
}
no_such_method! {
    functions of [E, S, O, T, A] [Tiled<E, S, O, T, A>]:
    WritePacked "a layout is not an array: `Packed::<L>::zeroed()?`, `Packed::<L>::filled(1.0)` and `L::pack(&values)?` make arrays of the layout `L`":
        new zeros zeroed ones filled full empty uninit rand randn random eye arange from_vec from_slice from_array from_fn from_elem
        from_shape_vec from_iter from_data from_bytes default tensor array alloc allocate;
}
no_such_method! {
    functions of [E, S, O, T, A] [Tiled<E, S, O, T, A>]:
    WriteMethodOfArray "a layout is not an array, which has this method: `x.unpack()`, `x.get([i, j])`, `x.relayout::<M>()`":
        unpack get set relayout transpose reshape slice convert map sum to_vec;
}
