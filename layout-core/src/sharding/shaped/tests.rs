//! Random operations: if one is accepted, devices run it on their local arrays by plain loops, and their results together are the
//! result of the same loops over whole arrays.

use super::{Finish, ShapedCall, ShapedOp, ShapedTensor};
use crate::dtype::DType;
use crate::sharding::ops::DotNumbers;
use crate::sharding::{
    AxisRef, DimSharding, Mesh, MeshAxis, MeshRef, Padding, ReductionOp, Shards, TensorSharding,
};
use alloc::vec;
use alloc::vec::Vec;

/// The axes of the mesh. Axis `a` consists of two sub-axes.
const AXES: &[MeshAxis] =
    &[MeshAxis::constant("a", 4), MeshAxis::constant("b", 2), MeshAxis::constant("c", 3)];

/// The parts of axes that are assigned to dimensions, and their sizes.
const ATOMS: [(&str, Option<(usize, usize)>); 4] =
    [("a", Some((1, 2))), ("a", Some((2, 2))), ("b", None), ("c", None)];

/// The value of padding, so that a result that depends on it is wrong.
const PADDING: i64 = 1_000_000;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).rev().for_each(|at| order.swap(at, self.below(at + 1)));
        order
    }
}

/// A row-major array.
#[derive(Clone, Debug)]
struct Array {
    dims: Vec<usize>,
    values: Vec<i64>,
}

impl Array {
    fn of(dims: &[usize], mut value: impl FnMut(&[usize]) -> i64) -> Self {
        let count = dims.iter().product();
        let values = (0..count).map(|at| value(&index(dims, at))).collect();
        Self { dims: dims.to_vec(), values }
    }

    fn at(&self, index: &[usize]) -> i64 {
        self.values[index.iter().zip(&self.dims).fold(0, |at, (i, size)| at * size + i)]
    }
}

fn index(dims: &[usize], mut at: usize) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for dim in (0..dims.len()).rev() {
        (index[dim], at) = (at % dims[dim], at / dims[dim]);
    }
    index
}

/// Axes of these atoms, in order. The two parts of `a`, one after the other, are the whole axis.
fn axes(atoms: &[usize]) -> Vec<AxisRef> {
    let mut axes: Vec<AxisRef> = Vec::new();
    for (at, &atom) in atoms.iter().enumerate() {
        if atom == 1 && at > 0 && atoms[at - 1] == 0 {
            axes.pop();
            axes.push(AxisRef::full("a"));
            continue;
        }
        let (name, part) = ATOMS[atom];
        axes.push(match part {
            Some((pre, size)) => AxisRef::part(name, pre, size),
            None => AxisRef::full(name),
        });
    }
    axes
}

/// Whether an axis contains an atom.
fn contains(axis: &AxisRef, atom: usize) -> bool {
    let (name, part) = ATOMS[atom];
    axis.name == name && axis.sub.is_none_or(|sub| part.is_some_and(|(pre, _)| sub.pre == pre))
}

/// A random sharding of an array, sometimes unreduced.
fn sharding(random: &mut Random, rank: usize) -> TensorSharding {
    let mut dims = vec![Vec::new(); rank];
    let mut unreduced = Vec::new();
    for atom in random.shuffled(ATOMS.len()) {
        match random.below(2 * rank + 3) {
            dim if dim < rank => dims[dim].push(atom),
            dim if dim == rank && random.below(4) == 0 => unreduced.push(atom),
            _ => {}
        }
    }
    unreduced.sort_unstable();
    let dim = |atoms: &Vec<usize>| DimSharding { axes: axes(atoms).into(), ..Default::default() };
    let dims: Vec<_> = dims.iter().map(dim).collect();
    let mut sharding = TensorSharding::new(MeshRef::Name("m".into()), dims);
    sharding.unreduced = axes(&unreduced).into();
    sharding
}

/// The coordinates of a device, one for each atom.
fn coordinates(mesh: &Mesh, device: usize) -> [usize; 4] {
    let axis = mesh.coordinates(device);
    [axis[0] / 2, axis[0] % 2, axis[1], axis[2]]
}

