use tensor_layout::quantized;

type Grouped = quantized!(int4[4096,4096], group_size=128);
type Exchanged = quantized!(s8[64,64] by [1,32] f16 in block);

fn main() {}
