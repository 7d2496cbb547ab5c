//! Syntax errors do not hide other mistakes: in sizes, in layouts, in padding, in tuples.
use tensor_layout::{sharded, tiled};

tensor_layout::mesh! { Pod = ["data" = 2, "model" = 4] }

struct Sizes(tiled!(f32[3,,5]{1,1:T(0,2)}));
struct Semicolon(tiled!(f32[3;5]{1,1}));
struct Padding(tiled!(f32[3,5]{0,2} padded [4,8]));
struct Commas(tiled!(f32[3 5]{1,0:T(2 2)S(x)}));
struct Axes(sharded!(f32[8,,16] @ Pod [{"dta"}, {}]));
struct Order(sharded!(f32[8,16]{1,1} @ Pod [{data}, {}]));

fn main() {}
