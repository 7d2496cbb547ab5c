//! Sparse kernels at run time: statements in index notation, whatever the encodings of their operands.

#[path = "../golden/rows.rs"]
mod rows;

mod case;
mod golden;
mod mistakes;
mod random;
mod reference;
mod statements;
mod tape;
