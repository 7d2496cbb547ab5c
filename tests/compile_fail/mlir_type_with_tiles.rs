struct Bad(tensor_layout::tiled!(memref<16x128xbf16, #tpu.tiled<(8,128)(2,1),[1,1]>, #tpu.memory_space<vmem>>));

fn main() {}
