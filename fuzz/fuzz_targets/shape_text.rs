//! Any text is a shape or an error, and the properties of a shape are consistent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::{Shape, TiledSpec};

fuzz_target!(|text: &str| {
    let shape = match text.parse::<Shape>() {
        Ok(shape) => shape,
        Err(error) => {
            assert!(!error.mistakes().is_empty() && !error.to_string().is_empty());
            return;
        }
    };
    let printed = shape.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&shape), "{printed}");
    shape.arrays().for_each(check);
});

fn check(spec: &TiledSpec) {
    assert!(spec.extent() <= spec.len() && spec.elements() <= spec.extent());
    assert!(spec.storage_bytes() <= isize::MAX as usize);
    let len = spec.len();
    for offset in
        [0, 1, 2, len / 3, len / 2, len.wrapping_sub(2), len.wrapping_sub(1), len, usize::MAX]
    {
        if let Some(index) = spec.index(offset) {
            assert_eq!(spec.offset(&index), offset, "{spec} {index:?}");
            assert!(offset < spec.extent(), "{spec} {index:?}");
        }
    }
    if spec.elements() > 0 {
        let last: Vec<usize> = spec.dims().iter().map(|size| size - 1).collect();
        assert_eq!(spec.index(spec.offset(&last)).as_deref(), Some(&last[..]), "{spec}");
    }
}
