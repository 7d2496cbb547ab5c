//! Products from panels.

use super::emit::Emit;
use super::ints::literal;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

/// The number of bytes of the sums of all rows that are computed together: 16 registers of 64 bytes.
const SUM_BYTES: usize = 1024;
/// The number of bytes of all these sums on CPUs with narrower registers: eight registers of 32 bytes.
const NARROW_BYTES: usize = 256;

impl Emit<'_> {
    /// The product from panels, and the loops for sizes for which panels are not faster.
    pub(crate) fn panels(&self, product: &PanelProduct, body: &Body) -> TokenStream {
        let body = self.block(body);
        // The number of rows that are computed together: the rows of a block use the same rows of a panel.
        let (function, [group, few], level, sizes) = match product.factor {
            PanelFactor::Blocks { rows, columns } => {
                let group = if rows.is_multiple_of(8) { 8 } else { 4 };
                (quote!(blocks_by_panels), [group, 4], 1, [rows, columns])
            }
            PanelFactor::Structured { stored, of } => {
                (quote!(structured_by_panels), [4, 2], 2, [stored, of])
            }
        };
        let bytes = self.kernel.sum_bytes.max(1) as usize;
        let [lanes, narrow] = [SUM_BYTES / group, NARROW_BYTES / few].map(|size| size / bytes);
        let [group, lanes, narrow, first, second] =
            [group, lanes, narrow, sizes[0], sizes[1]].map(|size| literal(size as u64));
        let level = self.level(product.sparse, level);
        let (a, b) = (self.names.values(product.sparse), self.names.values(product.dense));
        let (rows, columns) = (self.dim_name(product.sparse, 0), self.dim_name(product.dense, 1));
        // The iterations of the outermost loop: over rows of blocks, or over rows.
        let rows = match (self.kernel.parts, &product.factor) {
            (Some(_), _) => {
                let rows = self.names.other("rows");
                quote!(#rows.clone())
            }
            (None, PanelFactor::Blocks { .. }) => quote!(0..#rows / #first),
            (None, PanelFactor::Structured { .. }) => quote!(0..#rows),
        };
        let c = self.names.values(self.kernel.output);
        quote! {
            if !::tensor_layout::__private::sparse::#function::<_, _, _, _, #first, #second, #group, #lanes, #narrow>(
                #level, (#rows, #a), (#columns, #b), #c,
            )? {
                #body
            }
        }
    }
}
