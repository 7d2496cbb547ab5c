use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse::SparseTensor;
use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn project(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j], p: Dense<f32>[j, k]) -> y: Dense<f32>[i, k] {
        y[i, k] += a[i, j] * p[j, k]
    }
}

fn main() {
    let a = SparseTensor::<Csr, f32>::empty([4, 6]).unwrap();
    let values = vec![0.0; 12];
    project(&a, &values).unwrap();
    let doubles = [[0.0_f64; 2]; 6];
    project(&a, &doubles).unwrap();
    let mut y = vec![0.0; 8];
    project_into(&a, &[[0.0; 2]; 6], &mut y).unwrap();
}
