//! Operations that only programs from MLIR have, whose text contains the types of their results.

use super::execution::{Effect, KernelTypes};
use super::operation::Operation;

/// An operation on each element, of StableHLO's dialect CHLO.
const fn chlo(names: &'static [&'static str]) -> Operation {
    Operation { names, kernel: KernelTypes::Numbers, only_imported: true, ..Operation::DEFAULT }
}

/// An operation of CHLO that runs on shards.
const fn on_shards(names: &'static [&'static str]) -> Operation {
    Operation { on_shards: true, ..chlo(names) }
}

/// An operation without a kernel.
const fn with(effect: Effect, names: &'static [&'static str]) -> Operation {
    Operation { names, effect, ..Operation::DEFAULT }
}

const fn once(names: &'static [&'static str], why: &'static str) -> Operation {
    with(Effect::Once(why), names)
}

pub(super) const ROWS: &[Operation] = &[
    on_shards(&["acos"]),
    on_shards(&["acosh"]),
    on_shards(&["asin"]),
    on_shards(&["asinh"]),
    on_shards(&["atan"]),
    on_shards(&["atanh"]),
    chlo(&["bessel_i1e"]),
    on_shards(&["cosh"]),
    chlo(&["digamma"]),
    on_shards(&["erf"]),
    on_shards(&["erf_inv"]),
    chlo(&["erfc"]),
    Operation { kernel: KernelTypes::None, ..on_shards(&["is_inf"]) },
    chlo(&["lgamma"]),
    on_shards(&["next_after"]),
    chlo(&["polygamma"]),
    on_shards(&["sinh"]),
    on_shards(&["square"]),
    chlo(&["zeta"]),
    with(Effect::Exchange, &["collective_broadcast", "cross-replica-sum"]),
    Operation { effect: Effect::DeviceNumber, ..chlo(&["partition_id"]) },
    Operation { effect: Effect::Other, ..chlo(&["custom_call"]) },
    with(Effect::Other, &["case", "composite", "if", "optimization_barrier", "return", "while"]),
    once(&["infeed"], "the program reads it once, and each device would"),
    once(&["outfeed"], "the program writes it once, and each device would"),
    once(&["recv"], "the program receives it once, and each device would"),
    once(
        &["rng"],
        "each device would draw different numbers; write `rng_bit_generator`, whose state they share",
    ),
    once(&["send"], "the program sends it once, and each device would"),
];
