use tensor_layout::tiled;

type Figure1 = tiled!(F32[3,5]<1,0:T(2,2)>);

fn main() {
    let [tile, within] = Figure1::physical_index([2, 3]);
    println!("{tile} {within}");
}
