//! Matrix Market and FROSTT files: reading, writing, and the messages about mistakes.

use crate::encodings::*;
use half::{bf16, f16};
use proptest::prelude::*;
use tensor_layout::num_complex::Complex;
use tensor_layout::sparse::files::{
    Field, FileError, FileValue, FrosttForm, FrosttReader, MarketReader, Progress, Symmetry,
};
use tensor_layout::sparse::{Duplicates, SparseTensor};

fn market(text: &str) -> Result<SparseTensor<Csr, f64>, FileError> {
    SparseTensor::read_matrix_market(text.as_bytes(), Duplicates::Error)
}

#[test]
fn matrices_of_every_kind() {
    let header = |field, symmetry| {
        format!("%%MatrixMarket matrix coordinate {field} {symmetry}\n% comment\n\n2 2 2\n")
    };
    let coo = |text: String| market(&text).map(|matrix| matrix.to_coo()).expect("a matrix");
    assert_eq!(
        coo(header("real", "general") + "2 1 1e3\n1 2 -.5\n"),
        [([0, 1], -0.5), ([1, 0], 1000.0)]
    );
    assert_eq!(coo(header("integer", "general") + "1 1 3\n2 2 4"), [([0, 0], 3.0), ([1, 1], 4.0)]);
    assert_eq!(coo(header("pattern", "general") + "1 1\n2 2"), [([0, 0], 1.0), ([1, 1], 1.0)]);
    assert_eq!(
        coo(header("real", "symmetric") + "1 1 3\n2 1 4"),
        [([0, 0], 3.0), ([0, 1], 4.0), ([1, 0], 4.0)]
    );
    let skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4";
    assert_eq!(coo(skew.to_owned()), [([0, 1], -4.0), ([1, 0], 4.0)]);

    let text = header("complex", "hermitian") + "1 1 3 0\n2 1 4 -5";
    type Matrix = SparseTensor<SortedCoo, Complex<f32>>;
    let matrix = Matrix::read_matrix_market(text.as_bytes(), Duplicates::Error).expect("a matrix");
    assert_eq!(
        matrix.values(),
        [Complex::new(3.0, 0.0), Complex::new(4.0, 5.0), Complex::new(4.0, -5.0)]
    );
    let mut written = Vec::new();
    matrix.write_matrix_market(&mut written, Symmetry::Hermitian).expect("a hermitian matrix");
    assert_eq!(
        String::from_utf8_lossy(&written),
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 4 -5\n"
    );
    let error = matrix.write_matrix_market(Vec::new(), Symmetry::Symmetric).unwrap_err();
    assert_eq!(error.to_string(), "the matrix is not symmetric: see entry (1, 2)");
}

#[test]
fn what_other_programs_write_is_read() {
    let coo = |text: &[u8]| {
        let matrix = SparseTensor::<Csr, f64>::read_matrix_market(text, Duplicates::Error);
        matrix.map(|matrix| (matrix.shape(), matrix.to_coo())).expect("a matrix")
    };
    // A byte order mark before the first line, and comments in an old encoding.
    let text =
        b"\xEF\xBB\xBF%%MatrixMarket matrix coordinate double general\n% caf\xE9\n1 2 1\n1 2 .5\n";
    assert_eq!(coo(text), ([1, 2], vec![([0, 1], 0.5)]));
    let text =
        "%%MatrixMarket matrix coordinate unsigned-integer symmetric\n3 3 2\n1 3 7\n2 2 +1\n";
    assert_eq!(coo(text.as_bytes()), ([3, 3], vec![([0, 2], 7.0), ([1, 1], 1.0), ([2, 0], 7.0)]));
    let text = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n1 2 3\n1 1 0\n";
    assert_eq!(coo(text.as_bytes()).1, [([0, 0], 0.0), ([0, 1], 3.0), ([1, 0], -3.0)]);
    // Arrays are stored column by column.
    let text = "%%MatrixMarket matrix array integer general\n2 3\n1\n0\n% comment\n2\n\n3\n0\n4\n";
    let entries = vec![([0, 0], 1.0), ([0, 1], 2.0), ([1, 1], 3.0), ([1, 2], 4.0)];
    assert_eq!(coo(text.as_bytes()), ([2, 3], entries));
    let text = "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n";
    let entries = vec![([0, 0], 1.0), ([0, 1], 2.0), ([1, 0], 2.0), ([1, 1], 3.0)];
    assert_eq!(coo(text.as_bytes()), ([2, 2], entries));
    let text = "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n";
    let entries = vec![
        ([0, 1], -1.0),
        ([0, 2], -2.0),
        ([1, 0], 1.0),
        ([1, 2], -3.0),
        ([2, 0], 2.0),
        ([2, 1], 3.0),
    ];
    assert_eq!(coo(text.as_bytes()), ([3, 3], entries));
    for [rows, columns] in [[0, 3], [3, 0], [0, 0]] {
        let text = format!("%%MatrixMarket matrix array real general\n{rows} {columns}\n");
        assert_eq!(coo(text.as_bytes()), ([rows, columns], vec![]));
    }
}

