//! Types without their width.
use tensor_layout::tiled;

struct Half(tiled!(half[3,5]));
struct Float(tiled!(float[3,5]));
struct Long(tiled!(long[3,5]));

fn main() {}
