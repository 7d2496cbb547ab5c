//! Versions: if blocks need not divide their indices, every iteration checks that it is within bounds. A second version of the
//! loops without these checks runs if the blocks do divide their indices. Each version first sets the output to the identity,
//! unless it writes the whole output.

use super::super::ir::*;
use super::linear::linear;
use super::strip::Strips;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The loops of a kernel with strips, in two versions if that pays off.
pub(super) fn run(kernel: &mut Kernel, body: &Body, signed: &BTreeSet<Var>) -> Body {
    let mut blocks = BTreeSet::new();
    ragged(body, &mut blocks);
    let mut strips =
        Strips { kernel, signed, exact: false, first: None, lane: None, group: None, chunk: None };
    let checked = one(&mut strips, body);
    if blocks.is_empty() {
        return checked;
    }
    strips.exact = true;
    let exact = one(&mut strips, body);
    alloc::vec![Stmt::IfDivides {
        blocks: blocks.into_iter().collect(),
        then: exact,
        otherwise: checked
    }]
}

/// One version.
fn one(strips: &mut Strips<'_>, body: &Body) -> Body {
    let kernel = &strips.kernel;
    let dense = matches!(kernel.operands[kernel.output].storage, Storage::Dense { .. });
    let fills = dense && !kernel.accumulates;
    let overwrites = fills && writes_all(strips, body);
    let mut block = Vec::new();
    if fills && !overwrites {
        block.push(Stmt::Fill);
    }
    block.extend(strips.block(body));
    if overwrites {
        overwrite(&mut block);
    }
    block
}

/// The blocks that need not divide the sizes of their indices.
fn ragged(block: &Body, found: &mut BTreeSet<(IndexId, i64)>) {
    for stmt in block {
        if let Stmt::Inside { because: Because::Blocks(index, size), .. } = stmt {
            found.insert((*index, *size));
        }
        stmt.blocks(&mut |inner| ragged(inner, found));
    }
}

/// Whether the loops write each element of the output exactly once: in each iteration of the outermost loop, the elements of a
/// row.
fn writes_all(strips: &Strips<'_>, body: &Body) -> bool {
    let [Stmt::Range { var, to, body, .. }] = &body[..] else { return false };
    let (output, shape) = (strips.kernel.output, &strips.kernel.output_shape);
    let Some((rows, columns)) = shape.split_first() else { return false };
    let Some((base, height, width)) = strips.written(body) else {
        let last = matches!(body.last(), Some(Stmt::Store { at: Int::Var(at), .. }) if at == var);
        return last && count_stores(body) == 1 && columns.is_empty() && to == rows;
    };
    // Each iteration of the loop writes the rows of one block. Without a width, a row is a single element.
    let width = width.unwrap_or(Int::Const(1));
    let grouped = *to == rows.clone().blocks(height);
    let first = Int::Var(*var).times(Int::Const(height));
    match columns {
        [] => {
            let own = linear(&base, &[*var]).is_some_and(|start| {
                start.rest == Int::Const(0) && start.coefficients.get(var) == Some(&height)
            });
            grouped && own && width == Int::Const(1)
        }
        [columns] => grouped && width == *columns && base == first.times(Int::DimSize(output, 1)),
        _ => false,
    }
}

fn count_stores(block: &Body) -> usize {
    let mut count = 0;
    for stmt in block {
        count += usize::from(matches!(stmt, Stmt::Store { .. }));
        stmt.blocks(&mut |inner| count += count_stores(inner));
    }
    count
}

/// Makes stores overwrite the values of the output.
fn overwrite(block: &mut Body) {
    for stmt in block {
        if let Stmt::Store { reduce, .. } | Stmt::StoreLanes { reduce, .. } = stmt {
            *reduce = false;
        }
        stmt.blocks_mut(&mut overwrite);
    }
}
