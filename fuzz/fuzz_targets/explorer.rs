//! Any text is read as an HLO dump, and any bytes as the header of a safetensors file, or refused.
#![no_main]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/tiled/properties/damage.rs"]
mod damage;
#[allow(dead_code, reason = "other targets use more of it")]
mod draw;
#[allow(dead_code, reason = "the program uses more of it")]
#[path = "../../src/bin/layout"]
mod layout {
    pub(crate) mod arguments;
    pub(crate) mod hlo;
    pub(crate) mod report;
    pub(crate) mod safetensors;
}

use damage::{change, changed};
use layout::hlo::{Dump, cleaned};
use layout::{arguments, report, safetensors};
use libfuzzer_sys::fuzz_target;

const DUMPS: [&str; 2] = [
    include_str!("../../tests/golden/hlo/cond.hlo"),
    include_str!("../../tests/golden/hlo/int4mm.hlo"),
];

/// Every value has a line of the text, and each of its arrays has storage or not, during a range of instructions.
fn hlo(text: String) {
    let len = text.len();
    let text = cleaned(text);
    assert_eq!(text.len(), len);
    let dump = Dump::read(&text);
    for value in dump.values() {
        assert!(value.line > 0 && value.start <= len, "{}", value.name);
        let arrays = value.shape.arrays().count();
        assert_eq!(value.arrays.len(), arrays, "{}", value.name);
        for array in value.arrays.iter().flatten() {
            assert!(array.alive.start() <= array.alive.end(), "{}", value.name);
            assert!(dump.running(*array.alive.end()).is_some(), "{}", value.name);
        }
    }
    dump.outputs().for_each(drop);
}

/// The header, and the header after its length.
fn header(bytes: &[u8]) {
    if safetensors::is_header(bytes) {
        assert!(safetensors::header_len(bytes).is_some());
    }
    let read = |data| safetensors::tensors(bytes, data);
    if let Ok(found) = read(0) {
        assert!(found.tensors.iter().all(|(_, spec)| spec.elements() == 0));
    }
    for data in [1, 8, 64, u64::MAX] {
        if let Ok(found) = read(data) {
            let taken: u128 =
                found.tensors.iter().map(|(_, spec)| spec.elements() as u128).sum::<u128>();
            assert!(taken <= 8 * u128::from(data));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 4 {
        0 => header(bytes),
        1 => hlo(String::from_utf8_lossy(bytes).into_owned()),
        choice => {
            let changes = proptest::collection::vec(change(), 1..6);
            let Some(changes) = draw::draw(changes, bytes) else { return };
            let dump = DUMPS[usize::from(choice - 2)].to_string();
            hlo(changes.iter().fold(dump, |text, change| changed(&text, change)));
        }
    }
});
