//! Loops that do nothing but scatter to a workspace.

use super::super::ir::*;
use super::encoding;
use super::prefetch::has_entries;
use crate::sparse::LevelFormat;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The accumulators that hold loaded values, by their names: loops that only scatter do not contain each other.
type Loaded = BTreeMap<String, Local>;

/// In a block, and in those that it contains.
pub(super) fn block(kernel: &mut Kernel, block: &mut Block) {
    within(kernel, block, &mut Loaded::new());
}

fn within(kernel: &mut Kernel, block: &mut Block, names: &mut Loaded) {
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

/// Loads in front of the loop what it reads at positions that it does not change: rustc cannot know that what is scattered to is
/// not what is loaded.
fn loaded_before(
    kernel: &mut Kernel,
    iter: &LevelIter,
    value: &Value,
    block: &mut Block,
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

/// Whether a segment in order is scattered to its coordinates: the first and the last one tell between which.
fn covers(kernel: &Kernel, iter: &LevelIter, workspace: WorkspaceId, at: &Int) -> bool {
    let Some(encoding) = encoding(kernel, iter.operand) else { return false };
    let of = encoding.levels()[iter.level];
    let ordered = of.format == LevelFormat::Compressed && !of.properties.nonordered;
    let tracked = kernel.workspaces[workspace].tracked;
    ordered && tracked && *at == Int::Var(iter.coordinate) && !encoding.is_signed()
}
