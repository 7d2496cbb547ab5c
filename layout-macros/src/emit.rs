use crate::flatten::{Flat, TokenRange};
use layout_core::DType;
use layout_core::tiled::syntax::{ArraySyntax, DimSyntax, Size};
use layout_core::tiled::{Draft, Tile};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// Emits the type of an array. The draft has its contents, and the syntax the position at which each part of it is written.
pub(crate) struct Emit<'a> {
    pub(crate) flat: &'a Flat,
    pub(crate) array: &'a ArraySyntax<TokenRange>,
    pub(crate) draft: &'a Draft,
}

/// The const arguments of a shape, an order or a tile.
pub(crate) type Arguments = Vec<TokenStream>;

impl Emit<'_> {
    /// `Tiled<E, ShapeR<..>, OrderR<..>, (TileK<..>, ..), (..)>`, without trailing arguments that have their default value.
    pub(crate) fn tiled(&self, order: &[TokenStream], tiles: &[(Arguments, Span)]) -> TokenStream {
        let plain = self.assemble(&self.dims(), order, tiles, &self.widths());
        // Only rustc knows the value of an expression, so each expression contains a check of the whole type.
        let (mut dims, mut tiles, mut widths) = (self.dims(), tiles.to_vec(), self.widths());
        let subjects = quote!(::tensor_layout::tiled::Subject);
        let written = self.array.layout.iter().flat_map(|layout| &layout.tiles).enumerate();
        let written = written.flat_map(|(tile, syntax)| {
            let sizes = syntax.sizes.iter().enumerate();
            let subjects = &subjects;
            sizes.map(move |(at, size)| (quote!(#subjects::TileEntry(#tile, #at)), size))
        });
        let tile_sizes = tiles.iter_mut().flat_map(|(sizes, _)| sizes);
        let padded = self.array.padded.iter().filter(|padded| padded.has_widths);
        let padded = padded.flat_map(|padded| &padded.widths).enumerate();
        let padded = padded.map(|(at, size)| (quote!(#subjects::PaddedWidth(#at)), size));
        let sizes = self.array.dims.iter().enumerate();
        let sizes = sizes.map(|(at, size)| (quote!(#subjects::Dim(#at)), size));
        let sizes = sizes.zip(&mut dims).chain(written.zip(tile_sizes));
        let sizes = sizes.chain(padded.zip(&mut widths));
        let (about, expressions): (Vec<_>, Vec<_>) = sizes
            .filter(|((_, written), _)| written.size == Size::Expression)
            .map(|((subject, written), size)| (subject, (written.span, size)))
            .unzip();
        if expressions.is_empty() {
            return plain;
        }
        for (at, (written, size)) in expressions.into_iter().enumerate() {
            let span = self.flat.tree(written).span();
            *size = quote_spanned! {span=>
                { ::tensor_layout::__private::checked_size::<#plain>(#size, &[#(#about),*], #at) }
            };
        }
        self.assemble(&dims, order, &tiles, &widths)
    }

    /// The same array with other sizes.
    pub(crate) fn of_size(&self, dims: &[TokenStream]) -> TokenStream {
        let has_widths = self.array.padded.as_ref().is_some_and(|padded| padded.has_widths);
        let widths = if has_widths { self.widths() } else { dims.to_vec() };
        self.assemble(dims, &self.order(), &self.tiles(), &widths)
    }

    /// The same array with a shape that is not written as sizes.
    pub(crate) fn of_shape(&self, shape: &TokenStream) -> TokenStream {
        self.assemble_shape(shape, &self.order(), &self.tiles(), &self.widths())
    }

    /// The shape type of the sizes.
    pub(crate) fn shape(&self, dims: &[TokenStream]) -> TokenStream {
        with_arguments("Shape", dims.len(), self.flat.span(self.array.dims_span), dims)
    }

    /// The order of the dimensions; the most minor comes first.
    pub(crate) fn order(&self) -> Arguments {
        let order = self.draft.minor_to_major.as_slice().iter();
        order.map(|dim| literal(*dim, Span::call_site())).collect()
    }

    fn assemble(
        &self,
        dims: &[TokenStream],
        order: &[TokenStream],
        tiles: &[(Arguments, Span)],
        widths: &[TokenStream],
    ) -> TokenStream {
        self.assemble_shape(&self.shape(dims), order, tiles, widths)
    }

    fn assemble_shape(
        &self,
        shape: &TokenStream,
        order: &[TokenStream],
        tiles: &[(Arguments, Span)],
        widths: &[TokenStream],
    ) -> TokenStream {
        let element = element(self.draft.dtype, self.flat.span(self.array.dtype_span));
        let order = with_arguments("Order", order.len(), Span::call_site(), order);
        let tiles =
            tiles.iter().map(|(sizes, span)| with_arguments("Tile", sizes.len(), *span, sizes));
        let attributes = self.attributes(widths);
        let mut optional = quote!();
        if !attributes.is_empty() {
            optional = quote!((#(#tiles,)*), (#(#attributes,)*));
        } else if tiles.len() > 0 {
            optional = quote!((#(#tiles,)*));
        }
        quote!(::tensor_layout::Tiled::<#element, #shape, #order, #optional>)
    }

    /// The sizes of the dimensions, for use as const arguments.
    pub(crate) fn dims(&self) -> Arguments {
        self.array.dims.iter().map(|dim| self.size(dim)).collect()
    }

    /// The widths of explicit padding, for use as const arguments.
    fn widths(&self) -> Arguments {
        let widths = self.array.padded.iter().flat_map(|padded| &padded.widths);
        widths.map(|width| self.size(width)).collect()
    }

    /// The tiles as written.
    pub(crate) fn tiles(&self) -> Vec<(Arguments, Span)> {
        let layout = self.array.layout.as_ref();
        // Hovering over `T` shows what a tile is. Further tiles of the list have the spans of their own parentheses.
        let first = layout.and_then(|layout| layout.tiles_span);
        let tiles = layout.iter().flat_map(|layout| &layout.tiles).enumerate();
        let span = |at, tile| self.flat.span(if at == 0 { first.unwrap_or(tile) } else { tile });
        tiles
            .map(|(at, tile)| {
                (tile.sizes.iter().map(|size| self.size(size)).collect(), span(at, tile.span))
            })
            .collect()
    }

    fn size(&self, syntax: &DimSyntax<TokenRange>) -> TokenStream {
        let span = self.flat.span(syntax.span);
        match syntax.size {
            Size::Literal(value) => literal(value as usize, span),
            Size::Combine => literal(Tile::COMBINE, span),
            Size::Name(_) | Size::Expression => match self.flat.tree(syntax.span) {
                TokenTree::Group(group) => {
                    let expression = group.stream();
                    quote!({ #expression })
                }
                name => braced(name),
            },
            // A size that could not be read is never emitted.
            Size::Unbounded | Size::Wrong => quote!(0),
        }
    }

    /// The attributes that differ from their default values, in the order of `tensor_layout::types`.
    fn attributes(&self, widths: &[TokenStream]) -> Vec<TokenStream> {
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
            let span = self.flat.span(syntax.widths_span);
            let widths = with_arguments("Shape", widths.len(), span, widths);
            let span = self.flat.span(syntax.value_span);
            let value = Ident::new(&format!("{:?}", padded.value), span);
            attributes.push(quote! {
                ::tensor_layout::types::PaddedTo<#widths, ::tensor_layout::types::#value>
            });
        }
        attributes
    }
}

/// A name as a const argument. Without braces it would name a type, if there is a type of that name.
pub(crate) fn braced(name: TokenTree) -> TokenStream {
    Group::new(Delimiter::Brace, name.into()).into_token_stream()
}

/// The marker of an element type, with the span of its name in the input.
pub(crate) fn element(dtype: DType, span: Span) -> TokenStream {
    let name = Ident::new(&format!("{dtype:?}"), span);
    quote!(::tensor_layout::#name)
}

/// `::tensor_layout::types::NameN<..>`
pub(crate) fn with_arguments(
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
    number(value, span)
}

/// A number. If the source at `span` is anything else, the literal is marked as generated: rustdoc shows the source of all
/// other literals.
pub(crate) fn number(value: usize, span: Span) -> TokenStream {
    let mut literal = Literal::usize_unsuffixed(value);
    let written = span.source_text().and_then(|text| text.replace('_', "").parse().ok());
    let made = span.resolved_at(Span::call_site());
    literal.set_span(if written == Some(value) { span } else { made });
    literal.into_token_stream()
}
