use tensor_layout::quantized;
use tensor_layout::quantized::{QuantizedArray, QuantizedLayout};

const COLUMNS: usize = 64;
type Weights = quantized!(q8_0[3, { COLUMNS * 2 }]);
type Same = quantized!(S8[3, 128] by F16[1, 32] in blocks);

fn same(weights: QuantizedArray<Weights>) -> QuantizedArray<Same> {
    weights
}

/// The number of columns of any layout of three rows.
fn columns<const N: usize>(weights: &QuantizedArray<quantized!(nvfp4[3, N])>) -> usize {
    weights.as_dyn().spec().columns()
}

fn main() {
    assert_eq!(<Weights as QuantizedLayout>::DIMS, [3, 128]);
    let weights = same(Weights::pack(&[127.0_f32; 3 * 128]).expect("finite"));
    assert_eq!(weights.get([2, 127]), 127.0);
    let weights = <quantized!(nvfp4[3, COLUMNS])>::pack(&[1.0_f32; 3 * 64]).expect("finite");
    assert_eq!(columns(&weights), 64);
}
