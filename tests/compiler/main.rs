//! How rustc compiles the library: the machine code of its index functions, and the errors for mistakes.

mod codegen;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod compile_fail;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod help;
mod library;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod said;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod suggestions;
