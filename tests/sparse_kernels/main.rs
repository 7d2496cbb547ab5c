//! Sparse kernels at run time: statements in index notation, whatever the encodings of their operands.
#![cfg(feature = "sparse")]

#[path = "../golden/rows.rs"]
mod rows;
#[path = "../golden/tensors.rs"]
mod tensors;

#[rustfmt::skip]
mod accumulate;
mod arguments;
mod blocks;
mod case;
mod cases;
#[rustfmt::skip]
mod casts;
#[rustfmt::skip]
mod dots;
mod elements;
mod extremes;
mod fill;
#[rustfmt::skip]
mod gathers;
#[rustfmt::skip]
mod gram;
mod grouped;
#[rustfmt::skip]
mod in_place;
mod masks;
mod meaning;
mod mistakes;
#[rustfmt::skip]
mod mixed;
mod number;
mod operands;
#[rustfmt::skip]
mod packed;
#[rustfmt::skip]
mod panels;
mod parsed;
mod parts;
mod random;
mod reference;
#[rustfmt::skip]
mod reused;
mod schedules;
mod segments;
#[rustfmt::skip]
mod semirings;
#[rustfmt::skip]
mod several;
#[rustfmt::skip]
mod shared;
mod slots;
mod statements;
mod tape;
#[rustfmt::skip]
mod twins;
mod written;
