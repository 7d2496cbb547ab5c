//! Dense innermost loops in registers.

use super::emit::Emit;
use layout_core::sparsify::ir::*;
use proc_macro2::TokenStream;

impl Emit<'_> {
    pub(crate) fn strip(&self, _: &Block) -> Option<TokenStream> {
        None
    }
}
