//! Dense innermost loops in registers: what they add up is kept in arrays of a fixed length while the loops around them run,
//! and written once.
//!
//! A loop over an index is cut into strips of 32, 8 and 1 coordinates, for each of which the loops around run; the parts of
//! blocks are kept whole. The order of additions is the same on every CPU.

use super::emit::{Emit, each_block};
use super::gather::mentions;
use super::ints::literal;
use super::leaf::{Leaf, Linear, bound, linear, loads};
use layout_core::sparse_kernel::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// What is kept in registers while the statements of a block are emitted.
#[derive(Clone)]
pub(crate) struct Strip {
    /// The first leaf; the others write to the same places.
    leaf: Leaf,
    /// Which of its loops stand for lanes.
    lane: Lane,
    /// The array that it adds to: rows of lanes.
    sums: Ident,
    /// Rows of lanes that were loaded in front of a loop in which they stay the same.
    held: Vec<(OperandId, Int, Ident)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Lane {
    /// The loop over an index.
    Index,
    /// A loop over a part of blocks: its variable, and its size.
    Block(Var, i64),
}

impl Emit<'_> {
    /// A block whose dense innermost loops all add to the same places, which do not change while it runs.
    pub(crate) fn strip(&self, block: &Block) -> Option<TokenStream> {
        let (strip, base) = self.find_strip(block)?;
        self.registers.replace(Some(strip.clone()));
        let loops: TokenStream = block.iter().map(|stmt| self.stmt(stmt)).collect();
        self.registers.replace(None);
        Some(self.strips(&strip, &base, loops))
    }

    /// Where a strip writes: the first place, how many rows, and their width if that is one of an index.
    pub(crate) fn written(&self, block: &Block) -> Option<(Int, i64, Option<Int>)> {
        let (strip, base) = self.find_strip(block)?;
        Some((base, strip.rows(), strip.leaf.lanes.clone().map(|(_, to)| to)))
    }

    fn find_strip(&self, block: &Block) -> Option<(Strip, Int)> {
        let custom = matches!(self.kernel.reduction, Reduction::Custom { .. });
        let dense =
            matches!(self.kernel.operands[self.kernel.output].storage, Storage::Dense { .. });
        if custom || !dense || self.registers.borrow().is_some() {
            return None;
        }
        let mut leaves = Vec::new();
        let all = block.iter().all(|stmt| {
            Leaf::of(stmt, self.exact.get()).is_none() && self.leaves(stmt, &mut leaves)
        });
        let (first, others) = leaves.split_first()?;
        let target = first.target()?;
        let mut inside = Vec::new();
        bound(block, &mut inside);
        let same = others.iter().all(|leaf| {
            leaf.at == first.at && leaf.blocks == first.blocks && leaf.lanes == first.lanes
        });
        let moves = |int: &Int| inside.iter().any(|var| mentions(int, *var));
        if !(all && same)
            || moves(&target.rest)
            || block.iter().any(|stmt| is_checked(stmt, &moves))
        {
            return None;
        }
        let lane = match &first.lanes {
            Some((var, to)) => {
                let unit = target.coefficients.get(var) == Some(&1);
                let known = !inside.iter().any(|var| mentions(to, *var));
                (unit && known).then_some(Lane::Index)?
            }
            None => self.block_lane(first).filter(|lane| {
                // Lanes are next to each other, or are summed.
                !matches!(lane, Lane::Block(var, _) if target.strides.contains_key(var))
            })?,
        };
        let sums = self.names.other("sums");
        let strip = Strip { leaf: first.clone(), lane, sums, held: Vec::new() };
        (strip.rows() <= 64).then_some((strip, target.rest))
    }

