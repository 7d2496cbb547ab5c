//! Searches for shardings of the arguments of a program for which devices exchange and store few bytes.

use super::{Overrides, Program, sum};
use crate::sharding::axis::AxisRef;
use crate::sharding::local::elements;
use crate::sharding::mesh::{Mesh, MeshAxis};
use crate::sharding::tensor::{DimSharding, MeshRef, Split, TensorSharding};
use crate::syntax::ParseError;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

/// The settings of [`Program::search`], which finds shardings of the arguments of a program.
///
/// ```
/// use tensor_layout::sharding::program::Search;
/// // Only shardings with which a device stores at most 16 GB.
/// let search = Search { memory: Some(16_000_000_000), ..Search::default() };
/// assert_eq!((search.weight, search.beam), (8, 8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// The number of bytes in memory that cost as much as one byte that a device receives.
    pub weight: u128,
    /// The largest number of bytes that a device may store, in terms of [`Cost::memory`]; `None` for no limit.
    pub memory: Option<u128>,
    /// All combinations of the ways to split the arguments are tried if there are at most this many.
    pub all: usize,
    /// If there are more, the arguments are decided one after another, and this many combinations are kept after each.
    pub beam: usize,
}

impl Default for Search {
    /// A received byte counts as 8 bytes in memory, which is about the ratio of the speeds of memories and links of
    /// accelerators. Up to 4096 shardings are all tried; otherwise, 8 are kept for each argument.
    fn default() -> Self {
        Self { weight: 8, memory: None, all: 4096, beam: 8 }
    }
}

/// The cost of shardings of the arguments of a program, in bytes: what [`Program::search`] minimizes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cost {
    /// The bytes that a device stores, plus [`Search::weight`] times the bytes that it receives.
    pub sum: u128,
    /// The bytes that each device receives in all collectives.
    pub moved: u128,
    /// The bytes of all values on a device: the arguments, and the values that operations compute, assuming that no two values
    /// share memory.
    pub memory: u128,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "receives {} bytes and holds {}", self.moved, self.memory)
    }
}

/// Shardings of the arguments of a program that [`Program::search`] proposes, and their cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The split arguments by their names in the text, each with its sharding over the first mesh.
    pub arguments: Vec<(String, TensorSharding)>,
    /// The cost of these shardings.
    pub cost: Cost,
}

/// The outcome of [`Program::search`]: the best shardings. Displays as rules, one line for each argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best shardings, in order: at most [`Search::beam`], or two if that is less. Empty if no sharding fits in the memory.
    pub best: Vec<Proposal>,
    /// For each argument that the best proposal splits: its name, and the cost of the proposal without splitting that argument.
    pub without: Vec<(String, Cost)>,
    /// The number of shardings that were tried.
    pub tried: usize,
    /// Whether all shardings were tried.
    pub is_exhaustive: bool,
}

impl fmt::Display for Found {
    /// Writes the proposal as rules, one line for each argument, and the reason why it is the best.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.best.split_first() else {
            return writeln!(
                f,
                "# none of {} shardings fits in the memory of a device",
                self.tried
            );
        };
        let how = if self.is_exhaustive { "all" } else { "a beam of" };
        writeln!(f, "# the best of {how} {} shardings: a device {}", self.tried, first.cost)?;
        for (name, sharding) in &first.arguments {
            write!(f, "{name} = {}", Split(sharding))?;
            match self.without.iter().find(|(own, _)| own == name) {
                Some((_, whole)) => writeln!(f, "  # if it were whole, it {whole}")?,
                None => writeln!(f)?,
            }
        }
        if let Some(second) = others.first() {
            let pairs = first.arguments.iter().zip(&second.arguments);
            let differs = pairs.filter(|(a, b)| a != b);
            let differs = differs.map(|(_, (name, to))| format!("{name} = {}", Split(to)));
            let differs: Vec<_> = differs.collect();
            writeln!(f, "# the second best {}: {}", second.cost, differs.join(", "))?;
        }
        Ok(())
    }
}

/// The arguments of a program, and the ways in which each can be split.
struct Space<'a> {
    text: &'a str,
    overrides: &'a Overrides<'a>,
    names: Vec<String>,
    mesh: MeshRef,
    options: Vec<Vec<Vec<DimSharding>>>,
    search: &'a Search,
    tried: usize,
}

