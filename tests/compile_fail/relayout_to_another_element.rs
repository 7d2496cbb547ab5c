use tensor_layout::tiled;

type Weights = tiled!(f32[3,5]{1,0:T(8,128)});
type Rounded = tiled!(bf16[3,5]{1,0:T(8,128)});

fn main() {
    let weights = Weights::pack(&[1.0; 15]).unwrap();
    let _ = weights.relayout::<Rounded>();
}
