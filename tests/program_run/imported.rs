//! Operations of programs in MLIR whose text has another form than JAX's, or whose body has another form, with the results that
//! StableHLO defines.

use super::check_close;
use super::plain::Plain;
use half::bf16;
use tensor_layout::sharding::program::{Overrides, Program};
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::{BF16, C64, Element, F32, PRED, S32, U64};

pub(super) fn array<E: Element>(dims: &[usize], values: &[E::Host]) -> HostArray {
    HostArray::new::<E>(dims, values).expect("the sizes fit")
}

/// The program of a function with these arguments, result and operations, on a mesh of four devices.
pub(super) fn text(arguments: &str, result: &str, operations: &str) -> String {
    format!(
        r#"sdy.mesh @mesh = <["x"=2, "y"=2]>
        func.func @main({arguments}) -> {result} {{
        {operations}
        }}"#
    )
}

/// The sharding of an argument.
pub(super) fn sharded(dims: &str) -> String {
    format!("{{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}")
}

pub(super) fn run_text(text: &str, inputs: &[HostArray]) -> Vec<HostArray> {
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    runner.run_on_threads(inputs).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The first result of a function.
pub(super) fn run(
    arguments: &str,
    result: &str,
    operations: &str,
    inputs: &[HostArray],
) -> HostArray {
    run_text(&text(arguments, result, operations), inputs).remove(0)
}

/// Why a function does not run.
pub(super) fn refused(arguments: &str, result: &str, operations: &str) -> String {
    let text = text(arguments, result, operations);
    match Program::from_mlir(&text) {
        Ok(program) => Runner::new(&program).expect_err(&text).to_string(),
        Err(error) => error.mistakes()[0].message.clone(),
    }
}

/// A body that is one operation of two values.
pub(super) fn body(ty: &str, name: &str) -> String {
    format!(
        "{{ ^bb0(%p: tensor<{ty}>, %q: tensor<{ty}>):
        %s = stablehlo.{name} %p, %q : tensor<{ty}>
        stablehlo.return %s : tensor<{ty}> }}"
    )
}

/// The operands of a subtraction cannot be exchanged, and devices cannot combine differences.
#[test]
fn bodies_of_one_operation_that_is_not_a_sum() {
    for dims in ["{}", r#"{"x"}"#, r#"{"x", "y"}"#] {
        let scatter = |name: &str| {
            format!(
                r#"%r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({}) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
                return %r : tensor<4xf32>"#,
                body("f32", name)
            )
        };
        for (name, expected) in [
            ("subtract", [10.0, 3.0, 10.0, 10.0]),
            ("divide", [10.0, 10.0 / 12.0, 10.0, 10.0]),
            ("power", [10.0, 1e12, 10.0, 10.0]),
            ("remainder", [10.0, 1.0, 10.0, 10.0]),
        ] {
            for updates in ["{}", r#"{"y"}"#] {
                let arguments = format!(
                    "%x: tensor<4xf32> {}, %i: tensor<2x1xi32>, %u: tensor<2xf32> {}",
                    sharded(dims),
                    sharded(updates)
                );
                let inputs = [
                    array::<F32>(&[4], &[10.0; 4]),
                    array::<S32>(&[2, 1], &[1, 1]),
                    array::<F32>(&[2], &[3.0, 4.0]),
                ];
                let found = run(&arguments, "tensor<4xf32>", &scatter(name), &inputs);
                let expected = Plain { dims: vec![4], values: expected.to_vec() };
                check_close(&found, &expected, name);
            }
        }
        let arguments = format!("%x: tensor<4xi32> {}", sharded(dims));
        let x = [array::<S32>(&[4], &[5, 3, 8, 1])];
        let zero = "%z = stablehlo.constant dense<0> : tensor<i32>";
        let types = "(tensor<4xi32>, tensor<i32>) -> tensor<i32>";
        let written = format!(
            r#"{zero}
            %r = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({}) : {types}
            return %r : tensor<i32>"#,
            body("i32", "xor")
        );
        let applied = format!(
            "{zero}
            %r = stablehlo.reduce(%x init: %z) applies stablehlo.xor across dimensions = [0] : {types}
            return %r : tensor<i32>"
        );
        for operations in [written, applied] {
            let found = run(&arguments, "tensor<i32>", &operations, &x);
            assert_eq!(found.values::<S32>().unwrap(), [5 ^ 3 ^ 8 ^ 1], "{operations}");
        }
        let windows = format!(
            r#"{zero}
            %r = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 2>}}> ({}) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
            return %r : tensor<3xi32>"#,
            body("i32", "subtract")
        );
        let found = run(&arguments, "tensor<3xi32>", &windows, &x);
        assert_eq!(found.values::<S32>().unwrap(), [-8, -11, -9]);
    }
}