/// The coordinates along the axes that are not unreduced, and those along the axes that are.
fn apart(mesh: &Mesh, sharding: &TensorSharding, device: usize) -> (Vec<usize>, Vec<usize>) {
    let all = coordinates(mesh, device);
    let is_partial = |atom: &usize| sharding.unreduced.iter().any(|axis| contains(axis, *atom));
    let (partial, whole): (Vec<_>, Vec<_>) = (0..4).partition(is_partial);
    let of = |atoms: Vec<usize>| atoms.into_iter().map(|atom| all[atom]).collect();
    (of(whole), of(partial))
}

/// The number that a device adds to element `at`, unless it is the first device with a part of it.
fn share(at: &[usize], coordinates: &[usize]) -> i64 {
    let mixed = at.iter().chain(coordinates).fold(7, |mixed, n| mixed * 31 + *n as i64 + 1);
    if coordinates.iter().all(|n| *n == 0) { 0 } else { mixed % 11 - 5 }
}

/// The local array of a device.
fn local(mesh: &Mesh, sharding: &TensorSharding, array: &Array, device: usize) -> Array {
    let shards = Shards::new(sharding, mesh, &array.dims, Padding::Allowed).expect("shards");
    let (_, own) = apart(mesh, sharding, device);
    let others = (0..mesh.devices())
        .filter(|&other| apart(mesh, sharding, other).0 == apart(mesh, sharding, device).0);
    let others: Vec<_> = others.map(|other| apart(mesh, sharding, other).1).collect();
    Array::of(shards.local_dims(), |index| match shards.global(device, index) {
        None => PADDING,
        Some(at) if own.iter().all(|n| *n == 0) => {
            array.at(&at) - others.iter().map(|other| share(&at, other)).sum::<i64>()
        }
        Some(at) => share(&at, &own),
    })
}

/// The operation by plain loops, on whole arrays or on local ones.
fn run(op: &ShapedOp<'_>, operands: &[Array], result: &[usize]) -> Array {
    let x = &operands[0];
    match op {
        ShapedOp::Each => Array::of(result, |at| x.at(at) + operands[1].at(at)),
        ShapedOp::Transpose(order) => Array::of(result, |at| {
            let mut from = vec![0; at.len()];
            order.iter().zip(at).for_each(|(&dim, &i)| from[dim] = i);
            x.at(&from)
        }),
        ShapedOp::Broadcast(to) => Array::of(result, |at| {
            let from = to.iter().zip(&x.dims);
            x.at(&from.map(|(&dim, &size)| if size == 1 { 0 } else { at[dim] }).collect::<Vec<_>>())
        }),
        ShapedOp::Reduce(dims) => {
            let mut sums = Array::of(result, |_| 0);
            for (at, value) in x.values.iter().enumerate() {
                let index = index(&x.dims, at).into_iter().enumerate();
                let kept: Vec<_> =
                    index.filter(|(dim, _)| !dims.contains(dim)).map(|(_, i)| i).collect();
                let to = kept.iter().zip(result).fold(0, |to, (i, size)| to * size + i);
                sums.values[to] += value;
            }
            sums
        }
        ShapedOp::Reshape => Array { dims: result.to_vec(), values: x.values.clone() },
        ShapedOp::Slice => Array::of(result, |at| x.at(at)),
        ShapedOp::Concatenate(along) => Array::of(result, |at| {
            let (mut at, first) = (at.to_vec(), x.dims[*along]);
            if at[*along] < first {
                return x.at(&at);
            }
            at[*along] -= first;
            operands[1].at(&at)
        }),
        // Batches of matrices `[b, i, k]` and `[b, j, k]`.
        ShapedOp::Dot(_) => Array::of(result, |at| {
            let y = &operands[1];
            (0..x.dims[2]).map(|k| x.at(&[at[0], at[1], k]) * y.at(&[at[0], at[2], k])).sum()
        }),
        other => unreachable!("{other:?} is not tried here"),
    }
}

const SIZES: [usize; 6] = [1, 2, 3, 4, 6, 8];
const DOT: DotNumbers<'static> =
    DotNumbers { lhs_batch: &[0], rhs_batch: &[0], lhs_contracting: &[2], rhs_contracting: &[2] };

