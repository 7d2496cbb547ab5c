//! The number of bytes of each memory that a program uses.

use crate::hlo::{Dump, Role};
use crate::table::Row;
use std::collections::BTreeMap;
use std::fmt;
use tensor_layout::Shape;

/// The memory space of the host.
const HOST: usize = 5;
/// The unit in which memory of a TPU is allocated.
const GRANULE: usize = 512;

/// The name of a memory space.
pub(crate) fn name(space: usize) -> String {
    match space {
        0 => "HBM".into(),
        HOST => "S(5), the host".into(),
        space => format!("S({space})"),
    }
}

/// The bytes of a program's results, and of the tables of its arguments.
pub(crate) struct Interface {
    /// The results, for each memory space.
    outputs: BTreeMap<usize, u128>,
    /// Those of them that are in the storage of arguments.
    aliased: BTreeMap<usize, u128>,
    /// The tables of arguments that are tuples.
    tables: u128,
}

impl Interface {
    pub(crate) fn of(dump: &Dump<'_>) -> Self {
        let mut outputs = BTreeMap::new();
        let mut add = |space: usize, bytes: usize| {
            *outputs.entry(space).or_default() += bytes as u128;
        };
        for shape in dump.outputs() {
            shape.arrays().for_each(|array| add(array.memory_space(), array.storage_bytes()));
            add(0, tables(&shape, dump.is_tpu));
        }
        let tables = dump.tuples().map(|shape| tables(&shape, dump.is_tpu) as u128).sum();
        let mut aliased = BTreeMap::new();
        for (space, bytes) in dump.aliased() {
            *aliased.entry(space).or_default() += bytes as u128;
        }
        Self { outputs, aliased, tables }
    }
}

/// The bytes of the tables of a tuple, which hold the addresses of its elements: four bytes each on a TPU.
fn tables(shape: &Shape, is_tpu: bool) -> usize {
    let Shape::Tuple(elements) = shape else { return 0 };
    let table = match is_tpu {
        true => (elements.len() * 4).next_multiple_of(GRANULE),
        false => elements.len() * 8,
    };
    table + elements.iter().map(|element| tables(element, is_tpu)).sum::<usize>()
}

/// The largest number of bytes that the temporaries in one memory take at once.
#[derive(Clone)]
pub(crate) struct Peak {
    pub(crate) bytes: u128,
    /// The name and the line of the instruction that is running then.
    pub(crate) running: Option<(String, usize)>,
}

impl Peak {
    /// The peak of each memory that has temporaries.
    pub(crate) fn of(rows: &[Row], dump: &Dump<'_>) -> BTreeMap<usize, Self> {
        let mut changes = BTreeMap::<usize, Vec<(usize, bool, usize)>>::new();
        for row in rows.iter().filter(|row| row.role == Some(Role::Temporary)) {
            let changes = changes.entry(row.space).or_default();
            changes.push((*row.alive.start(), true, row.bytes));
            changes.push((row.alive.end().saturating_add(1), false, row.bytes));
        }
        let peak = |mut changes: Vec<(usize, bool, usize)>| {
            // Arrays that end before an instruction free memory for those that it begins: `false` sorts first.
            changes.sort_unstable();
            let (mut now, mut most, mut time) = (0u128, 0, 0);
            for (at, begins, bytes) in changes {
                match begins {
                    true => now += bytes as u128,
                    false => now -= bytes as u128,
                }
                if now > most {
                    (most, time) = (now, at);
                }
            }
            let running = dump.running(time).map(|(name, line)| (name.into(), line));
            Self { bytes: most, running }
        };
        changes.into_iter().map(|(space, changes)| (space, peak(changes))).collect()
    }
}

/// Sums over the arrays in one memory.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    space: usize,
    pub(crate) arrays: usize,
    pub(crate) wasted: u128,
    pub(crate) bytes: u128,
    pub(crate) other: u128,
    pub(crate) arguments: u128,
    /// `None` if there is no program.
    pub(crate) outputs: Option<u128>,
    /// The bytes of the outputs that are in the storage of arguments.
    pub(crate) aliased: u128,
    pub(crate) constants: u128,
    pub(crate) temporaries: u128,
    /// `None` if there are no temporaries.
    pub(crate) peak: Option<Peak>,
    /// The bytes that the compiler assigned to temporaries, if known.
    pub(crate) assigned: Option<u128>,
}

impl Memory {
    /// The memories that hold arrays, the main one first.
    pub(crate) fn of(
        rows: &[Row],
        interface: Option<&Interface>,
        (peaks, assigned): (&BTreeMap<usize, Peak>, Option<&BTreeMap<usize, u128>>),
    ) -> Vec<Self> {
        let mut memories = BTreeMap::from([(0, Self::default())]);
        for row in rows {
            let memory = memories.entry(row.space).or_default();
            let bytes = row.bytes as u128;
            memory.arrays += 1;
            memory.wasted += row.wasted as u128;
            memory.bytes += bytes;
            // An array that cannot have the other tile keeps its own.
            memory.other += row.other.unwrap_or(row.bytes) as u128;
            match row.role {
                Some(Role::Argument) => memory.arguments += bytes,
                Some(Role::Constant) => memory.constants += bytes,
                Some(Role::Temporary) => memory.temporaries += bytes,
                Some(Role::Output) | None => {}
            }
        }
        if let Some(Interface { outputs, aliased, tables }) = interface {
            memories.entry(0).or_default().arguments += tables;
            outputs.keys().for_each(|space| _ = memories.entry(*space).or_default());
            for (space, memory) in &mut memories {
                memory.outputs = Some(outputs.get(space).copied().unwrap_or(0));
                memory.aliased = aliased.get(space).copied().unwrap_or(0);
            }
        }
        let with_peak = |(space, memory)| {
            let peak = peaks.get(&space).cloned();
            let assigned = assigned.map(|spaces| spaces.get(&space).copied().unwrap_or(0));
            Self { space, peak, assigned, ..memory }
        };
        memories.into_iter().map(with_peak).collect()
    }

    pub(crate) fn name(&self) -> String {
        name(self.space)
    }

    /// The number of the memory space.
    pub(crate) const fn space(&self) -> usize {
        self.space
    }

    /// The sums as members of a JSON object. The bytes of temporaries, in total and at their peak, are those that the compiler
    /// assigned to them, if these are known.
    pub(crate) fn sums(&self) -> Sums<'_> {
        Sums(self)
    }
}

pub(crate) struct Sums<'a>(&'a Memory);

impl fmt::Display for Sums<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Memory { wasted, bytes, arguments, outputs, aliased, constants, .. } = self.0;
        let Memory { temporaries, peak, assigned, .. } = self.0;
        if let Some(outputs) = outputs {
            let peak = peak.as_ref().map_or(0, |peak| peak.bytes);
            let [temporaries, peak] = [*temporaries, peak].map(|bytes| assigned.unwrap_or(bytes));
            write!(f, "\"argument_bytes\": {arguments}, \"output_bytes\": {outputs}, ")?;
            write!(f, "\"alias_bytes\": {aliased}, \"constant_bytes\": {constants}, ")?;
            write!(f, "\"temporary_bytes\": {temporaries}, ")?;
            write!(f, "\"peak_temporary_bytes\": {peak}, ")?;
            if let Some(bytes) = assigned {
                write!(f, "\"assigned_temporary_bytes\": {bytes}, ")?;
            }
        }
        write!(f, "\"wasted\": {wasted}, \"bytes\": {bytes}")
    }
}
