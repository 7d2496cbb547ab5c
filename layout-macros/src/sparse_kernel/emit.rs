//! The loops of a kernel as the body of a function, after the bindings that they use.

use super::names::Names;
use super::written::Written;
use layout_core::sparse::SparseEncoding;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The values that the loops use and that must be bound before them. Filled while the loops are emitted.
#[derive(Default)]
pub(crate) struct Uses {
    pub(crate) levels: BTreeSet<(OperandId, usize)>,
    level_sizes: BTreeSet<(OperandId, usize)>,
    leasts: BTreeSet<(OperandId, usize)>,
    /// Vectors that are gathered along the last level of an operand, with the name of their bundle.
    pub(crate) gathers: BTreeMap<(OperandId, Vec<OperandId>), Ident>,
    /// Functions that are written in the statement.
    pub(crate) functions: BTreeSet<usize>,
    /// Levels of which the coordinates of a segment are marked.
    marks: BTreeSet<(OperandId, usize)>,
}

pub(crate) struct Emit<'k> {
    pub(crate) kernel: &'k Kernel,
    pub(crate) names: Names<'k>,
    /// The element type of the output.
    pub(crate) element: TokenStream,
    /// Whether it is `f32` or `f64`, whose operators can be emitted as they are.
    pub(crate) is_float: bool,
    /// The numbers that may be negative.
    pub(crate) signed: BTreeSet<Var>,
    pub(crate) uses: RefCell<Uses>,
    /// The type of the encoding of each sparse operand.
    pub(crate) encodings: Vec<TokenStream>,
    /// The element type of each operand.
    pub(crate) elements: Vec<TokenStream>,
    /// The functions that are written in the statement.
    pub(crate) functions: Vec<Written>,
    /// The operands that kernels in the same outermost loop compute. Only the values of the current row or part exist.
    pub(crate) made: BTreeSet<OperandId>,
}

