use tensor_layout::{sparse_kernel, tpu};

type Left = tpu!(f32[64,256]);
type Right = tpu!(f32[255,8]);
type Product = tpu!(f32[65,8]);

sparse_kernel! {
    fn f(a: Packed<Left>[i, j], x: Packed<Right>[j, k]) -> y: Dense<f32>[i, k] { y[i, k] = a[i, j] * x[j, k] }
    fn g(a: Packed<Left>[i, j]) -> y: Packed<Product>[i, k] { y[i, k] = a[i, j]; size(k, 8) }
}

fn main() {
    let a = Left::pack(&[0.0; 64 * 256]).unwrap();
    f(&a, &Right::pack(&[0.0; 255 * 8]).unwrap()).unwrap();
    g(&a).unwrap();
}
