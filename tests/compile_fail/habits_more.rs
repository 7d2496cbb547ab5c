//! Arrays, meshes and encodings as calls of Python, types of MLIR and items of Rust.
use tensor_layout::{mesh, sparse_encoding, tiled};

struct Jax(tiled!(jax.ShapeDtypeStruct((8,128), jnp.float32)));
struct Torch(tiled!(torch.empty(3, 5, dtype=torch.float32)));
struct Memref(tiled!(memref<8x128xf32, affine_map<(d0, d1) -> (d1, d0)>>));
struct Vector(tiled!(Vec<f32>[3,5]));
struct Rows(tiled!([[f32; 5]; 3]{1,0}));

mesh! { let Pod = ["x" = 2]; }
sparse_encoding! { struct Csr { i: dense, j: compressed } }

fn main() {}
