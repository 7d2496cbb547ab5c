use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn f(a: {(i, j) -> (i : dense, j : compresed)}<f64>[i, j]) -> s: f64 { s += a[i, j] }
}

fn main() {}
