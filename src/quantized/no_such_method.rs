//! Names of methods and constructors that block-scaled arrays have in other libraries.

use super::array::QuantizedArray;
use super::types::{Quantized, QuantizedLayout};
use layout_core::no_such_method;

no_such_method! {
    methods of [Q: QuantizedLayout] [QuantizedArray<Q>]:
    WriteUnpack "`weights.unpack()` computes all elements, a row-major `Vec<f32>`"
        note "a single element is `weights.get([i, j])`":
        dequantize dequant to_f32 to_vec into_vec to_float float decode expand numpy tolist unquantize to_dense;
    WriteMatmul "`weights.matmul(x.as_elements())?` multiplies the weights by rows of activations, `f32`, `bf16` or `f16`"
        note "the result is a row-major `Vec<f32>` with a row for each row of activations":
        dot mm linear forward mul gemm mv gemv bmm apply;
    WriteDims "the sizes are constants of the layout: `Wq::DIMS`"
        note "`Wq::BYTES` is the number of bytes, and `Wq::SPEC` the layout as a value":
        shape dims size sizes rank ndim len nbytes spec bytes;
    WriteAsBytes "the scales are stored with the elements: `weights.as_bytes()` are blocks or planes, in the arrangement of the layout"
        note "`weights.unpack()` multiplies the elements by their scales":
        scales scale zero_points codes qweight quants data values blocks as_slice;
    WritePack "`Wq::pack(&values)?` quantizes a row-major array":
        new quantize zeros zeroed filled from_slice from_vec from_f32 from_fn from_packed;
}
no_such_method! {
    functions of [E, S, B, A] [Quantized<E, S, B, A>]:
    WritePackOfLayout "a layout is not an array: `Wq::pack(&values)?` quantizes a row-major array":
        new quantize zeros zeroed filled from_slice from_vec from_f32 from_fn from_bytes;
}
