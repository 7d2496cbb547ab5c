//! How rustc compiles the library: the machine code of its index functions, and the errors for mistakes; and the order in which
//! folders import each other, which rustc does not check.

#[cfg(all(feature = "sparse", feature = "sharding"))]
mod batch;
mod codegen;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod compile_fail;
mod folders;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod help;
mod library;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod said;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod suggestions;
