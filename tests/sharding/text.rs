//! Meshes, shardings and rules as text: reading, printing, and the messages about mistakes.

use tensor_layout::sharding::{
    Mesh, OpShardingRule, Padding, ShardedLayout, Shards, TensorSharding,
};
use tensor_layout::{mesh, sharded};

mesh! { Pair = ["c" = 2] }

#[test]
fn canonical_text_prints_as_itself() {
    for text in [
        "<[]>",
        "<[], device_ids=[3]>",
        r#"<["a"=2, "b"=4]>"#,
        r#"<["a"=3], device_ids=[2, 0, 1]>"#,
        r#"<["a b\22"=1]>"#,
    ] {
        assert_eq!(text.parse::<Mesh>().unwrap().to_string(), text);
    }
    for text in [
        "<@mesh, []>",
        r#"<@mesh, [{}, {?}, {"a"}, {"b", ?}, {"c":(1)2, "d", ?}p0, {"e"}p12]>"#,
        r#"<@mesh, [{"a"}], replicated={"b":(2)4, "c"}, unreduced={"d"}>"#,
        r#"<@mesh, [{"a"}], unreduced=max{"d"}>"#,
        r#"<@mesh, [{"a"}], replicated={"b"}, unreduced=min{"c", "d"}>"#,
        r#"<mesh<["a"=2]>, [{"a"}]>"#,
        r#"<@"my mesh", [{?}]>"#,
    ] {
        assert_eq!(text.parse::<TensorSharding>().unwrap().to_string(), text);
    }
    for text in [
        "<([], [])->([])>",
        "<([ij, k])->([i, j, k]) {i=2, j=4, k=32}>",
        "<([i, j, k, l])->([i, m]) {i=2, j=4, k=8, l=3, m=2} reduction={j} need_replication={k} permutation={l} blocked_propagation={i, m}, custom>",
        "<([ijklmnopqrstuvwxyzz_1z_2])->([i]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2, r=2, s=2, t=2, u=2, v=2, w=2, x=2, y=2, z=2, z_1=2, z_2=3}>",
    ] {
        assert_eq!(text.parse::<OpShardingRule>().unwrap().to_string(), text);
    }
}

