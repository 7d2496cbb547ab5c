//! Random programs: operations, sizes, meshes and shardings.

use super::bytes::received_over;
use super::plain::Plain;
use super::{alone, check_close, inputs, program, run_over};
use proptest::prelude::*;
use tensor_layout::S32;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};

/// Pseudorandom numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The axes of a mesh.
type Axes = &'static [(&'static str, usize)];

/// The meshes of a program, which have the same devices.
const MESHES: &[&[Axes]] = &[
    &[&[("x", 2)]],
    &[&[("x", 3)]],
    &[&[("x", 2), ("y", 2)]],
    &[&[("x", 2), ("y", 3)]],
    &[&[("x", 6)]],
    &[&[("x", 2), ("y", 4)]],
    &[&[("x", 4)], &[("y", 2), ("x", 2)]],
    &[&[("x", 2), ("y", 3)], &[("x", 3), ("y", 2)], &[("z", 6)]],
    &[&[("x", 2), ("y", 4)], &[("x", 4), ("z", 2)]],
];

/// The names of the meshes.
const NAMES: [&str; 3] = ["Pod", "Other", "Third"];

/// A program under construction: its text, its values with the results of plain loops, and its arguments.
struct Growing {
    random: Random,
    meshes: &'static [Axes],
    parameters: Vec<String>,
    lines: Vec<String>,
    values: Vec<(String, Plain)>,
    arguments: Vec<Plain>,
    /// The value of each scalar of the program.
    scalars: Vec<usize>,
}

fn list(dims: &[usize]) -> String {
    format!("{dims:?}")
}

impl Growing {
    /// A sharding of an array: each axis of a mesh once, on a dimension or on none.
    fn split(&mut self, rank: usize) -> String {
        let mut dims = vec![Vec::new(); rank];
        let mesh = self.random.below(self.meshes.len());
        for (axis, _) in self.meshes[mesh] {
            let at = self.random.below(rank + 1);
            if at < rank {
                dims[at].push(format!("{axis:?}"));
            }
        }
        let dims: Vec<_> = dims.iter().map(|axes| format!("{{{}}}", axes.join(", "))).collect();
        let on = if mesh == 0 { String::new() } else { format!("@ {} ", NAMES[mesh]) };
        format!("{on}[{}]", dims.join(", "))
    }

    fn parameter(&mut self, dims: &[usize]) -> (String, Plain) {
        let name = format!("p{}", self.parameters.len());
        let split = self.split(dims.len());
        self.parameters.push(format!("{name}: f32{} {split}", list(dims)));
        let value = Plain::numbers(dims, self.parameters.len());
        self.arguments.push(value.clone());
        self.values.push((name.clone(), value.clone()));
        (name, value)
    }

    /// A scalar index below `end`.
    fn index(&mut self, end: usize) -> (String, usize) {
        let at = self.random.below(end);
        self.scalars.push(at);
        (format!("reshard(i{})", self.scalars.len() - 1), at)
    }

    fn push(&mut self, call: &str, value: Plain) {
        let name = format!("v{}", self.lines.len());
        let split = match self.random.below(4) {
            0 => self.split(value.dims.len()),
            _ => String::new(),
        };
        self.lines.push(format!("let {name} = {call} {split};"));
        self.values.push((name, value));
    }

