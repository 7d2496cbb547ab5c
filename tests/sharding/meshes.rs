//! Programs on several meshes and with partial sums: data that devices exchange is either reported or an error.

use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::{Mesh, MeshType, ShardedLayout};
use tensor_layout::{mesh, propagate, sharded};

mesh! { Ring = ["a" = 4] }
mesh! { Back = ["a" = 4], device_ids = [3, 2, 1, 0] }
mesh! { Square = ["x" = 2, "y" = 2] }
mesh! { Last = [], device_ids = [3] }

/// The data that devices exchange, or the mistakes.
fn sent(text: &str, meshes: &[Mesh]) -> Vec<String> {
    let definitions = Definitions { meshes: meshes.to_vec(), rules: Vec::new() };
    match Program::with(text, &definitions) {
        Ok(program) => program.collectives().iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
    }
}

fn check(header: &str, meshes: &[Mesh], cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (function, expected) in cases {
        let found = sent(&format!("{header}{function}"), meshes);
        if found != *expected {
            wrong.push(format!("{function}\nfound    {found:#?}\nexpected {expected:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_value_moves_to_another_mesh_by_collectives_alone() {
    let meshes = [Ring::MESH, Back::MESH, Square::MESH, Last::MESH];
    check(
        "mesh Ring; mesh Back; mesh Square; mesh Last;\n",
        &meshes,
        &[
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = reshard(x) @ Back [{"a"}]; return y; }"#,
                &["x: collective_permute, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { return x @ Back [{"a"}]; }"#,
                &["x: collective_permute, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = neg(x) @ Back [{"a"}]; return y; }"#,
                &[
                    "2:35: conflict in `neg`: `x` is on the mesh @Ring, but `y` is on @Back (help: allow `x` to move with reshard(x))",
                ],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], y: f32[8] @ Back [{"a"}]) { let z = add(x, y); return z; }"#,
                &[
                    "2:61: conflict in `add`: `x` is on the mesh @Ring, but `y` is on @Back (help: allow `x` to move with reshard(x))",
                ],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], y: f32[8] @ Back [{"a"}]) { let z = add(reshard(x), y) @ Back [{"a"}]; return z; }"#,
                &["x: collective_permute, 8 bytes"],
            ),
            // A value that every device has on one mesh is also on every device of another.
            (
                r#"fn f(x: f32[8] [{}], y: f32[8] @ Back [{"a"}]) { let z = add(reshard(x), y) @ Back [{"a"}]; return z; }"#,
                &["x: all_slice [{\"a\"}], 0 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{}]) { let y = neg(x) @ Back [{}]; return y @ Square [{}]; }"#,
                &[],
            ),
            // The same devices under other names, then in another order, then with fewer parts.
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = neg(reshard(x)) @ Square [{"x", "y"}]; return y; }"#,
                &[],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = neg(reshard(x)) @ Square [{"y", "x"}]; return y; }"#,
                &["x: collective_permute, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { return x @ Square [{}]; }"#,
                &["x: all_gather [{\"a\"}], 24 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { return x @ Back [{}]; }"#,
                &["x: all_gather [{\"a\"}], 24 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{}], unreduced={"a"}) { return x @ Back [{"a"}]; }"#,
                &["x: all_reduce {\"a\"}, 48 bytes", "x: all_slice [{\"a\"}], 0 bytes"],
            ),
            // One device.
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = reshard(x) @ Last []; return y; }"#,
                &[
                    "2:35: no collective moves a tensor between a mesh and one device: from <@Ring, [{\"a\"}]> to <@Last, []>",
                ],
            ),
            (
                r#"fn f(x: f32[8] @ Last []) { return x @ Ring [{"a"}]; }"#,
                &[
                    "2:36: no collective moves a tensor between a mesh and one device: from <@Last, []> to <@Ring, [{\"a\"}]>",
                ],
            ),
            (
                r#"fn f(x: f32[8] @ Last []) { let y = neg(x); return y; }"#,
                &[
                    "2:37: conflict in `neg`: `x` is on the mesh @Last, but `y` is on @Ring (help: allow `x` to move with reshard(x))",
                ],
            ),
            (r#"fn f(x: f32[8] @ Last [], y: f32[8]) { let z = add(x, y) @ Last []; }"#, &[]),
        ],
    );
}

#[test]
fn a_sum_takes_place_on_the_mesh_of_its_operands() {
    let line: Mesh = r#"<["x"=4]>"#.parse().expect("a mesh");
    check(
        "mesh Ring; mesh Line;\n",
        &[Ring::MESH, line],
        &[(
            r#"fn f(x: f32[8,8] @ Line [{}, {"x"}], w: f32[8,8]) { let y = dot(x, w); return y; }"#,
            &["y: all_reduce {\"x\"}, 384 bytes"],
        )],
    );
}

