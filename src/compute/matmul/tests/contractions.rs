//! Compares products of arrays of any rank with sums over all their indices.

use super::super::contraction::{Array, Contraction};
use super::super::epilogue::Epilogue;
use super::super::labels::Labels;
use super::super::types::{self, MatmulElement};
use super::accumulate::One;
use super::mixed::{Value, numbers};
use crate::element::*;
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding, indices, position};
use core::any::type_name;
use layout_core::tiled::TiledSpec;

/// Labels `a`, `b`, .. of each of the three arrays, in any order, and the size of each label.
fn labels(random: &mut Random) -> ([Vec<u8>; 3], [usize; 26]) {
    let mut arrays: [Vec<u8>; 3] = Default::default();
    let mut next = b'a';
    // Labels of the batch, of the rows, of the inner dimensions, and of the columns.
    for (most, of) in [(3, [0, 1, 2]), (3, [0, 2, 2]), (3, [0, 1, 1]), (3, [1, 2, 2])] {
        for _ in 0..random.below(most) {
            for (number, array) in arrays.iter_mut().enumerate() {
                if of.contains(&number) {
                    array.insert(random.below(array.len() + 1), next);
                }
            }
            next += 1;
        }
    }
    let sizes = core::array::from_fn(|_| match random.below(12) {
        0 => 0,
        1 => 1,
        2 => 17,
        _ => 1 + random.below(6),
    });
    (arrays, sizes)
}

fn dims(labels: &[u8], sizes: &[usize; 26]) -> Vec<usize> {
    labels.iter().map(|label| sizes[usize::from(label - b'a')]).collect()
}

/// What the labels `known`, at an index, add to the row-major position in an array.
fn offset((labels, dims): (&[u8], &[usize]), (known, index): (&[u8], &[usize])) -> usize {
    let of = |label: &u8| known.iter().position(|other| other == label).map_or(0, |at| index[at]);
    position(dims, &labels.iter().map(of).collect::<Vec<_>>())
}

/// The usual layout of a batch of matrices for an element type, or any other layout.
fn layout<E: Element>(random: &mut Random, dims: &[usize]) -> TiledSpec {
    if random.below(2) == 0 && dims.len() > 1 {
        let order: Vec<_> = (0..dims.len()).rev().map(|dim| dim.to_string()).collect();
        let tiles = ["", ":T(8,128)", ":T(8,128)(2,1)", ":T(8,128)(4,1)", ":T(2,3)"];
        let tiles = tiles[random.below(tiles.len())];
        let dims: Vec<_> = dims.iter().map(ToString::to_string).collect();
        return format!("{}[{}]{{{}{tiles}}}", E::DTYPE, dims.join(","), order.join(","))
            .parse()
            .unwrap();
    }
    random.layout(E::DTYPE, dims)
}

/// Products in any layouts, with noise in the padding of the operands.
fn check<A: Value + MatmulElement<B>, B: Value, C: Value>()
where
    One: Epilogue<<A::Sum as types::Sum>::Number>,
{
    let mut random = Random(23);
    for round in 0..150 {
        let ([a_labels, b_labels, c_labels], sizes) = labels(&mut random);
        let [a_dims, b_dims, c_dims] =
            [&a_labels, &b_labels, &c_labels].map(|labels| dims(labels, &sizes));
        let inner: Vec<u8> =
            a_labels.iter().copied().filter(|label| !c_labels.contains(label)).collect();
        let inner_dims = dims(&inner, &sizes);
        let elements: usize = c_dims.iter().chain(&inner_dims).product();
        if elements > 60_000 || c_dims.iter().product::<usize>() > 20_000 {
            continue;
        }
        let a_spec = layout::<A>(&mut random, &a_dims);
        let b_spec = layout::<B>(&mut random, &b_dims);
        let c_spec = layout::<C>(&mut random, &c_dims);
        let a = numbers(&mut random, a_spec.elements(), A::DTYPE.kind() != crate::Kind::Unsigned);
        let b = numbers(&mut random, b_spec.elements(), B::DTYPE.kind() != crate::Kind::Unsigned);
        let a_host: Vec<_> = a.iter().map(|x| A::of(*x)).collect();
        let b_host: Vec<_> = b.iter().map(|x| B::of(*x)).collect();
        let mut a_packed = a_spec.pack::<A>(&a_host).unwrap();
        let mut b_packed = b_spec.pack::<B>(&b_host).unwrap();
        fill_padding(&a_spec, &mut a_packed);
        fill_padding(&b_spec, &mut b_packed);
        let before = numbers(&mut random, c_spec.elements(), false);
        let before_host: Vec<_> = before.iter().map(|x| C::of(*x)).collect();
        let adds = round % 3 == 0;
        let mut c_packed = match adds {
            true => c_spec.pack::<C>(&before_host).unwrap(),
            false => vec![0xA5; c_spec.storage_bytes()],
        };
        let steps: Option<&dyn Epilogue<_>> = if round % 2 == 0 { Some(&One) } else { None };
        let text = || {
            let [a, b, c] = [&a_labels, &b_labels, &c_labels].map(|labels| labels.escape_ascii());
            format!("{a},{b}->{c}: {a_spec} * {b_spec} = {c_spec}, {}", type_name::<(A, B, C)>())
        };
        let labels = Labels::new(&a_labels, &b_labels, &c_labels);
        let plan = Contraction::new(&a_spec, &b_spec, &c_spec, labels);
        plan.run::<A::Sum>(
            Array::new(&a_spec, &a_dims, &a_packed),
            Array::new(&b_spec, &b_dims, &b_packed),
            (&c_spec, &mut c_packed),
            adds.then_some(1.0),
            steps,
        )
        .unwrap();
        // Where the elements lie that the inner indices add to an element of the result.
        let inner_offsets: Vec<_> = indices(&inner_dims)
            .map(|index| {
                let at = |labels: &[u8], dims: &[usize]| offset((labels, dims), (&inner, &index));
                (at(&a_labels, &a_dims), at(&b_labels, &b_dims))
            })
            .collect();
        let expected: Vec<_> = indices(&c_dims)
            .map(|index| {
                let first =
                    |labels: &[u8], dims: &[usize]| offset((labels, dims), (&c_labels, &index));
                let (a_first, b_first) = (first(&a_labels, &a_dims), first(&b_labels, &b_dims));
                let sum = inner_offsets.iter().fold(0.0, |sum, (a, b)| {
                    sum + A::exact(a_host[a_first + a]) * B::exact(b_host[b_first + b])
                });
                let step = f64::from(u8::from(steps.is_some()));
                let before = C::exact(before_host[position(&c_dims, &index)]);
                C::of(sum + step + if adds { before } else { 0.0 })
            })
            .collect();
        let actual = c_spec.unpack::<C>(&c_packed).unwrap();
        let bytes = c_spec.pack::<C>(&expected).unwrap();
        assert!(actual == expected, "{}", text());
        assert!(c_packed == bytes, "padding of {}", text());
    }
}

#[test]
fn any_dimensions_in_any_layouts() {
    check::<F32, F32, F32>();
    check::<F64, F64, F64>();
    check::<BF16, BF16, F32>();
    check::<BF16, BF16, BF16>();
    check::<S8, S8, S32>();
    check::<S8, BF16, BF16>();
    check::<S4, S4, S8>();
    check::<U8, S8, S32>();
    check::<F8E4M3FN, F32, F32>();
}
