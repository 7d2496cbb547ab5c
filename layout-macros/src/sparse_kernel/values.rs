//! Expressions that have the element type.

use super::emit::Emit;
use layout_core::sparse_kernel::ir::{BinaryOp, Int, Origin, Reduction, Storage, UnaryOp, Value};
use layout_core::sparse_kernel::{ElementType, Literal as Number};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// Replaces some loads: in the closure of a sum, and in lanes.
pub(crate) type Instead<'a> = dyn Fn(&Value) -> Option<TokenStream> + 'a;

impl Emit<'_> {
    pub(crate) fn value(&self, value: &Value) -> TokenStream {
        self.value_in(value, 0, &|_| None)
    }

    /// A value, in parentheses if the operator around it binds tighter: 1 for a sum, 2 for a product, 3 for a sign.
    pub(crate) fn value_in(&self, value: &Value, around: u8, instead: &Instead<'_>) -> TokenStream {
        if let Some(tokens) = instead(value) {
            return tokens;
        }
        let wide = self.wide();
        match value {
            Value::Literal(text) => self.widen(self.number(text)),
            Value::Zero if self.is_float => quote!(0.0),
            Value::Zero => quote!(<#wide as ::tensor_layout::sparse::SparseElement>::ZERO),
            Value::Identity => self.identity(),
            Value::Load { operand, at } => self.load(*operand, at),
            Value::LoadSum { operand, from, to } => {
                let values = self.names.values(*operand);
                let (from, to) = (self.names.var(*from), self.names.var(*to));
                let zero = self.value(&Value::Zero);
                let plus = self.plus(quote!(a), quote!(b));
                let mixed = self.kernel.is_mixed(*operand);
                let wide = match self.is_float && !mixed {
                    true => quote!(copied()),
                    false => {
                        let b = self.widen_from(*operand, quote!(*b));
                        quote!(map(|b| #b))
                    }
                };
                // Duplicates count as one element. Their sum starts from the first one, so that a zero of either sign is preserved.
                let sum = quote! {
                    #values[#from..#to].iter().#wide.reduce(|a, b| #plus).unwrap_or(#zero)
                };
                if mixed { sum } else { self.widen(self.narrow(sum)) }
            }
            Value::Local(local) => {
                let local = self.names.local(*local);
                quote!(#local)
            }
            Value::Workspace { workspace, at } => {
                let (name, at) = (self.names.workspace(*workspace), self.int(at));
                match self.kernel.workspaces[*workspace].tracked {
                    true => quote!(#name.get(#at)),
                    false => quote!(#name[#at]),
                }
            }
            Value::Vector { vector, at } => self.vector_value(*vector, at),
            Value::Sum { row, lane } => {
                let (sums, row, lane) = (self.sums(), self.int(row), self.int(lane));
                quote!(#sums[#row][#lane])
            }
            Value::SumOfLanes { row } => {
                let (sums, row) = (self.sums(), self.int(row));
                let (identity, reducer) = (self.identity(), self.reducer());
                quote!(#sums[#row].into_iter().fold(#identity, #reducer))
            }
            Value::Index(int) => {
                let int = self.int(int);
                quote!(<#wide as ::tensor_layout::__private::sparse::Number>::from_index((#int) as i64))
            }
            Value::Unary(op, a) => self.unary(*op, a, around, instead),
            Value::Binary(op, a, b) => self.binary(*op, a, b, around, instead),
            Value::Select(condition, a, b) => {
                let zero = self.value(&Value::Zero);
                let [condition, a, b] =
                    [condition, a, b].map(|part| self.value_in(part, 3, instead));
                quote!((if #condition != #zero { #a } else { #b }))
            }
            Value::Call(function, arguments) => {
                let function = self.function(*function);
                let arguments = arguments.iter().map(|a| self.narrow(self.value_in(a, 0, instead)));
                self.widen(match arguments.len() {
                    0 => function,
                    _ => quote!(#function(#(#arguments),*)),
                })
            }
        }
    }

    /// The type in which the kernel computes.
    pub(crate) fn wide(&self) -> TokenStream {
        wide(&self.element, self.is_float)
    }

    /// An element, widened to that type.
    pub(crate) fn widen(&self, element: TokenStream) -> TokenStream {
        let ty = &self.element;
        match self.is_float {
            true => element,
            false => quote!(<#ty as ::tensor_layout::sparse::SparseElement>::widen(#element)),
        }
    }

    /// An element of an operand, widened to that type.
    pub(crate) fn widen_from(&self, operand: usize, element: TokenStream) -> TokenStream {
        if !self.kernel.is_mixed(operand) {
            return self.widen(element);
        }
        let (from, wide) = (&self.elements[operand], self.wide());
        let spec = &self.kernel.operands[operand];
        // A converted operand has been converted to that type.
        if spec.casts && !matches!(spec.origin, Origin::Converted(_)) {
            return quote!(<#from as ::tensor_layout::sparse::Cast<#wide>>::cast(#element));
        }
        quote!(<#from as ::tensor_layout::__private::sparse::WidenTo<#wide>>::widen_to(#element))
    }

    /// A value of that type, converted to an element.
    pub(crate) fn narrow(&self, value: TokenStream) -> TokenStream {
        let ty = &self.element;
        match self.is_float {
            true => value,
            false => quote!(<#ty as ::tensor_layout::sparse::SparseElement>::narrow(#value)),
        }
    }

    /// A number as written, of the element type.
    pub(crate) fn number(&self, text: &str) -> TokenStream {
        let number = Number::parse(text).unwrap_or(Number::Integer(0));
        let element = &self.element;
        let of = quote!(<#element as ::tensor_layout::__private::sparse::Number>);
        let (value, fits) = match number {
            _ if self.is_float => {
                return Literal::f64_unsuffixed(number.to_f64()).into_token_stream();
            }
            Number::Integer(whole) => {
                let literal = Literal::i64_unsuffixed(whole);
                let fits = quote!(#of::WHOLE.0 <= #literal && #literal <= #of::WHOLE.1);
                (quote!(#of::from_index(#literal)), fits)
            }
            Number::Real(real) => {
                let literal = Literal::f64_unsuffixed(real);
                let size = Literal::f64_unsuffixed(real.abs());
                let fits = quote!(#of::FRACTIONS && #size > #of::LOST.0 && #size < #of::LOST.1);
                (quote!(#of::from_f64(#literal)), fits)
            }
        };
        if ElementType::parse(&element.to_string().replace(' ', "")).is_some() {
            return value;
        }
        // Only rustc knows what type another name denotes.
        let message = format!("`{text}` is not a number of type `{element}`");
        quote!({ const _: () = ::core::assert!(#fits, #message); #value })
    }

    fn load(&self, operand: usize, at: &Int) -> TokenStream {
        match self.kernel.operands[operand].storage {
            Storage::Scalar => {
                let scalar = self.names.operand(operand);
                self.widen_from(operand, quote!(#scalar))
            }
            _ if operand == self.kernel.output => self.output_at(at),
            _ => {
                let (values, at) = (self.names.values(operand), self.position(operand, at));
                self.widen_from(operand, quote!(#values[#at]))
            }
        }
    }

    fn unary(&self, op: UnaryOp, a: &Value, around: u8, instead: &Instead<'_>) -> TokenStream {
        let wide = self.wide();
        if op == UnaryOp::Neg && self.is_float {
            let a = self.value_in(a, 3, instead);
            return if around > 2 { quote!((-#a)) } else { quote!(-#a) };
        }
        let a = self.value_in(a, 0, instead);
        let (of, name) = match op {
            UnaryOp::Neg => ("Number", "negated"),
            UnaryOp::Abs | UnaryOp::Signum => ("Ordered", op.name()),
            _ => ("Real", op.name()),
        };
        let [of, name] = [of, name].map(|name| Ident::new(name, Span::mixed_site()));
        quote!(<#wide as ::tensor_layout::__private::sparse::#of>::#name(#a))
    }

    fn binary(
        &self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
        around: u8,
        instead: &Instead<'_>,
    ) -> TokenStream {
        let operator = match op {
            BinaryOp::Add => quote!(+),
            BinaryOp::Sub => quote!(-),
            BinaryOp::Mul => quote!(*),
            BinaryOp::Div => quote!(/),
            BinaryOp::Less => quote!(<),
            BinaryOp::LessEqual => quote!(<=),
            BinaryOp::Greater => quote!(>),
            BinaryOp::GreaterEqual => quote!(>=),
            BinaryOp::Equal => quote!(==),
            BinaryOp::NotEqual => quote!(!=),
            BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow => quote!(),
        };
        let wide = self.wide();
        if op.is_comparison() {
            let (a, b) = (self.value_in(a, 3, instead), self.value_in(b, 3, instead));
            return quote!(::tensor_layout::__private::sparse::truth::<#wide>(#a #operator #b));
        }
        let of = match op {
            BinaryOp::Add => "plus",
            BinaryOp::Sub => "minus",
            BinaryOp::Mul => "times",
            BinaryOp::Div => "over",
            other => other.name(),
        };
        if operator.is_empty() || !self.is_float {
            let (a, b) = (self.value_in(a, 0, instead), self.value_in(b, 0, instead));
            let method = Ident::new(of, Span::mixed_site());
            let of = match op {
                BinaryOp::Add => quote!(::tensor_layout::sparse::SparseElement),
                BinaryOp::Min | BinaryOp::Max => {
                    quote!(::tensor_layout::__private::sparse::Ordered)
                }
                BinaryOp::Pow => quote!(::tensor_layout::__private::sparse::Real),
                _ => quote!(::tensor_layout::__private::sparse::Number),
            };
            return quote!(<#wide as #of>::#method(#a, #b));
        }
        let (binds, right) = match op {
            BinaryOp::Mul => (2, 2),
            BinaryOp::Div => (2, 3),
            BinaryOp::Sub => (1, 2),
            _ => (1, 1),
        };
        // A product on the right of a product keeps its parentheses: floats are not reassociated.
        let right = right.max(if is_same_level(op, b) { binds + 1 } else { right });
        let (a, b) = (self.value_in(a, binds, instead), self.value_in(b, right, instead));
        let tokens = quote!(#a #operator #b);
        if binds < around { quote!((#tokens)) } else { tokens }
    }

    /// The sum of two values.
    fn plus(&self, a: TokenStream, b: TokenStream) -> TokenStream {
        match self.is_float {
            true => quote!(#a + #b),
            false => {
                let wide = self.wide();
                quote!(<#wide as ::tensor_layout::sparse::SparseElement>::plus(#a, #b))
            }
        }
    }

    /// The reduction of two values.
    pub(crate) fn reduced(&self, a: TokenStream, b: TokenStream) -> TokenStream {
        let (element, wide) = (&self.element, self.wide());
        let private = quote!(::tensor_layout::__private::sparse);
        match self.kernel.reduction {
            Reduction::Sum => self.plus(a, b),
            Reduction::Product if self.is_float => quote!(#a * (#b)),
            Reduction::Product => quote!(<#wide as #private::Number>::times(#a, #b)),
            Reduction::Min => quote!(<#element as #private::Ordered>::least_of(#a, #b)),
            Reduction::Max => quote!(<#element as #private::Ordered>::largest_of(#a, #b)),
            Reduction::Custom { function, .. } => {
                let function = self.function(function);
                let (a, b) = (self.narrow(a), self.narrow(b));
                self.widen(quote!(#function(#a, #b)))
            }
        }
    }

    /// `target = target reduced with value;`
    pub(crate) fn reduce_into(&self, target: &TokenStream, value: TokenStream) -> TokenStream {
        match self.kernel.reduction {
            Reduction::Sum if self.is_float => quote!(#target += #value;),
            Reduction::Product if self.is_float => quote!(#target *= #value;),
            _ => {
                let reduced = self.reduced(target.clone(), value);
                quote!(#target = #reduced;)
            }
        }
    }

    /// Writes to the output.
    pub(crate) fn write(
        &self,
        target: &TokenStream,
        reduce: bool,
        value: TokenStream,
    ) -> TokenStream {
        match reduce {
            true => self.reduce_into(target, value),
            false => quote!(#target = #value;),
        }
    }

    /// The identity of a reduction, from which it starts.
    pub(crate) fn identity(&self) -> TokenStream {
        match self.kernel.reduction {
            Reduction::Sum => self.value(&Value::Zero),
            _ => self.widen(self.identity_element()),
        }
    }

    /// The identity of a reduction as an element.
    pub(crate) fn identity_element(&self) -> TokenStream {
        let element = &self.element;
        let private = quote!(::tensor_layout::__private::sparse);
        match self.kernel.reduction {
            Reduction::Sum if self.is_float => quote!(0.0),
            Reduction::Sum => quote!(<#element as ::tensor_layout::sparse::SparseElement>::ZERO),
            Reduction::Product => quote!(<#element as #private::Number>::ONE),
            Reduction::Min => quote!(<#element as #private::Ordered>::LARGEST),
            Reduction::Max => quote!(<#element as #private::Ordered>::LEAST),
            Reduction::Custom { identity, .. } => self.function(identity),
        }
    }
}

/// The type in which elements are computed.
pub(crate) fn wide(element: &TokenStream, is_float: bool) -> TokenStream {
    match is_float {
        true => element.clone(),
        false => quote!(<#element as ::tensor_layout::sparse::SparseElement>::Wide),
    }
}

fn is_same_level(op: BinaryOp, b: &Value) -> bool {
    let Value::Binary(inner, ..) = b else { return false };
    let product = |op: BinaryOp| matches!(op, BinaryOp::Mul | BinaryOp::Div);
    product(op) == product(*inner)
}
