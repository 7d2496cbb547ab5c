//! Programs in which each device has a part of a sum, rules that are written in the text, and elements at the edges of their types.

use super::imported::{array, body, run, run_text, sharded, text};
use tensor_layout::sharding::program::{Overrides, Program};
use tensor_layout::sharding::run::program::HostArray;
use tensor_layout::{C64, DType, F32, S8, S32, S64};

/// The part of a device is a part of a sum outside, and the reverse.
#[test]
fn sums_across_the_border_of_a_manual_computation() {
    let operations = r#"%m = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}], unreduced={"x"}>] manual_axes={"x"} (%l: tensor<2xf32>) {
        sdy.return %l : tensor<2xf32>
        } : (tensor<4xf32>) -> tensor<2xf32>
        %r = sdy.all_reduce {"x"} %m out_sharding=<@mesh, [{}]> : tensor<2xf32>
        return %r : tensor<2xf32>"#;
    let a = array::<F32>(&[4], &[1.0, 2.0, 10.0, 20.0]);
    let found = run("%a: tensor<4xf32>", "tensor<2xf32>", operations, std::slice::from_ref(&a));
    assert_eq!(found.values::<F32>().unwrap(), [11.0, 22.0]);
    let constrained = operations.replace(
        r#"sdy.all_reduce {"x"} %m out_sharding=<@mesh, [{}]>"#,
        "sdy.sharding_constraint %m <@mesh, [{}]>",
    );
    let all = text("%a: tensor<4xf32>", "tensor<2xf32>", &constrained);
    let local = Program::local_mlir(&all, &Overrides::default()).expect("a local program");
    assert!(local.contains("stablehlo.all_reduce"), "{local}");
    let operations = format!(
        r#"%m = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"y"}}], unreduced={{"x"}}>] out_shardings=[<@mesh, [{{"y"}}]>] manual_axes={{"x"}} (%l: tensor<4xf32>) {{
        %s = "stablehlo.all_reduce"(%l) <{{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}}> ({}) : (tensor<4xf32>) -> tensor<4xf32>
        sdy.return %s : tensor<4xf32>
        }} : (tensor<4xf32>) -> tensor<4xf32>
        return %m : tensor<4xf32>"#,
        body("f32", "add")
    );
    // Without a sharding of its own, the argument would be the partial sum.
    let argument = format!("%a: tensor<4xf32> {}", sharded("{}"));
    let found = run(&argument, "tensor<4xf32>", &operations, &[a]);
    assert_eq!(found.values::<F32>().unwrap(), [1.0, 2.0, 10.0, 20.0]);
}

/// Each device adds its own part of the initial value.
#[test]
fn a_sum_that_begins_with_a_partial_sum() {
    let partial = |dims: &str| {
        format!(
            "{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{dims}], unreduced={{\"x\"}}>]>}}"
        )
    };
    let (lines, numbers) = (partial("{}"), partial(""));
    for (element, x, w, expected) in [
        (
            "f32",
            array::<F32>(&[2, 2], &[1.0, 2.0, 3.0, 4.0]),
            array::<F32>(&[2], &[100.0, 1000.0]),
            1110.0,
        ),
        (
            "complex<f32>",
            array::<C64>(&[2, 2], &[1.0, 2.0, 3.0, 4.0].map(Into::into)),
            array::<C64>(&[2], &[100.0, 1000.0].map(Into::into)),
            1110.0,
        ),
    ] {
        let [one, two, four] = ["", "2x", "2x2x"].map(|dims| format!("tensor<{dims}{element}>"));
        let zero = if element == "f32" { "0.0" } else { "(0.0,0.0)" };
        let operations = format!(
            r#"%z = stablehlo.constant dense<{zero}> : {one}
            %p = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] {lines} : ({four}, {one}) -> {two}
            %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] {numbers} : ({two}, {one}) -> {one}
            %t = stablehlo.reduce(%p init: %s) applies stablehlo.add across dimensions = [0] {numbers} : ({two}, {one}) -> {one}
            %r = sdy.all_reduce {{"x"}} %t out_sharding=<@mesh, []> : {one}
            return %r : {one}"#
        );
        let [rows, row] = [r#"{"x"}, {}"#, r#"{"x"}"#].map(sharded);
        let arguments = format!("%x: {four} {rows}, %w: {two} {row}");
        let found = run(&arguments, &one, &operations, &[x, w]);
        let found = match element {
            "f32" => found.values::<F32>().unwrap()[0],
            _ => found.values::<C64>().unwrap()[0].re,
        };
        assert_eq!(found, expected, "{element}");
    }
}

