//! Any bytes are a Matrix Market file, a FROSTT file, or an error; a file that is read can be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::sparse::files::{FrosttForm, FrosttReader, MarketReader, Symmetry};
use tensor_layout::sparse::formats::Coo;
use tensor_layout::sparse::{Duplicates, SparseTensor};

type Matrix = SparseTensor<Coo, i64>;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = MarketReader::<_, f64>::new(bytes) {
        for entry in reader.take(1 << 10) {
            if let Err(error) = entry {
                assert!(!error.to_string().is_empty());
            }
        }
    }
    if let Ok(matrix) = Matrix::read_matrix_market(bytes, Duplicates::Keep) {
        let mut text = Vec::new();
        matrix.write_matrix_market(&mut text, Symmetry::General).unwrap();
        assert_eq!(Matrix::read_matrix_market(&text[..], Duplicates::Keep).unwrap(), matrix);
    }
    for form in [FrosttForm::Plain, FrosttForm::Extended] {
        if let Ok(reader) = FrosttReader::<_, f32>::with_form(bytes, 3, form) {
            reader.take(1 << 10).for_each(drop);
        }
    }
    if let Ok(matrix) = Matrix::read_frostt(bytes, Duplicates::Keep) {
        let mut text = Vec::new();
        matrix.write_frostt(&mut text, FrosttForm::Extended).unwrap();
        assert_eq!(Matrix::read_frostt(&text[..], Duplicates::Keep).unwrap(), matrix);
    }
});