    /// Collects the leaves of a statement; false if it does something else with the output.
    fn leaves(&self, stmt: &Stmt, found: &mut Vec<Leaf>) -> bool {
        if let Some(leaf) = Leaf::of(stmt, self.exact.get()) {
            let mut reads = false;
            loads(&leaf.value, &mut |operand, _| reads |= operand == self.kernel.output);
            found.push(leaf);
            return !reads;
        }
        let only_loops = matches!(
            stmt,
            Stmt::Let { .. } | Stmt::Range { .. } | Stmt::Walk { .. } | Stmt::Find { .. }
        ) || matches!(stmt, Stmt::Inside { .. } | Stmt::Merge { .. });
        let mut all = only_loops;
        if let Stmt::Range { hint, .. } = stmt {
            all &= !hint.parallel && hint.unroll.is_none();
        }
        each_block(stmt, &mut |block| all &= block.iter().all(|inner| self.leaves(inner, found)));
        all
    }

    /// The part of blocks along which values lie side by side.
    fn block_lane(&self, leaf: &Leaf) -> Option<Lane> {
        let vars = leaf.vars();
        let mut lane = None;
        loads(&leaf.value, &mut |operand, at| {
            if self.encoding(operand).is_some()
                && let Some(place) = linear(at, &vars)
            {
                lane = leaf.blocks.iter().find(|(var, _)| place.coefficients.get(var) == Some(&1));
            }
        });
        lane.map(|(var, size)| Lane::Block(*var, *size))
    }

