//! A module as it was read: the text of each operation, cut at its values.

use crate::dtype::DType;
use crate::sharding::{Mesh, TensorSharding};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A value, by number.
pub(super) type Number = usize;

/// The type of a value.
#[derive(Clone, Debug)]
pub(super) struct Type<'t> {
    pub(super) text: &'t str,
    /// The size of a ranked tensor, if it is known.
    pub(super) dims: Option<Vec<usize>>,
    /// The size of a ranked tensor whose size is not completely known, with 0 for `?`.
    pub(super) unbounded: Option<Vec<usize>>,
    /// The element type, if tensors of programs can have it.
    pub(super) dtype: Option<DType>,
}

/// A value as it was read.
#[derive(Clone, Debug)]
pub(super) struct ValueType<'t> {
    /// Its name without `%`; the results of an operation share a name.
    pub(super) name: &'t str,
    pub(super) ty: Type<'t>,
}

/// A piece of the text of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// The axes along which partial sums are added up: `{"b"}`.
    Summed,
    /// An operand, by position.
    Operand(usize),
    /// An argument of the first region, by position.
    Argument(usize),
    /// A region, by position, between its braces.
    Region(usize),
    /// The attributes as written, and whether the word `attributes` precedes them.
    Attributes(&'t str, bool),
    /// The function that is called.
    Callee,
    /// The sharding of a constraint.
    Constraint,
    /// The shardings at the border of a body: those of its operands, or those of its results.
    Border {
        operands: bool,
    },
}

/// An operation as it was read; copies of an operation share it.
#[derive(Clone, Debug)]
pub(super) struct Syntax<'t> {
    /// `stablehlo.add`
    pub(super) name: &'t str,
    /// The position at which it begins.
    pub(super) at: usize,
    pub(super) pieces: Vec<Piece<'t>>,
    /// The names of its results, each with the number of results.
    pub(super) results: Vec<(&'t str, usize)>,
    /// The function that it calls, or its name if it has its own body.
    pub(super) callee: Cow<'t, str>,
    /// The shardings of its results.
    pub(super) shardings: Vec<TensorSharding>,
    /// The sharding in a constraint.
    pub(super) constraint: Option<TensorSharding>,
    pub(super) operand_border: Vec<TensorSharding>,
    pub(super) result_border: Vec<TensorSharding>,
}

/// An operation.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) syntax: usize,
    pub(super) operands: Vec<Number>,
    pub(super) results: Vec<Number>,
    pub(super) regions: Vec<Region>,
}

/// A region of one block.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    pub(super) arguments: Vec<Number>,
    /// Whether the block has a separate line, `^bb0(%a: tensor<f32>):`.
    pub(super) has_header: bool,
    pub(super) operations: Vec<Operation>,
}

impl Region {
    /// The values that it returns.
    pub(super) fn returned(&self) -> &[Number] {
        self.operations.last().map_or(&[], |last| &last.operands)
    }
}

/// An argument or a result of a function.
#[derive(Clone, Debug)]
pub(super) struct Border<'t> {
    pub(super) ty: Type<'t>,
    /// Its attributes as they are written, without braces.
    pub(super) attributes: &'t str,
    pub(super) sharding: Option<TensorSharding>,
}

#[derive(Clone, Debug)]
pub(super) struct Function<'t> {
    pub(super) name: Cow<'t, str>,
    /// The text before its name: `func.func private`.
    pub(super) head: &'t str,
    pub(super) at: usize,
    pub(super) is_private: bool,
    pub(super) arguments: Vec<Border<'t>>,
    pub(super) results: Vec<Border<'t>>,
    /// The text between its results and its body: `attributes {..}`.
    pub(super) attributes: Cow<'t, str>,
    /// `None` if it is only declared.
    pub(super) body: Option<Region>,
}

#[derive(Clone, Debug)]
pub(super) struct Module<'t> {
    /// The text before its operations.
    pub(super) head: Cow<'t, str>,
    /// Whether it has braces.
    pub(super) has_braces: bool,
    /// The aliases of attributes: `#map = affine_map<(d0) -> (d0)>`.
    pub(super) aliases: Vec<&'t str>,
    /// Lines that are neither meshes nor functions.
    pub(super) others: Vec<&'t str>,
    /// The resources to which constants refer: `{-# dialect_resources: {..} #-}`.
    pub(super) resources: Vec<&'t str>,
    /// The meshes by name, and their text.
    pub(super) meshes: Vec<(String, Mesh, Cow<'t, str>)>,
    pub(super) functions: Vec<Function<'t>>,
    pub(super) syntax: Vec<Syntax<'t>>,
    pub(super) values: Vec<ValueType<'t>>,
}

impl<'t> Module<'t> {
    pub(super) fn syntax(&self, operation: &Operation) -> &Syntax<'t> {
        &self.syntax[operation.syntax]
    }

    pub(super) fn name(&self, operation: &Operation) -> &'t str {
        self.syntax[operation.syntax].name
    }

    pub(super) fn dims(&self, value: Number) -> Option<&[usize]> {
        self.values[value].ty.dims.as_deref()
    }

    /// A new value with the properties of `value`.
    pub(super) fn copy(&mut self, value: Number) -> Number {
        let copy = self.values[value].clone();
        self.values.push(copy);
        self.values.len() - 1
    }
}
