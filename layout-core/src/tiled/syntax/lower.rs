use super::array::{ArraySyntax, DimSyntax, Size};
use super::layout::LayoutSyntax;
use crate::dtype::{DType, PaddingValue};
use crate::parts::{MAX_RANK, MAX_TILE_RANK, MAX_TILES};
use crate::syntax::{Diagnostic, Diagnostics, Number, Span};
use crate::text::Text;
use crate::tiled::MAX_SPLITS;
use crate::tiled::{Draft, List, MAX_SPLIT_INDICES, Padded, Problem, Split, Subject, Tile};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// Turns an array as written into a draft, and checks it. Every mistake is reported at its position.
///
/// Sizes that only rustc can compute are 1 in the draft, and checks that depend on them are left to const evaluation. `None` if the
/// array cannot be represented as a draft: the rank is too large, or a name was misspelled.
pub fn lower<S: Span>(array: &ArraySyntax<S>, diagnostics: &mut Diagnostics<S>) -> Option<Draft> {
    let before = diagnostics.len();
    let draft = Lowering { array, diagnostics }.draft();
    if diagnostics.len() > before { None } else { draft }
}

struct Lowering<'a, S> {
    array: &'a ArraySyntax<S>,
    diagnostics: &'a mut Diagnostics<S>,
}