/// A reduction may return the last element.
#[test]
fn bodies_that_return_their_second_argument() {
    let body = "{ ^bb0(%p: tensor<f32>, %q: tensor<f32>): stablehlo.return %q : tensor<f32> }";
    let operations = format!(
        r#"%z = stablehlo.constant dense<0.0> : tensor<f32>
        %r = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({body}) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        return %r : tensor<f32>"#
    );
    let x = array::<F32>(&[4], &[1.0, 2.0, 3.0, 4.0]);
    for dims in ["{}", r#"{"x"}"#] {
        let arguments = format!("%x: tensor<4xf32> {}", sharded(dims));
        let found = run(&arguments, "tensor<f32>", &operations, std::slice::from_ref(&x));
        assert_eq!(found.values::<F32>().unwrap(), [4.0]);
    }
}

/// What devices combine has no order.
#[test]
fn collectives_whose_body_is_not_a_sum() {
    for name in ["subtract", "xor"] {
        for (collective, attributes, result) in [
            ("all_reduce", "", "tensor<2xi32>"),
            ("reduce_scatter", "scatter_dimension = 0 : i64, ", "tensor<1xi32>"),
        ] {
            let split = match collective {
                "all_reduce" => r#"{"y"}"#,
                _ => r#"{"y", "x"}"#,
            };
            let operations = format!(
                r#"%r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x", "y"}}]>] out_shardings=[<@mesh, [{split}]>] manual_axes={{"x", "y"}} (%a: tensor<2xi32>) {{
                %s = "stablehlo.{collective}"(%a) <{{{attributes}replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}}> ({}) : (tensor<2xi32>) -> {result}
                sdy.return %s : {result}
                }} : (tensor<8xi32>) -> tensor<4xi32>
                return %r : tensor<4xi32>"#,
                body("i32", name)
            );
            let error = refused("%x: tensor<8xi32>", "tensor<4xi32>", &operations);
            let expected =
                "its body is not a single operation with which devices can combine their values";
            assert!(error.ends_with(expected), "{error}");
        }
    }
}

/// Without `<..>`, as older versions print attributes.
#[test]
fn attributes_in_a_dictionary() {
    let [a, b] = [[1.0, -0.0], [3.0, 0.0]].map(|values| array::<F32>(&[2], &values));
    let inputs = [a, b];
    let arguments = "%a: tensor<2xf32>, %b: tensor<2xf32>";
    let types = "(tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>";
    for (kind, expected) in [("FLOAT", [true, false]), ("TOTALORDER", [true, true])] {
        let operations = format!(
            r#"%r = "stablehlo.compare"(%a, %b) {{compare_type = #stablehlo<comparison_type {kind}>, comparison_direction = #stablehlo<comparison_direction LT>}} : {types}
            return %r : tensor<2xi1>"#
        );
        let found = run(arguments, "tensor<2xi1>", &operations, &inputs);
        assert_eq!(found.values::<PRED>().unwrap(), expected);
    }
    let operations = format!(
        r#"%r = "stablehlo.compare"(%a, %b) : {types}
        return %r : tensor<2xi1>"#
    );
    let error = refused(arguments, "tensor<2xi1>", &operations);
    assert!(
        error.ends_with("`compare`: it does not say how it compares: `comparison_direction`"),
        "{error}"
    );
    let operations = r#"%r = "stablehlo.sort"(%a) {dimension = 0 : i64, is_stable = true} ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = "stablehlo.compare"(%p, %q) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %s : tensor<i1> }) : (tensor<2xf32>) -> tensor<2xf32>
        return %r : tensor<2xf32>"#;
    let found = run(arguments, "tensor<2xf32>", operations, &inputs);
    assert_eq!(found.values::<F32>().unwrap(), [1.0, -0.0]);
    let operations = r#"%r = "stablehlo.constant"() {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
        return %r : tensor<2xi32>"#;
    let found = run("", "tensor<2xi32>", operations, &[]);
    assert_eq!(found.values::<S32>().unwrap(), [2, 3]);
}

