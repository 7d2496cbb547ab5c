//! The optimizer: transforms the loops of a plan into faster loops. Each pass replaces statements by statements with the same
//! meaning, so that the cost, the printed loops, the interpreter and the macro all see the loops that run.
//!
//! ```text
//! In order:
//! [parallel]                finds the loop that can run in parts on several threads
//! [marks]                   marks the coordinates of a segment that is merged repeatedly
//! [prefetch]                prefetches segments of later entries
//! [version]                 adds a version without checks of bounds, whose sums [strip], [leaf] and [lanes] keep in registers
//! [panels]                  products that the macro computes from panels
//! [gather], [dot]           sums of a segment, and of contiguous arrays
//! [segment], [scatter]      entries of a segment that are appended together, and loops that scatter to a workspace
//!
//! For functions of several statements, after these:
//! [finish]                  fuses a statement into the loops that compute its operand
//! [rows]                    runs several kernels in one outermost loop
//!
//! For all passes:
//! [linear]                  whole numbers as linear functions of variables
//! ```

mod dot;
mod finish;
mod gather;
mod lanes;
mod leaf;
mod linear;
mod marks;
mod panels;
mod parallel;
mod prefetch;
pub(super) mod rows;
mod scatter;
mod segment;
mod strip;
mod version;

pub(super) use finish::run as finish;
pub(super) use parallel::rows_of_a_part;

use super::ir::*;
use super::statement::Statement;
use crate::sparse::SparseEncoding;
use alloc::string::String;

/// Runs all passes, in order.
pub(super) fn run(statement: &Statement, kernel: &mut Kernel) {
    kernel.parts = rows_of_a_part(kernel);
    let signed = kernel.signed();
    let mut body = core::mem::take(&mut kernel.body);
    marks::block(kernel, &mut body);
    prefetch::block(kernel, &mut body);
    body = version::run(kernel, &body, &signed);
    panels::block(statement, kernel, &mut body);
    gather::block(kernel, &mut body);
    dot::block(kernel, &mut body);
    segment::block(kernel, &mut body);
    scatter::block(kernel, &mut body);
    kernel.body = body;
}

/// The encoding of a sparse operand.
fn encoding(kernel: &Kernel, operand: OperandId) -> Option<&SparseEncoding> {
    match &kernel.operands[operand].storage {
        Storage::Sparse(encoding) => Some(encoding),
        _ => None,
    }
}

/// A new variable with an unused name.
fn var(kernel: &mut Kernel, name: &str) -> Var {
    kernel.vars.push(fresh(kernel, name));
    Var(kernel.vars.len() - 1)
}

/// A new accumulator with an unused name.
fn local(kernel: &mut Kernel, name: &str) -> Local {
    kernel.locals.push(fresh(kernel, name));
    Local(kernel.locals.len() - 1)
}

fn fresh(kernel: &Kernel, name: &str) -> String {
    let operands = kernel.operands.iter().map(|operand| &operand.name);
    let workspaces = kernel.workspaces.iter().map(|workspace| &workspace.name);
    let taken = operands.chain(workspaces).chain(&kernel.vars).chain(&kernel.locals);
    let mut name = String::from(name);
    while taken.clone().any(|other| *other == name) {
        name.push('_');
    }
    name
}
