//! The time of propagation for each operation: `cargo bench -p dense-bench --bench propagation`.
//!
//! Two kinds of graph, of 100 to 10,000 operations: a chain of elementwise operations, and a multilayer perceptron with
//! a `dot`, an `add` of a broadcast bias and a `tanh` for each layer, split along data and model.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tensor_layout::sharding::propagation::{Graph, OpKind, Strategy, Value, propagate};
use tensor_layout::sharding::{Mesh, OpShardingRule, TensorSharding, ops};

/// Makes a graph with this number of operations.
type Make = fn(usize) -> Graph;

fn graph() -> Graph {
    let mesh: Mesh = r#"<["data"=4, "model"=8]>"#.parse().expect("a mesh");
    Graph::new("mesh", mesh)
}

fn shard(graph: &mut Graph, value: Value, split: &str) {
    let sharding: TensorSharding = format!("<@mesh, {split}>").parse().expect("a sharding");
    graph.set_sharding(value, &sharding).expect("a sharding of the value");
}

fn add(
    graph: &mut Graph,
    kind: OpKind,
    rule: OpShardingRule,
    operands: &[Value],
    dims: &[usize],
) -> Value {
    let op = graph.op(kind, rule, operands, &[dims]).expect("an operation");
    graph.results(op)[0]
}

fn chain(ops: usize) -> Graph {
    let mut graph = graph();
    let dims = [1024, 2048];
    let mut value = graph.argument(&dims);
    shard(&mut graph, value, r#"[{"data"}, {"model"}]"#);
    for _ in 0..ops {
        value =
            add(&mut graph, OpKind::Elementwise, ops::elementwise(1, &[], &dims), &[value], &dims);
    }
    graph.ret(value, None).expect("a return");
    graph
}

/// The same chain, sharded at its end: every step goes back.
fn chain_backward(ops: usize) -> Graph {
    let mut graph = chain(0);
    let dims = [1024, 2048];
    let mut value = graph.argument(&dims);
    for _ in 0..ops {
        value =
            add(&mut graph, OpKind::Elementwise, ops::elementwise(1, &[], &dims), &[value], &dims);
    }
    shard(&mut graph, value, r#"[{"data"}, {"model"}]"#);
    graph
}

fn mlp(ops: usize) -> Graph {
    let mut graph = graph();
    let (batch, width) = (1024, 4096);
    let dims = [batch, width];
    let mut x = graph.argument(&dims);
    shard(&mut graph, x, r#"[{"data"}, {?}]"#);
    for layer in 0..ops / 4 {
        let weight = graph.argument(&[width, width]);
        let split = if layer % 2 == 0 { r#"[{}, {"model"}]"# } else { r#"[{"model"}, {}]"# };
        shard(&mut graph, weight, split);
        let bias = graph.argument(&[width]);
        let y =
            add(&mut graph, OpKind::Other, ops::dot(&dims, &[width, width]), &[x, weight], &dims);
        let rule = ops::broadcast_in_dim(&[width], &dims, &[1]);
        let bias = add(&mut graph, OpKind::BroadcastInDim, rule, &[bias], &dims);
        let z = add(
            &mut graph,
            OpKind::Elementwise,
            ops::elementwise(2, &[], &dims),
            &[y, bias],
            &dims,
        );
        x = add(&mut graph, OpKind::Elementwise, ops::elementwise(1, &[], &dims), &[z], &dims);
    }
    graph.ret(x, None).expect("a return");
    graph
}

fn propagation(criterion: &mut Criterion) {
    let kinds: [(&str, Make); 3] =
        [("chain", chain), ("chain_backward", chain_backward), ("mlp", mlp)];
    for (kind, make) in kinds {
        let mut group = criterion.benchmark_group(kind);
        group
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1));
        for ops in [100, 1_000, 10_000] {
            group.throughput(Throughput::Elements(ops as u64));
            let graph = make(ops);
            for (name, strategy) in [
                ("basic", Strategy::Basic),
                ("aggressive", Strategy::Aggressive),
                ("priorities", Strategy::UserPriority),
            ] {
                group.bench_with_input(BenchmarkId::new(name, ops), &graph, |bencher, graph| {
                    bencher.iter_batched_ref(
                        || graph.clone(),
                        |graph| propagate(black_box(graph), strategy),
                        BatchSize::LargeInput,
                    );
                });
            }
        }
    }
}

criterion_group!(benches, propagation);
criterion_main!(benches);
