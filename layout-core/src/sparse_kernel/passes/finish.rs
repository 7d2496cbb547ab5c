//! Fuses a statement that computes each element from the element of a temporary into the loops that compute the temporary: each
//! element is finished at the point where it would be stored.

use super::super::ir::*;
use super::local;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The computation of an element from the element of a temporary, and from elements of other arrays at the same position.
struct Finish<'k> {
    /// The kernel of the statement.
    kernel: &'k Kernel,
    /// The temporary in it.
    temporary: OperandId,
    value: Value,
    /// The number of times that the value reads the temporary.
    uses: usize,
}

/// Makes `kernel`, whose output is `temporary` in `by`, compute the output of `by`. Returns whether it does; if not, the loops must
/// run one after the other. `kernel` has the operands of `by` under the same names.
pub(in super::super) fn run(kernel: &mut Kernel, by: &Kernel, temporary: OperandId) -> bool {
    let Some(finish) = Finish::of(by, temporary) else { return false };
    let mut alike = true;
    finish.value.loads(&mut |operand, _| {
        let name = &by.operands[operand].name;
        let there = kernel.operands.iter().position(|other| other.name == *name);
        let dense = by.operands[operand].storage != Storage::Scalar && operand != temporary;
        alike &= !dense || there.is_some_and(|there| is_alike(kernel, there));
    });
    if !alike {
        return false;
    }
    if element(kernel).is_some() {
        // Every element is written, so the fill with the identity has no effect.
        kernel.body.retain(|stmt| *stmt != Stmt::Fill);
    }
    let mut body = core::mem::take(&mut kernel.body);
    let done = finish.block(kernel, &mut body);
    kernel.body = body;
    done
}

impl<'k> Finish<'k> {
    /// The computation of the kernel, if it visits each element once and does nothing else.
    fn of(kernel: &'k Kernel, temporary: OperandId) -> Option<Self> {
        let dense = matches!(kernel.operands[kernel.output].storage, Storage::Dense { .. });
        if !dense || kernel.accumulates || kernel.parts.is_some() {
            return None;
        }
        let (at, value) = element(kernel)?;
        let mut uses = 0;
        let mut fits = is_function(&value);
        value.loads(&mut |operand, read| match kernel.operands[operand].storage {
            Storage::Scalar => {}
            Storage::Dense { .. } => {
                let position = of_output(kernel, kernel.output, &at);
                fits &= is_alike(kernel, operand) && of_output(kernel, operand, read) == position;
                uses += usize::from(operand == temporary);
            }
            _ => fits = false,
        });
        (fits && uses > 0).then_some(Self { kernel, temporary, value, uses })
    }

    /// The value of the output, computed from the value of the temporary.
    fn value(&self, into: &Kernel, finished: &Value, at: &Int) -> Value {
        let name = |operand: OperandId| &self.kernel.operands[operand].name;
        let there = |operand: OperandId| {
            into.operands.iter().position(|other| other.name == *name(operand)).unwrap_or(operand)
        };
        self.value.replaced(&|value| match value {
            Value::Load { operand, .. } if *operand == self.temporary => Some(finished.clone()),
            Value::Load { operand, at: scalar } => {
                let is_scalar = self.kernel.operands[*operand].storage == Storage::Scalar;
                let at = if is_scalar { scalar } else { at };
                Some(Value::Load { operand: there(*operand), at: at.clone() })
            }
            _ => None,
        })
    }

