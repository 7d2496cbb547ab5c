//! The documentation and the listings that `layouts!` generates.
#![allow(clippy::duplicate_mod)] // Some modules share a file, so that the listing meets one file by several paths.
use std::collections::BTreeSet;
use tensor_layout::sharding::ShardedLayout;
use tensor_layout::sparse::Encoding;
use tensor_layout::{layouts, layouts_index, layouts_listing, mesh, tiled};

mod named {
    use super::{layouts, mesh};

    pub(crate) const ROWS: usize = 12;

    mesh! { pub(crate) Pod = ["data" = 2, "model" = 4] }

    layouts! {
        /// An alias whose sizes are known, with other attributes.
        #[allow(dead_code)]
        pub(crate) type W1 = tpu!(bf16[64,128]);
        pub(crate) type Rows = tiled!(f32[ROWS,{ROWS * 2}]{1,0:T(8,128)});
        pub(crate) type Adj = tensor_layout::sparse_encoding!((i, j) -> (i: dense, j: compressed));
        pub(crate) type Emb = sharded!(bf16[32000,4096] @ Pod [{"data"}, {"model"}]);
    }
}

layouts! {}

/// Another mesh of the same name, and an alias whose name is used above.
mod other {
    use super::{layouts, mesh};

    mesh! { pub(crate) Pod = ["data" = 16] }

    layouts! {
        pub(crate) type Emb = sharded!(bf16[32000,4096] @ Pod [{"data"}, {}]);
        pub(crate) type Far = sharded!(f32[8] @ super::named::Pod [{"data"}]);
    }

    pub(crate) mod inner {
        use crate::other as above;
        use crate::{layouts, named::Pod as Board};

        layouts! {
            pub(crate) type W = sharded!(f32[8] @ Board [{"model"}]);
            pub(crate) type X = sharded!(f32[16] @ above::Pod [{"data"}]);
            #[allow(non_camel_case_types)]
            pub(crate) type r#in = tiled!(f32[2]);
        }
    }
}

/// Items under conditions: one that is absent, and one of two that is present.
mod conditional {
    use super::{layouts, mesh};
    use tensor_layout::{sharding_rule, sparse_encoding};

    mesh! {
        #[cfg(any())]
        pub(crate) Board = ["data" = 3]
    }
    mesh! {
        #[cfg(all())]
        pub(crate) Board = ["data" = 2]
    }
    sparse_encoding! {
        #[cfg(any())]
        pub(crate) type Rows = (i) -> (i : dense);
        #[cfg(not(any()))]
        pub(crate) type Rows = (i) -> (i : compressed);
    }
    sharding_rule! {
        #[cfg(any())]
        #[allow(dead_code)]
        pub(crate) Elementwise = (i)->(i)
    }
    #[cfg(any())]
    layouts! { pub(crate) type Nowhere = tiled!(f32[3]); }

    layouts! {
        #[cfg(any())]
        pub(crate) type W = tiled!(f32[3]);
        #[cfg(any())]
        pub(crate) type Split = sharded!(f32[3] @ Missing [{"data"}]);
        #[cfg(any())]
        pub(crate) type Csr = sparse_encoding!((i) -> (i : dense));
        #[cfg(target_pointer_width = "16")]
        pub(crate) type Narrow = tiled!(f32[4]);
        #[cfg(not(target_pointer_width = "16"))]
        pub(crate) type Wide = tiled!(f32[5]);
        pub(crate) type Split = sharded!(f32[8] @ Board [{"data"}]);
    }

    #[cfg(any())]
    mod gone {
        tensor_layout::layouts! { pub type W = tiled!(f32[3]); }
    }
}

/// Modules whose files are named by `#[path]`.
#[path = "layouts/elsewhere.rs"]
mod elsewhere;

#[cfg_attr(all(), path = "layouts/inner/mod.rs")]
mod chosen;

#[cfg_attr(any(), path = "layouts/missing.rs")]
#[cfg_attr(target_pointer_width = "16", path = "layouts/missing.rs", allow(dead_code))]
#[cfg_attr(all(not(any()), not(target_pointer_width = "16")), path = "layouts/wide.rs")]
mod width;

#[path = "layouts"]
mod directory {
    pub(crate) mod wide;
}