/// The nearest `f32` to these numbers is a tie, which rounds down.
#[test]
fn narrow_floats_are_rounded_once() {
    fn read<T: FileValue>(number: &str) -> T {
        let text = format!("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 {number}\n");
        let read = SparseTensor::<Csr, T>::read_matrix_market(text.as_bytes(), Duplicates::Error);
        read.unwrap().get([0, 0])
    }
    assert_eq!(read::<bf16>("1.00390625001").to_f32(), 1.0078125);
    assert_eq!(read::<f16>("1.0004882812501").to_f32(), 1.0 + 1.0 / 1024.0);
    assert_eq!(read::<bf16>("1.00390625").to_f32(), 1.0);
}

#[test]
fn a_matrix_has_the_symmetry_that_is_written() {
    type Matrix<T> = SparseTensor<SortedCoo, T>;
    let real = |entries: &[([usize; 2], f64)]| {
        Matrix::from_coo([2, 2], entries, Duplicates::Keep).expect("a matrix")
    };
    let written = |matrix: &Matrix<f64>, symmetry| {
        let mut text = Vec::new();
        matrix
            .write_matrix_market(&mut text, symmetry)
            .map(|()| String::from_utf8_lossy(&text).into_owned())
    };
    let nan = real(&[([0, 0], f64::NAN), ([0, 1], f64::NAN), ([1, 0], f64::NAN)]);
    let text = written(&nan, Symmetry::Symmetric).expect("a symmetric matrix");
    assert_eq!(text, "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 NaN\n2 1 NaN\n");
    let error = written(&nan, Symmetry::SkewSymmetric).unwrap_err().to_string();
    assert_eq!(error, "the matrix is not skew-symmetric: see entry (1, 1)");
    let error = written(&real(&[]), Symmetry::Hermitian).unwrap_err().to_string();
    assert_eq!(
        error,
        "a hermitian matrix is complex, but the elements have type `f64`: write it as symmetric"
    );
    // A zero whose mirrored entry is not stored would be lost above the diagonal, and doubled below it.
    for at in [[0, 1], [1, 0]] {
        let error = written(&real(&[(at, 0.0)]), Symmetry::Symmetric).unwrap_err().to_string();
        assert!(error.starts_with("the matrix is not symmetric"), "{error}");
    }
    assert!(written(&real(&[([0, 1], 0.0), ([1, 0], 0.0)]), Symmetry::Symmetric).is_ok());
    // Entries that are kept separately count as their sum.
    let twice = real(&[([0, 1], 2.0), ([1, 0], 1.0), ([1, 0], 1.0)]);
    assert!(written(&twice, Symmetry::Symmetric).is_ok());
    let text = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 -1\n";
    let error = Matrix::<Complex<f64>>::read_matrix_market(text.as_bytes(), Duplicates::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "line 3: the diagonal of a hermitian matrix is real, but entry (2, 2) is not"
    );
}

#[test]
fn a_reader_streams_and_says_how_far_it_is() {
    let text = "%%MatrixMarket Matrix Coordinate Real General\n3 3 2\n1 1 1\n\n3 3 2\n";
    let mut reader = MarketReader::<_, f32>::new(text.as_bytes()).expect("a header");
    assert_eq!((reader.field(), reader.symmetry()), (Field::Real, Symmetry::General));
    assert_eq!(reader.next().map(Result::ok), Some(Some(([0, 0], 1.0))));
    let progress = reader.progress();
    assert_eq!((progress.entries, progress.total, progress.lines), (1, Some(2), 3));

    let mut reports = Vec::new();
    let matrix = SparseTensor::<Csr, f32>::read_matrix_market_with(
        text.as_bytes(),
        Duplicates::Error,
        |progress| reports.push(progress.entries),
    );
    assert_eq!((matrix.expect("a matrix").number_of_entries(), reports), (2, vec![2]));
}

