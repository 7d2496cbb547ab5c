//! The elements of arrays of any two layouts, and of windows, move to the positions that the rule of the document defines.
#![no_main]

#[path = "../../tests/tiled/properties/document.rs"]
mod document;
mod draw;
#[allow(dead_code, reason = "the unit tests use more of it")]
#[path = "../../src/movement/tests/reference.rs"]
mod hard;
#[allow(dead_code, reason = "the other properties use more of it")]
#[path = "../../tests/tiled/properties/layouts.rs"]
mod layouts;
#[path = "../../tests/tiled/properties/moves.rs"]
mod moves;

use draw::{draw, seed};
use libfuzzer_sys::fuzz_target;
use proptest::prelude::any;
use proptest::sample::Index;
use tensor_layout::{DType, PaddingValue, TiledSpec};

/// The largest storage that is tested.
const MOST_BYTES: usize = 1 << 24;

fuzz_target!(|bytes: &[u8]| {
    let Some(([choice, salt], bytes)) = bytes.split_first_chunk() else { return };
    let Some((first, rest)) = seed(bytes) else { return };
    let sides = proptest::collection::vec((any::<Index>(), any::<Index>()), 16);
    // One half of the bytes determines the layouts, the other half the window.
    let (of_layouts, of_window) = rest.split_at(rest.len() / 2);
    let texts = match choice % 4 {
        0 => Some(hard::Random(first).hard_pair().map(|spec| spec.to_string())),
        1 => {
            let mut random = hard::Random(first);
            let (dtype, dims): (DType, _) = (random.dtype(), random.dims());
            Some([(); 2].map(|()| random.layout(dtype, &dims).to_string()))
        }
        _ => draw(layouts::pair(), of_layouts),
    };
    let (Some(texts), Some(sides)) = (texts, draw(sides, of_window)) else { return };
    // Tiles within tiles can pad a few elements to gigabytes, which only takes time.
    let bytes = |text: &String| text.parse().map_or(0, |spec: TiledSpec| spec.storage_bytes());
    if texts.iter().any(|text| bytes(text) > MOST_BYTES) {
        return;
    }
    let moved = moves::whole(texts.clone(), *salt);
    moved.unwrap_or_else(|error| panic!("{texts:?}: {error}"));
    let moved = moves::part(texts.clone(), sides, *salt);
    moved.unwrap_or_else(|error| panic!("{texts:?}: {error}"));
});