#[test]
fn dimensions_that_count_from_the_last_one() {
    let x = array::<F32>(&[2, 3], &[4.0, 1.0, 3.0, 2.0, 5.0, 0.0]);
    let sort = |dimension: i64| {
        format!(
            r#"%r = "stablehlo.sort"(%x) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
            ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %s : tensor<i1> }}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
            return %r : tensor<2x3xf32>"#
        )
    };
    let rows = [2.0, 1.0, 0.0, 4.0, 5.0, 3.0];
    let columns = [1.0, 3.0, 4.0, 0.0, 2.0, 5.0];
    for dims in ["{}, {}", r#"{"x"}, {}"#] {
        let arguments = format!("%x: tensor<2x3xf32> {}", sharded(dims));
        for (dimension, expected) in [(-2, rows), (0, rows), (-1, columns), (1, columns)] {
            let found =
                run(&arguments, "tensor<2x3xf32>", &sort(dimension), std::slice::from_ref(&x));
            assert_eq!(found.values::<F32>().unwrap(), expected, "{dimension}");
        }
    }
    // No other operation counts from the last dimension.
    for (result, operation) in [
        ("tensor<2x3xf32>", "stablehlo.reverse %x, dims = [-1] : tensor<2x3xf32>"),
        (
            "tensor<4x3xf32>",
            "stablehlo.concatenate %x, %x, dim = -2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>",
        ),
    ] {
        let operations = format!("%r = {operation}\nreturn %r : {result}");
        let error = refused("%x: tensor<2x3xf32>", result, &operations);
        assert!(error.ends_with("its attributes do not fit its operands"), "{error}");
    }
    let error = refused("%x: tensor<2x3xf32>", "tensor<2x3xf32>", &sort(-3));
    assert!(error.ends_with("its attributes do not fit its operands"), "{error}");
}