/// Lines with numbers of every length, some with blanks around them, are read as by `split_whitespace` and `parse`.
#[test]
fn numbers_of_every_length_are_read() {
    const SIZE: usize = 2_000_000_000;
    for symmetry in ["general", "symmetric", "skew-symmetric"] {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for n in 0..400usize {
            let [i, j] = [7, 3].map(|by| {
                1 + n.wrapping_mul(987_654_321 * by) % 10usize.pow(1 + n as u32 * by as u32 % 9)
            });
            let j = if j == i { j + 1 } else { j };
            let value = match n % 3 {
                0 => format!("{}", n * n),
                1 => format!("-{:.*}", n % 20, 1.0 / (n + 1) as f64),
                _ => format!("{:.*e}", n % 18, 3.0_f64.powi(n as i32 - 200)),
            };
            let end = ["\n", "\r\n", " \n", "\n\n", "\n% 1 1 1\n"][n % 11 % 5];
            let blank = if n % 13 == 0 { "  " } else { " " };
            text += &format!("{i} {j}{blank}{value}{end}");
            let value: f64 = value.parse().expect("a number");
            expected.push(([i - 1, j - 1], value));
            match symmetry {
                "symmetric" => expected.push(([j - 1, i - 1], value)),
                "skew-symmetric" => expected.push(([j - 1, i - 1], -value)),
                _ => {}
            }
        }
        let header =
            format!("%%MatrixMarket matrix coordinate real {symmetry}\n{SIZE} {SIZE} 400\n");
        let text = header + &text;
        let read: Result<Vec<_>, _> =
            MarketReader::<_, f64>::new(text.as_bytes()).expect("a header").collect();
        assert_eq!(read.expect("entries"), expected, "{symmetry}");
        // Buffers that end anywhere in a line.
        for capacity in [17, 64, 1 << 20] {
            let reader = std::io::BufReader::with_capacity(capacity, text.as_bytes());
            let read = SparseTensor::<tensor_layout::sparse::formats::Coo, f64>::read_matrix_market(
                reader,
                Duplicates::Sum,
            );
            let stored = SparseTensor::from_coo([SIZE; 2], &expected, Duplicates::Sum);
            assert_eq!(read.expect("a matrix"), stored.expect("a matrix"), "{symmetry}");
        }
    }
}

/// A value begins after a blank: `1 2.5` has no value, and a second coordinate that is none, however the line is buffered.
#[test]
fn a_coordinate_ends_before_a_blank() {
    for (line, found) in [("1 2.5", "2.5"), ("1 2-3.5", "2-3.5"), ("1 2+3", "2+3"), ("1 2.", "2.")]
    {
        let text = format!("%%MatrixMarket matrix coordinate real general\n3 3 1\n{line}\n");
        for capacity in [1, 1 << 10] {
            let reader = std::io::BufReader::with_capacity(capacity, text.as_bytes());
            let read = SparseTensor::<Csr, f64>::read_matrix_market(reader, Duplicates::Error);
            let error = read.expect_err(line).to_string();
            assert_eq!(error, format!("line 3: expected a coordinate, found `{found}`"));
        }
    }
}

/// Several entries at one index stay in the order of their lines, of which only the first has blanks before its numbers.
#[test]
fn entries_at_one_index_are_in_the_order_of_lines() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n  2 1 1\n1 2 2\n";
    for capacity in [1, 1 << 10] {
        let reader = std::io::BufReader::with_capacity(capacity, text.as_bytes());
        let read = SparseTensor::<tensor_layout::sparse::formats::Coo, f64>::read_matrix_market(
            reader,
            Duplicates::Keep,
        );
        assert_eq!(read.expect("a matrix").values(), [1.0, 2.0, 1.0, 2.0]);
    }
}

