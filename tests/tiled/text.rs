//! XLA's text at run time: reading, printing, and the message for every mistake.

use tensor_layout::{DType, Shape, TiledSpec};

#[track_caller]
fn prints(text: &str, canonical: &str) {
    let shape: Shape = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(shape.to_string(), canonical, "{text}");
    assert_eq!(canonical.parse(), Ok(shape), "{canonical}");
}

#[track_caller]
fn mistakes(text: &str) -> String {
    match text.parse::<Shape>() {
        Ok(shape) => panic!("{text} is read as {shape}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn texts_print_canonically() {
    for (text, canonical) in [
        ("f32[3,5]", "f32[3,5]{1,0}"),
        ("F32[3,5]<1,0:T(2,2)>", "f32[3,5]{1,0:T(2,2)}"),
        ("f32[ 1, 2]{0, 1 }", "f32[1,2]{0,1}"),
        ("f32[3,5]{1,0:}", "f32[3,5]{1,0}"),
        ("f32[3,5]{1,0:D(D,C+~)}", "f32[3,5]{1,0}"),
        ("f32[3,5]{1,0:D()T(2,2)}", "f32[3,5]{1,0:T(2,2)}"),
        ("f32[3,5]{1,0:L(1)E(0)S(0)M(0)}", "f32[3,5]{1,0}"),
        (
            "f32[3,5]{1,0:T(2,2)L(16)E(32)S(5)SC(0:1)(1:2,4)M(8)}",
            "f32[3,5]{1,0:T(2,2)L(16)E(32)S(5)SC(0:1)(1:2,4)M(8)}",
        ),
        ("f32[2,3,4]{2,1,0:T ( 2 , * , 4 ) ( 1 )}", "f32[2,3,4]{2,1,0:T(2,*,4)(1)}"),
        ("f32[007,0]", "f32[7,0]{1,0}"),
        ("f32[]", "f32[]"),
        ("f32[]{:}", "f32[]"),
        ("f32[]{:T(256)}", "f32[]{:T(256)}"),
        ("f32[?,784]", "f32[?,784]{1,0}"),
        ("f32[<=23,44]", "f32[<=23,44]{1,0}"),
        ("f32[2,3]{0,1} padded to [3,5] with zero", "f32[2,3]{0,1} padded to [3,5] with zero"),
        ("f32[2,3]{0,1} padded to [3,5]", "f32[2,3]{0,1} padded to [3,5] with zero"),
        ("f32[2,<=3]{0,1} padded with one", "f32[2,<=3]{0,1} padded to [2,3] with one"),
        ("F32[2,7,8,11,10]{4,3,2,1,0:T(-1,-1,2,-1,3)}", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"),
        ("f32[3,5] // to the end of the line\n /* and */ {1,0}", "f32[3,5]{1,0}"),
        ("token[]", "token[]"),
        ("opaque[ ]", "opaque[]"),
        ("b(f32[8,16]{1,0})", "b(f32[8,16]{1,0})"),
        ("()", "()"),
        ("((),())", "((), ())"),
        ("( f32[1] , ( f32[2], token[] ) )", "(f32[1]{0}, (f32[2]{0}, token[]))"),
    ] {
        prints(text, canonical);
    }
}

#[test]
fn every_fifth_element_of_a_tuple_is_numbered() {
    let tuple = |elements: usize| format!("({})", vec!["s8[]"; elements].join(","));
    prints(&tuple(5), "(s8[], s8[], s8[], s8[], s8[])");
    prints(&tuple(6), "(s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[])");
    prints(
        &tuple(11),
        "(s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[], s8[], s8[], s8[], s8[], /*index=10*/s8[])",
    );
}

#[test]
fn tuples_nest_to_a_limit() {
    let nested = |depth: usize| "(".repeat(depth) + "s8[]" + &")".repeat(depth);
    prints(&nested(64), &nested(64));
    assert_eq!(mistakes(&nested(65)), "1:66: shapes are nested deeper than 64");
    assert_eq!(
        mistakes(&"(".repeat(100_000)),
        "1:66: shapes are nested deeper than 64\n1:99999: `(` is not closed (help: close it with `)`)"
    );
    // The rest of the notation of sparse arrays could nest too, but is an error at any depth.
    let physical = "f32[3]{0:P(".repeat(100_000);
    assert_eq!(
        mistakes(&physical),
        "1:10: attribute `P` is for sparse arrays, and this array is dense (help: leave it out, or write a sparse array with `sparse_tensor!`)\n\
         1:1100001: expected an attribute or `}`, found the end (help: write `}`: a layout ends with the bracket that it began with)",
    );
}

/// Texts, and the messages for their mistakes.
const MISTAKES: &[(&str, &str)] = &[
    // Element types and dimensions.
    (
        "",
        "1:1: expected an element type, found the end (help: an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`)",
    ),
    (
        "[3,5]",
        "1:1: expected an array as XLA writes it, found its sizes alone (help: an element type comes before the sizes: `f32[3,5]`)",
    ),
    ("bf17[3]", "1:1: unknown element type `bf17` (help: did you mean `bf16`?)"),
    ("float32[3]", "1:1: unknown element type `float32` (help: did you mean `f32`?)"),
    (
        "f32",
        "1:4: expected `[`, found the end (help: a scalar has empty brackets, `f32[]`, and an array its sizes, `f32[3,5]`)",
    ),
    ("f32[", "1:5: expected an integer, found the end (help: write a number)"),
    ("f32[3", "1:6: expected `,` or `]`, found the end (help: write `]` before it)"),
    ("f32[3 5]", "1:7: expected `,` or `]`, found `5` (help: separate the items by commas)"),
    ("f32[3,,5]", "1:7: expected an integer, found `,` (help: leave the `,` out, or write a size)"),
    ("f32[3,]", "1:7: expected an integer, found `]` (help: leave the `,` out, or write a size)"),
    (
        "f32[3,-5]",
        "1:7: dimension 1 cannot have the negative size -5 (help: write the size, or a bound of it: `<=784`)",
    ),
    ("f32[+3]", "1:5: expected an integer, found `+` (help: write a number)"),
    ("f32[0x10]", "1:6: expected `,` or `]`, found `x10` (help: separate the items by commas)"),
    (
        "f32[ROWS]",
        "1:5: expected an integer, found `ROWS` (help: names and expressions are for the macros: write a number)",
    ),
    (
        "f32[{4}]",
        "1:5: expected an integer, found `{` (help: names and expressions are for the macros: write a number)",
    ),
    (
        "f32[<=?]",
        "1:7: expected an integer, found `?` (help: a bound is a number, `<=784`, and a size without a bound is `?`)",
    ),
    ("f32[< =3]", "1:5: expected an integer, found `<` (help: a bound is written `<=784`)"),
    (
        "f32[1,2,3,4,5,6,7,8,9,1,1,1,1,1,1,1,1]",
        "1:4: 17 dimensions are more than the 16 that are supported (help: write at most 16)",
    ),
    (
        "f32[9223372036854775808]",
        "1:5: integer literal is too large (help: the largest is 9223372036854775807)",
    ),
    (
        "f32[9223372036854775807,2]",
        "1:4: the array takes 73786976294838206456 bytes, more than fits in the address space (help: no memory is large enough for this array: write the sizes of one device's part)",
    ),
    (
        "u8[9223372036854775807,9223372036854775807,9223372036854775807]",
        "1:3: the array takes more bytes than fit in the address space (help: no memory is large enough for this array: write the sizes of one device's part)",
    ),
    (
        "u8[1152921504606846976,1]{1,0:T(8,128)}",
        "1:3: the array takes 1152921504606846976 bytes, and with its padding more than fits in the address space (help: choose smaller tiles or widths)",
    ),
    // minor_to_major.
    (
        "f32[3,5]{1,1}",
        "1:12: dimension 1 is listed twice in minor_to_major (help: did you mean `{1,0}`?)",
    ),
    (
        "f32[2,3,5]{2,0,2}",
        "1:16: dimension 2 is listed twice in minor_to_major (help: did you mean `{2,0,1}`?)",
    ),
    (
        "f32[3,5]{2,0}",
        "1:10: dimension 2 does not exist: the array has 2 dimensions (help: did you mean `{1,0}`?)",
    ),
    (
        "f32[3,5]{1,-1}",
        "1:12: dimension -1 does not exist: the array has 2 dimensions (help: did you mean `{1,0}`?)",
    ),
    (
        "f32[3,5]{0}",
        "1:10: the array has 2 dimensions, but minor_to_major lists 1 (help: did you mean `{0,1}`?)",
    ),
    (
        "f32[3,5]{2,1,0}",
        "1:10: the array has 2 dimensions, but minor_to_major lists 3 (help: did you mean `{1,0}`?)",
    ),
    (
        "f32[3,5]{:T(2)}",
        "1:9: the array has 2 dimensions, but minor_to_major lists 0 (help: did you mean `{1,0}`?)",
    ),
    (
        "f32[3]{9,8,7,6,5,4,3,2,1}",
        "1:8: the array has 1 dimension, but minor_to_major lists 9 (help: did you mean `{0}`?)",
    ),
    (
        "f32[]{0}",
        "1:7: the array has 0 dimensions, but minor_to_major lists 1 (help: a scalar has an empty minor_to_major: `{:T(128)}`)",
    ),
    (
        "f32[3,5]{1,}",
        "1:12: expected a dimension, found `}` (help: leave the last `,` out, or list one more dimension)",
    ),
    (
        "f32[3,5]{1 0}",
        "1:12: expected `,`, `:` or `}`, found `0` (help: dimensions are separated by commas: `{1,0}`)",
    ),
    (
        "f32[3,5]{1,0",
        "1:13: expected `:` or `}`, found the end (help: a layout is minor_to_major, and attributes after a colon: `{1,0:T(8,128)}`)",
    ),
    (
        "F32[3,5]<1,0}",
        "1:13: expected `:` or `>`, found `}` (help: a layout is minor_to_major, and attributes after a colon: `{1,0:T(8,128)}`)",
    ),
    // Tiles.
    (
        "f32[3,5]{1,0:T(0,2)}",
        "1:16: a tile size must be positive, but this one is 0 (help: write 1 where a dimension is not tiled)",
    ),
    (
        "f32[3,5]{1,0:T(2,-1)}",
        "1:18: a tile size must be positive, but this one is -1 (help: write 1 where a dimension is not tiled)",
    ),
    (
        "f32[3,5]{1,0:T(2,2)()}",
        "1:20: a tile needs at least one size (help: give it sizes, `T(8,128)`, or leave it out)",
    ),
    (
        "f32[3,5]{1,0:T}",
        "1:14: a tile needs at least one size (help: give it sizes, `T(8,128)`, or leave it out)",
    ),
    (
        "f32[3,5]{1,0:T(2,*)}",
        "1:18: `*` cannot be the most minor size of a tile: there is no dimension to combine it with (help: a size follows the last `*`: `T(*,128)`)",
    ),
    (
        "f32[3,5]{1,0:T(8,128)(4,1)(2,1)(2,1)(2,1)}",
        "1:37: 5 tiles in a layout are more than the 4 that are supported (help: write at most 4)",
    ),
    (
        "f32[3,5]{1,0:T(1,1,1,1,1,1,1,1,1)}",
        "1:15: 9 sizes in a tile are more than the 8 that are supported (help: write at most 8)",
    ),
    ("f32[3,5]{1,0:T(2,2}", "1:19: expected `,` or `)`, found `}` (help: write `)` before it)"),
    (
        "f32[3,5]{1,0:(2,2)}",
        "1:14: expected an attribute or `}`, found `(` (help: tiles follow a `T`: `T(2,2)`)",
    ),
    // Attributes.
    ("f32[3,5]{1,0:t(2,2)}", "1:14: unknown attribute `t` (help: did you mean `T`?)"),
    (
        "f32[3,5]{1,0:K(1)}",
        "1:14: unknown attribute `K` (help: the attributes are `T`, `L`, `E`, `S`, `SC` and `M`, in this order)",
    ),
    (
        "f32[3,5]{1,0:S(1)T(2,2)}",
        "1:18: attribute `T` must come before `S` (help: the attributes are `T`, `L`, `E`, `S`, `SC` and `M`, in this order)",
    ),
    (
        "f32[3,5]{1,0:T(2,2)T(2,1)}",
        "1:20: attribute `T` is given twice (help: all tiles follow one `T`: `T(8,128)(2,1)`)",
    ),
    ("f32[3,5]{1,0:S(1)S(2)}", "1:18: attribute `S` is given twice (help: leave one of them out)"),
    (
        "f32[3,5]{1,0:S}",
        "1:15: expected `(`, found `}` (help: its value goes in parentheses: `S(1)`)",
    ),
    ("f32[3,5]{1,0:S()}", "1:16: expected an integer, found `)` (help: write a number)"),
    ("f32[3,5]{1,0:S(1,2)}", "1:17: expected `)`, found `,` (help: it has one value: `S(1)`)"),
    (
        "f32[3,5]{1,0:#(u32)}",
        "1:14: attribute `#` is for sparse arrays, and this array is dense (help: leave it out, or write a sparse array with `sparse_tensor!`)",
    ),
    (
        "f32[3,5]{1,0:*(u32)}",
        "1:14: attribute `*` is for sparse arrays, and this array is dense (help: leave it out, or write a sparse array with `sparse_tensor!`)",
    ),
    (
        "f32[3,5]{1,0:P(f32[2])}",
        "1:14: attribute `P` is for sparse arrays, and this array is dense (help: leave it out, or write a sparse array with `sparse_tensor!`)",
    ),
    (
        "f32[3,5]{1,0:D(X)}",
        "1:16: expected a level type, `D`, `C`, `S` or `H`, found `X` (help: leave the `D(..)` out: all dimensions of an array are dense)",
    ),
    (
        "f32[9]{0:T(8)L(0)}",
        "1:16: a tail alignment must be positive, but this one is 0 (help: leave `L` out where the end needs no alignment)",
    ),
    (
        "f32[3,5]{1,0:S(300)}",
        "1:16: memory space 300 is not between 0 and 127 (help: HBM needs no `S`, VMEM is `S(1)`, the host is `S(5)`)",
    ),
    (
        "f32[3,5]{1,0:S(-1)}",
        "1:16: memory space -1 is not between 0 and 127 (help: HBM needs no `S`, VMEM is `S(1)`, the host is `S(5)`)",
    ),
    (
        "f32[3]{0:E(16)}",
        "1:12: `E(16)` cannot hold an element of `f32`, which has 32 bits (help: `f32` can be stored in 32, 64 or 128 bits)",
    ),
    (
        "c128[3]{0:E(5)}",
        "1:13: an element cannot be stored in 5 bits (help: `c128` can be stored in 128 bits)",
    ),
    (
        "f32[3,5]{1,0:SC(2:1)}",
        "1:17: physical dimension 2 does not exist: the array has 2 dimensions (help: physical dimensions are numbered from the most major one, 0, to 1)",
    ),
    (
        "f32[3,5]{1,0:SC(0:1)(0:2)}",
        "1:22: physical dimension 0 is split twice (help: list all indices of a dimension in one group: `SC(0:30,60)`)",
    ),
    (
        "f32[3,5]{1,0:SC(0:0)}",
        "1:19: a split index must be positive, but this one is 0 (help: list the indices in ascending order, each once: `SC(0:30,60)`)",
    ),
    (
        "f32[3,5]{1,0:SC(1:3,2)}",
        "1:21: split indices must increase, but 2 follows 3 (help: list the indices in ascending order, each once: `SC(0:30,60)`)",
    ),
    (
        "f32[3,5]{1,0:SC(1:3,5)}",
        "1:21: split index 5 is out of bounds: dimension 1 has size 5 (help: an index is between 1 and 4)",
    ),
    (
        "f32[?,5]{1,0:SC(0:3)}",
        "1:5: dimension 0 is unbounded, so it can be neither padded nor split (help: give it a bound: `<=784`)",
    ),
    (
        "f32[3,5]{1,0:SC(1:)}",
        "1:19: expected an integer, found `)` (help: a split is a physical dimension and its indices: `SC(0:30)(1:40,130)`)",
    ),
    (
        "f32[3,5]{1,0:SC}",
        "1:16: expected `(`, found `}` (help: a split is a physical dimension and its indices: `SC(0:30)(1:40,130)`)",
    ),
    (
        "f32[<=3]{0:M(-1)}",
        "1:14: a buffer cannot start with -1 bytes of sizes (help: leave `M` out where no sizes precede the data)",
    ),
    // Explicit padding.
    (
        "f32[2,3]{0,1} padded to [3] with zero",
        "1:25: the array has 2 dimensions, but `padded to` lists 1 (help: write 2 widths, one for each dimension)",
    ),
    (
        "f32[2,3]{0,1} padded to [3,2] with zero",
        "1:28: dimension 1 has size 3 and cannot be padded to 2 (help: write 3 or more)",
    ),
    (
        "f32[2] padded to [3] with nan",
        "1:27: unknown padding value `nan` (help: the values are `zero`, `one`, `lowest` and `highest`)",
    ),
    (
        "c64[2] padded to [3] with lowest",
        "1:27: `c64` has no value `lowest` to pad with (help: `c64` can be padded with `zero` or `one`)",
    ),
    // Memories by name.
    ("f32[2]{0:S(VMEM)}", "1:12: a memory space is a number (help: VMEM is `S(1)`)"),
    ("f32[2]{0:T(2)S(host)}", "1:16: a memory space is a number (help: the host is `S(5)`)"),
    ("f32[2]{0:S(HBM)}", "1:12: a memory space is a number (help: HBM needs no `S`)"),
    (
        "f32[2]{0:S(SMEM)}",
        "1:12: a memory space is a number (help: its number is not documented: write the one that the compiler prints)",
    ),
    ("f32[2]{0:S(GMEM)}", "1:12: expected an integer, found `GMEM` (help: write a number)"),
    (
        "f32[2] padded to [3] with",
        "1:26: expected a padding value, found the end (help: the values are `zero`, `one`, `lowest` and `highest`)",
    ),
    (
        "f32[2] padded [3]",
        "1:15: expected `to`, found `[` (help: padding is written `padded to [4,8] with zero`, and either half may be left out)",
    ),
    (
        "f32[?] padded with one",
        "1:5: dimension 0 is unbounded, so it can be neither padded nor split (help: give it a bound: `<=784`)",
    ),
    (
        "f32[N] padded with one",
        "1:5: expected an integer, found `N` (help: names and expressions are for the macros: write a number)",
    ),
    (
        "f32[-1] padded with one",
        "1:5: dimension 0 cannot have the negative size -1 (help: write the size, or a bound of it: `<=784`)",
    ),
    // What is not an array.
    ("token[3]", "1:7: `token` has no dimensions (help: leave the brackets empty)"),
    ("opaque[3]", "1:8: `opaque` has no dimensions (help: leave the brackets empty)"),
    (
        "b()",
        "1:3: a buffer holds one array, found none (help: several arrays are a tuple: `(f32[3], s32[])`)",
    ),
    (
        "b(f32[8],f32[8])",
        "1:9: a buffer holds one array, found several (help: several arrays are a tuple: `(f32[3], s32[])`)",
    ),
    (
        "(f32[1],)",
        "1:9: expected an element type, found `)` (help: an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`)",
    ),
    ("(f32[1]", "1:8: expected `,` or `)`, found the end (help: write `)` before it)"),
    // What follows.
    (
        "f32[3,5]{1,0} x",
        "1:15: expected the end of the shape, found `x` (help: an array is followed only by its layout, `{1,0}`, and its padding, `padded to [4,8] with zero`)",
    ),
    (
        "f32[3,5]{}",
        "1:9: expected the end of the shape, found `{` (help: a layout starts with minor_to_major, and attributes follow a colon: `{1,0:T(8,128)}`)",
    ),
    (
        "f32[3,5] /* open",
        "1:10: expected the end of the shape, found `/*` (help: an array is followed only by its layout, `{1,0}`, and its padding, `padded to [4,8] with zero`)",
    ),
    // Several lines, and several mistakes, in the order of the text.
    (
        "f32 /* a\n comment */ [3,\n  5]\n{1,1}",
        "4:4: dimension 1 is listed twice in minor_to_major (help: did you mean `{1,0}`?)",
    ),
    (
        "f32[3] // ä\n ä",
        "2:2: expected the end of the shape, found `ä` (help: an array is followed only by its layout, `{1,0}`, and its padding, `padded to [4,8] with zero`)",
    ),
    (
        "(f32[3,5]{1,1},\n q8[2],\n s8[3]{0:T(0)S(128)})",
        "1:13: dimension 1 is listed twice in minor_to_major (help: did you mean `{1,0}`?)\n\
         2:2: unknown element type `q8` (help: did you mean `s8`?)\n\
         3:12: a tile size must be positive, but this one is 0 (help: write 1 where a dimension is not tiled)\n\
         3:16: memory space 128 is not between 0 and 127 (help: HBM needs no `S`, VMEM is `S(1)`, the host is `S(5)`)",
    ),
    (
        "bf17[-1] padded to [0] with nan",
        "1:1: unknown element type `bf17` (help: did you mean `bf16`?)\n\
         1:6: dimension 0 cannot have the negative size -1 (help: write the size, or a bound of it: `<=784`)\n\
         1:29: unknown padding value `nan` (help: the values are `zero`, `one`, `lowest` and `highest`)",
    ),
];

#[test]
fn every_mistake_is_reported_with_its_line_and_column() {
    let wrong: Vec<_> = (MISTAKES.iter())
        .filter(|(text, expected)| mistakes(text) != *expected)
        .map(|(text, expected)| {
            format!("{text}\nexpected\n{expected}\nfound\n{}\n", mistakes(text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_an_array_has_a_layout() {
    for (text, expected) in [
        (
            "(f32[3])",
            "1:1: expected an array, found a tuple of one array (help: leave the parentheses out)",
        ),
        (
            "b(f32[3])",
            "1:1: expected an array, found a buffer (help: write the array without `b(..)`)",
        ),
        ("token[]", "1:1: expected an array, found a token (help: a token has no elements)"),
        (
            "opaque[]",
            "1:1: expected an array, found an opaque value (help: its elements are not known)",
        ),
    ] {
        assert_eq!(text.parse::<TiledSpec>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_mistake_can_be_taken_apart() {
    let error = "f32[3,5]\n{1,0:T(2,0)S(x)}".parse::<TiledSpec>().unwrap_err();
    // Reading continues after the part that cannot be read.
    let [tile, mistake] = error.mistakes() else { panic!("{error}") };
    assert_eq!((tile.line, tile.column), (2, 10));
    assert_eq!((mistake.line, mistake.column), (2, 14));
    assert_eq!(mistake.message, "expected an integer, found `x`");
    assert_eq!(mistake.help, "write a number");
}

/// Also of an array without elements, which takes no memory whatever its other sizes are.
#[test]
fn every_layout_has_a_text_that_is_read() {
    for size in [1, isize::MAX as usize / 4, isize::MAX as usize] {
        let spec = TiledSpec::row_major(DType::F32, &[0, size]).unwrap();
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    for size in [isize::MAX as usize + 1, usize::MAX] {
        assert_eq!(TiledSpec::row_major(DType::F32, &[0, size]), None);
        assert_eq!(TiledSpec::row_major(DType::F32, &[size, 0]), None);
    }
}
