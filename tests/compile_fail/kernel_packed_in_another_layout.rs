use tensor_layout::{Layout, sparse_kernel, tiled, tpu};

type Rows = tpu!(f32[64,256]);
type Columns = tiled!(f32[64,256]{0,1});

sparse_kernel! {
    fn f(x: Packed<Rows>[i, j]) -> y: Packed<tpu!(f32[64])>[i] { y[i] = x[i, j] }
}

fn main() {
    let x = <Columns as Layout>::pack(&[0.0; 64 * 256]).unwrap();
    f(&x).unwrap();
    f(&[[0.0f32; 256]; 64]).unwrap();
    f_into(&x.relayout::<Rows>(), &mut [0.0f32; 64]).unwrap();
}
