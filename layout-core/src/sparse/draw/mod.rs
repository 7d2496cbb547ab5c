//! What a sparse encoding looks like: its numbers, and a small matrix stored in it.

mod example;
mod picture;
mod sizes;
