//! Plans of reshards: each step produces the sharding that it states, devices that execute the plan hold the right elements,
//! and no simpler plan moves fewer bytes.

use super::random::{Random, coordinate};
use proptest::prelude::*;
use tensor_layout::DType;
use tensor_layout::sharding::reshard::{self, ReshardStep};
use tensor_layout::sharding::run::{self, Transport, threads};
use tensor_layout::sharding::{AxisRef, Mesh, Padding, Shards, TensorSharding};

pub(crate) struct Case {
    mesh: Mesh,
    dims: Vec<usize>,
    from: TensorSharding,
    to: TensorSharding,
}

/// A reshard. Some have unreduced axes, and some have sizes that need padding.
pub(crate) fn case(random: &mut Random, devices: usize) -> Case {
    let mesh = random.mesh(devices);
    let rank = 1 + random.below(3);
    let padded = random.chance(25);
    let size = |random: &mut Random| match padded {
        true => 1 + random.below(9),
        false => mesh.devices(),
    };
    let dims = (0..rank).map(|_| size(random)).collect();
    let before = random.parts(&mesh);
    let after = if random.chance(50) { before.clone() } else { random.parts(&mesh) };
    let unreduced: Vec<_> = before.iter().copied().filter(|_| random.chance(20)).collect();
    // The axes that stay unreduced, which both shardings have.
    let kept: Vec<_> = unreduced
        .iter()
        .copied()
        .filter(|part| after.contains(part) && random.chance(50))
        .collect();
    let from = random.sharding(&mesh, rank, &before, &unreduced);
    let to = random.sharding(&mesh, rank, &after, &kept);
    Case { mesh, dims, from, to }
}

fn splits(sharding: &TensorSharding) -> Vec<Vec<AxisRef>> {
    sharding.dims.iter().map(|dim| dim.axes.to_vec()).collect()
}

