//! Arrays that share the storage of others because an attribute says so.
//!
//! ```text
//! HloModule m, input_output_alias={ {0}: (1, {}, may-alias), {2}: (0, {3}, must-alias) }
//! %a = (f32[8], s32[]) custom-call(%x, %y), output_to_operand_aliasing={{0}: (1, {})}
//! ```
//!
//! Element 0 of the program's result is in the storage of argument 1, and element 0 of `%a` in that of `%y`.

use std::collections::HashMap;
use tensor_layout::Shape;

/// One entry of such an attribute.
pub(super) struct Alias {
    /// The path to an array in the result: numbers of elements of nested tuples.
    pub(super) result: Vec<usize>,
    /// The number of the argument or operand, and the path to an array in it.
    pub(super) operand: usize,
    pub(super) path: Vec<usize>,
}

/// The entries of an attribute, given without the braces around them.
pub(super) fn aliases(text: &str) -> impl Iterator<Item = Alias> {
    let entries = text.split(')').filter_map(|entry| entry.split_once('('));
    entries.filter_map(|(result, of)| {
        let (operand, of) = of.split_once(',')?;
        let operand = operand.trim().parse().ok()?;
        Some(Alias { result: path(result)?, operand, path: path(of)? })
    })
}

/// The numbers between the first braces of a text: `{1, 0}`.
fn path(text: &str) -> Option<Vec<usize>> {
    let (_, inner) = text.split_once('{')?;
    let (inner, _) = inner.split_once('}')?;
    let numbers = inner.split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

/// The numbers of the arrays in a shape, by their paths. A program may have thousands of entries for one shape.
#[derive(Default)]
pub(super) struct Paths(HashMap<Vec<usize>, usize>);

impl Paths {
    pub(super) fn of(shape: &Shape) -> Self {
        let mut paths = Self::default();
        paths.add(shape, &mut Vec::new());
        paths
    }

    fn add(&mut self, shape: &Shape, path: &mut Vec<usize>) {
        match shape {
            Shape::Array(_) | Shape::Buffer(_) => {
                self.0.insert(path.clone(), self.0.len());
            }
            Shape::Tuple(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    path.push(at);
                    self.add(element, path);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// The number of the array at the end of a path; `None` if there is none.
    pub(super) fn array(&self, path: &[usize]) -> Option<usize> {
        self.0.get(path).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_paths_are_read() {
        let text = " {}: (0, {}), {1, 0}: (2, {3}, may-alias) , {x}: (1, {}), {4}: (, {})";
        let read: Vec<_> =
            aliases(text).map(|alias| (alias.result, alias.operand, alias.path)).collect();
        assert_eq!(read, [(vec![], 0, vec![]), (vec![1, 0], 2, vec![3])]);
        let shape: Shape = "(f32[1], ((), f32[2], token[], s32[3]), u8[4])".parse().unwrap();
        let paths = Paths::of(&shape);
        assert_eq!((paths.array(&[1, 3]), paths.array(&[2])), (Some(2), Some(3)));
        for nothing in [&[][..], &[1], &[1, 2], &[3], &[0, 0]] {
            assert_eq!(paths.array(nothing), None, "{nothing:?}");
        }
    }
}
