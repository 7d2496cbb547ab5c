//! The order and the tiles as arguments of Python.
use tensor_layout::tiled;

struct Triton(tiled!(f32[8,128], order=[1,0], tile=(8,128)));
struct Tiles(tiled!(bf16[16,256] minor_to_major=(1,0), tiles=[(8,128),(2,1)]));
struct Memory(tiled!(f32[8,128], dim_order=(0,1), memory_space="vmem"));

fn main() {}
