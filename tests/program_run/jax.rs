//! Programs that JAX lowered run on the mesh of their file and reproduce JAX's numbers: tests/golden/program_run.

use super::plain::Plain;
use serde_json::Value;
use tensor_layout::sharding::program::{NamedValue, Program, Traffic};
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::{Transport, threads};
use tensor_layout::{BF16, DType, Element, F32, F64, PRED, S32, U32};

fn program(name: &str) -> Program {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/program_run");
    let text = std::fs::read_to_string(format!("{directory}/{name}.mlir")).expect("a file");
    Program::from_mlir(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The argument that the script also generates.
fn argument(value: &NamedValue, seed: usize, scale: f64) -> HostArray {
    let numbers = Plain::numbers(&value.dims, seed).values.into_iter().map(|x| x as f32);
    let floats = numbers.clone().map(|x| x * scale as f32);
    let integers = numbers.map(|x| f64::from(((x + 1.0) / 2.0) * scale as f32).floor());
    match value.dtype {
        DType::F32 => HostArray::new::<F32>(&value.dims, &floats.collect::<Vec<_>>()),
        DType::BF16 => {
            let narrow: Vec<_> = floats.map(half::bf16::from_f32).collect();
            HostArray::new::<BF16>(&value.dims, &narrow)
        }
        DType::S32 => {
            let integers: Vec<_> = integers.map(|x| x as i32).collect();
            HostArray::new::<S32>(&value.dims, &integers)
        }
        _ => {
            let integers: Vec<_> = integers.map(|x| x as u32).collect();
            HostArray::new::<U32>(&value.dims, &integers)
        }
    }
    .expect("the sizes fit")
}

fn numbers(array: &HostArray) -> Vec<f64> {
    fn all<T>(values: Option<Vec<T>>, number: fn(T) -> f64) -> Vec<f64> {
        values.expect("the type").into_iter().map(number).collect()
    }
    match array.dtype() {
        DType::F32 => all(array.values::<F32>(), f64::from),
        DType::BF16 => all(array.values::<BF16>(), f64::from),
        DType::S32 => all(array.values::<S32>(), f64::from),
        DType::U32 => all(array.values::<U32>(), f64::from),
        _ => all(array.values::<PRED>(), f64::from),
    }
}

#[track_caller]
fn check(name: &str) {
    let golden: Value = serde_json::from_str(include_str!("../golden/program_run/programs.json"))
        .expect("a golden file");
    let golden = &golden[name];
    let program = program(name);
    let scales = golden["scales"].as_array().expect("a list");
    assert_eq!(scales.len(), program.parameters().len());
    let inputs = program.parameters().iter().zip(scales).enumerate();
    let inputs = inputs
        .map(|(at, (value, scale))| argument(value, at + 1, scale.as_f64().expect("a number")));
    let inputs: Vec<_> = inputs.collect();
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found = runner.run_on_threads(&inputs).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected = golden["results"].as_array().expect("a list");
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let dims: Vec<_> = found.dims().iter().map(|size| Value::from(*size)).collect();
        assert_eq!(Value::from(dims), expected["dims"], "{name}: result {at}");
        let (dtype, narrow) = match expected["dtype"].as_str().expect("a type") {
            "float32" => (DType::F32, 2e-5),
            "bfloat16" => (DType::BF16, 1e-2),
            // Integers are equal, and so are their sums.
            "int32" => (DType::S32, 0.0),
            "uint32" => (DType::U32, 0.0),
            "bool" => (DType::PRED, 0.0),
            other => panic!("{name}: result {at} has the type {other}"),
        };
        assert_eq!(found.dtype(), dtype, "{name}: result {at}");
        let values = numbers(found);
        let count = values.len().max(1) as f64;
        let size = expected["sum_of_sizes"].as_f64().expect("a number");
        let close = |found: f64, expected: &Value, least: f64, what: &str| {
            let expected = expected.as_f64().expect("a number");
            let error = (found - expected).abs();
            let most = narrow * (least + expected.abs());
            assert!(error <= most, "{name}: result {at}: {what} is {found}, not {expected}");
        };
        close(values.iter().sum(), &expected["sum"], size, "the sum");
        close(values.iter().map(|x| x.abs()).sum(), &expected["sum_of_sizes"], size, "the size");
        for element in expected["elements"].as_array().expect("a list") {
            let number = usize::try_from(element[0].as_u64().expect("a number")).expect("small");
            close(values[number], &element[1], size / count, &format!("element {number}"));
        }
    }
}

/// The bytes that each device receives, and the bytes that the plan states.
fn received(name: &str) -> (Vec<u64>, u64) {
    let program = program(name);
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{name}: {error}"));
    let inputs = program.parameters().iter().enumerate();
    let inputs: Vec<_> = inputs.map(|(at, value)| argument(value, at + 1, 0.5)).collect();
    let received = threads::run(8, |transport| {
        let root = (transport.device() == 0).then_some(&inputs[..]);
        let shards = runner.scatter(transport, 0, root).expect("shards");
        let before = transport.received();
        runner.run(transport, &shards).expect("results");
        transport.received() - before
    });
    let bytes = |traffic: &Traffic| u64::try_from(traffic.bytes).expect("a few bytes");
    let planned: u64 = program.collectives().iter().map(bytes).sum();
    (received, planned)
}

/// Devices receive the bytes that the plan states; the plan counts the bodies of loops once.
#[test]
fn devices_receive_what_the_plan_says() {
    for (name, rounds) in [("mlp_grad", 1), ("block", 1), ("block_grad", 1), ("train_scan", 2)] {
        let (received, planned) = received(name);
        // The loss, a scalar, is reduced once.
        let once = if rounds > 1 { 4 } else { 0 };
        assert_eq!(received, vec![(planned - once) * rounds + once; 8], "{name}");
    }
}

/// The same in sum, for devices that collect operands of operations whose shards differ, and for collectives of a manual
/// computation. One element on several devices is reduced on one of them, which receives more.
#[test]
fn devices_receive_what_the_plan_says_in_sum() {
    for name in ["convolutions", "lm_grad", "experts", "experts_grad", "manual_grad"] {
        let (received, planned) = received(name);
        assert_eq!(received.iter().sum::<u64>(), 8 * planned, "{name}: {received:?}");
    }
    // The minimum is one number of 2 bytes: 8 devices receive 28 bytes, 3.5 each, which the plan rounds to 4. A truth value
    // takes a byte.
    let (rows, planned) = received("rows");
    assert_eq!(rows.iter().sum::<u64>(), 8 * planned - 4, "{rows:?}");
    // Two devices receive nothing in the permutation of 4 x 4 elements: no device sends to the first of each four.
    let (received, planned) = received("manual");
    assert_eq!(received.iter().sum::<u64>(), 8 * planned - 2 * 64, "{received:?}");
}

#[test]
fn an_mlp_with_gradient() {
    check("mlp_grad");
}

#[test]
fn a_transformer_block() {
    check("block");
}

#[test]
fn a_transformer_block_with_gradient() {
    check("block_grad");
}

/// Layers in a loop, Adam, and moments that are sharded over all devices.
#[test]
fn a_train_step() {
    check("train_scan");
}

/// Embeddings by `gather`, and their gradient by `scatter`.
#[test]
fn a_language_model_with_gradient() {
    check("lm_grad");
}

/// Random bits by shifts of unsigned integers, in a loop.
#[test]
fn a_dropout() {
    check("dropout");
}

/// Rows are sharded over all devices, which exchange maxima, minima, products and truth values.
#[test]
fn reductions_over_sharded_rows() {
    check("rows");
}

/// The largest gates of each row, cumulative sums along each row, and the largest elements of windows.
#[test]
fn a_mixture_of_experts() {
    check("experts");
    check("experts_grad");
}

/// Convolutions with strides, dilation and groups, and their gradient.
#[test]
fn convolutions_with_gradient() {
    check("convolutions");
}

/// Sorts, and reductions whose bodies compare.
#[test]
fn sorts() {
    check("sorts");
}

/// Scatters into rows, columns and blocks that devices have; products take part once.
#[test]
fn scatters() {
    for name in ["scatters_rows", "scatters_columns", "scatters_blocks"] {
        check(name);
    }
}

/// Windows that are partly out of the array update nothing, whatever is split: XLA gives these results, also on one device.
#[test]
fn windows_that_reach_out_of_the_array_are_left_out() {
    let mut random = 1_u64;
    let mut below = |end: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % end
    };
    let splits = [r#"{"a"}, {}"#, r#"{}, {"a"}"#, r#"{"a"}, {"b"}"#, r#"{"b", "a"}, {}"#, "{}, {}"];
    let windows =
        [r#"{"a"}, {}, {}"#, r#"{}, {"a"}, {"b"}"#, r#"{}, {}, {"a"}"#, r#"{"b"}, {}, {"a"}"#];
    for _ in 0..60 {
        let [rows, columns] = [[2, 4], [8, 2], [2, 8], [8, 8], [1, 1], [4, 8]][below(6)];
        let (own, update) = (splits[below(5)], windows[below(4)]);
        let text = format!(
            r#"module {{
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%a: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{own}]>}}, %i: tensor<4x2xi32>, %u: tensor<4x{rows}x{columns}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{update}]>}}) -> tensor<8x8xf32> {{
    %0 = "stablehlo.scatter"(%a, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }}) : (tensor<8x8xf32>, tensor<4x2xi32>, tensor<4x{rows}x{columns}xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }}
}}
"#
        );
        let starts: Vec<i32> = (0..8).map(|_| [-1, 0, 0, 3, 4, 6, 7, 8][below(8)]).collect();
        let updates: Vec<f32> = (0..4 * rows * columns).map(|_| below(100) as f32).collect();
        let mut expected = vec![1.0_f32; 64];
        for (window, start) in updates.chunks(rows * columns).zip(starts.chunks(2)) {
            let [row, column] = [start[0], start[1]].map(|at| usize::try_from(at).unwrap_or(99));
            if row + rows > 8 || column + columns > 8 {
                continue;
            }
            for (at, update) in window.iter().enumerate() {
                expected[(row + at / columns) * 8 + column + at % columns] += update;
            }
        }
        let inputs = [
            HostArray::new::<F32>(&[8, 8], &[1.0; 64]).expect("an array"),
            HostArray::new::<S32>(&[4, 2], &starts).expect("an array"),
            HostArray::new::<F32>(&[4, rows, columns], &updates).expect("an array"),
        ];
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        let found = runner.run_on_threads(&inputs).unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(found[0].values::<F32>(), Some(expected), "{starts:?}\n{text}");
    }
}

