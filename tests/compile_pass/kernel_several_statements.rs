//! Functions of several statements, with hygiene: names of temporaries are those of the user, however they are spelled.

use tensor_layout::half::bf16;
use tensor_layout::{sparse_encoding, sparse_kernel, tiled};

sparse_encoding! { pub type Csr = (i, j) -> (i : dense, j : compressed); }

type Weights = tiled!(f32[4,8]{1,0:T(2,4)});
type Real = f32;

sparse_kernel! {
    /// Temporaries of all kinds.
    #[must_use]
    pub fn kinds(
        a: Csr<bf16>[i, j], w: Packed<Weights>[j, k], values: Dense<Real>[k], by: f32,
    ) -> (out: Dense<f32>[i, k], made: Packed<tiled!(f32[2,8])>[i, k], first: f32, c: Csr<bool>[i, j]) {
        let r#type: Csr<f32>[i, j] = by * a[i, j];
        let size[i, k] = r#type[i, j] * w[j, k];
        let output: {(k) -> (k : compressed)}<f32>[k] = values[k] if values[k] > 0;
        let sum: f32 = output[k];
        out[i, k] = size[i, k] * output[k] / sum;
        made[i, k] = size[i, k] + by;
        first = made[i, k] * out[i, k]; accumulator(f64);
        c[i, j] = r#type[i, j] > 1; accumulator(f32)
    }

    #[cfg(any())]
    fn absent(a: Missing<f32>[i, j]) -> (y: Dense<f32>[i], z: f32) { y[i] = a[i, j]; z = y[i] }
}

fn main() {
    let a = tensor_layout::sparse::SparseTensor::<Csr, bf16>::from_dense([2, 4], &[bf16::ONE; 8]).unwrap();
    let w = Weights::pack(&[1.0; 32]).unwrap();
    let (out, made, first, c) = kinds(&a, &w, &[1.0; 8], 0.5).unwrap();
    assert_eq!((out.values(), made.get([1, 7]), first), (&[0.25; 16][..], 2.5, 10.0));
    assert_eq!(c.values(), [false; 8]);
    let mut out = out;
    let (made, first, _) = kinds_into(&a, &w, &[2.0; 8], 0.5, &mut out).unwrap();
    assert_eq!((out.values(), made.get([0, 0]), first), (&[0.25; 16][..], 2.5, 10.0));
}
