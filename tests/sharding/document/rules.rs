//! "Sharding rule of an operation" and "Compound factors".

use super::data_flow::{Pod, check};
use tensor_layout::DType;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{MeshType, OpShardingRule, TensorSharding, ops};

#[test]
fn propagation_traverses_the_data_flow_in_both_directions_until_a_fixed_point() {
    check(
        r#"fn f(x: f32[8,8], w: f32[8,8]) {
            let a = tanh(x);
            let b = add(a, w) [{"data"}, {?}];
            let c = exp(b);
            return c;
        }"#,
        &["x", "w", "a", "c"].map(|name| (name, r#"[{"data", ?}, {?}]"#)),
    );
}

#[test]
fn a_matmul_propagates_from_non_contracting_dimensions_to_the_result_and_between_contracting_ones()
{
    for (written, name, expected) in [
        (r#"x: f32[8,8] [{"data"}, {?}], w: f32[8,8]"#, "y", r#"[{"data", ?}, {?}]"#),
        (r#"x: f32[8,8], w: f32[8,8] [{?}, {"data"}]"#, "y", r#"[{?}, {"data", ?}]"#),
        (r#"x: f32[8,8] [{?}, {"data"}], w: f32[8,8]"#, "w", r#"[{"data", ?}, {?}]"#),
        (r#"x: f32[8,8], w: f32[8,8] [{"data"}, {?}]"#, "x", r#"[{?}, {"data", ?}]"#),
        (r#"x: f32[8,8] [{?}, {"data"}], w: f32[8,8]"#, "y", ""),
    ] {
        let program = format!("fn f({written}) {{ let y = dot(x, w); return y; }}");
        check(&program, &[(name, expected)]);
    }
}

#[test]
fn a_decision_is_not_undone() {
    let program = r#"mesh Pod; fn f(x: f32[8] [{"data", ?}]) { let y = tanh(x) [{"data", "model"}]; return y; }"#;
    let program = Program::new(program, &Pod::MESH).expect("a program");
    let found: &TensorSharding = &program.value("x").expect("a value").sharding;
    assert_eq!(found.to_string(), r#"<@Pod, [{"data", "model", ?}]>"#);
}

#[test]
fn the_rule_of_a_matmul_is_that_of_an_einsum() {
    let rule: OpShardingRule = "(i, k), (k, j) -> (i, j)".parse().expect("the document's notation");
    let types = [[4, 8], [8, 16]];
    let types = types.each_ref().map(|dims| ops::TensorType::new(DType::F32, dims));
    let known = ops::rule("dot", &ops::Attributes::new(), &types).expect("a dot").expect("a rule");
    assert_eq!(known.to_string(), "<([i, k], [k, j])->([i, j]) {i=4, j=16, k=8} reduction={k}>");
    assert_eq!((rule.operands(), rule.results()), (known.operands(), known.results()));
}

#[test]
fn a_reshape_needs_dimensions_of_several_factors() {
    let cases: [(&[usize], &[usize], &str); 3] = [
        (&[2, 4, 32], &[8, 32], "(i,j,k) -> ((ij), k) : i=2, j=4, k=32"),
        (&[8, 32], &[2, 4, 32], "((ij), k) -> (i,j,k) : i=2, j=4, k=32"),
        (&[8, 4], &[2, 16], "((ij), k) -> (i,(jk)) : i=2, j=4, k=4"),
    ];
    for (from, to, text) in cases {
        let rule: OpShardingRule = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(ops::reshape(from, to), Some(rule), "{text}");
    }
}
