//! Programs: what is propagated, what is said of it, and what is wrong with the wrong ones.

use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{MeshType, ShardedLayout, TensorSharding};
use tensor_layout::{BF16, Layout, mesh, propagate, sharded};

mod pods {
    tensor_layout::mesh! { pub(crate) Ring = ["x" = 4] }
}

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    pub(crate) fn mlp(
        x: bf16[64,512]{1,0:T(8,128)(2,1)} [{"data"}, {}],
        w1: bf16[512,2048] [{}, {"model"}],
        w2: bf16[2048,512],
        b: bf16[512],
    ) {
        let h = dot(x, w1);
        let y = dot(tanh(h), w2);
        let z = add(y, broadcast_in_dim(b, [64,512], [1]));
        let t = reshape(transpose(z, [1, 0]), [512, 8, 8]);
        let s = reduce(t, [1]);
        let q = attention(s, reshard(z)) : (i,k),(l,j)->(i,j) need_replication={l};
        return q, z [{"data"}, {}];
    }
}

propagate! {
    mesh pods::Ring padded;
    fn odd(x: f32[10] [{"x"}]) {
        let y = exp(x);
        return y;
    }
}

fn program(body: &str) -> Program {
    Program::new(&format!("mesh Pod; {body}"), &Pod::MESH).unwrap_or_else(|error| panic!("{error}"))
}

fn mistake(body: &str) -> String {
    let text = format!("mesh Pod; {body}");
    Program::new(&text, &Pod::MESH).expect_err("a mistake").to_string()
}

