//! Packing all pieces is the same as packing the whole: every stored byte belongs to one piece, and every element of a piece is
//! at the same position as in the array.

use tensor_layout::TiledSpec;
use tensor_layout::tiled::{Piece, Pieces};

/// Limits on the bytes of a piece.
const LIMITS: [usize; 5] = [0, 7, 48, 256, usize::MAX];

/// Element types, some of which take parts of bytes, with a tail alignment.
const ELEMENTS: [(&str, &str); 6] = [
    ("f32", ""),
    ("u8", "L(64)"),
    ("s4", "E(4)"),
    ("u4", "L(10)E(4)"),
    ("f6e2m3fn", "L(1)E(6)"),
    ("pred", "L(7)E(1)"),
];

fn spec(text: &str) -> TiledSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// All indices of an array with the sizes `dims`, row-major.
fn indices(dims: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (0..dims.iter().product()).map(move |mut number: usize| {
        let mut index = vec![0; dims.len()];
        for (at, size) in index.iter_mut().zip(dims).rev() {
            *at = number % size;
            number /= size;
        }
        index
    })
}

/// Checks one piece, marks its bytes in the array, and returns the number of its elements.
fn check(array: &TiledSpec, piece: &Piece<'_>, bytes: &mut [bool]) -> usize {
    let bits = array.stored_bits();
    let runs: Vec<_> = piece.runs().collect();
    let mut end = 0;
    for run in &runs {
        assert_eq!(run.piece.start, end, "the runs of {piece:?} are in order, without gaps");
        assert_eq!(run.piece.len(), run.array.len(), "{array}: {run:?}");
        end = run.piece.end;
        for owned in &mut bytes[run.array.clone()] {
            assert!(
                !core::mem::replace(owned, true),
                "{array}: a byte of {run:?} is in two pieces"
            );
        }
    }
    assert_eq!(end, piece.spec().storage_bytes(), "{array}: the runs are all bytes of {piece:?}");
    assert_eq!(
        runs[0].array.start * 8,
        piece.offset() * bits,
        "{array}: the first run starts at the offset"
    );
    for index in indices(piece.spec().dims()) {
        let bit = piece.spec().offset(&index) * bits;
        let run =
            runs.iter().find(|run| run.piece.contains(&(bit / 8))).expect("a run for each element");
        let whole: Vec<_> =
            index.iter().zip(piece.origin().iter()).map(|(at, origin)| at + origin).collect();
        let expected = array.offset(&whole) * bits;
        assert_eq!(bit - run.piece.start * 8 + run.array.start * 8, expected, "{array}: {whole:?}");
    }
    piece.spec().elements()
}

fn check_all(array: &TiledSpec, pieces: Pieces<'_>) {
    let mut bytes = vec![false; array.storage_bytes()];
    let (announced, mut count, mut elements) = (pieces.len(), 0, 0);
    for piece in pieces {
        count += 1;
        elements += check(array, &piece, &mut bytes);
    }
    assert_eq!(count, announced, "{array}");
    assert_eq!(elements, array.elements(), "{array}: every element is in a piece");
    assert!(bytes.iter().all(|&owned| owned), "{array}: every stored byte is in a piece");
}

/// Layouts with and without parts that can be cut: tiles that divide each other and tiles that do not, combined dimensions,
/// sizes within a tile and past it, elements that are not whole bytes, padding of every kind.
fn layouts() -> Vec<TiledSpec> {
    let shapes: [(&str, &[&str]); 10] = [
        ("5", &["0"]),
        ("100", &["0"]),
        ("3,5", &["1,0", "0,1"]),
        ("17,9", &["1,0", "0,1"]),
        ("1,30", &["1,0", "0,1"]),
        ("0,7", &["1,0"]),
        ("4,3,5", &["2,1,0", "0,1,2", "1,2,0", "2,0,1"]),
        ("9,2,10", &["2,1,0", "0,1,2", "0,2,1", "1,0,2"]),
        ("2,3,2,5", &["3,2,1,0", "0,1,2,3", "2,0,3,1"]),
        ("6,1,4,1,3", &["4,3,2,1,0", "0,2,4,1,3"]),
    ];
    let tiles = [
        "",
        "T(1)",
        "T(8)",
        "T(4)(2)",
        "T(8)(3)",
        "T(16)(4)(2,1)",
        "T(2,2)",
        "T(8,4)",
        "T(8,4)(2,1)",
        "T(8,3)(3,1)(2,1)",
        "T(4,4)(2,2)(2,1)",
        "T(2,1,4)",
        "T(*,4)",
        "T(*,2,2)",
        "T(2,2)(*,2,2,1)",
        "T(2,*,4)(2,1)",
        "T(3,*,*,2)",
    ];
    let mut specs = Vec::new();
    for (dims, orders) in shapes {
        for order in orders {
            for tiles in tiles {
                for (dtype, attributes) in ELEMENTS {
                    let attributes = format!("{tiles}{attributes}");
                    let colon = if attributes.is_empty() { "" } else { ":" };
                    specs.push(spec(&format!("{dtype}[{dims}]{{{order}{colon}{attributes}}}")));
                }
            }
        }
    }
    specs.extend(
        [
            "f32[]",
            "s4[]{:T(8)L(64)E(4)}",
            "f32[3,5]{1,0} padded to [8,9] with zero",
            "f32[3,5]{0,1:T(2,2)} padded to [8,9] with lowest",
            "s16[9,4]{1,0:T(2,2)L(7)} padded to [21,4] with one",
            "f32[<=9,4]{1,0:T(2,2)}",
            "f32[?,4]{1,0}",
            "f32[9,40]{1,0:T(2,2)S(1)SC(0:4)(1:8,20)}",
            "f32[<=9,40]{1,0:T(8,4)M(32)}",
        ]
        .map(spec),
    );
    specs
}

