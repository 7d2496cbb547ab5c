//! What a user should know of the loops: their cost, and what happens before and after them.

use super::ir::*;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Fills in the cost and the notes.
pub(super) fn describe(kernel: &mut Kernel) {
    kernel.notes = notes(kernel);
    kernel.cost = String::new();
}

fn notes(kernel: &Kernel) -> Vec<String> {
    let mut notes = Vec::new();
    for operand in &kernel.operands {
        if let (Origin::Converted(from), Storage::Sparse(encoding)) =
            (operand.origin, &operand.storage)
        {
            let from = &kernel.operands[from].name;
            let text = encoding.to_string();
            let map = text.split_once("map = ").map_or(text.as_str(), |(_, map)| map);
            notes.push(format!(
                "`{from}` is first converted to `{}`, in O(nnz({from}) log nnz({from})): its encoding does not agree with the order of the loops.",
                map.trim_end_matches(" }>")
            ));
        }
    }
    let output = &kernel.operands[kernel.output].name;
    for workspace in &kernel.workspaces {
        if workspace.tracked {
            notes.push(format!("A workspace gathers what is scattered over a part of `{output}`."));
        }
    }
    match kernel.result {
        OutputMode::Collect { .. } => notes.push(format!(
            "The entries of `{output}` come in another order than it stores them: they are sorted at the end."
        )),
        OutputMode::Pattern(operand) => notes.push(format!(
            "`{output}` has the positions and coordinates of `{}`.",
            kernel.operands[operand].name
        )),
        _ => {}
    }
    notes
}