#[test]
fn other_spellings_mean_the_same() {
    for (text, canonical) in
        [(r#"["a"=2,"b"=4], device_ids=[0,1,2,3,4,5,6,7]"#, r#"<["a"=2, "b"=4]>"#), ("[ ]", "<[]>")]
    {
        assert_eq!(text.parse::<Mesh>().unwrap().to_string(), canonical);
    }
    let sharding: TensorSharding =
        r#"#sdy.sharding<@m,[{"a",?}],unreduced={"c"},replicated={"b"}>"#.parse().unwrap();
    assert_eq!(sharding.to_string(), r#"<@m, [{"a", ?}], replicated={"b"}, unreduced={"c"}>"#);
    // As Shardy prints it: a sum has no word, and without axes there is nothing to combine.
    for (text, canonical) in [
        (r#"<@m, [{}], unreduced=sum{"c"}>"#, r#"<@m, [{}], unreduced={"c"}>"#),
        ("<@m, [{}], unreduced=max{}>", "<@m, [{}]>"),
    ] {
        let sharding: TensorSharding = text.parse().unwrap();
        assert_eq!(sharding, canonical.parse().unwrap());
        assert_eq!(sharding.to_string(), canonical);
    }
    let error = r#"<@m, [{}], unreduced=prod{"c"}>"#.parse::<TensorSharding>().unwrap_err();
    assert!(error.to_string().contains("expected `{`, `max` or `min`, found `prod`"), "{error}");
}

/// The same rule in its three notations. Sizes that are not written follow from the shapes.
#[test]
fn three_notations_of_a_rule() {
    let shapes: (&[&[usize]], &[&[usize]]) = (&[&[8, 32]], &[&[2, 4, 32]]);
    let split = "<([ij, k])->([i, j, k]) {i=2, j=4, k=32}>";
    for text in [
        "([ij, k])->([i, j, k]) {i=2, j=4, k=32}",
        "#sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=2, j=4, k=32}>",
        "(i j) k -> i j k, i=2, j=4",
        "((ij), k) -> (i,j,k) : i=2, j=4, k=32",
        "((i j), k) -> (i,j,k)",
        "(rows cols) depth -> rows cols depth",
    ] {
        let rule: OpShardingRule = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(rule.with_shapes(shapes.0, shapes.1).unwrap().to_string(), split, "{text}");
    }
    let shapes: (&[&[usize]], &[&[usize]]) = (&[&[64, 32], &[32, 128]], &[&[64, 128]]);
    let matmul = "<([i, k], [k, j])->([i, j]) {i=64, j=128, k=32} reduction={k}>";
    for text in [
        "(i,k),(k,j)->(i,j) reduction={k}",
        "i k, k j -> i j reduction={k}",
        "i k, k j -> i j, i=64, reduction={k}",
        "([i, k], [k, j])->([i, j]) reduction={k}",
    ] {
        let rule: OpShardingRule = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(rule.with_shapes(shapes.0, shapes.1).unwrap().to_string(), matmul, "{text}");
    }
    let scalar: OpShardingRule = "i j, -> i j".parse().unwrap();
    assert_eq!(scalar.to_string(), "<([i, j], [])->([i, j])>");
}

fn mesh() -> Mesh {
    r#"<["a"=8, "b"=12, "c"=2]>"#.parse().unwrap()
}

#[test]
fn mistakes_in_a_mesh() {
    for (text, expected) in [
        (
            r#"["a"=0]"#,
            "1:2: axis size must be at least 1, got: 0 (help: leave the axis out, or write 1)",
        ),
        (
            r#"["a"=-1]"#,
            "1:6: axis size must be at least 1, got: -1 (help: write a positive number, or 0 for a device)",
        ),
        (
            r#"["a"=2,"a"=4]"#,
            "1:8: duplicate axis name: \"a\" (help: give one of the axes another name)",
        ),
        (
            r#"["a"=2], device_ids=[-1,0]"#,
            "1:22: device id must be non-negative, got: -1 (help: write a positive number, or 0 for a device)",
        ),
        (
            "[], device_ids=[0,1]",
            "1:5: axes is empty and device_ids has more than one element (help: a mesh without axes names one device, or none)",
        ),
        (
            r#"["a"=4], device_ids=[0,1,2,3,4,5]"#,
            "1:10: total product of axis sizes must match total number of device ids, got: 4 != 6 (help: list each of 0 to 3 once, or leave `device_ids` out)",
        ),
        (
            r#"["a"=2], device_ids=[1,2]"#,
            "1:24: sorted device ids must be iota(product(axes)), but 2 is too large (help: list each of 0 to 1 once)",
        ),
        (
            r#"["a"=2], device_ids=[1,1]"#,
            "1:24: sorted device ids must be iota(product(axes)), but 1 is listed twice (help: list each of 0 to 1 once)",
        ),
        (r#"["a"=4294967295,"b"=2]"#, "1:1: a mesh has at most 4294967295 devices"),
        (
            "[a=2]",
            "1:2: expected the name of an axis, in quotes, found `a` (help: names are written in quotes: `\"a\"`)",
        ),
        (r#"<["a"=2]"#, "1:9: expected `>`, found the end (help: write `>`)"),
        (r#"["a"=2] x"#, "1:9: expected the end of the mesh, found `x` (help: leave `x` out)"),
        (r#"["a"=2"#, "1:7: expected `,` or `]`, found the end (help: write `]` before it)"),
    ] {
        assert_eq!(text.parse::<Mesh>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn mistakes_in_a_sharding_alone() {
    for (text, expected) in [
        (
            r#"<@m, [{}p1]>"#,
            "1:9: dim 0 is empty and closed but has a priority (help: leave the priority out, or open the dimension: `{?}`)",
        ),
        (
            r#"<@m, [{"a"}phigh]>"#,
            "1:12: expecting priority in format 'p<number>', got: phigh (help: a priority follows the axes: `{\"data\"}p1`)",
        ),
        (
            r#"<@m, [{"a"}p01]>"#,
            "1:12: priorities with leading zeros are not allowed, got: p01 (help: a priority follows the axes: `{\"data\"}p1`)",
        ),
        (
            r#"<@m, [{"a"}p99999999999999999999]>"#,
            "1:12: expecting integer priority, got: p99999999999999999999 (help: a priority follows the axes: `{\"data\"}p1`)",
        ),
        (
            r#"<@m, [{"a"}, {"a"}]>"#,
            "1:15: duplicate axis ref: \"a\" (help: an axis can split a tensor along one dimension only)",
        ),
        (
            r#"<@m, [{"a"}], replicated={"a"}>"#,
            "1:27: duplicate axis ref: \"a\" (help: an axis can split a tensor along one dimension only)",
        ),
        (
            r#"<@m, [{"a"}, {"a":(1)2}]>"#,
            "1:15: both sub-axis and full-axis are used for axis name: \"a\" (help: an axis that is used whole has no parts left: leave one of the two out)",
        ),
        (
            r#"<@m, [{"a":(0)2}]>"#,
            "1:8: sub-axis pre-size must be at least 1: \"a\":(0)2 (help: `\"x\":(2)4` is the part of size 4 of an axis below a part of size 2: 2 and 4 multiply to a divisor of its size)",
        ),
        (
            r#"<@m, [{"a":(-1)2}]>"#,
            "1:13: sub-axis pre-size must be at least 1: \"a\":(-1)2 (help: both numbers of a part of an axis are positive: `\"x\":(1)2`)",
        ),
        (
            r#"<@m, [{"a":(1)1}]>"#,
            "1:8: sub-axis sizes must be greater than 1: \"a\":(1)1 (help: `\"x\":(2)4` is the part of size 4 of an axis below a part of size 2: 2 and 4 multiply to a divisor of its size)",
        ),
        (
            r#"<@m, [{?, "a"}]>"#,
            "1:9: expected `}`, found `,` (help: the `?` comes last: `{\"data\", ?}`)",
        ),
        (
            r#"<@m, [{"a"}], replicated={"b"}, replicated={"c"}>"#,
            "1:33: `replicated` is listed twice (help: write all its axes in one list: `replicated={\"a\", \"b\"}`)",
        ),
        (
            r#"<[{"a"}]>"#,
            "1:2: expected a mesh, found `[` (help: a mesh is named, `@mesh`, or written out, `mesh<[\"a\"=2]>`)",
        ),
        (
            r#"<@m, [{"a"}], padded>"#,
            "1:15: `padded` is not part of Shardy's text (help: allow padding where the sizes are checked)",
        ),
        (
            r#"<mesh<["a"=4]>, [{"b"}]>"#,
            "1:19: unknown axis name: \"b\" (help: the only axis of the mesh is \"a\")",
        ),
    ] {
        assert_eq!(text.parse::<TensorSharding>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn mistakes_that_only_the_mesh_shows() {
    for (split, dims, expected) in [
        (
            r#"[{"x"}]"#,
            &[8][..],
            "unknown axis name: \"x\" (help: the axes of the mesh are \"a\", \"b\" and \"c\")",
        ),
        (
            r#"[{"a"}]"#,
            &[8, 8],
            "sharding doesn't match tensor rank: 1 != 2 (help: write one `{..}` for each of the 2 dimensions)",
        ),
        (
            r#"[{"a":(1)4}, {"a":(2)4}]"#,
            &[8, 8],
            "overlapping sub-axes: \"a\":(1)4, \"a\":(2)4 (help: the pre-size of the second must be at least the product of the two numbers of the first)",
        ),
        (
            r#"[{"a":(2)3}]"#,
            &[8],
            "sub-axis next pre-size 6 doesn't divide the size of the full axis 8: \"a\":(2)3 (help: `\"x\":(2)4` is the part of size 4 of an axis below a part of size 2: 2 and 4 multiply to a divisor of its size)",
        ),
        (
            r#"[{"a":(1)8}]"#,
            &[8],
            "sub-axis size is equal to the full axis size: \"a\":(1)8 (help: write \"a\")",
        ),
        (
            r#"[{"a":(2)2, "a":(4)2}]"#,
            &[8],
            "two consecutive sub-axes can be merged: \"a\":(2)2, \"a\":(4)2 (help: write \"a\":(2)4)",
        ),
        (
            r#"[{"b":(1)2}, {"b":(3)2}]"#,
            &[8, 8],
            "sub-axes that cannot coexist: \"b\":(1)2, \"b\":(3)2 (help: no division of the axis has both as parts)",
        ),
        (
            r#"[{}], replicated={"b", "a"}"#,
            &[8],
            "replicated axes are not ordered w.r.t. mesh (help: list them in the order of the mesh)",
        ),
        (
            r#"[{}], unreduced={"c", "a"}"#,
            &[8],
            "unreduced axes are not ordered w.r.t. mesh (help: list them in the order of the mesh)",
        ),
    ] {
        let sharding: TensorSharding = format!("<@m, {split}>").parse().unwrap();
        assert_eq!(sharding.check(&mesh(), dims).unwrap_err().to_string(), expected, "{split}");
    }
    let maximal: Mesh = "<[], device_ids=[3]>".parse().unwrap();
    let sharding: TensorSharding = "<@m, []>".parse().unwrap();
    assert!(sharding.check(&maximal, &[8, 8]).is_ok());
    let sharding: TensorSharding = "<@m, [{}]>".parse().unwrap();
    assert!(
        sharding.check(&maximal, &[8]).unwrap_err().to_string().starts_with("a maximal sharding")
    );
}

#[test]
fn sizes_must_be_divided_or_padded() {
    let sharding: TensorSharding = r#"<@m, [{"c"}, {}]>"#.parse().unwrap();
    assert!(sharding.check_sizes(&mesh(), &[8, 7], Padding::Forbidden).is_ok());
    let error = sharding.check_sizes(&mesh(), &[7, 8], Padding::Forbidden).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dim 0 with size 7 is not divisible by its sharded size 2 (help: use a size of 8, or write `padded` after the sharding if the last devices may hold less)"
    );
    assert!(sharding.check_sizes(&mesh(), &[7, 8], Padding::Allowed).is_ok());
    // A dimension without elements has no padding either: all its parts are empty.
    assert!(sharding.check_sizes(&mesh(), &[0, 8], Padding::Allowed).is_ok());
    let error = sharding.check_sizes(&mesh(), &[0, 8], Padding::Forbidden).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dim 0 has no elements and cannot be sharded (help: a dimension that is not split is `{}`; write `padded` after the sharding if the devices may hold nothing)"
    );
    for padding in [Padding::Allowed, Padding::Forbidden] {
        let shards = Shards::new(&sharding, &mesh(), &[0, 8], padding);
        assert_eq!(shards.is_ok(), padding == Padding::Allowed);
        if let Ok(shards) = shards {
            assert_eq!(
                (shards.local_dims(), shards.slice(7)),
                (&[0, 8][..], Some(vec![0..0, 0..8]))
            );
        }
    }
    type Empty = sharded!(f32[0,8] @ Pair [{"c"}, {}], padded);
    assert_eq!(<Empty as ShardedLayout>::Local::DIMS, [0, 8]);
}

#[test]
fn mistakes_in_a_rule() {
    for (text, expected) in [
        (
            "([a])->([i]) {i=2}",
            "1:3: factors in brackets are `i` to `z`, found `a` (help: write names without brackets: `a -> i`)",
        ),
        (
            "([z_])->([i]) {i=2}",
            "1:3: expecting integer after 'z_' (help: factors are `i` to `z`, then `z_1`; names of any length are written without brackets: `rows cols -> cols rows`)",
        ),
        (
            "([i])->([i]) {j=2}",
            "1:15: expecting factor indices to be ordered like an iota ([0,1,2,...], e.g. {i=#, j=#, k=#}), received: j (help: this is the size of factor i)",
        ),
        (
            "([u])->([i]) {i=2, j=3}",
            "1:3: expecting factor indices to be within 0<=...<num_factors; received: 12, num_factors: 2 (help: the sizes name each factor, in order: `{i=2, j=4}`)",
        ),
        (
            "([i, i])->([i]) {i=2}",
            "1:6: cannot reuse factors for the same tensor value (help: give each dimension of a tensor different factors)",
        ),
        (
            "([ij])->([i]) {i=2, j=1}",
            "1:3: dim mapping can't have a factor of size 1 if there are multiple factors (help: leave the factor of size 1 out)",
        ),
        (
            "([i])->([i]) {i=2, j=3}",
            "1:20: has factor j=3 that isn't used in operand and result mappings (help: leave its size out)",
        ),
        (
            "([i, j])->([i]) {i=2, j=3} reduction={r}",
            "1:39: index must be less than 2, got: 9 (help: did you mean `j`?)",
        ),
        (
            "([i, j])->([i]) {i=2, j=3} need_replication={j, i}",
            "1:49: indices of special factors must be sorted (help: list factors of the tensors, each once and in order)",
        ),
        (
            "([i, j])->([i]) {i=2, j=3} need_replication={j, j}",
            "1:49: indices of special factors must be unique (help: list factors of the tensors, each once and in order)",
        ),
        (
            "([i, j])->([i]) {i=2, j=3} reduction={j} permutation={j}",
            "1:55: a factor can only be in one of the reduction, need replication, or permutation factor sets (help: leave it out of one of the lists)",
        ),
        (
            "([i, j])->([i]) {i=2, j=3} permutation={j} reduction={j}",
            "1:44: `reduction` is out of order (help: the order is reduction, need_replication, permutation, blocked_propagation)",
        ),
        (
            "([i])->([i]) {i=2} reduction={i}",
            "1:10: reduction factor cannot be in result mappings (help: a factor that is reduced is in operands only: leave it out of `reduction`, or of the result)",
        ),
        (
            "([i])->([i]) {i=0}",
            "1:17: factor i must have a positive size, got: 0 (help: write the size, or `?` where it follows from the shapes)",
        ),
        (
            "([i])->([i]) {i=-2}",
            "1:17: factor i must have a positive size, got: -2 (help: write the size, or `?` where it follows from the shapes)",
        ),
        (
            "([i])->([i]) {i=2} custom",
            "1:20: expected the end of the rule, found `custom` (help: a comma comes before it: `, custom`)",
        ),
        (
            "i j -> j i, k=2",
            "1:13: has factor k=2 that isn't used in operand and result mappings (help: leave its size out)",
        ),
        ("i j > j i", "1:5: expected `->`, found `>` (help: write `->`)"),
        (
            "i -> j i reduction={k}",
            "1:21: no tensor has a factor `k` (help: the factors are `i` and `j`)",
        ),
    ] {
        assert_eq!(text.parse::<OpShardingRule>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn a_rule_must_fit_the_shapes() {
    let check = |text: &str, operands: &[&[usize]], results: &[&[usize]]| {
        text.parse::<OpShardingRule>()
            .unwrap()
            .with_shapes(operands, results)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        check("([i])->([i]) {i=2}", &[&[2], &[2]], &[&[2]]),
        "number of operands and mappings must match: 2 != 1 (help: list the factors of each operand)"
    );
    assert_eq!(
        check("([i])->([i]) {i=2}", &[&[2, 3]], &[&[2]]),
        "operand 0 - mapping rank must match: 1 != 2 (help: list the factors of each of its 2 dimensions)"
    );
    assert_eq!(
        check("([i])->([i]) {i=4}", &[&[8]], &[&[4]]),
        "operand 0: dimension 0 has size 8, but its factors i=4 make 4"
    );
    assert_eq!(
        check("([ij])->([i, j]) {i=3, j=4}", &[&[8]], &[&[3, 4]]),
        "operand 0: dimension 0 has size 8, but its factors i=3, j=4 make 12"
    );
    assert_eq!(
        check("([i])->([i])", &[&[8]], &[&[2]]),
        "operand 0: dimension 0 has size 8, but its factors i=2 make 2"
    );
    assert_eq!(
        check("(i j) -> (i j)", &[&[8]], &[&[8]]).lines().next().unwrap(),
        "the size of factor i does not follow from the shapes (help: write it: `i=..`)"
    );
}
