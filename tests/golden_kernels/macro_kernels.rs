//! Written by `BLESS=1 cargo test --test golden_kernels`.

use crate::through_macro::{Output, Tensors, array, number, tensor};
use tensor_layout::sparse_kernel;

sparse_kernel! {
    fn k007345c651b3388a(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k00ff83d36aa569c7(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k016d007dca374458(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k04f32c8b50346525(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k04fdb71c10040542(x: Dense<f64>[i], y: {(d0) -> (d0 : compressed)}<f64>[i]) -> s: f64 { s = x[i] * y[i] }
    fn k0591597889d395c9(x: {(d0) -> (d0 : compressed)}<f64>[i], y: {(d0) -> (d0 : compressed)}<f64>[i], w: {(d0) -> (d0 : compressed)}<f64>[i]) -> z: {(d0) -> (d0 : compressed)}<f64>[i] { z[i] = x[i] + y[i] * w[i] }
    fn k077651ff07f08f16(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k07a7e317564d054b(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k080bdc4a7e322c9b(A: Dense<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k0d4f3f5c190744ef(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k0de5df35f5c8c0cb(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k0ea932dc94fa6010(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k106527e4cab5bb72(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k10991f174fa838f8(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k129f933174dd0426(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k14f1ef1321ef9ffa(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k15a1407d772b569f(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k160325b15f91767f(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k172447edc13605c9(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k17d5d3e9f26313c4(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k18c3c26d55d6044e(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k194493bfeadbc2a9(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k1bb4f331af319b7d(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k1ce3c9e096515f68(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k1dcd2bfb94e4cd5c(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: Dense<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k1e586efc85b7bcad(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k1f0b53b2bc7a6078(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] = A[i,j] * x[i] }
    fn k1f9c1cc23458961d(A: Dense<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k20c9a1235ec10284(A: Dense<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k23ef442681f80ca1(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k242290302f9e3149(A: Dense<f64>[i,k], B: Dense<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k270895c3f3a98cb7(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k28f9b22fa7b0d314(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k290039e1d0622c97(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k2a522947861b7a28(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k2a573e3e6e5fe9f2(B: {(d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed)}<f64>[i,k,l], D: Dense<f64>[l,j], C: Dense<f64>[k,j]) -> A: Dense<f64>[i,j] { A[i,j] = B[i,k,l] * D[l,j] * C[k,j] }
    fn k2c29d969cc2c93f8(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k2c9f2f4dc5d0e76c(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> s: f64 { s = A[i,j] }
    fn k2caf12cd9e79a8b7(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k2ce3ab335e3d376d(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k2e208e76d221818f(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k31361ad9ba6e861b(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k31a0b8a6adcf91f9(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k32c49c2b480cb7c6(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k32f5509a51d79da1(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k3442c595e88ea233(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k352a8ec6fa9c3cb9(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k3604d82d78942303(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k3607162ccff7ffb8(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> y: Dense<f64>[i] { y[i] = A[i,j] }
    fn k378fe436ff8c1115(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k37ebea22d08e6d49(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k382cb454106ed30c(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k387c811e4ca98975(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k3b619d7d8ec6f919(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k3bfcdab14f4905bf(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k3e56ece4efd4a83c(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k3e5f8b2614379a8d(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k3ec8ee270024498b(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k3f57766356b3e227(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k404471d8d41fb9c7(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k4289b4245930b91f(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k43580b8a422166bb(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k4592e4eb410b55f2(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k4695dab2b8d548b6(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k4807d2b8b1f9d64e(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k48280e5deb9cd1cd(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k48866638b7fcf232(B: {(d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed)}<f64>[i,k,l], v: Dense<f64>[l]) -> A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k] { A[i,k] = B[i,k,l] * v[l] }
    fn k48d16a9b984f9879(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k4a589dbf49887490(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k4ad4dee274cbfcfe(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k4b97650f5a8097c1(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k4c74cbce9206a103(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], x: {(d0) -> (d0 : compressed)}<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k4ee05c3fcead8a7b(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k4f763503c211226e(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k50382c3cacae0598(x: Dense<f64>[i], y: Dense<f64>[i]) -> z: {(d0) -> (d0 : compressed)}<f64>[i] { z[i] = x[i] - y[i] }
    fn k5084ca33dfb8b50e(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k5329342f3ffeba90(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn k539c23f55d2efbcd(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k5510074f57ea13fa(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k55886d935670bf01(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> s: f64 { s = A[i,j] }
    fn k5771da1d157141b2(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k57a8f6d90344a004(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k59205a2833dfaa41(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k595ff6c5b1ab065d(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k5a95a4d98bc538b6(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k5b6bf056eb849132(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k5e4f5ce9e5d71a8f(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k61066ef2994a400e(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k61388d66b0c093f4(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k614854646e4c5623(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k6165d31a49997c70(A: Dense<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: Dense<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn k61828b0691922d60(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k624fe38eb98dc84b(A: Dense<f64>[i,j], x: {(d0) -> (d0 : compressed)}<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k62c089f9e6f7e693(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k6445afed7456ff57(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k656103c74b0c1082(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], x: {(d0) -> (d0 : compressed)}<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k66d5cc19bd32a84f(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> y: Dense<f64>[i] { y[i] = A[i,j] }
    fn k67281f61d704f2c1(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k67e81527aacf92c5(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k681aa58347a110f3(A: Dense<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k68f1376c9de7a771(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k6a77eedee2f0526f(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k6b18725cf317af48(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k6b90a016e7a7be76(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k6bd0111836aac00a(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k6d34419206f39342(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k6dd1a2ec67e7d0c8(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k6e660779030f37c2(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k6ef5fc46bc87a097(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k6f4a3a9be929941b(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k6f9d1e0796053ea3(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k70d9f9a9af2a5139(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k711312cbc135c76b(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k7132a64260beb428(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k72a66a9d42752900(x: Dense<f64>[i], y: {(d0) -> (d0 : compressed)}<f64>[i]) -> z: {(d0) -> (d0 : compressed)}<f64>[i] { z[i] = x[i] - y[i] }
    fn k75916460309f4525(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k75d2b8cbd1b7c70f(A: Dense<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k76ac0e55b679c04c(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k7781ba0a589366ac(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k79b2929e5f719867(A: Dense<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn k7a2737157e078987(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: Dense<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn k7add18b7e6ba59e7(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k7b4c2e335b143033(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k7cc4d5a2ddc99cec(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k7e830dcaf262e087(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k7f05ecd76ba899cc(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k7f904f956ede7b17(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k80a7d14faca20f2e(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k8120422bcf13c6b1(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k8140b92c3d4c0814(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k8425fdf4cbfed89b(A: Dense<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k86510590efb43164(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k871ab8cb1ef9777d(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k880631fbadd3ecca(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k8b59259a485921a9(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k8be1d4c49e77a7af(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k8c21342053dd8f87(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k8c821f988b1586cd(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k8dd6ea566b36c80e(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k8e6836b073fc762b(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k8fba65305b3cf858(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k8ffe23c98a6e2716(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k9009f27baf40b535(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k9073d60c9218aa37(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k90996ae966ab4df7(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k919ea6c7fe76d85a(B: {(d0, d1, d2) -> (d0 : compressed(nonunique), d1 : singleton(nonunique), d2 : singleton)}<f64>[i,k,l], D: Dense<f64>[l,j], C: Dense<f64>[k,j]) -> A: Dense<f64>[i,j] { A[i,j] = B[i,k,l] * D[l,j] * C[k,j] }
    fn k92323e319288ab66(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn k9250b2d12ef7e3bd(A: Dense<f64>[i,j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] = A[i,j] * x[i] }
    fn k92fdcaff672c60ee(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k93659927ccec9216(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k93ae20658ea72ee1(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn k94dc579d681e873f(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k959b74a12d706ace(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k96750d8acd06748c(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k982eef89e08249f4(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn k99196bc53e205a05(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k995358dfbc3ba142(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k997ea433d930a62d(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k99c53aef19f77cda(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k9a459edc6d5bea11(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], x: {(d0) -> (d0 : compressed)}<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn k9cb63974dcfbac6e(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn k9cca58443c57710d(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k9d907adbf48900a5(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k9f30cd362e15e04b(A: Dense<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn k9fc78c1d04012ddc(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ka04a7e947982cebb(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn ka095fdc49e8b7312(A: Dense<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn ka198278f95ebb7a9(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ka266c59bef2687f7(A: Dense<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn ka2e4622fe797429a(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ka32e6dc0579be533(A: {(d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4])}<f64>[i,j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] = A[i,j] * x[i] }
    fn ka38315b08aee1074(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ka3f66e9baf388232(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ka6b95db172868c93(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ka7b89e051bd35704(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ka7dcbaa6037c3963(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kaa199ee8b8bb09f0(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j]) -> y: Dense<f64>[i] { y[i] = A[i,j] }
    fn kaa7bf4dad15a178c(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kaaa3176ea5af59cf(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kac1a87b64fc0cba3(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kadead304ca4b47b1(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kaf3777bffb153fe6(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kb051d8e2069fba9d(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] = A[i,j] * x[i] }
    fn kb0924e1ec655a513(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kb12c71c3d2837ed7(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kb1a44847410e73ba(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kb325ddc82bc004ab(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kb878dc93e15c0165(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kb8c01a005898593c(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kb8e66e4fa6261cc5(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kb949b556e7601165(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kb959d626bafd576b(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kb9bd87f017e4ea34(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kba374d914521fa79(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kba585f2168c87394(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kbc6e8bd864d1bc55(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kbcade7002595cd52(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kbe4258251f54d7ed(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kbfecbf55161c5f2e(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kc0f975fa9cafbf17(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn kc158dbb887f695b0(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kc17196c7c1f72da8(x: {(d0) -> (d0 : compressed)}<f64>[i], y: Dense<f64>[i]) -> s: f64 { s = x[i] * y[i] }
    fn kc1e3bc765ff89b50(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kc4af0070c930cf68(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kc4ef1c9e1906fec9(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kc4f5d0c3c520f2a4(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn kc604eae0797a0b0f(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kc68e55ade1c5b350(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: Dense<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn kc6af87df906ecba9(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kc6fcd638861cf668(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kc78e7c7f3003f30c(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kc7db33cf7a3a635c(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kc948730e3680544d(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kcbe13696e0c3ab8b(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn kcc0b07feb25fcaaa(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn kcdb56cf0f8d2d56a(x: Dense<f64>[i], y: {(d0) -> (d0 : compressed)}<f64>[i]) -> z: {(d0) -> (d0 : compressed)}<f64>[i] { z[i] = x[i] + y[i] }
    fn kce294bc4dcb602f9(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kcf38a11e6ba90e8f(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kcf8c602aa44879b1(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kd089290ea98e23d8(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn kd13f61a3b106c625(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] = A[i,j] * x[i] }
    fn kd16236f10e55e9bb(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: Dense<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn kd2c14dd4a33fe65a(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kd405ff8638818221(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kd45df538b0ec128c(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kd52f2e2146244f04(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kd5be7acb87be6c6e(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kd6f29a5baefc7deb(A: Dense<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kd77f4701e17c5f60(A: Dense<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kd8251055cac88933(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn kd8b717a88c7126d8(x: {(d0) -> (d0 : compressed)}<f64>[i], y: {(d0) -> (d0 : compressed)}<f64>[i], w: {(d0) -> (d0 : compressed)}<f64>[i]) -> z: {(d0) -> (d0 : compressed)}<f64>[i] { z[i] = x[i] + y[i] + w[i] }
    fn kdabe80dc54d38ab9(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kdb6feb7aa5b459c1(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kdc12dff52bc648ae(A: {(d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4])}<f64>[i,j]) -> y: Dense<f64>[i] { y[i] = A[i,j] }
    fn kdc647c8425454a0f(B: {(d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed)}<f64>[i,k,l], D: Dense<f64>[l,j]) -> A: Dense<f64>[i,k,j] { A[i,k,j] = B[i,k,l] * D[l,j] }
    fn kde9924a5e90f8777(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kdfa3a9d0a4b382d8(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ke02f33d0c2397bd6(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ke0ddf4c8e0211372(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn ke2a44490a58ff93d(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ke2b80cb6c2a18de1(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ke30615fd32fddd81(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn ke30c750fbcdec5ca(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> s: f64 { s = A[i,j] }
    fn ke35111ecfcdc7811(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn ke6d72eb46854b28f(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ke75eb57b4b46b6c0(A: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kea104ed7722b6720(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> s: f64 { s = A[i,j] }
    fn kecdb2a3a604045ab(A: Dense<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
    fn kecfe0652252592a6(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn ked7ce16d749436b2(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kee23cb8b93ffe25d(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], x: Dense<f64>[i]) -> y: Dense<f64>[j] { y[j] = A[i,j] * x[i] }
    fn kee34df64afd2bce2(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], D: Dense<f64>[i,k], E: Dense<f64>[k,j]) -> S: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { S[i,j] = A[i,j] * D[i,k] * E[k,j] }
    fn kee85bd81da0abee0(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kef5fe05efa266c2d(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kf0dfbc841f9d779d(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kf1887b57a21d4173(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kf1b6cb2a5f7c0d64(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kf3ab6b010a270c06(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kf3ada6d16fb74a65(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kf4302074acd0b3af(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kf538c8db422b10d1(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kf62c9da0d70ea9fc(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,k], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[k,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kf680f4c657a8829a(A: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,k], B: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kf716b7e09c0d8414(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[j,i] { C[j,i] = A[i,j] }
    fn kf726efc69304342e(A: {(d0, d1) -> (d0 : dense, d1 : loose_compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kf84feec023b05437(A: {(d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4])}<f64>[i,k], B: Dense<f64>[k,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,k] * B[k,j] }
    fn kfbf354e57c74968c(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], x: {(d0) -> (d0 : compressed)}<f64>[j]) -> y: Dense<f64>[i] { y[i] = A[i,j] * x[j] }
    fn kfe46ab53a7ab7d07(A: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : compressed, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] * B[i,j] }
    fn kfe97e9ba7b6b4e43(A: {(d0, d1) -> (d1 : dense, d0 : compressed)}<f64>[i,j], B: {(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}<f64>[i,j]) -> C: Dense<f64>[i,j] { C[i,j] = A[i,j] + B[i,j] }
    fn kffd88938400fe011(A: {(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}<f64>[i,j]) -> C: {(d0, d1) -> (d0 : dense, d1 : compressed)}<f64>[i,j] { C[i,j] = A[i,j] }
}

pub(crate) type Run = fn(&Tensors<'_>) -> Output;

pub(crate) const KERNELS: &[(&str, Run)] = &[
    ("k007345c651b3388a", |t| tensor(k007345c651b3388a(&t.sparse("A"), &t.sparse("B")))),
    ("k00ff83d36aa569c7", |t| tensor(k00ff83d36aa569c7(&t.sparse("A"), &t.sparse("B")))),
    ("k016d007dca374458", |t| tensor(k016d007dca374458(&t.sparse("A"), &t.sparse("B")))),
    ("k04f32c8b50346525", |t| tensor(k04f32c8b50346525(&t.sparse("A"), &t.sparse("B")))),
    ("k04fdb71c10040542", |t| number(k04fdb71c10040542(&t.dense("x"), &t.sparse("y")))),
    ("k0591597889d395c9", |t| tensor(k0591597889d395c9(&t.sparse("x"), &t.sparse("y"), &t.sparse("w")))),
    ("k077651ff07f08f16", |t| tensor(k077651ff07f08f16(&t.sparse("A"), &t.sparse("B")))),
    ("k07a7e317564d054b", |t| tensor(k07a7e317564d054b(&t.sparse("A"), &t.sparse("B")))),
    ("k080bdc4a7e322c9b", |t| tensor(k080bdc4a7e322c9b(&t.dense("A"), &t.sparse("B")))),
    ("k0d4f3f5c190744ef", |t| tensor(k0d4f3f5c190744ef(&t.sparse("A"), &t.sparse("B")))),
    ("k0de5df35f5c8c0cb", |t| tensor(k0de5df35f5c8c0cb(&t.sparse("A"), &t.sparse("B")))),
    ("k0ea932dc94fa6010", |t| array(k0ea932dc94fa6010(&t.sparse("A"), &t.sparse("B")))),
    ("k106527e4cab5bb72", |t| tensor(k106527e4cab5bb72(&t.sparse("A"), &t.sparse("B")))),
    ("k10991f174fa838f8", |t| tensor(k10991f174fa838f8(&t.dense("A"), &t.sparse("B")))),
    ("k129f933174dd0426", |t| tensor(k129f933174dd0426(&t.sparse("A"), &t.sparse("B")))),
    ("k14f1ef1321ef9ffa", |t| tensor(k14f1ef1321ef9ffa(&t.sparse("A"), &t.sparse("B")))),
    ("k15a1407d772b569f", |t| tensor(k15a1407d772b569f(&t.sparse("A"), &t.sparse("B")))),
    ("k160325b15f91767f", |t| tensor(k160325b15f91767f(&t.sparse("A"), &t.sparse("B")))),
    ("k172447edc13605c9", |t| tensor(k172447edc13605c9(&t.sparse("A"), &t.sparse("B")))),
    ("k17d5d3e9f26313c4", |t| tensor(k17d5d3e9f26313c4(&t.sparse("A"), &t.sparse("B")))),
    ("k18c3c26d55d6044e", |t| tensor(k18c3c26d55d6044e(&t.sparse("A")))),
    ("k194493bfeadbc2a9", |t| tensor(k194493bfeadbc2a9(&t.sparse("A"), &t.sparse("B")))),
    ("k1bb4f331af319b7d", |t| tensor(k1bb4f331af319b7d(&t.sparse("A"), &t.sparse("B")))),
    ("k1ce3c9e096515f68", |t| array(k1ce3c9e096515f68(&t.sparse("A"), &t.sparse("B")))),
    ("k1dcd2bfb94e4cd5c", |t| array(k1dcd2bfb94e4cd5c(&t.sparse("A"), &t.dense("B")))),
    ("k1e586efc85b7bcad", |t| tensor(k1e586efc85b7bcad(&t.sparse("A")))),
    ("k1f0b53b2bc7a6078", |t| array(k1f0b53b2bc7a6078(&t.sparse("A"), &t.dense("x")))),
    ("k1f9c1cc23458961d", |t| tensor(k1f9c1cc23458961d(&t.dense("A"), &t.sparse("B")))),
    ("k20c9a1235ec10284", |t| tensor(k20c9a1235ec10284(&t.dense("A"), &t.sparse("B")))),
    ("k23ef442681f80ca1", |t| array(k23ef442681f80ca1(&t.sparse("A"), &t.sparse("B")))),
    ("k242290302f9e3149", |t| array(k242290302f9e3149(&t.dense("A"), &t.dense("B")))),
    ("k270895c3f3a98cb7", |t| array(k270895c3f3a98cb7(&t.sparse("A"), &t.sparse("B")))),
    ("k28f9b22fa7b0d314", |t| tensor(k28f9b22fa7b0d314(&t.dense("A"), &t.sparse("B")))),
    ("k290039e1d0622c97", |t| tensor(k290039e1d0622c97(&t.dense("A"), &t.sparse("B")))),
    ("k2a522947861b7a28", |t| tensor(k2a522947861b7a28(&t.sparse("A")))),
    ("k2a573e3e6e5fe9f2", |t| array(k2a573e3e6e5fe9f2(&t.sparse("B"), &t.dense("D"), &t.dense("C")))),
    ("k2c29d969cc2c93f8", |t| array(k2c29d969cc2c93f8(&t.dense("A"), &t.sparse("B")))),
    ("k2c9f2f4dc5d0e76c", |t| number(k2c9f2f4dc5d0e76c(&t.sparse("A")))),
    ("k2caf12cd9e79a8b7", |t| tensor(k2caf12cd9e79a8b7(&t.sparse("A"), &t.sparse("B")))),
    ("k2ce3ab335e3d376d", |t| tensor(k2ce3ab335e3d376d(&t.dense("A"), &t.sparse("B")))),
    ("k2e208e76d221818f", |t| tensor(k2e208e76d221818f(&t.dense("A"), &t.sparse("B")))),
    ("k31361ad9ba6e861b", |t| tensor(k31361ad9ba6e861b(&t.sparse("A"), &t.sparse("B")))),
    ("k31a0b8a6adcf91f9", |t| tensor(k31a0b8a6adcf91f9(&t.sparse("A"), &t.sparse("B")))),
    ("k32c49c2b480cb7c6", |t| tensor(k32c49c2b480cb7c6(&t.dense("A"), &t.sparse("B")))),
    ("k32f5509a51d79da1", |t| array(k32f5509a51d79da1(&t.sparse("A"), &t.sparse("B")))),
    ("k3442c595e88ea233", |t| tensor(k3442c595e88ea233(&t.sparse("A")))),
    ("k352a8ec6fa9c3cb9", |t| array(k352a8ec6fa9c3cb9(&t.sparse("A"), &t.sparse("B")))),
    ("k3604d82d78942303", |t| tensor(k3604d82d78942303(&t.sparse("A")))),
    ("k3607162ccff7ffb8", |t| array(k3607162ccff7ffb8(&t.sparse("A")))),
    ("k378fe436ff8c1115", |t| array(k378fe436ff8c1115(&t.dense("A"), &t.sparse("B")))),
    ("k37ebea22d08e6d49", |t| array(k37ebea22d08e6d49(&t.sparse("A"), &t.sparse("B")))),
    ("k382cb454106ed30c", |t| tensor(k382cb454106ed30c(&t.sparse("A"), &t.sparse("B")))),
    ("k387c811e4ca98975", |t| tensor(k387c811e4ca98975(&t.sparse("A"), &t.sparse("B")))),
    ("k3b619d7d8ec6f919", |t| array(k3b619d7d8ec6f919(&t.sparse("A"), &t.dense("x")))),
    ("k3bfcdab14f4905bf", |t| tensor(k3bfcdab14f4905bf(&t.sparse("A")))),
    ("k3e56ece4efd4a83c", |t| tensor(k3e56ece4efd4a83c(&t.sparse("A"), &t.sparse("B")))),
    ("k3e5f8b2614379a8d", |t| array(k3e5f8b2614379a8d(&t.sparse("A"), &t.sparse("B")))),
    ("k3ec8ee270024498b", |t| tensor(k3ec8ee270024498b(&t.sparse("A")))),
    ("k3f57766356b3e227", |t| tensor(k3f57766356b3e227(&t.sparse("A"), &t.sparse("B")))),
    ("k404471d8d41fb9c7", |t| tensor(k404471d8d41fb9c7(&t.sparse("A"), &t.sparse("B")))),
    ("k4289b4245930b91f", |t| array(k4289b4245930b91f(&t.sparse("A"), &t.sparse("B")))),
    ("k43580b8a422166bb", |t| tensor(k43580b8a422166bb(&t.sparse("A"), &t.sparse("B")))),
    ("k4592e4eb410b55f2", |t| array(k4592e4eb410b55f2(&t.sparse("A"), &t.sparse("B")))),
    ("k4695dab2b8d548b6", |t| tensor(k4695dab2b8d548b6(&t.sparse("A"), &t.sparse("B")))),
    ("k4807d2b8b1f9d64e", |t| array(k4807d2b8b1f9d64e(&t.sparse("A"), &t.sparse("B")))),
    ("k48280e5deb9cd1cd", |t| array(k48280e5deb9cd1cd(&t.sparse("A"), &t.sparse("B")))),
    ("k48866638b7fcf232", |t| tensor(k48866638b7fcf232(&t.sparse("B"), &t.dense("v")))),
    ("k48d16a9b984f9879", |t| array(k48d16a9b984f9879(&t.sparse("A"), &t.sparse("B")))),
    ("k4a589dbf49887490", |t| tensor(k4a589dbf49887490(&t.sparse("A"), &t.sparse("B")))),
    ("k4ad4dee274cbfcfe", |t| tensor(k4ad4dee274cbfcfe(&t.sparse("A"), &t.sparse("B")))),
    ("k4b97650f5a8097c1", |t| tensor(k4b97650f5a8097c1(&t.dense("A"), &t.sparse("B")))),
    ("k4c74cbce9206a103", |t| array(k4c74cbce9206a103(&t.sparse("A"), &t.sparse("x")))),
    ("k4ee05c3fcead8a7b", |t| tensor(k4ee05c3fcead8a7b(&t.sparse("A")))),
    ("k4f763503c211226e", |t| array(k4f763503c211226e(&t.sparse("A"), &t.dense("x")))),
    ("k50382c3cacae0598", |t| tensor(k50382c3cacae0598(&t.dense("x"), &t.dense("y")))),
    ("k5084ca33dfb8b50e", |t| array(k5084ca33dfb8b50e(&t.dense("A"), &t.sparse("B")))),
    ("k5329342f3ffeba90", |t| tensor(k5329342f3ffeba90(&t.sparse("A"), &t.dense("D"), &t.dense("E")))),
    ("k539c23f55d2efbcd", |t| tensor(k539c23f55d2efbcd(&t.sparse("A"), &t.sparse("B")))),
    ("k5510074f57ea13fa", |t| array(k5510074f57ea13fa(&t.sparse("A"), &t.sparse("B")))),
    ("k55886d935670bf01", |t| number(k55886d935670bf01(&t.sparse("A")))),
    ("k5771da1d157141b2", |t| array(k5771da1d157141b2(&t.sparse("A"), &t.sparse("B")))),
    ("k57a8f6d90344a004", |t| array(k57a8f6d90344a004(&t.sparse("A"), &t.sparse("B")))),
    ("k59205a2833dfaa41", |t| array(k59205a2833dfaa41(&t.sparse("A"), &t.sparse("B")))),
    ("k595ff6c5b1ab065d", |t| tensor(k595ff6c5b1ab065d(&t.sparse("A"), &t.sparse("B")))),
    ("k5a95a4d98bc538b6", |t| tensor(k5a95a4d98bc538b6(&t.sparse("A")))),
    ("k5b6bf056eb849132", |t| tensor(k5b6bf056eb849132(&t.sparse("A"), &t.sparse("B")))),
    ("k5e4f5ce9e5d71a8f", |t| tensor(k5e4f5ce9e5d71a8f(&t.sparse("A"), &t.sparse("B")))),
    ("k61066ef2994a400e", |t| array(k61066ef2994a400e(&t.sparse("A"), &t.sparse("B")))),
    ("k61388d66b0c093f4", |t| tensor(k61388d66b0c093f4(&t.sparse("A")))),
    ("k614854646e4c5623", |t| tensor(k614854646e4c5623(&t.sparse("A"), &t.sparse("B")))),
    ("k6165d31a49997c70", |t| array(k6165d31a49997c70(&t.dense("A"), &t.dense("D"), &t.dense("E")))),
    ("k61828b0691922d60", |t| array(k61828b0691922d60(&t.sparse("A"), &t.sparse("B")))),
    ("k624fe38eb98dc84b", |t| array(k624fe38eb98dc84b(&t.dense("A"), &t.sparse("x")))),
    ("k62c089f9e6f7e693", |t| tensor(k62c089f9e6f7e693(&t.sparse("A")))),
    ("k6445afed7456ff57", |t| array(k6445afed7456ff57(&t.sparse("A"), &t.sparse("B")))),
    ("k656103c74b0c1082", |t| array(k656103c74b0c1082(&t.sparse("A"), &t.sparse("x")))),
    ("k66d5cc19bd32a84f", |t| array(k66d5cc19bd32a84f(&t.sparse("A")))),
    ("k67281f61d704f2c1", |t| array(k67281f61d704f2c1(&t.dense("A"), &t.sparse("B")))),
    ("k67e81527aacf92c5", |t| tensor(k67e81527aacf92c5(&t.sparse("A")))),
    ("k681aa58347a110f3", |t| tensor(k681aa58347a110f3(&t.dense("A")))),
    ("k68f1376c9de7a771", |t| tensor(k68f1376c9de7a771(&t.sparse("A"), &t.sparse("B")))),
    ("k6a77eedee2f0526f", |t| array(k6a77eedee2f0526f(&t.dense("A"), &t.sparse("B")))),
    ("k6b18725cf317af48", |t| array(k6b18725cf317af48(&t.sparse("A"), &t.sparse("B")))),
    ("k6b90a016e7a7be76", |t| array(k6b90a016e7a7be76(&t.dense("A"), &t.sparse("B")))),
    ("k6bd0111836aac00a", |t| array(k6bd0111836aac00a(&t.sparse("A"), &t.sparse("B")))),
    ("k6d34419206f39342", |t| array(k6d34419206f39342(&t.sparse("A"), &t.dense("x")))),
    ("k6dd1a2ec67e7d0c8", |t| tensor(k6dd1a2ec67e7d0c8(&t.sparse("A"), &t.sparse("B")))),
    ("k6e660779030f37c2", |t| array(k6e660779030f37c2(&t.sparse("A"), &t.sparse("B")))),
    ("k6ef5fc46bc87a097", |t| tensor(k6ef5fc46bc87a097(&t.sparse("A"), &t.sparse("B")))),
    ("k6f4a3a9be929941b", |t| tensor(k6f4a3a9be929941b(&t.sparse("A"), &t.sparse("B")))),
    ("k6f9d1e0796053ea3", |t| array(k6f9d1e0796053ea3(&t.sparse("A"), &t.dense("x")))),
    ("k70d9f9a9af2a5139", |t| tensor(k70d9f9a9af2a5139(&t.sparse("A"), &t.sparse("B")))),
    ("k711312cbc135c76b", |t| array(k711312cbc135c76b(&t.sparse("A"), &t.sparse("B")))),
    ("k7132a64260beb428", |t| tensor(k7132a64260beb428(&t.sparse("A"), &t.sparse("B")))),
    ("k72a66a9d42752900", |t| tensor(k72a66a9d42752900(&t.dense("x"), &t.sparse("y")))),
    ("k75916460309f4525", |t| tensor(k75916460309f4525(&t.sparse("A"), &t.sparse("B")))),
    ("k75d2b8cbd1b7c70f", |t| tensor(k75d2b8cbd1b7c70f(&t.dense("A"), &t.sparse("B")))),
    ("k76ac0e55b679c04c", |t| tensor(k76ac0e55b679c04c(&t.sparse("A"), &t.sparse("B")))),
    ("k7781ba0a589366ac", |t| tensor(k7781ba0a589366ac(&t.sparse("A")))),
    ("k79b2929e5f719867", |t| tensor(k79b2929e5f719867(&t.dense("A"), &t.dense("D"), &t.dense("E")))),
    ("k7a2737157e078987", |t| array(k7a2737157e078987(&t.sparse("A"), &t.dense("D"), &t.dense("E")))),
    ("k7add18b7e6ba59e7", |t| tensor(k7add18b7e6ba59e7(&t.sparse("A"), &t.sparse("B")))),
    ("k7b4c2e335b143033", |t| tensor(k7b4c2e335b143033(&t.sparse("A"), &t.sparse("B")))),
    ("k7cc4d5a2ddc99cec", |t| tensor(k7cc4d5a2ddc99cec(&t.sparse("A"), &t.sparse("B")))),
    ("k7e830dcaf262e087", |t| tensor(k7e830dcaf262e087(&t.sparse("A"), &t.sparse("B")))),
    ("k7f05ecd76ba899cc", |t| tensor(k7f05ecd76ba899cc(&t.sparse("A"), &t.sparse("B")))),
    ("k7f904f956ede7b17", |t| tensor(k7f904f956ede7b17(&t.sparse("A"), &t.sparse("B")))),
    ("k80a7d14faca20f2e", |t| tensor(k80a7d14faca20f2e(&t.sparse("A"), &t.sparse("B")))),
    ("k8120422bcf13c6b1", |t| tensor(k8120422bcf13c6b1(&t.sparse("A"), &t.sparse("B")))),
    ("k8140b92c3d4c0814", |t| tensor(k8140b92c3d4c0814(&t.sparse("A"), &t.sparse("B")))),
    ("k8425fdf4cbfed89b", |t| tensor(k8425fdf4cbfed89b(&t.dense("A")))),
    ("k86510590efb43164", |t| tensor(k86510590efb43164(&t.sparse("A"), &t.sparse("B")))),
    ("k871ab8cb1ef9777d", |t| tensor(k871ab8cb1ef9777d(&t.sparse("A"), &t.sparse("B")))),
    ("k880631fbadd3ecca", |t| array(k880631fbadd3ecca(&t.sparse("A"), &t.sparse("B")))),
    ("k8b59259a485921a9", |t| tensor(k8b59259a485921a9(&t.sparse("A"), &t.sparse("B")))),
    ("k8be1d4c49e77a7af", |t| tensor(k8be1d4c49e77a7af(&t.sparse("A"), &t.sparse("B")))),
    ("k8c21342053dd8f87", |t| array(k8c21342053dd8f87(&t.sparse("A"), &t.sparse("B")))),
    ("k8c821f988b1586cd", |t| array(k8c821f988b1586cd(&t.sparse("A"), &t.sparse("B")))),
    ("k8dd6ea566b36c80e", |t| tensor(k8dd6ea566b36c80e(&t.sparse("A"), &t.sparse("B")))),
    ("k8e6836b073fc762b", |t| tensor(k8e6836b073fc762b(&t.sparse("A"), &t.sparse("B")))),
    ("k8fba65305b3cf858", |t| array(k8fba65305b3cf858(&t.sparse("A"), &t.sparse("B")))),
    ("k8ffe23c98a6e2716", |t| array(k8ffe23c98a6e2716(&t.sparse("A"), &t.sparse("B")))),
    ("k9009f27baf40b535", |t| array(k9009f27baf40b535(&t.sparse("A"), &t.sparse("B")))),
    ("k9073d60c9218aa37", |t| array(k9073d60c9218aa37(&t.sparse("A"), &t.sparse("B")))),
    ("k90996ae966ab4df7", |t| tensor(k90996ae966ab4df7(&t.sparse("A"), &t.sparse("B")))),
    ("k919ea6c7fe76d85a", |t| array(k919ea6c7fe76d85a(&t.sparse("B"), &t.dense("D"), &t.dense("C")))),
    ("k92323e319288ab66", |t| tensor(k92323e319288ab66(&t.sparse("A")))),
    ("k9250b2d12ef7e3bd", |t| array(k9250b2d12ef7e3bd(&t.dense("A"), &t.dense("x")))),
    ("k92fdcaff672c60ee", |t| array(k92fdcaff672c60ee(&t.sparse("A"), &t.sparse("B")))),
    ("k93659927ccec9216", |t| tensor(k93659927ccec9216(&t.sparse("A"), &t.sparse("B")))),
    ("k93ae20658ea72ee1", |t| tensor(k93ae20658ea72ee1(&t.sparse("A"), &t.sparse("B")))),
    ("k94dc579d681e873f", |t| tensor(k94dc579d681e873f(&t.sparse("A"), &t.sparse("B")))),
    ("k959b74a12d706ace", |t| array(k959b74a12d706ace(&t.sparse("A"), &t.sparse("B")))),
    ("k96750d8acd06748c", |t| tensor(k96750d8acd06748c(&t.sparse("A"), &t.sparse("B")))),
    ("k982eef89e08249f4", |t| tensor(k982eef89e08249f4(&t.sparse("A")))),
    ("k99196bc53e205a05", |t| tensor(k99196bc53e205a05(&t.sparse("A"), &t.sparse("B")))),
    ("k995358dfbc3ba142", |t| array(k995358dfbc3ba142(&t.sparse("A"), &t.sparse("B")))),
    ("k997ea433d930a62d", |t| array(k997ea433d930a62d(&t.dense("A"), &t.sparse("B")))),
    ("k99c53aef19f77cda", |t| tensor(k99c53aef19f77cda(&t.sparse("A"), &t.sparse("B")))),
    ("k9a459edc6d5bea11", |t| array(k9a459edc6d5bea11(&t.sparse("A"), &t.sparse("x")))),
    ("k9cb63974dcfbac6e", |t| array(k9cb63974dcfbac6e(&t.dense("A"), &t.sparse("B")))),
    ("k9cca58443c57710d", |t| tensor(k9cca58443c57710d(&t.sparse("A"), &t.sparse("B")))),
    ("k9d907adbf48900a5", |t| array(k9d907adbf48900a5(&t.sparse("A"), &t.sparse("B")))),
    ("k9f30cd362e15e04b", |t| tensor(k9f30cd362e15e04b(&t.dense("A"), &t.sparse("B")))),
    ("k9fc78c1d04012ddc", |t| tensor(k9fc78c1d04012ddc(&t.sparse("A"), &t.sparse("B")))),
    ("ka04a7e947982cebb", |t| tensor(ka04a7e947982cebb(&t.sparse("A")))),
    ("ka095fdc49e8b7312", |t| tensor(ka095fdc49e8b7312(&t.dense("A"), &t.sparse("B")))),
    ("ka198278f95ebb7a9", |t| tensor(ka198278f95ebb7a9(&t.sparse("A"), &t.sparse("B")))),
    ("ka266c59bef2687f7", |t| tensor(ka266c59bef2687f7(&t.dense("A")))),
    ("ka2e4622fe797429a", |t| tensor(ka2e4622fe797429a(&t.sparse("A"), &t.sparse("B")))),
    ("ka32e6dc0579be533", |t| array(ka32e6dc0579be533(&t.sparse("A"), &t.dense("x")))),
    ("ka38315b08aee1074", |t| tensor(ka38315b08aee1074(&t.sparse("A"), &t.sparse("B")))),
    ("ka3f66e9baf388232", |t| array(ka3f66e9baf388232(&t.sparse("A"), &t.sparse("B")))),
    ("ka6b95db172868c93", |t| tensor(ka6b95db172868c93(&t.sparse("A"), &t.sparse("B")))),
    ("ka7b89e051bd35704", |t| tensor(ka7b89e051bd35704(&t.sparse("A"), &t.sparse("B")))),
    ("ka7dcbaa6037c3963", |t| tensor(ka7dcbaa6037c3963(&t.sparse("A"), &t.sparse("B")))),
    ("kaa199ee8b8bb09f0", |t| array(kaa199ee8b8bb09f0(&t.sparse("A")))),
    ("kaa7bf4dad15a178c", |t| tensor(kaa7bf4dad15a178c(&t.sparse("A"), &t.sparse("B")))),
    ("kaaa3176ea5af59cf", |t| tensor(kaaa3176ea5af59cf(&t.sparse("A")))),
    ("kac1a87b64fc0cba3", |t| tensor(kac1a87b64fc0cba3(&t.sparse("A")))),
    ("kadead304ca4b47b1", |t| tensor(kadead304ca4b47b1(&t.sparse("A"), &t.sparse("B")))),
    ("kaf3777bffb153fe6", |t| array(kaf3777bffb153fe6(&t.sparse("A"), &t.sparse("B")))),
    ("kb051d8e2069fba9d", |t| array(kb051d8e2069fba9d(&t.sparse("A"), &t.dense("x")))),
    ("kb0924e1ec655a513", |t| array(kb0924e1ec655a513(&t.sparse("A"), &t.sparse("B")))),
    ("kb12c71c3d2837ed7", |t| tensor(kb12c71c3d2837ed7(&t.sparse("A")))),
    ("kb1a44847410e73ba", |t| tensor(kb1a44847410e73ba(&t.sparse("A"), &t.sparse("B")))),
    ("kb325ddc82bc004ab", |t| array(kb325ddc82bc004ab(&t.sparse("A"), &t.sparse("B")))),
    ("kb878dc93e15c0165", |t| array(kb878dc93e15c0165(&t.sparse("A"), &t.sparse("B")))),
    ("kb8c01a005898593c", |t| array(kb8c01a005898593c(&t.sparse("A"), &t.sparse("B")))),
    ("kb8e66e4fa6261cc5", |t| tensor(kb8e66e4fa6261cc5(&t.dense("A"), &t.sparse("B")))),
    ("kb949b556e7601165", |t| tensor(kb949b556e7601165(&t.sparse("A"), &t.sparse("B")))),
    ("kb959d626bafd576b", |t| tensor(kb959d626bafd576b(&t.sparse("A"), &t.sparse("B")))),
    ("kb9bd87f017e4ea34", |t| tensor(kb9bd87f017e4ea34(&t.sparse("A"), &t.sparse("B")))),
    ("kba374d914521fa79", |t| tensor(kba374d914521fa79(&t.sparse("A")))),
    ("kba585f2168c87394", |t| tensor(kba585f2168c87394(&t.sparse("A"), &t.sparse("B")))),
    ("kbc6e8bd864d1bc55", |t| tensor(kbc6e8bd864d1bc55(&t.sparse("A"), &t.sparse("B")))),
    ("kbcade7002595cd52", |t| tensor(kbcade7002595cd52(&t.dense("A"), &t.sparse("B")))),
    ("kbe4258251f54d7ed", |t| tensor(kbe4258251f54d7ed(&t.sparse("A"), &t.sparse("B")))),
    ("kbfecbf55161c5f2e", |t| tensor(kbfecbf55161c5f2e(&t.sparse("A"), &t.sparse("B")))),
    ("kc0f975fa9cafbf17", |t| tensor(kc0f975fa9cafbf17(&t.sparse("A")))),
    ("kc158dbb887f695b0", |t| tensor(kc158dbb887f695b0(&t.sparse("A"), &t.sparse("B")))),
    ("kc17196c7c1f72da8", |t| number(kc17196c7c1f72da8(&t.sparse("x"), &t.dense("y")))),
    ("kc1e3bc765ff89b50", |t| tensor(kc1e3bc765ff89b50(&t.sparse("A"), &t.sparse("B")))),
    ("kc4af0070c930cf68", |t| array(kc4af0070c930cf68(&t.sparse("A"), &t.sparse("B")))),
    ("kc4ef1c9e1906fec9", |t| tensor(kc4ef1c9e1906fec9(&t.sparse("A"), &t.sparse("B")))),
    ("kc4f5d0c3c520f2a4", |t| tensor(kc4f5d0c3c520f2a4(&t.sparse("A")))),
    ("kc604eae0797a0b0f", |t| tensor(kc604eae0797a0b0f(&t.sparse("A")))),
    ("kc68e55ade1c5b350", |t| array(kc68e55ade1c5b350(&t.sparse("A"), &t.dense("D"), &t.dense("E")))),
    ("kc6af87df906ecba9", |t| array(kc6af87df906ecba9(&t.sparse("A"), &t.sparse("B")))),
    ("kc6fcd638861cf668", |t| array(kc6fcd638861cf668(&t.sparse("A"), &t.sparse("B")))),
    ("kc78e7c7f3003f30c", |t| tensor(kc78e7c7f3003f30c(&t.sparse("A"), &t.sparse("B")))),
    ("kc7db33cf7a3a635c", |t| tensor(kc7db33cf7a3a635c(&t.dense("A"), &t.sparse("B")))),
    ("kc948730e3680544d", |t| array(kc948730e3680544d(&t.sparse("A"), &t.sparse("B")))),
    ("kcbe13696e0c3ab8b", |t| array(kcbe13696e0c3ab8b(&t.sparse("A"), &t.dense("x")))),
    ("kcc0b07feb25fcaaa", |t| tensor(kcc0b07feb25fcaaa(&t.sparse("A")))),
    ("kcdb56cf0f8d2d56a", |t| tensor(kcdb56cf0f8d2d56a(&t.dense("x"), &t.sparse("y")))),
    ("kce294bc4dcb602f9", |t| tensor(kce294bc4dcb602f9(&t.sparse("A"), &t.sparse("B")))),
    ("kcf38a11e6ba90e8f", |t| array(kcf38a11e6ba90e8f(&t.sparse("A"), &t.sparse("B")))),
    ("kcf8c602aa44879b1", |t| tensor(kcf8c602aa44879b1(&t.dense("A"), &t.sparse("B")))),
    ("kd089290ea98e23d8", |t| tensor(kd089290ea98e23d8(&t.sparse("A")))),
    ("kd13f61a3b106c625", |t| array(kd13f61a3b106c625(&t.sparse("A"), &t.dense("x")))),
    ("kd16236f10e55e9bb", |t| array(kd16236f10e55e9bb(&t.sparse("A"), &t.dense("D"), &t.dense("E")))),
    ("kd2c14dd4a33fe65a", |t| array(kd2c14dd4a33fe65a(&t.sparse("A"), &t.sparse("B")))),
    ("kd405ff8638818221", |t| array(kd405ff8638818221(&t.sparse("A"), &t.sparse("B")))),
    ("kd45df538b0ec128c", |t| tensor(kd45df538b0ec128c(&t.sparse("A"), &t.sparse("B")))),
    ("kd52f2e2146244f04", |t| tensor(kd52f2e2146244f04(&t.sparse("A")))),
    ("kd5be7acb87be6c6e", |t| tensor(kd5be7acb87be6c6e(&t.sparse("A"), &t.sparse("B")))),
    ("kd6f29a5baefc7deb", |t| tensor(kd6f29a5baefc7deb(&t.dense("A"), &t.sparse("B")))),
    ("kd77f4701e17c5f60", |t| array(kd77f4701e17c5f60(&t.dense("A"), &t.sparse("B")))),
    ("kd8251055cac88933", |t| tensor(kd8251055cac88933(&t.sparse("A")))),
    ("kd8b717a88c7126d8", |t| tensor(kd8b717a88c7126d8(&t.sparse("x"), &t.sparse("y"), &t.sparse("w")))),
    ("kdabe80dc54d38ab9", |t| array(kdabe80dc54d38ab9(&t.sparse("A"), &t.sparse("B")))),
    ("kdb6feb7aa5b459c1", |t| tensor(kdb6feb7aa5b459c1(&t.sparse("A"), &t.sparse("B")))),
    ("kdc12dff52bc648ae", |t| array(kdc12dff52bc648ae(&t.sparse("A")))),
    ("kdc647c8425454a0f", |t| array(kdc647c8425454a0f(&t.sparse("B"), &t.dense("D")))),
    ("kde9924a5e90f8777", |t| array(kde9924a5e90f8777(&t.sparse("A"), &t.sparse("B")))),
    ("kdfa3a9d0a4b382d8", |t| array(kdfa3a9d0a4b382d8(&t.sparse("A"), &t.sparse("B")))),
    ("ke02f33d0c2397bd6", |t| tensor(ke02f33d0c2397bd6(&t.sparse("A"), &t.sparse("B")))),
    ("ke0ddf4c8e0211372", |t| tensor(ke0ddf4c8e0211372(&t.sparse("A"), &t.sparse("B")))),
    ("ke2a44490a58ff93d", |t| array(ke2a44490a58ff93d(&t.sparse("A"), &t.sparse("B")))),
    ("ke2b80cb6c2a18de1", |t| array(ke2b80cb6c2a18de1(&t.sparse("A"), &t.sparse("B")))),
    ("ke30615fd32fddd81", |t| tensor(ke30615fd32fddd81(&t.sparse("A")))),
    ("ke30c750fbcdec5ca", |t| number(ke30c750fbcdec5ca(&t.sparse("A")))),
    ("ke35111ecfcdc7811", |t| tensor(ke35111ecfcdc7811(&t.sparse("A"), &t.sparse("B")))),
    ("ke6d72eb46854b28f", |t| array(ke6d72eb46854b28f(&t.sparse("A"), &t.sparse("B")))),
    ("ke75eb57b4b46b6c0", |t| tensor(ke75eb57b4b46b6c0(&t.sparse("A")))),
    ("kea104ed7722b6720", |t| number(kea104ed7722b6720(&t.sparse("A")))),
    ("kecdb2a3a604045ab", |t| tensor(kecdb2a3a604045ab(&t.dense("A")))),
    ("kecfe0652252592a6", |t| array(kecfe0652252592a6(&t.sparse("A"), &t.sparse("B")))),
    ("ked7ce16d749436b2", |t| tensor(ked7ce16d749436b2(&t.sparse("A"), &t.sparse("B")))),
    ("kee23cb8b93ffe25d", |t| array(kee23cb8b93ffe25d(&t.sparse("A"), &t.dense("x")))),
    ("kee34df64afd2bce2", |t| tensor(kee34df64afd2bce2(&t.sparse("A"), &t.dense("D"), &t.dense("E")))),
    ("kee85bd81da0abee0", |t| tensor(kee85bd81da0abee0(&t.sparse("A"), &t.sparse("B")))),
    ("kef5fe05efa266c2d", |t| tensor(kef5fe05efa266c2d(&t.sparse("A"), &t.sparse("B")))),
    ("kf0dfbc841f9d779d", |t| tensor(kf0dfbc841f9d779d(&t.sparse("A"), &t.sparse("B")))),
    ("kf1887b57a21d4173", |t| tensor(kf1887b57a21d4173(&t.sparse("A"), &t.sparse("B")))),
    ("kf1b6cb2a5f7c0d64", |t| tensor(kf1b6cb2a5f7c0d64(&t.sparse("A"), &t.sparse("B")))),
    ("kf3ab6b010a270c06", |t| tensor(kf3ab6b010a270c06(&t.sparse("A"), &t.sparse("B")))),
    ("kf3ada6d16fb74a65", |t| array(kf3ada6d16fb74a65(&t.sparse("A"), &t.sparse("B")))),
    ("kf4302074acd0b3af", |t| tensor(kf4302074acd0b3af(&t.sparse("A"), &t.sparse("B")))),
    ("kf538c8db422b10d1", |t| array(kf538c8db422b10d1(&t.sparse("A"), &t.sparse("B")))),
    ("kf62c9da0d70ea9fc", |t| tensor(kf62c9da0d70ea9fc(&t.sparse("A"), &t.sparse("B")))),
    ("kf680f4c657a8829a", |t| array(kf680f4c657a8829a(&t.sparse("A"), &t.sparse("B")))),
    ("kf716b7e09c0d8414", |t| tensor(kf716b7e09c0d8414(&t.sparse("A")))),
    ("kf726efc69304342e", |t| array(kf726efc69304342e(&t.sparse("A"), &t.sparse("B")))),
    ("kf84feec023b05437", |t| array(kf84feec023b05437(&t.sparse("A"), &t.dense("B")))),
    ("kfbf354e57c74968c", |t| array(kfbf354e57c74968c(&t.sparse("A"), &t.sparse("x")))),
    ("kfe46ab53a7ab7d07", |t| tensor(kfe46ab53a7ab7d07(&t.sparse("A"), &t.sparse("B")))),
    ("kfe97e9ba7b6b4e43", |t| array(kfe97e9ba7b6b4e43(&t.sparse("A"), &t.sparse("B")))),
    ("kffd88938400fe011", |t| tensor(kffd88938400fe011(&t.sparse("A")))),
];