/// Shards whose sizes differ, and arrays without elements.
#[test]
fn sizes_that_axes_do_not_divide() {
    check("uneven");
}

/// The gradient of maxima over windows.
#[test]
fn pooling_with_gradient() {
    check("pooling");
}

/// Complex numbers and Fourier transforms, along dimensions that are whole and that are split.
#[test]
fn fourier_transforms() {
    check("fourier");
    check("fourier_split");
}

/// Functions of each element, of StableHLO and of CHLO.
#[test]
fn functions_of_elements() {
    check("functions");
}

/// Logarithms that the standard library computes of numbers that overflow, or of a rounded one.
#[test]
fn inverse_hyperbolic_functions_to_the_ends_of_their_range() {
    fn of<E: Element<Host: Into<f64>>>(name: &str, x: E::Host) -> f64 {
        let ty = format!("tensor<1x{}>", E::DTYPE.mlir_name());
        let text = format!(
            "func.func @main(%x: {ty}) -> {ty} {{
  %0 = chlo.{name} %x : {ty} -> {ty}
  return %0 : {ty}
}}
"
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        let x = HostArray::new::<E>(&[1], &[x]).expect("an array");
        let found = runner.run_on_threads(&[x]).unwrap_or_else(|error| panic!("{error}"));
        found[0].values::<E>().expect("the type")[0].into()
    }
    let close = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 1e-6, "{found}, not {expected}");
    };
    // The logarithm of twice the number.
    let log = |x: f64| x.ln() + std::f64::consts::LN_2;
    for name in ["asinh", "acosh"] {
        close(of::<F64>(name, f64::MAX), log(f64::MAX));
        close(of::<F32>(name, f32::MAX), log(f32::MAX.into()));
    }
    close(of::<F64>("asinh", f64::MIN), -log(f64::MAX));
    let (double, single) = (1.0 - f64::EPSILON / 2.0, 1.0 - f32::EPSILON / 2.0);
    for sign in [1.0, -1.0] {
        let expected = |x: f64| f64::from(sign) * ((1.0 + x) / (1.0 - x)).ln() / 2.0;
        close(of::<F64>("atanh", f64::from(sign) * double), expected(double));
        close(of::<F32>("atanh", sign * single), expected(single.into()));
    }
    assert!(of::<F64>("asinh", -0.0).is_sign_negative());
    let negative = (0..60).map(|power| -1.7 * 2.0_f64.powi(power));
    for x in negative.chain([-65504.0]) {
        assert!(of::<F64>("acosh", x).is_nan(), "{x}");
    }
    assert_eq!((of::<F64>("acosh", 1.0), of::<F64>("acosh", 0.5).is_nan()), (0.0, true));
}

