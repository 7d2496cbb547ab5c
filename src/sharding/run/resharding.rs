//! The collectives of a reshard, which are planned once and can run many times.

use super::collective::{Mover, UnderWay};
use super::redistribution::Redistribution;
use super::{Combined, RunError, Transport, sum};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::sharding::reshard::{Collective, plan};
use layout_core::sharding::{AxisRef, Mesh, Padding, ReductionOp, Shards, TensorSharding};

/// The collectives that lead from one sharding of an array to another one.
#[derive(Debug)]
pub(super) struct Resharding {
    dtype: DType,
    reduction: ReductionOp,
    /// The shards before the first step.
    first: Shards,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    /// Combines shards over the devices along axes.
    Reduce(Vec<AxisRef>, Shards),
    Redistribute(Redistribution),
}

impl Resharding {
    /// Plans the collectives. Devices that differ along `manual` axes have parts of different arrays. The mesh must have as many
    /// devices as the transport, which is why their number is given.
    ///
    /// # Errors
    /// If there is no plan, or if the mesh has another number of devices.
    pub(super) fn new(
        devices: usize,
        mesh: &Mesh,
        (from, to): (&TensorSharding, &TensorSharding),
        (dtype, dims): (DType, &[usize]),
        manual: &[AxisRef],
    ) -> Result<Self, RunError> {
        if mesh.devices() != devices {
            return Err(RunError::Devices { mesh: mesh.devices(), transport: devices });
        }
        let first = Shards::new(from, mesh, dims, Padding::Allowed)?;
        let (mut shards, mut steps) = (first.clone(), Vec::new());
        for step in plan(mesh, from, to, dims, dtype.stored_bits())? {
            steps.push(match step.collective {
                Collective::AllReduce(axes) => Step::Reduce(axes, shards.clone()),
                _ => {
                    let next = Shards::new(&step.sharding, mesh, dims, Padding::Allowed)?;
                    let before = core::mem::replace(&mut shards, next.clone());
                    let apart = [manual, &step.sharding.unreduced].concat();
                    Step::Redistribute(Redistribution::new(before, next, &apart))
                }
            });
        }
        Ok(Self { dtype, reduction: from.reduction, first, steps })
    }

    /// Adds a last step.
    #[cfg(feature = "std")]
    pub(super) fn then(mut self, last: Redistribution) -> Self {
        self.steps.push(Step::Redistribute(last));
        self
    }

    /// Whether each device keeps its shard.
    #[cfg(feature = "std")]
    pub(super) const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Begins the first of the collectives. The others follow once it is done.
    ///
    /// # Errors
    /// If the shard has the wrong length, or if a device cannot be reached.
    pub(super) fn begin<'a, T: Transport + 'a>(
        &'a self,
        transport: &mut T,
        shard: Cow<'_, [u8]>,
    ) -> Result<UnderWay<'a, T, Vec<u8>>, RunError> {
        Mover::new(transport, &self.first, self.dtype.byte_width())?.check_shard(&shard)?;
        self.begin_steps(transport, &self.steps, shard)
    }

    fn begin_steps<'a, T: Transport + 'a>(
        &'a self,
        transport: &mut T,
        steps: &'a [Step],
        shard: Cow<'_, [u8]>,
    ) -> Result<UnderWay<'a, T, Vec<u8>>, RunError> {
        let Some((step, rest)) = steps.split_first() else {
            let shard = shard.into_owned();
            return Ok(Box::new(|_| Ok(shard)));
        };
        let (dtype, reduction) = (self.dtype, self.reduction);
        let first = match step {
            Step::Reduce(axes, shards) => {
                let combine = move |own: &mut [u8], others: &[Vec<u8>]| {
                    sum::combine(reduction, own, others, dtype)
                };
                let combined = Combined { by: Some(reduction.into()), dtype };
                let mover = Mover::new(transport, shards, dtype.byte_width())?;
                mover.begin_all_reduce(shard.into_owned(), axes, combined, combine)?
            }
            Step::Redistribute(step) => step.begin(transport, (dtype, &shard))?,
        };
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Box::new(move |transport| {
            let shard = Cow::Owned(first(transport)?);
            self.begin_steps(transport, rest, shard)?(transport)
        }))
    }
}
