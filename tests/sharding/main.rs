//! Shardings: notation, rules, propagation, programs and collectives.
#![cfg(feature = "sharding")]

#[path = "../golden/rows.rs"]
mod rows;

mod document;
mod files;
mod functions;
mod generic;
mod graphs;
mod gspmd;
mod import;
mod limits;
mod lit;
mod meshes;
mod numbers;
mod operations;
mod passes;
mod program;
mod properties;
mod regions;
mod reshards;
mod rules;
mod run;
mod search;
mod shardings;
#[cfg(feature = "sparse")]
mod sparse;
mod text;
mod unbounded;
mod xla;
