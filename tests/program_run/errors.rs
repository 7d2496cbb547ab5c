//! What cannot run is refused before anything runs.

use super::plain::Plain;
use super::{inputs, run};
use tensor_layout::S32;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};

/// Why a program does not run on a mesh of two devices.
fn refused(program: &Program) -> String {
    Runner::new(program).expect_err("it cannot run").to_string()
}

fn program(body: &str) -> Program {
    let mesh: Mesh = r#"<["x"=2]>"#.parse().expect("a mesh");
    let text = format!(r#"mesh Pair; fn f(a: f32[8,4] [{{"x"}}, {{}}]) {{ {body} }}"#);
    Program::new(&text, &mesh).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_operation_without_a_kernel() {
    let error = refused(&program("let b = sort(a, 1); return b;"));
    let start = "`sort`: it has no kernel; these operations have one: abs, add, and, ";
    assert!(error.starts_with(start), "{error}");
    assert!(error.ends_with("tan, tanh, transpose, xor"), "{error}");
    // The rule says how the operation is sharded, and not what it does.
    let error = refused(&program("let b = gather(a, a) : (i,j),(i,j)->(i,j); return b;"));
    assert!(error.starts_with("`gather`: it has no kernel"), "{error}");
    let error = refused(&program("let b = cbrt(convert(a, type=c64)); return b;"));
    assert_eq!(error, "`convert`: there is no kernel for elements of type `c64`");
}

#[test]
fn a_constant() {
    let error = refused(&program("let b = add(a, constant(f32[8,4])); return b;"));
    assert_eq!(error, "`constant`: a program does not say its elements: pass it as an argument");
}

#[test]
fn elements_that_cross_shards() {
    let expected =
        "it moves elements across the edges of shards, along a dimension that is sharded";
    for body in ["let b = reverse(a, [0]); return b;", "let b = pad(a, [16, 4]); return b;"] {
        let error = refused(&program(body));
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn bodies() {
    let error = refused(&program("let b = while(i = a) { return tanh(i); }; return b;"));
    assert_eq!(error, "`while`: operations with a body do not run yet");
}

#[test]
fn programs_in_mlir() {
    let text = "module { func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
        %b = stablehlo.tanh %a : tensor<8xf32>
        return %b : tensor<8xf32> } }";
    let program = Program::from_mlir(text).expect("a program");
    let error = refused(&program);
    assert!(error.starts_with("`tanh`: the program was read from MLIR"), "{error}");
}

#[test]
fn arguments_of_other_types_and_sizes() {
    let program = program("let b = tanh(a); return b;");
    let runner = Runner::new(&program).expect("all operations have kernels");
    let with = |inputs: &[HostArray]| {
        runner.run_on_threads(inputs).expect_err("the arguments do not fit").to_string()
    };
    assert_eq!(with(&[]), "expected 1 arguments, found 0");
    let small = inputs(&[Plain::numbers(&[4, 4], 1)]);
    assert_eq!(with(&small), "`a`: expected an array f32[8, 4], found f32[4, 4]");
    let integers = HostArray::new::<S32>(&[8, 4], &[0; 32]).expect("an array");
    assert_eq!(with(&[integers]), "`a`: expected an array f32[8, 4], found s32[8, 4]");
    assert!(HostArray::new::<S32>(&[8, 4], &[0; 31]).is_err());
}

#[test]
fn no_elements() {
    let mesh: Mesh = r#"<["x"=2]>"#.parse().expect("a mesh");
    let text =
        r#"mesh Pair; fn f(a: f32[0,4], b: f32[4,2] [{"x"}, {}]) { return dot(a, reshard(b)); }"#;
    let found =
        run(text, &mesh, &inputs(&[Plain::numbers(&[0, 4], 1), Plain::numbers(&[4, 2], 2)]));
    assert_eq!((found[0].dims(), found[0].as_bytes().len()), (&[0, 2][..], 0));
}
