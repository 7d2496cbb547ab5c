use crate::golden::check;
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Draw, Sharded, Style, html, terminal};
use tensor_layout::sparse::{Duplicates, DynSparseTensor, Parts, SparseEncoding};

fn tiled(text: &str) -> TiledSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn sparse(text: &str) -> SparseEncoding {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn sharded(text: &str, mesh: &str) -> Sharded {
    let mesh = mesh.parse().unwrap_or_else(|error| panic!("{mesh}: {error}"));
    Sharded::read(text, &mesh).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Text and SVG of one layout.
#[track_caller]
fn both(file: &str, subject: &impl Draw) {
    check(&format!("{file}.txt"), &terminal(subject, Style::PLAIN));
    let svg = subject.picture().svg_file();
    // A line for each element, so that differences can be read.
    check(&format!("{file}.svg"), &(svg.replace("><", ">\n<") + "\n"));
}

#[test]
fn figure_1_of_the_document() {
    both("figure_1", &tiled("f32[3,5]{1,0:T(2,2)}"));
}

#[test]
fn figure_2_of_the_document() {
    both("figure_2", &tiled("f32[4,8]{1,0:T(2,4)(2,1)}"));
}

#[test]
fn a_large_array_is_one_tile_and_the_grid_of_tiles() {
    both("weights", &tiled("bf16[1000,384]{1,0:T(8,128)(2,1)}"));
}

#[test]
fn one_dimension_stands_in_rows() {
    check("linear.txt", &terminal(&tiled("bf16[2048]{0:T(1024)(128)(2,1)}"), Style::PLAIN));
}

#[test]
fn combined_dimensions_are_drawn_as_the_combined_array() {
    let combined = tiled("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}");
    check("combined.txt", &terminal(&combined, Style::PLAIN));
}

#[test]
fn colours_are_those_of_a_terminal() {
    let colored = Style { color: true, width: 100 };
    check("figure_2.ansi", &tiled("f32[4,8]{1,0:T(2,4)(2,1)}").picture().text(colored));
}

#[test]
fn a_narrow_terminal_shows_fewer_columns() {
    let spec = tiled("f32[100,384]{1,0:T(8,128)}");
    let full = spec.picture().text(Style::PLAIN);
    for width in [50, 60, 80] {
        let text = spec.picture().text(Style { color: false, width });
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(
            widest.is_some_and(|widest| widest <= width && widest > width - 9),
            "{width}:\n{text}"
        );
        // The number of lines is the same, and each has its ends; the last column is that of the last lane.
        assert_eq!(text.lines().count(), full.lines().count(), "{text}");
        assert!(text.contains("127\n") && text.contains(" … "), "{text}");
    }
    // Captions are wrapped.
    let text = spec.picture().text(Style { color: false, width: 40 });
    assert!(text.contains("\nall tiles, each with the offset at which\nit starts\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
}

#[test]
fn blocks_of_2_by_2() {
    both(
        "bsr",
        &sparse(
            "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
        ),
    );
}

#[test]
fn two_of_four() {
    both(
        "two_of_four",
        &sparse(
            "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2",
        ),
    );
}

#[test]
fn an_array_over_a_mesh() {
    let text = r#"bf16[32000,4096] @ Pod [{"data"}, {"model"}]"#;
    both("sharded", &sharded(text, r#"<["data"=2, "model"=4]>"#));
    let text = r#"f32[7] @ Pod [{"model":(1)2}], replicated={"data"}, padded"#;
    let replicated = sharded(text, r#"<["data"=2, "model"=4]>"#);
    check("replicated.txt", &terminal(&replicated, Style::PLAIN));
}

/// Whatever is drawn, however large: a page stays small, and the SVG is one line of balanced elements.
#[test]
fn every_picture_is_small() {
    let mesh = r#"<["a"=64, "b"=64]>"#;
    let tiled_ones = [
        "f32[]",
        "f32[0,3]",
        "f32[7]",
        "pred[5]{0:T(512)(128)(4,1)}",
        "s8[333,512]{1,0:T(8,128)(4,1)}",
        "s4[3,5]{0,1:T(8,128)(8,1)E(4)}",
        "f32[16,16]",
        "f32[16,16]{0,1:T(2,4)(2,1)}",
        "f32[?,4]",
        "c128[3,4,5,6]{0,2,1,3:T(2,3)}",
        "f32[2,3]{0,1} padded to [3,5] with zero",
        "u8[9000000000,1000000]{0,1:T(32,128)(4,1)}",
        "bf16[10,10]{1,0:T(1,128)(2,1)}",
        "bf16[1000]{0:T(128)(2,1)}",
        "f32[100,100]{1,0:T(*,7)}",
    ];
    let sparse_ones = [
        "(i) -> (i : compressed)",
        "(i, j) -> (i : dense, j : compressed)",
        "(i, j) -> (i : compressed(nonunique), j : singleton)",
        "[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)",
        "(i, j) -> (j - i : compressed, i : range)",
        "(i, j) -> (i : dense, j : delta[8])",
        "(i, j, k) -> (i : batch, j : dense, k : compressed)",
        "(i, j) -> (i : dense, j : loose_compressed)",
    ];
    let sharded_ones = [
        r#"f32[640,640] @ M [{"a"}, {"b"}]"#,
        r#"f32[640,640] @ M [{}, {}]"#,
        r#"f32[2,64,64] @ M [{}, {"b"}, {"a"}]"#,
    ];
    let mut pages: Vec<(String, String, String)> = Vec::new();
    let mut add = |name: &str, svg: String, html: String| pages.push((name.into(), svg, html));
    for text in tiled_ones {
        add(text, tiled(text).picture().svg(), html(&tiled(text)));
    }
    for text in sparse_ones {
        add(text, sparse(text).picture().svg(), html(&sparse(text)));
    }
    for text in sharded_ones {
        let subject = sharded(text, mesh);
        add(text, subject.picture().svg(), html(&subject));
    }
    for (name, svg, page) in pages {
        assert!(page.len() < 60_000, "{name}: {} bytes", page.len());
        assert_eq!(svg.lines().count(), 1, "{name}");
        assert!(
            svg.contains("role=\"img\"")
                && svg.contains("aria-label=\"")
                && svg.contains("<title>"),
            "{name}"
        );
        assert!(!svg.contains("<script") && !svg.contains("href"), "{name}");
        for element in ["svg", "g", "text", "title"] {
            let open = svg.matches(&format!("<{element}>")).count()
                + svg.matches(&format!("<{element} ")).count();
            assert_eq!(open, svg.matches(&format!("</{element}>")).count(), "{name}: <{element}>");
        }
    }
}

/// The cells of a picture follow the index function: each states where its element lies.
#[test]
fn cells_say_where_elements_lie() {
    for text in
        ["f32[3,5]{1,0:T(2,2)}", "f32[5,3]{0,1:T(2,2)(2,1)}", "f32[16,16]{1,0}", "s8[9]{0:T(8)}"]
    {
        let spec = tiled(text);
        let picture = spec.picture();
        let cells = &picture.panels[0].cells;
        let elements: Vec<_> = cells.iter().filter(|cell| !cell.text.is_empty()).collect();
        assert_eq!(elements.len(), spec.elements(), "{text}");
        for (cell, index) in elements.iter().zip(spec.indices()) {
            let names: Vec<_> = index.iter().map(usize::to_string).collect();
            let expected = format!("({}) -> {}", names.join(","), spec.offset(&index));
            assert_eq!(cell.hover, expected, "{text}");
        }
        assert_eq!(cells.len() - elements.len(), spec.len() - spec.elements(), "{text}: padding");
    }
}

/// The lengths of the arrays of an encoding, as formulas, with the numbers of a tensor.
#[test]
fn arrays_have_the_lengths_of_their_formulas() {
    // I, J and K are 3, 4 and 5. Two entries are stored, in each batch.
    for (text, formulas, lengths) in [
        (
            "(i, j) -> (i : dense, j : compressed)",
            "positions[1]: I + 1, coordinates[1]: nnz, values: nnz",
            vec![4, 2, 2],
        ),
        (
            "(i, j) -> (i : dense, j : loose_compressed)",
            "positions[1]: 2*I + 1, coordinates[1]: nnz, values: nnz",
            vec![7, 2, 2],
        ),
        (
            "(i, j) -> (i : batch, j : compressed)",
            "positions[1]: I*(1 + 1), coordinates[1]: I*nnz, values: I*nnz",
            vec![6, 6, 6],
        ),
        (
            "(i, j, k) -> (i : batch, j : dense, k : compressed)",
            "positions[2]: I*(J + 1), coordinates[2]: I*nnz, values: I*nnz",
            vec![15, 6, 6],
        ),
    ] {
        let encoding = sparse(text);
        let picture = terminal(&encoding, Style { width: 200, ..Style::PLAIN });
        assert!(picture.contains(&format!("array sizes     {formulas}")), "{text}: {picture}");
        let rank = encoding.rank();
        let shape = &[3, 4, 5][..rank];
        let entries: Vec<_> = (0..3)
            .flat_map(|i| [1, 3].map(|last| ([&[i, 0, last][..rank - 1], &[last]].concat(), 1.0)))
            .collect();
        let entries = match text.contains("batch") {
            true => &entries[..],
            false => &entries[..2],
        };
        let tensor = DynSparseTensor::from_coo(encoding, shape, entries, Duplicates::Error);
        let Parts { levels, values, .. } = tensor.expect("a tensor").disassemble();
        let last = &levels[rank - 1];
        assert_eq!(
            [last.positions.len(), last.coordinates.len(), values.len()],
            lengths[..],
            "{text}"
        );
    }
}
