use tensor_layout::tiled;

const ROWS: usize = usize::MAX / 4;

type Bad = tiled!(f32[{ROWS * 2}, 128]{1,0:T(8,128)});

fn main() {
    println!("{}", Bad::LEN);
}
