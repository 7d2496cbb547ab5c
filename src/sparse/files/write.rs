use super::super::tensor::SparseTensor;
use super::super::typed::Encoding;
use super::error::{FileError, FileErrorKind};
use super::frostt::FrosttForm;
use super::market::{Field, Symmetry};
use super::value::FileValue;
use layout_core::sparse::storage::Source;
use std::io::Write;
use std::string::String;

/// Appends a coordinate and a space. In files, coordinates count from 1.
fn push(text: &mut String, coordinate: usize) {
    // Writing to a string cannot fail.
    let _ = core::fmt::Write::write_fmt(text, format_args!("{} ", coordinate + 1));
}

/// Whether two values are equal or have the same text, since NaN is not equal to itself.
fn is_same<T: FileValue>(a: T, b: T) -> bool {
    let words = |value: T| {
        let mut text = String::new();
        value.write_words(&mut text);
        text
    };
    a == b || words(a) == words(b)
}

impl<E: Encoding<Index = [usize; 2]>, T: FileValue> SparseTensor<E, T> {
    /// Writes a Matrix Market file. With a symmetry other than [`Symmetry::General`], it contains only the entries from which
    /// the others follow.
    ///
    /// # Errors
    /// If the matrix does not have the symmetry, if it is written as hermitian but is not complex, or if writing fails.
    pub fn write_matrix_market(
        &self,
        mut writer: impl Write,
        symmetry: Symmetry,
    ) -> Result<(), FileError> {
        let [rows, columns] = self.shape();
        if symmetry == Symmetry::Hermitian && T::FIELD != Field::Complex {
            return Err(FileError::at(0, FileErrorKind::Hermitian(T::NAME)));
        }
        if symmetry != Symmetry::General && rows != columns {
            let kind = FileErrorKind::NotSquare(symmetry.name(), rows, columns);
            return Err(FileError::at(0, kind));
        }
        let mut entries = 0;
        self.each(|[i, j], value| {
            if symmetry != Symmetry::General {
                // Several entries at one index are compared by their sum.
                let (value, other) = (self.get([i, j]), self.get([j, i]));
                let mirrored = symmetry.mirrored(value).is_some_and(|value| is_same(value, other));
                // A stored zero equals an element that is not stored, but would be lost or doubled.
                let mirrored = mirrored && self.locate([j, i]).is_some();
                if !mirrored || (i == j && symmetry.check_diagonal(value, i).is_err()) {
                    let kind = FileErrorKind::NotSymmetric(symmetry.name(), i + 1, j + 1);
                    return Err(FileError::at(0, kind));
                }
            }
            entries += usize::from(is_written(symmetry, [i, j], value));
            Ok(())
        })?;
        let (field, name) = (T::FIELD.name(), symmetry.name());
        writeln!(writer, "%%MatrixMarket matrix coordinate {field} {name}")?;
        writeln!(writer, "{rows} {columns} {entries}")?;
        let mut line = String::new();
        self.each(|index, value| match is_written(symmetry, index, value) {
            true => write_entry(&mut writer, &mut line, &index, value),
            false => Ok(()),
        })?;
        Ok(writer.flush()?)
    }
}

/// Whether a file with a symmetry contains the entry: those above the diagonal follow from the others.
fn is_written<T: FileValue>(symmetry: Symmetry, [i, j]: [usize; 2], value: &T) -> bool {
    match symmetry {
        Symmetry::General => true,
        Symmetry::SkewSymmetric if i == j => !value.is_zero(),
        _ => i >= j,
    }
}

/// Writes a line; `line` is a buffer for it.
fn write_entry<T: FileValue>(
    writer: &mut impl Write,
    line: &mut String,
    index: &[usize],
    value: &T,
) -> Result<(), FileError> {
    line.clear();
    index.iter().for_each(|x| push(line, *x));
    value.write_words(line);
    line.push('\n');
    Ok(writer.write_all(line.as_bytes())?)
}

impl<E: Encoding, T: FileValue> SparseTensor<E, T> {
    /// Writes a FROSTT file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_frostt(&self, mut writer: impl Write, form: FrosttForm) -> Result<(), FileError> {
        let mut line = String::new();
        if form == FrosttForm::Extended {
            let shape = self.shape();
            let shape = shape.as_ref();
            let mut entries = 0;
            self.each(|_, _| {
                entries += 1;
                Ok(())
            })?;
            writeln!(writer, "# extended FROSTT format")?;
            writeln!(writer, "{} {entries}", shape.len())?;
            let sizes: std::vec::Vec<_> =
                shape.iter().map(std::string::ToString::to_string).collect();
            writeln!(writer, "{}", sizes.join(" "))?;
        }
        self.each(|index, value| write_entry(&mut writer, &mut line, index.as_ref(), value))?;
        Ok(writer.flush()?)
    }

    /// Calls `f` with the entries of a file, in storage order, until the first error.
    fn each(
        &self,
        mut f: impl FnMut(E::Index, &T) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut result = Ok(());
        self.chunks(&mut |chunk| {
            result = chunk.iter().try_for_each(|(index, value)| f(*index, value));
            result.is_ok()
        });
        result
    }
}
