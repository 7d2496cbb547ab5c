//! The memory that XLA itself assigned to temporaries, read from the dump of its buffer assignment:
//!
//! ```text
//! allocation 39: size 131176, preallocated-temp:
//! allocation 40: size 4096, color 1, preallocated-temp:
//! ```
//!
//! The colour is the memory space.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file that the compiler writes next to the dump of a program: for `f.txt` it is `f-buffer-assignment.txt`.
pub(crate) fn beside(dump: &Path) -> Option<PathBuf> {
    let mut name = dump.file_stem()?.to_os_string();
    name.push("-buffer-assignment.txt");
    Some(dump.with_file_name(name))
}

/// Whether a text is a buffer assignment.
pub(crate) fn is_assignment(text: &str) -> bool {
    text.trim_start().starts_with("BufferAssignment:")
}

/// The bytes of temporaries in each memory space; `None` if the text is not a buffer assignment.
pub(crate) fn temporaries(text: &str) -> Option<BTreeMap<usize, u128>> {
    if !is_assignment(text) {
        return None;
    }
    let mut spaces = BTreeMap::new();
    for line in text.lines() {
        let Some((_, facts)) =
            line.strip_prefix("allocation ").and_then(|line| line.split_once(": "))
        else {
            continue;
        };
        let facts = || facts.trim_end_matches(':').split(", ");
        let number =
            |name: &str| facts().find_map(|fact| fact.strip_prefix(name)?.parse::<u64>().ok());
        if facts().any(|fact| fact == "preallocated-temp") {
            let space = number("color ").unwrap_or(0) as usize;
            *spaces.entry(space).or_default() += u128::from(number("size ")?);
        }
    }
    Some(spaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporaries_are_summed_by_memory() {
        let text = "\
BufferAssignment:
allocation 0: size 131072, parameter 1, shape |f32[128,256]| at ShapeIndex {}:
 value: <79 w1.1 @0> (size=131072,offset=0): f32[128,256]{1,0}
allocation 5: size 24, output shape is |(f32[], f32[4], f32[3,128])|, maybe-live-out:
allocation 39: size 131176, preallocated-temp:
 value: <58 preallocated-temp @0> (size=65536,offset=0): f32[64,256]{1,0}
allocation 40: size 4096, color 1, preallocated-temp:
allocation 41: size 24, preallocated-temp:
";
        assert_eq!(temporaries(text), Some(BTreeMap::from([(0, 131_200), (1, 4096)])));
        assert_eq!(temporaries(&text[1..]), None);
        let beside = beside(Path::new("a/module_0008.jit_f.cpu_after_optimizations.txt"));
        let name = "a/module_0008.jit_f.cpu_after_optimizations-buffer-assignment.txt";
        assert_eq!(beside.as_deref(), Some(Path::new(name)));
    }
}