#[cfg_attr(all(), cfg(any()))]
#[path = "layouts/wide.rs"]
mod gone;

mod generic {
    tensor_layout::layouts! {
        pub(crate) type Rows<const N: usize> = tiled!(f32[N,128]{1,0:T(8,128)});
        pub(crate) type Eight<const N: usize = 8> = tiled!(f32[N,128]{1,0:T(8,128)});
    }
}

mod sparse {
    tensor_layout::layouts! {
        pub(crate) type Matrix = sparse_tensor!(f64[4,6] super::named::Adj);
        pub(crate) type Whole = sparse_tensor!(tensor<4x6xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>);
        pub(crate) type Split = sharded!(f64[4,6] super::named::Adj @ super::named::Pod [{"model"}, {}]);
    }
}

#[test]
fn conditions_hold_for_all_that_a_definition_becomes() {
    assert!(conditional::Rows!([stringify]).contains("compressed"));
    assert_eq!(<conditional::Rows as Encoding>::SPEC.levels().len(), 1);
    assert_eq!(<conditional::Split as ShardedLayout>::Local::DIMS, [4]);
}

#[test]
fn layouts_with_parameters_are_layouts() {
    assert_eq!((generic::Rows::<16>::LEN, <generic::Eight>::LEN), (16 * 128, 8 * 128));
}

#[test]
fn aliases_are_the_types_of_their_macros() {
    type Written = tiled!(bf16[64,128]{1,0:T(8,128)(2,1)});
    let _: fn(named::W1) -> Written = |same| same;
    assert_eq!(named::Rows::DIMS, [12, 24]);
    assert_eq!(<named::Adj as Encoding>::SPEC.levels().len(), 2);
    assert_eq!(<named::Emb as ShardedLayout>::Local::DIMS, [16000, 1024]);
    // Other macros read the tokens of an encoding.
    assert!(named::Adj!([stringify]).contains("compressed"));
}