#[test]
fn every_value_is_a_type() {
    assert_eq!(mlp::q::SHARDING.to_string(), "<@Pod, [{}, {}]>");
    assert_eq!(mlp::w2::SHARDING.to_string(), r#"<@Pod, [{"model", ?}, {?}]>"#);
    assert_eq!(mlp::y_0::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {"model", ?}]>"#);
    assert_eq!(
        <mlp::x as ShardedLayout>::Local::SPEC.to_string(),
        "bf16[32,512]{1,0:T(8,128)(2,1)}"
    );
    assert_eq!(<mlp::y_0 as ShardedLayout>::Local::DIMS, [32, 512]);
    assert_eq!(<mlp::t as ShardedLayout>::Global::DIMS, [512, 8, 8]);
    fn local<L: ShardedLayout<Mesh = Pod>>() -> usize
    where
        L::Global: Layout<Element = BF16>,
    {
        L::Local::BYTES
    }
    assert_eq!(local::<mlp::h>(), 32 * 512 * 2);
    assert_eq!(<odd::y as ShardedLayout>::Local::DIMS, [3]);
    assert_eq!(odd::y::slice(3).map(|slice| slice[0].clone()), Some(9..10));
    assert_eq!(pods::Ring::MESH.devices(), 4);
}

#[test]
fn a_written_sharding_is_the_propagated_one() {
    type Z = sharded!(bf16[64,512] @ Pod [{"data", ?}, {?}]);
    let same: fn(Z) -> mlp::z = |same| same;
    let _ = same;
    assert_eq!(Z::DEVICES, 8);
}

#[test]
fn a_program_says_where_axes_come_from_and_what_is_sent() {
    let program = program(
        r#"fn f(x: f32[64,512] [{"data"}, {}], w: f32[512,2048] [{}, {"model"}], v: f32[2048,8]) {
            let h = dot(x, w);
            let y = dot(h, v);
            return y;
        }"#,
    );
    let text = program.describe();
    for line in [
        r#"| `v` | `f32[2048,8]` | `[{"model", ?}, {?}]` | `f32[512,8]` | 16384 | {"model"} of dim 0 from `h` through `dot`, written at `w` |"#,
        r#"| `y` | `all_reduce {"model"}` | 1536 |"#,
        r#"| T1 = `v` | N | - | - → "model" |"#,
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert_eq!(program.value("h").unwrap().shards().slice(7), Some(vec![32..64, 1536..2048]));
    assert_eq!(program.value("h").unwrap().local_bytes(), 32 * 512 * 4);
}

#[test]
fn an_allowed_reshard_is_planned() {
    let program = program(
        r#"fn f(x: f32[8,8] [{"data"}, {}], y: f32[8,8] [{"model"}, {}]) {
            let z = add(x, reshard(y)) [{"data"}, {}];
            return z;
        }"#,
    );
    let collectives: Vec<_> = program.collectives().iter().map(ToString::to_string).collect();
    let expected =
        ["y: collective_permute, 64 bytes", r#"y: all_gather [{"model":(2)2}, {}], 64 bytes"#];
    assert_eq!(collectives, expected);
}

#[test]
fn mistakes_stand_where_they_are() {
    for (body, expected) in [
        (
            "fn f(x: f32[8,4]) { let y = tanh(z); }",
            "1:44: there is no value `z` (help: values are defined before they are used)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = dot(x, x); }",
            "1:46: the last dimension of the left operand has size 4, the first of this one has size 8",
        ),
        (
            "fn f(x: f32[8,4], y: f32[4,8]) { let z = add(x, y); }",
            "1:59: expected an array of size [8, 4], found [4, 8]",
        ),
        ("fn f(x: f32[8,4]) { let y = tanh(x, x); }", "1:39: expected 1 operand, found 2"),
        (
            "fn f(x: f32[8,4]) { let y = foo(x); }",
            "1:39: unknown operation `foo` (help: write its rule behind it: `op(x, w) : (i,k),(k,j)->(i,j)`)",
        ),
        (
            "fn f(x: f32[8,4]) { let x = tanh(x); }",
            "1:35: the name `x` is defined twice (help: every value has a name of its own)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = reshape(x, [5]); }",
            "1:50: [8, 4] has 32 elements, but [5] has 5",
        ),
        (
            "fn f(x: f32[8,4]) { let y = transpose(x, [0, 2]); }",
            "1:52: dimension 2 does not exist: the array has rank 2",
        ),
        (
            "fn f(x: f32[8,4]) { let y = op(x) : (i)->(i); }",
            "1:42: operand 0 - mapping rank must match: 1 != 2",
        ),
        (
            "fn f(x: f32[8,4]) { let y = op(x) : (i,j)->(i,k); }",
            "1:39: the size of factor k does not follow from the shapes (help: write it: `k=..`)",
        ),
        (
            r#"fn f(x: f32[7,4] [{"data"}, {}]) { }"#,
            "1:16: `x`: dim 0 with size 7 is not divisible by its sharded size 2 (help: choose a size that the axes divide, or write `padded` behind the mesh: `mesh Pod padded;`)",
        ),
        (
            r#"fn f(x: f32[8,4] [{"rows"}, {}]) { }"#,
            "1:30: unknown axis name: \"rows\" (help: the axes of the mesh are \"data\" and \"model\")",
        ),
        (
            r#"fn f(x: f32[8,8] [{"data"}, {}], y: f32[8,8] [{"model"}, {}]) { let z = add(x, y); }"#,
            r#"1:83: conflict in `add`: factor i is sharded along {"data"} in `x`, but along {"model"} in `y` (help: constrain `y` to {"data"} there, or allow a reshard with reshard(y))"#,
        ),
        (
            r#"fn f(x: f32[8,8] [{"data"}, {}]) { let z = sort(x, 0); }"#,
            r#"1:54: conflict in `sort`: factor i must be whole, but `x` is sharded along {"data"} (help: constrain `x` to be whole there, or allow a reshard with reshard(x))"#,
        ),
        ("fn f(x: f32[8,4]) { tanh(x); }", "1:31: expected `let` or `return`, found `tanh`"),
        (
            "fn f(x: f32[N,4]) { }",
            "1:23: the size of a sharded dimension must be a number, found `N` (help: the macro divides it among the devices)",
        ),
    ] {
        assert_eq!(mistake(body), expected, "{body}");
    }
}

#[test]
fn mlir_has_the_shardings() {
    let text = mlp::MLIR;
    assert!(
        text.starts_with("sdy.mesh @Pod = <[\"data\"=2, \"model\"=4]>\nfunc.func @mlp("),
        "{text}"
    );
    for part in [
        r#"%w2: tensor<2048x512xbf16> {sdy.sharding = #sdy.sharding<@Pod, [{"model", ?}, {?}]>}"#,
        r#"%z.1.for.q = sdy.reshard %z <@Pod, [{?}, {?}]> : tensor<64x512xbf16>"#,
        "sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [l, j])->([i, j]) {i=512, j=512, k=8, l=64} need_replication={l}>",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let sharding: TensorSharding = r#"<@Pod, [{"data"}, {}]>"#.parse().unwrap();
    assert!(text.contains(&sharding.to_string()));
}
