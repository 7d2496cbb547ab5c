//! Entries of one segment of the output, which are appended together.

use super::emit::Emit;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

impl Emit<'_> {
    /// A segment of at most `most` entries, which `loops` pushes.
    fn segment_of(&self, levels: &[Int], most: TokenStream, loops: TokenStream) -> TokenStream {
        let above = levels.split_last().map_or(&[][..], |(_, above)| above);
        let above = above.iter().map(|level| self.int(level));
        let (name, room) = (self.names.operand(self.kernel.output), self.names.other("room"));
        quote! {
            #name.segment([#(#above,)* 0], #most, |#room| {
                #loops
                ::core::result::Result::Ok(())
            })?;
        }
    }

    /// Appends an entry to a segment.
    fn push(&self, levels: &[Int], value: &Value) -> TokenStream {
        let (room, last) = (self.names.other("room"), levels.last().map(|last| self.int(last)));
        let value = self.narrow(self.value(value));
        quote!(#room.push(#last, #value)?;)
    }

    pub(crate) fn drain_segment(
        &self,
        workspace: WorkspaceId,
        at: Var,
        value: Local,
        entry: &Entry,
    ) -> TokenStream {
        let (name, at) = (self.names.workspace(workspace), self.names.var(at));
        let (value, push) = (self.names.local(value), self.push(&entry.levels, &entry.value));
        let ok = quote!(::core::result::Result::Ok);
        let drain = quote!(#name.drain(|#at, #value| { #push #ok(()) })?;);
        self.segment_of(&entry.levels, quote!(#name.most()), drain)
    }

    /// The union of two segments: a loop without branches, with one iteration for each coordinate until one segment ends, then the
    /// rest of the other segment. For the coordinates 1, 3 and the coordinates 1, 2, 4, the loop runs for 1, 2 and 3, and the rest
    /// is 4.
    pub(crate) fn union(
        &self,
        var: Var,
        iters: &[LevelIter; 2],
        levels: &[Int],
        values: &[Value; 3],
    ) -> TokenStream {
        let coordinate = self.names.var(var);
        let [[a_level, a_positions, a_next, a_here], [b_level, b_positions, b_next, b_here]] =
            iters.each_ref().map(|iter| {
                let cursor = self.cursor_name(iter);
                let named = |what: &str| self.names.other(format!("{cursor}_{what}"));
                let level = self.level(iter.operand, iter.level);
                [level, named("positions"), named("next"), named("here")]
            });
        let [a_segment, b_segment] =
            iters.each_ref().map(|iter| self.segment(iter.operand, iter.level, &iter.segment));
        let [a_position, b_position] = iters.each_ref().map(|iter| self.names.var(iter.position));
        let [a_bind, b_bind] = iters.each_ref().map(|iter| {
            let own = self.names.var(iter.coordinate);
            quote!(let #own = #coordinate;)
        });
        let [_, b_alone, a_alone] = values.each_ref().map(|value| self.push(levels, value));
        let [value, b_value, a_value] = values.each_ref().map(|value| self.value(value));
        let (room, last) = (self.names.other("room"), levels.last().map(|last| self.int(last)));
        let (values, usize) = (self.names.other("values"), quote!(::core::primitive::usize));
        let loops = quote! {
            let (mut #a_next, mut #b_next) = (#a_positions.start, #b_positions.start);
            while #a_next < #a_positions.end && #b_next < #b_positions.end {
                let (#a_position, #b_position) = (#a_next, #b_next);
                let (#a_here, #b_here) = (#a_level.coordinate(#a_position), #b_level.coordinate(#b_position));
                let #coordinate = ::core::cmp::Ord::min(#a_here, #b_here);
                let (#a_here, #b_here) = (#a_here == #coordinate, #b_here == #coordinate);
                #a_bind #b_bind
                let #values = [#value, #b_value, #a_value];
                #room.push(#last, #values[#usize::from(!#a_here) + 2 * #usize::from(!#b_here)])?;
                #a_next += #usize::from(#a_here);
                #b_next += #usize::from(#b_here);
            }
            for (#a_position, #coordinate) in #a_level.entries(#a_next..#a_positions.end) { #a_bind #a_alone }
            for (#b_position, #coordinate) in #b_level.entries(#b_next..#b_positions.end) { #b_bind #b_alone }
        };
        let most = quote!(#a_positions.len() + #b_positions.len());
        let segment = self.segment_of(levels, most, loops);
        quote! {
            let (#a_positions, #b_positions) = (#a_segment, #b_segment);
            #segment
        }
    }
}
