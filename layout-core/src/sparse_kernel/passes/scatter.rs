//! Loops that only scatter to a workspace.

use super::super::ir::*;
use super::encoding;
use super::prefetch::has_entries;
use crate::sparse::LevelFormat;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The accumulators of loaded values, by name. They can be shared, because loops that only scatter are never nested.
type Loaded = BTreeMap<String, Local>;

/// Runs the pass on a block, and on the blocks inside it.
pub(super) fn block(kernel: &mut Kernel, block: &mut Body) {
    within(kernel, block, &mut Loaded::new());
}

fn within(kernel: &mut Kernel, block: &mut Body, names: &mut Loaded) {
    for mut stmt in core::mem::take(block) {
        stmt.blocks_mut(&mut |inner| within(kernel, inner, names));
        if let Stmt::Entries { iter, hint, body } = &mut stmt
            && let [Stmt::Scatter { workspace, at, value }] = &mut body[..]
            && has_entries(kernel, iter)
        {
            *value = loaded_before(kernel, iter, value, block, names);
            if hint.unroll.is_none() && covers(kernel, iter, *workspace, at) {
                let (iter, value) = (iter.clone(), value.clone());
                stmt = Stmt::ScatterSegment { workspace: *workspace, iter, value };
            }
        }
        block.push(stmt);
    }
}

/// Before the loop, loads the values at positions that do not change in it. rustc cannot do that, because it cannot prove that
/// scattering does not write to them.
fn loaded_before(
    kernel: &mut Kernel,
    iter: &LevelIter,
    value: &Value,
    block: &mut Body,
    names: &mut Loaded,
) -> Value {
    let mut all = Vec::new();
    value.loads(&mut |operand, at| all.push((operand, at)));
    let mut loaded: Vec<(Value, Local)> = Vec::new();
    for (operand, at) in all {
        let changes = [Some(iter.position), Some(iter.coordinate), iter.end];
        let changes = changes.iter().flatten().any(|var| at.mentions(*var));
        let load = Value::Load { operand, at: at.clone() };
        if changes
            || kernel.operands[operand].storage == Storage::Scalar
            || loaded.iter().any(|(known, _)| *known == load)
        {
            continue;
        }
        let name = format!("{}_value{}", kernel.operands[operand].name, loaded.len());
        let local = *names.entry(name).or_insert_with_key(|name| super::local(kernel, name));
        block.push(Stmt::Local { local, value: load.clone() });
        loaded.push((load, local));
    }
    value.replaced(&|value| {
        let found = loaded.iter().find(|(known, _)| known == value);
        found.map(|(_, local)| Value::Local(*local))
    })
}

/// Whether an ordered segment is scattered to its coordinates, so that the first and the last coordinate bound all others.
fn covers(kernel: &Kernel, iter: &LevelIter, workspace: WorkspaceId, at: &Int) -> bool {
    let Some(encoding) = encoding(kernel, iter.operand) else { return false };
    let of = encoding.levels()[iter.level];
    let ordered = of.format == LevelFormat::Compressed && !of.properties.nonordered;
    let tracked = kernel.workspaces[workspace].tracked;
    ordered && tracked && *at == Int::Var(iter.coordinate) && !encoding.is_signed()
}