/// Files that are read in pieces if there are threads.
#[test]
fn large_files_are_read_to_the_end() {
    const LINES: usize = 200_000;
    let mut text = format!("%%MatrixMarket matrix coordinate real symmetric\n500 500 {LINES}\n");
    let mut expected = Vec::new();
    for n in 0..LINES {
        let [i, j] = [n * 7919 % 500, n * 104_729 / 3 % 500];
        let value = n as f64 / 8.0;
        text += &format!("{} {} {value}\n", i + 1, j + 1);
        expected.push(([i, j], value));
        if i != j {
            expected.push(([j, i], value));
        }
        if n % 70_001 == 70_000 {
            text += "\n% a comment\n";
        }
    }
    let stored = SparseTensor::<Csr, f64>::from_coo([500; 2], &expected, Duplicates::Sum);
    let stored = stored.expect("a matrix");
    let mut reports = Vec::new();
    let read = |text: &str, reports: &mut Vec<usize>| {
        let report = |progress: Progress| reports.push(progress.entries);
        SparseTensor::<Csr, f64>::read_matrix_market_with(text.as_bytes(), Duplicates::Sum, report)
    };
    // Also with a last line that has no line end.
    for text in [&text, text.trim_end()] {
        assert_eq!(read(text, &mut reports).expect("a matrix"), stored);
        assert!(reports.is_sorted() && reports.len() > 2 && reports.pop() == Some(LINES));
        reports.clear();
    }
    let lines = text.lines().count();
    for mistake in ["501 1 1\n", "1 1 1\n", "1 one 1\n"] {
        let error = read(&(text.clone() + mistake), &mut reports).expect_err(mistake).to_string();
        assert!(error.starts_with(&format!("line {}: ", lines + 1)), "{error}");
    }
}

