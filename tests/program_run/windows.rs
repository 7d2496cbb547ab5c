//! Windows of random sizes, strides, dilations and padding, which may be negative.

use super::plain::{Plain, indices};
use super::{check_close, inputs};
use proptest::prelude::*;
use std::slice;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::Runner;

/// The windows along a dimension.
#[derive(Clone, Copy, Debug)]
struct Windows {
    /// The size of the dimension.
    size: usize,
    window: usize,
    stride: usize,
    base_dilation: usize,
    window_dilation: usize,
    low: i64,
    high: i64,
}

impl Windows {
    /// The number of windows.
    fn count(&self) -> Option<usize> {
        let dilated = ((self.size - 1) * self.base_dilation + 1) as i64 + self.low + self.high;
        let window = (self.window - 1) * self.window_dilation + 1;
        Some((usize::try_from(dilated).ok()?.checked_sub(window)?) / self.stride + 1)
    }

    /// The index of an element of a window.
    fn index(&self, number: usize, offset: usize) -> Option<usize> {
        let dilated = number * self.stride + offset * self.window_dilation;
        let dilated = usize::try_from(dilated as i64 - self.low).ok()?;
        let index = dilated / self.base_dilation;
        (dilated % self.base_dilation == 0 && index < self.size).then_some(index)
    }
}

/// `select_and_scatter` has no dilations.
fn windows(dilation: usize) -> impl Strategy<Value = [Windows; 2]> {
    let one =
        (1..8_usize, 1..4_usize, 1..3_usize, 1..=dilation, 1..=dilation, -2..3_i64, -2..3_i64);
    let one = one.prop_map(|(size, window, stride, base_dilation, window_dilation, low, high)| {
        Windows { size, window, stride, base_dilation, window_dilation, low, high }
    });
    [one.clone(), one]
}

/// The indices of the elements of window `at`.
fn taken(windows: &[Windows; 2], at: &[usize]) -> Vec<Vec<usize>> {
    let index = |offset: Vec<usize>| {
        let each = windows.iter().zip(at).zip(&offset);
        each.map(|((windows, at), offset)| windows.index(*at, *offset)).collect()
    };
    indices(&windows.map(|windows| windows.window)).into_iter().filter_map(index).collect()
}

/// Runs an operation on `%a` and `%b`, with the first or the second dimension of all arrays split or with none split.
fn check(
    windows: &[Windows; 2],
    (name, attributes, bodies): (&str, &str, &[&str]),
    arrays: &[Plain],
    expected: &Plain,
) {
    let ty = |array: &Plain| format!("tensor<{}x{}xf32>", array.dims[0], array.dims[1]);
    let list = |f: fn(&Windows) -> usize| format!("{}, {}", f(&windows[0]), f(&windows[1]));
    let [rows, columns] = windows.map(|windows| format!("[{}, {}]", windows.low, windows.high));
    let text = format!(
        "window_dimensions = array<i64: {}>, window_strides = array<i64: {}>, padding = dense<[{rows}, {columns}]> : tensor<2x2xi64>",
        list(|windows| windows.window),
        list(|windows| windows.stride),
    );
    let types: Vec<_> = arrays.iter().map(ty).collect();
    let result = ty(expected);
    for split in [r#"{"a"}, {}"#, r#"{}, {"a"}"#, "{}, {}"] {
        let sharding = format!("<@mesh, [{split}]>");
        let arguments = ["%a", "%b"].iter().zip(&types);
        let arguments = arguments
            .map(|(name, ty)| format!("{name}: {ty} {{sdy.sharding = #sdy.sharding{sharding}}}"));
        let text = format!(
            "sdy.mesh @mesh = <[\"a\"=2]>
            func.func @main({}) -> {result} {{
            %z = stablehlo.constant dense<0.0> : tensor<f32>
            %r = \"stablehlo.{name}\"({}, %z) <{{{text}{attributes}}}> ({}) {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}} : ({}, tensor<f32>) -> {result}
            return %r : {result}
            }}",
            arguments.collect::<Vec<_>>().join(", "),
            ["%a", "%b"][..arrays.len()].join(", "),
            bodies.join(", "),
            types.join(", "),
        );
        let program = Program::from_mlir(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let found = runner.run_on_threads(&inputs(arrays));
        check_close(&found.unwrap_or_else(|error| panic!("{error}\n{text}"))[0], expected, &text);
    }
}

const ADD: &str = "{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }";

const AT_LEAST: &str = "{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn elements_of_windows_are_added(windows in windows(3)) {
        let [Some(rows), Some(columns)] = windows.map(|windows| windows.count()) else {
            return Ok(());
        };
        let x = Plain::numbers(&windows.map(|windows| windows.size), 1);
        let sum = |at: &Vec<usize>| taken(&windows, at).iter().map(|from| x.at(from)).sum();
        let expected = Plain::from_fn(&[rows, columns], sum);
        let [i, j] = windows;
        let dilations = format!(
            ", base_dilations = array<i64: {}, {}>, window_dilations = array<i64: {}, {}>",
            i.base_dilation, j.base_dilation, i.window_dilation, j.window_dilation,
        );
        check(&windows, ("reduce_window", &dilations, &[ADD]), slice::from_ref(&x), &expected);
    }

    #[test]
    fn largest_elements_of_windows_are_added_to(windows in windows(1)) {
        let [Some(rows), Some(columns)] = windows.map(|windows| windows.count()) else {
            return Ok(());
        };
        let x = Plain::numbers(&windows.map(|windows| windows.size), 1);
        let source = Plain::numbers(&[rows, columns], 2);
        let largest = |at: &[usize]| {
            taken(&windows, at).into_iter().max_by(|a, b| x.at(a).total_cmp(&x.at(b)))
        };
        let expected = Plain::from_fn(&x.dims, |to| {
            let from = indices(&source.dims).into_iter();
            from.filter(|from| largest(from).as_ref() == Some(to)).map(|from| source.at(&from)).sum()
        });
        check(&windows, ("select_and_scatter", "", &[AT_LEAST, ADD]), &[x, source], &expected);
    }
}
