//! Statements through the macro and at run time: with any schedule and any encodings, the result is that of the statement
//! without a schedule. The operands contain duplicates, infinities and NaNs.

use crate::case::index;
use crate::operands::{Operand, Operands, braced};
use crate::cases::cases;
use crate::random::{does_not_fit, duplicates, keeps};
use crate::tape::Tape;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use tensor_layout::sparse::{DynSparseTensor, Encoding, SparseEncoding, SparseTensor};
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{Dense, DynOperand, KernelError, RunError, SparseKernel};

/// A statement that is compiled by the macro.
struct Twin {
    text: &'static str,
    /// Names, encodings in braces or `Dense`, and names of the dimensions.
    operands: &'static [(&'static str, &'static str, &'static [&'static str])],
    run: fn(&Operands) -> Result<Output, KernelError>,
}

/// The shape of an output, and its stored elements.
type Output = (Vec<usize>, Vec<(Vec<usize>, f64)>);

fn array<const RANK: usize>(array: Dense<f64, RANK>) -> Output {
    let shape = array.shape().to_vec();
    let entries = array.values().iter().enumerate().map(|(at, value)| (index(at, &shape), *value));
    (shape.clone(), entries.collect())
}

fn tensor<E: Encoding>(tensor: SparseTensor<E, f64>) -> Output {
    let mut entries = Vec::new();
    entries.extend(tensor.to_coo().into_iter().map(|(index, value)| (index.as_ref().to_vec(), value)));
    // A kernel's result must be a tensor that could have been assembled.
    let shape = tensor.shape().as_ref().to_vec();
    let assembled = SparseTensor::<E, f64>::assemble(tensor.disassemble());
    assembled.expect("a valid tensor");
    (shape, entries)
}

macro_rules! operand {
    ($operands:ident, $name:ident, Dense) => {
        &$operands.dense::<f64, _>(stringify!($name))
    };
    ($operands:ident, $name:ident, $encoding:tt) => {
        &$operands.sparse::<_, f64>(stringify!($name))
    };
}

macro_rules! output {
    (Dense, $output:expr) => {
        array($output)
    };
    ($encoding:tt, $output:expr) => {
        tensor($output)
    };
}

macro_rules! twins {
    ($($function:ident($($name:ident: $ty:tt[$($dim:ident),+]),+) -> $out:ident: $out_ty:tt[$($out_dim:ident),+] $body:tt)*) => {
        sparse_kernel! { $(
            fn $function($($name: $ty<f64>[$($dim),+]),+) -> $out: $out_ty<f64>[$($out_dim),+] $body
        )* }
        const TWINS: &[Twin] = &[$(
            Twin {
                text: stringify!(fn f($($name: $ty<f64>[$($dim),+]),+) -> $out: $out_ty<f64>[$($out_dim),+] $body),
                operands: &[$((stringify!($name), stringify!($ty), &[$(stringify!($dim)),+])),+],
                run: |operands| Ok(output!($out_ty, $function($(operand!(operands, $name, $ty)),+)?)),
            },
        )*];
    };
}

twins! {
    k0(a: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j] }
    k1(a: {(i, j) -> (i : dense, j : compressed)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; order(j, i) }
    k2(a: {(i, j) -> (i : dense, j : compressed)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(i, 2); split(j, 2) }
    k3(a: {(i, j) -> (i : dense, j : compressed)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(j, 2) }
    k4(a: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(j, 3); order(j, i) }
    k5(a: {(i, j) -> (i : dense, j : compressed)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k] }
    k6(a: {(i, j) -> (j : dense, i : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 2) }
    k7(a: {(i, j) -> (j : dense, i : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j] }
    k8(a: {(i, j) -> (j : dense, i : compressed)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; order(j, i) }
    k9(a: {(i, j) -> (j : dense, i : compressed)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(i, 2); split(j, 2) }
    k10(a: {(i, j) -> (j : dense, i : compressed)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(j, 2) }
    k11(a: {(i, j) -> (j : dense, i : compressed)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(j, 3); order(j, i) }
    k12(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 2); split(j, 2) }
    k13(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(j, 2) }
    k14(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(i, 2) }
    k15(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(j, 3); order(j, i) }
    k16(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1 }
    k17(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; order(j, i) }
    k18(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(i, 3); order(j, i) }
    k19(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(i, 2); split(j, 2) }
    k20(a: {(i, j) -> (i : compressed(nonunique), j : singleton)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(j, 2) }
    k21(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; order(j, i) }
    k22(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(i, 3); order(j, i) }
    k23(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(i, 2); split(j, 2) }
    k24(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(j, 2) }
    k25(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(i, 2) }
    k26(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(j, 3); order(j, i) }
    k27(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k] }
    k28(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; order(j, i) }
    k29(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(i, 3); order(j, i) }
    k30(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(j, 3); order(j, i) }
    k31(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j]) -> y: Dense[i] { y[i] max= a[i, j] }
    k32(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; order(j, i) }
    k33(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(i, 3); order(j, i) }
    k34(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(i, 2); split(j, 2) }
    k35(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(j, 2) }
    k36(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(i, 2) }
    k37(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(j, 3); order(j, i) }
    k38(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j] }
    k39(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(i, 2) }
    k40(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(j, 3); order(j, i) }
    k41(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; order(j, i) }
    k42(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(i, 3); order(j, i) }
    k43(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(j, 2) }
    k44(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(i, 2) }
    k45(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 3); order(j, i) }
    k46(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(i, 2); split(j, 2) }
    k47(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(j, 2) }
    k48(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(i, 2) }
    k49(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(j, 3); order(j, i) }
    k50(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2 }
    k51(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; order(j, i) }
    k52(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(i, 3); order(j, i) }
    k53(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(i, 2); split(j, 2) }
    k54(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j] }
    k55(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; order(j, i) }
    k56(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(i, 3); order(j, i) }
    k57(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(i, 2); split(j, 2) }
    k58(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(j, 2) }
    k59(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(i, 2) }
    k60(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(j, 3); order(j, i) }
    k61(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k] }
    k62(a: {(i, j) -> (j floordiv 3 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 3 : dense)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; order(j, i) }
    k63(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 2) }
    k64(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(j, 3); order(j, i) }
    k65(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j] }
    k66(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; order(j, i) }
    k67(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(i, 3); order(j, i) }
    k68(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(i, 2); split(j, 2) }
    k69(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(j, 2) }
    k70(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(i, 2) }
    k71(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(j, 3); order(j, i) }
    k72(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 2); split(j, 2) }
    k73(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(j, 2) }
    k74(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(i, 2) }
    k75(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(j, 3); order(j, i) }
    k76(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1 }
    k77(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; order(j, i) }
    k78(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(i, 3); order(j, i) }
    k79(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(i, 2); split(j, 2) }
    k80(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(j, 2) }
    k81(a: {(i, j) -> (i : batch, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; order(j, i) }
    k82(a: {(i, j) -> (i : batch, j : compressed)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(i, 3); order(j, i) }
    k83(a: {(i, j) -> (i : batch, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(i, 2); split(j, 2) }
    k84(a: {(i, j) -> (i : batch, j : compressed)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(j, 2) }
    k85(a: {(i, j) -> (i : batch, j : compressed)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(i, 2) }
    k86(a: {(i, j) -> (i : batch, j : compressed)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(j, 3); order(j, i) }
    k87(a: {(i, j) -> (i : batch, j : compressed)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k] }
    k88(a: {(i, j) -> (i : batch, j : compressed)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; order(j, i) }
    k89(a: {(i, j) -> (i : batch, j : compressed)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(i, 3); order(j, i) }
    k90(a: {(i, j) -> (i : batch, j : batch)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j] }
    k91(a: {(i, j) -> (i : batch, j : batch)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; order(j, i) }
    k92(a: {(i, j) -> (i : batch, j : batch)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(i, 2); split(j, 2) }
    k93(a: {(i, j) -> (i : batch, j : batch)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(j, 2) }
    k94(a: {(i, j) -> (i : batch, j : batch)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(j, 3); order(j, i) }
    k95(a: {(i, j) -> (i : batch, j : batch)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j] }
    k96(a: {(i, j) -> (i - j : compressed, j : range)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(j, 2) }
    k97(a: {(i, j) -> (i - j : compressed, j : range)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(i, 2) }
    k98(a: {(i, j) -> (i - j : compressed, j : range)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(j, 3); order(j, i) }
    k99(a: {(i, j) -> (i - j : compressed, j : range)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j] }
    k100(a: {(i, j) -> (i - j : compressed, j : range)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; order(j, i) }
    k101(a: {(i, j) -> (i - j : compressed, j : range)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(i, 3); order(j, i) }
    k102(a: {(i, j) -> (i - j : compressed, j : range)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(i, 2); split(j, 2) }
    k103(a: {(i, j) -> (i - j : compressed, j : range)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(j, 2) }
    k104(a: {(i, j) -> (i - j : compressed, j : range)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(i, 2) }
    k105(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 3); order(j, i) }
    k106(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(i, 2); split(j, 2) }
    k107(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(j, 2) }
    k108(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(i, 2) }
    k109(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(j, 3); order(j, i) }
    k110(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2 }
    k111(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; order(j, i) }
    k112(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(i, 3); order(j, i) }
    k113(a: {[c](i, j) -> (c * 4 * i : dense, i : dense, j : compressed)}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; split(i, 2); split(j, 2) }
    k114(a: {(i, j) -> (i : dense, j : delta[1])}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j] }
    k115(a: {(i, j) -> (i : dense, j : delta[1])}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; order(j, i) }
    k116(a: {(i, j) -> (i : dense, j : delta[1])}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] min= a[i, j] * x[j]; split(i, 3); order(j, i) }
    k117(a: {(i, j) -> (i : dense, j : delta[1])}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; split(i, 2); split(j, 2) }
    k118(a: {(i, j) -> (i : dense, j : delta[1])}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(j, 2) }
    k119(a: {(i, j) -> (i : dense, j : delta[1])}[i, j]) -> y: Dense[j] { y[j] += a[i, j] / 2; split(i, 2) }
    k122(a: {(i, j) -> (i : dense, j : delta[1])}[i, j], x: Dense[j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] * x[j]; order(j, i) }
    k123(a: {(i, j) -> (i : compressed, j : dense)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; split(i, 2) }
    k124(a: {(i, j) -> (i : compressed, j : dense)}[i, j]) -> y: Dense[i] { y[i] max= a[i, j]; split(j, 3); order(j, i) }
    k125(a: {(i, j) -> (i : compressed, j : dense)}[i, j]) -> y: Dense[i] { y[i] *= a[i, j]; order(j, i) }
    k126(a: {(i, j) -> (i : compressed, j : dense)}[i, j]) -> y: Dense[i] { y[i] += a[i, j] if a[i, j] > 1; split(i, 3); order(j, i) }
    k127(a: {(i, j) -> (i : compressed, j : dense)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; split(j, 2) }
    k128(a: {(i, j) -> (i : compressed, j : dense)}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k]; split(i, 2) }
    k129(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], b: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[j, k] }
    k130(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], b: {(i, j) -> (i : dense, j : compressed)}[i, j]) -> y: Dense[i, j] { y[i, j] += a[i, j] + b[i, j]; split(j, 2) }
    k131(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j]) -> y: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j] { y[i, j] = 2 * a[i, j]; split(j, 2) }
    k132(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j]) -> y: {(i, j) -> (i : dense, j : compressed)}[i, j] { y[i, j] = 2 * a[i, j]; split(j, 2) }
    k133(a: {(i, j) -> (i : dense, j : structured[3, 4])}[i, j], b: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j]) -> y: Dense[i, j] { y[i, j] max= a[i, j] * b[i, j] }
    k134(a: {(i) -> (i : structured[3, 8])}[i], x: Dense[i]) -> y: Dense[i] { y[i] = a[i] * x[i]; split(i, 4); split(i, 2) }
    k135(a: {(i) -> (i : structured[3, 8])}[i], b: {(i) -> (i floordiv 2 : compressed, i mod 2 : dense)}[i]) -> y: Dense[i] { y[i] = a[i] * b[i] }
    k136(a: {(i, j) -> (i : dense, j : compressed)}[i, j], b: Dense[i, l], c: Dense[j, l]) -> y: Dense[i, l] { y[i, l] += b[i, l] * 2 * a[i, j] * c[j, l] }
    k137(a: {(i, j) -> (i : dense, j : compressed)}[i, j], b: Dense[i, l], c: Dense[j, l]) -> y: Dense[i, l] { y[i, l] += a[i, j] * (b[i, l] * c[j, l]) }
    k138(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], b: Dense[i, l], c: Dense[j, l]) -> y: Dense[i, l] { y[i, l] += a[i, j] * b[i, l] * c[j, l] }
    k139(a: {(i, j, k) -> (i : compressed, j : compressed, k : compressed)}[i, j, k], b: Dense[j, l], c: Dense[k, l]) -> y: Dense[i, l] { y[i, l] += a[i, j, k] * b[j, l] * c[k, l] }
    k140(a: {(i, j, k) -> (i : dense, j : compressed, k : compressed)}[i, j, k], b: Dense[j, l], c: Dense[k, l]) -> y: Dense[i, l] { y[i, l] += b[j, l] * a[i, j, k] * c[k, l] }
    k141(a: {(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)}[i, j, k], b: Dense[j, l], c: Dense[k, l]) -> y: Dense[i, l] { y[i, l] += a[i, j, k] * b[j, l] * c[k, l] }
    k142(x: Dense[n], w: Dense[k]) -> y: Dense[i] { y[i] += x[i + k] * w[k] }
    k143(x: {(i) -> (i : compressed)}[n], w: Dense[k]) -> y: Dense[i] { y[i] += x[i + k] * w[k] }
    k144(x: Dense[n], w: {(i) -> (i : compressed)}[k]) -> y: {(i) -> (i : compressed)}[i] { y[i] += x[2 * i + k] * w[k] }
    k145(x: Dense[n], w: Dense[k], v: Dense[l]) -> y: Dense[i, j] { y[i, j] += x[i + k] * w[j + l] * v[l] * w[k] }
    k146(x: Dense[n, m], w: Dense[k, l]) -> y: Dense[i, j] { y[i, j] += x[i + k, j + l] * w[k, l] }
    k147(x: Dense[i], w: Dense[k]) -> y: Dense[n] { y[i + k] += x[i] * w[k] }
    k148(x: {(i, j) -> (i : dense, j : compressed)}[i, j]) -> y: Dense[n] { y[2 * i + j] += x[i, j] }
    k149(s: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], u: Dense[i, k], v: Dense[k, j]) -> y: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j] { y[i, j] = s[i, j] * u[i, k] * v[k, j] }
    k150(s: {(i, j) -> (i : dense, j : compressed)}[i, j], u: Dense[i, k], v: Dense[k, j]) -> y: {(i, j) -> (i : dense, j : compressed)}[i, j] { y[i, j] = s[i, j] * u[i, k] * v[k, j] }
    k151(a: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[i, j], b: {(i, j) -> (i : dense, j : compressed)}[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, j] + b[i, j] }
    k152(a: {(i, j) -> (i : dense, j : compressed)}[i, k], b: {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)}[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] = a[i, k] * b[k, j] }
    k153(a: {(i, j) -> (i : dense, j : compressed)}[i, k], b: {(i, j) -> (j : dense, i : compressed)}[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}[i, j] { c[i, j] min= a[i, k] * b[k, j] }
    k154(a: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; parallel(i) }
    k155(a: {(i, j) -> (i : dense, j : compressed(nonunique))}[i, j], x: Dense[j]) -> y: Dense[j] { y[j] max= a[i, j] * x[j]; parallel(j) }
    k156(a: {(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))}[i, j]) -> y: Dense[j, i] { y[j, i] min= a[i, j] }
    k157(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j], x: Dense[i]) -> y: Dense[i] { y[i] += a[i, j] * x[i] if x[i] < 3 }
    k158(a: {(i, j) -> (i * 64 + j : compressed(nonunique))}[i, j]) -> y: {(i, j) -> (i : dense, j : compressed)}[i, j] { y[i, j] = a[i, j] * a[i, j] }
    k159(a: {(i, j) -> (i : dense, j : compressed)}[i, j], b: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[i, j]) -> y: Dense[i] { y[i] += a[i, j] * b[i, j] * x[i, j]; gallop(j) }
    k160(a: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[j]) -> y: Dense[i] { y[i] += a[i, j] * x[j]; unroll(j, 3) }
    k161(a: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k]; vectorize(k) }
    k162(a: {(i, j) -> (i : dense, j : compressed)}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] max= a[i, j] * x[j, k]; split(k, 4) }
    k163(a: {(i, j) -> (i : dense, j : delta[1])}[i, j], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * x[j, k] }
    k164(a: {(i, j) -> (i : dense, j : delta[1])}[i, j], b: Dense[i, k], x: Dense[j, k]) -> y: Dense[i, k] { y[i, k] += a[i, j] * b[i, k] * x[j, k] }
}

/// The kind of elements of a case.
#[derive(Clone, Copy)]
struct Mood {
    infinite: bool,
    /// Whether there are numbers whose products leave the range of floats unless they are multiplied in the written order. Then
    /// no number is negative, so that sums in any order are nearly equal.
    powers: bool,
}

impl Mood {
    fn value(self, tape: &mut Tape<'_>) -> f64 {
        match tape.below(20) {
            0 if self.powers => 1e200,
            1 if self.powers => 1e-200,
            number if self.powers => number as f64,
            0 if self.infinite => f64::INFINITY,
            1 if self.infinite => f64::NEG_INFINITY,
            2 => f64::NAN,
            number => number as f64 - 10.0,
        }
    }
}

fn operands(twin: &Twin, tape: &mut Tape<'_>) -> Operands {
    let extreme = ["min=", "max="].iter().any(|reduction| twin.text.contains(reduction));
    let infinite = !(extreme && twin.text.contains('*'));
    // A product of many numbers depends on the order of the loops.
    let powers = !twin.text.contains("*=") && tape.once_in(3);
    let mood = Mood { infinite, powers };
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for dim in twin.operands.iter().flat_map(|(_, _, dims)| *dims) {
        // Windows longer than what they slide along, and rows as long as the lanes.
        let size = if tape.once_in(12) { 8 + tape.below(34) } else { tape.below(10) };
        sizes.entry(dim).or_insert(size);
    }
    for (_, ty, dims) in twin.operands.iter().filter(|(_, ty, _)| ty.starts_with('{')) {
        let shape: Vec<_> = dims.iter().map(|dim| Some(sizes[dim])).collect();
        if !braced(ty).array_problems(&shape, None).is_empty() {
            // A `structured` level that is a whole dimension has only that many coordinates.
            for dim in *dims {
                sizes.entry(dim).and_modify(|size| *size %= 5);
            }
        }
    }
    let operand = |(name, ty, dims): &(&'static str, &str, &[&str])| {
        let shape: Vec<usize> = dims.iter().map(|dim| sizes[dim]).collect();
        let total: usize = shape.iter().product();
        let entries = match *ty {
            "Dense" => (0..total).map(|position| (index(position, &shape), mood.value(tape))).collect(),
            _ => entries(&braced(ty), &shape, total, mood, tape),
        };
        (*name, Operand { shape, entries })
    };
    Operands(twin.operands.iter().map(operand).collect())
}

/// Entries that an encoding can store.
fn entries(
    encoding: &SparseEncoding,
    shape: &[usize],
    total: usize,
    mood: Mood,
    tape: &mut Tape<'_>,
) -> Vec<(Vec<usize>, f64)> {
    let mut entries = Vec::new();
    let density = 1 + tape.below(5);
    for position in 0..total {
        if tape.below(6) >= density {
            continue;
        }
        let copies = if keeps(encoding) && tape.once_in(4) { 2 } else { 1 };
        for _ in 0..copies {
            entries.push((index(position, shape), mood.value(tape)));
        }
        let tensor = DynSparseTensor::from_coo(*encoding, shape, &entries, duplicates(encoding));
        if tensor.is_err() {
            entries.truncate(entries.len() - copies);
        }
    }
    entries
}

fn given(twin: &Twin, operands: &Operands) -> Vec<DynOperand<f64>> {
    let operand = |(name, ty, _): &(&str, &str, &[&str])| {
        let Operand { shape, entries } = &operands.0[name];
        match *ty {
            "Dense" => {
                let values = entries.iter().map(|entry| entry.1).collect();
                DynOperand::dense(shape, values).expect("all values")
            }
            _ => {
                let encoding = braced(ty);
                let tensor =
                    DynSparseTensor::from_coo(encoding, shape, entries, duplicates(&encoding));
                tensor.expect("entries that can be stored").into()
            }
        }
    };
    twin.operands.iter().map(operand).collect()
}

/// A statement without its schedule, and with it.
static KERNELS: LazyLock<Vec<[SparseKernel; 2]>> = LazyLock::new(|| {
    let kernel = |text: &str| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let both = |twin: &Twin| match twin.text.split_once(';') {
        Some((statement, _)) => [kernel(&format!("{statement} }}")), kernel(twin.text)],
        None => [kernel(twin.text), kernel(twin.text)],
    };
    TWINS.iter().map(both).collect()
});

/// The result of a statement at run time; `None` if it does not fit its encoding.
fn interpreted(
    kernel: &SparseKernel,
    operands: &[DynOperand<f64>],
) -> Result<Option<Output>, TestCaseError> {
    Ok(Some(match kernel.run(operands) {
        Ok(DynOperand::Scalar(value)) => (Vec::new(), vec![(Vec::new(), value)]),
        Ok(DynOperand::Dense { shape, values }) => {
            let entry = |(position, value): (usize, &f64)| (index(position, &shape), *value);
            let entries = values.iter().enumerate().map(entry).collect();
            (shape, entries)
        }
        Ok(DynOperand::Tiled { .. }) => panic!("the output is not packed"),
        Ok(DynOperand::Sparse(tensor)) => (tensor.shape().to_vec(), tensor.to_coo()),
        Err(RunError::Build(error)) if does_not_fit(&error) => return Ok(None),
        Err(error) => return Err(TestCaseError::fail(format!("{kernel}{error}"))),
    }))
}

/// Whether two outputs are equal except for the order of additions.
fn same(a: &Option<Output>, b: &Option<Output>) -> bool {
    let close = |a: f64, b: f64| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
    };
    match (a, b) {
        (None, None) => true,
        (Some((shape, a)), Some((other, b))) => {
            let pairs = || a.iter().zip(b);
            shape == other
                && a.len() == b.len()
                && pairs().all(|((at, x), (other, y))| at == other && close(*x, *y))
        }
        _ => false,
    }
}

fn check(which: usize, bytes: &[u8]) -> Result<(), TestCaseError> {
    let twin = &TWINS[which % TWINS.len()];
    let operands = operands(twin, &mut Tape::new(bytes));
    let given = given(twin, &operands);
    let [plain, scheduled] = &KERNELS[which % TWINS.len()];
    let (expected, scheduled) = (interpreted(plain, &given)?, interpreted(scheduled, &given)?);
    prop_assert!(
        same(&expected, &scheduled),
        "{} of {operands:?}: {expected:?}, with its schedule {scheduled:?}",
        twin.text
    );
    let made = match catch_unwind(AssertUnwindSafe(|| (twin.run)(&operands))) {
        Ok(Ok(output)) => Some(output),
        Ok(Err(KernelError::Build(error))) if does_not_fit(&error) => None,
        Ok(Err(error)) => {
            return Err(TestCaseError::fail(format!("{} of {operands:?}: {error}", twin.text)));
        }
        Err(_) => return Err(TestCaseError::fail(format!("{} of {operands:?} panics", twin.text))),
    };
    prop_assert!(
        same(&expected, &made),
        "{} of {operands:?}: {expected:?}, through the macro {made:?}",
        twin.text
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(3000), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_macro_computes_what_the_statement_says(which in any::<usize>(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(which, &bytes)?;
    }
}