/// The generators of random bits, and what JAX makes of them.
#[test]
fn random_bits() {
    check("random");
}

/// Cholesky, LU and QR decompositions, triangular systems and eigenvalues, and gradients through them.
#[test]
fn linear_algebra() {
    check("linear");
    check("linear_split");
    check("linear_grad");
}

#[test]
fn special_functions() {
    check("special");
}

/// Floating-point numbers of 8 bits.
#[test]
fn narrow_numbers() {
    check("narrow");
}

/// The function of `cholesky` and `triangular_solve`, which JAX writes for other devices than CPUs, with every flag.
#[test]
fn triangular_systems() {
    let system = |left: bool, lower: bool, unit: bool, transposed: bool| {
        let transpose = if transposed { "TRANSPOSE" } else { "NO_TRANSPOSE" };
        let text = format!(
            r#"module {{
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<2x3x3xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}, {{}}]>}}, %b: tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>) {{
    %0 = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {left}, lower = {lower}, transpose_a = #stablehlo<transpose {transpose}>, unit_diagonal = {unit}}}> : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %1 = stablehlo.cholesky %a, lower = {lower} : tensor<2x3x3xf32>
    return %0, %1 : tensor<2x3x3xf32>, tensor<2x3x3xf32>
  }}
}}
"#
        );
        Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"))
    };
    // Symmetric, with a dominant diagonal.
    let a = [6.0, 1.0, -2.0, 1.0, 5.0, 0.5, -2.0, 0.5, 4.0_f32];
    let whole: Vec<_> = a.iter().chain(&a).copied().collect();
    let b: Vec<_> = (0..18_u8).map(|at| f32::from(at * 5 % 7) - 3.0).collect();
    let array = |values: &[f32]| HostArray::new::<F32>(&[2, 3, 3], values).expect("an array");
    for flags in 0..16 {
        let [left, lower, unit, transposed] = [1, 2, 4, 8].map(|flag| flags & flag != 0);
        let program = system(left, lower, unit, transposed);
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        let found = runner.run_on_threads(&[array(&whole), array(&b)]);
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let [x, factor] = [0, 1].map(|at| found[at].values::<F32>().expect("f32"));
        // The triangle that is read, as the operation uses it.
        let of = |row: usize, column: usize| {
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            match (row == column, (row > column) == lower) {
                (true, _) => {
                    if unit {
                        1.0
                    } else {
                        a[4 * row]
                    }
                }
                (false, true) => a[3 * row + column],
                (false, false) => 0.0,
            }
        };
        for at in 0..18 {
            let (matrix, row, column) = (at / 9 * 9, at / 3 % 3, at % 3);
            let term = |k: usize| match left {
                true => of(row, k) * x[matrix + 3 * k + column],
                false => x[matrix + 3 * row + k] * of(k, column),
            };
            let sum: f32 = (0..3).map(term).sum();
            assert!((sum - b[at]).abs() < 1e-5, "{flags}: {sum}, not {}", b[at]);
            let product = |k: usize| match lower {
                true => factor[matrix + 3 * row + k] * factor[matrix + 3 * column + k],
                false => factor[matrix + 3 * k + row] * factor[matrix + 3 * k + column],
            };
            let sum: f32 = (0..3).map(product).sum();
            assert!((sum - whole[at]).abs() < 1e-5, "{flags}: {sum}, not {}", whole[at]);
        }
    }
}

