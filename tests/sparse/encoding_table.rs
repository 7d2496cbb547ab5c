//! Encodings of every kind, for tests and fuzz targets that build storage from arbitrary arrays.

/// Each encoding as text, with a matching shape.
pub(crate) const ENCODINGS: [(&str, &[usize]); 24] = [
    ("(i, j) -> (i : dense, j : compressed)", &[2, 3]),
    ("(i, j) -> (i : compressed, j : compressed)", &[2, 3]),
    ("(i, j) -> (i : compressed(nonunique), j : singleton)", &[2, 3]),
    ("(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(soa))", &[2, 3]),
    ("(i, j) -> (i : loose_compressed, j : loose_compressed(nonordered))", &[2, 3]),
    ("(i, j) -> (i : dense, j : delta[1])", &[2, 4]),
    ("(i, j) -> (i : compressed, j : delta[63])", &[2, 4]),
    ("(i, j) -> (j - i : compressed, i : range)", &[2, 3]),
    ("(i, j) -> (i : dense, j floordiv 2 : dense, j mod 2 : structured[1, 2])", &[2, 3]),
    ("[c](i, j) -> (c * 2 * i : dense, i : dense, j : compressed)", &[2, 3]),
    ("(i, j) -> (i : batch, j : compressed)", &[2, 3]),
    ("(b, i, j) -> (b : batch, i : loose_compressed(nonunique), j : singleton)", &[2, 2, 2]),
    ("(i, j) -> (i floordiv 2 : compressed, j : compressed, i mod 2 : dense)", &[3, 2]),
    ("(i, j) -> (i * 4 + j : compressed)", &[2, 3]),
    ("(i, j) -> (i : batch, j : dense)", &[0, 3]),
    ("(i, j) -> (i : compressed, j : dense)", &[2, 0]),
    ("(i, j, k) -> (i : compressed(nonunique), j : singleton, k : singleton)", &[2, 2, 2]),
    (
        "(i, j, k) -> (i : loose_compressed(nonunique, nonordered), j : singleton(soa), k : compressed)",
        &[2, 2, 2],
    ),
    ("(i, j) -> (i : compressed(nonunique), j : delta[2])", &[2, 3]),
    ("(i, j) -> (j - i : batch, i : compressed)", &[2, 3]),
    ("(i, j) -> (i : dense, i + j : structured[1, 4])", &[2, 3]),
    ("(i, j) -> (i : batch, j : loose_compressed)", &[2, 3]),
    ("(b, i, j) -> (b : batch, i : compressed(nonunique), j : singleton)", &[2, 2, 2]),
    ("(i, j) -> (i : compressed, j : dense)", &[0, 3]),
];
