//! Sizes in several brackets, attributes behind other signs, and an order with an arrow: one error for each.
use tensor_layout::tiled;

struct Sizes(tiled!(f32[8][128]{1,0}));
struct Equals(tiled!(f32[8,128]{1,0:tile=(8,128)}));
struct Semicolon(tiled!(f32[8,128]{1,0}; S(1)));
struct Arrow(tiled!(f32[8,128]{1->0}));

fn main() {}
