//! Random layouts compared with the rule of the documents.

mod parts;
mod random;
mod same_bytes;
