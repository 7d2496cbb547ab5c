use tensor_layout::tiled;

type Weights = tiled!(f32[3,5]{1,0:T(8,128)});

fn main() {
    println!("{}", Weights::offset([1, 2, 3]));
}
