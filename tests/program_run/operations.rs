//! Single operations with known results.

use super::{alone, run};
use tensor_layout::half::bf16;
use tensor_layout::num_complex::Complex;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::{
    BF16, C64, C128, Element, F8E4M3FN, F8E5M2, F16, F32, F64, PRED, S8, S32, S64, U8, U64,
};

fn array<E: Element>(dims: &[usize], values: &[E::Host]) -> HostArray {
    HostArray::new::<E>(dims, values).expect("the sizes fit")
}

/// The result of a program on a mesh, which is also its result on one device.
#[track_caller]
fn result<E: Element>(text: &str, mesh: &str, inputs: &[HostArray]) -> Vec<E::Host> {
    let mesh: Mesh = mesh.parse().expect("a mesh");
    let found = run(text, &mesh, inputs);
    assert_eq!(found, run(text, &alone(&mesh), inputs), "{text}");
    found[0].values::<E>().expect("elements of this type")
}

/// Rows of a table that is sharded by rows: each device has some of those wanted. Indices past the end take the last row.
#[test]
fn rows_of_a_sharded_table() {
    let text = r#"
        mesh Pod;
        fn f(table: f32[10,4] [{"v"}, {}], tokens: s32[2,3] [{"b"}, {}]) {
            let rows = gather(table, tokens, offset=[2], collapsed=[0], slice_sizes=[1, 4]);
            return rows;
        }
    "#;
    let table: Vec<_> = (0..40).map(|at| at as f32).collect();
    let tokens = [9, 0, 4, 5, 77, -3];
    let inputs = [array::<F32>(&[10, 4], &table), array::<S32>(&[2, 3], &tokens)];
    let found = result::<F32>(text, r#"<["b"=2, "v"=5]>"#, &inputs);
    let rows = [9, 0, 4, 5, 9, 0].map(|row| &table[row * 4..][..4]).concat();
    assert_eq!(found, rows);
}

/// A cache of keys that is sharded along the positions that are written: the update lies in one shard or in two.
#[test]
fn an_update_of_a_sharded_cache() {
    let text = r#"
        mesh Ring;
        fn f(cache: f32[12,2] [{"x"}, {}], new: f32[3,2], i: s32[], j: s32[]) {
            let cache_new = dynamic_update_slice(cache, new, i, j);
            return cache_new;
        }
    "#;
    for (i, start) in [(0, 0), (5, 5), (11, 9), (-4, 0)] {
        let mut expected = vec![0.0; 24];
        let new = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        expected[start * 2..][..6].copy_from_slice(&new);
        let scalars = [i, 0].map(|at| array::<S32>(&[], &[at]));
        let [i, j] = scalars;
        let inputs = [array::<F32>(&[12, 2], &[0.0; 24]), array::<F32>(&[3, 2], &new), i, j];
        assert_eq!(result::<F32>(text, r#"<["x"=3]>"#, &inputs), expected);
    }
}

/// The parts of 10 elements over 4 devices have 3, 3, 3 and 1 elements; padding past the end adds nothing.
#[test]
fn padding_adds_nothing_to_sums() {
    let text = r#"
        mesh Ring padded;
        fn f(x: f32[10] [{"x"}]) { let s = reduce(exp(x), [0]); return s; }
    "#;
    let found = result::<F32>(text, r#"<["x"=4]>"#, &[array::<F32>(&[10], &[0.0; 10])]);
    assert_eq!(found, [10.0]);
}

/// Of 3 columns, the second device has one, and a column of padding: its sums are two elements apart.
#[test]
fn sums_of_a_column_beside_padding() {
    let text = r#"
        mesh Ring padded;
        fn f(x: s32[2,4,3] [{}, {}, {"x"}]) { let s = reduce(x, [0]); return s; }
    "#;
    let x: Vec<_> = (0..24).collect();
    let sums: Vec<_> = (0..12).map(|at| at + (at + 12)).collect();
    assert_eq!(result::<S32>(text, r#"<["x"=2]>"#, &[array::<S32>(&[2, 4, 3], &x)]), sums);
}

#[test]
fn conversions_comparisons_and_selections() {
    let mesh = r#"<["x"=2]>"#;
    let x = array::<F32>(&[6], &[-300.0, -2.5, -0.0, 0.5, 1.0e10, f32::NAN]);
    let with = |expression: &str| {
        format!(r#"mesh Pair; fn f(x: f32[6] [{{"x"}}]) {{ return {expression}; }}"#)
    };
    let found = result::<S8>(&with("convert(x, type=s8)"), mesh, std::slice::from_ref(&x));
    assert_eq!(found, [-128, -2, 0, 0, 127, 0]);
    let found =
        result::<PRED>(&with("compare(x, x, direction=EQ)"), mesh, std::slice::from_ref(&x));
    assert_eq!(found, [true, true, true, true, true, false]);
    let found = result::<BF16>(&with("convert(x, type=bf16)"), mesh, std::slice::from_ref(&x));
    assert_eq!(found[..5], [-300.0, -2.5, -0.0, 0.5, 1.0e10].map(bf16::from_f32));
    let found = result::<S32>(&with("convert(not(convert(x, type=pred)), type=s32)"), mesh, &[x]);
    assert_eq!(found, [0, 0, 1, 0, 0, 0]);
    let text = r#"
        mesh Pair;
        fn f(p: pred[4] [{"x"}], a: s32[4], b: s32[4], least: s32[], most: s32[]) {
            return clamp(least, select(p, a, rem(a, b)), most);
        }
    "#;
    let scalar = |value| array::<S32>(&[], &[value]);
    let inputs = [
        array::<PRED>(&[4], &[true, false, false, true]),
        array::<S32>(&[4], &[100, -7, 9, 3]),
        array::<S32>(&[4], &[1, 4, 0, 1]),
        scalar(-2),
        scalar(50),
    ];
    assert_eq!(result::<S32>(text, mesh, &inputs), [50, -2, 9, 3]);
}

/// The nearest `f32` or the first 32 bits of an `f64` would be ties, which round to 1.
#[test]
fn doubles_are_rounded_to_narrow_types_once() {
    fn rounded<E: Element>(bits: i32) -> E::Host {
        let x = array::<F64>(&[1], &[1.0 + 2_f64.powi(-bits - 1) + 2_f64.powi(-40)]);
        let text = format!("mesh One; fn f(x: f64[1]) {{ return convert(x, type={}); }}", E::DTYPE);
        result::<E>(&text, r#"<["x"=1]>"#, &[x])[0]
    }
    assert_eq!(rounded::<F16>(10).to_f64(), 1.0 + 2_f64.powi(-10));
    assert_eq!(rounded::<BF16>(7).to_f64(), 1.0 + 2_f64.powi(-7));
    assert_eq!(rounded::<F8E4M3FN>(3).to_f64(), 1.125);
    assert_eq!(rounded::<F8E5M2>(2).to_f64(), 1.25);
}

/// 464 is halfway from 448, the largest `f8e4m3fn`, to the next one if it had one; 448 is even.
#[test]
fn the_largest_narrow_number_is_even() {
    let text = "mesh One; fn f(x: bf16[4]) { return convert(x, type=f8e4m3fn); }";
    let x = [464.0, -464.0, 456.0, 466.0].map(bf16::from_f32);
    let found = result::<F8E4M3FN>(text, r#"<["x"=1]>"#, &[array::<BF16>(&[4], &x)]);
    assert_eq!(found[..3].iter().map(|x| x.to_f32()).collect::<Vec<_>>(), [448.0, -448.0, 448.0]);
    assert!(found[3].is_nan());
}

/// The nearest `f64` would be a tie, which rounds down.
#[test]
fn large_integers_are_rounded_once() {
    fn rounded<E: Element>(x: HostArray) -> E::Host {
        let (from, to) = (x.dtype(), E::DTYPE);
        let text = format!("mesh One; fn f(x: {from}[1]) {{ return convert(x, type={to}); }}");
        result::<E>(&text, r#"<["x"=1]>"#, &[x])[0]
    }
    let above_tie = (1 << 62) + (1 << 54) + 1;
    let expected = 2_f64.powi(62) + 2_f64.powi(55);
    assert_eq!(rounded::<BF16>(array::<S64>(&[1], &[above_tie])).to_f64(), expected);
    assert_eq!(rounded::<BF16>(array::<S64>(&[1], &[-above_tie])).to_f64(), -expected);
    assert_eq!(rounded::<BF16>(array::<U64>(&[1], &[above_tie as u64])).to_f64(), expected);
    let above_tie = (1 << 62) + (1 << 38) + 1;
    let expected = (2_f64.powi(62) + 2_f64.powi(39)) as f32;
    assert_eq!(rounded::<C64>(array::<S64>(&[1], &[above_tie])).re, expected);
    assert_eq!(rounded::<F32>(array::<S64>(&[1], &[above_tie])), expected);
}

#[test]
fn a_positive_zero_is_larger_than_a_negative_one() {
    let x = array::<F32>(&[4], &[0.0, -0.0, -0.0, 0.0]);
    let inputs = [x, array::<F32>(&[4], &[-0.0, 0.0, -0.0, 0.0])];
    let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    for mesh in [r#"<["x"=1]>"#, r#"<["x"=4]>"#] {
        let each = |operation: &str| {
            let parameters = r#"x: f32[4] [{"x"}], y: f32[4] [{"x"}]"#;
            format!("mesh Pair; fn f({parameters}) {{ return {operation}; }}")
        };
        let found = |operation: &str| bits(result::<F32>(&each(operation), mesh, &inputs));
        assert_eq!(found("max(x, y)"), bits(vec![0.0, 0.0, -0.0, 0.0]), "{mesh}");
        assert_eq!(found("min(x, y)"), bits(vec![-0.0, -0.0, -0.0, 0.0]), "{mesh}");
    }
}

#[test]
fn bounds_that_are_nan_make_clamp_nan() {
    let text = "mesh One; fn f(a: f32[3], x: f32[3], b: f32[3]) { return clamp(a, x, b); }";
    let inputs = [[f32::NAN, 0.0, 0.0], [1.0, 1.0, -0.0], [2.0, f32::NAN, 0.0]];
    let found = result::<F32>(text, r#"<["x"=1]>"#, &inputs.map(|x| array::<F32>(&[3], &x)));
    assert!(found[0].is_nan() && found[1].is_nan());
    assert_eq!(found[2].to_bits(), 0);
}

#[test]
fn functions_of_complex_numbers_at_the_edges() {
    let number = Complex::<f64>::new;
    let inputs = [(4.0, 0.0), (-4.0, -0.0), (f64::INFINITY, 0.0), (1e308, 1e308), (0.0, 2.0)];
    let inputs = [array::<C128>(&[5], &inputs.map(|(re, im)| number(re, im)))];
    let text = |name: &str| format!("mesh One; fn f(x: c128[5]) {{ return {name}(x); }}");
    let roots = result::<C128>(&text("sqrt"), r#"<["x"=1]>"#, &inputs);
    assert_eq!(roots[..3], [number(2.0, 0.0), number(0.0, -2.0), number(f64::INFINITY, 0.0)]);
    assert!((roots[3] / 1e154 - number(1.098_684_113, 0.455_089_860)).l1_norm() < 1e-8);
    assert_eq!(roots[4], number(1.0, 1.0));
    let powers = result::<C128>(&text("exp"), r#"<["x"=1]>"#, &inputs);
    assert_eq!(powers[2], number(f64::INFINITY, 0.0));
}

/// The functions of a number that is multiplied by a power of two follow from those of the number, to the ends of the range.
#[test]
fn functions_of_large_and_small_complex_numbers() {
    const COUNT: usize = 400;
    let mut random = 1_u64;
    let mut below = |end: i32| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as i32 % end
    };
    let text = |name: &str| format!("mesh One; fn f(x: c128[{COUNT}]) {{ return {name}(x); }}");
    let run = |name: &str, x: &[Complex<f64>]| {
        result::<C128>(&text(name), r#"<["x"=1]>"#, &[array::<C128>(&[COUNT], x)])
    };
    // The parts are whole numbers below 2^16, so that they are exact from 2^-1074 to 2^1024.
    let mut part = || f64::from(below((1 << 17) - 1) - (1 << 16) + 1);
    let x: Vec<_> = (0..COUNT).map(|_| Complex::new(part(), part().max(1.0))).collect();
    let (roots, logs) = (run("sqrt", &x), run("log", &x));
    for power in [-1074, -1060, -1000, -500, 500, 1000, 1008] {
        let scaled: Vec<_> = x
            .iter()
            .map(|z| z * 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2))
            .collect();
        let close = |found: Complex<f64>, expected: Complex<f64>| {
            assert!(
                (found - expected).l1_norm() <= 1e-14 * expected.l1_norm(),
                "{found} {expected}"
            );
        };
        for (found, root) in run("sqrt", &scaled).iter().zip(&roots) {
            close(*found, root * 2.0_f64.powi(power / 2));
        }
        for (found, log) in run("log", &scaled).iter().zip(&logs) {
            close(*found, log + f64::from(power) * std::f64::consts::LN_2);
        }
    }
    let near_one: Vec<_> =
        (0..COUNT).map(|at| Complex::new(1.0, f64::from(at as u16 + 1) * 1e-10)).collect();
    for (found, z) in run("log", &near_one).iter().zip(&near_one) {
        assert!((found.re / (z.im * z.im / 2.0) - 1.0).abs() < 1e-12, "{found} of {z}");
    }
    // The size is e^800, and the sine of the angle 2^-1000.
    let powers = run("exp", &[Complex::new(800.0, 2.0_f64.powi(-1000)); COUNT]);
    let expected = 400.0_f64.exp() * 2.0_f64.powi(-1000) * 400.0_f64.exp();
    assert!((powers[0].im / expected - 1.0).abs() < 1e-12 && powers[0].re == f64::INFINITY);
}

/// As in XLA, the highest bit of an unsigned number counts as its sign.
#[test]
fn arithmetic_shifts_repeat_the_highest_bit() {
    let text = "mesh One; fn f(x: u8[3], by: u8[3]) { return shift_right_arithmetic(x, by); }";
    let inputs = [array::<U8>(&[3], &[200, 200, 100]), array::<U8>(&[3], &[1, 9, 2])];
    assert_eq!(result::<U8>(text, r#"<["x"=1]>"#, &inputs), [228, 255, 25]);
}

/// Products of `bf16` are summed as `f32`; those of `s8` as integers.
#[test]
fn products_of_narrow_elements() {
    let text = |ty: &str, to: &str| {
        format!(
            r#"mesh Pair; fn f(a: {ty}[4,64] [{{}}, {{"x"}}], b: {ty}[64,2]) {{ return dot(a, b, type={to}); }}"#
        )
    };
    let mesh = r#"<["x"=2]>"#;
    let a = array::<BF16>(&[4, 64], &[bf16::from_f32(1.0078125); 256]);
    let b = array::<BF16>(&[64, 2], &[bf16::ONE; 128]);
    assert_eq!(result::<F32>(&text("bf16", "f32"), mesh, &[a, b]), [64.5; 8]);
    let a = array::<S8>(&[4, 64], &[-100; 256]);
    let b = array::<S8>(&[64, 2], &[100; 128]);
    assert_eq!(result::<S32>(&text("s8", "s32"), mesh, &[a, b]), [-640_000; 8]);
}

/// They say what devices exchange, for the complete array. StableHLO's collectives of the same names are for local arrays.
#[test]
fn collectives_of_shardy_return_their_operand() {
    let ty = "tensor<4x4xf32>";
    let dot = format!(
        r#"%0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [1] {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"a"}}, {{}}], unreduced={{"b"}}>]>}} : ({ty}, {ty}) -> {ty}"#
    );
    let moved = r#"%0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@mesh, [{}, {"b"}]>"#;
    let generic = r#"%r = "sdy.collective_permute"(%arg0) <{out_sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}> : "#;
    let x: Vec<f32> = (0..16).map(|x| x as f32).collect();
    let product: Vec<f32> =
        (0..16).map(|at| (0..4).map(|k| x[at / 4 * 4 + k] * x[at % 4 * 4 + k]).sum()).collect();
    for (body, expected) in [
        (
            format!(
                r#"%r = sdy.collective_permute %arg0 out_sharding=<@mesh, [{{"b"}}, {{"a"}}]> : {ty}"#
            ),
            &x,
        ),
        (format!("{generic}({ty}) -> {ty}"), &x),
        (
            format!(
                r#"%r = sdy.all_to_all [{{"a"}}: 0->1] %arg0 out_sharding=<@mesh, [{{}}, {{"b", "a"}}]> : {ty}"#
            ),
            &x,
        ),
        (
            format!(
                r#"{moved} : {ty}
            %r = sdy.all_slice [{{"a"}}, {{}}] %0 out_sharding=<@mesh, [{{"a"}}, {{"b"}}]> : {ty}"#
            ),
            &x,
        ),
        (
            format!(
                r#"{dot}
            %r = sdy.all_reduce {{"b"}} %0 out_sharding=<@mesh, [{{"a"}}, {{}}]> : {ty}"#
            ),
            &product,
        ),
        (
            format!(
                r#"{dot}
            %r = sdy.reduce_scatter [{{}}, {{"b"}}] %0 out_sharding=<@mesh, [{{"a"}}, {{"b"}}]> : {ty}"#
            ),
            &product,
        ),
    ] {
        let text = format!(
            r#"sdy.mesh @mesh = <["a"=2, "b"=2]>
            func.func @main(%arg0: {ty} {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}, {{"b"}}]>}}) -> {ty} {{
            {body}
            return %r : {ty}
            }}"#
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        // The text of the program is one of the same program.
        let again = Program::from_mlir(&program.mlir()).unwrap_or_else(|error| panic!("{error}"));
        for program in [program, again] {
            let found = Runner::new(&program).unwrap().run_on_threads(&[array::<F32>(&[4, 4], &x)]);
            assert_eq!(found.unwrap()[0].values::<F32>().as_ref(), Some(expected), "{text}");
        }
    }
}

/// A collective that adds up partial sums of arrays of which no dimension is split, along all of their axes or some.
#[test]
fn collectives_add_up_arrays_that_are_not_split() {
    let ty = "tensor<4x4xf32>";
    let x: Vec<f32> = (0..16).map(|x| (x * 7 % 11) as f32 - 4.0).collect();
    let product: Vec<f32> =
        (0..16).map(|at| (0..4).map(|k| x[at / 4 * 4 + k] * x[k * 4 + at % 4]).sum()).collect();
    let whole = "out_sharding=<@mesh, [{}, {}]>";
    for (unreduced, body) in [
        (r#"{"a"}"#, format!(r#"%r = sdy.all_reduce {{"a"}} %0 {whole} : {ty}"#)),
        (r#"{"a", "b"}"#, format!(r#"%r = sdy.all_reduce {{"a", "b"}} %0 {whole} : {ty}"#)),
        (r#"{"a", "b"}"#, format!("%r = sdy.reshard %0 <@mesh, [{{}}, {{}}]> : {ty}")),
        (
            r#"{"a", "b"}"#,
            format!(
                r#"%1 = sdy.all_reduce {{"b"}} %0 out_sharding=<@mesh, [{{}}, {{}}], unreduced={{"a"}}> : {ty}
            %r = sdy.all_reduce {{"a"}} %1 {whole} : {ty}"#
            ),
        ),
    ] {
        let text = format!(
            r#"sdy.mesh @mesh = <["a"=2, "b"=2]>
            func.func @main(%arg0: {ty} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"a", "b"}}]>}}, %arg1: {ty} {{sdy.sharding = #sdy.sharding<@mesh, [{{"a", "b"}}, {{}}]>}}) -> {ty} {{
            %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{}}], unreduced={unreduced}>]>}} : ({ty}, {ty}) -> {ty}
            {body}
            return %r : {ty}
            }}"#
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            program.collectives().iter().any(|moved| moved.collective.contains("all_reduce")),
            "{text}"
        );
        let inputs = [array::<F32>(&[4, 4], &x), array::<F32>(&[4, 4], &x)];
        let found = Runner::new(&program).unwrap().run_on_threads(&inputs).unwrap();
        assert_eq!(found[0].values::<F32>().as_ref(), Some(&product), "{text}");
    }
}

/// The devices create a whole array, of which one keeps the elements.
#[test]
fn created_arrays_can_be_partial_sums() {
    let ty = "tensor<4xf32>";
    let partial = r#"{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"a"}>]>}"#;
    for (created, expected) in [
        (format!("stablehlo.constant {partial} dense<1.0> : {ty}"), [1.0; 4]),
        (
            format!("stablehlo.constant {partial} dense<[1.0, 2.0, 0.5, 4.0]> : {ty}"),
            [1.0, 2.0, 0.5, 4.0],
        ),
        (format!("stablehlo.iota dim = 0 {partial} : {ty}"), [0.0, 1.0, 2.0, 3.0]),
    ] {
        let text = format!(
            r#"sdy.mesh @mesh = <["a"=2, "b"=2]>
            func.func @main() -> {ty} {{
            %0 = {created}
            %1 = sdy.all_reduce {{"a"}} %0 out_sharding=<@mesh, [{{}}]> : {ty}
            return %1 : {ty}
            }}"#
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}"));
        let found = Runner::new(&program).unwrap().run_on_threads(&[]).unwrap();
        assert_eq!(found[0].values::<F32>().unwrap(), expected, "{text}");
    }
}

/// Shardy's rules see the sizes of a pad, of windows and of an update, but not where they are: a pad that keeps a size can move
/// every element to another shard, and a spatial dimension of a convolution can have no factor.
#[test]
fn operations_that_move_elements_run_on_any_shards() {
    let add = "^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %s = stablehlo.add %p, %q : tensor<f32>
          stablehlo.return %s : tensor<f32>";
    let at_least = "^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %s : tensor<i1>";
    let zero = "%z = stablehlo.constant dense<0.0> : tensor<f32>";
    let convolution = |window: &str, groups: usize, types: &str| {
        format!(
            "%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{window}}} {{SPLIT batch_group_count = {groups} : i64, feature_group_count = 1 : i64}} : {types}"
        )
    };
    // The operation, and the sizes of its operands and of its result.
    type Case = (String, Vec<Vec<usize>>, Vec<usize>);
    let cases: [Case; 8] = [
        (
            format!("{zero}\n%r = stablehlo.pad %a, %z, low = [1, 0], high = [-1, 0], interior = [0, 0] {{SPLIT}} : (tensor<6x2xf32>, tensor<f32>) -> tensor<6x2xf32>"),
            vec![vec![6, 2]],
            vec![6, 2],
        ),
        (
            format!("{zero}\n%r = stablehlo.pad %a, %z, low = [-1, 0], high = [-2, 0], interior = [1, 0] {{SPLIT}} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>"),
            vec![vec![4, 2]],
            vec![4, 2],
        ),
        (
            format!("{zero}\n%r = \"stablehlo.reduce_window\"(%a, %z) <{{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}}> ({{\n{add}\n}}) {{SPLIT}} : (tensor<6x2xf32>, tensor<f32>) -> tensor<11x2xf32>"),
            vec![vec![6, 2]],
            vec![11, 2],
        ),
        (
            format!("{zero}\n%r = \"stablehlo.select_and_scatter\"(%a, %b, %z) <{{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}}> ({{\n{at_least}\n}}, {{\n{add}\n}}) {{SPLIT}} : (tensor<6x2xf32>, tensor<6x2xf32>, tensor<f32>) -> tensor<6x2xf32>"),
            vec![vec![6, 2], vec![6, 2]],
            vec![6, 2],
        ),
        (
            convolution(
                "stride = [2], pad = [[2, 1]], lhs_dilate = [2], rhs_dilate = [2], reverse = [false]",
                1,
                "(tensor<4x3x2xf32>, tensor<3x2x2xf32>) -> tensor<4x2x2xf32>",
            ),
            vec![vec![4, 3, 2], vec![3, 2, 2]],
            vec![4, 2, 2],
        ),
        (
            convolution(
                "stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [true]",
                1,
                "(tensor<2x6x2xf32>, tensor<6x2x2xf32>) -> tensor<2x1x2xf32>",
            ),
            vec![vec![2, 6, 2], vec![6, 2, 2]],
            vec![2, 1, 2],
        ),
        (
            convolution(
                "stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]",
                2,
                "(tensor<6x3x1xf32>, tensor<3x1x4xf32>) -> tensor<3x3x4xf32>",
            ),
            vec![vec![6, 3, 1], vec![3, 1, 4]],
            vec![3, 3, 4],
        ),
        (
            String::from(
                "%i = stablehlo.constant dense<3> : tensor<i32>
                %r = stablehlo.dynamic_update_slice %a, %b, %i {SPLIT} : (tensor<6xf32>, tensor<3xf32>, tensor<i32>) -> tensor<6xf32>",
            ),
            vec![vec![6], vec![3]],
            vec![6],
        ),
    ];
    let ty = |dims: &[usize]| {
        let dims: String = dims.iter().map(|size| format!("{size}x")).collect();
        format!("tensor<{dims}f32>")
    };
    // The axis splits dimension `at`, or none.
    let split = |rank: usize, at: usize| {
        let dims = (0..rank).map(|dim| if dim == at { r#"{"a"}"# } else { "{}" });
        format!("<@mesh, [{}]>", dims.collect::<Vec<_>>().join(", "))
    };
    for (body, operands, result) in &cases {
        let arrays: Vec<_> = operands
            .iter()
            .enumerate()
            .map(|(at, dims)| {
                let count: usize = dims.iter().product();
                let values: Vec<_> = (0..count).map(|x| ((x + at) * 7 % 5) as f32 - 2.0).collect();
                array::<F32>(dims, &values)
            })
            .collect();
        let found = |size: usize, at: &[usize]| {
            let names = ["%a", "%b"].iter().zip(operands).zip(at);
            let arguments = names.map(|((name, dims), at)| {
                let own = split(dims.len(), *at);
                format!("{name}: {} {{sdy.sharding = #sdy.sharding{own}}}", ty(dims))
            });
            let own = split(result.len(), at[at.len() - 1]);
            let own = format!("sdy.sharding = #sdy.sharding_per_value<[{own}]>");
            let comma = if body.contains("SPLIT batch") { "," } else { "" };
            let text = format!(
                "sdy.mesh @mesh = <[\"a\"={size}]>
                func.func @main({}) -> {} {{
                {}
                return %r : {}
                }}",
                arguments.collect::<Vec<_>>().join(", "),
                ty(result),
                body.replace("SPLIT", &(own + comma)),
                ty(result),
            );
            let program =
                Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let found = runner.run_on_threads(&arrays);
            (found.unwrap_or_else(|error| panic!("{error}\n{text}"))[0].values::<F32>(), text)
        };
        let ranks: Vec<_> = operands.iter().chain([result]).map(Vec::len).collect();
        let (expected, _) = found(1, &ranks);
        for number in 0..ranks.iter().map(|rank| rank + 1).product() {
            let mut rest = number;
            let at: Vec<_> = ranks
                .iter()
                .map(|rank| {
                    let at = rest % (rank + 1);
                    rest /= rank + 1;
                    at
                })
                .collect();
            for size in [2, 3] {
                let (found, text) = found(size, &at);
                assert_eq!(found, expected, "{text}");
            }
        }
    }
}

/// A dimension of size 1 can be split: one device has it, and the local sizes are those of the array. Operations without a rule,
/// such as `top_k` and a reshard, then need what that device has.
#[test]
fn a_dimension_of_size_1_that_is_split() {
    let split =
        |axes: &str| format!("{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{axes}]>]>}}");
    let (rows, whole) = (split(r#"{"a"}, {}"#), split("{}, {}"));
    let ty = "tensor<1x6xf32>";
    let ascending = "^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %s : tensor<i1>";
    for (body, expected) in [
        (
            format!(
                "%t:2 = chlo.top_k(%0, k = 6) : {ty} -> ({ty}, tensor<1x6xi32>)
            %r = stablehlo.negate %t#0 {whole} : {ty}"
            ),
            [-6.0, -5.0, -4.0, -3.0, -2.0, -1.0],
        ),
        (
            format!(
                "%t = sdy.reshard %0 <@mesh, [{{}}, {{}}]> : {ty}
            %r = stablehlo.negate %t {whole} : {ty}"
            ),
            [-3.0, -6.0, -1.0, -5.0, -2.0, -4.0],
        ),
        (format!("%r = stablehlo.negate %0 {whole} : {ty}"), [-3.0, -6.0, -1.0, -5.0, -2.0, -4.0]),
        (
            format!(
                "%t = \"stablehlo.sort\"(%0) <{{dimension = 1 : i64, is_stable = true}}> ({{
            {ascending}
            }}) : ({ty}) -> {ty}
            %r = stablehlo.reshape %t : ({ty}) -> {ty}"
            ),
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        ),
    ] {
        let text = format!(
            "sdy.mesh @mesh = <[\"a\"=3]>
            func.func @main(%arg0: {ty}) -> {ty} {{
            %0 = stablehlo.abs %arg0 {rows} : {ty}
            {body}
            return %r : {ty}
            }}"
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let again = Program::from_mlir(&program.mlir()).unwrap_or_else(|error| panic!("{error}"));
        let x = array::<F32>(&[1, 6], &[3.0, -6.0, 1.0, 5.0, -2.0, 4.0]);
        for program in [program, again] {
            let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let found = runner.run_on_threads(core::slice::from_ref(&x)).unwrap();
            assert_eq!(found[0].values::<F32>().unwrap(), expected, "{text}");
        }
    }
}
