//! The notation at run time: reading, printing, and the messages about every mistake.

use tensor_layout::sparse::{LevelFormat, ScalarType, SparseEncoding};

#[track_caller]
fn prints(text: &str, canonical: &str) {
    let encoding: SparseEncoding = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let printed = encoding.to_string();
    assert_eq!(printed, format!("#sparse_tensor.encoding<{{ {canonical} }}>"), "{text}");
    assert_eq!(printed.parse(), Ok(encoding), "{printed}");
}

#[test]
fn texts_print_canonically() {
    for (text, canonical) in [
        ("(i) -> (i : compressed)", "map = (d0) -> (d0 : compressed)"),
        ("#sparse_tensor.encoding<{ map = (i) -> (i : dense) }>", "map = (d0) -> (d0 : dense)"),
        (
            "#X = #sparse_tensor.encoding<{ map = (i) -> (i : dense), }>",
            "map = (d0) -> (d0 : dense)",
        ),
        (
            "tensor<?xf32, #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>>",
            "map = (d0) -> (d0 : dense)",
        ),
        (
            "tensor<4x8xcomplex<f32>, #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>>",
            "map = (d0, d1) -> (d1 : dense, d0 : compressed)",
        ),
        // Names as MLIR writes them.
        (
            "(i$, i.x) -> (i$ : dense, i.x : compressed)",
            "map = (d0, d1) -> (d0 : dense, d1 : compressed)",
        ),
        (
            "{l.0, l$, m_1.}(i$, i) -> (l.0 = i$ floordiv 2 : dense, l$ = i : compressed, m_1. = i$ mod 2 : dense)",
            "map = (d0, d1) -> (d0 floordiv 2 : dense, d1 : compressed, d0 mod 2 : dense)",
        ),
        (
            "[c.](i.1, i.1.a) -> (c. * 4 * i.1 : dense, i.1 : dense, i.1.a : compressed)",
            "map = [s0](d0, d1) -> (d0 * (s0 * 4) : dense, d0 : dense, d1 : compressed)",
        ),
        // Two levels of blocks, in each spelling.
        (
            "(i) -> (i floordiv 8 : dense, (i mod 8) floordiv 2 : compressed, i mod 2 : dense)",
            "map = (d0) -> (d0 floordiv 8 : dense, (d0 floordiv 2) mod 4 : compressed, d0 mod 2 : dense)",
        ),
        (
            "(i) -> ((i floordiv 2) floordiv 4 : dense, (i floordiv 2) mod 4 : compressed, (i mod 8) mod 2 : dense)",
            "map = (d0) -> (d0 floordiv 8 : dense, (d0 floordiv 2) mod 4 : compressed, d0 mod 2 : dense)",
        ),
        (
            "(i) -> (i floordiv 1 : dense, i mod 1 : dense)",
            "map = (d0) -> (d0 : dense, d0 mod 1 : dense)",
        ),
        // Linearisation and diagonals.
        ("(i, j) -> (8 * i + j : compressed)", "map = (d0, d1) -> (d0 * 8 + d1 : compressed)"),
        (
            "(i, j) -> ((i * 8 + j) floordiv 4 : dense, (i * 8 + j) mod 4 : dense)",
            "map = (d0, d1) -> ((d0 * 8 + d1) floordiv 4 : dense, (d0 * 8 + d1) mod 4 : dense)",
        ),
        (
            "(i, j) -> (j - i : compressed, i : range)",
            "map = (d0, d1) -> (d1 - d0 : compressed, d0 : range)",
        ),
        (
            "(i, j) -> (-i + j : compressed, j : range)",
            "map = (d0, d1) -> (d1 - d0 : compressed, d1 : range)",
        ),
        (
            "(i, j) -> (i + 2 * j : compressed, i + j : dense)",
            "map = (d0, d1) -> (d0 + d1 * 2 : compressed, d0 + d1 : dense)",
        ),
        // Explicit inverses, also of linearized dimensions.
        (
            "{l}(i = l floordiv 8, j = l mod 8) -> (l = i * 8 + j : dense)",
            "map = (d0, d1) -> (d0 * 8 + d1 : dense)",
        ),
        (
            "{d, r}(i = r, j = d + r) -> (d = j - i : compressed, r = i : range)",
            "map = (d0, d1) -> (d1 - d0 : compressed, d0 : range)",
        ),
        (
            "{a, b}(i = (a + b) - a + a - b + b - a + a, j = b) -> (a = i : dense, b = j : dense)",
            "",
        ),
        // Formats, widths, values.
        (
            "(i, j) -> (i : dense, j : delta[3]), crdWidth = 8",
            "map = (d0, d1) -> (d0 : dense, d1 : delta[3]), crdWidth = 8",
        ),
        (
            "(i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense), padded = false",
            "map = (d0, d1) -> (d0 floordiv 2 : dense, d1 : compressed, d0 mod 2 : dense), padded = false",
        ),
        (
            "(i) -> (i : compressed), padded = true, posWidth = 0x10",
            "map = (d0) -> (d0 : compressed), posWidth = 16",
        ),
        (
            "(i) -> (i : compressed), explicitVal = -2.5e-3 : f32, implicitVal = 0 : i8",
            "map = (d0) -> (d0 : compressed), explicitVal = -2.500000e-03 : f32, implicitVal = 0 : i8",
        ),
        (
            "(i) -> (i : compressed), explicitVal = true",
            "map = (d0) -> (d0 : compressed), explicitVal = true",
        ),
        ("(i) -> (i : singleton, i : dense)", ""),
    ] {
        if canonical.is_empty() {
            assert!(text.parse::<SparseEncoding>().is_err(), "{text}");
        } else {
            prints(text, canonical);
        }
    }
}

