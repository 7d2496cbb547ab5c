use tensor_layout::tiled;

type Weights = tiled!(f32[3,5]{1,0:T(8,128)});
type Transposed = tiled!(f32[5,3]{1,0:T(8,128)});

fn main() {
    let weights = Weights::pack(&[1.0; 15]).unwrap();
    let _ = weights.relayout::<Transposed>();
}
