use tensor_layout::tiled;

type Weights = tiled!(f32[3,5]{1,0:T(8,128)});

fn main() {
    let weights = vec![0_i32; 15];
    let _ = Weights::pack(&weights);
}