#[test]
fn the_listing_has_all_layouts_of_a_crate_evaluated_by_rustc() {
    let listing = layouts_listing!("tests/layouts.rs");
    let rows: Vec<_> = listing.rows().iter().map(|row| (row.path.as_str(), row.bytes)).collect();
    assert_eq!(
        rows,
        [
            ("named::W1", Some(16_384)),
            ("named::Rows", Some(16 * 128 * 4)),
            ("named::Adj", None),
            ("named::Emb", Some(32_768_000)),
            ("other::Emb", Some(16_384_000)),
            ("other::Far", Some(16)),
            ("other::inner::W", Some(8)),
            ("other::inner::X", Some(4)),
            ("other::inner::r#in", Some(8)),
            ("conditional::Wide", Some(20)),
            ("conditional::Split", Some(16)),
            ("elsewhere::inner::deep::D", Some(12)),
            ("elsewhere::inner::I", Some(8)),
            ("elsewhere::E", Some(4)),
            ("chosen::deep::D", Some(12)),
            ("chosen::I", Some(8)),
            ("width::W", Some(16)),
            ("directory::wide::W", Some(16)),
            ("generic::Eight", Some(8 * 128 * 4)),
            ("sparse::Matrix", None),
            ("sparse::Whole", None),
            ("sparse::Split", None),
        ]
    );
    assert_eq!(listing.rows()[0].defined, "tests/layouts.rs:18");
    // Each layout has its own line, not the line of the first layout with its name.
    let mut lines = BTreeSet::new();
    for row in listing.rows() {
        let (file, line) = row.defined.rsplit_once(':').expect("a line");
        let source = std::fs::read_to_string(file).expect("a file of this package");
        let line =
            source.lines().nth(line.parse::<usize>().expect("a number") - 1).expect("a line");
        let name = row.path.rsplit("::").next().expect("a name");
        assert!(line.contains(&format!("type {name}")), "{}: {line}", row.defined);
        // Two modules may share a file.
        assert!(lines.insert((&row.defined, &row.path)), "{}", row.defined);
    }
    let json: serde_json::Value = serde_json::from_str(&listing.json()).expect("JSON");
    assert_eq!(json[1]["notation"], "f32[12,24]{1,0:T(8,128)}");
    // The encoding and the sizes, and their sharding.
    let csr = "tensor<4x6xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>";
    assert_eq!((&json[19]["notation"], &json[20]["notation"]), (&csr.into(), &csr.into()));
    assert_eq!(json[21]["notation"], format!(r#"{csr} <@Pod, [{{"model"}}, {{}}]>"#));
}

#[test]
fn the_index_has_what_is_known_without_rustc() {
    let index: &str = layouts_index!("tests/layouts.rs");
    let lines: Vec<_> = index.lines().skip(2).collect();
    assert_eq!(lines.len(), 24);
    // Code is not broken within words, even if it contains characters that are special in Markdown.
    let code = "<code style=\"overflow-wrap:normal\">";
    let row = format!(
        "| {code}named::W1</code> | {code}bf16&#91;64,128&#93;{{1,0:T(8,128)(2,1)}}</code> | (64,128) | 16,384 (16 KiB) | 0 % |"
    );
    assert!(lines[0].starts_with(&row), "{index}");
    assert!(lines[1].contains("ROWS"), "{index}");
    assert!(lines[3].contains("| (32000,4096), (16000,1024) per device |"), "{index}");
    assert!(lines[3].contains("| 32,768,000 (31.25 MiB) per device |"), "{index}");
    // The bytes on each device, computed with the right mesh.
    let bytes = [
        (4, "| 16,384,000 (15.63 MiB) per device |"),
        (5, "| 16 per device |"),
        (6, "| 8 per device |"),
        (7, "| 4 per device |"),
        (11, "| 16 per device |"),
    ];
    for (line, bytes) in bytes {
        assert!(lines[line].contains(bytes), "{}", lines[line]);
    }
    // Layouts under conditions that only rustc can evaluate are listed with the condition.
    assert!(lines[9].contains("conditional::Narrow") && lines[9].contains("cfg("), "{index}");
    assert!(lines[10].contains("conditional::Wide") && !lines[10].contains("crate::"), "{index}");
    // A module whose file depends on a condition, and layouts with parameters.
    assert!(lines[17].contains("width::W") && lines[17].contains("cfg("), "{index}");
    assert!(lines[19].contains("generic::Rows") && lines[20].contains("generic::Eight"), "{index}");
    // For a sparse tensor the macro knows only what is written out.
    assert!(lines[21].contains("super") && lines[22].contains("tensor&#60;4x6xf64"), "{index}");
    assert!(lines[23].contains("sparse::Split"), "{index}");
}

#[test]
fn a_stale_listing_is_an_error_that_says_what_changed() {
    if std::env::var_os("BLESS").is_some() {
        return;
    }
    let directory = std::env::temp_dir().join(format!("listing-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let listing = layouts_listing!("tests/layouts.rs");
    let write = |name: &str, text: String| std::fs::write(directory.join(name), text);
    write("LAYOUTS.md", listing.markdown()).expect("a file");
    write("LAYOUTS.json", listing.json()).expect("a file");
    listing.check(&directory).expect("it is up to date");
    write("LAYOUTS.md", listing.markdown().replace("16,384", "999")).expect("a file");
    let error = listing.check(&directory).expect_err("it is stale");
    assert!(error.contains("BLESS=1") && error.contains("| `named::W1` |"), "{error}");
    std::fs::remove_dir_all(&directory).expect("it was there");
}

#[test]
fn arrays_can_have_sixteen_dimensions() {
    type Many = tensor_layout::tpu!(f32[2,2,2,2,2,2,2,2,2,2,130]);
    assert_eq!(
        Many::SPEC.to_string(),
        "f32[2,2,2,2,2,2,2,2,2,2,130]{10,9,8,7,6,5,4,3,2,1,0:T(2,128)}"
    );
    type Most = tensor_layout::tiled!(
        s16[1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,3]{0,2,4,15,14,13,12,11,10,9,8,7,6,5,3,1:T(2,2)(2,1)}
    );
    let row_major: Vec<i16> = (0..384).collect();
    let packed = Most::pack(&row_major).unwrap();
    assert_eq!(packed.unpack(), row_major);
    assert_eq!(packed.sum(&[15])[127], 381 + 382 + 383);
    let last = Most::DIMS.map(|size| size - 1);
    assert_eq!(packed.get(last), 383);
    assert_eq!(Most::index(Most::offset(last)), Some(last));
    assert_eq!(Most::offset(last), Most::SPEC.offset(&last));
}
