//! Entries of one segment of the output, which are appended together.

use super::emit::Emit;
use super::gather::mentions;
use super::leaf::{bound, loads};
use super::stmts::is_as_stored;
use layout_core::sparse::LevelFormat;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

/// What a block appends: one entry.
pub(crate) struct Entry<'b> {
    levels: &'b [Int],
    value: &'b Value,
}

impl Emit<'_> {
    /// The entry that a block appends, and nothing else.
    fn entry<'b>(&self, block: &'b Block) -> Option<Entry<'b>> {
        match &block[..] {
            [Stmt::Append { levels, value, .. }] => Some(Entry { levels, value }),
            _ => None,
        }
    }

    /// Whether a loop appends entries of one segment: all have the same coordinates on the levels above the last one.
    pub(crate) fn is_segment(&self, stmt: &Stmt) -> bool {
        let Some(encoding) = self.encoding(self.kernel.output) else { return false };
        if self.kernel.result != OutputMode::Append || !encoding.appends_segments() {
            return false;
        }
        let mut inside = match stmt {
            Stmt::Drain { at, .. } => vec![*at],
            Stmt::Merge { var, .. } => vec![*var],
            _ => return false,
        };
        let mut all = true;
        super::emit::each_block(stmt, &mut |block| {
            bound(block, &mut inside);
            let same = |entry: Entry<'_>| {
                let above = entry.levels.split_last().map_or(&[][..], |(_, above)| above);
                !above.iter().any(|level| inside.iter().any(|var| mentions(level, *var)))
            };
            all &= self.entry(block).is_some_and(same);
        });
        all
    }

    /// The loops of a segment of at most `most` entries, which push them.
    pub(crate) fn segment_of(
        &self,
        stmt: &Stmt,
        most: TokenStream,
        loops: TokenStream,
    ) -> TokenStream {
        let mut above = Vec::new();
        super::emit::each_block(stmt, &mut |block| {
            if let Some(Entry { levels: [levels @ .., _], .. }) = self.entry(block) {
                above = levels.iter().map(|level| self.int(level)).collect();
            }
        });
        let (name, room) = (self.names.operand(self.kernel.output), self.names.other("room"));
        quote! {
            #name.segment([#(#above,)* 0], #most, |#room| {
                #loops
                ::core::result::Result::Ok(())
            })?;
        }
    }

    /// Appends the entry of a block to a segment.
    pub(crate) fn push(&self, block: &Block) -> TokenStream {
        let Some(Entry { levels: [.., last], value }) = self.entry(block) else { return quote!() };
        let (room, last) = (self.names.other("room"), self.int(last));
        let value = self.narrow(self.value(value));
        quote!(#room.push(#last, #value)?;)
    }

    /// Two segments side by side whose coordinates all become entries. Which one is next cannot be foretold, so the values
    /// of both and the one that they become together are made at each step, and one of them is taken.
    pub(crate) fn union(&self, stmt: &Stmt) -> Option<TokenStream> {
        let Stmt::Merge { var, iters, range: None, cases, .. } = stmt else { return None };
        let [a, b] = &iters[..] else { return None };
        let of = |present: [bool; 2]| {
            let case = cases.iter().find(|case| case.present == present)?;
            self.entry(&case.body).map(|entry| (entry, &case.body))
        };
        let (first, second, both) = (of([true, false])?, of([false, true])?, of([true, true])?);
        let plain = |iter: &LevelIter| {
            let encoding = self.encoding(iter.operand)?;
            let level = encoding.levels()[iter.level];
            let stored = level.format == LevelFormat::Compressed && !level.properties.nonordered;
            (stored && !encoding.is_signed() && is_as_stored(iter) && iter.end.is_none())
                .then_some(())
        };
        plain(a)?;
        plain(b)?;
        let cheap = [&first, &second, &both].iter().all(|(entry, _)| {
            let mut here = true;
            loads(entry.value, &mut |_, at| {
                here &= [a, b].iter().any(|iter| *at == Int::Var(iter.place));
            });
            here && is_cheap(entry.value)
        });
        let last = first.0.levels.last();
        let same = [&second, &both].iter().all(|(entry, _)| entry.levels.last() == last);
        if !(self.is_float && cheap && same && self.is_segment(stmt)) {
            return None;
        }
        let coordinate = self.names.var(*var);
        let [[a_level, a_places, a_next, a_here], [b_level, b_places, b_next, b_here]] = [a, b]
            .map(|iter| {
                let walk = self.walk_name(iter);
                let named = |what: &str| self.names.other(format!("{walk}_{what}"));
                let level = self.level(iter.operand, iter.level);
                [level, named("places"), named("next"), named("here")]
            });
        let [a_segment, b_segment] =
            [a, b].map(|iter| self.segment(iter.operand, iter.level, &iter.segment));
        let [a_place, b_place] = [a, b].map(|iter| self.names.var(iter.place));
        let [a_bind, b_bind] = [a, b].map(|iter| {
            let own = self.names.var(iter.coordinate);
            quote!(let #own = #coordinate;)
        });
        let [a_value, b_value, value] =
            [&first, &second, &both].map(|(entry, _)| self.value(entry.value));
        let (a_alone, b_alone) = (self.push(first.1), self.push(second.1));
        let (room, last) = (self.names.other("room"), self.int(last?));
        let (values, usize) = (self.names.other("values"), quote!(::core::primitive::usize));
        let loops = quote! {
            let (mut #a_next, mut #b_next) = (#a_places.start, #b_places.start);
            while #a_next < #a_places.end && #b_next < #b_places.end {
                let (#a_place, #b_place) = (#a_next, #b_next);
                let (#a_here, #b_here) = (#a_level.coordinate(#a_place), #b_level.coordinate(#b_place));
                let #coordinate = ::core::cmp::Ord::min(#a_here, #b_here);
                let (#a_here, #b_here) = (#a_here == #coordinate, #b_here == #coordinate);
                #a_bind #b_bind
                let #values = [#value, #b_value, #a_value];
                #room.push(#last, #values[#usize::from(!#a_here) + 2 * #usize::from(!#b_here)])?;
                #a_next += #usize::from(#a_here);
                #b_next += #usize::from(#b_here);
            }
            for (#a_place, #coordinate) in #a_level.entries(#a_next..#a_places.end) { #a_bind #a_alone }
            for (#b_place, #coordinate) in #b_level.entries(#b_next..#b_places.end) { #b_bind #b_alone }
        };
        let most = quote!(#a_places.len() + #b_places.len());
        let segment = self.segment_of(stmt, most, loops);
        Some(quote! {
            let (#a_places, #b_places) = (#a_segment, #b_segment);
            #segment
        })
    }
}

/// Whether a value may be made where nobody asks for it.
fn is_cheap(value: &Value) -> bool {
    match value {
        Value::Load { .. } | Value::Literal(_) | Value::Zero | Value::Identity => true,
        Value::Unary(op, a) => *op == UnaryOp::Neg && is_cheap(a),
        Value::Binary(op, a, b) => {
            let quick = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            let quick = quick || matches!(op, BinaryOp::Min | BinaryOp::Max);
            quick && is_cheap(a) && is_cheap(b)
        }
        _ => false,
    }
}