#[test]
fn partial_sums_are_summed_where_they_are_used() {
    let pod: Mesh = r#"<["a"=4, "b"=2]>"#.parse().expect("a mesh");
    let not_linear = "does not produce partial sums along it";
    check(
        "mesh Pod;\n",
        &[pod],
        &[
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced={"b"}) { let y = tanh(x); return y; }"#,
                &["x: all_reduce {\"b\"}, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced={"b"}) { let y = reshard(x) [{"a"}]; return y; }"#,
                &["x: all_reduce {\"b\"}, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced={"b"}) { return x [{"a"}]; }"#,
                &["x: all_reduce {\"b\"}, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced={"b"}) { let y = constrain(x) [{"a"}]; return y; }"#,
                &["x: all_reduce {\"b\"}, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = neg(x); return y [{"a"}], unreduced={"b"}; }"#,
                &["y: replicated_to_unreduced {\"b\"}, 0 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = reshard(x) [{"a"}], unreduced={"b"}; return y; }"#,
                &["y: replicated_to_unreduced {\"b\"}, 0 bytes"],
            ),
            // Linear operations take partial sums, others do not.
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced={"b"}) { let y = neg(x) [{"a"}], unreduced={"b"}; let z = sub(x, y) [{"a"}], unreduced={"b"}; return z; }"#,
                &[],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced={"b"}) { let y = mul(x, x) [{"a"}], unreduced={"b"}; return y; }"#,
                &[&format!(
                    "2:52: `y` is unreduced along {{\"b\"}}, but `mul` {not_linear} (help: leave `unreduced={{\"b\"}}` out: its operands are summed over {{\"b\"}} first)"
                )],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}]) { let y = tanh(x) [{"a"}], unreduced={"b"}; return y; }"#,
                &[&format!(
                    "2:35: `y` is unreduced along {{\"b\"}}, but `tanh` {not_linear} (help: write `let y = reshard(y) [..], unreduced={{\"b\"}}` after it)"
                )],
            ),
            // Of maxima, the elements may be moved, but not computed with.
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced=max{"b"}) { let y = reshape(x, [4,2]) [{"a"}, {}], unreduced=max{"b"}; return y [{"a"}, {}]; }"#,
                &["y: all_reduce max {\"b\"}, 8 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced=max{"b"}) { let y = neg(x) [{"a"}], unreduced=max{"b"}; return y; }"#,
                &[&format!(
                    "2:55: `y` is unreduced along {{\"b\"}}, but `neg` {not_linear} (help: leave `unreduced={{\"b\"}}` out: its operands are summed over {{\"b\"}} first)"
                )],
            ),
            (
                r#"fn f(x: f32[8] [{"a"}], unreduced=max{"b"}) { let y = reshard(x) [{"a"}], unreduced={"b"}; return y; }"#,
                &[&format!(
                    "2:55: `y` is unreduced along {{\"b\"}}, but `reshard` {not_linear} (help: leave `unreduced={{\"b\"}}` out: its operands are summed over {{\"b\"}} first)"
                )],
            ),
            // The sum of a product stays partial if the program says so.
            (
                r#"fn f(x: f32[8,8] [{}, {"a", "b"}], w: f32[8,8] [{"a", "b"}, {}]) { let y = dot(x, w); return y; }"#,
                &["y: all_reduce {\"a\", \"b\"}, 448 bytes"],
            ),
            (
                r#"fn f(x: f32[8,8] [{}, {"a", "b"}], w: f32[8,8] [{"a", "b"}, {}]) { let y = dot(x, w) [{}, {}], unreduced={"b"}; return y; }"#,
                &["y: all_reduce {\"a\"}, 384 bytes"],
            ),
            (
                r#"fn f(x: f32[8,8] [{}, {"a", "b"}], w: f32[8,8] [{"a", "b"}, {}]) { let y = dot(x, w) [{}, {}], unreduced={"a", "b"}; return y [{}, {}]; }"#,
                &["y: all_reduce {\"a\", \"b\"}, 448 bytes"],
            ),
            (
                r#"fn f(x: f32[8,8] [{}, {"a", "b"}], w: f32[8,8] [{"a", "b"}, {}]) { let y = dot(x, w) [{}, {}], unreduced={"a":(1)2}; return y; }"#,
                &["y: all_reduce {\"a\":(2)2, \"b\"}, 384 bytes"],
            ),
            // A reshard sums no more than necessary.
            (
                r#"fn f(x: f32[8] [{}], unreduced={"a", "b"}, y: f32[8] [{}], unreduced={"a"}) { let z = add(reshard(x), y) [{}], unreduced={"a"}; return z; }"#,
                &["x: all_reduce {\"b\"}, 32 bytes"],
            ),
            // If a manual computation needs a value in some sharding, so do all users of the value: no reshard is silent.
            (
                r#"fn f(x: f32[8,4] [{?}, {"a"}]) { let (b, s) = optimization_barrier(x, x); let y = neg(s) [{}, {?}]; let m = manual {"a"} (h = reshard(s) [{}, {}], replicated={"a"}) { let k = tanh(h); return k [{}, {}], replicated={"a"}; }; return y; }"#,
                &[
                    "2:83: conflict in `neg`: `s` is sharded [{?}, {\"a\", ?}], but all its users take it as [{}, {}], replicated={\"a\"} (help: allow a reshard with reshard(s))",
                ],
            ),
            (
                r#"fn f(x: f32[8,4] [{?}, {"a"}]) { let (b, s) = optimization_barrier(x, x); let y = neg(reshard(s)) [{}, {?}]; let m = manual {"a"} (h = reshard(s) [{}, {}], replicated={"a"}) { let k = tanh(h); return k [{}, {}], replicated={"a"}; }; return y; }"#,
                &["s: all_gather [{}, {\"a\"}], 96 bytes", "s: all_gather [{}, {\"a\"}], 96 bytes"],
            ),
            (
                r#"fn f(x: f32[8] [{}], unreduced={"b"}) { let y = while (h = x) { let k = neg(h); return k; }; return y; }"#,
                &["x: all_reduce {\"b\"}, 32 bytes"],
            ),
        ],
    );
}

