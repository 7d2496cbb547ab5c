//! Properties of all meshes, shardings and graphs, checked on random ones.

mod random;
mod reshapes;
mod reshards;

use proptest::prelude::*;
use std::collections::HashMap;
use tensor_layout::sharding::propagation::{
    Graph, ManualAxes, OpKind, Strategy as Order, Value, propagate,
};
use tensor_layout::sharding::run::{RunError, threads};
use tensor_layout::sharding::{
    AxisRef, DimSharding, Mesh, MeshAxis, MeshRef, OpShardingRule, Padding, Shards, TensorSharding,
    ops, run,
};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn mesh() -> impl Strategy<Value = Mesh> {
    proptest::collection::vec(prop_oneof![Just(2usize), Just(2), Just(3), Just(4)], 1..4).prop_map(
        |sizes| {
            Mesh::new(NAMES.iter().zip(sizes).map(|(name, size)| MeshAxis::new(*name, size)), [])
                .expect("a mesh")
        },
    )
}

/// The position of each axis: a dimension, the replicated axes, or nowhere; and which dimensions are open.
type Choice = (Vec<usize>, Vec<bool>);

fn choice() -> impl Strategy<Value = Choice> {
    (proptest::collection::vec(0usize..5, 4), proptest::collection::vec(any::<bool>(), 3))
}

fn sharding(mesh: &Mesh, rank: usize, (choices, open): &Choice) -> TensorSharding {
    let mut dims = vec![Vec::new(); rank];
    let mut replicated = Vec::new();
    for (axis, &to) in mesh.axes().iter().zip(choices) {
        let axis = AxisRef::full(axis.name().to_owned());
        match to {
            3 => replicated.push(axis),
            to if to < rank => dims[to].push(axis),
            _ => {}
        }
    }
    let dims = dims.into_iter().zip(open).map(|(axes, &open)| DimSharding {
        axes: axes.into(),
        open,
        priority: None,
    });
    TensorSharding {
        replicated: replicated.into(),
        ..TensorSharding::new(MeshRef::Name("mesh".into()), dims.collect::<Vec<_>>())
    }
}

/// A chain of operations on arrays of one size, and the shardings of some of its values.
#[derive(Clone, Debug)]
struct Chain {
    mesh: Mesh,
    /// For each operation, its kind and its operands among the earlier values.
    ops: Vec<(u8, usize, usize)>,
    shardings: Vec<Option<Choice>>,
    order: Order,
}

fn chain() -> impl Strategy<Value = Chain> {
    let ops = proptest::collection::vec((0u8..4, 0usize..8, 0usize..8), 1..8);
    let shardings = proptest::collection::vec(proptest::option::of(choice()), 10);
    let order = prop_oneof![
        Just(Order::Basic),
        Just(Order::Aggressive),
        Just(Order::OpPriority),
        Just(Order::UserPriority)
    ];
    (mesh(), ops, shardings, order).prop_map(|(mesh, ops, shardings, order)| Chain {
        mesh,
        ops,
        shardings,
        order,
    })
}

const DIMS: [usize; 2] = [24, 24];

fn graph(chain: &Chain) -> (Graph, Vec<Value>) {
    let mut graph = Graph::new("mesh", chain.mesh.clone());
    let mut values = vec![graph.argument(&DIMS), graph.argument(&DIMS)];
    for &(op, a, b) in &chain.ops {
        // A tensor that is both operands of an operation gets one sharding after the other without being visited again: Shardy
        // does not reach a fixed point there.
        let (a, b) = (a % values.len(), b % values.len());
        let b = if a == b { (b + 1) % values.len() } else { b };
        let (a, b) = (values[a], values[b]);
        let (kind, rule, operands): (_, OpShardingRule, &[Value]) = match op {
            0 => (OpKind::Elementwise, ops::elementwise(2, &[], &DIMS), &[a, b]),
            1 => (OpKind::Reshape, ops::transpose(&DIMS, &[1, 0]), &[a]),
            2 => (OpKind::Other, ops::dot(&DIMS, &DIMS), &[a, b]),
            _ => (OpKind::Reshape, ops::reshape(&DIMS, &DIMS).expect("a rule"), &[a]),
        };
        let op = graph.op(kind, rule, operands, &[&DIMS]).expect("an operation");
        values.push(graph.results(op)[0]);
    }
    for (value, choice) in values.iter().zip(&chain.shardings) {
        if let Some(choice) = choice {
            graph.set_sharding(*value, &sharding(&chain.mesh, 2, choice)).expect("a sharding");
        }
    }
    (graph, values)
}