#[test]
fn pieces_are_the_whole() {
    for array in layouts() {
        for limit in LIMITS {
            check_all(&array, array.pieces(limit));
            check_all(&array, array.slabs(limit));
        }
    }
}

#[test]
fn pieces_are_contiguous_in_storage_order() {
    for array in layouts() {
        for limit in LIMITS {
            let mut end = 0;
            for piece in array.pieces(limit) {
                let runs: Vec<_> = piece.runs().collect();
                assert_eq!((runs.len(), runs[0].array.start), (1, end), "{array}: {piece:?}");
                end = runs[0].array.end;
            }
        }
    }
}

#[test]
fn slabs_are_in_row_major_order() {
    for array in layouts() {
        for limit in LIMITS {
            let origins: Vec<_> = array.slabs(limit).map(|slab| slab.origin().to_vec()).collect();
            // The piece of explicit padding follows all elements, and has no origin of its own.
            assert!(
                array.padded().is_some() || origins.is_sorted_by(|a, b| a < b),
                "{array}: {origins:?}"
            );
        }
    }
}

/// The sizes of each piece, as text, and the bytes of the largest.
fn sizes(pieces: Pieces<'_>) -> (Vec<String>, usize) {
    let bytes = pieces.clone().map(|piece| piece.spec().bytes()).max();
    (pieces.map(|piece| format!("{:?}", piece.spec().dims())).collect(), bytes.unwrap_or(0))
}

#[test]
fn pieces_are_as_small_as_asked() {
    let array = spec("bf16[100,1000]{1,0:T(8,128)(2,1)}");
    assert_eq!(
        sizes(array.pieces(16_384 * 5)),
        (["[40, 1000]", "[40, 1000]", "[20, 1000]"].map(String::from).into(), 81_920)
    );
    for limit in [2048, 3000, 10_000, 16_384, 50_000, 1_000_000] {
        for pieces in [array.pieces(limit), array.slabs(limit)] {
            let (all, largest) = sizes(pieces);
            assert!(largest <= limit, "{limit}: {largest}");
            // At most twice as many pieces as the limit requires.
            assert!(
                all.len() * limit <= 2 * array.bytes() + limit,
                "{limit}: {} pieces",
                all.len()
            );
        }
    }
}

#[test]
fn slabs_restrict_the_leading_dimension() {
    let array = spec("bf16[1000,16]{0,1:T(8,128)(2,1)}");
    let slabs = array.slabs(12_288);
    assert_eq!(sizes(slabs.clone()).0, ["[384, 16]", "[384, 16]", "[232, 16]"]);
    assert!(slabs.into_iter().all(|slab| slab.runs().count() == 2));
    assert_eq!(sizes(array.pieces(12_288)).0, ["[512, 8]", "[488, 8]", "[512, 8]", "[488, 8]"]);
}

#[test]
fn what_cannot_be_cut_stays_whole() {
    // Combined dimensions; a dimension that is shorter than its tile; rows of twelve bits.
    assert_eq!(sizes(spec("f32[6,4]{1,0:T(*,2)}").pieces(1)).0, ["[6, 4]"]);
    assert_eq!(sizes(spec("f32[5]{0:T(8)(2)}").pieces(1)).0, ["[5]"]);
    assert_eq!(sizes(spec("s4[5,3]{1,0:E(4)}").pieces(1)).0, ["[2, 3]", "[2, 3]", "[1, 3]"]);
    assert_eq!(sizes(spec("f32[0,3]{1,0}").pieces(1)).0, [""; 0]);
}

#[test]
fn a_piece_has_nothing_that_belongs_to_the_array_as_a_whole() {
    for (array, first, last) in [
        ("f32[<=9,4]{1,0:T(8,4)M(32)}", "f32[8,4]{1,0:T(8,4)}", "f32[1,4]{1,0:T(8,4)}"),
        (
            "s8[9,4]{1,0:T(8,4)L(50)S(1)SC(0:4)}",
            "s8[8,4]{1,0:T(8,4)S(1)}",
            "s8[1,4]{1,0:T(8,4)L(68)S(1)}",
        ),
        (
            "s8[2,2]{1,0} padded to [4,2] with one",
            "s8[1,2]{1,0} padded to [1,2] with one",
            "s8[0,2]{1,0} padded to [1,2] with one",
        ),
    ] {
        let array = spec(array);
        let texts: Vec<_> = array.pieces(2).map(|piece| piece.spec().to_string()).collect();
        assert_eq!(texts.first().map(String::as_str), Some(first), "{array}");
        assert_eq!(texts.last().map(String::as_str), Some(last), "{array}");
    }
}

#[test]
fn the_largest_arrays_can_be_cut() {
    let bits = spec("pred[2,2305843009213693953]{1,0:E(1)}");
    assert_eq!(bits.pieces(1).len(), 1, "a row is not a whole number of bytes");
    let bytes = spec("u8[9223372036854775000]{0}");
    let last = bytes.pieces(1 << 60).last().expect("pieces");
    assert_eq!(last.offset() + last.spec().len(), bytes.len());
    let tiles = spec("f32[1125899906842624,16]{0,1:T(8,128)}");
    let mut slabs = tiles.slabs(1 << 20);
    let slab = slabs.nth(slabs.len() - 1).expect("the last slab");
    assert_eq!(slab.runs().map(|run| run.array.end).max(), Some(tiles.bytes()));
}
