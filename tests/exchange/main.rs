//! Arrays that other libraries give and take.

mod dlpack;
mod ndarray;
mod serde;
mod sparse;