impl Emit<'_> {
    pub(crate) fn size_name(&self, index: IndexId) -> Ident {
        let known = &self.kernel.indices[index];
        match known.is_element() {
            true => self.names.other(format!("size_{index}")),
            false => self.names.other(format!("size_{}", known.name)),
        }
    }

    pub(crate) fn dim_name(&self, operand: OperandId, dim: usize) -> Ident {
        self.names.other(format!("{}_size{dim}", self.kernel.operands[operand].name))
    }

    pub(crate) fn level_size_name(&self, operand: OperandId, level: usize) -> Ident {
        self.uses.borrow_mut().level_sizes.insert((operand, level));
        self.names.other(format!("{}_level{level}_size", self.kernel.operands[operand].name))
    }

    pub(crate) fn least_name(&self, operand: OperandId, level: usize) -> Ident {
        self.uses.borrow_mut().leasts.insert((operand, level));
        self.names.other(format!("{}_level{level}_least", self.kernel.operands[operand].name))
    }

    pub(crate) fn level(&self, operand: OperandId, level: usize) -> Ident {
        self.uses.borrow_mut().levels.insert((operand, level));
        self.names.level(operand, level)
    }

    /// The marks of the coordinates of a level.
    pub(crate) fn marks(&self, operand: OperandId, level: usize) -> Ident {
        self.uses.borrow_mut().marks.insert((operand, level));
        self.names.other(format!("{}_level{level}_marks", self.kernel.operands[operand].name))
    }

    pub(crate) fn encoding(&self, operand: OperandId) -> Option<&SparseEncoding> {
        match &self.kernel.operands[operand].storage {
            Storage::Sparse(encoding) => Some(encoding),
            _ => None,
        }
    }

    /// The operands that are read.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = OperandId> + '_ {
        (0..self.kernel.operands.len()).filter(|operand| *operand != self.kernel.output)
    }

    /// The element of the output at a position.
    pub(crate) fn output_at(&self, at: &Int) -> TokenStream {
        if self.kernel.operands[self.kernel.output].storage == Storage::Scalar {
            let name = self.names.operand(self.kernel.output);
            return quote!(#name);
        }
        let (values, at) = (self.names.values(self.kernel.output), self.output_position(at));
        quote!(#values[#at])
    }

    /// A position in the output, relative to the first position of the part or of the row.
    pub(crate) fn output_position(&self, at: &Int) -> TokenStream {
        let at = self.int(at);
        let held = &self.kernel.operands[self.kernel.output].held;
        match self.kernel.parts.is_some() || *held != Held::All {
            true => {
                let first = self.names.other("first");
                quote!(#at - #first)
            }
            false => at,
        }
    }

    /// A position in an operand that is read, relative to the first position of the row.
    pub(crate) fn position(&self, operand: OperandId, at: &Int) -> TokenStream {
        let at = self.int(at);
        match self.made.contains(&operand) {
            true => {
                let first = self.first_of(operand);
                quote!(#at - #first)
            }
            false => at,
        }
    }

    /// The first position of the row of an operand that a kernel in the same outermost loop computes.
    pub(crate) fn first_of(&self, operand: OperandId) -> Ident {
        self.names.other(format!("{}_first", self.kernel.operands[operand].name))
    }

    /// The whole body: bindings, workspaces, loops, result.
    pub(crate) fn body(&self) -> TokenStream {
        let loops = self.block(&self.kernel.body);
        let workspaces = self.kernel.workspaces.iter().enumerate().map(|(at, workspace)| {
            let (name, size) = (self.names.workspace(at), self.size(&workspace.size));
            let identity = self.identity();
            match workspace.tracked {
                true => {
                    quote!(let mut #name = ::tensor_layout::__private::sparse::Workspace::new(#size, #identity)?;)
                }
                false => {
                    quote!(let mut #name = ::tensor_layout::__private::sparse::filled(#size, #identity)?;)
                }
            }
        });
        let workspaces: TokenStream = workspaces.collect();
        let (start, finish) = self.result();
        let (bindings, functions) = (self.bindings(), self.functions());
        quote! {
            #functions
            #start
            #bindings
            #workspaces
            #loops
            #finish
        }
    }

    /// The bindings that the loops use.
    pub(crate) fn bindings(&self) -> TokenStream {
        let values = self
            .inputs()
            .filter(|operand| self.encoding(*operand).is_some() && !self.made.contains(operand));
        let values: TokenStream = values
            .map(|operand| {
                let (name, values) = (self.names.operand(operand), self.names.values(operand));
                quote!(let #values = #name.values();)
            })
            .collect();
        let uses = self.uses.borrow();
        let levels = uses.levels.iter().map(|(operand, level)| {
            let handle = self.names.level(*operand, *level);
            let name = self.names.operand(*operand);
            quote!(let #handle = #name.level::<#level>();)
        });
        let extents = uses.level_sizes.union(&uses.leasts).map(|&(operand, level)| {
            let name = &self.kernel.operands[operand].name;
            let size = self.names.other(format!("{name}_level{level}_size"));
            let least = self.names.other(format!("{name}_level{level}_least"));
            let (encoding, shape) = (&self.encodings[operand], self.shape(operand));
            quote! {
                let (#least, #size) = ::tensor_layout::__private::sparse::extent::<#encoding>(#shape, #level);
            }
        });
        let gathers = self.gathers(false);
        let marks = uses.marks.iter().map(|(operand, level)| {
            let name = &self.kernel.operands[*operand].name;
            let marks = self.names.other(format!("{name}_level{level}_marks"));
            let level = self.names.level(*operand, *level);
            quote!(let mut #marks = ::tensor_layout::__private::sparse::Marks::new(#level)?;)
        });
        quote!(#values #(#levels)* #(#marks)* #(#extents)* #gathers)
    }

    /// The bindings for sums over the entries of operands: of those that are computed in the same outermost loop, or of the
    /// others.
    pub(crate) fn gathers(&self, made: bool) -> TokenStream {
        let uses = self.uses.borrow();
        let gathers = uses.gathers.iter();
        let gathers = gathers.filter(|((operand, _), _)| self.made.contains(operand) == made);
        let gathers = gathers.map(|((operand, vectors), gather)| {
            let name = self.names.operand(*operand);
            let last = self.encoding(*operand).map_or(0, |encoding| encoding.levels().len() - 1);
            let vector = vectors.first().map_or(&self.element, |vector| &self.elements[*vector]);
            let vectors = vectors.iter().map(|vector| self.names.values(*vector));
            let private = quote!(::tensor_layout::__private::sparse);
            let (ty, arguments) = match made {
                true => {
                    let (values, first) = (self.names.values(*operand), self.first_of(*operand));
                    (quote!(RowGather), quote!(#name, (#first, #values), [#(#vectors),*]))
                }
                false => (quote!(Gather), quote!(#name, [#(#vectors),*])),
            };
            quote!(let #gather = #private::#ty::<_, _, #vector, #last, _>::new(#arguments);)
        });
        gathers.collect()
    }

    /// The shape of a sparse operand.
    pub(crate) fn shape(&self, operand: OperandId) -> TokenStream {
        let rank = self.kernel.operands[operand].storage.rank();
        if operand == self.kernel.output {
            let sizes = self.kernel.output_shape.iter().map(|size| self.size(size));
            return quote!([#(#sizes),*]);
        }
        let sizes = (0..rank).map(|dim| self.dim_name(operand, dim));
        quote!([#(#sizes),*])
    }

    /// Whether the output can reuse the memory of another tensor.
    pub(crate) fn reuses(&self) -> bool {
        self.kernel.result == OutputMode::Append && self.kernel.parts.is_none()
    }

    /// The statements before the loops that create the result, and the expression after them that returns it.
    fn result(&self) -> (TokenStream, TokenStream) {
        let output = self.kernel.output;
        let name = self.names.operand(output);
        let (identity, encoding, element) =
            (self.identity(), &self.encodings[output], &self.element);
        let wide = self.wide();
        let private = quote!(::tensor_layout::__private::sparse);
        let ok = quote!(::core::result::Result::Ok);
        let levels = self.encoding(output).map_or(0, |encoding| encoding.levels().len());
        match (&self.kernel.operands[output].storage, self.kernel.result) {
            (Storage::Scalar, _) => {
                // The sums of parts are added up before they are rounded.
                let number = match self.kernel.parts {
                    Some(_) => quote!(#name),
                    None => self.narrow(quote!(#name)),
                };
                (quote!(let mut #name: #wide = #identity;), quote!(#ok(#number)))
            }
            (Storage::Dense { .. } | Storage::Tiled { .. }, _) => (quote!(), quote!(#ok(()))),
            (Storage::Sparse(_), OutputMode::Append) => {
                let sparse = self.inputs().filter(|operand| self.encoding(*operand).is_some());
                let sparse = sparse.map(|operand| self.names.operand(operand));
                let (shape, entries) =
                    (self.shape(output), quote!(0 #(+ #sparse.number_of_entries())*));
                let appender = quote!(#private::Appender::<#encoding, #element, #levels>);
                let Some(height) = self.kernel.parts else {
                    let old = self.names.other("old");
                    let start = quote! {
                        let mut #name = match #old {
                            ::core::option::Option::Some(#old) => #appender::reusing(#shape, #old)?,
                            ::core::option::Option::None => #appender::new(#shape)?,
                        };
                        #name.reserve(#entries);
                    };
                    return (start, quote!(#ok(#name.finish()?)));
                };
                let (rows, count) = (self.names.other("rows"), self.iterations());
                let height = super::ints::literal(height as u64);
                let old = self.names.other("old");
                let start = quote! {
                    let mut #name = #appender::part_reusing(
                        #shape, #rows.start * #height..#rows.end * #height, #old,
                    )?;
                    #name.reserve(#private::share(#entries, #rows.len(), #count));
                };
                (start, quote!(#ok(#name)))
            }
            (Storage::Sparse(_), OutputMode::Collect { unique }) => {
                let shape = self.shape(output);
                let reduce = self.reducer();
                let start = quote! {
                    let mut #name = ::tensor_layout::__private::sparse::Vec::new();
                };
                if self.kernel.parts.is_some() {
                    return (start, quote!(#ok(#name)));
                }
                (
                    start,
                    quote!(#private::collected::<#encoding, #element>(#shape, #name, #unique, #reduce)),
                )
            }
            // The loops write to values that they are given.
            (Storage::Sparse(_), OutputMode::Positions | OutputMode::Pattern(_)) => {
                (quote!(), quote!(#ok(())))
            }
        }
    }

    /// The reduction as a closure.
    pub(crate) fn reducer(&self) -> TokenStream {
        let reduced = self.reduced(quote!(s), quote!(t));
        quote!(|s, t| #reduced)
    }
}