    /// The sums, made before the loops and written behind them; for lanes of an index once for each width.
    fn strips(&self, strip: &Strip, base: &Int, loops: TokenStream) -> TokenStream {
        let (identity, sums) = (self.identity(), &strip.sums);
        let rows = literal(strip.rows() as u64);
        let lanes = self.names.other("LANES");
        let values = self.names.values(self.kernel.output);
        let place = self.output_place(base);
        let row_place = self.row_place(strip);
        let nest = |inner: TokenStream| self.nest(&strip.row_vars(), inner);
        let row = self.row(strip);
        if let Lane::Block(var, lanes) = strip.lane {
            let size = literal(lanes as u64);
            let name = self.names.var(var);
            let own = strip.leaf.target().and_then(|target| target.coefficients.get(&var).copied());
            let write = match own {
                // Each lane is an element of the output.
                Some(coefficient) => {
                    let coefficient = literal(coefficient as u64);
                    let at = quote!(#values[#place + #row_place + #name * #coefficient]);
                    let reduce = self.write(&at, quote!(#sums[#row][#name]));
                    self.nest(&[strip.row_vars(), vec![(var, lanes)]].concat(), reduce)
                }
                None => {
                    let reducer = self.reducer();
                    let sum = quote!(#sums[#row].into_iter().fold(#identity, #reducer));
                    nest(self.write(&quote!(#values[#place + #row_place]), sum))
                }
            };
            return quote! {{
                let mut #sums = [[#identity; #size]; #rows];
                #loops
                #write
            }};
        }
        let Some((_, to)) = &strip.leaf.lanes else { return loops };
        let (to, lane, first) = (self.int(to), self.names.other("lane"), self.names.other("lane0"));
        let private = quote!(::tensor_layout::__private::sparse);
        let add = self.write(&quote!(out[#lane]), quote!(#sums[#row][#lane]));
        let write = nest(quote! {
            let out = #private::lanes_mut::<_, #lanes>(#values, #place + #row_place + #first);
            for #lane in 0..#lanes { #add }
        });
        let one = quote! {
            let mut #sums = [[#identity; #lanes]; #rows];
            #loops
            #write
            #first += #lanes;
        };
        let widest = (32 / strip.rows()).max(8);
        let widths = [widest, 8, 1].map(|width| literal(width as u64));
        let widths = if widest == 8 { &widths[1..] } else { &widths[..] };
        quote! {{
            let mut #first = 0usize;
            #(while #first + #widths <= #to {
                const #lanes: ::core::primitive::usize = #widths;
                #one
            })*
        }}
    }

    /// Loops over parts of blocks.
    fn nest(&self, vars: &[(Var, i64)], inner: TokenStream) -> TokenStream {
        vars.iter().rev().fold(inner, |inner, (var, size)| {
            let (name, size) = (self.names.var(*var), self.typed(&Int::Const(*size)));
            quote!(for #name in 0..#size { #inner })
        })
    }

    /// Where a row is written, from the place of the first.
    fn row_place(&self, strip: &Strip) -> TokenStream {
        let target = strip.leaf.target();
        let mut place = quote!(0);
        for (var, _) in strip.row_vars() {
            let stride = target.as_ref().and_then(|target| target.strides.get(&var));
            let coefficient = target.as_ref().and_then(|target| target.coefficients.get(&var));
            let distance = match stride {
                Some(stride) => self.int(stride),
                None => {
                    let coefficient = coefficient.map_or(0, |number| number.unsigned_abs());
                    quote::ToTokens::to_token_stream(&literal(coefficient))
                }
            };
            let name = self.names.var(var);
            place = quote!(#place + #name * (#distance));
        }
        place
    }

    /// The number of a row of sums.
    fn row(&self, strip: &Strip) -> TokenStream {
        let mut row = quote!(0);
        for (var, size) in strip.row_vars() {
            let (name, size) = (self.names.var(var), literal(size as u64));
            row = quote!((#row * #size + #name));
        }
        row
    }

    /// Dense loops within a strip: they add to the sums. `None` where there is no strip.
    pub(crate) fn lanes(&self, stmt: &Stmt) -> Option<TokenStream> {
        let strip = self.registers.borrow().clone()?;
        let leaf = Leaf::of(stmt, self.exact.get())?;
        Some(self.add_lanes(&strip, &leaf))
    }

    /// `sums[row][lane] += value` for all rows and lanes.
    fn add_lanes(&self, strip: &Strip, leaf: &Leaf) -> TokenStream {
        let vars = leaf.vars();
        let (lane_var, lane_count) = match strip.lane {
            Lane::Index => {
                let lanes = self.names.other("LANES");
                (leaf.lanes.as_ref().map(|(var, _)| *var), quote!(#lanes))
            }
            Lane::Block(var, size) => {
                let size = literal(size as u64);
                (Some(var), quote!(#size))
            }
        };
        let (lane, first) = (self.names.other("lane"), self.names.other("lane0"));
        // What is loaded: an array that begins where all loops stand at 0.
        let held = strip.held.iter();
        let held = held.map(|(operand, at, array)| {
            (*operand, at.clone(), array.clone(), quote!(#array[#lane]))
        });
        let mut arrays: Vec<(OperandId, Int, Ident, TokenStream)> = held.collect();
        let mut binds = TokenStream::new();
        let (mut row_binds, mut row_starts) = (TokenStream::new(), Vec::new());
        loads(&leaf.value, &mut |operand, at| {
            if arrays.iter().any(|(known, place, ..)| *known == operand && place == at)
                || self.kernel.operands[operand].storage == Storage::Scalar
            {
                return;
            }
            let array = self.names.other(format!(
                "{}_lanes{}",
                self.kernel.operands[operand].name,
                arrays.len()
            ));
            let (values, private) =
                (self.names.values(operand), quote!(::tensor_layout::__private::sparse));
            let Some(place) = linear(at, &vars) else {
                // Lanes that begin somewhere else for each part of a block.
                let row = leaf.lanes.as_ref().and_then(|(var, _)| linear(at, &[*var]));
                if let Some(row) = row.filter(|row| row.coefficients.values().eq([&1])) {
                    let start = self.int(&row.rest);
                    row_starts.push(row.rest);
                    row_binds.extend(quote! {
                        let #array = #private::lanes::<_, #lane_count>(#values, #start + #first);
                    });
                    arrays.push((operand, at.clone(), array.clone(), quote!(#array[#lane])));
                }
                return;
            };
            let index_lane = leaf.lanes.as_ref().and_then(|(var, _)| place.coefficients.get(var));
            let reach: i64 = (leaf.blocks.iter())
                .map(|(var, size)| place.coefficients.get(var).unwrap_or(&0) * (size - 1))
                .sum();
            let start = self.int(&place.rest);
            let mut index = quote!(0);
            for (var, coefficient) in &place.coefficients {
                if leaf.blocks.iter().any(|(block, _)| block == var) {
                    let coefficient = literal(coefficient.unsigned_abs());
                    let name = match lane_var == Some(*var) {
                        true => lane.clone(),
                        false => self.names.var(*var),
                    };
                    index = quote!(#index + #name * #coefficient);
                }
            }
            match (index_lane, reach) {
                (None, 0) => {
                    binds.extend(quote!(let #array = #values[#start];));
                    arrays.push((operand, at.clone(), array.clone(), quote!(#array)));
                }
                (None, reach) if (1..256).contains(&reach) => {
                    let size = literal(reach as u64 + 1);
                    let lanes = match self.encoding(operand) {
                        Some(_) => quote!(stored_lanes),
                        None => quote!(lanes),
                    };
                    binds.extend(
                        quote!(let #array = #private::#lanes::<_, #size>(#values, #start);),
                    );
                    arrays.push((operand, at.clone(), array.clone(), quote!(#array[#index])));
                }
                (Some(1), 0) => {
                    binds.extend(quote! {
                        let #array = #private::lanes::<_, #lane_count>(#values, #start + #first);
                    });
                    arrays.push((operand, at.clone(), array.clone(), quote!(#array[#lane])));
                }
                _ => {}
            }
        });
        let value = self.value_in(&leaf.value, 2, &|value| match value {
            Value::Load { operand, at } => {
                let known =
                    arrays.iter().find(|(known, place, ..)| known == operand && place == at);
                known.map(|(.., element)| self.widen(element.clone()))
            }
            _ => None,
        });
        let (sums, row) = (&strip.sums, self.row(strip));
        let target = quote!(#sums[#row][#lane]);
        let add = self.reduce_into(&target, value);
        let named = lane_var.map(|var| {
            let name = self.names.var(var);
            match strip.lane {
                Lane::Index => quote!(let #name = #first + #lane;),
                Lane::Block(..) => quote!(let #name = #lane;),
            }
        });
        let mut outer: Vec<_> =
            leaf.blocks.iter().filter(|(var, _)| lane_var != Some(*var)).copied().collect();
        // Lanes that are loaded are used for all rows.
        outer.sort_by_key(|(var, _)| !row_starts.iter().any(|start| mentions(start, *var)));
        let row = quote!(#row_binds for #lane in 0..#lane_count { #named #add });
        let nest = self.nest(&outer, row);
        quote!(#binds #nest)
    }

    /// In a loop over the entries of a level around a leaf of a strip: asks for the rows of dense operands that entries
    /// further on read.
    pub(crate) fn ask_ahead(&self, iter: &LevelIter, body: &Block) -> TokenStream {
        let mut asks = TokenStream::new();
        let lanes = matches!(&*self.registers.borrow(), Some(strip) if strip.lane == Lane::Index);
        let leaf = body.last().and_then(|stmt| Leaf::of(stmt, self.exact.get()));
        let (true, Some(leaf)) = (lanes, leaf) else { return asks };
        let mut inside = Vec::new();
        bound(body, &mut inside);
        inside.push(iter.place);
        inside.retain(|var| leaf.blocks.iter().all(|(block, _)| block != var));
        loads(&leaf.value, &mut |operand, at| {
            let dense = matches!(self.kernel.operands[operand].storage, Storage::Dense { .. });
            let lane = leaf.lanes.as_ref().map(|(var, _)| *var);
            let Some(row) = lane.and_then(|lane| linear(at, &[lane])) else { return };
            let known = mentions(&row.rest, iter.coordinate)
                && !inside.iter().any(|var| mentions(&row.rest, *var));
            let natural = self.is_natural(&row.rest);
            if !(dense && known && natural && row.coefficients.values().eq([&1])) {
                return;
            }
            let (level, values) =
                (self.level(iter.operand, iter.level), self.names.values(operand));
            let (place, coordinate) = (self.names.var(iter.place), self.names.var(iter.coordinate));
            // One row for each part of a block.
            let mut parts = leaf.blocks.clone();
            parts.retain(|(var, _)| mentions(&row.rest, *var));
            let (first, row) = (self.names.other("lane0"), self.int(&row.rest));
            let lanes = self.names.other("LANES");
            let ask = quote! {
                ::tensor_layout::__private::sparse::ask_ahead::<_, _, _, #lanes>(
                    #level, #place, #values, |#coordinate| #row + #first,
                );
            };
            asks.extend(self.nest(&parts, ask));
        });
        asks
    }

    /// A loop around a leaf of a strip: rows of lanes that stay the same in it are loaded in front of it. Values are multiplied
    /// in the order in which they are written all the same: a factor taken out of a sum would change what is rounded, and
    /// make infinity times zero of a sum of nothing.
    pub(crate) fn holding(
        &self,
        iter: &LevelIter,
        body: &Block,
        emit: &dyn Fn() -> TokenStream,
    ) -> TokenStream {
        let Some(strip) = self.registers.borrow().clone() else { return emit() };
        let leaf = body.last().and_then(|stmt| Leaf::of(stmt, self.exact.get()));
        let lane = leaf.as_ref().and_then(|leaf| leaf.lanes.as_ref()).map(|(var, _)| *var);
        let (Lane::Index, Some(leaf), Some(lane)) = (strip.lane, leaf, lane) else { return emit() };
        let mut inside = leaf.blocks.iter().map(|(var, _)| *var).collect();
        bound(body, &mut inside);
        inside.extend([iter.place, iter.coordinate]);
        inside.extend(iter.end);
        inside.retain(|var| *var != lane);
        let mut held = strip.held.clone();
        let mut binds = TokenStream::new();
        loads(&leaf.value, &mut |operand, at| {
            let stays = !inside.iter().any(|var| mentions(at, *var));
            let known = held.iter().any(|(known, place, _)| *known == operand && place == at);
            let Some(row) = linear(at, &[lane]).filter(|_| stays && !known) else { return };
            if !row.coefficients.values().eq([&1]) {
                return;
            }
            let name = &self.kernel.operands[operand].name;
            let array = self.names.other(format!("{name}_held{}", held.len()));
            let (values, start) = (self.names.values(operand), self.int(&row.rest));
            let (first, lanes) = (self.names.other("lane0"), self.names.other("LANES"));
            binds.extend(quote! {
                let #array = ::tensor_layout::__private::sparse::lanes::<_, #lanes>(#values, #start + #first);
            });
            held.push((operand, at.clone(), array));
        });
        self.registers.replace(Some(Strip { held, ..strip.clone() }));
        let loops = emit();
        self.registers.replace(Some(strip));
        quote!(#binds #loops)
    }
}

/// Whether something in a statement is only done if a number is inside that is the same all the time: where it is not, there
/// need be no place for the sums.
fn is_checked(stmt: &Stmt, moves: &dyn Fn(&Int) -> bool) -> bool {
    let mut checked = match stmt {
        Stmt::Inside { value, otherwise, .. } => otherwise.is_empty() && !moves(value),
        _ => false,
    };
    each_block(stmt, &mut |block| checked |= block.iter().any(|stmt| is_checked(stmt, moves)));
    checked
}

impl Strip {
    /// The loops over parts of blocks that are places of the output, without the one that stands for lanes.
    fn row_vars(&self) -> Vec<(Var, i64)> {
        let target = self.leaf.target();
        let written = |var: &Var| {
            let of = |target: &Linear| {
                target.coefficients.contains_key(var) || target.strides.contains_key(var)
            };
            target.as_ref().is_some_and(of)
        };
        let lane = |var: Var| matches!(self.lane, Lane::Block(lane, _) if lane == var);
        self.leaf.blocks.iter().filter(|(var, _)| written(var) && !lane(*var)).copied().collect()
    }

    /// How many rows of sums there are.
    fn rows(&self) -> i64 {
        self.row_vars().iter().map(|(_, size)| size).product()
    }
}
