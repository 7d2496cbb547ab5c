//! Pictures of sparse encodings: the sizes of their arrays, and a small matrix stored in them.

mod example;
mod explain;
mod picture;
mod sizes;
mod tensor;
