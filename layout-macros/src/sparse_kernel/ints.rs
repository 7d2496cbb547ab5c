//! Whole numbers: coordinates, positions, sizes. All are `usize`; a negative number wraps around to a large one, as everywhere
//! in storage.

use super::emit::Emit;
use layout_core::sparse::LevelExpr;
use layout_core::sparse_kernel::ir::Int;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// A number as an expression that binds as tightly as a product; a sum is in parentheses.
    pub(crate) fn int(&self, int: &Int) -> TokenStream {
        self.int_in(int, false)
    }

    /// A number as an expression that has a type by itself, unlike a plain literal.
    pub(crate) fn typed(&self, int: &Int) -> TokenStream {
        match self.constant(int).map(usize::try_from) {
            Some(Ok(number)) => {
                let number = Literal::usize_suffixed(number);
                quote!(#number)
            }
            _ => self.int(int),
        }
    }

    /// A size. A size that overflows becomes the largest number, so that no memory can be allocated for it.
    pub(crate) fn size(&self, int: &Int) -> TokenStream {
        match int {
            Int::Add(..) | Int::Sub(..) | Int::Mul(..) | Int::Div(..) | Int::Max(..)
                if self.constant(int).is_none() =>
            {
                let wide = self.in_i128(int);
                quote!(::tensor_layout::__private::sparse::size(#wide))
            }
            _ => self.typed(int),
        }
    }

    fn in_i128(&self, int: &Int) -> TokenStream {
        let method = |a: &Int, name: &str, b: &Int| {
            let name = proc_macro2::Ident::new(name, proc_macro2::Span::mixed_site());
            let (a, b) = (self.in_i128(a), self.in_i128(b));
            quote!(#a.#name(#b))
        };
        match int {
            Int::Const(number) => {
                let magnitude = Literal::u64_unsuffixed(number.unsigned_abs());
                let sign = (*number < 0).then(|| quote!(-));
                quote!((#sign #magnitude as ::core::primitive::i128))
            }
            Int::Add(a, b) => method(a, "saturating_add", b),
            Int::Sub(a, b) => method(a, "saturating_sub", b),
            Int::Mul(a, b) => method(a, "saturating_mul", b),
            Int::Div(a, by) => method(a, "div_euclid", &Int::Const(*by)),
            Int::Max(a, b) => {
                let (a, b) = (self.in_i128(a), self.in_i128(b));
                quote!(::core::cmp::Ord::max(#a, #b))
            }
            _ => {
                let number = self.int(int);
                quote!((#number as ::core::primitive::i128))
            }
        }
    }

    /// A number as an expression that binds as tightly as a method call.
    fn receiver(&self, int: &Int) -> TokenStream {
        match int {
            Int::Mul(..) if self.is_natural(int) && self.constant(int).is_none() => {
                let product = self.int(int);
                quote!((#product))
            }
            _ => self.int_in(int, true),
        }
    }

    fn int_in(&self, int: &Int, tight: bool) -> TokenStream {
        let group = |sum: TokenStream| if tight { quote!((#sum)) } else { sum };
        if let Some(number) = self.constant(int) {
            let magnitude = literal(number.unsigned_abs());
            return match number < 0 {
                true => quote!(0usize.wrapping_sub(#magnitude)),
                false => quote!(#magnitude),
            };
        }
        match int {
            // Written above.
            Int::Const(_) => quote!(),
            Int::Var(var) => {
                let var = self.names.var(*var);
                quote!(#var)
            }
            Int::Size(index) => {
                let size = self.size_name(*index);
                quote!(#size)
            }
            Int::DimSize(operand, dim) => {
                let size = self.dim_name(*operand, *dim);
                quote!(#size)
            }
            Int::LevelSize(operand, level) => {
                let size = self.level_size_name(*operand, *level);
                quote!(#size)
            }
            Int::LevelLeast(operand, level) => {
                let least = self.least_name(*operand, *level);
                quote!(#least)
            }
            Int::Offset(operand, dim, a) => {
                let (name, a) = (self.names.operand(*operand), self.int(a));
                quote!(#name.offset::<#dim>(#a))
            }
            Int::Element(operand, a) => {
                let (values, a) = (self.names.values(*operand), self.int(a));
                let ty = &self.elements[*operand];
                quote!(::tensor_layout::__private::sparse::element::<#ty>(#values[#a]))
            }
            Int::Add(a, b) if self.is_natural(int) => {
                let (a, b) = (self.int(a), self.int(b));
                group(quote!(#a + #b))
            }
            Int::Mul(a, b) if self.is_natural(int) => {
                let (a, b) = (self.int_in(a, true), self.int_in(b, true));
                quote!(#a * #b)
            }
            Int::Add(a, b) => self.method(a, "wrapping_add", b),
            Int::Sub(a, b) => self.method(a, "wrapping_sub", b),
            Int::Mul(a, b) => self.method(a, "wrapping_mul", b),
            Int::Div(a, by) | Int::Rem(a, by) => {
                let divides = matches!(int, Int::Div(..));
                let by = literal(by.unsigned_abs());
                let natural = self.is_natural(a);
                let a = self.int_in(a, true);
                match (natural, divides) {
                    (true, true) => group(quote!(#a / #by)),
                    (true, false) => group(quote!(#a % #by)),
                    (false, true) => group(quote!((#a as isize).div_euclid(#by) as usize)),
                    (false, false) => group(quote!((#a as isize).rem_euclid(#by) as usize)),
                }
            }
            Int::Max(a, b) => {
                let natural = self.is_natural(a) && self.is_natural(b);
                let (a, b) = (self.receiver(a), self.receiver(b));
                match natural {
                    true => quote!(::core::cmp::Ord::max(#a, #b)),
                    false => quote!((::core::cmp::Ord::max(#a as isize, #b as isize) as usize)),
                }
            }
        }
    }

    fn method(&self, a: &Int, name: &str, b: &Int) -> TokenStream {
        let name = proc_macro2::Ident::new(name, proc_macro2::Span::mixed_site());
        let a = if self.constant(a).is_some() { self.typed(a) } else { self.receiver(a) };
        let b = self.int(b);
        quote!(#a.#name(#b))
    }

    /// Whether neither the number nor any intermediate result is negative.
    fn is_natural(&self, int: &Int) -> bool {
        int.is_natural(&self.signed)
    }

    /// The number, if it is computed only from constants, including sizes that the encoding contains.
    fn constant(&self, int: &Int) -> Option<i64> {
        let pair = |a: &Int, b: &Int| Some((self.constant(a)?, self.constant(b)?));
        match int {
            Int::Const(number) => Some(*number),
            Int::LevelSize(operand, level) => {
                match self.encoding(*operand)?.levels()[*level].expr {
                    LevelExpr::Part { modulus: Some(size), .. }
                    | LevelExpr::Count { slots: size, .. } => i64::try_from(size).ok(),
                    LevelExpr::Part { .. } => None,
                }
            }
            Int::Add(a, b) => pair(a, b).and_then(|(a, b)| a.checked_add(b)),
            Int::Sub(a, b) => pair(a, b).and_then(|(a, b)| a.checked_sub(b)),
            Int::Mul(a, b) => pair(a, b).and_then(|(a, b)| a.checked_mul(b)),
            Int::Max(a, b) => pair(a, b).map(|(a, b)| a.max(b)),
            Int::Div(a, by) => self.constant(a).map(|a| a.div_euclid(*by)),
            Int::Rem(a, by) => self.constant(a).map(|a| a.rem_euclid(*by)),
            Int::Var(_)
            | Int::Size(_)
            | Int::DimSize(..)
            | Int::LevelLeast(..)
            | Int::Offset(..)
            | Int::Element(..) => None,
        }
    }
}

pub(crate) fn literal(number: u64) -> Literal {
    Literal::u64_unsuffixed(number)
}
