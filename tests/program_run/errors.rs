//! Programs that cannot run are refused before anything runs.

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
    assert!(error.ends_with("tan, tanh, top_k, transpose, triangular_solve, xor"), "{error}");
    // The rule describes how the operation is sharded, but not what it computes.
    let error = refused(&program("let b = gather(a, a) : (i,j),(i,j)->(i,j); return b;"));
    assert!(error.starts_with("`gather`: it has no kernel"), "{error}");
    let error = refused(&program("let b = cbrt(convert(a, type=c64)); return b;"));
    let start =
        "`cbrt`: there is no kernel for elements of type `c64`; these operations have one: ";
    assert!(error.starts_with(start), "{error}");
}

#[test]
fn a_constant() {
    let error = refused(&program("let b = add(a, constant(f32[8,4])); return b;"));
    assert_eq!(error, "`constant`: a program does not say its elements: pass it as an argument");
}

#[test]
fn elements_that_cross_shards() {
    let expected = "it moves elements across the edges of shards, along a dimension that is sharded; \
                    constrain its operand so that this dimension is not sharded";
    for body in ["let b = reverse(a, [0]); return b;", "let b = pad(a, [16, 4]); return b;"] {
        let error = refused(&program(body));
        assert!(error.ends_with(expected), "{error}");
    }
}

/// The rule of `top_k` allows any dimension.
#[test]
fn largest_elements_along_another_dimension() {
    let error = refused(&program("let (v, i) = top_k(reshard(a), [2, 4]); return v;"));
    assert_eq!(error, "`top_k`: there is a kernel only for the last dimension");
}

#[test]
fn bodies() {
    let error = refused(&program("let b = while(i = a) { return tanh(i); }; return b;"));
    let expected = "`while`: it has no condition; write `while (i = x) cond { .. } do { .. }`";
    assert_eq!(error, expected);
    let error = refused(&program("let b = case { return a; } { return tanh(a); }; return b;"));
    let expected = "`case`: nothing says which body runs; write `case (i) { .. } { .. }`";
    assert_eq!(error, expected);
    let error = refused(&program("let b = custom(i = a) { return tanh(i); }; return b;"));
    assert_eq!(error, "`custom`: its name does not say what it does with its body");
}

/// Why a function in MLIR with these operations from line 3 on does not run.
fn refused_mlir(operations: &str) -> String {
    let text = format!(
        "sdy.mesh @mesh = <[\"x\"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {{
        {operations} }}"
    );
    let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
    refused(&program)
}

#[test]
fn programs_in_mlir() {
    let error = refused_mlir(
        "%b = stablehlo.tanh %a : tensor<8xf32>
        %c = chlo.conj %b : tensor<8xf32> -> tensor<8xf32>
        return %c : tensor<8xf32>",
    );
    let start =
        "line 4: `conj`: it has no kernel; these operations have one: abs, acos, acosh, add, ";
    assert!(
        error.starts_with(start)
            && error.ends_with("tanh, top_k, transpose, triangular_solve, xor, zeta"),
        "{error}"
    );
    let error = refused_mlir(
        "%b = stablehlo.constant dense_resource<w> : tensor<8xf32>
        %c = stablehlo.add %a, %b : tensor<8xf32>
        return %c : tensor<8xf32>",
    );
    assert_eq!(error, "line 3: `constant`: the text does not have its elements");
    let error = refused_mlir(
        "%b = stablehlo.constant dense<[1.0, 2.0]> : tensor<8xf32>
        return %b : tensor<8xf32>",
    );
    assert_eq!(error, "line 3: `constant`: expected 32 bytes, found 8");
    let error = refused_mlir(
        "stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<8xf32>) -> ()
        return %a : tensor<8xf32>",
    );
    assert_eq!(
        error,
        "line 3: `custom_call`: it has no result, only an effect, which each device would repeat"
    );
    // A token itself does nothing.
    let error = refused_mlir(
        "%t = stablehlo.create_token : !stablehlo.token
        %u = stablehlo.after_all %t, %t : !stablehlo.token
        %v = \"stablehlo.outfeed\"(%a, %u) <{outfeed_config = \"\"}> : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
        return %a : tensor<8xf32>",
    );
    let expected = "line 5: `outfeed`: it takes or returns a token: the effects that a token orders happen once, but each device would repeat them";
    assert_eq!(error, expected);
    let error = refused_mlir(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>
        %b = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
        reducer(%x: tensor<f32>, %y: tensor<f32>) {
          %s = stablehlo.cbrt %x : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }
        %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<8xf32>
        return %c : tensor<8xf32>",
    );
    assert_eq!(error, "line 4: `reduce`: there is no kernel for `cbrt` of `f32` in its body");
    // Devices would add up what each of them has: the value as a whole.
    let error = refused_mlir(
        "%b = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"x\"}>]>} : tensor<8xf32>
        return %b : tensor<8xf32>",
    );
    let expected = "line 3: `tanh`: `b` is unreduced along {\"x\"}, but `tanh` does not produce partial sums along it";
    assert_eq!(error, expected);
    let error = refused_mlir(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>
        %b = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=max{\"x\"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
        %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<8xf32>
        return %c : tensor<8xf32>",
    );
    assert!(error.starts_with("line 4: `reduce`: `"), "{error}");
}

/// Outside of a manual computation, arrays are complete: the result of an exchange between devices would depend on how they are
/// sharded.
#[test]
fn operations_that_name_devices_outside_of_manual_computations() {
    let ty = "tensor<8xf32>";
    let groups = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>";
    let reduced = format!(
        "%b = \"stablehlo.all_reduce\"(%a) <{{{groups}, use_global_device_ids}}> ({{
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }}) : ({ty}) -> {ty}"
    );
    let permuted = format!(
        "%b = \"stablehlo.collective_permute\"(%a) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}}> : ({ty}) -> {ty}"
    );
    let numbered = format!(
        "%i = stablehlo.partition_id : tensor<ui32>
        %f = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>
        %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> {ty}"
    );
    for (name, body) in
        [("all_reduce", reduced), ("collective_permute", permuted), ("partition_id", numbered)]
    {
        let error = refused_mlir(&format!("{body}\n return %b : {ty}"));
        let expected =
            format!("line 3: `{name}`: outside of a manual computation, it names devices");
        assert_eq!(error, expected);
    }
}