/// It says how the operation is sharded, and the name of the operation what it computes.
#[test]
fn rules_that_are_written_in_the_text() {
    let x: Vec<_> = (0..8_u8).map(f32::from).collect();
    let inputs = [array::<F32>(&[8], &x)];
    let arguments = format!("%x: tensor<8xf32> {}", sharded(r#"{"x"}"#));
    let rule = |rule: &str| format!("{{sdy.sharding_rule = #sdy.op_sharding_rule<{rule}>}}");
    let operations = format!(
        "%r = stablehlo.reverse %x, dims = [0] {} : tensor<8xf32>
        return %r : tensor<8xf32>",
        rule("([i])->([i]) {i=8}")
    );
    let found = run(&arguments, "tensor<8xf32>", &operations, &inputs);
    let back: Vec<_> = x.iter().rev().copied().collect();
    assert_eq!(found.values::<F32>().unwrap(), back);
    let operations = format!(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] {} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
        return %r : tensor<f32>",
        rule("([i], [])->([]) {i=8}")
    );
    let found = run(&arguments, "tensor<f32>", &operations, &inputs);
    assert_eq!(found.values::<F32>().unwrap(), [28.0]);
    // The rule that the operation has anyway.
    let operations = format!(
        "%r = stablehlo.add %x, %x {} : tensor<8xf32>
        return %r : tensor<8xf32>",
        rule("([i], [i])->([i]) {i=8}")
    );
    let result = format!("(tensor<8xf32> {})", sharded(r#"{"x"}"#));
    let program = Program::from_mlir(&text(&arguments, &result, &operations)).expect("a program");
    assert!(program.collectives().is_empty(), "{:?}", program.collectives());
}

/// Indices are for the first dimensions that are not batch dimensions.
#[test]
fn gathers_with_batch_dimensions() {
    let text = "mesh Pod; fn f(x: f32[2,3], i: s32[2,1]) {
        return gather(x, i, operand_batch=[0], indices_batch=[0], collapsed=[1], slice_sizes=[1, 1], index_vector=1);
    }";
    let inputs =
        [array::<F32>(&[2, 3], &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]), array::<S32>(&[2, 1], &[2, 1])];
    let mesh = r#"<["x"=1]>"#.parse().expect("a mesh");
    let found = super::run(text, &mesh, &inputs);
    assert_eq!(found[0].values::<F32>().unwrap(), [2.0, 11.0]);
}

/// Devices have zeros for the rows of a table that they do not have, and add up what they have.
#[test]
fn sums_of_truth_values_and_of_bytes() {
    for (element, dtype, table) in [
        ("i1", DType::PRED, [1, 0, 1, 1]),
        ("f8E4M3FN", DType::F8E4M3FN, [0x38, 0x40, 0xB8, 0x7E]),
        ("f8E5M2", DType::F8E5M2, [0x3C, 0x40, 0xBC, 0x7B]),
    ] {
        for partial in ["", "unreduced={\"x\"}"] {
            let sharding = format!(
                "{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}]{}{partial}>]>}}",
                if partial.is_empty() { "" } else { ", " }
            );
            let sum = match partial {
                "" => String::new(),
                _ => format!(
                    "%r = sdy.all_reduce {{\"x\"}} %g out_sharding=<@mesh, [{{}}]> : tensor<3x{element}>"
                ),
            };
            let returned = if partial.is_empty() { "%g" } else { "%r" };
            let operations = format!(
                r#"%g = "stablehlo.gather"(%t, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> {sharding} : (tensor<4x{element}>, tensor<3x1xi32>) -> tensor<3x{element}>
                {sum}
                return {returned} : tensor<3x{element}>"#
            );
            let arguments =
                format!("%t: tensor<4x{element}> {}, %i: tensor<3x1xi32>", sharded(r#"{"x"}"#));
            let inputs = [
                HostArray::from_bytes(dtype, &[4], table.to_vec()).expect("four elements"),
                array::<S32>(&[3, 1], &[3, 0, 2]),
            ];
            let found = run(&arguments, &format!("tensor<3x{element}>"), &operations, &inputs);
            assert_eq!(found.as_bytes(), [table[3], table[0], table[2]], "{element} {partial}");
        }
    }
}

/// The sum of 131072 products of 2^14 is 2^31.
#[test]
fn products_of_bytes_with_wide_results() {
    const COUNT: usize = 131_072;
    let inputs = [[1, COUNT], [COUNT, 1]].map(|dims| array::<S8>(&dims, &[-128; COUNT]));
    for element in ["i64", "f32", "i32"] {
        let result = format!("tensor<1x1x{element}>");
        let operations = format!(
            "%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x{COUNT}xi8>, tensor<{COUNT}x1xi8>) -> {result}
            return %r : {result}"
        );
        let arguments = format!("%a: tensor<1x{COUNT}xi8>, %b: tensor<{COUNT}x1xi8>");
        let found = run(&arguments, &result, &operations, &inputs);
        match element {
            "i64" => assert_eq!(found.values::<S64>().unwrap(), [1 << 31]),
            "f32" => assert_eq!(found.values::<F32>().unwrap(), [2_147_483_648.0]),
            _ => assert_eq!(found.values::<S32>().unwrap(), [i32::MIN]),
        }
    }
}

/// Any byte other than zero is true.
#[test]
fn truth_values_of_any_bytes() {
    let p = HostArray::from_bytes(DType::PRED, &[4], vec![0, 1, 2, 255]).expect("four bytes");
    let operations = "%n = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xi32>
        return %n : tensor<4xi32>";
    let found = run("%p: tensor<4xi1>", "tensor<4xi32>", operations, &[p]);
    assert_eq!(found.values::<S32>().unwrap(), [0, 1, 1, 1]);
}

/// A line without elements has a transform without elements.
#[test]
fn transforms_of_empty_lines() {
    let text = text(
        "%x: tensor<2x0xf32>",
        "(tensor<2x0xcomplex<f32>>, tensor<2x0xf32>)",
        "%c = stablehlo.fft %x, type = RFFT, length = [0] : (tensor<2x0xf32>) -> tensor<2x0xcomplex<f32>>
        %y = stablehlo.fft %c, type = IRFFT, length = [0] : (tensor<2x0xcomplex<f32>>) -> tensor<2x0xf32>
        return %c, %y : tensor<2x0xcomplex<f32>>, tensor<2x0xf32>",
    );
    let found = run_text(&text, &[array::<F32>(&[2, 0], &[])]);
    assert_eq!((found[0].dims(), found[1].dims()), (&[2, 0][..], &[2, 0][..]));
}
