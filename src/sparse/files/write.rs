use super::super::tensor::SparseTensor;
use super::super::typed::Encoding;
use super::error::{FileError, FileErrorKind};
use super::frostt::FrosttForm;
use super::market::{Field, Symmetry};
use super::value::FileValue;
use std::io::Write;
use std::string::String;

/// Appends a coordinate and a space. In files coordinates count from 1.
fn push(text: &mut String, coordinate: usize) {
    // Writing to a string cannot fail.
    let _ = core::fmt::Write::write_fmt(text, format_args!("{} ", coordinate + 1));
}

/// Whether two values are equal, or have the same text: NaN is not equal to itself.
fn is_same<T: FileValue>(a: T, b: T) -> bool {
    let words = |value: T| {
        let mut text = String::new();
        value.write_words(&mut text);
        text
    };
    a == b || words(a) == words(b)
}

impl<E: Encoding<Index = [usize; 2]>, T: FileValue> SparseTensor<E, T> {
    /// Writes a Matrix Market file. With a symmetry, it has only the entries that the others follow from.
    ///
    /// # Errors
    /// If the matrix does not have the symmetry, if it is written as hermitian but is not complex, or if writing fails.
    pub fn write_matrix_market(
        &self,
        mut writer: impl Write,
        symmetry: Symmetry,
    ) -> Result<(), FileError> {
        let [rows, columns] = self.shape();
        let mut entries = self.to_coo();
        if symmetry == Symmetry::Hermitian && T::FIELD != Field::Complex {
            return Err(FileError::at(0, FileErrorKind::Hermitian(T::NAME)));
        }
        if symmetry != Symmetry::General {
            if rows != columns {
                let kind = FileErrorKind::NotSquare(symmetry.name(), rows, columns);
                return Err(FileError::at(0, kind));
            }
            for &([i, j], _) in &entries {
                // Several entries at one index are compared by their sum.
                let (value, other) = (self.get([i, j]), self.get([j, i]));
                let mirrored = symmetry.mirrored(value).is_some_and(|value| is_same(value, other));
                if !mirrored || (i == j && symmetry.check_diagonal(value, i).is_err()) {
                    let kind = FileErrorKind::NotSymmetric(symmetry.name(), i + 1, j + 1);
                    return Err(FileError::at(0, kind));
                }
            }
            entries.retain(|([i, j], value)| {
                i >= j && !(symmetry == Symmetry::SkewSymmetric && i == j && value.is_zero())
            });
        }
        let (field, symmetry) = (T::FIELD.name(), symmetry.name());
        writeln!(writer, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
        writeln!(writer, "{rows} {columns} {}", entries.len())?;
        let mut line = String::new();
        for (index, value) in entries {
            line.clear();
            index.into_iter().for_each(|x| push(&mut line, x));
            value.write_words(&mut line);
            writeln!(writer, "{line}")?;
        }
        Ok(writer.flush()?)
    }
}

impl<E: Encoding, T: FileValue> SparseTensor<E, T> {
    /// Writes a FROSTT file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_frostt(&self, mut writer: impl Write, form: FrosttForm) -> Result<(), FileError> {
        let entries = self.to_coo();
        let mut line = String::new();
        if form == FrosttForm::Extended {
            let shape = self.shape();
            let shape = shape.as_ref();
            writeln!(writer, "# extended FROSTT format")?;
            writeln!(writer, "{} {}", shape.len(), entries.len())?;
            let sizes: std::vec::Vec<_> =
                shape.iter().map(std::string::ToString::to_string).collect();
            writeln!(writer, "{}", sizes.join(" "))?;
        }
        for (index, value) in entries {
            line.clear();
            index.as_ref().iter().for_each(|x| push(&mut line, *x));
            value.write_words(&mut line);
            writeln!(writer, "{line}")?;
        }
        Ok(writer.flush()?)
    }
}