/// Each device has other elements of the operand than of the result, in some cases as many of them.
#[test]
fn reshapes_of_dimensions_that_they_do_not_keep() {
    let cases = [
        ([3, 16], r#"{}, {"a"}"#, [16, 3], r#"{"a"}, {}"#),
        ([8, 6], r#"{"b"}, {}"#, [4, 12], r#"{}, {"a"}"#),
        ([6, 8], r#"{"a"}, {"b"}"#, [8, 6], r#"{"a"}, {}"#),
        ([16, 3], r#"{"b"}, {"a"}"#, [6, 8], r#"{}, {"a", "b"}"#),
        ([6, 8], r#"{"a"}, {}"#, [12, 4], r#"{"a"}, {"b"}"#),
    ];
    for ([m, n], from, [p, q], to) in cases {
        let text = format!(
            r#"module {{
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%a: tensor<{m}x{n}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{from}]>}}) -> tensor<{p}x{q}xf32> {{
    %0 = stablehlo.reshape %a {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{to}]>]>}} : (tensor<{m}x{n}xf32>) -> tensor<{p}x{q}xf32>
    return %0 : tensor<{p}x{q}xf32>
  }}
}}
"#
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        let values: Vec<_> = (0..48_u8).map(f32::from).collect();
        let a = HostArray::new::<F32>(&[m, n], &values).expect("an array");
        let found = runner.run_on_threads(&[a]).unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(found[0].values::<F32>(), Some(values), "{text}");
    }
}

