use tensor_layout::sparse::types::{Compressed, Dim, Level, Rank, Singleton};
use tensor_layout::sparse::{Encoded, Encoding};

type Bad = Encoded<Rank<2>, (Level<Dim<0>, Compressed>, Level<Dim<1>, Singleton>)>;

fn main() {
    println!("{}", Bad::SPEC);
}
