//! Programs in MLIR that StableHLO does not have, and sizes for which there is no memory: errors, which name the operation.

use super::imported::{array, body, refused, run, sharded, text};
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::{C64, DType, F32, S8, S32, U8};

/// Why one operation on these values does not run.
fn refused_one(operation: &str, result: &str) -> String {
    let arguments = "%x: tensor<4xf32>, %y: tensor<4xf64>, %z: tensor<f32>, %d: tensor<f64>, %i: tensor<4xi32>, \
                     %p: tensor<4xi1>, %a: tensor<i32>, %v: tensor<4x1xi32>, %c: tensor<4xcomplex<f32>>";
    refused(arguments, result, &format!("%r = {operation}\nreturn %r : {result}"))
}

#[test]
fn element_types() {
    let add = body("f32", "add");
    let pairs = "(tensor<4xf32>, tensor<4xf64>)";
    for (operation, result, expected) in [
        (
            "stablehlo.pad %x, %d, low = [0], high = [1], interior = [0] : (tensor<4xf32>, tensor<f64>) -> tensor<5xf32>".into(),
            "tensor<5xf32>",
            "`pad`: operand 1 has elements of type `f64`, not `f32`",
        ),
        (
            format!("stablehlo.concatenate %x, %y, dim = 0 : {pairs} -> tensor<8xf32>"),
            "tensor<8xf32>",
            "`concatenate`: operand 1 has elements of type `f64`, not `f32`",
        ),
        (
            "stablehlo.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>".into(),
            "tensor<4xi32>",
            "`add`: result 0 has elements of type `s32`, not `f32`",
        ),
        (
            "stablehlo.dynamic_update_slice %x, %x, %a : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf64>".into(),
            "tensor<4xf64>",
            "result 0 has elements of type `f64`, not `f32`",
        ),
        (
            "stablehlo.dynamic_slice %x, %z, sizes = [2] : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>".into(),
            "tensor<2xf32>",
            "operand 1 has elements of type `f32`, but indices are integers",
        ),
        (
            r#""stablehlo.gather"(%x, %v) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<4x1xi32>) -> tensor<4xf64>"#.into(),
            "tensor<4xf64>",
            "`gather`: result 0 has elements of type `f64`, not `f32`",
        ),
        (
            format!("stablehlo.compare LT, %x, %y : {pairs} -> tensor<4xi1>"),
            "tensor<4xi1>",
            "`compare`: operand 1 has elements of type `f64`, not `f32`",
        ),
        (
            "stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>".into(),
            "tensor<4xi32>",
            "`compare`: result 0 has elements of type `s32`, not `pred`",
        ),
        (
            "stablehlo.select %i, %x, %x : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>".into(),
            "tensor<4xf32>",
            "`select`: operand 0 has elements of type `s32`, not `pred`",
        ),
        (
            "stablehlo.reduce(%x init: %d) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f64>) -> tensor<f32>".into(),
            "tensor<f32>",
            "`reduce`: operand 1 has elements of type `f64`, not `f32`",
        ),
        (
            format!(
                r#""stablehlo.scatter"(%x, %v, %y) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({add}) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf64>) -> tensor<4xf32>"#
            ),
            "tensor<4xf32>",
            "`scatter`: operand 2 has elements of type `f64`, not `f32`",
        ),
        (
            "stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf64>".into(),
            "tensor<4xf64>",
            "`real`: result 0 has elements of type `f64`, not `f32`",
        ),
        (
            "\"stablehlo.add\"(%x) : (tensor<4xf32>) -> tensor<4xf32>".into(),
            "tensor<4xf32>",
            "`add`: it has 1 operands, not 2",
        ),
    ] {
        let error = refused_one(&operation, result);
        assert!(error.contains(expected), "{error}\n{operation}");
    }
}

/// The elements of the body must be those of the arrays.
#[test]
fn bodies_of_other_elements() {
    let operation = r#""stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
        ^bb0(%e: tensor<f64>, %f: tensor<f64>):
        %s = stablehlo.compare LT, %e, %f : (tensor<f64>, tensor<f64>) -> tensor<i1>
        stablehlo.return %s : tensor<i1> }) : (tensor<4xf32>) -> tensor<4xf32>"#;
    let error = refused_one(operation, "tensor<4xf32>");
    assert!(error.ends_with("`sort`: its body does not take its elements"), "{error}");
}