/// A scalar that is repeated once, and products whose result is wider than their operands.
#[test]
fn elements_that_are_repeated_once_and_wide_products() {
    let text = r#"module {
  func.func @main(%p: tensor<i1>, %a: tensor<2xf32>) -> (tensor<1xf32>, tensor<f64>) {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.constant dense<2.0> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %3 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %5 = stablehlo.add %3, %4 : tensor<1xf32>
    %6 = stablehlo.select %2, %5, %3 : tensor<1xi1>, tensor<1xf32>
    %7 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f64>
    return %6, %7 : tensor<1xf32>, tensor<f64>
  }
}
"#;
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let p = HostArray::new::<PRED>(&[], &[true]).expect("a scalar");
    let a = HostArray::new::<F32>(&[2], &[4097.0, 1.0]).expect("an array");
    let found = runner.run_on_threads(&[p, a]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found[0].values::<F32>(), Some(vec![3.0]));
    assert_eq!(found[1].values::<F64>(), Some(vec![4097.0 * 4097.0 + 1.0]));
}

/// The mesh of arguments that JAX has placed on one device has no axes: every mesh replaces it.
#[test]
fn an_empty_mesh_is_any_mesh() {
    let text = r#"module {
  sdy.mesh @empty_mesh = <[]>
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<f32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>}) -> tensor<8xf32> {
    %0 = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.multiply %0, %b : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.add %a, %2 : tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
"#;
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let a = HostArray::new::<F32>(&[8], &[1.0; 8]).expect("an array");
    let b = HostArray::new::<F32>(&[], &[3.0]).expect("a scalar");
    let found = runner.run_on_threads(&[a, b]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found[0].values::<F32>(), Some(vec![7.0; 8]));
}

/// A device combines the zeros that it has, and then those of all devices.
#[test]
fn the_largest_of_zeros_is_positive() {
    for (operation, least, of, expected) in
        [("maximum", "0xFF800000", -0.0, 0.0_f32), ("minimum", "0x7F800000", 0.0, -0.0)]
    {
        let text = format!(
            r#"module {{
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}) -> tensor<f32> {{
    %0 = stablehlo.constant dense<{least}> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %0) applies stablehlo.{operation} across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }}
}}
"#
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        for at in 0..8 {
            let mut zeros = [of; 8];
            zeros[at] = expected;
            let a = HostArray::new::<F32>(&[8], &zeros).expect("an array");
            let found = runner.run_on_threads(&[a]).unwrap_or_else(|error| panic!("{error}"));
            let found = found[0].values::<F32>().expect("elements of f32");
            assert_eq!(found[0].to_bits(), expected.to_bits(), "{operation} at {at}");
        }
    }
}

