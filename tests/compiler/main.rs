//! What rustc makes of the library: the machine code of its index functions, and what it says of mistakes. In one program, so
//! that the library is built for both at the same time.

mod codegen;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod compile_fail;