    fn step(&mut self) {
        let at = self.random.below(self.values.len());
        let (name, x) = self.values[at].clone();
        let rank = x.dims.len();
        let own = format!("reshard({name})");
        if rank == 0 {
            return self.push(&format!("tanh({own})"), x.map(f64::tanh));
        }
        let dim = self.random.below(rank);
        match self.random.below(14) {
            0 => self.push(&format!("tanh({own})"), x.map(f64::tanh)),
            1 => self.push(&format!("logistic({own})"), x.map(|x| 1.0 / (1.0 + (-x).exp()))),
            2 => {
                let (other, y) = self.parameter(&x.dims);
                let (op, f) = self.random.pick::<(&str, fn(f64, f64) -> f64)>(&[
                    ("add", |a, b| a + b),
                    ("sub", |a, b| a - b),
                    ("mul", |a, b| a * b),
                    ("max", f64::max),
                ]);
                self.push(&format!("{op}({own}, reshard({other}))"), x.zip(&y, f));
            }
            3 => {
                let mut order: Vec<_> = (0..rank).collect();
                order.rotate_left(dim);
                let call = format!("transpose({own}, {})", list(&order));
                self.push(&call, x.transpose(&order));
            }
            4 if rank < 4 => {
                let dims = [&[self.random.pick(&[2, 3, 4])], &x.dims[..]].concat();
                let to: Vec<_> = (1..=rank).collect();
                let call = format!("broadcast_in_dim({own}, {}, {})", list(&dims), list(&to));
                self.push(&call, x.broadcast(&dims, &to));
            }
            5 => {
                // Keeps sums small.
                let small = x.sum(dim).map(|x| x / 8.0);
                self.push(&format!("reduce({own}, [{dim}])"), x.sum(dim));
                let (name, _) = self.values[self.values.len() - 1].clone();
                let (eighth, _) = self.constant(&small.dims, 0.125);
                self.push(&format!("mul(reshard({name}), reshard({eighth}))"), small);
            }
            6 if rank > 1 => {
                let at = self.random.below(rank - 1);
                let dims = [&x.dims[..at], &[x.dims[at] * x.dims[at + 1]], &x.dims[at + 2..]];
                let dims = dims.concat();
                self.push(&format!("reshape({own}, {})", list(&dims)), x.reshape(&dims));
            }
            7 if x.dims[dim].is_multiple_of(2) && rank < 4 => {
                let parts = [2, x.dims[dim] / 2];
                let dims = [&x.dims[..dim], &parts, &x.dims[dim + 1..]].concat();
                self.push(&format!("reshape({own}, {})", list(&dims)), x.reshape(&dims));
            }
            8 => {
                let mut dims = x.dims.clone();
                dims[dim] *= 2;
                let joined = Plain::from_fn(&dims, |index| {
                    let mut index = index.clone();
                    index[dim] %= x.dims[dim];
                    x.at(&index)
                });
                self.push(&format!("concatenate({own}, {own}, {dim})"), joined);
            }
            9 => {
                let mut dims = x.dims.clone();
                dims[dim] = self.random.below(dims[dim]) + 1;
                self.push(&format!("slice({own}, {})", list(&dims)), x.resize(&dims));
            }
            10 => {
                let mut dims = x.dims.clone();
                dims[dim] += self.random.below(3);
                self.push(&format!("pad({own}, {})", list(&dims)), x.resize(&dims));
            }
            11 => {
                let left = self.random.below(rank);
                let inner = x.dims[left];
                let (other, y) = self.parameter(&[inner, 2]);
                let dims = format!("lhs_contracting=[{left}], rhs_contracting=[0]");
                let call = format!("dot_general({own}, reshard({other}), {dims})");
                let product = x.dot(&y, [left, 0], false);
                self.push(&format!("tanh({call})"), product.map(f64::tanh));
            }
            12 if rank > 1 => {
                let dims = "lhs_batch=[0], rhs_batch=[0], lhs_contracting=[1], rhs_contracting=[1]";
                let call = format!("dot_general({own}, {own}, {dims})");
                self.push(&format!("tanh({call})"), x.dot(&x, [1, 1], true).map(f64::tanh));
            }
            _ => {
                let mut part = x.dims.clone();
                part[dim] = self.random.below(part[dim]) + 1;
                let mut start = vec![0; rank];
                let mut indices = Vec::new();
                for dim in 0..rank {
                    let (index, at) = self.index(x.dims[dim] - part[dim] + 1);
                    start[dim] = at;
                    indices.push(index);
                }
                let indices = indices.join(", ");
                let shifted = |index: &[usize]| -> Vec<usize> {
                    index.iter().zip(&start).map(|(at, start)| at + start).collect()
                };
                if self.random.below(2) == 0 {
                    let cut = Plain::from_fn(&part, |index| x.at(&shifted(index)));
                    let call = format!("dynamic_slice({own}, {indices}, {})", list(&part));
                    return self.push(&call, cut);
                }
                let (update, new) = self.parameter(&part);
                let updated = Plain::from_fn(&x.dims, |index| {
                    let own = index.iter().zip(&start).map(|(at, start)| at.checked_sub(*start));
                    let inside = own.collect::<Option<Vec<_>>>();
                    let inside = inside.filter(|at| at.iter().zip(&part).all(|(at, n)| at < n));
                    inside.map_or_else(|| x.at(index), |at| new.at(&at))
                });
                let call = format!("dynamic_update_slice({own}, reshard({update}), {indices})");
                self.push(&call, updated);
            }
        }
    }