/// A random operation: its name, the operation, and the sizes of its operands and of its result.
fn operation(
    random: &mut Random,
) -> (&'static str, ShapedOp<'static>, Vec<Vec<usize>>, Vec<usize>) {
    let [a, b, c, d] = [0; 4].map(|_: i32| SIZES[random.below(SIZES.len())]);
    match random.below(9) {
        0 => ("add", ShapedOp::Each, vec![vec![a, b]; 2], vec![a, b]),
        1 => ("transpose", ShapedOp::Transpose(&[2, 0, 1]), vec![vec![a, b, c]], vec![c, a, b]),
        2 => ("broadcast_in_dim", ShapedOp::Broadcast(&[0, 2]), vec![vec![a, 1]], vec![a, b, c]),
        3 => ("reduce", ShapedOp::Reduce(&[1]), vec![vec![a, b, c]], vec![a, c]),
        4 => ("slice", ShapedOp::Slice, vec![vec![a, b + 1]], vec![a, b]),
        5 => {
            ("concatenate", ShapedOp::Concatenate(1), vec![vec![a, b], vec![a, c]], vec![a, b + c])
        }
        6 => ("dot_general", ShapedOp::Dot(DOT), vec![vec![a, b, c], vec![a, d, c]], vec![a, b, d]),
        7 => ("reshape", ShapedOp::Reshape, vec![vec![a, b * c]], vec![a * b, c]),
        _ => ("reshape", ShapedOp::Reshape, vec![vec![a * b, c, d]], vec![a, b * c, d]),
    }
}

#[test]
fn what_is_accepted_is_right_on_every_device() {
    let mesh = Mesh::constant(AXES, &[]);
    let mut random = Random(1);
    let (mut accepted, mut refused) = ([0; 3], 0);
    for _ in 0..800 {
        let (name, op, dims, result) = operation(&mut random);
        let mut shardings: Vec<_> =
            dims.iter().map(|dims| sharding(&mut random, dims.len())).collect();
        // The second operand is often split like the first one, so that they match.
        if dims.len() > 1 && random.below(4) > 0 {
            shardings[1] = shardings[0].clone();
            if matches!(op, ShapedOp::Dot(_)) {
                let unsplit = random.below(2);
                shardings[unsplit].dims.to_mut()[1] = DimSharding::default();
                shardings[1 - unsplit].unreduced = Vec::new().into();
            }
        }
        let operands = dims.iter().zip(&shardings);
        let operands: Vec<_> =
            operands.map(|(dims, sharding)| ShapedTensor { dims, sharding }).collect();
        let call = ShapedCall {
            name,
            op,
            mesh: AXES,
            operands: &operands,
            dtype: DType::S64,
            reduction: ReductionOp::Sum,
        };
        let whole = TensorSharding::closed(MeshRef::Name("m".into()), result.len());
        let Ok(split) =
            call.split(&ShapedTensor { dims: &result, sharding: &whole }, Finish::Reshard)
        else {
            refused += 1;
            continue;
        };
        let split = split.sharding(&mesh, "m");
        let written = ShapedTensor { dims: &result, sharding: &split };
        assert!(call.split(&written, Finish::Local).is_ok(), "{call:?}: {split}");
        accepted[dims.len()] += 1;
        check(&mesh, &call, &split, &result, &mut random);
    }
    assert!(
        accepted[1] > 120 && accepted[2] > 40 && refused > 120,
        "{accepted:?} accepted by the number of operands, {refused} refused"
    );
}

/// Checks the result of a call on every device.
fn check(
    mesh: &Mesh,
    call: &ShapedCall<'_>,
    split: &TensorSharding,
    result: &[usize],
    random: &mut Random,
) {
    let whole: Vec<_> = call
        .operands
        .iter()
        .map(|operand| Array::of(operand.dims, |_| random.below(19) as i64 - 9))
        .collect();
    let expected = run(&call.op, &whole, result);
    let shards = Shards::new(split, mesh, result, Padding::Allowed).expect("shards");
    let made: Vec<_> = (0..mesh.devices())
        .map(|device| {
            let own = call.operands.iter().zip(&whole);
            let own: Vec<_> =
                own.map(|(operand, array)| local(mesh, operand.sharding, array, device)).collect();
            run(&call.op, &own, shards.local_dims())
        })
        .collect();
    for device in 0..mesh.devices() {
        let group = (0..mesh.devices())
            .filter(|&other| apart(mesh, split, other).0 == apart(mesh, split, device).0);
        let group: Vec<_> = group.collect();
        for at in 0..made[device].values.len() {
            let Some(global) = shards.global(device, &index(shards.local_dims(), at)) else {
                continue;
            };
            let sum: i64 = group.iter().map(|other| made[*other].values[at]).sum();
            assert_eq!(sum, expected.at(&global), "{call:?} gives {split}");
        }
    }
}