/// Whether one dimension's axes start with another's, compared as lists of parts, so that an axis and its major part can be
/// compared.
fn starts_with(mesh: &Mesh, long: &DimSharding, short: &DimSharding) -> bool {
    let size = |axis: &AxisRef| {
        axis.sub.map_or(mesh.axis_size(&axis.name).expect("an axis"), |sub| sub.size)
    };
    let pre = |axis: &AxisRef| axis.sub.map_or(1, |sub| sub.pre);
    short.axes.iter().enumerate().all(|(at, axis)| {
        let Some(other) = long.axes.get(at) else { return false };
        let last = at + 1 == short.axes.len();
        axis == other
            || (last
                && axis.name == other.name
                && pre(axis) == pre(other)
                && size(other) % size(axis) == 0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shardings_only_grow_and_stay(chain in chain()) {
        let (mut graph, values) = graph(&chain);
        let before: HashMap<Value, TensorSharding> =
            values.iter().filter_map(|value| Some((*value, graph.sharding(*value)?))).collect();
        propagate(&mut graph, chain.order);
        for value in &values {
            let Some(after) = graph.sharding(*value) else {
                prop_assert!(!before.contains_key(value));
                continue;
            };
            // Every axis is used once, which the check reports first.
            prop_assert!(after.check(&chain.mesh, &DIMS).is_ok(), "{}", after);
            if let Some(before) = before.get(value) {
                prop_assert_eq!(&before.replicated, &after.replicated);
                for (before, after) in before.dims.iter().zip(after.dims.iter()) {
                    prop_assert!(starts_with(&chain.mesh, after, before), "{} became {}", before, after);
                    prop_assert!(before.open || before.axes == after.axes, "{} became {}", before, after);
                }
            }
        }
        let once: Vec<_> = values.iter().map(|value| graph.sharding(*value)).collect();
        propagate(&mut graph, chain.order);
        let twice: Vec<_> = values.iter().map(|value| graph.sharding(*value)).collect();
        prop_assert_eq!(once, twice);
    }

    /// A value in the body of a manual computation is never split along the manual axes, and its sharding never names them.
    #[test]
    fn manual_axes_stay_out_of_the_body(chain in chain(), manual in proptest::collection::vec(any::<bool>(), 4)) {
        let (mut graph, values) = graph(&chain);
        let bound = chain.mesh.axes().iter().zip(manual).filter(|(_, manual)| *manual);
        let bound: Vec<_> = bound.map(|(axis, _)| AxisRef::full(axis.name().to_owned())).collect();
        let axes = ManualAxes::new(bound.iter().cloned());
        let open = TensorSharding::open(MeshRef::Name("mesh".into()), 2);
        let mut within = Vec::new();
        let taken = [values[0], values[values.len() - 1]];
        let arguments = taken.map(|value| graph.manual_argument(value, &open, &axes).expect("an argument"));
        graph.enter_manual(&arguments, &axes);
        let rule = ops::elementwise(2, &[], &DIMS);
        let op = graph.op(OpKind::Elementwise, rule.clone(), &arguments, &[&DIMS]).expect("an operation");
        within.extend(arguments);
        within.push(graph.results(op)[0]);
        graph.leave();
        let result = graph.manual_result(within[2], &DIMS, &open, &axes).expect("a result");
        // A use outside the body that would take all axes.
        let op = graph.op(OpKind::Elementwise, rule, &[result, values[1]], &[&DIMS]).expect("an operation");
        let all = sharding(&chain.mesh, 2, &(vec![0, 1, 0, 1], vec![false; 2]));
        graph.set_sharding(graph.results(op)[0], &all).expect("a sharding");
        propagate(&mut graph, chain.order);
        for value in within {
            let sharding = graph.sharding(value);
            let dims = sharding.iter().flat_map(|sharding| sharding.dims.iter());
            let names = dims.flat_map(|dim| dim.axes.iter());
            let names = names.chain(sharding.iter().flat_map(|sharding| sharding.replicated.iter()));
            for axis in names {
                prop_assert!(bound.iter().all(|other| other.name != axis.name), "{:?}", sharding);
            }
        }
        let result = graph.sharding(result);
        if let Some(result) = &result {
            prop_assert_eq!(&*result.replicated, &bound[..]);
            prop_assert!(result.check(&chain.mesh, &DIMS).is_ok());
        }
    }

    #[test]
    fn a_printed_sharding_is_read_as_itself(mesh in mesh(), choice in choice()) {
        let sharding = sharding(&mesh, 3, &choice);
        prop_assert_eq!(sharding.to_string().parse::<TensorSharding>().unwrap(), sharding);
        prop_assert_eq!(mesh.to_string().parse::<Mesh>().unwrap(), mesh);
    }

    #[test]
    fn slices_tile_the_array(mesh in mesh(), choice in choice(), dims in proptest::array::uniform2(1usize..14)) {
        let sharding = sharding(&mesh, 2, &choice);
        let shards = Shards::new(&sharding, &mesh, &dims, Padding::Allowed).unwrap();
        let copies = mesh.devices() / shards.tiles().iter().product::<usize>();
        let mut seen = vec![0; dims[0] * dims[1]];
        for device in 0..mesh.devices() {
            let slice = shards.slice(device).unwrap();
            for i in slice[0].clone() {
                for j in slice[1].clone() {
                    seen[i * dims[1] + j] += 1;
                }
            }
        }
        prop_assert!(seen.iter().all(|&count| count == copies), "{:?}", seen);
        for i in 0..dims[0] {
            for j in 0..dims[1] {
                let (device, local) = shards.locate(&[i, j]);
                prop_assert_eq!(shards.global(device, &local), Some(vec![i, j]));
            }
        }
        // Each device has the position in the assignment that HLO's formula gives it.
        let mut assigned = shards.tile_assignment();
        assigned.sort_unstable();
        prop_assert!(assigned.into_iter().eq(0..mesh.devices()));
    }

    #[test]
    fn what_is_scattered_is_gathered(mesh in mesh(), choice in choice(), dims in proptest::array::uniform2(1usize..9)) {
        let sharding = sharding(&mesh, 2, &choice);
        let shards = Shards::new(&sharding, &mesh, &dims, Padding::Allowed).unwrap();
        let array: Vec<u8> = (0..dims[0] * dims[1]).map(|n| n as u8 ^ 0x5A).collect();
        let gathered: Vec<Result<_, RunError>> = threads::run(mesh.devices(), |transport| {
            let root = (transport_is(transport, 0)).then_some(&array[..]);
            let shard = run::scatter(transport, &shards, 1, 0, root)?;
            run::gather(transport, &shards, 1, 1, &shard)
        });
        prop_assert_eq!(gathered[1].as_ref().unwrap(), &Some(array.clone()));
    }
}

fn transport_is(transport: &threads::Threads, device: usize) -> bool {
    run::Transport::device(transport) == device
}