propagate! {
    mesh Ring;
    fn raw(r#type: f32[8] [{"a"}]) {
        let r#in = neg(r#type);
        let größe = tanh(r#in);
        return größe;
    }
}

/// The name that Rust writes as `r#type` is like any other.
#[test]
fn raw_names_are_names() {
    assert_eq!(raw::r#in::SHARDING.to_string(), "<@Ring, [{\"a\", ?}]>");
    assert_eq!(raw::r#type::slice(1).map(|slice| slice[0].clone()), Some(2..4));
    // MLIR's names allow fewer characters.
    assert!(raw::MLIR.contains("%gr$f6$dfe = \"stablehlo.tanh\"(%in)"), "{}", raw::MLIR);
    assert!(raw::MLIR.contains("%in = \"stablehlo.negate\"(%type)"), "{}", raw::MLIR);
}

propagate! {
    mesh Last;
    fn alone(x: f32[8, 4], y: f32[8, 4] []) {
        let z = add(x, y);
        return z;
    }
}

/// A tensor on one named device is there as a whole.
#[test]
fn one_device_has_all_of_a_tensor() {
    type X = sharded!(f32[8, 4] @ Last []);
    assert_eq!(<X as ShardedLayout>::Local::DIMS, [8, 4]);
    assert_eq!(X::SHARDING.to_string(), "<@Last, []>");
    assert_eq!(X::hlo().to_string(), "{maximal device=3}");
    assert_eq!(X::slice(3), Some(vec![0..8, 0..4]));
    assert_eq!(X::slice(0), None);
    assert_eq!(<alone::z as ShardedLayout>::Local::DIMS, [8, 4]);
    assert_eq!(alone::x::SHARDING, alone::z::SHARDING);
}

/// Devices that only the larger mesh has get all of their part.
#[test]
fn a_value_moves_to_a_mesh_of_more_devices() {
    let sent = |from: &str, to: &str| -> Vec<String> {
        let text = format!(
            "sdy.mesh @a = <[\"x\"=2]>\nsdy.mesh @b = <[\"y\"=2, \"x\"=2]>\nfunc.func @main(%arg0: tensor<8xf32> {{sdy.sharding = #sdy.sharding<{from}>}}) -> tensor<8xf32> {{\n  %0 = sdy.sharding_constraint %arg0 <{to}> : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}}\n"
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        program.collectives().iter().map(ToString::to_string).collect()
    };
    for (from, to, expected) in [
        // Devices 2 and 3 lack 16 bytes each.
        (r#"@a, [{"x"}]"#, r#"@b, [{"x"}]"#, &["arg0: collective_permute, 16 bytes"][..]),
        (r#"@a, [{}]"#, r#"@b, [{}]"#, &["arg0: collective_permute, 32 bytes"]),
        (
            r#"@a, [{"x"}]"#,
            r#"@b, [{}]"#,
            &[r#"arg0: all_gather [{"x"}], 16 bytes"#, "arg0: collective_permute, 32 bytes"],
        ),
        (r#"@b, [{"x"}]"#, r#"@a, [{"x"}]"#, &[]),
        (r#"@b, [{}]"#, r#"@a, [{"x"}]"#, &[r#"arg0: all_slice [{"x"}], 0 bytes"#]),
    ] {
        assert_eq!(sent(from, to), expected, "{from} -> {to}");
    }
}