    /// Finishes all elements that a block stores. Returns whether each of them is stored once.
    fn block(&self, kernel: &mut Kernel, block: &mut Body) -> bool {
        let mut done = Vec::with_capacity(block.len());
        for mut stmt in core::mem::take(block) {
            match stmt {
                // A product from panels is not finished by statements.
                Stmt::Fill
                | Stmt::Append(_)
                | Stmt::DrainSegment { .. }
                | Stmt::Union { .. }
                | Stmt::Panels { .. } => return false,
                Stmt::Store { reduce: true, .. } | Stmt::StoreLanes { reduce: true, .. } => {
                    return false;
                }
                Stmt::Store { at, reduce, mut value } => {
                    let is_read_once =
                        self.uses == 1 || matches!(value, Value::Local(_) | Value::Sum { .. });
                    if !is_read_once {
                        let local = local(kernel, "finished");
                        done.push(Stmt::Local { local, value });
                        value = Value::Local(local);
                    }
                    let value = self.value(kernel, &value, &at);
                    done.push(Stmt::Store { at, reduce, value });
                }
                Stmt::StoreLanes { at, lane, row, reduce } => {
                    let at = at.plus(Int::Var(lane));
                    let sum = Value::Sum { row, lane: Int::Var(lane) };
                    let value = self.value(kernel, &sum, &at);
                    done.push(Stmt::Lanes {
                        lane,
                        body: [Stmt::Store { at, reduce, value }].into(),
                    });
                }
                _ => {
                    let mut all = true;
                    stmt.blocks_mut(&mut |inner| all &= self.block(kernel, inner));
                    if !all {
                        return false;
                    }
                    done.push(stmt);
                }
            }
        }
        *block = done;
        true
    }
}

/// Whether loops over all indices of the output only write the output, so that none of its earlier values remains.
pub(super) fn overwrites(kernel: &Kernel) -> bool {
    !kernel.accumulates && element(kernel).is_some()
}

/// The position and the value of each element, if loops over all indices of the output only write the output.
fn element(kernel: &Kernel) -> Option<(Int, Value)> {
    let mut lets = BTreeMap::new();
    let mut sizes = Vec::new();
    let mut block = &kernel.body[..];
    if let [Stmt::Fill, rest @ ..] = block {
        block = rest;
    }
    let (at, value) = loop {
        let (last, above) = block.split_last()?;
        for stmt in above {
            let Stmt::Let { var, value } = stmt else { return None };
            lets.insert(*var, value.inlined(&lets));
        }
        match last {
            Stmt::Range { to, body, .. } => {
                sizes.push(to);
                block = body;
            }
            Stmt::Store { at, reduce: false, value } => break (at, value),
            _ => return None,
        }
    };
    let all = sizes.len() == kernel.output_shape.len()
        && kernel.output_shape.iter().all(|size| sizes.contains(&size));
    all.then(|| (at.inlined(&lets), value.inlined(&lets)))
}

/// Whether each dimension of an operand is known to have the size of that dimension of the output.
fn is_alike(kernel: &Kernel, operand: OperandId) -> bool {
    let sized = |(dim, size): (usize, &Int)| {
        let Int::Size(index) = size else { return false };
        let is_it =
            |check: &SizeCheck| (check.index, check.operand, check.dim) == (*index, operand, dim);
        kernel.indices[*index].size == Int::DimSize(operand, dim)
            || kernel.size_checks.iter().any(is_it)
    };
    kernel.operands[operand].storage.rank() == kernel.output_shape.len()
        && kernel.output_shape.iter().enumerate().all(sized)
}

/// A position of an operand as a position of the output, which has the same sizes.
fn of_output(kernel: &Kernel, operand: OperandId, at: &Int) -> Int {
    let part = |int: &Int| of_output(kernel, operand, int);
    match at {
        Int::DimSize(other, dim) if *other == operand => Int::DimSize(kernel.output, *dim),
        Int::Add(a, b) => part(a).plus(part(b)),
        Int::Mul(a, b) => part(a).times(part(b)),
        other => other.clone(),
    }
}

/// Whether a value depends only on elements.
fn is_function(value: &Value) -> bool {
    match value {
        Value::Literal(_) | Value::Zero | Value::Load { .. } => true,
        Value::Unary(_, a) => is_function(a),
        Value::Binary(_, a, b) => is_function(a) && is_function(b),
        Value::Select(a, b, c) => is_function(a) && is_function(b) && is_function(c),
        _ => false,
    }
}