/// Maxima of rows that stay apart until they are needed.
#[test]
fn partial_maxima() {
    let text = r#"module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2xf32>, tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %0) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"x"}>]>} : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"x"}>]>} : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.negate %2 : tensor<2xf32>
    %4 = sdy.sharding_constraint %2 <@mesh, [{}]> : tensor<2xf32>
    return %3, %4 : tensor<2xf32>, tensor<2xf32>
  }
}
"#;
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let values: Vec<_> = (0..16_u8).map(|at| f32::from(at * 7 % 16) - 9.0).collect();
    let a = HostArray::new::<F32>(&[8, 2], &values).expect("an array");
    let found = runner.run_on_threads(&[a]).unwrap_or_else(|error| panic!("{error}"));
    let most = |column: usize| values[column..].iter().step_by(2).copied().fold(f32::MIN, f32::max);
    assert_eq!(found[0].values::<F32>(), Some(vec![-most(0), -most(1)]));
    assert_eq!(found[1].values::<F32>(), Some(vec![most(0), most(1)]));
    // Devices exchange the maxima where an operation needs them: no operation before does.
    assert!(program.mlir().contains("sdy.all_reduce max {\"x\"} "), "{}", program.mlir());
    let planned: Vec<_> = program.collectives().iter().map(ToString::to_string).collect();
    assert!(planned.iter().all(|planned| !planned.starts_with("1:")), "{planned:?}");
}

/// Loops, branches, and operations that move elements between devices.
#[test]
fn control_flow() {
    check("control");
}

/// Every collective of `shard_map`, over one axis and over both.
#[test]
fn a_manual_computation() {
    check("manual");
}

/// The mesh axes that a manual computation leaves free split its values further.
#[test]
fn a_ring_with_gradient() {
    check("manual_grad");
}

/// Elements as numbers, as one number, and as the digits of many bytes, which equal constants share.
#[test]
fn constants() {
    let bytes: String = (0..512_u32)
        .flat_map(|at| (at as f32).to_le_bytes())
        .map(|byte| format!("{byte:02X}"))
        .collect();
    let text = format!(
        r#"module {{
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4x128xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}) -> (tensor<4x128xf32>, tensor<2x2xi32>, tensor<3xi1>) {{
    %0 = stablehlo.constant dense<"0x{bytes}"> : tensor<4x128xf32>
    %1 = stablehlo.constant dense<"0x{bytes}"> : tensor<4x128xf32>
    %2 = stablehlo.add %0, %a : tensor<4x128xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x128xf32>
    %4 = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>
    %5 = "stablehlo.constant"() <{{value = dense<true> : tensor<3xi1>}}> : () -> tensor<3xi1>
    return %3, %4, %5 : tensor<4x128xf32>, tensor<2x2xi32>, tensor<3xi1>
  }}
}}
"#
    );
    let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let a = HostArray::new::<F32>(&[4, 128], &[0.5; 512]).expect("an array");
    let found = runner.run_on_threads(&[a]).unwrap_or_else(|error| panic!("{error}"));
    let expected: Vec<_> = (0..512_u16).map(|at| 2.0 * f32::from(at) + 0.5).collect();
    assert_eq!(found[0].values::<F32>(), Some(expected));
    assert_eq!(found[1].values::<S32>(), Some(vec![1, -2, 3, 4]));
    assert_eq!(found[2].values::<PRED>(), Some(vec![true; 3]));
}

/// A constraint, and a function that takes its argument in another sharding, are part of the plan.
#[test]
fn values_that_are_sharded_anew() {
    let text = r#"module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    %1 = stablehlo.tanh %0 : tensor<8x4xf32>
    %2 = call @f(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
  func.func private @f(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.negate %a : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
"#;
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    let planned: Vec<_> = program.collectives().iter().map(ToString::to_string).collect();
    let expected =
        [r#"arg0: all_to_all [{"x"}: 0->1], 32 bytes"#, r#"1: all_to_all [{"x"}: 1->0], 32 bytes"#];
    assert_eq!(planned, expected);
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let a = Plain::numbers(&[8, 4], 1);
    let values: Vec<_> = a.values.iter().map(|x| *x as f32).collect();
    let array = HostArray::new::<F32>(&[8, 4], &values).expect("an array");
    let found = threads::run(2, |transport| {
        let root = (transport.device() == 0).then_some(core::slice::from_ref(&array));
        let shards = runner.scatter(transport, 0, root).expect("shards");
        let before = transport.received();
        let results = runner.run(transport, &shards).expect("results");
        let received = transport.received() - before;
        (received, runner.gather(transport, 0, &results).expect("results"))
    });
    assert!(found.iter().all(|(received, _)| *received == 64));
    let results = found[0].1.as_ref().expect("the first device has the results");
    let expected: Vec<_> = values.iter().map(|x| -x.tanh()).collect();
    assert_eq!(results[0].values::<F32>(), Some(expected));
}