/// Every device would add the padding.
#[test]
fn padding_of_partial_sums() {
    let sharding =
        |dims: &str, partial: &str| format!("<@mesh, [{dims}], unreduced={{{partial}}}>");
    let padded = |value: &str, combined: &str| {
        let own = sharding("{}", r#""x""#);
        format!(
            r#"%z = stablehlo.constant dense<{value}> : tensor<f32>
            %s = stablehlo.reduce(%x init: %z0) applies stablehlo.{combined} across dimensions = [0] {{sdy.sharding = #sdy.sharding_per_value<[{own}]>}} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
            %p = stablehlo.pad %s, %z, low = [0], high = [1], interior = [0] {{sdy.sharding = #sdy.sharding_per_value<[{own}]>}} : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
            %r = sdy.all_reduce {{"x"}} %p out_sharding=<@mesh, [{{}}]> : tensor<3xf32>
            return %r : tensor<3xf32>"#
        )
        .replace("%z0", if combined == "add" { "%n" } else { "%m" })
    };
    let x = array::<F32>(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let arguments = format!("%x: tensor<2x2xf32> {}", sharded(r#"{"x"}, {}"#));
    let starts = "%n = stablehlo.constant dense<0.0> : tensor<f32>\n";
    let found = run(
        &arguments,
        "tensor<3xf32>",
        &format!("{starts}{}", padded("0.0", "add")),
        std::slice::from_ref(&x),
    );
    assert_eq!(found.values::<F32>().unwrap(), [4.0, 6.0, 0.0]);
    let operations = format!("{starts}{}", padded("7.0", "add"));
    let error = refused(&arguments, "tensor<3xf32>", &operations);
    assert!(error.contains("`pad` does not produce partial sums along it"), "{error}");
    let all = text(&arguments, "tensor<3xf32>", &operations);
    let error = Program::local_mlir(&all, &Overrides::default()).expect_err("each device pads");
    assert!(error.to_string().contains("does not produce partial sums"), "{error}");
}

/// The form of MLIR that StableHLO prints has 0 and 1.
#[test]
fn reversed_windows() {
    let x = array::<F32>(&[1, 1, 3], &[1.0, 2.0, 3.0]);
    let w = array::<F32>(&[1, 1, 2], &[1.0, 10.0]);
    let arguments = "%x: tensor<1x1x3xf32>, %w: tensor<1x1x2xf32>";
    let types = "(tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>";
    for (reverse, expected) in
        [("[1]", [12.0, 23.0]), ("[true]", [12.0, 23.0]), ("[0]", [21.0, 32.0])]
    {
        let operations = format!(
            "%r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {{stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = {reverse}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : {types}
            return %r : tensor<1x1x2xf32>"
        );
        let inputs = [x.clone(), w.clone()];
        let found = run(arguments, "tensor<1x1x2xf32>", &operations, &inputs);
        assert_eq!(found.values::<F32>().unwrap(), expected, "{reverse}");
    }
    for reverse in ["array<i1: true>", "dense<true> : tensor<1xi1>", "dense<1> : tensor<1xi1>"] {
        let operations = format!(
            r#"%r = "stablehlo.convolution"(%x, %w) <{{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, window_reversal = {reverse}, batch_group_count = 1 : i64, feature_group_count = 1 : i64}}> : {types}
            return %r : tensor<1x1x2xf32>"#
        );
        let inputs = [x.clone(), w.clone()];
        let found = run(arguments, "tensor<1x1x2xf32>", &operations, &inputs);
        assert_eq!(found.values::<F32>().unwrap(), [12.0, 23.0], "{reverse}");
    }
}

/// The products of the largest numbers wrap around.
#[test]
fn convolutions_of_large_integers() {
    let x = array::<U64>(&[1, 1, 3], &[u64::MAX; 3]);
    let arguments = "%x: tensor<1x1x3xui64>";
    let operations = "%r = stablehlo.convolution(%x, %x) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xui64>, tensor<1x1x3xui64>) -> tensor<1x1x1xui64>
        return %r : tensor<1x1x1xui64>";
    let found = run(arguments, "tensor<1x1x1xui64>", operations, &[x]);
    assert_eq!(found.values::<U64>().unwrap(), [3]);
}

/// What devices do on their own is what they do together: the local program runs in a manual computation.
#[test]
fn local_gathers_of_whole_dimensions() {
    let arguments = [r#"[{"x"}, {"y"}]"#, "[{}, {}]"];
    let whole = text(
        &format!(
            "%t: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, {}>}}, %i: tensor<3x2xi32>",
            arguments[0]
        ),
        r#"(tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})"#,
        r#"%r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<3x2xi32>) -> tensor<3x4xf32>
        return %r : tensor<3x4xf32>"#,
    );
    let table: Vec<_> = (1..=32_u8).map(f32::from).collect();
    let inputs = [array::<F32>(&[8, 4], &table), array::<S32>(&[3, 2], &[1, 0, 6, 3, 9, -1])];
    let expected: Vec<_> =
        [1, 6, 7].iter().flat_map(|row| table[4 * row..][..4].to_vec()).collect();
    assert_eq!(run_text(&whole, &inputs)[0].values::<F32>().unwrap(), expected);
    let local = Program::local_mlir(&whole, &Overrides::default()).expect("a local program");
    let (_, body) = local.split_once("-> (tensor<3x2xf32>) {").expect(&local);
    let (body, returned) = body.split_once("    return ").expect(&local);
    let (returned, _) = returned.split_once('}').expect(&local);
    let alone = text(
        "%t: tensor<8x4xf32>, %i: tensor<3x2xi32>",
        "tensor<3x4xf32>",
        &format!(
            r#"%r = sdy.manual_computation(%t, %i) in_shardings=[<@mesh, {}>, <@mesh, {}>] out_shardings=[<@mesh, [{{}}, {{"y"}}]>] manual_axes={{"x", "y"}} (%arg0: tensor<4x2xf32>, %arg1: tensor<3x2xi32>) {{
            {body}sdy.return {returned}
            }} : (tensor<8x4xf32>, tensor<3x2xi32>) -> tensor<3x4xf32>
            return %r : tensor<3x4xf32>"#,
            arguments[0], arguments[1]
        ),
    );
    let alone = alone.replace("%t", "%arg0").replace("%i:", "%arg1:").replace("%i)", "%arg1)");
    assert_eq!(run_text(&alone, &inputs)[0].values::<F32>().unwrap(), expected, "{local}");
}

/// As in XLA: negative powers are truncated, and those of zero are zero.
#[test]
fn powers_of_integers() {
    let base = [2, 3, -2, 0, 1, -1, -1, 2, -3, 0, 5, 7];
    let power = [10, 0, 3, 0, -5, -2, -3, -1, -1, -1, 13, 40];
    let expected = [1024, 1, -8, 1, 1, 1, -1, 0, 0, 0, 1_220_703_125, 7_i32.wrapping_pow(40)];
    let inputs = [base, power].map(|values| array::<S32>(&[12], &values));
    let operations = "%r = stablehlo.power %x, %y : tensor<12xi32>
        return %r : tensor<12xi32>";
    let found =
        run("%x: tensor<12xi32>, %y: tensor<12xi32>", "tensor<12xi32>", operations, &inputs);
    assert_eq!(found.values::<S32>().unwrap(), expected);
    let inputs = [[3, 2, u64::MAX], [41, 64, 2]].map(|values| array::<U64>(&[3], &values));
    let operations = "%r = stablehlo.power %x, %y : tensor<3xui64>
        return %r : tensor<3xui64>";
    let found =
        run("%x: tensor<3xui64>, %y: tensor<3xui64>", "tensor<3xui64>", operations, &inputs);
    assert_eq!(found.values::<U64>().unwrap(), [3_u64.wrapping_pow(41), 0, 1]);
}

#[test]
fn next_narrow_numbers() {
    let numbers = |values: [f32; 4]| array::<BF16>(&[4], &values.map(bf16::from_f32));
    let inputs = [numbers([1.0, 0.0, -1.0, 2.0]), numbers([2.0, -1.0, 0.0, 2.0])];
    let operations =
        "%r = chlo.next_after %x, %y : tensor<4xbf16>, tensor<4xbf16> -> tensor<4xbf16>
        return %r : tensor<4xbf16>";
    let found =
        run("%x: tensor<4xbf16>, %y: tensor<4xbf16>", "tensor<4xbf16>", operations, &inputs);
    let bits: Vec<_> = found.values::<BF16>().unwrap().iter().map(|x| x.to_bits()).collect();
    assert_eq!(bits, [0x3F81, 0x8001, 0xBF7F, 0x4000]);
}

/// Functions of floating-point numbers only.
#[test]
fn integers_without_a_kernel() {
    let operations = "%r = stablehlo.tanh %x : tensor<4xi32>
        return %r : tensor<4xi32>";
    let error = refused("%x: tensor<4xi32>", "tensor<4xi32>", operations);
    assert!(error.ends_with("`tanh`: there is no kernel for elements of type `s32`"), "{error}");
}

#[test]
fn transforms_of_no_lines() {
    let operations = "%r = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<0x4xf32>) -> tensor<0x3xcomplex<f32>>
        return %r : tensor<0x3xcomplex<f32>>";
    let x = array::<F32>(&[0, 4], &[]);
    let found = run("%x: tensor<0x4xf32>", "tensor<0x3xcomplex<f32>>", operations, &[x]);
    assert_eq!((found.dims(), found.values::<C64>().unwrap().len()), (&[0, 3][..], 0));
}

/// Older versions write 8 truth values in a byte.
#[test]
fn bits_of_truth_values() {
    let operations = r#"%r = stablehlo.constant dense<"0x0D02"> : tensor<11xi1>
        return %r : tensor<11xi1>"#;
    let found = run("", "tensor<11xi1>", operations, &[]);
    let expected = [1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0].map(|bit| bit == 1);
    assert_eq!(found.values::<PRED>().unwrap(), expected);
}

/// Sizes and attributes that contradict each other are found before anything runs.
#[test]
fn sizes_that_do_not_fit() {
    let add = body("f32", "add");
    let gather = |attributes: &str, sizes: &str| {
        format!(
            r#"%r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], {attributes}index_vector_dim = 1>{sizes}}}> : (tensor<8x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>"#
        )
    };
    let scatter = |updates: &str| {
        format!(
            r#"%r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({add}) : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<{updates}xf32>) -> tensor<8x4xf32>"#
        )
    };
    let window = |result: &str, more: &str| {
        format!(
            r#"%r = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 2, 2>{more}}}> ({add}) : (tensor<8x4xf32>, tensor<f32>) -> tensor<{result}xf32>"#
        )
    };
    for (operation, expected) in [
        (gather("start_index_map = [0], ", ""), "`slice_sizes` has 0 numbers, not one for each of 2"),
        (
            gather("start_index_map = [0], ", ", slice_sizes = array<i64: 1, 8>"),
            "a slice of size [1, 8] does not fit in [8, 4]",
        ),
        (
            gather("start_index_map = [2], ", ", slice_sizes = array<i64: 1, 4>"),
            "`start_index_map` lists [2], which are not different dimensions of a tensor of rank 2",
        ),
        (
            gather("start_index_map = [0, 1], ", ", slice_sizes = array<i64: 1, 4>"),
            "`start_index_map` lists [0, 1], but the index vectors have size 1",
        ),
        (
            gather("start_index_map = [0], ", ", slice_sizes = array<i64: 1, 3>"),
            "its result has size [3, 4], not [3, 3]",
        ),
        (scatter("5x4").replace("%u", "%u5"), "an update has size [5, 4], not [3, 4]"),
        (scatter("3x5").replace("%u", "%w"), "a slice of size [5] does not fit in [4]"),
        (
            "%r = stablehlo.dynamic_update_slice %x, %n, %a, %a : (tensor<8x4xf32>, tensor<9x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>".into(),
            "a slice of size [9, 4] does not fit in [8, 4]",
        ),
        (
            "%r = stablehlo.dynamic_slice %x, %a, %a, sizes = [9, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<9x4xf32>".into(),
            "a slice of size [9, 4] does not fit in [8, 4]",
        ),
        (
            "%r = stablehlo.slice %x [0:9, 0:4] : (tensor<8x4xf32>) -> tensor<9x4xf32>".into(),
            "0:9:1 is not a slice of dimension 0 of [8, 4]",
        ),
        (
            "%r = stablehlo.slice %x [0:8:2, 0:4] : (tensor<8x4xf32>) -> tensor<5x4xf32>".into(),
            "its result has size [5, 4], not [4, 4]",
        ),
        (
            "%r = stablehlo.pad %x, %z, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<9x4xf32>".into(),
            "its result has size [9, 4], not [16, 4]",
        ),
        (
            "%r = stablehlo.pad %x, %z, low = [-9, 0], high = [0, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<0x4xf32>".into(),
            "its padding cuts off more elements than there are",
        ),
        (
            "%r = stablehlo.concatenate %x, %n, dim = 1 : (tensor<8x4xf32>, tensor<9x4xf32>) -> tensor<8x8xf32>".into(),
            "[8, 4] and [9, 4] differ along other dimensions than 1",
        ),
        (
            "%r = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<33xf32>".into(),
            "[8, 4] and [33] have different numbers of elements",
        ),
        (
            "%r = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x3x5xf32>".into(),
            "[8, 4] is not repeated along dimensions [0, 2] of [8, 3, 5]",
        ),
        (
            "%r = stablehlo.transpose %x, dims = [1, 1] : (tensor<8x4xf32>) -> tensor<4x4xf32>".into(),
            "`permutation` lists [1, 1], which are not different dimensions",
        ),
        (
            "%r = stablehlo.dot_general %x, %n, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<9x4xf32>) -> tensor<4x4xf32>".into(),
            "dimensions [0] of [8, 4] and [0] of [9, 4] have different sizes",
        ),
        (
            "%r = stablehlo.add %x, %n : (tensor<8x4xf32>, tensor<9x4xf32>) -> tensor<8x4xf32>".into(),
            "an operand has size [9, 4], not [8, 4]",
        ),
        (
            "%r = stablehlo.iota dim = 2 : tensor<8x4xf32>".into(),
            "a tensor of rank 2 has no dimension 2",
        ),
        (
            "%r = stablehlo.fft %x, type = RFFT, length = [5] : (tensor<8x4xf32>) -> tensor<8x3xcomplex<f32>>".into(),
            "transforms of length [5] do not fit [8, 4]",
        ),
        (
            "%r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>".into(),
            "its result has size [8], not [4]",
        ),
        (window("7x4", ""), "its result has size [7, 4], not [7, 3]"),
        (window("8x3", ", padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>"), "its result has size [8, 3], not [9, 3]"),
        (
            window("8x3", ", window_strides = array<i64: 0, 1>"),
            "the size, the stride and the dilations of a window, [2, 0, 1, 1], are not all positive",
        ),
        (
            "%r = stablehlo.convolution(%k, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x1xf32>".into(),
            "its result has size [2, 2, 1], not [2, 2, 2]",
        ),
        (
            "%r = stablehlo.convolution(%k, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x1xf32>".into(),
            "[2, 2, 3] and [2, 2, 3] do not fit 2 groups of features and 1 of batches",
        ),
    ] {
        let (_, result) = operation.rsplit_once(['>', ':']).map_or(("", ""), |_| {
            let at = operation.rfind("tensor<").expect("a type");
            operation.split_at(at)
        });
        let name = operation.split("stablehlo.").nth(1).expect("a name");
        let name = &name[..name.find(|c: char| !c.is_alphanumeric() && c != '_').expect("an end")];
        let arguments = "%x: tensor<8x4xf32>, %n: tensor<9x4xf32>, %i: tensor<3x1xi32>, %u5: tensor<5x4xf32>, %w: tensor<3x5xf32>, %a: tensor<i32>, %z: tensor<f32>, %k: tensor<2x2x3xf32>";
        let operations = format!("{operation}\nreturn %r : {result}");
        let error = refused(arguments, result, &operations);
        assert!(error.contains(expected) && error.contains(&format!("`{name}`")), "{error}\n{operation}");
        let all = text(arguments, result, &operations);
        let error = Program::local_mlir(&all, &Overrides::default()).expect_err("they contradict");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// Bodies without arguments, and constraints without operands, are errors.
#[test]
fn bodies_without_arguments() {
    for (body, expected) in [
        ("{ stablehlo.return %z : tensor<f32> }", "its body is not one operation"),
        (
            "{ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %c = sdy.sharding_constraint <@mesh, []> : tensor<f32>
            stablehlo.return %c : tensor<f32> }",
            "its body is not one operation",
        ),
        (
            "{ ^bb0(%p: tensor<f32>): stablehlo.return %p : tensor<f32> }",
            "its body does not take its elements",
        ),
    ] {
        let operations = format!(
            r#"%r = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({body}) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
            return %r : tensor<f32>"#
        );
        let error = refused("%x: tensor<4xf32>, %z: tensor<f32>", "tensor<f32>", &operations);
        assert!(error.contains(expected), "{error}");
    }
}

/// Values that enter and leave bodies and functions have the size of the value that they become.
#[test]
fn sizes_at_the_borders_of_bodies() {
    let whole = |body: &str| {
        format!(
            "%t = stablehlo.constant dense<false> : tensor<i1>
            %r = stablehlo.while(%h = %x) : tensor<4xf32> cond {{ stablehlo.return %t : tensor<i1> }} do {{ {body} }}
            return %r : tensor<4xf32>"
        )
    };
    for operations in [
        whole("stablehlo.return %y : tensor<5xf32>"),
        "%r = \"stablehlo.case\"(%i) ({ stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %y : tensor<5xf32> }) : (tensor<i32>) -> tensor<4xf32>
        return %r : tensor<4xf32>"
            .into(),
        "%r = func.call @f(%y) : (tensor<5xf32>) -> tensor<4xf32>
        return %r : tensor<4xf32>
        }
        func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
        %b = stablehlo.tanh %a : tensor<4xf32>
        return %b : tensor<4xf32>"
            .into(),
        "%r = func.call @f(%y) : (tensor<5xf32>) -> tensor<4xf32>
        return %r : tensor<4xf32>
        }
        func.func private @f(%a: tensor<5xf32>) -> tensor<5xf32> {
        return %a : tensor<5xf32>"
            .into(),
        "return %y : tensor<5xf32>".into(),
        "%r = sdy.sharding_constraint %y <@mesh, [{}]> : tensor<4xf32>
        return %r : tensor<4xf32>"
            .into(),
        "%r = stablehlo.optimization_barrier %y : tensor<4xf32>
        return %r : tensor<4xf32>"
            .into(),
    ] {
        let arguments = "%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<i32>";
        let error = refused(arguments, "tensor<4xf32>", &operations);
        assert!(error.contains('4') && error.contains('5'), "{error}\n{operations}");
    }
}
