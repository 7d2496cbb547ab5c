//! Random layouts of every kind: their descriptions follow their index functions.

use crate::formulas::value;
use proptest::prelude::*;
use std::fmt::Write;
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Draw, Fill, Style, docs, html, terminal};

/// A tile: `*` anywhere except in the most minor position.
fn tile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![3 => 1..6usize, 1 => Just(0)], 1..5).prop_map(|mut sizes| {
        let last = sizes.len() - 1;
        sizes[last] = sizes[last].max(1);
        let entry = |size: usize| if size == 0 { "*".into() } else { size.to_string() };
        format!("({})", sizes.into_iter().map(entry).collect::<Vec<_>>().join(","))
    })
}

prop_compose! {
    fn layout()(
        dims in prop::collection::vec(0..10usize, 0..5),
        tiles in prop::collection::vec(tile(), 0..4),
        shuffle in any::<u64>(),
        (dtype, bits) in prop::sample::select(&[
            ("f32", 32), ("bf16", 16), ("s8", 8), ("s4", 4), ("s4", 8), ("pred", 8), ("u2", 2), ("c64", 64),
        ][..]),
        aligned in prop::option::of(1..70usize),
        space in 0..7usize,
        split in prop::option::of(1..4usize),
        prefix in prop::option::of(1..100usize),
        more in prop::option::of(prop::collection::vec(0..5usize, 5)),
        bounded in any::<u8>(),
    ) -> String {
        let mut order: Vec<_> = (0..dims.len()).collect();
        order.sort_by_key(|dim| (shuffle >> (dim * 8)) as u8);
        let join = |numbers: &[usize]| {
            numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
        };
        let mark = |(dim, size): (usize, &usize)| {
            let bound = if more.is_none() && bounded & 0b1001 << dim == 0b1001 << dim { "<=" } else { "" };
            format!("{bound}{size}")
        };
        let sizes: Vec<_> = dims.iter().enumerate().map(mark).collect();
        let mut text = format!("{dtype}[{}]{{{}:", sizes.join(","), join(&order));
        if !tiles.is_empty() {
            _ = write!(text, "T{}", tiles.concat());
        }
        if let Some(aligned) = aligned {
            _ = write!(text, "L({aligned})");
        }
        if ["s4", "u2"].contains(&dtype) {
            _ = write!(text, "E({bits})");
        }
        if space > 0 {
            _ = write!(text, "S({space})");
        }
        if let (Some(at), Some(major)) = (split, order.last()) && dims[*major] > at {
            _ = write!(text, "SC(0:{at})");
        }
        if let Some(prefix) = prefix {
            _ = write!(text, "M({prefix})");
        }
        text.push('}');
        if let Some(more) = more {
            let widths: Vec<_> = dims.iter().zip(more).map(|(size, more)| size + more).collect();
            _ = write!(text, " padded to [{}] with zero", join(&widths));
        }
        text
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 100_000 }))]

    #[test]
    fn what_is_drawn_is_what_the_index_function_does(text in layout()) {
        // Arrays that do not fit in the address space are refused.
        let Ok(spec) = text.parse::<TiledSpec>() else { return Err(TestCaseError::reject(text)) };
        prop_assert_eq!(spec.to_string().parse::<TiledSpec>().expect("its own text"), spec, "{}", text);
        let (picture, facts) = (spec.picture(), spec.facts());
        let pages = [docs(&spec), html(&spec), terminal(&spec, Style { color: true, width: 40 })];
        prop_assert!(pages.iter().all(|page| page.len() < 400_000), "{}", text);
        prop_assert_eq!(facts.get("bytes").and_then(|fact| fact.number), Some(spec.storage_bytes() as u64));
        let formula = (!spec.is_empty()).then(|| spec.formula().to_string());
        for number in (0..spec.elements()).step_by((spec.elements() / 100).max(1)) {
            let index = spec.map().index_of(number).expect("an element");
            let offset = spec.offset(&index);
            if let Some(formula) = &formula {
                prop_assert_eq!(value(formula, &index), offset, "{}: {} at {:?}", text, formula, index);
                prop_assert!(!formula.contains("+ 0"), "{}: {}", text, formula);
            }
            let steps = spec.steps(&index).expect("within bounds");
            prop_assert_eq!(steps.lines().last(), Some(&format!("= {offset}")), "{}", text);
        }
        for offset in (0..=spec.len()).step_by((spec.len() / 100).max(1)) {
            let back = spec.steps_back(offset);
            prop_assert_eq!(back.is_some(), offset < spec.len(), "{}: {}", text, offset);
            let Some(back) = back else { continue };
            let names = |index: &[usize]| index.iter().map(usize::to_string).collect::<Vec<_>>();
            let last = back.lines().last().expect("a line").clone();
            match spec.index(offset) {
                Some(index) => prop_assert_eq!(last, format!("element ({})", names(&index).join(",")), "{}", text),
                None => prop_assert!(last.starts_with("padding"), "{}: {}: {}", text, offset, last),
            }
        }
        for cell in picture.panels.iter().flat_map(|panel| &panel.cells) {
            let Some((index, offset)) = cell.hover.split_once(" -> ") else { continue };
            let offset: usize = offset.parse().expect("an offset");
            if let Some(index) = index.strip_prefix('(').and_then(|index| index.strip_suffix(')')) {
                let index: Vec<usize> =
                    index.split(',').filter(|at| !at.is_empty()).map(|at| at.parse().expect("an index")).collect();
                prop_assert_eq!(spec.offset(&index), offset, "{}: {}", text, cell.hover);
                prop_assert_eq!(&cell.text, &offset.to_string());
            } else if index == "padding" {
                prop_assert_eq!(spec.index(offset), None, "{}: {}", text, cell.hover);
                prop_assert_eq!(cell.fill, Fill::Padding);
            }
        }
    }
}
