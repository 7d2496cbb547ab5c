//! Operations that specify how a value is sharded, or what may propagate through it. A program reads their shardings itself.

use super::execution::KernelTypes;
use super::mlir::Mlir;
use super::operation::{Infer, Operation};
use super::sums::PartialSums;
use crate::sharding::propagation::OpKind;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["constrain"],
        kind: OpKind::Elementwise,
        infer: Infer::SAME,
        sums: PartialSums::Created,
        mlir: Mlir::Constraint,
        kernel: KernelTypes::All,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["reshard"],
        kind: OpKind::Elementwise,
        infer: Infer::SAME,
        sums: PartialSums::Created,
        mlir: Mlir::Constraint,
        kernel: KernelTypes::All,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["propagation_barrier"],
        kind: OpKind::Elementwise,
        attributes: &["allowed_direction"],
        infer: Infer::SAME,
        sums: PartialSums::Of(&[0]),
        mlir: Mlir::Barrier,
        kernel: KernelTypes::All,
        ..Operation::DEFAULT
    },
];
