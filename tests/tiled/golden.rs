//! Facts from the real compilers: every row of every file must hold.

use crate::rows::{number, numbers, rows, text};
use tensor_layout::{DType, Shape, TiledSpec};

fn spec(shape: &str) -> TiledSpec {
    shape.parse().unwrap_or_else(|error| panic!("{shape}: {error}"))
}

#[test]
fn tiled_index() {
    for row in rows("tiled_index", 56) {
        let shape = text(&row, "shape");
        let spec = spec(shape);
        assert_eq!(spec.len(), number(&row["padded_elements"]), "{shape}");
        for pair in row["index_to_linear"].as_array().expect("a list of pairs") {
            let (index, linear) = (numbers(&pair[0]), number(&pair[1]));
            assert_eq!(spec.offset(&index), linear, "{shape} {index:?}");
            assert_eq!(spec.index(linear).expect("an element"), index, "{shape} {linear}");
        }
    }
}

#[test]
fn tpu_default_layouts() {
    for row in rows("tpu_default_layouts", 1500).iter().chain(&rows("tpu_default_more", 164)) {
        let dtype = DType::from_name(text(row, "dtype")).expect("an element type");
        let spec = TiledSpec::tpu_default(dtype, &numbers(&row["dims"])).expect("a default layout");
        assert_eq!(spec.to_string(), text(row, "layout"));
        assert_eq!(spec, self::spec(text(row, "layout")));
    }
}

/// Layouts that the compiler prints for arrays of many dimensions.
#[test]
fn tpu_default_layouts_of_many_dimensions() {
    for text in [
        "f32[1,2,1,2,1,2,1,2,3,5]{9,7,8,6,5,4,3,2,1,0:T(2,128)}",
        "f32[2,2,2,2,2,2,2,2,2,2,130]{10,9,8,7,6,5,4,3,2,1,0:T(2,128)}",
    ] {
        let spec = spec(text);
        assert_eq!(TiledSpec::tpu_default(spec.dtype(), spec.dims()), Some(spec));
    }
}

#[test]
fn tpu_bytes() {
    for row in rows("tpu_bytes", 300) {
        let layout = text(&row, "layout");
        assert_eq!(spec(layout).bytes(), number(&row["bytes"]), "{layout}");
        assert_eq!(spec(layout).dims(), numbers(&row["dims"]), "{layout}");
        assert_eq!(spec(layout).dtype().name(), text(&row, "dtype"), "{layout}");
    }
}

#[test]
fn tpu_reported_sizes() {
    for row in rows("tpu_reported_sizes", 7) {
        let shape = text(&row, "shape");
        assert_eq!(spec(shape).bytes(), number(&row["bytes"]), "{shape}");
    }
}

#[test]
fn shapes_found_in_programs_print_as_themselves() {
    for (file, count) in [("tpu_hlo_layouts", 110), ("wild_layouts", 73)] {
        for row in rows(file, count) {
            let text = row.as_str().expect("a shape");
            assert_eq!(spec(text).to_string(), text);
        }
    }
}

/// Shapes that XLA accepts although it should not: errors here.
const WRONGLY_ACCEPTED: [&str; 2] =
    ["f32[2,3]{1,0:T(2,2)L(16)E(16)S(5)SC(0:1)M(8)}", "f32[3,5]{1,0:S(300)}"];

#[test]
fn xla_text() {
    for row in rows("xla_text", 46) {
        let input = text(&row, "input");
        let shape = input.parse::<Shape>();
        let accepted = row["jaxlib_accepts"] == true && row["jaxlib_layout_valid"] != false;
        if !accepted || WRONGLY_ACCEPTED.contains(&input) {
            assert!(shape.is_err(), "{input} must be an error");
            continue;
        }
        let shape = shape.unwrap_or_else(|error| panic!("{input}: {error}"));
        assert_eq!(shape.to_string(), text(&row, "canonical"), "{input}");
        let Shape::Array(spec) = shape else { continue };
        // The count is missing here if a dimension is dynamic, and in XLA if a tile has a `*`.
        for (key, ours) in [
            ("elements", spec.elements()),
            ("byte_size_of", spec.logical_bytes()),
            ("array_size", spec.bytes()),
        ] {
            let combined = key == "array_size" && input.contains('*');
            if !row[key].is_null() && !combined {
                assert_eq!(ours, number(&row[key]), "{key} of {input}");
            }
        }
    }
}
