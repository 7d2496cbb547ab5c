//! Levels as other tools write them: properties in other brackets, levels without a map, formats alone.
use tensor_layout::sparse_encoding;

type Angles = sparse_encoding!((i, j) -> (i : compressed<nonunique>, j : singleton));
type Short = sparse_encoding!((i, j) -> (i : compressed-nu-no, j : singleton));
type Misspelled = sparse_encoding!((i, j) -> (i : compressed(non_unique), j : singleton(soa, )));
type Alone = sparse_encoding!(i : dense, j : compressed);
type List = sparse_encoding!([dense, compressed]);
type Formats = sparse_encoding!((i, j) -> (Dense, sparse));
type Property = sparse_encoding!((i, j) -> (i : compressed(unique=false), j : singleton));
type Braces = sparse_encoding!({ map = (i, j) -> (i : dense, j : compressed), posWidth = 31 });
type Torch = sparse_encoding!(layout=torch.sparse_csc);
type Hash = sparse_encoding!(sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>);
type Angle = sparse_encoding!(#sparse_tensor.encoding{ map = (i, j) -> (i : dense, j : compressed) });
type Floor = sparse_encoding!((i, j) -> (floor(i / 2) : dense, j : compressed));
type Value = sparse_encoding!((i, j) -> (i : dense, j : compressed), explicitVal = one);

fn main() {}
