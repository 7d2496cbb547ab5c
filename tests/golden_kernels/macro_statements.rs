//! Written by `BLESS=1 cargo test --test golden_kernels`.

use crate::statements_through_macro::{Operands, Outputs, Stored};
use tensor_layout::sparsify::KernelError;
use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn k0040df2af233a054(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.gt(a[i, k], b[k, j]) }
    fn k03b5587793c231f5(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.times(a[i, k], b[k, j]) }
    fn k03c0a82ab8f2efa3(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> t: i64 { t = m[i, j] * a[i, k] * b[k, j] }
    fn k0761d4e57ca68221(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.minus(a[i, k], b[k, j]) }
    fn k093238e028fc9448(m: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = m[i, j] * a[i, k] * b[k, j] }
    fn k096ca33c985b6087(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) != 0 }
    fn k0c6e55c8375999db(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<u32>[i]) -> y: Dense<i64>[k] { y[r[i]] += a[i, j]; size(k, 6) }
    fn k0d8fba548df53473(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) == 0 }
    fn k0fb859b1a5a90c5f(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.eq(a[i, k], b[k, j]) }
    fn k1018b28248f02b7f(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.ge(a[i, k], b[k, j]) }
    fn k11303afd4f734c73(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.plus(a[i, k], b[k, j]) }
    fn k11a4b95e41f6c1c3(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.times(a[i, k], b[k, j]) }
    fn k11f869f45bd150af(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.pair(a[i, k], b[k, j]) }
    fn k13aa0d8aa0507105(s: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = s[i, j] + s[j, i] }
    fn k194599238667f541(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.min(a[i, k], b[k, j]) }
    fn k19863cd4432d1149(h: Dense<i64>[b, t], w: Dense<i64>[n, k], page: Dense<u32>[b, t]) -> o: Dense<i64>[b, k] { o[b, k] = h[b, t] * w[page[b, t], k] }
    fn k1bc2da1caf9cd36b(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.max(a[i, k], b[k, j]) }
    fn k1c1dda8f960c346d(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.eq(a[i, k], b[k, j]) }
    fn k1c44990bb0352528(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.land(a[i, k], b[k, j]) }
    fn k1cf14627cc553281(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.plus(a[i, k], b[k, j]) }
    fn k1d6b3e4d2da54d91(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.pair(a[i, k], b[k, j]) }
    fn k1e01a67cfe4e590a(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.land(a[i, k], b[k, j]) }
    fn k1e2471e96af8fc55(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.eq(a[i, k], b[k, j]) }
    fn k1effb6ec4f959d88(x: Dense<i64>[n], p: Dense<u32>[j], q: Dense<u32>[i]) -> y: Dense<i64>[i] { y[i] = x[p[q[i]]] }
    fn k1f292b7aea0ba8e6(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.gt(a[i, k], b[k, j]) }
    fn k22cf7ca26db8f6cf(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.lt(a[i, k], b[k, j]) }
    fn k244c2c87dced9e71(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], w: Dense<i64>[n, k], p: Dense<u32>[j]) -> y: Dense<i64>[i, k] { y[i, k] = a[i, j] * w[p[j], k] }
    fn k249122527e8988fd(h: Dense<i64>[b, t], w: Dense<i64>[n, k], page: Dense<i32>[b, t]) -> o: Dense<i64>[b, k] { o[b, k] = h[b, t] * w[page[b, t], k] }
    fn k24c8040f389bac12(s: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j]) -> t: i64 { t = s[i, j] * s[i, k] * s[k, j] }
    fn k25fed503fa5b36a9(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.plus(a[i, k], b[k, j]) }
    fn k264ec196673c5ea5(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.first(a[i, k], b[k, j]) }
    fn k2703b3e7539335de(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.land(a[i, k], b[k, j]) }
    fn k29574019f8071f92(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.ne(a[i, k], b[k, j]) }
    fn k29691ce6dd3e845b(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.plus(a[i, k], b[k, j]) }
    fn k29fd3445d601395f(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.max(a[i, k], b[k, j]) }
    fn k2a1f8c2163ad9e97(s: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = s[i, j] * s[i, k] * s[k, j] }
    fn k2a5f0998875f8d51(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<u32>[i], c: Dense<u32>[j], z: Dense<i64>[l]) -> y: {(i, j) -> (i : dense, j : compressed)}<i64>[k, l] { y[r[i], c[j]] = a[i, j]; size(k, 6) }
    fn k2ade66031eaa3f1f(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) != 0 }
    fn k2d10eb069642727d(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.max(a[i, k], b[k, j]) }
    fn k2dcae8aad5eacd8d(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.ge(a[i, k], b[k, j]) }
    fn k30aec742342ad56f(m: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> t: i64 { t = m[i, j] * a[i, k] * b[k, j] }
    fn k3382f5c9c216d23f(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.second(a[i, k], b[k, j]) }
    fn k3587af5cf65cf8e7(m: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) == 0 }
    fn k36b17abe408c35bf(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.lt(a[i, k], b[k, j]) }
    fn k3962d07880c02889(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.lt(a[i, k], b[k, j]) }
    fn k3c7fc222d6ffed11(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.plus(a[i, k], b[k, j]) }
    fn k3ca83f5471d49a3c(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j]) -> at: {(i) -> (i : compressed)}<i64>[i] { at[i] = argmin(a[i, j], j) }
    fn k3cd14faf0b2ea375(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.min(a[i, k], b[k, j]) }
    fn k3d397389ab079fe1(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.second(a[i, k], b[k, j]) }
    fn k3e2d12bb7ecea3f4(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.gt(a[i, k], b[k, j]) }
    fn k4149330c1188d5c1(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = cast(a[i, j]) * x[j] }
    fn k415833e77a9a39ba(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = m[i, j] * a[i, k] * b[k, j] }
    fn k42ad1eef1b490cc1(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.min(a[i, k], b[k, j]) }
    fn k45f552cf8bdd0c1b(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k]) -> c: Dense<i64>[i, j] { c[i, j] += a[i, k] * a[j, k] }
    fn k49748ab961e43590(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.lor(a[i, k], b[k, j]) }
    fn k4a8ae2e796d2e747(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<i32>[i]) -> y: Dense<i64>[k] { y[r[i]] += a[i, j]; size(k, 6) }
    fn k4ab39ab384a41cac(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.land(a[i, k], b[k, j]) }
    fn k4e057be4746eb255(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) == 0 }
    fn k5203ad2ab000d318(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = cast(a[i, j]) * x[j] }
    fn k545d481cd3edc36a(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * a[j, k] }
    fn k5531a95e08805caf(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.second(a[i, k], b[k, j]) }
    fn k588597f14c7347f1(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] == 0 }
    fn k59b0d3c8c87f561f(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.plus(a[i, k], b[k, j]) }
    fn k5bab13eab8fdbe81(a: {(i, j) -> (j : dense, i : compressed)}<f64>[i, j], x: Dense<i64>[j]) -> y: Dense<i64>[i] { y[i] = cast(a[i, j]) * x[j] }
    fn k5bb2156cfb11bbfd(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.minus(a[i, k], b[k, j]) }
    fn k5c23c5971f0ee94a(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.land(a[i, k], b[k, j]) }
    fn k5ef4a7dad10efd71(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.times(a[i, k], b[k, j]) }
    fn k614221dd6baca107(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], x: Dense<i64>[n], p: Dense<i64>[j]) -> y: Dense<i64>[i] { y[i] += a[i, j] * x[p[j]] }
    fn k61ab44caa7ad94f5(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.minus(a[i, k], b[k, j]) }
    fn k62ed72bd6b8bf753(s: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = s[i, j] + s[j, i] }
    fn k63007d526a2d9cbf(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.max(a[i, k], b[k, j]) }
    fn k6472803749837063(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.lt(a[i, k], b[k, j]) }
    fn k669390b4533e3a2c(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = m[i, j] * a[i, k] * b[k, j] }
    fn k67da712898ce4716(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.le(a[i, k], b[k, j]) }
    fn k683d76edca1e905b(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.pair(a[i, k], b[k, j]) }
    fn k6a1b2e58c60106dc(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.lor(a[i, k], b[k, j]) }
    fn k6b371fcd088d4011(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.lt(a[i, k], b[k, j]) }
    fn k6c5f7a23a52efb91(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<u8>[i], c: Dense<u8>[j], z: Dense<i64>[l]) -> y: {(i, j) -> (i : dense, j : compressed)}<i64>[k, l] { y[r[i], c[j]] = a[i, j]; size(k, 6) }
    fn k6db539bc717d6306(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], x: Dense<i64>[n], p: Dense<u32>[j]) -> y: Dense<i64>[i] { y[i] += a[i, j] * x[p[j]] }
    fn k6dffa0a41bc7d495(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.eq(a[i, k], b[k, j]) }
    fn k6e3f2b77c36a84f2(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.gt(a[i, k], b[k, j]) }
    fn k6e9aaf92a9cf4fee(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = cast(a[i, j]) }
    fn k6ea00d76a8e0b139(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.min(a[i, k], b[k, j]) }
    fn k703e961bf2155df4(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = m[i, j] * a[i, k] * b[k, j] }
    fn k7221412198051b84(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.lxor(a[i, k], b[k, j]) }
    fn k722e501317d24f76(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.lxor(a[i, k], b[k, j]) }
    fn k7352c75ae8b935f3(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.minus(a[i, k], b[k, j]) }
    fn k735d63556dc903e7(s: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], q: Dense<f64>[i, k], key: Dense<f64>[j, k], v: Dense<f64>[j, l]) -> o: Dense<f64>[i, l] { let e: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] = stored(s[i, j]) * q[i, k] * key[j, k]; let most[i] max= e[i, j]; let p: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] = stored(e[i, j]) * exp2(e[i, j] - most[i]); let z[i] = p[i, j]; let t[i, l] = p[i, j] * v[j, l]; o[i, l] = select(z[i], t[i, l] / z[i], 0) }
    fn k76fee3b355c1d1cd(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.first(a[i, k], b[k, j]) }
    fn k77a2a4c769a9f4e0(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.gt(a[i, k], b[k, j]) }
    fn k77f239f7b1839dd7(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] == 0 }
    fn k78ad7f092674912f(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.times(a[i, k], b[k, j]) }
    fn k7a7d1f872c571023(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.min(a[i, k], b[k, j]) }
    fn k7ab12ae1aa89760a(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.ne(a[i, k], b[k, j]) }
    fn k7b986ab63851ff17(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.minus(a[i, k], b[k, j]) }
    fn k7ba3b211f0bd02fb(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> t: i64 { t = m[i, j] * a[i, k] * b[k, j] }
    fn k8161a16d57894d84(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<i64>[i]) -> y: Dense<i64>[k] { y[r[i]] += a[i, j]; size(k, 6) }
    fn k82d06a8d388804f4(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.le(a[i, k], b[k, j]) }
    fn k854464d1d6c9ac17(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.minus(a[i, k], b[k, j]) }
    fn k87f315cf9f41356d(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.second(a[i, k], b[k, j]) }
    fn k88c5cf7d8587bf53(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.ge(a[i, k], b[k, j]) }
    fn k8c15f2a1905b377d(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0 }
    fn k8dcea2f2aecd0428(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.ne(a[i, k], b[k, j]) }
    fn k92a67ba4980537ff(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.times(a[i, k], b[k, j]) }
    fn k937bb6eb0f76b923(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.first(a[i, k], b[k, j]) }
    fn k947b163a705992a1(m: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0 }
    fn k96b42ece6f493c14(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.le(a[i, k], b[k, j]) }
    fn k973167b35f6dddf7(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.ge(a[i, k], b[k, j]) }
    fn k98626bed1d82533a(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.lxor(a[i, k], b[k, j]) }
    fn k9f72ba8f05428623(a: {(i, j) -> (j : dense, i : compressed)}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = cast(a[i, j]) * x[j] }
    fn ka25dfd06cfd46914(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.lxor(a[i, k], b[k, j]) }
    fn ka497911346975fba(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.le(a[i, k], b[k, j]) }
    fn ka49a09a2cfb872b0(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], w: Dense<i64>[n, k], p: Dense<i64>[j]) -> y: Dense<i64>[i, k] { y[i, k] = a[i, j] * w[p[j], k] }
    fn ka53e45ae3bd840a4(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.le(a[i, k], b[k, j]) }
    fn ka582e308ba392a5f(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.min(a[i, k], b[k, j]) }
    fn ka739ed33197f5081(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.lt(a[i, k], b[k, j]) }
    fn ka8e3234b72b0b19f(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<i64>[j]) -> y: Dense<i64>[i] { y[i] = cast(a[i, j]) * x[j] }
    fn ka8ee20221017d005(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0 }
    fn ka9cbcd7a3754285b(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], x: Dense<i64>[n], p: Dense<u8>[j]) -> y: Dense<i64>[i] { y[i] += a[i, j] * x[p[j]] }
    fn ka9fb20029e67e901(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<i64>[i], c: Dense<i64>[j], z: Dense<i64>[l]) -> y: {(i, j) -> (i : dense, j : compressed)}<i64>[k, l] { y[r[i], c[j]] = a[i, j]; size(k, 6) }
    fn kaa0554385824726f(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.first(a[i, k], b[k, j]) }
    fn kab4b3bf154169b4d(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], w: Dense<i64>[n, k], p: Dense<i32>[j]) -> y: Dense<i64>[i, k] { y[i, k] = a[i, j] * w[p[j], k] }
    fn kaf1bf11e0977e6f8(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.ne(a[i, k], b[k, j]) }
    fn kb03306a80f20265e(h: Dense<i64>[b, t], w: Dense<i64>[n, k], page: Dense<i64>[b, t]) -> o: Dense<i64>[b, k] { o[b, k] = h[b, t] * w[page[b, t], k] }
    fn kb03b6e2b985fd097(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.max(a[i, k], b[k, j]) }
    fn kb2385e1136d66c91(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.pair(a[i, k], b[k, j]) }
    fn kb25b74fe3ef2d079(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<i32>[i], c: Dense<i32>[j], z: Dense<i64>[l]) -> y: {(i, j) -> (i : dense, j : compressed)}<i64>[k, l] { y[r[i], c[j]] = a[i, j]; size(k, 6) }
    fn kb2a2c1e901c68e0d(m: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] == 0 }
    fn kb59ba3b3fe7fe064(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.gt(a[i, k], b[k, j]) }
    fn kb5ad352eba3f1acb(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.second(a[i, k], b[k, j]) }
    fn kb5e67aef7b72fdac(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.land(a[i, k], b[k, j]) }
    fn kb6f68be89e6852cc(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], w: Dense<i64>[n, k], p: Dense<u8>[j]) -> y: Dense<i64>[i, k] { y[i, k] = a[i, j] * w[p[j], k] }
    fn kb76db7e8d1fd4f0d(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.max(a[i, k], b[k, j]) }
    fn kb88f78e28d145b22(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.ne(a[i, k], b[k, j]) }
    fn kb96a24e99ba63eb7(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.ge(a[i, k], b[k, j]) }
    fn kbc72af63c81cd0ef(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.pair(a[i, k], b[k, j]) }
    fn kbcb13b145f6b677a(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.lxor(a[i, k], b[k, j]) }
    fn kbe579bf7e33fc57b(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.plus(a[i, k], b[k, j]) }
    fn kbea5da0cb8fe2d25(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.pair(a[i, k], b[k, j]) }
    fn kbf756fc18bbe1333(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.first(a[i, k], b[k, j]) }
    fn kbfa4f6149e05d032(a: {(i, j) -> (j : dense, i : compressed)}<u8>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[j, i] { c[j, i] = cast(a[i, j] * a[i, j]) }
    fn kbfa9b1f1ce5269c8(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], v: {(i) -> (i : compressed)}<i64>[n], p: Dense<u32>[j]) -> y: Dense<i64>[i] { y[i] = a[i, j] * v[p[j]] }
    fn kc1d300ce6b923994(h: Dense<i64>[b, t], w: Dense<i64>[n, k], page: Dense<u8>[b, t]) -> o: Dense<i64>[b, k] { o[b, k] = h[b, t] * w[page[b, t], k] }
    fn kc331c0d05eefdd24(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], v: {(i) -> (i : compressed)}<i64>[n], p: Dense<i32>[j]) -> y: Dense<i64>[i] { y[i] = a[i, j] * v[p[j]] }
    fn kc59a6a736f9de669(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = cast(a[i, j]) }
    fn kc6042553d6f62fdc(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.ne(a[i, k], b[k, j]) }
    fn kc6c8530335fad365(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> t: i64 { t = m[i, j] * a[i, k] * b[k, j] }
    fn kc6d64da5f8fbef03(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.first(a[i, k], b[k, j]) }
    fn kc730357b26a69d6f(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.eq(a[i, k], b[k, j]) }
    fn kc7a533826b0f62a5(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.ge(a[i, k], b[k, j]) }
    fn kc846886462ddb050(s: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j]) -> t: i64 { t = s[i, j] * s[i, k] * s[k, j] }
    fn kca50ba6cf0af0df8(x: Dense<i64>[n], p: Dense<i32>[j], q: Dense<i32>[i]) -> y: Dense<i64>[i] { y[i] = x[p[q[i]]] }
    fn kca5e31cd99f4ff7d(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.minus(a[i, k], b[k, j]) }
    fn kcc5d14da0b2e18a5(s: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = s[i, j] * s[i, k] * s[k, j] }
    fn kcc7012991ff1a7d8(a: {(i, j) -> (i : dense, j : compressed)}<u8>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[j, i] { c[j, i] = cast(a[i, j] * a[i, j]) }
    fn kcd70733793ab9162(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.lxor(a[i, k], b[k, j]) }
    fn kcefece1e0fb0e6e1(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], v: {(i) -> (i : compressed)}<i64>[n], p: Dense<u8>[j]) -> y: Dense<i64>[i] { y[i] = a[i, j] * v[p[j]] }
    fn kceff1b307a56a78b(m: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) != 0 }
    fn kcfa13d4418094e46(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = cast(a[i, j]) * x[j] }
    fn kd09de9746b8cc01a(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j]) -> at: {(i) -> (i : compressed)}<i64>[i] { at[i] = argmax(a[i, j], j) }
    fn kd22702cac073238a(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.lor(a[i, k], b[k, j]) }
    fn kd62ddadbdd440e49(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] == 0 }
    fn kd921bfa92134e3fe(x: Dense<i64>[n], p: Dense<u8>[j], q: Dense<u8>[i]) -> y: Dense<i64>[i] { y[i] = x[p[q[i]]] }
    fn kdb5062c7256b91f0(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.lor(a[i, k], b[k, j]) }
    fn kdb6d735c57e16267(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.second(a[i, k], b[k, j]) }
    fn kdc6925432df3f759(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.eq(a[i, k], b[k, j]) }
    fn kdcd0dd073bc9164c(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], x: Dense<i64>[j, k], w: Dense<i64>[k, l]) -> (h: Dense<i64>[i, l], s: i64) { let t[i, k] = a[i, j] * x[j, k]; let u[i, l] = t[i, k] * w[k, l]; h[i, l] = max(u[i, l], 0); s = h[i, l] * u[i, l] }
    fn kde19ea31eb1016e7(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = times.times(a[i, k], b[k, j]) }
    fn ke13dfe630e215700(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.le(a[i, k], b[k, j]) }
    fn ke1cb6e89be4d5420(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.lor(a[i, k], b[k, j]) }
    fn ke24310b2be63e6eb(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], v: {(i) -> (i : compressed)}<i64>[n], p: Dense<i64>[j]) -> y: Dense<i64>[i] { y[i] = a[i, j] * v[p[j]] }
    fn ke2a76bd1671458ba(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.le(a[i, k], b[k, j]) }
    fn ke7aa3d29ba2e4bb4(x: Dense<i64>[n], p: Dense<i64>[j], q: Dense<i64>[i]) -> y: Dense<i64>[i] { y[i] = x[p[q[i]]] }
    fn ke957fcf42b664c39(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) != 0 }
    fn ke9a63b68bfb3fef7(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.eq(a[i, k], b[k, j]) }
    fn keb784f7baf0baf72(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], x: Dense<i64>[n], p: Dense<i32>[j]) -> y: Dense<i64>[i] { y[i] += a[i, j] * x[p[j]] }
    fn kebb89799263313d9(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.max(a[i, k], b[k, j]) }
    fn kec6a94b6f93ab4c1(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k]) -> c: Dense<i64>[i, j] { c[i, j] += a[i, k] * a[j, k] }
    fn ked908b40079ced54(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = cast(a[i, j]) }
    fn kedb84edc6a5522fb(s: {(i, j) -> (j : dense, i : compressed)}<i64>[i, j]) -> d: Dense<i64>[i] { d[i] = s[i, i] * s[i, j] }
    fn kee232c391320c2f3(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.min(a[i, k], b[k, j]) }
    fn kef425ff8a2a42123(a: {(i, j) -> (j : dense, i : compressed)}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = cast(a[i, j]) }
    fn kf1e014aabdc6db86(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = plus.ne(a[i, k], b[k, j]) }
    fn kf3a86dc6a09608c0(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], r: Dense<u8>[i]) -> y: Dense<i64>[k] { y[r[i]] += a[i, j]; size(k, 6) }
    fn kf471de3289554800(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.lxor(a[i, k], b[k, j]) }
    fn kf55d234c24ab6d39(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.second(a[i, k], b[k, j]) }
    fn kf7764e1b9c638222(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.gt(a[i, k], b[k, j]) }
    fn kf7a30596bea35c31(s: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j]) -> d: Dense<i64>[i] { d[i] = s[i, i] * s[i, j] }
    fn kf7b1ce1d967a792f(a: {(i, j) -> (j : dense, i : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = max.lt(a[i, k], b[k, j]) }
    fn kf8a2a44ec298ac2b(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) == 0 }
    fn kfa095e5bf54a84f5(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.times(a[i, k], b[k, j]) }
    fn kfae66700f33d0bd2(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.land(a[i, k], b[k, j]) }
    fn kfc0a7f682d0ad375(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.first(a[i, k], b[k, j]) }
    fn kfc966f8fc04a8d9e(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.lor(a[i, k], b[k, j]) }
    fn kfd020c05b5469fdb(m: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0 }
    fn kfd181a5ea1caa387(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = any.pair(a[i, k], b[k, j]) }
    fn kfe625b28ff50e1b6(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k], b: {(i, j) -> (j : dense, i : compressed)}<i64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = min.lor(a[i, k], b[k, j]) }
    fn kff71f97efc4607a4(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, k]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j] { c[i, j] = a[i, k] * a[j, k] }
    fn kff9d1319868b40f5(a: {(i, j) -> (j : dense, i : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = land.ge(a[i, k], b[k, j]) }
}

pub(crate) type Run = fn(&Operands<'_>) -> Result<Vec<Stored>, KernelError>;

pub(crate) const KERNELS: &[(&str, Run)] = &[
    ("k0040df2af233a054", |o| Ok(k0040df2af233a054(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k03b5587793c231f5", |o| Ok(k03b5587793c231f5(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k03c0a82ab8f2efa3", |o| Ok(k03c0a82ab8f2efa3(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k0761d4e57ca68221", |o| Ok(k0761d4e57ca68221(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k093238e028fc9448", |o| Ok(k093238e028fc9448(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k096ca33c985b6087", |o| Ok(k096ca33c985b6087(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k0c6e55c8375999db", |o| Ok(k0c6e55c8375999db(&o.sparse("a"), &o.dense("r"))?.stored())),
    ("k0d8fba548df53473", |o| Ok(k0d8fba548df53473(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k0fb859b1a5a90c5f", |o| Ok(k0fb859b1a5a90c5f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1018b28248f02b7f", |o| Ok(k1018b28248f02b7f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k11303afd4f734c73", |o| Ok(k11303afd4f734c73(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k11a4b95e41f6c1c3", |o| Ok(k11a4b95e41f6c1c3(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k11f869f45bd150af", |o| Ok(k11f869f45bd150af(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k13aa0d8aa0507105", |o| Ok(k13aa0d8aa0507105(&o.sparse("s"))?.stored())),
    ("k194599238667f541", |o| Ok(k194599238667f541(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k19863cd4432d1149", |o| Ok(k19863cd4432d1149(&o.dense("h"), &o.dense("w"), &o.dense("page"))?.stored())),
    ("k1bc2da1caf9cd36b", |o| Ok(k1bc2da1caf9cd36b(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1c1dda8f960c346d", |o| Ok(k1c1dda8f960c346d(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1c44990bb0352528", |o| Ok(k1c44990bb0352528(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1cf14627cc553281", |o| Ok(k1cf14627cc553281(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1d6b3e4d2da54d91", |o| Ok(k1d6b3e4d2da54d91(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1e01a67cfe4e590a", |o| Ok(k1e01a67cfe4e590a(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1e2471e96af8fc55", |o| Ok(k1e2471e96af8fc55(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k1effb6ec4f959d88", |o| Ok(k1effb6ec4f959d88(&o.dense("x"), &o.dense("p"), &o.dense("q"))?.stored())),
    ("k1f292b7aea0ba8e6", |o| Ok(k1f292b7aea0ba8e6(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k22cf7ca26db8f6cf", |o| Ok(k22cf7ca26db8f6cf(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k244c2c87dced9e71", |o| Ok(k244c2c87dced9e71(&o.sparse("a"), &o.dense("w"), &o.dense("p"))?.stored())),
    ("k249122527e8988fd", |o| Ok(k249122527e8988fd(&o.dense("h"), &o.dense("w"), &o.dense("page"))?.stored())),
    ("k24c8040f389bac12", |o| Ok(k24c8040f389bac12(&o.sparse("s"))?.stored())),
    ("k25fed503fa5b36a9", |o| Ok(k25fed503fa5b36a9(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k264ec196673c5ea5", |o| Ok(k264ec196673c5ea5(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k2703b3e7539335de", |o| Ok(k2703b3e7539335de(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k29574019f8071f92", |o| Ok(k29574019f8071f92(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k29691ce6dd3e845b", |o| Ok(k29691ce6dd3e845b(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k29fd3445d601395f", |o| Ok(k29fd3445d601395f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k2a1f8c2163ad9e97", |o| Ok(k2a1f8c2163ad9e97(&o.sparse("s"))?.stored())),
    ("k2a5f0998875f8d51", |o| Ok(k2a5f0998875f8d51(&o.sparse("a"), &o.dense("r"), &o.dense("c"), &o.dense("z"))?.stored())),
    ("k2ade66031eaa3f1f", |o| Ok(k2ade66031eaa3f1f(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k2d10eb069642727d", |o| Ok(k2d10eb069642727d(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k2dcae8aad5eacd8d", |o| Ok(k2dcae8aad5eacd8d(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k30aec742342ad56f", |o| Ok(k30aec742342ad56f(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3382f5c9c216d23f", |o| Ok(k3382f5c9c216d23f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3587af5cf65cf8e7", |o| Ok(k3587af5cf65cf8e7(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k36b17abe408c35bf", |o| Ok(k36b17abe408c35bf(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3962d07880c02889", |o| Ok(k3962d07880c02889(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3c7fc222d6ffed11", |o| Ok(k3c7fc222d6ffed11(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3ca83f5471d49a3c", |o| Ok(k3ca83f5471d49a3c(&o.sparse("a"))?.stored())),
    ("k3cd14faf0b2ea375", |o| Ok(k3cd14faf0b2ea375(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3d397389ab079fe1", |o| Ok(k3d397389ab079fe1(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k3e2d12bb7ecea3f4", |o| Ok(k3e2d12bb7ecea3f4(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k4149330c1188d5c1", |o| Ok(k4149330c1188d5c1(&o.sparse("a"), &o.dense("x"))?.stored())),
    ("k415833e77a9a39ba", |o| Ok(k415833e77a9a39ba(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k42ad1eef1b490cc1", |o| Ok(k42ad1eef1b490cc1(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k45f552cf8bdd0c1b", |o| Ok(k45f552cf8bdd0c1b(&o.sparse("a"))?.stored())),
    ("k49748ab961e43590", |o| Ok(k49748ab961e43590(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k4a8ae2e796d2e747", |o| Ok(k4a8ae2e796d2e747(&o.sparse("a"), &o.dense("r"))?.stored())),
    ("k4ab39ab384a41cac", |o| Ok(k4ab39ab384a41cac(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k4e057be4746eb255", |o| Ok(k4e057be4746eb255(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k5203ad2ab000d318", |o| Ok(k5203ad2ab000d318(&o.sparse("a"), &o.dense("x"))?.stored())),
    ("k545d481cd3edc36a", |o| Ok(k545d481cd3edc36a(&o.sparse("a"))?.stored())),
    ("k5531a95e08805caf", |o| Ok(k5531a95e08805caf(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k588597f14c7347f1", |o| Ok(k588597f14c7347f1(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k59b0d3c8c87f561f", |o| Ok(k59b0d3c8c87f561f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k5bab13eab8fdbe81", |o| Ok(k5bab13eab8fdbe81(&o.sparse("a"), &o.dense("x"))?.stored())),
    ("k5bb2156cfb11bbfd", |o| Ok(k5bb2156cfb11bbfd(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k5c23c5971f0ee94a", |o| Ok(k5c23c5971f0ee94a(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k5ef4a7dad10efd71", |o| Ok(k5ef4a7dad10efd71(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k614221dd6baca107", |o| Ok(k614221dd6baca107(&o.sparse("a"), &o.dense("x"), &o.dense("p"))?.stored())),
    ("k61ab44caa7ad94f5", |o| Ok(k61ab44caa7ad94f5(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k62ed72bd6b8bf753", |o| Ok(k62ed72bd6b8bf753(&o.sparse("s"))?.stored())),
    ("k63007d526a2d9cbf", |o| Ok(k63007d526a2d9cbf(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k6472803749837063", |o| Ok(k6472803749837063(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k669390b4533e3a2c", |o| Ok(k669390b4533e3a2c(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k67da712898ce4716", |o| Ok(k67da712898ce4716(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k683d76edca1e905b", |o| Ok(k683d76edca1e905b(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k6a1b2e58c60106dc", |o| Ok(k6a1b2e58c60106dc(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k6b371fcd088d4011", |o| Ok(k6b371fcd088d4011(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k6c5f7a23a52efb91", |o| Ok(k6c5f7a23a52efb91(&o.sparse("a"), &o.dense("r"), &o.dense("c"), &o.dense("z"))?.stored())),
    ("k6db539bc717d6306", |o| Ok(k6db539bc717d6306(&o.sparse("a"), &o.dense("x"), &o.dense("p"))?.stored())),
    ("k6dffa0a41bc7d495", |o| Ok(k6dffa0a41bc7d495(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k6e3f2b77c36a84f2", |o| Ok(k6e3f2b77c36a84f2(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k6e9aaf92a9cf4fee", |o| Ok(k6e9aaf92a9cf4fee(&o.sparse("a"))?.stored())),
    ("k6ea00d76a8e0b139", |o| Ok(k6ea00d76a8e0b139(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k703e961bf2155df4", |o| Ok(k703e961bf2155df4(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k7221412198051b84", |o| Ok(k7221412198051b84(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k722e501317d24f76", |o| Ok(k722e501317d24f76(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k7352c75ae8b935f3", |o| Ok(k7352c75ae8b935f3(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k735d63556dc903e7", |o| Ok(k735d63556dc903e7(&o.sparse("s"), &o.dense("q"), &o.dense("key"), &o.dense("v"))?.stored())),
    ("k76fee3b355c1d1cd", |o| Ok(k76fee3b355c1d1cd(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k77a2a4c769a9f4e0", |o| Ok(k77a2a4c769a9f4e0(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k77f239f7b1839dd7", |o| Ok(k77f239f7b1839dd7(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k78ad7f092674912f", |o| Ok(k78ad7f092674912f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k7a7d1f872c571023", |o| Ok(k7a7d1f872c571023(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k7ab12ae1aa89760a", |o| Ok(k7ab12ae1aa89760a(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k7b986ab63851ff17", |o| Ok(k7b986ab63851ff17(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k7ba3b211f0bd02fb", |o| Ok(k7ba3b211f0bd02fb(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k8161a16d57894d84", |o| Ok(k8161a16d57894d84(&o.sparse("a"), &o.dense("r"))?.stored())),
    ("k82d06a8d388804f4", |o| Ok(k82d06a8d388804f4(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k854464d1d6c9ac17", |o| Ok(k854464d1d6c9ac17(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k87f315cf9f41356d", |o| Ok(k87f315cf9f41356d(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k88c5cf7d8587bf53", |o| Ok(k88c5cf7d8587bf53(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k8c15f2a1905b377d", |o| Ok(k8c15f2a1905b377d(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k8dcea2f2aecd0428", |o| Ok(k8dcea2f2aecd0428(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k92a67ba4980537ff", |o| Ok(k92a67ba4980537ff(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k937bb6eb0f76b923", |o| Ok(k937bb6eb0f76b923(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k947b163a705992a1", |o| Ok(k947b163a705992a1(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k96b42ece6f493c14", |o| Ok(k96b42ece6f493c14(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k973167b35f6dddf7", |o| Ok(k973167b35f6dddf7(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k98626bed1d82533a", |o| Ok(k98626bed1d82533a(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("k9f72ba8f05428623", |o| Ok(k9f72ba8f05428623(&o.sparse("a"), &o.dense("x"))?.stored())),
    ("ka25dfd06cfd46914", |o| Ok(ka25dfd06cfd46914(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ka497911346975fba", |o| Ok(ka497911346975fba(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ka49a09a2cfb872b0", |o| Ok(ka49a09a2cfb872b0(&o.sparse("a"), &o.dense("w"), &o.dense("p"))?.stored())),
    ("ka53e45ae3bd840a4", |o| Ok(ka53e45ae3bd840a4(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ka582e308ba392a5f", |o| Ok(ka582e308ba392a5f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ka739ed33197f5081", |o| Ok(ka739ed33197f5081(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ka8e3234b72b0b19f", |o| Ok(ka8e3234b72b0b19f(&o.sparse("a"), &o.dense("x"))?.stored())),
    ("ka8ee20221017d005", |o| Ok(ka8ee20221017d005(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ka9cbcd7a3754285b", |o| Ok(ka9cbcd7a3754285b(&o.sparse("a"), &o.dense("x"), &o.dense("p"))?.stored())),
    ("ka9fb20029e67e901", |o| Ok(ka9fb20029e67e901(&o.sparse("a"), &o.dense("r"), &o.dense("c"), &o.dense("z"))?.stored())),
    ("kaa0554385824726f", |o| Ok(kaa0554385824726f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kab4b3bf154169b4d", |o| Ok(kab4b3bf154169b4d(&o.sparse("a"), &o.dense("w"), &o.dense("p"))?.stored())),
    ("kaf1bf11e0977e6f8", |o| Ok(kaf1bf11e0977e6f8(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb03306a80f20265e", |o| Ok(kb03306a80f20265e(&o.dense("h"), &o.dense("w"), &o.dense("page"))?.stored())),
    ("kb03b6e2b985fd097", |o| Ok(kb03b6e2b985fd097(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb2385e1136d66c91", |o| Ok(kb2385e1136d66c91(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb25b74fe3ef2d079", |o| Ok(kb25b74fe3ef2d079(&o.sparse("a"), &o.dense("r"), &o.dense("c"), &o.dense("z"))?.stored())),
    ("kb2a2c1e901c68e0d", |o| Ok(kb2a2c1e901c68e0d(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb59ba3b3fe7fe064", |o| Ok(kb59ba3b3fe7fe064(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb5ad352eba3f1acb", |o| Ok(kb5ad352eba3f1acb(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb5e67aef7b72fdac", |o| Ok(kb5e67aef7b72fdac(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb6f68be89e6852cc", |o| Ok(kb6f68be89e6852cc(&o.sparse("a"), &o.dense("w"), &o.dense("p"))?.stored())),
    ("kb76db7e8d1fd4f0d", |o| Ok(kb76db7e8d1fd4f0d(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb88f78e28d145b22", |o| Ok(kb88f78e28d145b22(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kb96a24e99ba63eb7", |o| Ok(kb96a24e99ba63eb7(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kbc72af63c81cd0ef", |o| Ok(kbc72af63c81cd0ef(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kbcb13b145f6b677a", |o| Ok(kbcb13b145f6b677a(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kbe579bf7e33fc57b", |o| Ok(kbe579bf7e33fc57b(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kbea5da0cb8fe2d25", |o| Ok(kbea5da0cb8fe2d25(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kbf756fc18bbe1333", |o| Ok(kbf756fc18bbe1333(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kbfa4f6149e05d032", |o| Ok(kbfa4f6149e05d032(&o.sparse("a"))?.stored())),
    ("kbfa9b1f1ce5269c8", |o| Ok(kbfa9b1f1ce5269c8(&o.sparse("a"), &o.sparse("v"), &o.dense("p"))?.stored())),
    ("kc1d300ce6b923994", |o| Ok(kc1d300ce6b923994(&o.dense("h"), &o.dense("w"), &o.dense("page"))?.stored())),
    ("kc331c0d05eefdd24", |o| Ok(kc331c0d05eefdd24(&o.sparse("a"), &o.sparse("v"), &o.dense("p"))?.stored())),
    ("kc59a6a736f9de669", |o| Ok(kc59a6a736f9de669(&o.sparse("a"))?.stored())),
    ("kc6042553d6f62fdc", |o| Ok(kc6042553d6f62fdc(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kc6c8530335fad365", |o| Ok(kc6c8530335fad365(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kc6d64da5f8fbef03", |o| Ok(kc6d64da5f8fbef03(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kc730357b26a69d6f", |o| Ok(kc730357b26a69d6f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kc7a533826b0f62a5", |o| Ok(kc7a533826b0f62a5(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kc846886462ddb050", |o| Ok(kc846886462ddb050(&o.sparse("s"))?.stored())),
    ("kca50ba6cf0af0df8", |o| Ok(kca50ba6cf0af0df8(&o.dense("x"), &o.dense("p"), &o.dense("q"))?.stored())),
    ("kca5e31cd99f4ff7d", |o| Ok(kca5e31cd99f4ff7d(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kcc5d14da0b2e18a5", |o| Ok(kcc5d14da0b2e18a5(&o.sparse("s"))?.stored())),
    ("kcc7012991ff1a7d8", |o| Ok(kcc7012991ff1a7d8(&o.sparse("a"))?.stored())),
    ("kcd70733793ab9162", |o| Ok(kcd70733793ab9162(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kcefece1e0fb0e6e1", |o| Ok(kcefece1e0fb0e6e1(&o.sparse("a"), &o.sparse("v"), &o.dense("p"))?.stored())),
    ("kceff1b307a56a78b", |o| Ok(kceff1b307a56a78b(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kcfa13d4418094e46", |o| Ok(kcfa13d4418094e46(&o.sparse("a"), &o.dense("x"))?.stored())),
    ("kd09de9746b8cc01a", |o| Ok(kd09de9746b8cc01a(&o.sparse("a"))?.stored())),
    ("kd22702cac073238a", |o| Ok(kd22702cac073238a(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kd62ddadbdd440e49", |o| Ok(kd62ddadbdd440e49(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kd921bfa92134e3fe", |o| Ok(kd921bfa92134e3fe(&o.dense("x"), &o.dense("p"), &o.dense("q"))?.stored())),
    ("kdb5062c7256b91f0", |o| Ok(kdb5062c7256b91f0(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kdb6d735c57e16267", |o| Ok(kdb6d735c57e16267(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kdc6925432df3f759", |o| Ok(kdc6925432df3f759(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kdcd0dd073bc9164c", |o| Ok(kdcd0dd073bc9164c(&o.sparse("a"), &o.dense("x"), &o.dense("w"))?.stored())),
    ("kde19ea31eb1016e7", |o| Ok(kde19ea31eb1016e7(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ke13dfe630e215700", |o| Ok(ke13dfe630e215700(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ke1cb6e89be4d5420", |o| Ok(ke1cb6e89be4d5420(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ke24310b2be63e6eb", |o| Ok(ke24310b2be63e6eb(&o.sparse("a"), &o.sparse("v"), &o.dense("p"))?.stored())),
    ("ke2a76bd1671458ba", |o| Ok(ke2a76bd1671458ba(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ke7aa3d29ba2e4bb4", |o| Ok(ke7aa3d29ba2e4bb4(&o.dense("x"), &o.dense("p"), &o.dense("q"))?.stored())),
    ("ke957fcf42b664c39", |o| Ok(ke957fcf42b664c39(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("ke9a63b68bfb3fef7", |o| Ok(ke9a63b68bfb3fef7(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("keb784f7baf0baf72", |o| Ok(keb784f7baf0baf72(&o.sparse("a"), &o.dense("x"), &o.dense("p"))?.stored())),
    ("kebb89799263313d9", |o| Ok(kebb89799263313d9(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kec6a94b6f93ab4c1", |o| Ok(kec6a94b6f93ab4c1(&o.sparse("a"))?.stored())),
    ("ked908b40079ced54", |o| Ok(ked908b40079ced54(&o.sparse("a"))?.stored())),
    ("kedb84edc6a5522fb", |o| Ok(kedb84edc6a5522fb(&o.sparse("s"))?.stored())),
    ("kee232c391320c2f3", |o| Ok(kee232c391320c2f3(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kef425ff8a2a42123", |o| Ok(kef425ff8a2a42123(&o.sparse("a"))?.stored())),
    ("kf1e014aabdc6db86", |o| Ok(kf1e014aabdc6db86(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kf3a86dc6a09608c0", |o| Ok(kf3a86dc6a09608c0(&o.sparse("a"), &o.dense("r"))?.stored())),
    ("kf471de3289554800", |o| Ok(kf471de3289554800(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kf55d234c24ab6d39", |o| Ok(kf55d234c24ab6d39(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kf7764e1b9c638222", |o| Ok(kf7764e1b9c638222(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kf7a30596bea35c31", |o| Ok(kf7a30596bea35c31(&o.sparse("s"))?.stored())),
    ("kf7b1ce1d967a792f", |o| Ok(kf7b1ce1d967a792f(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kf8a2a44ec298ac2b", |o| Ok(kf8a2a44ec298ac2b(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfa095e5bf54a84f5", |o| Ok(kfa095e5bf54a84f5(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfae66700f33d0bd2", |o| Ok(kfae66700f33d0bd2(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfc0a7f682d0ad375", |o| Ok(kfc0a7f682d0ad375(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfc966f8fc04a8d9e", |o| Ok(kfc966f8fc04a8d9e(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfd020c05b5469fdb", |o| Ok(kfd020c05b5469fdb(&o.sparse("m"), &o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfd181a5ea1caa387", |o| Ok(kfd181a5ea1caa387(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kfe625b28ff50e1b6", |o| Ok(kfe625b28ff50e1b6(&o.sparse("a"), &o.sparse("b"))?.stored())),
    ("kff71f97efc4607a4", |o| Ok(kff71f97efc4607a4(&o.sparse("a"))?.stored())),
    ("kff9d1319868b40f5", |o| Ok(kff9d1319868b40f5(&o.sparse("a"), &o.sparse("b"))?.stored())),
];
