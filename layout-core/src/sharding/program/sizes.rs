//! The sizes of operations that were read from MLIR, which must be those that StableHLO infers from operands and attributes. The
//! sizes in the library's own programs are inferred where they are read.

use super::Instruction;
use crate::sharding::local::elements;
use crate::sharding::ops::{self, Attributes};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The sizes of the tensors of an operation.
struct Sizes<'a> {
    attributes: &'a Attributes,
    operands: Vec<&'a [usize]>,
    results: Vec<&'a [usize]>,
}

/// What is known, or the reason why tensors and attributes contradict each other.
type Found<T> = Result<T, String>;

impl Instruction<'_> {
    /// The reason why the sizes of its tensors, its attributes, and the types of their elements contradict each other.
    pub(in crate::sharding) fn refused_types(&self) -> Option<String> {
        let name = self.name();
        let name = name.strip_prefix("chlo.").unwrap_or(name);
        if !self.is_imported() || !ops::row(name).is_some_and(|row| row.has_kernel(true)) {
            return None;
        }
        let dims = |at: &usize| &self.values()[*at].dims[..];
        let sizes = Sizes {
            attributes: self.attributes(),
            operands: self.operands().iter().map(dims).collect(),
            results: self.results().iter().map(dims).collect(),
        };
        sizes.check(name).err().or_else(|| self.refused_elements(name))
    }
}

/// An error if something does not hold.
fn holds(holds: bool, message: impl FnOnce() -> String) -> Found<()> {
    if holds { Ok(()) } else { Err(message()) }
}

fn all_equal(tensors: &[&[usize]], dims: &[usize], what: &str) -> Found<()> {
    match tensors.iter().find(|other| **other != dims) {
        Some(other) => Err(format!("{what} has size {other:?}, not {dims:?}")),
        None => Ok(()),
    }
}

/// Dimensions of a tensor, none of them twice.
fn distinct(name: &str, dims: &[usize], rank: usize) -> Found<()> {
    let is_new = |(at, dim): (usize, &usize)| *dim < rank && !dims[..at].contains(dim);
    holds(dims.iter().enumerate().all(is_new), || {
        format!(
            "`{name}` lists {dims:?}, which are not different dimensions of a tensor of rank {rank}"
        )
    })
}

/// The sizes of the dimensions that are not listed.
fn others(dims: &[usize], listed: &[usize]) -> Vec<usize> {
    (0..dims.len()).filter(|dim| !listed.contains(dim)).map(|dim| dims[dim]).collect()
}

/// Whether a number is positive. Negative numbers of the text are `usize::MAX`.
fn is_positive(number: &usize) -> bool {
    !matches!(*number, 0 | usize::MAX)
}

/// The size of a dimension after `between` elements follow each element except the last.
fn dilated(size: usize, between: usize) -> i128 {
    let pairs = size.saturating_sub(1) as i128;
    pairs.saturating_mul(between as i128).saturating_add(size as i128)
}

