//! Programs on several meshes of the same devices.

use super::plain::Plain;
use super::{check_close, inputs, program, run_over};
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::Runner;

fn meshes(texts: &[&str]) -> Vec<Mesh> {
    texts.iter().map(|text| text.parse().expect("a mesh")).collect()
}

#[test]
fn a_product_moves_to_another_mesh() {
    let text = r#"
        mesh Ring;
        mesh Square;
        fn f(x: f32[8,6] [{"a"}, {}], w: f32[6,4] @ Square [{}, {"y"}]) {
            let h = tanh(reshard(x)) @ Square [{"x"}, {}];
            let y = dot(h, w) @ Square [{"x"}, {"y"}];
            return y @ Ring [{}, {"a"}];
        }
    "#;
    let meshes = meshes(&[r#"<["a"=4]>"#, r#"<["x"=2, "y"=2]>"#]);
    let [x, w] = [Plain::numbers(&[8, 6], 1), Plain::numbers(&[6, 4], 2)];
    let found = run_over(text, &meshes, &inputs(&[x.clone(), w.clone()]));
    check_close(&found[0], &x.map(f64::tanh).dot(&w, [1, 0], false), "the product");
}

/// As JAX lowers a constraint on another mesh of the same devices.
#[test]
fn a_module_names_several_meshes() {
    let text = r#"module @jit_f {
  sdy.mesh @rows = <["x"=4]>
  sdy.mesh @square = <["a"=2, "b"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@rows, [{"x"}, {}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@rows, [{"x"}]>}) {
    %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@square, [{"b"}, {"a"}]> : tensor<8x4xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
"#;
    let program = Program::from_mlir(text).expect("a program");
    let x = Plain::numbers(&[8, 4], 3);
    let runner = Runner::new(&program).expect("it runs");
    let found = runner.run_on_threads(&inputs(std::slice::from_ref(&x))).expect("results");
    let squares = x.map(|x| x.tanh().powi(2));
    check_close(&found[0], &squares.sum(1), "the sums of squares");
}

#[test]
fn devices_in_another_order_are_refused() {
    let meshes = meshes(&[r#"<["a"=4]>"#, r#"<["a"=4], device_ids=[3, 2, 1, 0]>"#]);
    let text =
        r#"mesh Ring; mesh Back; fn f(x: f32[8] @ Back [{"a"}]) { let y = neg(x); return y; }"#;
    let program = program(text, &meshes).expect("a program");
    let error = Runner::new(&program).expect_err("it does not run").to_string();
    let expected =
        r#"`neg`: the mesh @Back does not list the devices of <["a"=4]> in the same order"#;
    assert_eq!(error, expected);
}