    /// A parameter whose elements are all the same number.
    fn constant(&mut self, dims: &[usize], number: f64) -> (String, Plain) {
        let (name, value) = self.parameter(dims);
        let last = self.arguments.len() - 1;
        self.arguments[last] = value.map(|_| number);
        let last = self.values.len() - 1;
        self.values[last].1 = self.arguments[self.arguments.len() - 1].clone();
        (name, value.map(|_| number))
    }
}

/// A program, its mesh, its arguments and its expected results.
struct Case {
    text: String,
    meshes: Vec<Mesh>,
    arguments: Vec<HostArray>,
    expected: Vec<Plain>,
}

fn case(seed: u64) -> Case {
    let mut random = Random(seed);
    let meshes = random.pick(MESHES);
    let mut growing = Growing {
        random,
        meshes,
        parameters: Vec::new(),
        lines: Vec::new(),
        values: Vec::new(),
        arguments: Vec::new(),
        scalars: Vec::new(),
    };
    let dims: Vec<_> =
        (0..growing.random.below(3) + 1).map(|_| growing.random.pick(&[2, 3, 4, 6, 8])).collect();
    growing.parameter(&dims);
    for _ in 0..growing.random.below(4) + 1 {
        growing.step();
    }
    let padded = growing.random.pick(&["", " padded", " padded"]);
    let scalars = (0..growing.scalars.len()).map(|at| format!("i{at}: s32[]"));
    let parameters: Vec<_> = growing.parameters.iter().cloned().chain(scalars).collect();
    let (last, expected) = growing.values[growing.values.len() - 1].clone();
    let others: String =
        NAMES[1..meshes.len()].iter().map(|name| format!("mesh {name};\n")).collect();
    let text = format!(
        "mesh Pod{padded};\n{others}fn f({}) {{\n    {}\n    return {last};\n}}",
        parameters.join(", "),
        growing.lines.join("\n    ")
    );
    let mesh = |axes: &Axes| {
        let axes: Vec<_> = axes.iter().map(|(name, size)| format!("{name:?}={size}")).collect();
        format!("<[{}]>", axes.join(", ")).parse().expect("a mesh")
    };
    let mut arguments = inputs(&growing.arguments);
    arguments.extend(growing.scalars.iter().map(|&at| {
        HostArray::new::<S32>(&[], &[i32::try_from(at).expect("small")]).expect("a scalar")
    }));
    Case { text, meshes: meshes.iter().map(mesh).collect(), arguments, expected: vec![expected] }
}

/// Whether the case runs: programs with conflicting shardings, or whose elements cross shards, are refused.
fn runs(case: &Case) -> bool {
    let Case { text, meshes, arguments, expected } = case;
    let Ok(program) = self::program(text, meshes) else { return false };
    if Runner::new(&program).is_err() {
        return false;
    }
    // Axes of size 1 are still axes, and can be in conflict where those of the mesh are not.
    let alone: Vec<_> = meshes.iter().map(alone).collect();
    let is_runnable = |program: Program| Runner::new(&program).is_ok();
    let alone = Some(&alone).filter(|alone| self::program(text, alone).is_ok_and(is_runnable));
    for meshes in [meshes].into_iter().chain(alone) {
        let found = run_over(text, meshes, arguments);
        for (found, expected) in found.iter().zip(expected) {
            check_close(found, expected, &format!("on {meshes:?}\n{text}"));
        }
    }
    // Plans do not count what moves between padded shards.
    if text.starts_with("mesh Pod padded") {
        return true;
    }
    let (received, planned) = received_over(text, meshes, arguments);
    // If elements cannot be divided evenly, some devices get more: one element for each device and each sum.
    let sums = program.collectives().len() as u64;
    let most = planned + sums * 8 * meshes[0].devices() as u64;
    assert!(received.iter().all(|bytes| *bytes <= most), "{received:?}, {planned}\n{text}");
    true
}

#[test]
fn most_programs_run() {
    let (one, several): (Vec<_>, Vec<_>) =
        (0..300).map(case).partition(|case| case.meshes.len() == 1);
    for (cases, meshes) in [(one, "one mesh"), (several, "several meshes")] {
        let count = cases.iter().filter(|case| runs(case)).count();
        assert!(count > cases.len() / 2, "{count} of {} programs on {meshes} run", cases.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn programs_on_shards_give_what_plain_loops_give(seed in any::<u64>()) {
        runs(&case(seed));
    }
}