/// For each argument, the number of its option; `None` if propagation decides.
type Choice = Vec<Option<usize>>;

impl Program {
    /// Searches for the shardings of the arguments of a module in MLIR for which devices store and receive few bytes: see [`Cost`].
    /// Arguments that `overrides` splits are not changed.
    ///
    /// Each axis of the first mesh splits at most one dimension of an argument. Sizes that the axis does not divide are not split,
    /// and at most 4096 ways to split each argument are considered. If there are too many combinations to try all of them, the
    /// arguments are decided one after the other, the largest first, while propagation splits the others.
    ///
    /// ```
    /// use tensor_layout::sharding::program::{Overrides, Program, Search};
    /// let text = r#"sdy.mesh @mesh = <["x"=4]>
    /// func.func @main(%x: tensor<64x512xf32>, %w: tensor<512x1024xf32>) -> tensor<64x1024xf32> {
    ///   %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x1024xf32>) -> tensor<64x1024xf32>
    ///   return %0 : tensor<64x1024xf32>
    /// }"#;
    /// let found = Program::search(text, &Overrides::default(), &Search::default())?;
    /// // The columns of the larger matrix are split, and nothing is sent.
    /// assert_eq!(found.best[0].arguments[1].1.to_string(), r#"<@mesh, [{}, {"x"}]>"#);
    /// assert_eq!((found.best[0].cost.moved, found.tried), (0, 9));
    /// # Ok::<(), tensor_layout::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Program::from_mlir_with`].
    pub fn search(
        text: &str,
        overrides: &Overrides<'_>,
        search: &Search,
    ) -> Result<Found, ParseError> {
        // The names of the arguments in the text. In the program, values have the names that Shardy prints.
        let names = RefCell::new(Vec::new());
        let named = |name: &str, dims: &[usize]| {
            let given = overrides.arguments.and_then(|given| given(name, dims));
            names.borrow_mut().push((name.to_string(), given.clone()));
            given
        };
        let (mesh, values) = (overrides.mesh.clone(), overrides.values);
        let program =
            Self::from_mlir_with(text, &Overrides { mesh, arguments: Some(&named), values })?;
        let (names, given): (Vec<_>, Vec<_>) = names.take().into_iter().unzip();
        let meshes = program.meshes();
        let (name, mesh) = meshes.iter().find(|(_, mesh)| !mesh.is_maximal()).unwrap_or(&meshes[0]);
        let options = program.parameters().iter().zip(given).map(|(value, given)| {
            given.map_or_else(|| splits(mesh, &value.dims), |given| vec![given])
        });
        let mut space = Space {
            text,
            overrides,
            names,
            mesh: MeshRef::Name(name.clone().into()),
            options: options.collect(),
            search,
            tried: 0,
        };
        let counts = space.options.iter().map(Vec::len);
        let count = counts.fold(1_usize, usize::saturating_mul);
        let is_exhaustive = count <= search.all;
        let mut best = match is_exhaustive {
            true => space.exhaustive(count),
            false => {
                let mut order: Vec<usize> = (0..space.options.len()).collect();
                let size = |at: &usize| elements(&program.parameters()[*at].dims);
                order.sort_by_key(|at| core::cmp::Reverse(size(at)));
                space.beam(&order)
            }
        };
        let fits = |cost: &Cost| search.memory.is_none_or(|most| cost.memory <= most);
        best.retain(|(cost, _)| fits(cost));
        let tried = space.tried;
        let mut without = Vec::new();
        if let Some((_, choice)) = best.first() {
            for at in 0..choice.len() {
                // The first option is the whole array.
                if choice[at] != Some(0) {
                    let mut whole = choice.clone();
                    whole[at] = Some(0);
                    let cost = space.cost(&whole);
                    without.extend(cost.map(|cost| (space.names[at].clone(), cost)));
                }
            }
        }
        let best = best.iter().take(search.beam.max(2));
        let best = best.map(|(cost, choice)| space.proposal(*cost, choice)).collect();
        Ok(Found { best, without, tried, is_exhaustive })
    }
}

