use tensor_layout::sparse::formats::Csr;
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 8] }

type Uneven = sharded!(f64[12, 64] Csr @ Pod [{"data"}, {}]);
type Open = sharded!(f64[?, 64] Csr @ Pod [{"data"}, {}]);
type Partial = sharded!(f64[16, 64] Csr @ Pod [{}, {}], unreduced={"data"});
type Unknown = sharded!(f64[16, 64] Csr @ Pod [{"model"}, {}]);
type Ranks = sharded!(f64[16, 64] Csr @ Pod [{"data"}]);
type Bits = sharded!(i1[16, 64] Csr @ Pod [{"data"}, {}]);
type NoMesh = sharded!(f64[16, 64] Csr [{"data"}, {}]);
type Cube = sharded!(f64[16, 64, 2] Csr @ Pod [{"data"}, {}, {}]);

fn main() {}
