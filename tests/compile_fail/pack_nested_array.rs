use tensor_layout::tiled;

type Weights = tiled!(f32[3,5]{1,0:T(8,128)});

fn main() {
    let weights = [[0_f32; 5]; 3];
    let _ = Weights::pack(&weights);
}
