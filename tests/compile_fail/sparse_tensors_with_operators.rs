use tensor_layout::sparse::{SparseTensor, formats::Csr};

fn main() {
    let a = SparseTensor::<Csr, f32>::empty([2, 2]).unwrap();
    let _ = &a + &a;
    let _ = &a * &[1.0, 2.0];
}
