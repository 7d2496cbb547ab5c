//! The largest meshes and arrays; values of another graph, which are errors, or panics at the caller's line.

use std::cell::RefCell;
use std::panic::{Location, catch_unwind};
use std::sync::Once;
use tensor_layout::DType;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::propagation::{
    Direction, Graph, ManualAxes, OpKind, Strategy, propagate,
};
use tensor_layout::sharding::run::{self, RunError, threads::Threads};
use tensor_layout::sharding::{
    AxisRef, DimSharding, FactorKind, MAX_AXES, Mesh, MeshAxis, MeshRef, OpShardingRule, Padding,
    Shards, TensorSharding, ops, reshard,
};

fn mesh(text: &str) -> Mesh {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn sharding(text: &str) -> TensorSharding {
    format!("<@mesh, {text}>").parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const LARGE: &str = r#"<["x"=65536, "y"=65535]>"#;

#[test]
fn the_largest_arrays_have_slices_and_plans() {
    let (mesh, dims) = (mesh(LARGE), [usize::MAX, 2]);
    let (rows, both) = (sharding(r#"[{"x", "y"}, {}]"#), sharding(r#"[{"x"}, {"y"}]"#));
    for split in [&rows, &both] {
        let shards = Shards::new(split, &mesh, &dims, Padding::Allowed).expect("shards");
        let last = shards.slice(mesh.devices() - 1).expect("a device");
        assert!(last[1].end <= 2);
        let index = [usize::MAX - 1, 1];
        let (device, local) = shards.locate(&index);
        assert_eq!(shards.global(device, &local), Some(index.to_vec()));
    }
    let steps = reshard::plan(&mesh, &rows, &both, &dims, 64).expect("a plan");
    assert_eq!(steps.last().map(|step| step.sharding.dims.to_vec()), Some(both.dims.to_vec()));
    // In bytes they are too large for any memory.
    let whole = sharding("[{}, {}]");
    let mut alone = Threads::connect(1);
    let (one, shard) = (Mesh::new([], []).expect("a mesh"), []);
    let error = run::reshard(&mut alone[0], &one, (&whole, &whole), (DType::F32, &dims), &shard);
    assert_eq!(error, Err(RunError::TooLarge { dims: dims.to_vec(), width: 4 }));
}

#[test]
fn a_mesh_has_a_limited_number_of_axes() {
    let axes = |count: usize| (0..count).map(|at| MeshAxis::new(format!("a{at}"), 1));
    let error = Mesh::new(axes(10_000), []).expect_err("too many axes").to_string();
    assert_eq!(error, format!("a mesh has at most {MAX_AXES} axes, got: 10000"));
    let mesh = Mesh::new(axes(MAX_AXES), []).expect("a mesh");
    let split = (0..MAX_AXES + 100).map(|at| AxisRef::full(format!("a{at}"))).collect::<Vec<_>>();
    let dim = DimSharding { axes: split.into(), ..DimSharding::default() };
    let sharding = TensorSharding::new(MeshRef::Name("mesh".into()), vec![dim]);
    let problems = sharding.check(&mesh, &[8]).expect_err("axes that the mesh has not");
    assert_eq!(problems.problems().len(), 100);
    assert_eq!(sharding.to_string().parse::<TensorSharding>().expect("a sharding"), sharding);
}

/// The file named by a panic of `run`, and the message.
fn panics(run: impl FnOnce() + std::panic::UnwindSafe) -> (String, String) {
    // Panics of other tests, which run at the same time, are still printed.
    thread_local! { static FILE: RefCell<Option<String>> = const { RefCell::new(None) } }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let file = info.location().map_or("", Location::file);
            let is_ours =
                FILE.with_borrow_mut(|own| own.as_mut().map(|own| *own = file.to_owned()));
            if is_ours.is_none() {
                before(info);
            }
        }));
    });
    FILE.set(Some(String::new()));
    let caught = catch_unwind(run);
    let file = FILE.take().unwrap_or_default();
    let payload = caught.expect_err("a panic");
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    (file, text.unwrap_or_default())
}

