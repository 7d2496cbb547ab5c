//! The arrays of a running program. Some are results of collectives that are not done yet.

use super::{HostArray, missing};
use crate::sharding::run::collective::UnderWay;
use crate::sharding::run::{RunError, Transport};
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::sharding::program::NamedValue;

/// An array of a device, or the collective that computes it.
pub(super) enum Value<'a, T> {
    Here(HostArray),
    UnderWay(UnderWay<'a, T, HostArray>),
}

impl<'a, T: Transport + 'a> Value<'a, T> {
    /// The array, once its collective is done.
    pub(super) fn wait(self, transport: &mut T) -> Result<HostArray, RunError> {
        match self {
            Self::Here(array) => Ok(array),
            Self::UnderWay(finish) => finish(transport),
        }
    }

    /// Continues with the array at once, or when its collective is done.
    pub(super) fn then(
        self,
        next: impl FnOnce(HostArray) -> Result<HostArray, RunError> + 'a,
    ) -> Result<Self, RunError> {
        Ok(match self {
            Self::Here(array) => Self::Here(next(array)?),
            Self::UnderWay(finish) => {
                Self::UnderWay(Box::new(|transport| next(finish(transport)?)))
            }
        })
    }
}

/// The arrays of the values so far.
pub(super) struct Values<'a, T> {
    known: &'a [NamedValue],
    all: Vec<Option<Value<'a, T>>>,
}

impl<'a, T: Transport + 'a> Values<'a, T> {
    /// The first values of a program.
    pub(super) fn new(known: &'a [NamedValue], first: Vec<HostArray>) -> Self {
        let mut all: Vec<_> = first.into_iter().map(|array| Some(Value::Here(array))).collect();
        all.resize_with(known.len(), || None);
        Self { known, all }
    }

    /// Waits for a value.
    pub(super) fn wait(&mut self, transport: &mut T, at: usize) -> Result<&HostArray, RunError> {
        let value = self.all[at].take().ok_or_else(|| missing(&self.known[at]))?;
        let here = Value::Here(value.wait(transport)?);
        match self.all[at].insert(here) {
            Value::Here(array) => Ok(array),
            Value::UnderWay(_) => Err(missing(&self.known[at])),
        }
    }

    /// Waits for a value, and takes it away.
    pub(super) fn take(&mut self, transport: &mut T, at: usize) -> Result<HostArray, RunError> {
        let value = self.all[at].take().ok_or_else(|| missing(&self.known[at]))?;
        value.wait(transport)
    }

    /// Sets a value. If a collective for the old value is still running, waits for it first.
    pub(super) fn set(
        &mut self,
        transport: &mut T,
        at: usize,
        value: Value<'a, T>,
    ) -> Result<(), RunError> {
        self.release(transport, at)?;
        self.all[at] = Some(value);
        Ok(())
    }

    /// Drops a value. If its collective is still running, waits for it first.
    pub(super) fn release(&mut self, transport: &mut T, at: usize) -> Result<(), RunError> {
        if let Some(Value::UnderWay(finish)) = self.all[at].take() {
            finish(transport)?;
        }
        Ok(())
    }
}
