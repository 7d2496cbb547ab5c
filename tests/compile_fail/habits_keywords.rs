//! Arrays and layouts as lists of keywords, pointers, and sizes in other brackets.
use tensor_layout::{quantized, tiled, tpu};

const D: i32 = 8;

struct Keywords(tiled!(dtype=jnp.bfloat16, shape=(16,128), layout={1,0:T(8,128)(2,1)}));
struct Layout(tiled!(f32[32,64]{minor_to_major=[1,0], tiles=[(8,128)]}));
struct Pointer(tiled!(*f16[128,64]{0,1}));
struct Angles(tpu!(bf16<8,128>));
struct First(tpu!([8,128] bf16));
struct Cast(tiled!(f32[D as usize,8]));
struct Levels(tiled!(f32[8,128]{1,0:D(1,1)T(8,128)}));
struct Memory(tiled!(f32[8,128]{1,0:T(8,128)S("vmem")}));
struct Parentheses(quantized!(q8_0(4096,4096)));
struct Group(quantized!(s4[4096,4096] by f16[1,32] group_size=128));
struct Braces(quantized!(q4_0[4096,4096]{1,0}));
struct Arranged(quantized!(q4_0[32,32] in blocks));

fn main() {}
