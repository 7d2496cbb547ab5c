//! The meaning of the names of encodings and of sparse tensors in a position where a value is expected: an error that states what
//! to write instead.
//!
//! The module of sparse tensors exports these names by a glob, so that each is hidden behind the type of that name except as a value.

use core::convert::Infallible;
use core::marker::PhantomData;

/// Represents an encoding that is written as a value, `let csr = sparse_encoding!(..);`, which does not compile.
pub struct Encoded<R: EncodingAsValue, L = (), P = (), C = (), A = ()>(
    pub PhantomData<(R, L, P, C, A)>,
    pub Infallible,
);

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "expected a value, found an encoding, which is a type",
    label = "a type, and not a value",
    note = "`type Csr = sparse_encoding!(..);` names it: `SparseTensor::<Csr, f64>::from_dense(shape, &values)?` stores an array in it, and `a.convert::<Csr>()` takes the type",
    note = "the encoding as a value is `Csr::SPEC`, a `SparseEncoding`, which is the type of encodings that are known only at run time"
)]
pub trait EncodingAsValue {}

/// Represents the type of a sparse tensor that is written as a value, `let a = sparse_tensor!(..);`, which does not compile.
pub struct ShapedTensor<E: SparseTensorAsValue, T = (), S = ()>(
    pub PhantomData<(E, T, S)>,
    pub Infallible,
);

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "expected a value, found the type of a sparse tensor",
    label = "a type, and not a value",
    note = "`type A = sparse_tensor!(..);` names it: `A::from_coo(&entries, Duplicates::Error)?` makes such a tensor"
)]
pub trait SparseTensorAsValue {}
