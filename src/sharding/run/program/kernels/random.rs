//! Random bits, as XLA computes them on CPUs.

use super::super::elements::Computed;
use super::super::numbers::Numbers;
use super::shape::{offsets, strides};
use super::{Failed, HostArray, LocalCall, Made};
use crate::sharding::run::RunError;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::dtype::DType;

/// `rng_bit_generator(state)` in MLIR: the next state, and random bits. Each device computes only the bits of its shard: they
/// depend on the state and on their position in the whole array.
pub(super) fn rng_bit_generator(call: &LocalCall<'_>) -> Made {
    let [next, result] = call.results else {
        return Err(Failed::Not("it has a state and random bits".to_string()));
    };
    let state = match Numbers::of(call.operand(0)) {
        Numbers::Integer(state) => state.into_iter().map(|word| word as u64).collect(),
        _ => Vec::new(),
    };
    let bits = result.dtype.bits();
    let (made, own) = match (call.attributes.word("algorithm", "DEFAULT"), &state[..]) {
        ("THREE_FRY", &[key, counter]) => {
            let halves = Halves::of(result.dims(), bits);
            let own = shard(call, |at| {
                let (block, half) = halves.of_element(at);
                let words = three_fry(counter.wrapping_add(block), key);
                match bits {
                    64 => u64::from(words[0]) | u64::from(words[1]) << 32,
                    _ => words[half].into(),
                }
            });
            (vec![key, counter.wrapping_add(halves.blocks)], own)
        }
        // XLA's default on CPUs is Philox.
        ("DEFAULT" | "PHILOX", &[key, counter, ..]) => {
            let high = state.get(2).copied().unwrap_or(key);
            let counter = u128::from(counter) | u128::from(high) << 64;
            // The elements of a block of 128 bits: narrow ones are the low bits of words of 32 bits.
            let of_block = if bits == 64 { 2 } else { 4 };
            let own = shard(call, |at| {
                let words = philox(counter.wrapping_add((at / of_block) as u128), key);
                let at = at % of_block;
                match bits {
                    64 => u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32,
                    _ => words[at].into(),
                }
            });
            let count = |count: u128, size: &usize| count.saturating_mul(*size as u128);
            let blocks = result.dims().iter().fold(1, count).div_ceil(of_block as u128);
            let counter = counter.wrapping_add(blocks);
            let mut next = vec![key, counter as u64];
            next.extend(state.get(2).map(|_| (counter >> 64) as u64));
            (next, own)
        }
        _ => return Err(Failed::Not("there is no kernel for this state".to_string())),
    };
    let made = Numbers::Integer(made.into_iter().map(i128::from).collect());
    let state = made.store(DType::U64, next.local_dims())?;
    Ok(vec![state, own?])
}

/// The elements of this device's shard of the second result: `of` computes each one from its row-major position in the whole array.
fn shard(call: &LocalCall<'_>, of: impl Fn(usize) -> u64) -> Result<HostArray, RunError> {
    let result = &call.results[1];
    let mut made = HostArray::zeroed(result.dtype, result.local_dims())?;
    let width = made.width();
    let bytes = made.as_bytes_mut()?;
    let region = super::region(result.shards, call.device);
    let sizes: Vec<_> = region.iter().map(Range::len).collect();
    let (whole, local) = (strides(result.dims()), strides(result.local_dims()));
    let first: isize =
        region.iter().zip(&whole).map(|(range, stride)| range.start as isize * stride).sum();
    // The padding of a shard stays zero.
    offsets(&sizes, 0, &local, |to| {
        let mut rest = to;
        let from = local.iter().zip(&whole).fold(first, |from, (local, whole)| {
            let index = rest / local;
            rest %= local;
            from + index * whole
        });
        let number = i128::from(of(from as usize));
        i128::write(&[number], result.dtype, &mut bytes[to as usize * width..][..width]);
    });
    Ok(made)
}

/// How XLA divides an array among the blocks of Threefry, each of which has two words of 32 bits: the elements at 2 `i` and 2
/// `i` + 1 along one dimension are the words of one block. The dimension is the first one of even size or, if there is none,
/// the largest one. Elements of 64 bits are whole blocks.
struct Halves {
    blocks: u64,
    /// The size of the dimension, and the number of elements for each of its indices; `None` if elements are whole blocks.
    split: Option<(usize, usize)>,
}

impl Halves {
    fn of(dims: &[usize], bits: usize) -> Self {
        // Counts modulo 2^64, as the counter does.
        let product = |dims: &[usize]| dims.iter().fold(1, |n: usize, size| n.wrapping_mul(*size));
        let largest = || (0..dims.len()).rev().max_by_key(|dim| dims[*dim]);
        let dim = dims.iter().position(|size| size.is_multiple_of(2)).or_else(largest);
        match dim.filter(|_| bits < 64) {
            None => Self { blocks: product(dims) as u64, split: None },
            Some(dim) => {
                let (outer, inner) = (product(&dims[..dim]), product(&dims[dim + 1..]));
                let blocks = product(&[outer, dims[dim].div_ceil(2), inner]);
                Self { blocks: blocks as u64, split: Some((dims[dim], inner)) }
            }
        }
    }

    /// The block of an element, and the word in it.
    fn of_element(&self, at: usize) -> (u64, usize) {
        let Some((size, inner)) = self.split else { return (at as u64, 0) };
        let (outer, index, rest) = (at / inner / size, at / inner % size, at % inner);
        let block = (outer * size.div_ceil(2) + index / 2) * inner + rest;
        (block as u64, index % 2)
    }
}

/// The low and the high half.
const fn words(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// Threefry-2x32 with 20 rounds, of Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (2011).
fn three_fry(block: u64, key: u64) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let [low, high] = words(key);
    let keys = [low, high, low ^ high ^ 0x1BD1_1BDA];
    let [mut x, mut y] = words(block);
    (x, y) = (x.wrapping_add(keys[0]), y.wrapping_add(keys[1]));
    for round in 0..5 {
        for rotation in ROTATIONS[round % 2] {
            x = x.wrapping_add(y);
            y = y.rotate_left(rotation) ^ x;
        }
        x = x.wrapping_add(keys[(round + 1) % 3]);
        y = y.wrapping_add(keys[(round + 2) % 3]).wrapping_add(round as u32 + 1);
    }
    [x, y]
}

/// Philox-4x32 with 10 rounds, of the same paper.
fn philox(counter: u128, key: u64) -> [u32; 4] {
    let ([a, b], [c, d]) = (words(counter as u64), words((counter >> 64) as u64));
    let (mut block, [mut low, mut high]) = ([a, b, c, d], words(key));
    for _ in 0..10 {
        let first = words(u64::from(block[0]) * 0xD251_1F53);
        let second = words(u64::from(block[2]) * 0xCD9E_8D57);
        block = [second[1] ^ block[1] ^ low, second[0], first[1] ^ block[3] ^ high, first[0]];
        (low, high) = (low.wrapping_add(0x9E37_79B9), high.wrapping_add(0xBB67_AE85));
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of Random123, the library of the paper's authors.
    #[test]
    fn known_answers() {
        assert_eq!(three_fry(0, 0), [0x6B20_0159, 0x99BA_4EFE]);
        assert_eq!(three_fry(u64::MAX, u64::MAX), [0x1CB9_96FC, 0xBB00_2BE7]);
        assert_eq!(philox(0, 0), [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]);
        let all = [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD];
        assert_eq!(philox(u128::MAX, u64::MAX), all);
    }
}
