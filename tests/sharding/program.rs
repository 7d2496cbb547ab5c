//! Programs: their propagation, their descriptions, and the messages about mistakes.

use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::propagation::Strategy;
use tensor_layout::sharding::{MeshType, ShardedLayout, TensorSharding};
use tensor_layout::{BF16, Layout, mesh, propagate, sharded};

mod pods {
    tensor_layout::mesh! { pub(crate) Ring = ["x" = 8] }
    tensor_layout::sharding_rule! {
        pub(crate) Attention = batch q d, batch k d -> batch q k reduction={d}
    }
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

tensor_layout::sharding_rule! { Both = (i,j)->(i,j),(j,i) }

propagate! {
    mesh Pod;
    mesh pods::Ring;
    const B = 8;
    const D: usize = B * 4;
    fn net(x: f32[B, 16, D] [{"data"}, {}, {}], w: f32[D, {D * 4}] [{}, {"model"}], r: f32[64] @pods::Ring [{"x"}], i: s32[]) {
        let h = dot_general(x, w, lhs_contracting=[2], rhs_contracting=[0]);
        let (a, b) = optimization_barrier(h, x);
        let (s, t) = while (sa = a, sb = b) {
            let sc = tanh(sa);
            return sc, sb;
        };
        let q = attention(s, s) : pods::Attention;
        let (u, v) = both(reshape(q, [{B * 16}, 16])) : Both;
        let c = case { return u; } { let n = negate(u); return n; };
        let k = propagation_barrier(c, allowed_direction=FORWARD);
        let m = manual {"data"} (ma = k [{"data"}, {?}]) {
            let mb = exp(ma);
            return mb [{"data"}, {?}];
        };
        let (values, indices) = top_k(m, 8) [{"data"}, {}], [{"data"}, {}];
        let part = dynamic_slice(reshard(m), i, i, [16, 16]);
        let e = tanh(r);
        group(m, u);
        return t, v, values, part, e;
    }
}

propagate! {
    mesh pods::Ring padded;
    fn odd(x: f32[10] [{"x"}]) {
        let y = exp(x);
        return y;
    }
}

propagate! {
    mesh Pod;
    fn alone(x: f32[8]) {
        let m = manual {"model"} (a = x [{?}]) {
            let b = add(a, a);
            return b [{?}];
        };
        let s [{"data", "model"}] = sine(reshard(m));
        return s;
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
    assert_eq!(<odd::y as ShardedLayout>::Local::DIMS, [2]);
    assert_eq!(odd::y::slice(4).map(|slice| slice[0].clone()), Some(8..10));
    assert_eq!(pods::Ring::MESH.devices(), 8);
}

#[test]
fn axes_come_through_bodies_and_groups() {
    let program = program(
        r#"fn f(x: f32[64,512] [{"data"}, {}], w: f32[512,512] [{}, {"model"}], y: f32[64,512], z: f32[8]) {
            let s = while (h = reshard(x)) {
                let a = dot(reshard(h), w);
                let b = tanh(a);
                return b;
            };
            let m = manual {"data"} (ma = s [{"data"}, {?}]) {
                let mb = exp(ma);
                return mb [{"data"}, {?}];
            };
            group(m, y);
            let (v, i) = top_k(reshard(m), 4);
            return v, z [{"model"}];
        }"#,
    );
    let text = program.describe();
    for line in [
        r#"| `y` | `f32[64,512]` | `[{"data"}, {"model", ?}]` | `f32[32,128]` | 16384 | {"data"} of dim 0 from `m` of the same group; {"model"} of dim 1 from `m` of the same group, written at `w` |"#,
        r#"| `z` | `f32[8]` | `[{"model", ?}]` | `f32[2]` | 8 | {"model"} of dim 0 from the result of the function |"#,
        r#"| `ma` | `f32[32,512]` | `[{}, {"model", ?}]` | `f32[32,128]` | 16384 | {"model"} of dim 1 from `s` through `manual`, written at `w` |"#,
        "`s = while(x, b)`, `<([i, j], [i, j])->([i, j]) {i=64, j=512}>`:",
        "| `h` | `all_gather [{}, {\"model\"}]` | 49152 |",
        "| `x` | `all_slice [{}, {\"model\"}]` | 0 |",
        "| `m` | `all_gather [{}, {\"model\"}]` | 49152 |",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // A value that is gathered first need not be reduced over the devices.
    assert_eq!(program.collectives().len(), 3, "{text}");
}

/// Along a manual axis that splits no dimension, the body has the whole tensor, whatever splits it outside.
#[test]
fn a_manual_axis_does_not_leave_its_body() {
    assert_eq!(alone::x::SHARDING.to_string(), r#"<@Pod, [{"data", ?}]>"#);
    assert_eq!(alone::a::SHARDING.to_string(), r#"<@Pod, [{"data", ?}]>"#);
    assert_eq!(alone::b::SHARDING.to_string(), r#"<@Pod, [{"data", ?}]>"#);
    assert_eq!(alone::m::SHARDING.to_string(), r#"<@Pod, [{"data", ?}], replicated={"model"}>"#);
    let text = r#"mesh Pod; fn alone(x: f32[8]) {
        let m = manual {"model"} (a = x [{?}]) { let b = add(a, a); return b [{?}]; };
        let s [{"data", "model"}] = sine(m);
        return s;
    }"#;
    let definitions = Definitions { meshes: vec![Pod::MESH], rules: vec![] };
    for strategy in
        [Strategy::Basic, Strategy::Aggressive, Strategy::OpPriority, Strategy::UserPriority]
    {
        let shardings = Program::shardings(text, &definitions, strategy).expect("shardings");
        let shardings: Vec<_> = shardings
            .iter()
            .map(|(name, sharding)| format!("{name} {}", sharding.as_ref().expect("a sharding")))
            .collect();
        assert_eq!(
            shardings,
            [
                r#"x <@Pod, [{"data", ?}]>"#,
                r#"a <@Pod, [{"data", ?}]>"#,
                r#"b <@Pod, [{"data", ?}]>"#,
                r#"m <@Pod, [{"data", ?}], replicated={"model"}>"#,
                r#"s <@Pod, [{"data", "model"}]>"#,
                r#"ret0 <@Pod, [{"data", "model", ?}]>"#,
            ]
        );
    }
}

#[test]
fn a_reshape_of_padded_parts_is_an_error() {
    let padded = |body: &str| {
        let text = format!("mesh Ring padded; fn f({body} }}");
        Program::new(&text, &pods::Ring::MESH).map_err(|error| error.to_string())
    };
    // Device 1 has the elements 1 of 6 before, and an element of the second column after.
    for (body, names) in [
        (r#"x: f32[6] [{"x"}]) { let y = reshape(x, [2, 3]); return y;"#, ["x", "y"]),
        (r#"x: f32[2, 3]) { let y [{"x"}] = reshape(x, [6]); return y;"#, ["x", "y"]),
        (r#"x: f32[6] [{"x"}]) { let y = reshape(reshard(x), [2, 3]); return y;"#, ["x", "y"]),
        (r#"x: f32[2, 6]) { let y [{"x"}] = merge(x) : ([i, j])->([ij]); return y;"#, ["x", "y"]),
        // All devices but the first hold padding, and need the only element.
        (r#"x: f32[1] [{"x"}]) { let y = reshape(x, [1, 1]); return y;"#, ["x", "y"]),
        (r#"x: f32[1] [{"x"}]) { let y = reshape(reshard(x), []); return y;"#, ["x", "y"]),
        (r#"x: f32[1] [{"x"}]) { let y = broadcast_in_dim(x, [8], [0]); return y;"#, ["x", "y"]),
    ] {
        let error = padded(body).expect_err(body);
        assert!(error.contains("does not divide"), "{error}");
        assert!(names.iter().any(|name| error.contains(&format!("`{name}`"))), "{error}");
    }
    // A factor that is a whole dimension is padded the same in all tensors, and sizes that the axes divide need no padding.
    for body in [
        r#"x: f32[6] [{"x"}]) { let y = reshape(x, [6, 1]); return y;"#,
        r#"x: f32[1]) { let y [{}, {"x"}] = reshape(x, [1, 1]); return y;"#,
        r#"x: f32[1] [{"x"}]) { let y = tanh(x); return y;"#,
        r#"x: f32[5, 3] [{"x"}, {}]) { let y = transpose(x, [1, 0]); return y;"#,
        r#"x: f32[16, 3] [{"x"}, {}]) { let y = reshape(x, [48]); return y;"#,
    ] {
        let program = padded(body).unwrap_or_else(|error| panic!("{body}: {error}"));
        assert!(program.collectives().is_empty(), "{body}");
    }
}

#[test]
fn bodies_have_types_too() {
    assert_eq!(net::D, 32);
    assert_eq!(<net::w as ShardedLayout>::Global::DIMS, [32, 128]);
    assert_eq!(net::sc::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {?}, {"model", ?}]>"#);
    assert_eq!(net::sa::SHARDING, net::s::SHARDING);
    // A manual computation works on the part that one device holds along its axes.
    assert_eq!(<net::mb as ShardedLayout>::Global::DIMS, [64, 16]);
    assert_eq!(net::m::SHARDING.to_string(), r#"<@Pod, [{"data"}, {?}]>"#);
    assert_eq!(<net::v as ShardedLayout>::Local::DIMS, [16, 64]);
    assert_eq!(<net::part as ShardedLayout>::Local::DIMS, [16, 16]);
    fn mesh<L: ShardedLayout>() -> usize {
        L::DEVICES
    }
    assert_eq!(mesh::<net::e>(), 8);
    for part in [
        "sdy.mesh @Ring = <[\"x\"=8]>",
        "\"stablehlo.while\"(%a, %b) ({",
        "sdy.manual_computation(%k) in_shardings=[<@Pod, [{\"data\"}, {?}]>] out_shardings=[<@Pod, [{\"data\"}, {?}]>] manual_axes={\"data\"}",
        "sdy.propagation_barrier %c allowed_direction=FORWARD",
        "sdy.sharding_group %u group_id=0",
        "sdy.reshard %m <@Pod, [{}, {?}]>",
    ] {
        assert!(net::MLIR.contains(part), "{part} is not in\n{}", net::MLIR);
    }
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
    let mut wrong = Vec::new();
    for (body, expected) in [
        (
            "fn f(x: f32[8,4]) { let y = tanh(z); }",
            "1:44: there is no value `z` (help: the only value before it is `x`)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = dot(x, x); }",
            "1:46: the last dimension of the left operand has size 4, the first of this one has size 8 (help: `dot` sums over these two; `dot_general` sums over dimensions of your choice: `dot_general(x, x, lhs_contracting=[1], rhs_contracting=[1])`)",
        ),
        (
            "fn f(x: f32[8,4], y: f32[4,8]) { let z = add(x, y); }",
            "1:59: expected an array of size [8, 4], found [4, 8]",
        ),
        (
            "fn f(x: f32[8,4]) { let y = tanh(x, x); }",
            "1:39: expected 1 operand, found 2 (help: a call is written `tanh(x)`)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = foo(x); }",
            "1:39: unknown operation `foo` (help: write its rule after it: `op(x, w) : (i,k),(k,j)->(i,j)`)",
        ),
        (
            "fn f(x: f32[8,4]) { let x = tanh(x); }",
            "1:35: the name `x` is defined twice (help: every value must have a different name)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = reshape(x, [5]); }",
            "1:50: [8, 4] has 32 elements, but [5] has 5 (help: did you mean `[32]`?)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = transpose(x, [0, 2]); }",
            "1:52: dimension 2 does not exist: the array has rank 2 (help: a call is written `transpose(x, [1, 0])`)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = op(x) : (i)->(i); }",
            "1:42: operand 0 - mapping rank must match: 1 != 2 (help: list the factors of each of its 2 dimensions)",
        ),
        (
            "fn f(x: f32[8,4]) { let y = op(x) : (i,j)->(i,k); }",
            "1:39: the size of factor k does not follow from the shapes (help: write it: `k=..`)",
        ),
        (
            r#"fn f(x: f32[7,4] [{"data"}, {}]) { }"#,
            "1:16: `x`: dim 0 with size 7 is not divisible by its sharded size 2 (help: choose a size that the axes divide, or write `padded` after the mesh: `mesh Pod padded;`)",
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
        (
            "fn f(x: f32[8,4]) { tanh(x); }",
            "1:31: expected `let` or `return`, found `tanh` (help: statements are `let y = f(x);`, `group(x, y);` and `return y;`)",
        ),
        (
            "fn f(x: f32[8]) { let y = tanh(x, 3); }",
            "1:37: the operation takes no number, found 3 (help: a call is written `tanh(x)`)",
        ),
        (
            "fn f(x: f32[8,8]) { let y = dot_general(x, x, lhs_contract=[1]); }",
            "1:57: `dot_general` has no attribute `lhs_contract` (help: did you mean `lhs_contracting`?)",
        ),
        (
            "fn f(x: f32[8]) { let y = tanj(x); }",
            "1:37: unknown operation `tanj` (help: did you mean `tan`?)",
        ),
        (
            r#"fn f(x: f32[8]) { let (v, i) = top_k(x, 2) [{}], [{}], [{}]; }"#,
            "1:66: shardings don't match number of values: 3 shardings vs 2 values (help: or write a sharding after a name: `let (a [..], b) = ..`)",
        ),
        (
            "fn f(x: f32[8]) { let y = top_k(x, 2); }",
            "1:37: the operation has 2 results, found 1 name (help: write `let (a, b) = ..`)",
        ),
        (
            "fn f(x: f32[8]) { let y = propagation_barrier(x, allowed_direction=BOTH); }",
            "1:60: cannot specify `BOTH` as the direction. `BOTH` is the default, so it has no effect (help: leave the barrier out, or write `FORWARD`, `BACKWARD` or `NONE`)",
        ),
        (
            r#"fn f(x: f32[8]) { let y = manual {"data"} (a = x [{"data"}]) { let z = tanh(x); return z [{"data"}]; }; }"#,
            "1:87: the value `x` is outside the manual computation (help: pass it in: `manual {..} (a = x [..])`)",
        ),
        (
            r#"fn f(x: f32[8]) { let y = manual {"rows"} (a = x [{}]) { return a [{}]; }; }"#,
            r#"1:45: unknown manual axis: "rows""#,
        ),
        (
            r#"fn f(x: f32[8]) { let y = manual {"data"} (a = x [{"data"}]) { let b = tanh(a) [{"data"}]; return b [{"data"}]; }; }"#,
            r#"1:92: operates on axis "data" which is already bound by a parent sdy.manual_computation op (help: the body has what one device holds along it: leave the axis out)"#,
        ),
        (
            r#"fn f(x: f32[8]) { let y = manual {"data"} (a = x [{"data"}]) { let z = manual {"data"} (b = a [{}]) { return b [{}]; }; return z [{"data"}]; }; }"#,
            r#"1:90: operates on axis "data" which is already bound by a parent sdy.manual_computation op (help: the body has what one device holds along it: leave the axis out)"#,
        ),
        (
            r#"fn f(x: f32[9]) { let y = manual {"data"} (a = x [{"data"}]) { return a [{"data"}]; }; }"#,
            "1:61: dimension size 9 is not divisible by the manual axes size 2 (help: use a size of 10)",
        ),
        (
            r#"fn f(x: f32[8]) { let y = manual {"data"} (a = x [{"model", "data"}]) { return a [{"data"}]; }; }"#,
            r#"1:71: sharding must have all manual axes come before free axes in its dimension sharding at index 0. Saw manual axis "data" after free axis "model" (help: write "data" first)"#,
        ),
        (
            "fn f(x: f32[8], w: f32[4]) { let y = while (h = x) { return w; }; }",
            "1:71: expected an array of size [8], found [4]",
        ),
        (
            r#"fn f(x: f32[8] [{"data"}], y: f32[8] [{"model"}]) { group(x, y); }"#,
            r#"1:72: the values of a group are sharded differently: `x` is <@Pod, [{"data"}]>, `y` is <@Pod, [{"model"}]> (help: shard one of them only, or all of them alike)"#,
        ),
        (
            r#"fn f(x: f32[8] [{"data"}], y: f32[8] [{"model"}]) { let z = while (h = x) { let k = add(h, y); return k; }; }"#,
            r#"1:67: conflict in `while`: factor i is sharded along {"data"} in `x`, but along {"model"} in `k` (help: constrain `k` to {"data"} there, or allow a reshard with reshard(k))"#,
        ),
        (
            "fn f(x: f32[N,4]) { }",
            "1:23: propagation needs a number as a size, found `N`, which only rustc knows (help: define it in the program, after the mesh: `const N = 512;`)",
        ),
    ] {
        let found = mistake(body);
        if found != expected {
            wrong.push(format!("{body}\nfound    {found}\nexpected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
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
