use crate::error::element;
use crate::flatten::Flat;
use layout_core::syntax::{ArraySyntax, DimSyntax, Size};
use layout_core::tiled::{Draft, Tile};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// Emits the type of an array. The draft says what it is, the syntax where each part of it was written.
pub(crate) struct Emit<'a> {
    pub(crate) flat: &'a Flat,
    pub(crate) array: &'a ArraySyntax<Span>,
    pub(crate) draft: &'a Draft,
}

/// The const arguments that make up a shape, an order or a tile.
pub(crate) type Arguments = Vec<TokenStream>;

impl Emit<'_> {
    /// `Tiled<E, ShapeR<..>, OrderR<..>, (TileK<..>, ..), (..)>`, what is at its default left out at the end.
    pub(crate) fn tiled(&self, order: &[TokenStream], tiles: &[(Arguments, Span)]) -> TokenStream {
        let plain = self.assemble(&self.dims(), order, tiles);
        if self.array.dims.iter().all(|dim| !matches!(dim.size, Size::Expression(_))) {
            return plain;
        }
        // The value of an expression is known to rustc: let the first one carry a check of the whole type.
        let mut dims = self.dims();
        if let Some(at) =
            self.array.dims.iter().position(|dim| matches!(dim.size, Size::Expression(_)))
        {
            let (size, span) = (&dims[at], self.array.dims[at].span);
            dims[at] = quote_spanned!(span=> { ::tensor_layout::__private::checked_size::<#plain>(#size) });
        }
        self.assemble(&dims, order, tiles)
    }

    fn assemble(
        &self,
        dims: &[TokenStream],
        order: &[TokenStream],
        tiles: &[(Arguments, Span)],
    ) -> TokenStream {
        let array = self.array;
        let element = element(self.draft.dtype, array.dtype_span);
        let rank = dims.len();
        let shape = with_arguments("Shape", rank, array.dims_span, dims);
        let order = with_arguments("Order", rank, Span::call_site(), order);
        let tiles =
            tiles.iter().map(|(sizes, span)| with_arguments("Tile", sizes.len(), *span, sizes));
        let attributes = self.attributes();
        let mut optional = quote!();
        if !attributes.is_empty() {
            optional = quote!((#(#tiles,)*), (#(#attributes,)*));
        } else if tiles.len() > 0 {
            optional = quote!((#(#tiles,)*));
        }
        quote!(::tensor_layout::Tiled<#element, #shape, #order, #optional>)
    }

    /// The sizes of the dimensions, for use as const arguments.
    pub(crate) fn dims(&self) -> Arguments {
        self.array.dims.iter().map(|dim| self.size(dim)).collect()
    }

    /// The tiles as written.
    pub(crate) fn tiles(&self) -> Vec<(Arguments, Span)> {
        let layout = self.array.layout.as_ref();
        // Hovering over `T` shows what a tile is; further tiles of the list have their own parentheses.
        let first = layout.and_then(|layout| layout.tiles_span);
        let tiles = layout.iter().flat_map(|layout| &layout.tiles).enumerate();
        let span = |at, tile: Span| if at == 0 { first.unwrap_or(tile) } else { tile };
        tiles
            .map(|(at, tile)| {
                (tile.sizes.iter().map(|size| self.size(size)).collect(), span(at, tile.span))
            })
            .collect()
    }

    fn size(&self, syntax: &DimSyntax<Span>) -> TokenStream {
        match &syntax.size {
            Size::Literal(value) => literal(*value as usize, syntax.span),
            Size::Name(name) => Ident::new(name, syntax.span).into_token_stream(),
            Size::Combine => {
                let span = syntax.span;
                quote_spanned!(span=> { ::tensor_layout::tiled::Tile::COMBINE })
            }
            Size::Expression(opened) => {
                let expression = self.flat.group(*opened);
                quote!({ #expression })
            }
            Size::Unbounded => quote!(0),
        }
    }

    /// What differs from the default, in the order of `layout_core::tiled::attributes`.
    fn attributes(&self) -> Vec<TokenStream> {
        let draft = self.draft;
        let mut attributes = Vec::new();
        let mut push = |name: &str, value: usize, default: usize| {
            if value != default {
                attributes.push(with_arguments(
                    name,
                    "",
                    Span::call_site(),
                    &[literal(value, Span::call_site())],
                ));
            }
        };
        push("ElementBits", draft.element_bits, 0);
        push("TailAlignment", draft.tail_alignment, 1);
        push("MemorySpace", draft.memory_space, 0);
        let splits = draft.splits.as_slice().iter().map(|split| {
            let numbers =
                [split.dimension].into_iter().chain(split.indices.as_slice().iter().copied());
            let numbers: Vec<_> =
                numbers.map(|number| literal(number, Span::call_site())).collect();
            with_arguments("Split", split.indices.len(), Span::call_site(), &numbers)
        });
        if splits.len() > 0 {
            attributes.push(quote!(::tensor_layout::types::Splits<(#(#splits,)*)>));
        }
        let mut push = |name: &str, value: usize| {
            if value != 0 {
                attributes.push(with_arguments(
                    name,
                    "",
                    Span::call_site(),
                    &[literal(value, Span::call_site())],
                ));
            }
        };
        push("PrefixBytes", draft.prefix_bytes);
        push("Bounded", draft.bounded.into());
        if let (Some(padded), Some(syntax)) = (draft.padded, &self.array.padded) {
            let widths: Vec<_> = syntax.widths.iter().map(|width| self.size(width)).collect();
            let widths = with_arguments("Shape", widths.len(), syntax.span, &widths);
            let value = Ident::new(&format!("{:?}", padded.value), syntax.value_span);
            attributes.push(quote! {
                ::tensor_layout::types::PaddedTo<#widths, ::tensor_layout::types::#value>
            });
        }
        attributes
    }
}

/// `::tensor_layout::types::NameN<..>`
fn with_arguments(
    name: &str,
    number: impl ToString,
    span: Span,
    arguments: &[TokenStream],
) -> TokenStream {
    let ident = Ident::new(&format!("{name}{}", number.to_string()), span);
    let path = quote!(::tensor_layout::types::#ident);
    if arguments.is_empty() { path } else { quote!(#path<#(#arguments),*>) }
}

pub(crate) fn literal(value: usize, span: Span) -> TokenStream {
    if value == Tile::COMBINE {
        return quote_spanned!(span=> { ::tensor_layout::tiled::Tile::COMBINE });
    }
    let mut literal = Literal::usize_unsuffixed(value);
    literal.set_span(span);
    literal.into_token_stream()
}