impl<'a> Sizes<'a> {
    fn operand(&self, at: usize) -> Found<&'a [usize]> {
        self.operands.get(at).copied().ok_or_else(|| format!("it has no operand {at}"))
    }

    fn result(&self) -> Found<&'a [usize]> {
        self.results.first().copied().ok_or_else(|| "it has no result".into())
    }

    fn named(&self, name: &str) -> &'a [usize] {
        self.attributes.named_numbers(name)
    }

    /// A list with a number for each of `count` dimensions.
    fn list(&self, name: &str, count: usize) -> Found<&'a [usize]> {
        let list = self.named(name);
        holds(list.len() == count, || {
            format!("`{name}` has {} numbers, not one for each of {count} dimensions", list.len())
        })?;
        Ok(list)
    }

    /// The same; without the list, all numbers are `default`.
    fn list_or(&self, name: &str, count: usize, default: usize) -> Found<Vec<usize>> {
        match self.named(name) {
            [] => Ok(vec![default; count]),
            _ => Ok(self.list(name, count)?.to_vec()),
        }
    }

    /// The unnamed list with this number.
    fn unnamed(&self, at: usize) -> &'a [usize] {
        self.attributes.lists().get(at).map_or(&[], Vec::as_slice)
    }

    /// Checks that the first result has this size.
    fn makes(&self, dims: &[usize]) -> Found<()> {
        all_equal(&[self.result()?], dims, "its result")
    }

    /// Checks that there are `count` operands.
    fn takes(&self, count: usize) -> Found<()> {
        let found = self.operands.len();
        holds(found == count, || format!("it has {found} operands, not {count}"))
    }

    /// Checks that the operands from `first` on are scalars.
    fn scalars(&self, first: usize) -> Found<()> {
        all_equal(self.operands.get(first..).unwrap_or(&[]), &[], "a scalar operand")
    }

    /// The dimension that the operation names.
    fn along(&self, rank: usize) -> Found<usize> {
        let along = self.attributes.unnamed_number().unwrap_or(0);
        holds(along < rank, || format!("a tensor of rank {rank} has no dimension {along}"))?;
        Ok(along)
    }

    fn check(&self, name: &str) -> Found<()> {
        match name {
            "constant" | "custom_call" => Ok(()),
            "all_gather" => {
                let dims = self.operand(0)?;
                let along = self.along(dims.len())?;
                self.exchanged(dims, (None, Some(along)))
            }
            "all_reduce" | "collective_permute" => {
                let pairs = self.operands.iter().zip(&self.results);
                self.takes(self.results.len())?;
                pairs.into_iter().try_for_each(|(x, made)| all_equal(&[made], x, "a result"))
            }
            "all_to_all" => {
                let [split, concat] = ["split", "concat"]
                    .map(|name| self.attributes.named_number(name).unwrap_or(usize::MAX));
                let dims = self.operand(0)?;
                distinct("split_dimension", &[split], dims.len())?;
                distinct("concat_dimension", &[concat], dims.len())?;
                self.exchanged(dims, (Some(split), Some(concat)))
            }
            "bitcast_convert" => self.takes(1),
            "broadcast_in_dim" => self.broadcast_in_dim(),
            "cholesky" => {
                let x = self.operand(0)?;
                let is_square = matches!(x, [.., rows, columns] if rows == columns);
                holds(is_square, || format!("{x:?} is not the size of square matrices"))?;
                self.makes(x)
            }
            "clamp" => {
                let x = self.operand(1)?;
                self.takes(3)?;
                for bound in [self.operand(0)?, self.operand(2)?] {
                    let fits = bound.is_empty() || bound == x;
                    holds(fits, || format!("a bound has size {bound:?}, not [] or {x:?}"))?;
                }
                self.makes(x)
            }
            "concatenate" => self.concatenate(),
            "convolution" => self.convolution(),
            "dot" => {
                let (a, b) = (self.operand(0)?, self.operand(1)?);
                let fits = matches!((a, b), ([.., size], [other, ..]) if size == other);
                holds(fits, || format!("{a:?} and {b:?} are not the sizes of a product"))?;
                self.makes(&[&a[..a.len() - 1], &b[1..]].concat())
            }
            "dot_general" => self.dot_general(),
            "dynamic_slice" => {
                let (x, made) = (self.operand(0)?, self.result()?);
                self.takes(1 + x.len())?;
                self.scalars(1)?;
                self.within(x, made)
            }
            "dynamic_update_slice" => {
                let (x, update) = (self.operand(0)?, self.operand(1)?);
                self.takes(2 + x.len())?;
                self.scalars(2)?;
                self.within(x, update)?;
                self.makes(x)
            }
            "fft" => self.fft(),
            "gather" => self.gather(),
            "iota" => self.along(self.result()?.len()).map(|_| ()),
            "pad" => self.pad(),
            "partition_id" => self.makes(&[]),
            "reduce" => {
                let (x, reduced) = (self.operand(0)?, self.unnamed(0));
                distinct("dimensions", reduced, x.len())?;
                self.reduced(x, &others(x, reduced))
            }
            "reduce_scatter" => {
                let dims = self.operand(0)?;
                let along = self.along(dims.len())?;
                self.exchanged(dims, (Some(along), None))
            }
            "reduce_window" => {
                let x = self.operand(0)?;
                self.reduced(x, &self.windows(x)?)
            }
            "reshape" => {
                let (x, made) = (self.operand(0)?, self.result()?);
                holds(elements(x) == elements(made), || {
                    format!("{x:?} and {made:?} have different numbers of elements")
                })
            }
            "reverse" => {
                let x = self.operand(0)?;
                distinct("dimensions", self.unnamed(0), x.len())?;
                self.makes(x)
            }
            "rng_bit_generator" => self.makes(self.operand(0)?),
            "scatter" => self.scatter(),
            "select" => {
                let (truth, x) = (self.operand(0)?, self.operand(1)?);
                self.takes(3)?;
                let fits = truth.is_empty() || truth == x;
                holds(fits, || format!("the condition has size {truth:?}, not [] or {x:?}"))?;
                all_equal(&self.operands[2..], x, "an operand")?;
                self.makes(x)
            }
            "select_and_scatter" => {
                let x = self.operand(0)?;
                self.takes(3)?;
                all_equal(&self.operands[1..2], &self.windows(x)?, "the source")?;
                self.scalars(2)?;
                self.makes(x)
            }
            "slice" => self.slice(),
            "sort" => {
                let x = self.operand(0)?;
                self.takes(self.results.len())?;
                self.along(x.len())?;
                self.same(x)
            }
            "top_k" => {
                let (x, made) = (self.operand(0)?, self.result()?);
                let fits = matches!(
                    (x, made),
                    ([batch @ .., size], [kept_batch @ .., kept]) if batch == kept_batch && kept <= size
                );
                holds(fits, || format!("{made:?} is not the size of the largest of {x:?}"))?;
                all_equal(&self.results, made, "a result")
            }
            "transpose" => {
                let (x, order) = (self.operand(0)?, self.unnamed(0));
                distinct("permutation", order, x.len())?;
                let made: Vec<_> = order.iter().map(|dim| x[*dim]).collect();
                holds(made.len() == x.len(), || {
                    format!("`permutation` {order:?} does not order {x:?}")
                })?;
                self.makes(&made)
            }
            "triangular_solve" => {
                let (a, b) = (self.operand(0)?, self.operand(1)?);
                let is_left = self.attributes.word("side", "LEFT") == "LEFT";
                let fits = match (a, b) {
                    ([batch @ .., rows, columns], [other @ .., m, n]) => {
                        batch == other && rows == columns && rows == if is_left { m } else { n }
                    }
                    _ => false,
                };
                holds(fits, || format!("matrices of sizes {a:?} and {b:?} do not fit each other"))?;
                self.makes(b)
            }
            // The others work on each element.
            _ => {
                if let Some(count) = ops::row(name).and_then(ops::Operation::arity) {
                    self.takes(count)?;
                }
                self.same(self.operand(0)?)
            }
        }
    }

    /// All tensors have the same size.
    fn same(&self, dims: &[usize]) -> Found<()> {
        all_equal(&self.operands, dims, "an operand")?;
        all_equal(&self.results, dims, "its result")
    }

    /// A part that is not larger than the whole.
    fn within(&self, whole: &[usize], part: &[usize]) -> Found<()> {
        let fits =
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, whole)| part <= whole);
        holds(fits, || format!("a slice of size {part:?} does not fit in {whole:?}"))
    }

    /// Checks the result of a collective, in which an array is split along a dimension, and parts are joined along a dimension.
    fn exchanged(
        &self,
        dims: &[usize],
        (split, joined): (Option<usize>, Option<usize>),
    ) -> Found<()> {
        let of = self.attributes.named_number("of").unwrap_or(0);
        holds(of != usize::MAX, || "the devices that exchange arrays cannot be read".into())?;
        // Without groups, all devices are one group.
        if self.named("devices").is_empty() || of == 0 {
            return Ok(());
        }
        let mut made = dims.to_vec();
        if let Some(split) = split {
            holds(dims[split].is_multiple_of(of), || {
                format!("dimension {split} of {dims:?} cannot be split into {of} equal parts")
            })?;
            made[split] /= of;
        }
        if let Some(joined) = joined {
            made[joined] = made[joined].saturating_mul(of);
        }
        self.makes(&made)
    }

    fn broadcast_in_dim(&self) -> Found<()> {
        let (x, made, to) = (self.operand(0)?, self.result()?, self.unnamed(1));
        distinct("broadcast_dimensions", to, made.len())?;
        let fits = to.len() == x.len()
            && x.iter().zip(to).all(|(size, to)| *size == 1 || *size == made[*to]);
        holds(fits, || format!("{x:?} is not repeated along dimensions {to:?} of {made:?}"))
    }

    fn concatenate(&self) -> Found<()> {
        let first = self.operand(0)?;
        let along = self.along(first.len())?;
        let mut made = first.to_vec();
        for other in &self.operands[1..] {
            let fits =
                other.len() == first.len() && others(other, &[along]) == others(first, &[along]);
            holds(fits, || {
                format!("{first:?} and {other:?} differ along other dimensions than {along}")
            })?;
            made[along] = made[along].saturating_add(other[along]);
        }
        self.makes(&made)
    }

    fn slice(&self) -> Found<()> {
        let x = self.operand(0)?;
        let [start, limit, stride] =
            ["start", "limit", "stride"].map(|name| self.list(name, x.len()));
        let (start, limit, stride) = (start?, limit?, stride?);
        let mut made = Vec::with_capacity(x.len());
        for (dim, &size) in x.iter().enumerate() {
            let (start, limit, stride) = (start[dim], limit[dim], stride[dim]);
            holds(start <= limit && limit <= size && is_positive(&stride), || {
                format!("{start}:{limit}:{stride} is not a slice of dimension {dim} of {x:?}")
            })?;
            made.push((limit - start).div_ceil(stride));
        }
        self.makes(&made)
    }

    fn pad(&self) -> Found<()> {
        let x = self.operand(0)?;
        self.takes(2)?;
        self.scalars(1)?;
        let lists = ["low", "high", "cut_low", "cut_high"].map(|name| self.list(name, x.len()));
        let [low, high, cut_low, cut_high] = lists;
        let (low, high, cut_low, cut_high) = (low?, high?, cut_low?, cut_high?);
        let between = self.list_or("interior", x.len(), 0)?;
        holds(!between.contains(&usize::MAX), || "its interior padding is negative".into())?;
        let size = |dim: usize| {
            let more = low[dim] as i128 + high[dim] as i128;
            let fewer = cut_low[dim] as i128 + cut_high[dim] as i128;
            usize::try_from(dilated(x[dim], between[dim]).saturating_add(more) - fewer).ok()
        };
        let made: Option<Vec<_>> = (0..x.len()).map(size).collect();
        self.makes(&made.ok_or("its padding cuts off more elements than there are")?)
    }

    /// Checks a reduction of arrays of size `x`, each with an initial value, to arrays of size `made`.
    fn reduced(&self, x: &[usize], made: &[usize]) -> Found<()> {
        let count = self.results.len();
        self.takes(2 * count)?;
        all_equal(&self.operands[..count], x, "an operand")?;
        self.scalars(count)?;
        all_equal(&self.results, made, "its result")
    }

    /// The number of windows along each dimension of an array of size `x`.
    fn windows(&self, x: &[usize]) -> Found<Vec<usize>> {
        let window = self.list("window", x.len())?;
        let dilation = self.list_or("dilation", x.len(), 1)?;
        self.windows_of(x, window, &dilation)
    }

    /// The same for windows of this size.
    fn windows_of(&self, x: &[usize], window: &[usize], dilation: &[usize]) -> Found<Vec<usize>> {
        let rank = x.len();
        let [stride, base] = ["stride", "base_dilation"].map(|name| self.list_or(name, rank, 1));
        let [low, high] = ["low", "high"].map(|name| self.list_or(name, rank, 0));
        let [cut_low, cut_high] = ["cut_low", "cut_high"].map(|name| self.list_or(name, rank, 0));
        let (stride, base, low, high) = (stride?, base?, low?, high?);
        let (cut_low, cut_high) = (cut_low?, cut_high?);
        let mut made = Vec::with_capacity(rank);
        for dim in 0..rank {
            let steps = [window[dim], stride[dim], dilation[dim], base[dim]];
            holds(steps.iter().all(is_positive), || {
                format!(
                    "the size, the stride and the dilations of a window, {steps:?}, are not all positive"
                )
            })?;
            let padded = dilated(x[dim], base[dim] - 1)
                .saturating_add(low[dim] as i128 + high[dim] as i128)
                - (cut_low[dim] as i128 + cut_high[dim] as i128);
            let more = padded.saturating_sub(dilated(window[dim], dilation[dim] - 1));
            made.push(match (padded > 0, usize::try_from(more)) {
                (true, Ok(more)) => (more / stride[dim]).saturating_add(1),
                _ => 0,
            });
        }
        Ok(made)
    }

    fn convolution(&self) -> Found<()> {
        let (x, kernel) = (self.operand(0)?, self.operand(1)?);
        let rank = x.len();
        self.takes(2)?;
        let [input, weights, output] =
            ["input", "kernel", "output"].map(|name| self.list(name, rank));
        let (input, weights, output) = (input?, weights?, output?);
        holds(rank >= 2 && kernel.len() == rank, || {
            format!("{x:?} and {kernel:?} are not the sizes of a convolution")
        })?;
        for (name, dims) in [("input", input), ("kernel", weights), ("output", output)] {
            distinct(name, dims, rank)?;
        }
        let group = |name: &str| self.attributes.named_number(name).unwrap_or(1).max(1);
        let (features, batches) = (group("feature_groups"), group("batch_groups"));
        let [batch, feature] = [x[input[0]], x[input[1]]];
        let [made, taken] = [kernel[weights[0]], kernel[weights[1]]];
        let fits = feature == taken.saturating_mul(features)
            && made.is_multiple_of(features)
            && made.is_multiple_of(batches)
            && batch.is_multiple_of(batches)
            && (features == 1 || batches == 1);
        holds(fits, || {
            format!(
                "{x:?} and {kernel:?} do not fit {features} groups of features and {batches} of batches"
            )
        })?;
        let of = |dims: &[usize], at: &[usize]| -> Vec<usize> {
            at[2..].iter().map(|dim| dims[*dim]).collect()
        };
        let window = of(kernel, weights);
        let dilation = self.list_or("dilation", rank - 2, 1)?;
        let windows = self.windows_of(&of(x, input), &window, &dilation)?;
        let mut dims = vec![0; rank];
        (dims[output[0]], dims[output[1]]) = (batch / batches, made);
        output[2..].iter().zip(windows).for_each(|(dim, size)| dims[*dim] = size);
        self.makes(&dims)
    }

    fn dot_general(&self) -> Found<()> {
        let (a, b) = (self.operand(0)?, self.operand(1)?);
        self.takes(2)?;
        let [batch, other_batch] = ["lhs_batch", "rhs_batch"].map(|name| self.named(name));
        let [summed, other_summed] =
            ["lhs_contracting", "rhs_contracting"].map(|name| self.named(name));
        let (own, other) = ([batch, summed].concat(), [other_batch, other_summed].concat());
        distinct("lhs_batching_dimensions, lhs_contracting_dimensions", &own, a.len())?;
        distinct("rhs_batching_dimensions, rhs_contracting_dimensions", &other, b.len())?;
        let fits = batch.len() == other_batch.len()
            && own.len() == other.len()
            && own.iter().zip(&other).all(|(own, other)| a[*own] == b[*other]);
        holds(fits, || {
            format!("dimensions {own:?} of {a:?} and {other:?} of {b:?} have different sizes")
        })?;
        let of_batch = batch.iter().map(|dim| a[*dim]);
        self.makes(&of_batch.chain(others(a, &own)).chain(others(b, &other)).collect::<Vec<_>>())
    }

    fn fft(&self) -> Found<()> {
        let (x, length) = (self.operand(0)?, self.named("length"));
        let wrong = || format!("transforms of length {length:?} do not fit {x:?}");
        holds(!length.is_empty() && length.len() <= x.len(), wrong)?;
        let (batch, own) = x.split_at(x.len() - length.len());
        let (&last, half) = length.split_last().ok_or_else(wrong)?;
        let halved = [half, &[ops::half_of(last)]].concat();
        let (taken, made) = match self.attributes.word("type", "FFT") {
            "RFFT" => (length, &halved[..]),
            "IRFFT" => (&halved[..], length),
            _ => (length, length),
        };
        holds(taken == own, wrong)?;
        self.makes(&[batch, made].concat())
    }

    /// The size of the index vectors of a gather or a scatter, and the sizes of the other dimensions of the indices.
    fn index_vectors(&self, indices: &[usize]) -> Found<(usize, Vec<usize>)> {
        let vector = self.attributes.named_number("index_vector").unwrap_or(indices.len());
        holds(vector <= indices.len(), || {
            format!("`index_vector_dim` {vector} is not a dimension of {indices:?}")
        })?;
        Ok((indices.get(vector).copied().unwrap_or(1), others(indices, &[vector])))
    }

    /// Checks that the batch dimensions of an array and of the indices agree.
    fn batches(&self, x: &[usize], indices: &[usize]) -> Found<()> {
        let (own, of_indices) = (self.named("operand_batch"), self.named("indices_batch"));
        distinct("batching_dims of the indices", of_indices, indices.len())?;
        let vector = self.attributes.named_number("index_vector");
        let fits = own.len() == of_indices.len()
            && of_indices.iter().all(|dim| Some(*dim) != vector)
            && own.iter().zip(of_indices).all(|(own, dim)| x[*own] == indices[*dim]);
        holds(fits, || {
            format!("batch dimensions {own:?} of {x:?} differ from {of_indices:?} of {indices:?}")
        })
    }

    /// Checks that an index vector of this length has an index for each of these dimensions.
    fn indexed(&self, name: &str, along: &[usize], (x, length): (&[usize], usize)) -> Found<()> {
        distinct(name, &[along, self.named("operand_batch")].concat(), x.len())?;
        holds(along.len() == length, || {
            format!("`{name}` lists {along:?}, but the index vectors have size {length}")
        })
    }

    fn gather(&self) -> Found<()> {
        let (x, indices, made) = (self.operand(0)?, self.operand(1)?, self.result()?);
        self.takes(2)?;
        let (offset, sizes) = (self.named("offset"), self.list("slice_sizes", x.len())?);
        let (length, batch) = self.index_vectors(indices)?;
        self.indexed("start_index_map", self.named("start_index_map"), (x, length))?;
        let gone = [self.named("collapsed"), self.named("operand_batch")].concat();
        distinct("collapsed_slice_dims, operand_batching_dims", &gone, x.len())?;
        self.batches(x, indices)?;
        self.within(x, sizes)?;
        let is_one = |dim: &usize| sizes[*dim] == 1 || made.contains(&0) && sizes[*dim] == 0;
        holds(gone.iter().all(is_one), || {
            format!(
                "dimensions {gone:?} of slices of size {sizes:?} are collapsed, but not all of size 1"
            )
        })?;
        let own = others(sizes, &gone);
        distinct("offset_dims", offset, own.len() + batch.len())?;
        holds(offset.len() == own.len(), || {
            format!("`offset_dims` lists {offset:?}, but slices have the size {own:?}")
        })?;
        self.makes(&interleaved(offset, &own, &batch))
    }

    fn scatter(&self) -> Found<()> {
        let arrays = self.results.len();
        self.takes(2 * arrays + 1)?;
        let (x, indices) = (self.operand(0)?, self.operand(arrays)?);
        let updates = self.operand(arrays + 1)?;
        all_equal(&self.operands[..arrays], x, "an array")?;
        all_equal(&self.operands[arrays + 1..], updates, "an update")?;
        all_equal(&self.results, x, "its result")?;
        let (length, batch) = self.index_vectors(indices)?;
        self.indexed("scatter_dims_to_operand_dims", self.named("index_map"), (x, length))?;
        let gone = [self.named("inserted"), self.named("operand_batch")].concat();
        distinct("inserted_window_dims, input_batching_dims", &gone, x.len())?;
        self.batches(x, indices)?;
        let window = self.named("window");
        distinct("update_window_dims", window, updates.len())?;
        let whole = others(x, &gone);
        let own: Vec<_> = window.iter().map(|dim| updates[*dim]).collect();
        self.within(&whole, &own)?;
        all_equal(&[updates], &interleaved(window, &own, &batch), "an update")
    }
}

/// The sizes of a tensor that has `own` at the dimensions that are listed, and `batch` at the others.
fn interleaved(listed: &[usize], own: &[usize], batch: &[usize]) -> Vec<usize> {
    let mut others = batch.iter();
    let size = |dim: usize| match listed.iter().position(|other| *other == dim) {
        Some(at) => own.get(at),
        None => others.next(),
    };
    (0..own.len() + batch.len()).map_while(size).copied().collect()
}
