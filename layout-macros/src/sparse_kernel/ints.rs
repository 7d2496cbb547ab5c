//! Whole numbers: coordinates, places, sizes. All are `usize`; one below zero is large, as everywhere in storage.

use super::emit::Emit;
use layout_core::sparse::LevelExpr;
use layout_core::sparsify::ir::{Int, OperandId, Storage};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// A number as an expression that binds as tight as a product, if it is a sum in parentheses.
    pub(crate) fn int(&self, int: &Int) -> TokenStream {
        self.int_in(int, false)
    }

    fn int_in(&self, int: &Int, tight: bool) -> TokenStream {
        let group = |sum: TokenStream| if tight { quote!((#sum)) } else { sum };
        match int {
            Int::Const(number) if *number < 0 => {
                let number = literal(number.unsigned_abs());
                quote!(0usize.wrapping_sub(#number))
            }
            Int::Const(number) => {
                let number = literal(number.unsigned_abs());
                quote!(#number)
            }
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
            Int::LevelSize(operand, level) => self.level_size(*operand, *level),
            Int::LevelLeast(operand, level) => {
                let least = self.least_name(*operand, *level);
                quote!(#least)
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
            Int::Min(a, b) => {
                let natural = self.is_natural(a) && self.is_natural(b);
                let (a, b) = (self.int_in(a, true), self.int_in(b, true));
                match natural {
                    true => quote!(::core::cmp::min(#a, #b)),
                    false => quote!((::core::cmp::min(#a as isize, #b as isize) as usize)),
                }
            }
        }
    }

    fn method(&self, a: &Int, name: &str, b: &Int) -> TokenStream {
        let name = proc_macro2::Ident::new(name, proc_macro2::Span::mixed_site());
        let constant = matches!(a, Int::Const(0..));
        let (a, b) = (self.int_in(a, true), self.int(b));
        match constant {
            // A literal alone has no type to call a method on.
            true => quote!((#a as usize).#name(#b)),
            false => quote!(#a.#name(#b)),
        }
    }

    /// Whether the number is never below zero, nor on its way.
    pub(crate) fn is_natural(&self, int: &Int) -> bool {
        match int {
            Int::Const(number) => *number >= 0,
            Int::Var(var) => !self.signed.borrow().contains(var),
            Int::Size(_) | Int::DimSize(..) | Int::LevelSize(..) => true,
            Int::LevelLeast(..) | Int::Sub(..) => false,
            Int::Add(a, b) | Int::Mul(a, b) | Int::Min(a, b) => {
                self.is_natural(a) && self.is_natural(b)
            }
            Int::Div(a, _) => self.is_natural(a),
            Int::Rem(..) => true,
        }
    }

    /// The size of a level: a number where the encoding says it.
    fn level_size(&self, operand: OperandId, level: usize) -> TokenStream {
        if let Storage::Sparse(encoding) = &self.kernel.operands[operand].storage {
            match encoding.levels()[level].expr {
                LevelExpr::Part { modulus: Some(size), .. }
                | LevelExpr::Count { slots: size, .. } => {
                    let size = literal(size as u64);
                    return quote!(#size);
                }
                LevelExpr::Part { .. } => {}
            }
        }
        let size = self.level_size_name(operand, level);
        quote!(#size)
    }
}

pub(crate) fn literal(number: u64) -> Literal {
    Literal::u64_unsuffixed(number)
}
