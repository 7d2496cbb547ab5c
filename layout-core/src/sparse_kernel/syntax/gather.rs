//! Elements of index arrays as subscripts: `x[p[j]]` reads through `p`, and `y[p[i]] += ..` writes through it.

use super::body::StatementSyntax;
use super::lower::Lower;
use super::schedule::ScheduleSyntax;
use super::subscript::GatherSyntax;
use super::values;
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::{Int, Storage};
use crate::sparse_kernel::statement::Access;
use crate::syntax::Span;
use alloc::format;
use alloc::vec::Vec;

/// Resolves an element of an index array to an index, and to the access to the array.
pub(super) fn gather<'a, S: Span>(lower: &mut Lower<'a, '_, S>, syntax: &GatherSyntax<S>) {
    let GatherSyntax { array, subscripts, index } = syntax;
    let Some(number) = lower.index(&index.text) else { return };
    if lower.gathered[number].is_some() {
        return;
    }
    let Some(operand) = values::operand(lower, array) else { return };
    lower.rank(operand, subscripts.len(), index.span);
    let name = &array.text;
    let storage = lower.operands[operand].storage.clone();
    if !matches!(storage, Storage::Dense { .. }) {
        let message = format!("the index array `{name}` is not dense");
        lower.report(array.span, message, "an index array is dense: `p: Dense<u32>[j]`");
        return;
    }
    let element = lower.operands[operand].element.clone();
    if ElementType::parse(&element).is_some_and(|element| !element.is_integer()) {
        let message = format!("`{name}` is read as an index, but has elements of type `{element}`");
        let help = "the elements of an index array are whole numbers, such as `u32` or `i64`";
        lower.report(array.span, message, help);
        return;
    }
    if let Some(sum) = subscripts.iter().find(|subscript| subscript.plain().is_none()) {
        let message = format!("the index array `{name}` is read at a sum of indices");
        let help = format!("store the sum in a separate array, or read `{name}` at single indices");
        lower.report(sum.span, message, help);
        return;
    }
    let subscripts = lower.subscripts(subscripts);
    let access = lower.access(Access { operand, subscripts });
    lower.gathered[number] = Some(access);
}

/// Whether a statement reads an operand only as an index array, so that its elements need not have the type in which the statement
/// is computed.
pub(super) fn is_only_index_array<S: Span>(statement: &StatementSyntax<S>, name: &str) -> bool {
    let values = [Some(&statement.value), statement.guard.as_ref()];
    let (mut read, mut as_array) = (0, 0);
    for value in values.into_iter().flatten() {
        values::names(value, &mut |other| read += usize::from(other.text == name));
        values::subscripts(value, &mut |subscripts| {
            values::index_arrays(subscripts, &mut |other| {
                as_array += usize::from(other.text == name);
            });
        });
    }
    let mut scatters = false;
    values::index_arrays(&statement.subscripts, &mut |other| scatters |= other.text == name);
    read == as_array && (read > 0 || scatters)
}

impl<S: Span> Lower<'_, '_, S> {
    /// The size of each dimension of the output that is written through an index array: the size of a parameter's dimension
    /// with the same name, or the given size.
    pub(super) fn target_sizes(&mut self) -> Vec<Option<Int>> {
        let syntax = self.syntax;
        let mut sizes = Vec::new();
        for (dim, subscript) in syntax.statement.subscripts.iter().enumerate() {
            if subscript.gathers.is_empty() {
                sizes.push(None);
                continue;
            }
            if subscript.plain().is_none() {
                let message = "a subscript of the output is an index or an element of an index array, not a sum of them";
                let help = "add to the elements of the index array before the call";
                self.report(subscript.span, message, help);
            }
            let Some(name) = syntax.output.dims.get(dim) else { return sizes };
            let given = syntax.schedule.iter().find_map(|schedule| match schedule {
                ScheduleSyntax::Size(index, size) if index.text == name.text => Some(size.value),
                _ => None,
            });
            let known = syntax.parameters.iter().enumerate().find_map(|(operand, parameter)| {
                let dim = parameter.dims.iter().position(|dim| dim.text == name.text)?;
                Some(Int::DimSize(operand, dim))
            });
            let given = given.and_then(|size| i64::try_from(size).ok()).map(Int::Const);
            let size = given.or(known);
            if size.is_none() {
                let output = &syntax.output.name.text;
                let message = format!(
                    "the size of dimension `{}` of `{output}` is not known: it is written through an index array",
                    name.text
                );
                let help = format!(
                    "give it: `; size({}, 4)`, or give a dimension of an operand that name",
                    name.text
                );
                self.report(name.span, message, help);
            }
            sizes.push(size);
        }
        sizes
    }

    /// Whether an index is the name of a dimension of the output that is written through an index array.
    pub(super) fn is_scattered(&self, name: &str) -> bool {
        let subscripts = self.syntax.statement.subscripts.iter();
        let mut dims = subscripts.zip(&self.syntax.output.dims);
        dims.any(|(subscript, dim)| !subscript.gathers.is_empty() && dim.text == name)
    }
}
