//! Detection of the CPU's instructions, in one place, and code that is compiled for each instruction set.
#![allow(unsafe_code, reason = "instructions of a CPU run where they were found")]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod amx;
mod array;
mod caches;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) mod detect;
mod dispatch;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod model;
mod pages;
mod prefetch;
mod streaming;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod sum;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) mod tile_registers;
mod work;

pub(crate) use array::array;
pub(crate) use caches::second_level;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use detect::{HasAvx2, HasAvx512};
pub(crate) use dispatch::*;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use model::{Vendor, model, pairs_are_fast};
#[cfg(feature = "sparse")]
pub(crate) use pages::request_huge_pages;
#[cfg(all(test, feature = "sparse", feature = "std", target_os = "linux"))]
pub(crate) use pages::tests::is_requested;
pub(crate) use pages::{HUGE_PAGE, in_huge_pages};
pub(crate) use prefetch::*;
pub(crate) use streaming::*;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use sum::sum_of_eight;
pub use work::{Work, run};
#[cfg(all(feature = "sparse", feature = "std", target_arch = "x86_64"))]
pub(crate) use work::{run_narrow, run_wide};