#[test]
fn lists_with_a_dimension_twice() {
    let add = body("f32", "add");
    for (operation, result) in [
        (
            r#""stablehlo.gather"(%x, %v) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x1x1xf32>"#.to_string(),
            "tensor<4x1x1xf32>",
        ),
        (
            format!(
                r#""stablehlo.scatter"(%x, %v, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({add}) : (tensor<4x4xf32>, tensor<4x1xi32>, tensor<4x1x1xf32>) -> tensor<4x4xf32>"#
            ),
            "tensor<4x4xf32>",
        ),
    ] {
        let arguments = "%x: tensor<4x4xf32>, %v: tensor<4x1xi32>, %u: tensor<4x1x1xf32>";
        let error = refused(arguments, result, &format!("%r = {operation}\nreturn %r : {result}"));
        assert!(error.ends_with("its attributes do not fit its operands"), "{error}");
    }
}

/// What decides is one whole number or truth value.
#[test]
fn loops_and_branches() {
    let repeat = |condition: &str| {
        format!(
            "stablehlo.while(%h = %x) : tensor<4xf32> cond {{ {condition} }} do {{ stablehlo.return %h : tensor<4xf32> }}"
        )
    };
    let bodies =
        "({ stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> })";
    for (operation, expected) in [
        (
            repeat("stablehlo.return"),
            "`while`: one `tensor<i1>` decides what runs, not `()`",
        ),
        (
            repeat("stablehlo.return %p : tensor<4xi1>"),
            "`while`: one `tensor<i1>` decides what runs, not `(tensor<4xi1>)`",
        ),
        (
            format!("\"stablehlo.case\"(%i) {bodies} : (tensor<4xi32>) -> tensor<4xf32>"),
            "`case`: one `tensor<i32>` decides what runs, not `(tensor<4xi32>)`",
        ),
        (
            format!("\"stablehlo.case\"(%z) {bodies} : (tensor<f32>) -> tensor<4xf32>"),
            "`case`: one `tensor<i32>` decides what runs, not `(tensor<f32>)`",
        ),
        (
            format!("\"stablehlo.if\"(%a) {bodies} : (tensor<i32>) -> tensor<4xf32>"),
            "`if`: one `tensor<i1>` decides what runs, not `(tensor<i32>)`",
        ),
        (
            "\"stablehlo.if\"(%a) ({ stablehlo.return %x : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>".into(),
            "`if`: it has 1 bodies, not two",
        ),
    ] {
        let error = refused_one(&operation, "tensor<4xf32>");
        assert!(error.ends_with(expected), "{error}\n{operation}");
    }
    let index = format!(
        r#"%n = stablehlo.constant dense<0> : tensor<i32>
        %s = stablehlo.reduce(%i init: %n) applies stablehlo.add across dimensions = [0] {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={{"x"}}>]>}} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
        %r = "stablehlo.case"(%s) {bodies} : (tensor<i32>) -> tensor<4xf32>
        return %r : tensor<4xf32>"#
    );
    let arguments = format!("%i: tensor<4xi32> {}, %x: tensor<4xf32>", sharded(r#"{"x"}"#));
    let error = refused(&arguments, "tensor<4xf32>", &index);
    assert!(error.contains("`s`, which decides what runs, is unreduced"), "{error}");
}

/// MLIR's `i8` has no sign, so that 255 is an element, which is -1.
#[test]
fn integers_that_a_type_does_not_have() {
    let constant = |word: &str, ty: &str| {
        format!(
            "%r = stablehlo.constant dense<{word}> : tensor<2x{ty}>\nreturn %r : tensor<2x{ty}>"
        )
    };
    for (word, ty, name) in [
        ("300", "i8", "s8"),
        ("-129", "i8", "s8"),
        ("256", "ui8", "u8"),
        ("-1", "ui8", "u8"),
        ("2", "i1", "pred"),
    ] {
        let error = refused("", &format!("tensor<2x{ty}>"), &constant(word, ty));
        assert!(
            error.ends_with(&format!("`{word}` is not an element of type `{name}`")),
            "{error}"
        );
    }
    let found = run("", "tensor<2xi8>", &constant("255", "i8"), &[]);
    assert_eq!(found.values::<S8>().unwrap(), [-1; 2]);
    let found = run("", "tensor<2xui8>", &constant("[255, 0]", "ui8"), &[]);
    assert_eq!(found.values::<U8>().unwrap(), [255, 0]);
}

/// As MLIR prints infinities and numbers that are not.
#[test]
fn complex_constants_by_their_bits() {
    let ty = "tensor<2xcomplex<f32>>";
    let operations = format!(
        "%r = stablehlo.constant dense<[(0x7F800000,0.000000e+00), (1.5,-2.0)]> : {ty}
        return %r : {ty}"
    );
    let found = run("", ty, &operations, &[]).values::<C64>().unwrap();
    assert_eq!(
        [found[0].re, found[0].im, found[1].re, found[1].im],
        [f32::INFINITY, 0.0, 1.5, -2.0]
    );
}

/// No memory has 2^63 bytes.
#[test]
fn arrays_that_are_too_large() {
    const COUNT: &str = "2305843009213693952";
    let add = body("f32", "add");
    let whole = format!("tensor<{COUNT}xf32>");
    let large = |operation: &str, result: &str, arguments: &str, inputs: &[HostArray]| {
        let operations = format!("%r = {operation}\nreturn %r : {result}");
        let program = Program::from_mlir(&text(arguments, result, &operations)).expect("a program");
        let error = Runner::new(&program).and_then(|runner| runner.run_on_threads(inputs));
        let error = error.expect_err("it does not fit").to_string();
        assert!(error.contains(COUNT), "{error}\n{operation}");
    };
    large(&format!("stablehlo.iota dim = 0 : {whole}"), &whole, "", &[]);
    let one = array::<F32>(&[1], &[1.0]);
    large(
        &format!(
            r#""stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 1>, padding = dense<[[2305843009213693951, 0]]> : tensor<1x2xi64>}}> ({add}) : (tensor<1xf32>, tensor<f32>) -> {whole}"#
        ),
        &whole,
        "%x: tensor<1xf32>, %z: tensor<f32>",
        &[one, array::<F32>(&[], &[0.0])],
    );
    let empty = HostArray::from_bytes(DType::F32, &[0, 1 << 61], Vec::new()).expect("no bytes");
    large(
        &format!(
            "stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<0x{COUNT}xf32>, tensor<f32>) -> {whole}"
        ),
        &whole,
        &format!("%x: tensor<0x{COUNT}xf32>, %z: tensor<f32>"),
        &[empty, array::<F32>(&[], &[0.0])],
    );
    let product = format!("tensor<1x1x{COUNT}xf32>");
    large(
        &format!(
            "stablehlo.convolution(%k, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {{pad = [[2305843009213693951, 0]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> {product}"
        ),
        &product,
        "%k: tensor<1x1x1xf32>",
        &[array::<F32>(&[1, 1, 1], &[1.0])],
    );
}

/// Their bytes are more than `u128` counts.
#[test]
fn traffic_of_arrays_that_are_too_large() {
    let large = "4611686018427387904x4611686018427387904x16xf32";
    let operations = format!(
        "%y = stablehlo.add %x, %x : tensor<8x{large}>
        %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x{large}>, tensor<f32>) -> tensor<{large}>
        return %r : tensor<{large}>"
    );
    let arguments =
        format!("%x: tensor<8x{large}> {}, %z: tensor<f32>", sharded(r#"{"x"}, {}, {}, {}"#));
    let text = text(&arguments, &format!("tensor<{large}>"), &operations);
    let program = Program::from_mlir(&text).expect("a program");
    assert_eq!(program.value("y").expect("a value").local_bytes(), u128::MAX.div_ceil(8));
    assert_eq!(program.collectives().len(), 1);
}

/// The first device is the one with the smallest id.
#[test]
fn groups_that_are_not_listed() {
    let text = r#"sdy.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 0]>
        func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
        %r = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%l: tensor<1xi32>) {
        %g = "stablehlo.all_gather"(%l) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<1xi32>) -> tensor<4xi32>
        sdy.return %g : tensor<4xi32>
        } : (tensor<4xi32>) -> tensor<4xi32>
        return %r : tensor<4xi32>
        }"#;
    let found = super::imported::run_text(text, &[array::<S32>(&[4], &[1, 2, 3, 4])]);
    assert_eq!(found[0].values::<S32>().unwrap(), [4, 3, 2, 1]);
}
