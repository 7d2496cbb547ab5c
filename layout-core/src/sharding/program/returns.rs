//! The results of a program, which can be sharded differently from the values that it returns.

use super::moves::{Move, moves};
use super::shards::known_part;
use super::{NamedValue, array_text, mesh_of, report};
use crate::sharding::axis::AxisRef;
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::Graph;
use crate::sharding::syntax::ProgramSyntax;
use crate::sharding::tensor::{Split, TensorSharding};
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A result: the number of its value, its sharding, and how devices reshard the value.
type Returned = (usize, TensorSharding, Vec<Move>);

/// A program whose results are determined.
pub(super) struct Returns<'p, S> {
    pub(super) syntax: &'p ProgramSyntax<S>,
    pub(super) graph: &'p Graph,
    pub(super) meshes: &'p [(String, Mesh)],
    pub(super) values: &'p [NamedValue],
    pub(super) padding: Padding,
}

impl<S: Span> Returns<'_, S> {
    /// Result `number`, which is value `at`. `None` if it has mistakes, which are reported.
    pub(super) fn result(
        &self,
        number: usize,
        (at, span): (usize, S),
        diagnostics: &mut Diagnostics<S>,
    ) -> Option<Returned> {
        let own = &self.values[at];
        let sharding = self.sharding(number, own);
        let (from, to) = (mesh_of(self.meshes, &own.sharding), mesh_of(self.meshes, &sharding));
        let known = known_part(&sharding, own.unbounded);
        if let Err(error) = Shards::new(&known, to, &own.dims, self.padding) {
            error.problems().iter().for_each(|problem| report(diagnostics, span, problem.clone()));
            return None;
        }
        let is_resharded = from != to || axes(&own.sharding) != axes(&sharding);
        if own.unbounded != 0 && !is_resharded {
            return Some((at, sharding, Vec::new()));
        }
        if own.unbounded != 0 {
            let message = format!(
                "`{}` is {}: a value of unknown size cannot be resharded from {} to {}",
                own.name,
                array_text(own.dtype, &own.dims, own.unbounded),
                Split(&own.sharding),
                Split(&sharding)
            );
            let help = "give the size a bound, `<=128`, or return the value as it is sharded";
            diagnostics.push(Diagnostic { span, message, help: help.into() });
            return None;
        }
        let bits = own.dtype.stored_bits();
        match moves((from, &own.sharding), (to, &sharding), &own.dims, bits) {
            Ok(moves) => Some((at, sharding, moves)),
            Err(message) => {
                diagnostics.push(Diagnostic { span, message, help: String::new() });
                None
            }
        }
    }

    /// The sharding of a result whose value is `own`.
    fn sharding(&self, number: usize, own: &NamedValue) -> TensorSharding {
        let sharding = self.graph.return_sharding(number);
        let mut sharding = sharding.unwrap_or_else(|| own.sharding.clone());
        let written = self.syntax.function.body.returns.get(number);
        let is_written = written.is_some_and(|(_, split)| split.is_some());
        // Propagation ignores partial sums, so a result without a written sharding keeps those of its value.
        if !is_written && axes(&sharding) == axes(&own.sharding) {
            sharding.reduction = own.sharding.reduction;
            sharding.unreduced = own.sharding.unreduced.clone();
        }
        sharding
    }
}

/// The axes of each dimension.
fn axes(sharding: &TensorSharding) -> Vec<&[AxisRef]> {
    sharding.dims.iter().map(|dim| &*dim.axes).collect()
}