#[test]
fn every_mistake_is_reported_with_its_line_and_column() {
    let mut wrong = String::new();
    for (text, expected) in [
        (
            "",
            "1:1: an encoding needs a `map` (help: for rows of sorted columns write `map = (i, j) -> (i : dense, j : compressed)`)",
        ),
        (
            "csr",
            "1:1: expected an encoding, found the name `csr` (help: write `(i, j) -> (i : dense, j : compressed)`)",
        ),
        (
            "(i) -> (i : compressed), postWidth = 8",
            "1:26: unknown key `postWidth` (help: did you mean `posWidth`?)",
        ),
        (
            "(i) -> (i : compressed), padded = 1",
            "1:35: expected `true` or `false`, found `1` (help: write `padded = true`)",
        ),
        (
            "(i) -> (i : compressed) (i)",
            "1:25: expected the end of the encoding, found `(` (help: leave `(i)` out)",
        ),
        (
            "(i) (i : compressed)",
            "1:5: expected `->`, found `(` (help: an arrow follows the dimensions, and then the levels: `(i, j) -> (i : dense, j : compressed)`)",
        ),
        (
            "(i) -> i : compressed",
            "1:8: expected `(`, found `i` (help: dimensions and levels go in parentheses: `(i, j) -> (i : dense, j : compressed)`)",
        ),
        (
            "(i) -> (i compressed)",
            "1:11: expected `:`, found `compressed` (help: write `: compressed`)",
        ),
        (
            "(i)\n -> (i : compressed,\n  j : dense)",
            "3:3: `j` is not declared (help: the names here are `i`; others are declared before the `->`)",
        ),
        ("(i) -> (i : delta)", "1:18: expected `[`, found `)` (help: write `delta[8]`)"),
        ("(i) -> (i : delta[1, 2])", "1:18: expected 1 size, found 2 (help: write `delta[8]`)"),
        (
            "(i) -> (i : singleton(high))",
            "1:23: unknown level property `high` (help: the properties are `nonunique`, `nonordered` and `soa`)",
        ),
        (
            "(a,b,c,d,e,f,g,h,i) -> (a : dense)",
            "1:21: 9 dimensions are more than the 8 that are supported (help: write at most 8)",
        ),
        (
            "(i, j) -> (i floordiv 2 + j : dense)",
            "1:12: a level holds one part of the index or one sum of dimensions, not a sum of parts (help: a level is a dimension, a sum of them, or a part: `i floordiv 2`, `i mod 2`)",
        ),
        (
            "(i) -> ((i floordiv 2) * 2 : dense)",
            "1:9: a level holds a part of the index, not a multiple of one (help: a level is a dimension, a sum of them, or a part: `i floordiv 2`, `i mod 2`)",
        ),
        (
            "(i, j) -> (i floordiv j : dense, j : dense)",
            "1:12: the right side of `floordiv` and `mod` must be a number (help: a level is a dimension, a sum of them, or a part: `i floordiv 2`, `i mod 2`)",
        ),
        (
            "(i, j) -> ((j - i) floordiv 2 : dense, i : dense)",
            "1:12: a difference of dimensions cannot be divided",
        ),
        (
            "(i) -> (i floordiv 4294967296 : dense, i mod 4294967296 : dense)",
            "1:9: a factor of a level can be at most 2147483647, but this one is 4294967296\n\
             1:40: a factor of a level can be at most 2147483647, but this one is 4294967296",
        ),
        ("(i) -> (0 : dense)", "1:9: this level holds the same value for every index"),
        ("(i) -> (i : compressed), explicitVal = 300 : i8", "1:40: `300` is not a value of `i8`"),
        ("(i) -> (i : compressed), explicitVal = 1.5 : i8", "1:40: `1.5` is not a value of `i8`"),
        (
            "(i) -> (i : compressed), explicitVal = 1 : q8",
            "1:44: unknown element type `q8` (help: did you mean `i8`?)",
        ),
        (
            "tensor<4xf32, #CSR>",
            "1:16: expected `sparse_tensor`, found `CSR` (help: an alias is defined elsewhere: write what it stands for, `#sparse_tensor.encoding<{ .. }>`)",
        ),
        (
            "tensor<4x4xq8, #sparse_tensor.encoding<{}>>",
            "1:1: an encoding needs a `map` (help: for rows of sorted columns write `map = (i, j) -> (i : dense, j : compressed)`)\n\
             1:8: unknown element type `q8` (help: did you mean `i8`?)",
        ),
    ] {
        match text.parse::<SparseEncoding>() {
            Ok(encoding) => panic!("{text} is read as {encoding}"),
            Err(error) if error.to_string() == expected => {}
            Err(error) => wrong += &format!("{text}\n{error}\nis not\n{expected}\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn parentheses_nest_to_a_limit() {
    let nested =
        |depth: usize| format!("(i) -> ({}i{} : dense)", "(".repeat(depth), ")".repeat(depth));
    prints(&nested(64), "map = (d0) -> (d0 : dense)");
    for depth in [65, 100_000] {
        let error = nested(depth).parse::<SparseEncoding>().unwrap_err().to_string();
        assert_eq!(error, "1:73: parentheses are nested deeper than 64");
    }
    let minus = format!("(i) -> ({}i : dense)", "- ".repeat(100_000));
    prints(&minus, "map = (d0) -> (d0 : dense)");
    let sum = format!("(i) -> (i{} : dense)", " + i - i".repeat(10_000));
    prints(&sum, "map = (d0) -> (d0 : dense)");
}

#[test]
fn the_run_time_twin_answers_questions() {
    let encoding: SparseEncoding =
        "(i, j) -> (i floordiv 4 : dense, j : compressed(nonunique), i mod 4 : dense)"
            .parse()
            .expect("an encoding");
    assert_eq!(encoding.rank(), 2);
    let level = encoding.levels()[1];
    assert_eq!((level.format, level.properties.nonunique), (LevelFormat::Compressed, true));
    assert_eq!(encoding.levels()[0].expr.of(&[9, 5]), 2);
    assert_eq!(encoding.levels()[2].expr.extent(&[9, 5]).map(|extent| extent.size), Some(4));
    assert!(encoding.array_problems(&[Some(9), None], None).is_empty());
    assert_eq!((encoding.inverse().weight(0, 0), encoding.inverse().weight(1, 1)), (4, 1));
}

#[test]
fn a_text_that_ends_within_parentheses_is_an_error() {
    for text in ["(", "()", "(dense", "(dense,", "(dense)", "(i : dense", "(i) -> ("] {
        assert!(text.parse::<SparseEncoding>().is_err(), "{text}");
    }
}

#[test]
fn types_have_the_names_of_mlir() {
    for name in ["i08", "i064", "i+8", "i", "i0", "i65", "i-1"] {
        assert_eq!(ScalarType::from_name(name), None, "{name}");
    }
    assert_eq!(ScalarType::from_name("i8"), Some(ScalarType::Integer(8)));
}

#[test]
fn levels_hold_what_their_formats_can() {
    for (text, expected) in [
        (
            "(i, j) -> (j - i : delta[3], i : range)",
            "1:20: a `delta` level cannot hold values below zero (help: store the level as `compressed`)",
        ),
        (
            "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 8])",
            "1:55: `structured` chooses from 8 coordinates, but the block has 4 (help: with blocks of 8 the last two levels are `j floordiv 8 : dense, j mod 8`)",
        ),
        (
            "(i, j) -> (i floordiv 2 : dense, j floordiv 4 : dense, i mod 2 : dense, j mod 4 : structured[2, 4])",
            "1:12: above a `structured` level with 4 coordinates, other dimensions can only be in blocks of 4 (help: 2:4 sparsity is `(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])`)",
        ),
    ] {
        let error = text.parse::<SparseEncoding>().expect_err(text).to_string();
        assert_eq!(error, expected);
    }
}
