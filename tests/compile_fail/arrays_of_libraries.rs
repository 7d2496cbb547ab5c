//! Calls of NumPy and PyTorch, and a type of C++.
use tensor_layout::tiled;

type Scalar = tiled!(np.float32(3, 5));
type Zeros = tiled!(torch.zeros(3, 5));
type Fortran = tiled!(np.zeros((3, 5), dtype=np.float32, order="F"));
type Left = tiled!(std::mdspan<float, std::extents<int, 3, 5>, std::layout_left>);

fn main() {}