#[test]
fn arguments_and_results_of_unknown_size() {
    let refused = |signature: &str, returned: &str| {
        let text = format!(
            "sdy.mesh @mesh = <[\"x\"=2]>
            func.func @main({signature} {{
            return {returned} }}"
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.values().len(), 1);
        refused(&program)
    };
    let expected =
        "line 2: `func.func`: it takes or returns values that are not tensors of known size";
    // The known result alone would make the list too short.
    let both = refused(
        "%a: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}, %b: tensor<8xf32>) \
         -> (tensor<?x8xf32>, tensor<8xf32>)",
        "%a, %b : tensor<?x8xf32>, tensor<8xf32>",
    );
    assert_eq!(both, expected);
    let argument =
        refused("%a: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<8xf32>", "%b : tensor<8xf32>");
    assert_eq!(argument, expected);
}

#[test]
fn an_instruction_prints_itself() {
    let program = program("let b = tanh(a); let c = add(a, b); return c;");
    let found = format!("{:?}", program.instruction(1));
    let expected =
        r#"Instruction { name: "add", operands: ["a", "b"], results: ["c"], line: None, .. }"#;
    assert_eq!(found, expected);
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

/// The types of functions of LAPACK are not known before they run.
#[test]
fn functions_of_lapack_whose_arrays_do_not_fit() {
    let run = |call: &str, ty: &str| {
        let text = format!(
            "sdy.mesh @mesh = <[\"x\"=2]>
            func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>) -> {ty} {{
              %c = stablehlo.custom_call @lapack_{call} -> {ty}
              return %c : {ty}
            }}"
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        let [a, b] = [[2, 3], [2, 2]].map(|dims| Plain::numbers(&dims, 1));
        runner.run_on_threads(&inputs(&[a, b])).expect_err(call).to_string()
    };
    let square = "its operand is not a batch of square matrices";
    let fit = "its matrices do not fit each other";
    let size = "its results do not have the sizes of its operands";
    for (call, ty, expected) in [
        ("spotrf_ffi(%a) : (tensor<2x3xf32>)", "tensor<2x3xf32>", square),
        ("ssyevd_ffi(%a) : (tensor<2x3xf32>)", "tensor<2x3xf32>", square),
        ("strsm_ffi(%b, %a) : (tensor<2x2xf32>, tensor<2x3xf32>)", "tensor<2x3xf32>", fit),
        ("strsm_ffi(%b) : (tensor<2x2xf32>)", "tensor<2x2xf32>", "an operand is missing"),
        ("sgetrf_ffi(%a) : (tensor<2x3xf32>)", "tensor<3x3xf32>", size),
        ("sgeqrf_ffi(%a) : (tensor<2x3xf32>)", "tensor<2x3xf32>", size),
    ] {
        let error = run(call, ty);
        assert!(error.ends_with(expected), "{call}: {error}");
    }
    let error = refused_mlir(
        "%b = stablehlo.custom_call @lapack_sgesdd_ffi(%a) : (tensor<8xf32>) -> tensor<8xf32>
        return %b : tensor<8xf32>",
    );
    let expected = "line 3: `custom_call`: there is no kernel for `@lapack_sgesdd_ffi`; these functions have one, for f32 and f64: lapack_?geqrf_ffi, ";
    assert!(error.starts_with(expected), "{error}");
}
