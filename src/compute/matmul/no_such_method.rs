//! Names of methods that other libraries have for epilogues: calling one on a [`Product`] says what to write in its place.

use super::builder::Product;
use layout_core::no_such_method;

no_such_method! {
    methods of [A, B, F] [Product<'_, A, B, F>]:
    WriteActivation "a function of each sum is `.activation(|y| y.max(0.0))`":
        relu gelu silu sigmoid tanh map apply then epilogue activate;
    WriteColumnBias "`.column_bias(&bias)` adds a number to each column of the result, and `.row_bias(&bias)` one to each row":
        bias add_bias with_bias add_row add_column;
    WritePlus "`.plus(&residual)` adds an array of the shape of the result":
        add residual accumulate beta;
    WriteScale "`.scale(0.5)` multiplies the result, `.column_scales(&scales)` each of its columns, and `.row_scales(&scales)` each of its rows":
        alpha mul scales dequantize scaled scale_by multiply;
    WriteCPacked "`.packed::<C>()` computes the product as an array of the layout `C`, and `.write_to(&mut c)` writes to one":
        run build finish compute eval execute into_packed to_packed matmul collect call done output pack;
}
