//! Methods and constructors of arrays in NumPy, PyTorch, JAX and ndarray: each error names what this crate has.
use tensor_layout::{DynPacked, F32, Packed, tpu};

type X = tpu!(f32[8,128]);

fn computed(x: Packed<X>, dynamic: DynPacked<F32>) {
    let _ = x.shape();
    let _ = x.rows();
    let _ = x.matmul(&x.t());
    let _ = x.astype(0);
    let _ = x.flatten();
    let _ = x.relu();
    let _ = x.std(0);
    let _ = x.to_vec();
    let _ = X::zeros();
    let _ = dynamic.numel();
}

fn main() {}
