//! The digits of a tiled layout as JSON, from which the script of a page computes the offset of each element.

use super::tiling::{Stage, View, across};
use crate::draw::{HUES, NAMES, Quoted};
use crate::parts::{IndexMap, Part};
use crate::tiled::{Tile, TiledSpec};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest integer up to which JavaScript's numbers are exact.
const MOST: u64 = (1 << 53) - 1;

/// The table of a layout as a JSON object. `members` are additional members of the object, which the page of an array that is
/// spread over devices needs. `None` if there are no elements, or if the number of bits exceeds the integers that JavaScript
/// represents exactly.
pub(crate) fn table(spec: &TiledSpec, notation: &str, members: &str) -> Option<String> {
    if spec.elements() == 0 || (spec.len() as u64).checked_mul(spec.stored_bits() as u64)? > MOST {
        return None;
    }
    let (mut steps, is_spread) = (spec.stages(), !members.is_empty());
    // An array that is spread over devices has a memory on each of them, so only the first stage is shown.
    steps.truncate(if is_spread { 1 } else { steps.len() });
    let mut steps: Vec<_> = steps.iter().map(step).collect();
    if !is_spread {
        let (len, tile) = (spec.len(), spec.tile_len().unwrap_or(0));
        let map = map(spec.map());
        steps.push(format!(
            "{{\"title\":\"memory\",\"sizes\":[{len}],\"columns\":1,\"tile\":{tile},\"map\":{map}}}"
        ));
    }
    let first = spec.with_tiles(spec.tiles().len().min(1))?;
    let inner = match spec.tiles() {
        [_, .., last] => {
            let sizes = last.as_slice().iter().filter(|size| **size != Tile::COMBINE);
            sizes.product::<usize>()
        }
        _ => 0,
    };
    let names: Vec<_> = NAMES[..spec.rank()].iter().map(|name| format!("\"{name}\"")).collect();
    Some(format!(
        "{{\"notation\":{},\"names\":[{}],\"bits\":{},\"stored\":{},\"contiguous\":{},\"inner\":{inner},\
         \"hues\":{},\"map\":{},\"first\":{{\"tile\":{},\"across\":{},\"map\":{}}},\"steps\":[{}]{members}}}",
        Quoted(notation),
        names.join(","),
        spec.stored_bits(),
        spec.len(),
        spec.tile_len().is_some(),
        list(HUES.map(usize::from)),
        map(spec.map()),
        first.tile_len().unwrap_or(0),
        across(&first),
        map(first.map()),
        steps.join(","),
    ))
}

/// One step from the array to memory, as a JSON object.
fn step(stage: &Stage) -> String {
    let view = match &stage.view {
        View::Stored => String::new(),
        View::Logical => {
            let (order, widths) = (stage.tiled().physical_order(), stage.tiled().widths());
            let order = list(order.iter().copied());
            format!(",\"order\":{order},\"widths\":{}", list(widths.iter().copied()))
        }
        View::Untransposed(tiling) => format!(
            ",\"reshaped\":{},\"permutation\":{},\"transposed\":{}",
            list(tiling.reshaped().iter().copied()),
            list(tiling.permutation().iter().copied()),
            list(tiling.transposed().iter().copied()),
        ),
    };
    let spec = stage.tiled();
    // An array without tiles is a single tile, and its padding is outside of it.
    let tile = if spec.tiles().is_empty() { None } else { spec.tile_len() };
    format!(
        "{{\"title\":{},\"sizes\":{},\"columns\":{},\"tile\":{},\"map\":{}{view}}}",
        Quoted(&stage.title()),
        list(stage.sizes.iter().copied()),
        stage.columns,
        tile.unwrap_or(0),
        map(spec.map()),
    )
}

/// An index map: `{"rank":2,"bounds":[3,5],"len":24,"terms":[],"parts":[[0,2,2,12,0],..]}`.
pub(crate) fn map(map: &IndexMap) -> String {
    let part = |part: &Part| {
        let Part { source, div, size, stride, wrap } = *part;
        list([source, div, size, stride, usize::from(wrap)])
    };
    let terms = map.terms().iter().map(|term| format!("[{},{}]", term.target, part(&term.part)));
    let terms: Vec<_> = terms.collect();
    let parts: Vec<_> = map.parts().iter().map(part).collect();
    format!(
        "{{\"rank\":{},\"bounds\":{},\"len\":{},\"terms\":[{}],\"parts\":[{}]}}",
        map.rank(),
        list((0..map.values()).map(|value| map.bound(value))),
        map.len(),
        terms.join(","),
        parts.join(","),
    )
}

/// `[1,2]`
pub(crate) fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<_> = numbers.into_iter().map(|number| format!("{number}")).collect();
    format!("[{}]", numbers.join(","))
}