#[test]
fn panics_stand_where_the_caller_does() {
    let mesh = mesh(r#"<["x"=4]>"#);
    let shards = Shards::new(&sharding(r#"[{"x"}]"#), &mesh, &[8], Padding::Forbidden).unwrap();
    let large = Shards::new(&sharding(r#"[{"x"}]"#), &self::mesh(LARGE), &[8], Padding::Allowed)
        .expect("shards");
    let mut other = Graph::new("mesh", mesh.clone());
    let value = other.argument(&[8]);
    let rule = ops::elementwise(1, &[], &[8]);
    let op = other.op(OpKind::Elementwise, rule, &[value], &[&[8]]).expect("an operation");
    let graph = Graph::new("mesh", mesh);
    for (at, (file, text)) in [
        panics(|| drop(shards.locate(&[8]))),
        panics(|| drop(shards.locate(&[1, 1]))),
        panics(|| drop(large.tile_assignment())),
        panics(|| drop(shards.tile(4))),
        panics(|| drop(shards.mesh().coordinates(4))),
        panics(|| drop(graph.dims(value).to_vec())),
        panics(|| drop(graph.sharding(value))),
        panics(|| drop(graph.conflict(op))),
        panics(|| drop(graph.operands(op).to_vec())),
        panics(|| drop(graph.factor_table(op))),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(file.ends_with("limits.rs"), "{at}: {file}: {text}");
        assert!(
            ["is out of bounds", "is too long", "of another graph"]
                .iter()
                .any(|s| text.contains(s)),
            "{at}: {text}"
        );
    }
}

#[test]
fn values_of_another_graph_are_errors() {
    let mesh = mesh(r#"<["x"=4]>"#);
    let mut graph = Graph::new("mesh", mesh.clone());
    assert_eq!(graph.return_sharding(5), None);
    let split = sharding(r#"[{"x"}]"#);
    let rule = ops::elementwise(1, &[], &[8]);
    let (edge, _) = graph.open_edge(&[8], 1);
    let axes = ManualAxes::new([AxisRef::full("x")]);
    // This graph has one value, the target of the edge; it does not have the third value of another graph.
    let mut other = Graph::new("mesh", mesh);
    let [_, _, value] = [(); 3].map(|()| other.argument(&[8]));
    for error in [
        graph.set_sharding(value, &split).err(),
        graph.constraint(value, &split).err(),
        graph.ret(value, None).err(),
        graph.barrier(value, Direction::None).err(),
        graph.group(0, value).err(),
        graph.op(OpKind::Elementwise, rule, &[value], &[&[8]]).err(),
        graph.manual_argument(value, &split, &axes).err(),
        graph.manual_size(value, &split, &axes).err(),
        graph.manual_result(value, &[8], &split, &axes).err(),
        graph.close_edge(edge, &[value]).err(),
    ] {
        assert_eq!(error.expect("an error").to_string(), "a value of another graph");
    }
}

/// Reading a text ten times as long takes ten times as long, not a hundred times.
#[test]
fn long_texts_are_read_in_linear_time() {
    const MANY: usize = 20_000;
    let list = |separator: &str, name: &str| {
        (0..MANY).map(|at| format!("{name}{at}")).collect::<Vec<_>>().join(separator)
    };
    let start = std::time::Instant::now();

    // More factors than 16 bits can number.
    let factors = (0..70_000).map(|at| format!("f{at}")).collect::<Vec<_>>().join(" ");
    let rule: OpShardingRule = format!("{factors} -> {factors}").parse().expect("a rule");
    let [operand, result] = [&rule.operands()[0], &rule.results()[0]];
    assert_eq!((operand.rank(), operand.dim(69_999).collect()), (70_000, vec![69_999]));
    assert_eq!(operand, result);
    let names = list(" ", "f");
    let reduced = format!("{names} -> reduction={{{}}}", list(",", "f"));
    let reduced: OpShardingRule = reduced.parse().expect("a rule");
    assert_eq!(reduced.factor_kind(MANY - 1), FactorKind::Reduction);

    // Named numbers.
    let numbers: String = (0..MANY).map(|at| format!("const N{at} = {at};\n")).collect();
    let uses = (1..MANY).map(|at| format!("x{at}: f32[N{at}]")).collect::<Vec<_>>().join(", ");
    let text = format!("mesh M; {numbers} fn f({uses}) {{ return x1; }}");
    let program = Program::new(&text, &mesh(r#"<["x"=4]>"#)).expect("a program");
    assert_eq!(program.value("x19999").expect("a value").dims, [19_999]);
    // The same name many times.
    let text = format!("mesh M; {} fn f() {{ }}", "const N = 1;".repeat(MANY));
    let error = Program::new(&text, &mesh(r#"<["x"=4]>"#)).expect_err("equal names").to_string();
    assert_eq!(error.matches("the name `N` is defined twice").count(), MANY - 1);

    // Groups, each of which shares a value with the next.
    let mut graph = Graph::new("mesh", mesh(r#"<["x"=4]>"#));
    let values: Vec<_> = (0..MANY).map(|_| graph.argument(&[8])).collect();
    graph.set_sharding(values[0], &sharding(r#"[{"x"}]"#)).expect("a sharding");
    for at in (1..MANY).rev() {
        graph.group(at, values[at]).expect("a group");
        graph.group(at - 1, values[at]).expect("a group");
        graph.group(at, values[at]).expect("a group");
    }
    graph.group(0, values[0]).expect("a group");
    propagate(&mut graph, Strategy::default());
    for value in values {
        let found = graph.sharding(value).expect("a sharding").to_string();
        assert_eq!(found, r#"<@mesh, [{"x"}]>"#);
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn deep_types_are_errors() {
    let deep = "() -> (".repeat(200_000);
    for text in [
        format!("func.func @f(%a: {deep}"),
        format!("func.func @f(%a: f32) {{\n  %0 = foo.bar %a : {deep}"),
        format!("func.func @f(%a: f32) -> ({deep}"),
    ] {
        let error = Program::from_mlir(&text).expect_err("a type that is too deep").to_string();
        assert!(error.contains("types are nested deeper than 64"), "{error}");
    }
    let shallow = format!("{}f32{}", "() -> (".repeat(60), ")".repeat(60));
    let text = format!("func.func @f(%a: {shallow}) {{\n  return\n}}");
    Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_long_chain_of_functions_that_calls_share() {
    const MANY: usize = 20_000;
    let mut text = String::from("sdy.mesh @mesh = <[\"a\"=2]>\n");
    for at in 0..=MANY {
        let (head, body) = match at {
            0 => ("public @f0", "%0 = call @f1(%arg0) : (tensor<8xf32>) -> tensor<8xf32>".into()),
            MANY => ("private @f20000", "%0 = stablehlo.abs %arg0 : tensor<8xf32>".to_owned()),
            _ => (
                "private ",
                format!("%0 = call @f{}(%arg0) : (tensor<8xf32>) -> tensor<8xf32>", at + 1),
            ),
        };
        let name = if head.contains('@') { String::new() } else { format!("@f{at}") };
        text += &format!(
            "func.func {head}{name}(%arg0: tensor<8xf32>) -> tensor<8xf32> {{\n  {body}\n  return %0 : tensor<8xf32>\n}}\n"
        );
    }
    let start = std::time::Instant::now();
    let found = Program::shared_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.matches("func.func private").count(), MANY);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Chains of two constraints on values that other operations read too; many constraints on one value with many users; constraints
/// on the targets of edges; and members of a group that have different shardings.
#[test]
fn many_constraints_take_linear_time() {
    const MANY: usize = 20_000;
    let start = std::time::Instant::now();
    let pod = || mesh(r#"<["a"=2, "b"=2]>"#);
    let [rows, columns] = [r#"[{"a"}, {}]"#, r#"[{}, {"b"}]"#].map(sharding);
    let unary = || ops::elementwise(1, &[], &[8, 8]);
    let apply = |graph: &mut Graph, x| {
        let op = graph.op(OpKind::Elementwise, unary(), &[x], &[&[8, 8]]).expect("an operation");
        graph.results(op)[0]
    };

    let mut graph = Graph::new("mesh", pod());
    let mut x = graph.argument(&[8, 8]);
    for _ in 0..MANY {
        let first = graph.constraint(x, &rows).expect("a constraint");
        graph.constraint(first, &columns).expect("a constraint");
        x = apply(&mut graph, x);
    }
    propagate(&mut graph, Strategy::default());

    let mut graph = Graph::new("mesh", pod());
    let x = graph.argument(&[8, 8]);
    for _ in 0..MANY {
        apply(&mut graph, x);
    }
    for split in [&rows, &columns] {
        for _ in 0..MANY {
            graph.constraint(x, split).expect("a constraint");
        }
    }
    for at in 0..MANY {
        let (edge, targets) = graph.open_edge(&[8, 8], 1);
        graph.close_edge(edge, &[x]).expect("an edge");
        let split = if at % 2 == 0 { &rows } else { &columns };
        let split = graph.constraint(targets[0], split).expect("a constraint");
        apply(&mut graph, split);
    }
    propagate(&mut graph, Strategy::default());

    let mut graph = Graph::new("mesh", pod());
    for at in 0..MANY {
        let x = graph.argument(&[8, 8]);
        graph.group(0, x).expect("a group");
        graph.set_sharding(x, if at % 2 == 0 { &rows } else { &columns }).expect("a sharding");
    }
    propagate(&mut graph, Strategy::default());
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());

    // The importer makes the same changes to the operations of a module, in which the result of each chain is read.
    let mut text = String::from(
        "sdy.mesh @mesh = <[\"a\"=2, \"b\"=2]>\nfunc.func @main(%v0: tensor<8x8xf32>) -> tensor<8x8xf32> {\n",
    );
    for at in 0..MANY / 10 {
        text += &format!(
            "  %x{at} = sdy.sharding_constraint %v{at} <@mesh, [{{\"a\"}}, {{}}]> : tensor<8x8xf32>\n  %y{at} = sdy.sharding_constraint %x{at} <@mesh, [{{}}, {{\"b\"}}]> : tensor<8x8xf32>\n  %v{} = stablehlo.abs %v{at} : tensor<8x8xf32>\n",
            at + 1
        );
    }
    text += &format!("  return %v{} : tensor<8x8xf32>\n}}\n", MANY / 10);
    let found = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}")).mlir();
    let lines: Vec<_> = found.lines().collect();
    assert!(lines[2].starts_with("  %x0 = sdy.reshard %arg0 "), "{}", lines[2]);
    assert!(lines[3].starts_with("  %y0 = sdy.reshard %x0 "), "{}", lines[3]);
    assert!(lines[4].starts_with("  %v1 = stablehlo.abs %y0 "), "{}", lines[4]);
}
