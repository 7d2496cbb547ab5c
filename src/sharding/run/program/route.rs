//! How values get from one sharding to another one: planned in the first run.

use super::operation::{is_across, shards};
use super::values::Value;
use super::{HostArray, Runner};
use crate::sharding::run::redistribution::Redistribution;
use crate::sharding::run::resharding::Resharding;
use crate::sharding::run::{RunError, Transport};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::sharding::program::NamedValue;
use layout_core::sharding::{AxisRef, ReductionOp, Shards, TensorSharding};
use std::sync::OnceLock;

/// The exchanges by which a value becomes another one, which has another sharding; made when they first run.
#[derive(Default, Debug)]
pub(super) struct Route(OnceLock<Planned>);

#[derive(Debug)]
struct Planned {
    resharding: Resharding,
    /// The shards of the result.
    shards: Shards,
    reduction: ReductionOp,
    /// The axes over which the result is a partial one, although the value before is not.
    partial: Vec<AxisRef>,
}

/// A value that becomes another one.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) route: Route,
}

impl Assignment {
    pub(super) fn all(from: &[usize], to: &[usize]) -> Vec<Self> {
        let pairs = from.iter().zip(to);
        pairs.map(|(&from, &to)| Self { from, to, route: Route::default() }).collect()
    }
}

impl Runner<'_> {
    /// Begins to reshard a value within a manual computation along axes.
    pub(super) fn begin_resharded<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        array: &HostArray,
        value: &NamedValue,
        (from, to): (&TensorSharding, &TensorSharding),
        (manual, route): (&[AxisRef], &'r Route),
    ) -> Result<Value<'r, T>, RunError> {
        if from == to {
            return Ok(Value::Here(array.clone()));
        }
        let planned = match route.0.get() {
            Some(planned) => planned,
            None => {
                let planned = self.planned(transport.devices(), value, (from, to), manual)?;
                route.0.get_or_init(|| planned)
            }
        };
        let (device, dtype) = (transport.device(), value.dtype);
        let finish = move |mut array: HostArray| {
            let of = (&planned.shards, planned.reduction);
            self.keep_one(&mut array, of, &planned.partial, device)?;
            Ok(array)
        };
        let dims = planned.shards.local_dims();
        if planned.resharding.is_empty() {
            return Ok(Value::Here(finish(array.clone().viewed(dtype, dims)?)?));
        }
        let moved = planned.resharding.begin(transport, Cow::Borrowed(array.as_bytes()))?;
        Ok(Value::UnderWay(Box::new(move |transport| {
            finish(HostArray::from_bytes(dtype, dims, moved(transport)?)?)
        })))
    }

    fn planned(
        &self,
        devices: usize,
        value: &NamedValue,
        (from, to): (&TensorSharding, &TensorSharding),
        manual: &[AxisRef],
    ) -> Result<Planned, RunError> {
        let (own, other) = (self.program.mesh_of(from), self.program.mesh_of(to));
        let is_kept = |axis: &AxisRef| own == other && from.unreduced.contains(axis);
        let (kept, partial): (Vec<_>, Vec<_>) = to.unreduced.iter().cloned().partition(is_kept);
        let whole = to.clone().with_unreduced(kept);
        let of = (value.dtype, &value.dims[..]);
        let within = |to: &TensorSharding| Resharding::new(devices, own, (from, to), of, manual);
        let resharding = if own == other {
            within(&whole)?
        } else if is_across(self.program, from, &whole) {
            // Partial results are combined on the first mesh, and then each device receives the elements that it lacks.
            if !manual.is_empty() {
                let message = "it comes from another mesh within a manual computation".into();
                return Err(RunError::Operation { name: value.name.clone(), line: None, message });
            }
            let complete = from.clone().with_unreduced(&[][..]);
            let before = shards(self.program, &complete, value)?;
            let after = shards(self.program, &whole, value)?;
            within(&complete)?.then(Redistribution::new(before, after, &[]))
        } else {
            within(from)?
        };
        let (shards, reduction) = (shards(self.program, to, value)?, to.reduction);
        Ok(Planned { resharding, shards, reduction, partial })
    }
}