impl<S: Span> Lowering<'_, S> {
    fn draft(mut self) -> Option<Draft> {
        let array = self.array;
        // Without the type, everything except what depends on its width can be checked.
        let dtype = array.dtype.unwrap_or(DType::U8);
        let dims = self.sizes(&array.dims, array.dims_span, "dimensions", |dim, size| {
            Problem::DimSize { dim, size }
        })?;
        let mut draft = Draft::row_major(dtype, dims);
        for (dim, syntax) in array.dims.iter().enumerate() {
            draft.bounded |= u16::from(syntax.bounded) << dim;
            draft.unbounded |= u16::from(syntax.size == Size::Unbounded) << dim;
        }
        if let Some(layout) = &array.layout {
            self.layout(&mut draft, layout)?;
        }
        if let Some(padded) = &array.padded {
            let rank = array.dims.len();
            let size = |dim: usize| array.dims.get(dim).and_then(literal).unwrap_or(0);
            let problem = |dim, width| match dim < rank {
                true => Problem::PaddedWidth { dim, width, size: size(dim) },
                false => Problem::PaddedLength { rank, len: padded.widths.len() },
            };
            let widths = match padded.has_widths {
                true => self.sizes(&padded.widths, padded.widths_span, "padded widths", problem)?,
                false => draft.dims,
            };
            draft.padded =
                Some(Padded { widths, value: padded.value.unwrap_or(PaddingValue::Zero) });
        }
        // An order is checked by itself if the number of dimensions is unknown.
        let order = draft.minor_to_major.as_slice();
        if self.is_rank_unknown()
            && let Some(dims) = List::of(&alloc::vec![1; order.len()])
        {
            draft.dims = dims;
        }
        for problem in draft.problems().as_slice() {
            if !self.waits(problem) {
                self.problem(self.as_written(*problem));
            }
        }
        let misspelled = array.padded.as_ref().is_some_and(|padded| padded.value.is_none());
        array.dtype.filter(|_| !misspelled).map(|_| draft)
    }

    /// The sizes, with 1 for unknown sizes and 0 for unbounded ones.
    fn sizes(
        &mut self,
        sizes: &[DimSyntax<S>],
        span: S,
        what: &str,
        problem: impl Fn(usize, i128) -> Problem,
    ) -> Option<List<usize, MAX_RANK>> {
        let mut values = Vec::with_capacity(sizes.len().min(MAX_RANK));
        for (at, syntax) in sizes.iter().take(MAX_RANK).enumerate() {
            values.push(match syntax.size {
                Size::Unbounded => 0,
                Size::Literal(size) => match isize::try_from(size) {
                    Ok(size @ 0..) => size.unsigned_abs(),
                    _ => {
                        self.problem(problem(at, size));
                        0
                    }
                },
                _ => 1,
            });
        }
        self.capacity(
            List::of(&values).filter(|_| sizes.len() <= MAX_RANK),
            sizes.len(),
            MAX_RANK,
            span,
            what,
        )
    }

    fn layout(&mut self, draft: &mut Draft, layout: &LayoutSyntax<S>) -> Option<()> {
        let mut order = List::new(0);
        for number in &layout.order {
            // A negative number is not a dimension either.
            let Ok(longer) = order.push(usize::try_from(number.value).unwrap_or(usize::MAX)) else {
                let (len, proposed) = (layout.order.len(), draft.minor_to_major);
                self.problem(Problem::OrderLength { len, proposed });
                return None;
            };
            order = longer;
        }
        // If an entry could not be read, the order is not checked.
        if layout.has_order {
            draft.minor_to_major = order;
        }
        let mut tiles = List::new(Tile::new(0));
        for (at, tile) in layout.tiles.iter().enumerate() {
            let mut sizes = Tile::new(0);
            for (entry, syntax) in tile.sizes.iter().enumerate() {
                let size = match syntax.size {
                    Size::Combine => Tile::COMBINE,
                    Size::Literal(size) => match isize::try_from(size) {
                        Ok(size @ 1..) => size.unsigned_abs(),
                        _ => {
                            self.problem(Problem::TileSize { tile: at, at: entry, size });
                            1
                        }
                    },
                    _ => 1,
                };
                sizes = self.capacity(
                    sizes.push(size).ok(),
                    tile.sizes.len(),
                    MAX_TILE_RANK,
                    tile.span,
                    "sizes in a tile",
                )?;
            }
            tiles = self.capacity(
                tiles.push(sizes).ok(),
                layout.tiles.len(),
                MAX_TILES,
                tile.span,
                "tiles in a layout",
            )?;
        }
        draft.tiles = tiles;
        let dtype = draft.dtype;
        let problem = |bits| Problem::ElementBitsWidth { bits, dtype };
        draft.element_bits = self.attribute(layout.element_bits, 0, problem);
        draft.tail_alignment =
            self.attribute(layout.tail_alignment, 1, |n| Problem::TailAlignment { n });
        draft.memory_space = self.attribute(layout.memory_space, 0, |n| Problem::MemorySpace { n });
        draft.prefix_bytes = self.attribute(layout.prefix_bytes, 0, |n| Problem::PrefixBytes { n });
        self.splits(draft, layout)
    }

    fn splits(&mut self, draft: &mut Draft, layout: &LayoutSyntax<S>) -> Option<()> {
        let rank = draft.dims.len();
        for (at, split) in layout.splits.iter().enumerate() {
            let Ok(dimension) = usize::try_from(split.dimension.value) else {
                self.problem(Problem::SplitOutOfRange {
                    split: at,
                    dimension: split.dimension.value,
                    rank,
                });
                continue;
            };
            let mut indices = List::new(0);
            let (count, span) = (split.indices.len(), split.dimension.span);
            for (i, number) in split.indices.iter().enumerate() {
                match usize::try_from(number.value) {
                    Ok(index) => {
                        let pushed = indices.push(index).ok();
                        indices = self.capacity(
                            pushed,
                            count,
                            MAX_SPLIT_INDICES,
                            span,
                            "indices in a split",
                        )?;
                    }
                    Err(_) => self.problem(Problem::SplitOrder {
                        split: at,
                        at: i,
                        index: number.value,
                        previous: 0,
                    }),
                }
            }
            let pushed = draft.splits.push(Split { dimension, indices }).ok();
            draft.splits =
                self.capacity(pushed, layout.splits.len(), MAX_SPLITS, span, "split dimensions")?;
        }
        Some(())
    }

    /// The value of an attribute, or its default if the value is absent or not possible.
    fn attribute(
        &mut self,
        number: Option<Number<S>>,
        default: usize,
        problem: impl Fn(i128) -> Problem,
    ) -> usize {
        let Some(number) = number else { return default };
        match isize::try_from(number.value) {
            Ok(value @ 0..) => value.unsigned_abs(),
            _ => {
                self.problem(problem(number.value));
                default
            }
        }
    }

    fn capacity<T>(
        &mut self,
        list: Option<T>,
        len: usize,
        most: usize,
        span: S,
        what: &str,
    ) -> Option<T> {
        if list.is_none() {
            let message = format!("{len} {what} are more than the {most} that are supported");
            self.report(span, &message, &format!("write at most {most}"));
        }
        list
    }

    /// Whether a problem depends on a size that only rustc can compute.
    fn waits(&self, problem: &Problem) -> bool {
        let known = |sizes: &[DimSyntax<S>], dim: usize| {
            sizes.get(dim).is_some_and(|size| literal(size).is_some())
        };
        match *problem {
            Problem::PaddedWidth { dim, .. } => {
                let widths =
                    self.array.padded.as_ref().is_some_and(|padded| known(&padded.widths, dim));
                !widths || !known(&self.array.dims, dim)
            }
            Problem::OrderLength { .. }
            | Problem::OrderOutOfRange { .. }
            | Problem::SplitOutOfRange { .. }
            | Problem::PaddedLength { .. } => self.is_rank_unknown(),
            Problem::SplitIndex { .. } => self.array.dims.iter().any(|dim| literal(dim).is_none()),
            // Without the type, its width is unknown.
            Problem::ElementBitsNarrow { .. } => self.array.dtype.is_none(),
            Problem::PaddedValue { .. } => {
                let value = self.array.padded.as_ref().and_then(|padded| padded.value);
                self.array.dtype.is_none() || value.is_none()
            }
            _ => false,
        }
    }

    /// Whether a size could not be read, so that it may represent several sizes.
    fn is_rank_unknown(&self) -> bool {
        let widths = self.array.padded.iter().flat_map(|padded| &padded.widths);
        self.array.dims.iter().chain(widths).any(|size| size.size == Size::Wrong)
    }

    /// The problem with the number that was written, which may not fit a draft.
    fn as_written(&self, mut problem: Problem) -> Problem {
        if let Problem::OrderOutOfRange { at, dim, .. } = &mut problem {
            let written = self.array.layout.as_ref().and_then(|layout| layout.order.get(*at));
            *dim = written.map_or(*dim, |number| number.value);
        }
        problem
    }

    fn problem(&mut self, problem: Problem) {
        let help = match problem {
            // The help would name the placeholder of the unknown type.
            Problem::ElementBitsWidth { .. } if self.array.dtype.is_none() => {
                Text::new().str("the widths are ").choice(&DType::STORED_WIDTHS).str(" bits")
            }
            _ => problem.help(),
        };
        self.report(self.span(problem.subject()), problem.message().as_str(), help.as_str());
    }

    fn report(&mut self, span: S, message: &str, help: &str) {
        self.diagnostics.push(Diagnostic {
            span,
            message: message.to_string(),
            help: help.to_string(),
        });
    }

    fn span(&self, subject: Subject) -> S {
        let array = self.array;
        let layout = array.layout.as_ref();
        let padded = array.padded.as_ref();
        let tile = |tile: usize| layout.and_then(|layout| layout.tiles.get(tile));
        let split = |split: usize| layout.and_then(|layout| layout.splits.get(split));
        let number = |number: Option<Number<S>>| number.map(|number| number.span);
        let span = match subject {
            Subject::Dims => None,
            Subject::Dim(dim) => array.dims.get(dim).map(|dim| dim.span),
            Subject::Order => layout.map(|layout| layout.order_span),
            Subject::OrderEntry(at) => {
                layout.and_then(|layout| number(layout.order.get(at).copied()))
            }
            Subject::Tile(at) => tile(at).map(|tile| tile.span),
            Subject::TileEntry(at, entry) => {
                tile(at).and_then(|tile| tile.sizes.get(entry)).map(|size| size.span)
            }
            Subject::TailAlignment => layout.and_then(|layout| number(layout.tail_alignment)),
            Subject::ElementBits => layout.and_then(|layout| number(layout.element_bits)),
            Subject::MemorySpace => layout.and_then(|layout| number(layout.memory_space)),
            Subject::PrefixBytes => layout.and_then(|layout| number(layout.prefix_bytes)),
            Subject::SplitDimension(at) => split(at).map(|split| split.dimension.span),
            Subject::SplitIndex(at, i) => {
                split(at).and_then(|split| number(split.indices.get(i).copied()))
            }
            Subject::Padded => padded.map(|padded| padded.widths_span),
            Subject::PaddedWidth(dim) => {
                padded.and_then(|padded| padded.widths.get(dim)).map(|width| width.span)
            }
            Subject::PaddedValue => padded.map(|padded| padded.value_span),
        };
        span.unwrap_or(array.dims_span)
    }
}

fn literal<S>(dim: &DimSyntax<S>) -> Option<usize> {
    match dim.size {
        Size::Literal(size) => usize::try_from(size).ok(),
        Size::Unbounded => Some(0),
        _ => None,
    }
}
