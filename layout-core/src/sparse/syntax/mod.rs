//! The grammar of MLIR's sparse encodings. Names are resolved and expressions brought to their normal form while they
//! are read; [`lower_encoding`] makes a checked encoding of the result.

mod affine;
mod encoding;
mod foreign;
mod level;
mod lower;
mod map;
mod name;
mod number;
mod parse;
mod scope;
mod sized;
mod tensor;

pub(crate) use encoding::KEYS;
pub use encoding::{EncodingSyntax, parse_encoding};
pub use level::LevelSyntax;
pub use lower::lower_encoding;
pub use map::{MapSyntax, SparseDimSyntax};
pub(crate) use number::unsigned as literal;
pub use sized::{EncodingName, SizedSyntax, SparseSize, parse_sized};
pub use tensor::TensorSyntax;
