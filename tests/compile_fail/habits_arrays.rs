//! Arrays as PyTorch, JAX, NumPy, MLIR and others write them.
use tensor_layout::{tiled, tpu};

struct Torch(tiled!(torch.float32[3,5]));
struct Jax(tpu!(jnp.bfloat16[8,128]));
struct Numpy(tiled!(float32[3,5]{1,0}));
struct Rust(tiled!(Tensor<f32, 3, 5>));
struct Mlir(tiled!(memref<3x5xf32>));
struct Text(tpu!("bf16[8,128]"));
struct Brackets(tiled!(f32[3,5]{1,0:T[2,2]}));
struct Crosses(tiled!(f32[3,5]{1,0:T(2x2)}));
struct Spelled(tiled!(f32[3,5]{1,0:tile(2,2)}));

fn main() {}
