//! Layouts that functions of CuTe make.
use tensor_layout::tiled;

type Rows = tiled!(make_layout(make_shape(8, 4), make_stride(4, 1)));
type Columns = tiled!(make_layout(make_shape(Int<8>{}, _4{})));
type Right = tiled!(make_layout(make_shape(8, 4), LayoutRight{}));
type Dsl = tiled!(cute.make_layout((8, 4), stride=(1, 8)));

fn main() {}
