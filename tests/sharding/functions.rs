//! Programs of several functions: each call has its own copy of the function's values, and propagation goes through calls as in
//! Shardy.

use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::{Mesh, MeshType, ShardedLayout};
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    const D: usize = 512;
    /// One block.
    fn block(x: f32[64, D], w: f32[D, D] [{}, {"model"}]) {
        let h = dot(reshard(x), w);
        return h [{?}, {"model"}];
    }
    pub(crate) fn net(x: f32[64, D] [{"data"}, {}], w1: f32[D, D], w2: f32[D, D]) {
        let a = block(x, w1);
        let t = tanh(a);
        let b = block(t, w2);
        return b;
    }
}

fn pod() -> Mesh {
    Pod::MESH.clone()
}

fn program(text: &str) -> Program {
    let text = format!("mesh Pod; {text}");
    Program::new(&text, &pod()).unwrap_or_else(|error| panic!("{error}"))
}

fn mistake(text: &str) -> String {
    Program::new(&format!("mesh Pod; {text}"), &pod()).expect_err("a mistake").to_string()
}

#[test]
fn values_of_a_call_are_types_named_after_its_result() {
    assert_eq!(net::a_h::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {"model", ?}]>"#);
    assert_eq!(net::b_w::SHARDING.to_string(), r#"<@Pod, [{}, {"model"}]>"#);
    assert_eq!(<net::w2 as ShardedLayout>::SHARDING.to_string(), r#"<@Pod, [{?}, {"model", ?}]>"#);
    assert_eq!(net::D, 512);
    assert!(net::MLIR.contains(r#"sdy.named_computation<"block">(%x, %w1)"#), "{}", net::MLIR);
}

#[test]
fn calls_are_sharded_as_shardy_has_them() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/stablehlo/calls.mlir");
    let golden = std::fs::read_to_string(golden).expect("the golden module");
    let module = Program::from_mlir(&golden).unwrap_or_else(|error| panic!("{error}"));
    let axes = |program: &Program, name: &str| {
        let value = program.value(name).unwrap_or_else(|| panic!("no value {name}"));
        let dims: Vec<_> = value.sharding.dims.iter().map(|dim| dim.axes.clone()).collect();
        (value.dims.clone(), dims)
    };
    let own = program(
        "fn block(x: f32[64,512], w: f32[512,512] [{}, {\"model\"}]) { return dot(reshard(x), w) [{?}, {\"model\"}]; }
         fn net(x: f32[64,512] [{\"data\"}, {}], w1: f32[512,512], w2: f32[512,512]) {
             let a = block(x, w1);
             let t = tanh(a);
             let b = block(t, w2);
             return b;
         }",
    );
    let names = [
        ("x", "arg0"),
        ("w1", "arg1"),
        ("w2", "arg2"),
        ("a_x", "block.arg3"),
        ("a_w", "block.arg4"),
        ("a_return0", "block.3"),
        ("a", "0"),
        ("t", "1"),
        ("b_x", "block.arg3.1"),
        ("b_w", "block.arg4.1"),
        ("b", "2"),
    ];
    for (name, other) in names {
        assert_eq!(axes(&own, name), axes(&module, other), "{name}");
    }
    // Its output is read again and propagates the same.
    let again = Program::from_mlir(&own.mlir()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        again.results().next().map(|(_, sharding)| sharding.to_string()),
        own.results().next().map(|(_, sharding)| sharding.to_string())
    );
}

#[test]
fn functions_call_functions_in_any_order_and_return_several_values() {
    let program = program(
        "fn net(x: f32[8,16] [{\"data\"}, {\"model\"}]) {
             let (u, v) = two(x);
             let s = add(one(u), v);
             return s;
         }
         fn two(y: f32[8,16]) { let n = negate(y); return one(n), transpose(transpose(n, [1, 0]), [1, 0]); }
         fn one(z: f32[8,16]) { return exp(z); }",
    );
    let names: Vec<_> = program.values().iter().map(|value| value.name.as_str()).collect();
    for name in [
        "u_y",
        "u_n",
        "u_return0",
        "u_return0_z",
        "u_return0_return0",
        "u_return1_0",
        "u_return1",
        "s_0_z",
        "s_0",
    ] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    let sharded = |name: &str| program.value(name).map(|value| value.local_dims().to_vec());
    assert!(
        names
            .iter()
            .filter(|name| **name != "u_return1_0")
            .all(|name| sharded(name) == Some(vec![4, 4]))
    );
    assert_eq!(sharded("u_return1_0"), Some(vec![4, 4]));
}

#[test]
fn the_result_of_a_call_is_sharded_as_the_call_says() {
    let program = program(
        "fn f(x: f32[8,16]) { return reshard(exp(x)) [{\"data\"}, {}]; }
         fn net(x: f32[8,16]) { let a = f(x) [{}, {\"model\"}]; let b = f(x); return a, b; }",
    );
    let sharding = |name: &str| program.value(name).map(|value| value.sharding.to_string());
    assert_eq!(sharding("a").as_deref(), Some(r#"<@Pod, [{}, {"model"}]>"#));
    assert_eq!(sharding("b").as_deref(), Some(r#"<@Pod, [{"data"}, {}]>"#));
}

#[test]
fn mistakes_in_functions_and_calls() {
    let one = "fn one(x: f32[8]) { return exp(x); }";
    for (text, expected) in [
        (
            "fn f(x: f32[8]) { return x; } fn g(x: f32[8]) { return x; }",
            "no function calls `f` or `g`",
        ),
        (
            "fn f(x: f32[8]) { return g(x); } fn g(x: f32[8]) { return f(x); }",
            "every function is called by another one",
        ),
        (
            "fn main(x: f32[8]) { return f(x); } fn f(x: f32[8]) { return g(x); } fn g(x: f32[8]) { return f(x); }",
            "the function `f` calls itself",
        ),
        (
            "fn main(x: f32[8]) { return f(x); } fn f(x: f32[8]) { return x; } fn f(x: f32[8]) { return x; }",
            "the function `f` is defined twice",
        ),
        (
            "fn main(x: f32[8]) { return exp(x); } fn exp(x: f32[8]) { return x; }",
            "`exp` is an operation",
        ),
        (
            "fn main(x: f32[8]) { return one(x); } pub fn one(x: f32[8]) { return x; }",
            "only `main` becomes a module",
        ),
        ("fn main(x: f32[8]) { return one(x, x); } ONE", "`one` takes 1 value, found 2"),
        ("fn main(x: f32[4]) { return one(x); } ONE", "`x` of `one` is `f32[8]`, found `f32[4]`"),
        ("fn main(x: bf16[8]) { return one(x); } ONE", "`x` of `one` is `f32[8]`, found `bf16[8]`"),
        ("fn main(x: f32[8]) { return one(x, [1]); } ONE", "the function `one` takes only values"),
        (
            "fn main(x: f32[8]) { let a = one(x); return x; } fn one(y: f32[8]) { return exp(x); }",
            "there is no value `x`",
        ),
        (
            "fn main(x: f32[8]) { let (a, b) = one(x); return a; } ONE",
            "the operation has 1 result, found 2 names",
        ),
        (
            "fn main(x: f32[8]) { return one(x); } fn one(x: f32[8], x: f32[8]) { return x; }",
            "the name `x` is defined twice",
        ),
        (
            "fn main(x: f32[8]) { let a = one(x); let a_x = exp(a); return a_x; } ONE",
            "the name `a_x` is defined twice",
        ),
    ] {
        let found = mistake(&text.replace("ONE", one));
        assert!(found.contains(expected), "expected {expected}\nfound {found}");
    }
    // A mistake in a body is reported once, however often the function is called.
    let twice = mistake(
        "fn main(x: f32[8]) { return add(f(x), f(x)); } fn f(x: f32[8]) { return transpose(x, [1]); }",
    );
    assert_eq!(twice.matches("dimension 1 does not exist").count(), 1, "{twice}");
    // Both functions have syntax errors.
    let both = mistake("fn main(x: f32[8]) { let a == f(x); return a; } fn f(x: f32[8]) { x }");
    assert!(both.contains("expected a value") && both.contains("ends with `return`"), "{both}");
}

#[test]
fn calls_that_double_have_a_limit() {
    let mut text = String::from("fn f0(x: f32[8]) { return add(f1(x), f1(x)); }");
    for at in 1..40 {
        text += &format!(" fn f{at}(x: f32[8]) {{ return add(f{0}(x), f{0}(x)); }}", at + 1);
    }
    text += " fn f40(x: f32[8]) { return exp(x); }";
    let found = mistake(&text);
    assert!(found.contains("the program has more than"), "{found}");
}

#[test]
fn scatter_takes_several_arrays() {
    let text = "fn f(x: f32[64,16] [{\"data\"}, {\"model\"}], y: s32[64,16], i: s32[8,1], u: f32[8,16], v: s32[8,16]) {
        let (a, b) = scatter(x, y, i, u, v, window=[1], inserted=[0], index_vector=1);
        return a, b;
    }";
    let found = program(text);
    let sharding = |name: &str| found.value(name).map(|value| value.sharding.to_string());
    // All arrays and results are split the same way, and updates along the dimension that they share.
    assert_eq!(sharding("b").as_deref(), Some(r#"<@Pod, [{"data", ?}, {"model", ?}]>"#));
    assert_eq!(sharding("y"), sharding("b"));
    assert_eq!(sharding("v").as_deref(), Some(r#"<@Pod, [{?}, {"model", ?}]>"#));
    assert_eq!(found.value("b").map(|value| value.dtype.to_string()).as_deref(), Some("s32"));
    for (from, to, expected) in [
        ("u, v,", "u,", "expected arrays, indices and updates of each array, found 4 operands"),
        ("y: s32[64,16]", "y: s32[32,16]", "expected an array of size [64, 16], found [32, 16]"),
        ("v: s32[8,16]", "v: s32[4,16]", "expected an array of size [8, 16], found [4, 16]"),
        ("v: s32[8,16]", "v: f32[8,16]", "expected elements of type `s32`, found `f32`"),
    ] {
        let found = mistake(&text.replace(from, to));
        assert!(found.contains(expected), "expected {expected}\nfound {found}");
    }
}

#[test]
fn shardings_of_functions_are_those_of_programs() {
    let definitions = Definitions { meshes: vec![pod()], rules: vec![] };
    let text = "mesh Pod; fn g(x: f32[8]) { return exp(x); } fn f(x: f32[8] [{\"data\"}]) { let y = g(x); return y; }";
    let shardings = Program::shardings(text, &definitions, Default::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<_> = shardings.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["x", "y_x", "y_return0", "y", "ret0"]);
    assert!(shardings.iter().all(|(_, sharding)| sharding.is_some()));
}