#[test]
fn mistakes_have_their_lines() {
    let real = "%%MatrixMarket matrix coordinate real general\n";
    for (text, expected) in [
        ("", "line 1: expected %%MatrixMarket, found `the end of the line`"),
        (
            "%%MatrixMarket matrix list real general\n",
            "line 1: expected `coordinate` or `array`, found `list`",
        ),
        (
            "%%MatrixMarket matrix coordinate float general\n",
            "line 1: expected `real`, `integer`, `complex` or `pattern`, found `float`",
        ),
        (
            "%%MatrixMarket matrix array pattern general\n",
            "line 1: expected `real`, `integer` or `complex`, found `pattern`",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 1\n1\n",
            "line 4: the file ends where an entry should follow",
        ),
        (
            "%%MatrixMarket matrix array real skew-symmetric\n1 1\n1\n",
            "line 3: the file says that it has 0 entries, but this line is one more",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 1 2\n",
            "line 2: expected the end of the line, found `2`",
        ),
        (
            "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 4.5\n",
            "line 3: expected an integer, found `4.5`",
        ),
        (
            "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 1 -4\n",
            "line 3: expected an integer without a sign, found `-4`",
        ),
        (
            "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 NaN\n",
            "line 3: the diagonal of a skew-symmetric matrix is zero, but entry (2, 2) is not",
        ),
        (
            "%%MatrixMarket matrix coordinate real upper\n",
            "line 1: expected `general`, `symmetric`, `skew-symmetric` or `hermitian`, found `upper`",
        ),
        (
            "%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
            "line 1: the values of the file are complex, which do not fit elements of type `f64`",
        ),
        (real, "line 2: the file ends where the sizes should follow"),
        (
            &format!("{real}2 2\n"),
            "line 2: expected the number of entries, found `the end of the line`",
        ),
        (&format!("{real}2 -2 1\n"), "line 2: expected the number of columns, found `-2`"),
        (&format!("{real}2 2 1 0\n"), "line 2: expected the end of the line, found `0`"),
        (
            &format!("{real}2 2 1\n% comment\n3 1 1\n"),
            "line 4: coordinate 3 of dimension 0 is not between 1 and 2",
        ),
        (
            &format!("{real}2 2 1\n1 0 1\n"),
            "line 3: coordinate 0 of dimension 1 is not between 1 and 2",
        ),
        (&format!("{real}2 2 1\n1 1 one\n"), "line 3: `one` is not a value of type `f64`"),
        (&format!("{real}2 2 1\n1 1 1 1\n"), "line 3: expected the end of the line, found `1`"),
        (&format!("{real}2 2 2\n1 1 1\n"), "line 4: the file ends where an entry should follow"),
        (
            &format!("{real}2 2 1\n1 1 1\n2 2 1\n"),
            "line 4: the file says that it has 1 entries, but this line is one more",
        ),
        (&format!("{real}2 2 2\n1 1 1\n1 1 1\n"), "entries 0 and 1 have the same index [0, 0]"),
        // Of a symmetric matrix only one half is given, either one.
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n",
            "entries 0 and 3 have the same index [0, 1]",
        ),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 2 1\n",
            "line 2: a symmetric matrix must be square, but this one is 2 by 3",
        ),
        // Neither the sizes nor the number of entries are trusted.
        (
            &format!("{real}2 2 18446744073709551615\n1 1 1\n"),
            "line 4: the file ends where an entry should follow",
        ),
        (
            &format!("{real}18446744073709551615 1 0\n"),
            "the level has more positions than an address can number",
        ),
        (&format!("{real}{}", "1".repeat(100_000)), "line 2: the line is longer than 65536 bytes"),
    ] {
        let error = market(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn both_forms_of_tensors() {
    type Tensor = SparseTensor<Csf, f64>;
    let read = |text: &str| Tensor::read_frostt(text.as_bytes(), Duplicates::Error);
    let plain = read("# comment\n1 1 2 0.5\n3 1 1 2\n").expect("a tensor");
    assert_eq!(plain.shape(), [3, 1, 2]);
    assert_eq!(plain.to_coo(), [([0, 0, 1], 0.5), ([2, 0, 0], 2.0)]);
    let extended =
        read("# extended FROSTT format\n3 2\n4 5 6\n1 1 2 0.5\n3 1 1 2\n").expect("a tensor");
    assert_eq!((extended.shape(), extended.to_coo()), ([4, 5, 6], plain.to_coo()));
    let mut written = Vec::new();
    extended.write_frostt(&mut written, FrosttForm::Extended).expect("written");
    assert_eq!(
        String::from_utf8_lossy(&written),
        "# extended FROSTT format\n3 2\n4 5 6\n1 1 2 0.5\n3 1 1 2\n"
    );
    // Only the complete comment announces a header.
    let plain = read("# an extended data set\n1 1 2 0.5\n").expect("a tensor");
    assert_eq!(plain.shape(), [1, 1, 2]);
    // The entries of a vector look like a header.
    let vector = |text: &str| {
        SparseTensor::<SparseVector, i32>::read_frostt(text.as_bytes(), Duplicates::Error)
    };
    assert_eq!(vector("1 7\n3 8\n").expect("a vector").shape(), [3]);
    assert_eq!(vector("# extended\n1 7\n3 8\n").expect("a vector").shape(), [3]);
    assert_eq!(vector("# extended FROSTT format\n1 1\n9\n3 8\n").expect("a vector").shape(), [9]);
    for (text, expected) in [
        ("2 1\n4 5\n", "line 1: the file has 2 dimensions, but the tensor has 3"),
        ("3 1\n4 5\n", "line 2: expected a size, found `the end of the line`"),
        ("3 1\n4 5 6\n1 1 7 1\n", "line 3: coordinate 7 of dimension 2 is not between 1 and 6"),
        (
            "1 1 1 1\n\n1 1 0 1\n",
            "line 3: coordinate 0 of dimension 2 is not between 1 and 18446744073709551615",
        ),
        ("1 1 1\n", "line 1: `the end of the line` is not a value of type `f64`"),
    ] {
        assert_eq!(read(text).expect_err(text).to_string(), expected);
    }
}

/// Entries with the bits of their values: zeros have signs. A text has one NaN for all.
fn bits(entries: impl IntoIterator<Item = ([usize; 2], f64)>) -> Vec<([usize; 2], u64)> {
    let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    entries.into_iter().map(|(index, value)| (index, bits(value))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(entries in prop::collection::btree_map((0..9usize, 0..7usize), proptest::num::f64::ANY, 0..20)) {
        let entries: Vec<_> = entries.into_iter().map(|((i, j), value)| ([i, j], value)).collect();
        let matrix = SparseTensor::<Csr, f64>::from_coo([9, 7], &entries, Duplicates::Error).expect("a matrix");
        let mut text = Vec::new();
        matrix.write_matrix_market(&mut text, Symmetry::General).expect("written");
        let read = SparseTensor::<Csr, f64>::read_matrix_market(text.as_slice(), Duplicates::Error);
        prop_assert_eq!(bits(read.expect("a matrix").to_coo()), bits(entries.iter().copied()));
        for form in [FrosttForm::Plain, FrosttForm::Extended] {
            let mut text = Vec::new();
            matrix.write_frostt(&mut text, form).expect("written");
            let reader = FrosttReader::<_, f64>::with_form(text.as_slice(), 2, form).expect("a file");
            let read = reader.map(|entry| entry.expect("an entry"));
            let read = read.map(|(index, value)| ([index[0], index[1]], value));
            prop_assert_eq!(bits(read), bits(entries.iter().copied()));
        }
    }
}
