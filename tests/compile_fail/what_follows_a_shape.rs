//! Orders and padding in other words and signs.
use tensor_layout::tiled;

type Brackets = tiled!(f32[64,128][1,0]);
type Parentheses = tiled!(f32[64,128](0,1));
type Tile = tiled!(f32[64,128]{1,0:tile=(8,128)(2,1)});
type Joined = tiled!(f32[2,3]{0,1} padded_to [3,5]);
type Padding = tiled!(f32[2,3]{0,1} padding to [3,5] with 0);

fn main() {}