/// Element `at` of the array, for devices with coordinate `sum` along the unreduced axes.
fn value(at: usize, sum: usize) -> u64 {
    (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((sum as u64 + 1) << 20)
}

fn size(mesh: &Mesh, axis: &AxisRef) -> usize {
    axis.sub.map_or(mesh.axis_size(&axis.name).expect("an axis"), |sub| sub.size)
}

/// A device's coordinates along axes, as one row-major number.
fn coordinates(mesh: &Mesh, axes: &[AxisRef], device: usize) -> usize {
    axes.iter().fold(0, |at, axis| at * size(mesh, axis) + coordinate(mesh, axis, device))
}

/// The local array of a device, with zeros past the end of the array.
fn local(shards: &Shards, device: usize, value: impl Fn(usize) -> u64) -> Vec<u8> {
    let slice = shards.slice(device).expect("a device");
    let sizes = shards.local_dims();
    let mut bytes = Vec::new();
    for at in 0..sizes.iter().product() {
        let mut rest = at;
        let mut index: Vec<_> = Vec::new();
        for dim in (0..sizes.len()).rev() {
            index.push(slice[dim].start + rest % sizes[dim]);
            rest /= sizes[dim];
        }
        index.reverse();
        let is_there = index.iter().zip(&slice).all(|(at, range)| range.contains(at));
        let number = index.iter().zip(shards.dims()).fold(0, |n, (at, size)| n * size + at);
        let value = if is_there { value(number) } else { 0 };
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes
}

pub(crate) fn check_steps(case: &Case, steps: &[ReshardStep]) {
    let mut before = &case.from;
    for step in steps {
        step.sharding
            .check(&case.mesh, &case.dims)
            .unwrap_or_else(|error| panic!("{step}: {error}"));
        let checked = step.collective.check(&case.mesh, before, &step.sharding);
        checked.unwrap_or_else(|error| panic!("{step}: {error} in {steps:?}"));
        before = &step.sharding;
    }
    assert_eq!(splits(before), splits(&case.to), "{steps:?}");
    assert_eq!(before.unreduced, case.to.unreduced);
}

/// The bytes of a local array.
fn local_bytes(case: &Case, sharding: &TensorSharding) -> u128 {
    let shards = Shards::new(sharding, &case.mesh, &case.dims, Padding::Allowed).expect("shards");
    shards.local_dims().iter().map(|&size| size as u128).product::<u128>() * 8
}

fn gathered(case: &Case) -> u128 {
    let mut kept = case.from.clone();
    for (dim, to) in kept.dims.to_mut().iter_mut().zip(case.to.dims.iter()) {
        let common = dim.axes.iter().zip(to.axes.iter()).take_while(|(a, b)| a == b).count();
        dim.axes.to_mut().truncate(common);
    }
    local_bytes(case, &kept) - local_bytes(case, &case.from)
}

/// The fewest bytes with which fewer than `steps` all-to-alls move all axes to their positions.
fn exchanged(case: &Case, now: &[Vec<AxisRef>], local: u128, steps: usize) -> Option<u128> {
    let goal = splits(&case.to);
    if now == goal {
        return Some(0);
    }
    let mut best = None;
    for from in (0..now.len()).filter(|_| steps > 1) {
        for start in 0..now[from].len() {
            for to in (0..now.len()).filter(|&to| to != from) {
                let mut next = now.to_vec();
                let moved = next[from].split_off(start);
                let group: usize = moved.iter().map(|axis| size(&case.mesh, axis)).product();
                next[to].extend(moved);
                if goal[to].starts_with(&next[to]) {
                    let bytes = local * (group as u128 - 1) / group as u128;
                    let rest = exchanged(case, &next, local, steps - 1).map(|rest| rest + bytes);
                    best = [best, rest].into_iter().flatten().min();
                }
            }
        }
    }
    best
}

pub(crate) fn check_traffic(case: &Case, steps: &[ReshardStep]) {
    // If sizes are not divided evenly, what devices hold depends on the order of the steps.
    if !case.dims.iter().all(|size| size.is_multiple_of(case.mesh.devices())) {
        return;
    }
    let moves: Vec<_> =
        steps.iter().filter(|step| step.collective.name() != "all_reduce").collect();
    let moved: u128 = moves.iter().map(|step| step.bytes).sum();
    let local = local_bytes(case, &case.from);
    let parts = |sharding: &TensorSharding| -> Vec<usize> {
        let of = |dim: &Vec<AxisRef>| dim.iter().map(|axis| size(&case.mesh, axis)).product();
        splits(sharding).iter().map(of).collect()
    };
    let mut references = vec![("gather and slice", gathered(case))];
    if parts(&case.from) == parts(&case.to) {
        references.push(("permute", local));
    }
    if let Some(bytes) = exchanged(case, &splits(&case.from), local, moves.len().min(4)) {
        references.push(("all-to-alls", bytes));
    }
    let steps: Vec<_> = steps.iter().map(ToString::to_string).collect();
    for (name, bytes) in references {
        assert!(moved <= bytes, "{name}: {moved} bytes instead of {bytes}: {steps:?}");
    }
}

/// Executes the plan with one thread per device.
pub(crate) fn check_run(case: &Case, steps: &[ReshardStep]) {
    let Case { mesh, dims, from, to } = case;
    let shards = |sharding: &TensorSharding| {
        Shards::new(sharding, mesh, dims, Padding::Allowed).expect("shards")
    };
    let (before, after) = (shards(from), shards(to));
    let planned: u128 = steps.iter().map(|step| step.bytes).sum();
    let even = dims.iter().all(|size| size.is_multiple_of(mesh.devices()));
    threads::run(mesh.devices(), |transport| {
        let device = transport.device();
        let sum = coordinates(mesh, &from.unreduced, device);
        let own = local(&before, device, |at| value(at, sum));
        let found = run::reshard(transport, mesh, (from, to), (DType::U64, dims), &own);
        let found = found.expect("a shard");
        // One device for each part of the sum: those with the same coordinates as this device along the axes that stay
        // unreduced.
        let same = |other: &usize| {
            coordinates(mesh, &to.unreduced, *other) == coordinates(mesh, &to.unreduced, device)
        };
        let mut sums: Vec<_> = (0..mesh.devices())
            .filter(same)
            .map(|other| coordinates(mesh, &from.unreduced, other))
            .collect();
        sums.sort_unstable();
        sums.dedup();
        let total = |at| sums.iter().fold(0, |n: u64, &sum| n.wrapping_add(value(at, sum)));
        assert_eq!(
            found,
            local(&after, device, total),
            "device {device} of {mesh}: {from} to {to}"
        );
        let received = u128::from(transport.received());
        assert!(
            !even || received <= planned,
            "{received} bytes, {planned} were planned: {steps:?}"
        );
    });
}

pub(crate) fn plan(case: &Case) -> Vec<ReshardStep> {
    let Case { mesh, dims, from, to } = case;
    reshard::plan(mesh, from, to, dims, 64)
        .unwrap_or_else(|error| panic!("{from} to {to} over {mesh}: {error}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn each_step_of_a_plan_is_what_it_says(seed in any::<u64>()) {
        let case = case(&mut Random(seed), 36);
        let steps = plan(&case);
        check_steps(&case, &steps);
        check_traffic(&case, &steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn devices_that_execute_a_plan_hold_what_they_should(seed in any::<u64>()) {
        let case = case(&mut Random(seed), 24);
        check_run(&case, &plan(&case));
    }
}

/// Cases that random tests have found.
#[test]
fn what_is_gathered_is_not_sliced_again() {
    for seed in [988581339735454161, 2962744590555508292] {
        let case = case(&mut Random(seed), 36);
        let steps = plan(&case);
        check_steps(&case, &steps);
        check_traffic(&case, &steps);
    }
}

/// All reshards of a matrix along full axes of meshes whose sizes do not divide each other.
#[test]
fn axes_whose_sizes_do_not_divide_each_other() {
    use tensor_layout::sharding::MeshAxis;
    for sizes in [[4, 6], [3, 8], [6, 9], [4, 10]] {
        let axes = ["x", "y"].into_iter().zip(sizes);
        let mesh =
            Mesh::new(axes.map(|(name, size)| MeshAxis::new(name, size)), []).expect("a mesh");
        let mut random = Random(sizes[0] as u64);
        for _ in 0..400 {
            let (before, after) = (random.parts(&mesh), random.parts(&mesh));
            let from = random.sharding(&mesh, 2, &before, &[]);
            let to = random.sharding(&mesh, 2, &after, &[]);
            let case = Case { mesh: mesh.clone(), dims: vec![4 * mesh.devices(); 2], from, to };
            let steps = plan(&case);
            check_steps(&case, &steps);
            check_traffic(&case, &steps);
        }
    }
}