impl Space<'_> {
    /// The cost of a choice; `None` if the program cannot be sharded in this way.
    fn cost(&mut self, choice: &Choice) -> Option<Cost> {
        self.tried += 1;
        let split = |name: &str, _: &[usize]| {
            let at = self.names.iter().position(|own| own == name)?;
            Some(self.options[at][choice[at]?].clone())
        };
        let Overrides { mesh, values, .. } = self.overrides;
        let (mesh, values) = (mesh.clone(), *values);
        let overrides = Overrides { mesh, arguments: Some(&split), values };
        let program = Program::from_mlir_with(self.text, &overrides).ok()?;
        let moved = sum(program.collectives().iter().map(|traffic| traffic.bytes));
        let memory = sum(program.values().iter().map(super::NamedValue::local_bytes));
        Some(Cost {
            sum: self.search.weight.saturating_mul(moved).saturating_add(memory),
            moved,
            memory,
        })
    }

    /// All choices, the best first. Among choices with the same cost, the choice that splits the least comes first.
    fn exhaustive(&mut self, count: usize) -> Vec<(Cost, Choice)> {
        let mut all = Vec::with_capacity(count);
        for mut number in 0..count {
            let sizes = self.options.iter().map(Vec::len).rev();
            let digits = sizes.map(|size| {
                let digit = number % size;
                number /= size;
                Some(digit)
            });
            let mut choice: Choice = digits.collect();
            choice.reverse();
            all.extend(self.cost(&choice).map(|cost| (cost, choice)));
        }
        all.sort();
        all
    }

    /// Decides the arguments in order, and keeps the best choices after each.
    fn beam(&mut self, order: &[usize]) -> Vec<(Cost, Choice)> {
        let mut kept: Vec<(Cost, Choice)> =
            vec![(Cost { sum: 0, moved: 0, memory: 0 }, vec![None; self.options.len()])];
        for &at in order {
            let mut next = Vec::new();
            for (_, choice) in &kept {
                for option in 0..self.options[at].len() {
                    let mut choice = choice.clone();
                    choice[at] = Some(option);
                    next.extend(self.cost(&choice).map(|cost| (cost, choice)));
                }
            }
            // Choices that fit in memory come first, in order of their cost.
            let most = self.search.memory.unwrap_or(u128::MAX);
            next.sort_by(|(a, one), (b, other)| {
                (a.memory > most, a, one).cmp(&(b.memory > most, b, other))
            });
            next.truncate(self.search.beam.max(1));
            kept = next;
        }
        kept
    }

    fn proposal(&self, cost: Cost, choice: &Choice) -> Proposal {
        let arguments = self.names.iter().zip(&self.options).zip(choice);
        let arguments = arguments.map(|((name, options), option)| {
            let dims = options[option.unwrap_or(0)].clone();
            (name.to_string(), TensorSharding::new(self.mesh.clone(), dims))
        });
        Proposal { arguments: arguments.collect(), cost }
    }
}

/// The largest number of ways to split one argument that are tried. If there are more, the last axes of the mesh split nothing.
const MAX_SPLITS: usize = 4096;

/// The ways to split an array: each axis splits at most one dimension. The first way is the whole array.
fn splits(mesh: &Mesh, dims: &[usize]) -> Vec<Vec<DimSharding>> {
    let mut all: Vec<(Vec<usize>, Vec<Vec<AxisRef>>)> =
        vec![(dims.to_vec(), vec![Vec::new(); dims.len()])];
    for axis in mesh.axes().iter().filter(|axis| axis.size() > 1) {
        if all.len().saturating_mul(dims.len() + 1) > MAX_SPLITS {
            break;
        }
        for at in 0..all.len() {
            for dim in 0..dims.len() {
                let (mut left, mut axes) = all[at].clone();
                if left[dim] == 0 || !left[dim].is_multiple_of(axis.size()) {
                    continue;
                }
                left[dim] /= axis.size();
                axes[dim]
                    .push(AxisRef { name: MeshAxis::name(axis).to_string().into(), sub: None });
                all.push((left, axes));
            }
        }
    }
    let closed = |axes: Vec<AxisRef>| DimSharding { axes: axes.into(), ..DimSharding::default() };
    all.into_iter().map(|(_, dims)| dims.into_iter().map(closed).collect()).collect()
}
