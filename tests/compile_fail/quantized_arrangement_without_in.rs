type On = tensor_layout::quantized!(s8[64,64] by f16[1,32] on blocks);
type Alone = tensor_layout::quantized!(s8[64,64] by f16[1,32] blocks);

fn main() {}
