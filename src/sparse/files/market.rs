use super::super::tensor::SparseTensor;
use super::super::typed::Encoding;
use super::error::{FileError, FileErrorKind};
use super::lines::{Lines, coordinate, end, value, whole};
use super::value::FileValue;
use super::{Progress, REPORT_EVERY, RESERVE};
use core::marker::PhantomData;
use layout_core::sparse::storage::Duplicates;
use std::io::BufRead;
use std::string::{String, ToString};
use std::vec::Vec;

/// The kind of the values of a Matrix Market file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// Floating-point numbers.
    Real,
    /// Integers.
    Integer,
    /// Pairs of floating-point numbers.
    Complex,
    /// No values: every entry is 1.
    Pattern,
    /// Unsigned integers.
    UnsignedInteger,
}

/// Which entries of a Matrix Market file follow from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// None.
    General,
    /// Those above the diagonal equal those below it.
    Symmetric,
    /// The same, with the opposite sign.
    SkewSymmetric,
    /// The same, conjugated.
    Hermitian,
}

impl Field {
    /// All kinds with their names, and one more name that files use.
    const NAMES: [(Self, &'static str); 6] = [
        (Self::Real, "real"),
        (Self::Integer, "integer"),
        (Self::Complex, "complex"),
        (Self::Pattern, "pattern"),
        (Self::UnsignedInteger, "unsigned-integer"),
        (Self::Real, "double"),
    ];

    /// The kinds that an `array` file can have.
    const ARRAYS: [(Self, &'static str); 5] = {
        let [real, integer, complex, _, unsigned, double] = Self::NAMES;
        [real, integer, complex, unsigned, double]
    };

    /// The name that files use.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// A value of this kind, as messages call it.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Integer => "an integer",
            Self::UnsignedInteger => "an integer without a sign",
            Self::Real | Self::Complex | Self::Pattern => "a number",
        }
    }
}

impl Symmetry {
    /// All symmetries with their names.
    const NAMES: [(Self, &'static str); 4] = [
        (Self::General, "general"),
        (Self::Symmetric, "symmetric"),
        (Self::SkewSymmetric, "skew-symmetric"),
        (Self::Hermitian, "hermitian"),
    ];

    /// The name that files use.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// The number of values in an `array` file of a shape.
    fn values(self, [rows, columns]: [usize; 2]) -> usize {
        let (rows, columns) = (rows as u128, columns as u128);
        let values = match self {
            Self::General => rows * columns,
            Self::Symmetric | Self::Hermitian => rows * (rows + 1) / 2,
            Self::SkewSymmetric => rows * rows.saturating_sub(1) / 2,
        };
        // No file can have that many.
        values.try_into().unwrap_or(usize::MAX)
    }

    /// The index of the first value of a column in an `array` file.
    fn first_of_column(self, column: usize) -> [usize; 2] {
        match self {
            Self::General => [0, column],
            Self::Symmetric | Self::Hermitian => [column, column],
            Self::SkewSymmetric => [column + 1, column],
        }
    }

    /// Whether the diagonal may have values.
    pub(super) fn check_diagonal<T: FileValue>(
        self,
        value: T,
        at: usize,
    ) -> Result<(), FileErrorKind> {
        match self {
            Self::SkewSymmetric if !value.is_zero() => Err(FileErrorKind::SkewDiagonal(at + 1)),
            Self::Hermitian if !value.is_real() => Err(FileErrorKind::HermitianDiagonal(at + 1)),
            _ => Ok(()),
        }
    }

    /// The entry on the other side of the diagonal that follows from an entry.
    pub(super) fn mirrored<T: FileValue>(self, value: T) -> Option<T> {
        match self {
            Self::General => None,
            Self::Symmetric => Some(value),
            Self::SkewSymmetric => value.negative(),
            Self::Hermitian => Some(value.conjugate()),
        }
    }
}

/// Reads the entries of a Matrix Market file one by one, including those that follow by symmetry, without storing them.
///
/// The file of a matrix with a symmetry may have either half. An `array` file has all elements, or those of the lower half,
/// column by column; zeros among them are not entries.
///
/// ```
/// use tensor_layout::sparse::files::MarketReader;
/// let file = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4.0\n2 1 -1.5\n";
/// let reader = MarketReader::<_, f64>::new(file.as_bytes()).unwrap();
/// assert_eq!(reader.shape(), [2, 2]);
/// let entries: Result<Vec<_>, _> = reader.collect();
/// assert_eq!(entries.unwrap(), [([0, 0], 4.0), ([1, 0], -1.5), ([0, 1], -1.5)]);
/// ```
pub struct MarketReader<R, T> {
    lines: Lines<R>,
    shape: [usize; 2],
    field: Field,
    symmetry: Symmetry,
    /// The index of the next value of an `array` file.
    next: Option<[usize; 2]>,
    total: usize,
    read: usize,
    /// The entry that follows from the one before by symmetry.
    mirrored: Option<([usize; 2], T)>,
    failed: bool,
    value: PhantomData<T>,
}

impl<R: BufRead, T: FileValue> MarketReader<R, T> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is malformed, or the values do not fit the element type.
    pub fn new(reader: R) -> Result<Self, FileError> {
        let mut lines = Lines::new(reader, '%');
        let banner = lines.next()?.unwrap_or_default().to_ascii_lowercase();
        let mut words = banner.split_ascii_whitespace();
        expect(words.next(), "%%MatrixMarket", "%%matrixmarket")?;
        expect(words.next(), "matrix", "matrix")?;
        let forms = [(false, "coordinate"), (true, "array")];
        let is_array = one_of(words.next(), &forms, "`coordinate` or `array`")?;
        let (fields, expected) = match is_array {
            true => (&Field::ARRAYS[..], "`real`, `integer` or `complex`"),
            false => (&Field::NAMES[..], "`real`, `integer`, `complex` or `pattern`"),
        };
        let field = one_of(words.next(), fields, expected)?;
        let expected = "`general`, `symmetric`, `skew-symmetric` or `hermitian`";
        let symmetry = one_of(words.next(), &Symmetry::NAMES, expected)?;
        end(1, words.next())?;
        if !T::accepts(field) {
            let (field, ty) = (field.name(), T::NAME);
            return Err(FileError::at(1, FileErrorKind::Field { field, ty }));
        }
        let Some((line, sizes)) = lines.next_data()? else {
            return Err(FileError::at(lines.number, FileErrorKind::End("the sizes")));
        };
        let mut words = sizes.split_ascii_whitespace();
        let mut size = |expected| whole(line, words.next(), expected);
        let shape = [size("the number of rows")?, size("the number of columns")?];
        let total = match is_array {
            true => symmetry.values(shape),
            false => size("the number of entries")?,
        };
        end(line, words.next())?;
        if symmetry != Symmetry::General && shape[0] != shape[1] {
            let kind = FileErrorKind::NotSquare(symmetry.name(), shape[0], shape[1]);
            return Err(FileError::at(line, kind));
        }
        let (read, mirrored, failed) = (0, None, false);
        let next = is_array.then(|| symmetry.first_of_column(0));
        Ok(Self {
            lines,
            shape,
            field,
            symmetry,
            next,
            total,
            read,
            mirrored,
            failed,
            value: PhantomData,
        })
    }

    /// The numbers of rows and columns.
    pub fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// The kind of the values.
    pub fn field(&self) -> Field {
        self.field
    }

    /// Which entries follow from others.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// How far the file has been read.
    pub fn progress(&self) -> Progress {
        Progress { entries: self.read, total: Some(self.total), lines: self.lines.number }
    }

    /// The next index and value in the file, and the number of the line.
    fn given(&mut self) -> Result<Option<(usize, [usize; 2], T)>, FileError> {
        let [rows, columns] = self.shape;
        if self.next.is_none() && self.read < self.total {
            let (line, field) = (self.lines.number + 1, self.field);
            let plain = self.lines.plain_entry(|[i, j], word| {
                let inside = (1..=rows).contains(&i) && (1..=columns).contains(&j);
                if !inside {
                    return None;
                }
                let mut words = Some(word).filter(|word| !word.is_empty()).into_iter();
                Some(([i - 1, j - 1], value(line, &mut words, field).ok()?))
            })?;
            if let Some((index, value)) = plain {
                self.read += 1;
                return Ok(Some((line, index, value)));
            }
        }
        let Some((line, text)) = self.lines.next_data()? else {
            if self.read < self.total {
                return Err(FileError::at(self.lines.number, FileErrorKind::End("an entry")));
            }
            return Ok(None);
        };
        let mut words = text.split_ascii_whitespace();
        let index = match self.next {
            Some(index) => index,
            None => {
                let i = coordinate(line, words.next(), 0, rows)?;
                [i, coordinate(line, words.next(), 1, columns)?]
            }
        };
        let value: T = value(line, &mut words, self.field)?;
        if self.read == self.total {
            return Err(FileError::at(line, FileErrorKind::TooMany(self.total)));
        }
        self.read += 1;
        if let Some([i, j]) = &mut self.next {
            *i += 1;
            if *i == rows {
                [*i, *j] = self.symmetry.first_of_column(*j + 1);
            }
        }
        Ok(Some((line, index, value)))
    }

    fn entry(&mut self) -> Result<Option<([usize; 2], T)>, FileError> {
        let (line, [i, j], value) = loop {
            match self.given()? {
                None => return Ok(None),
                Some((_, _, value)) if self.next.is_some() && value.is_zero() => {}
                Some(given) => break given,
            }
        };
        if i == j {
            let checked = self.symmetry.check_diagonal(value, i);
            checked.map_err(|kind| FileError::at(line, kind))?;
        } else if self.symmetry != Symmetry::General {
            let mirrored = self.symmetry.mirrored(value).ok_or_else(|| {
                let (field, ty) = ("skew-symmetric", T::NAME);
                FileError::at(line, FileErrorKind::Field { field, ty })
            })?;
            self.mirrored = Some(([j, i], mirrored));
        }
        Ok(Some(([i, j], value)))
    }
}

impl<R: BufRead, T: FileValue> Iterator for MarketReader<R, T> {
    type Item = Result<([usize; 2], T), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        if let Some(mirrored) = self.mirrored.take() {
            return Some(Ok(mirrored));
        }
        let entry = self.entry();
        self.failed = entry.is_err();
        entry.transpose()
    }
}

/// Expects the word `name`, in upper or lower case; `lower` is `name` in lower case.
fn expect(word: Option<&str>, name: &'static str, lower: &str) -> Result<(), FileError> {
    match word {
        Some(word) if word == lower => Ok(()),
        found => {
            let found = found.unwrap_or("the end of the line").to_string();
            Err(FileError::at(1, FileErrorKind::Expected { expected: name, found }))
        }
    }
}

fn one_of<V: Copy>(
    word: Option<&str>,
    names: &[(V, &str)],
    expected: &'static str,
) -> Result<V, FileError> {
    let found = names.iter().find(|(_, name)| Some(*name) == word);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let found: String = word.unwrap_or("the end of the line").to_string();
        FileError::at(1, FileErrorKind::Expected { expected, found })
    })
}

impl<E: Encoding<Index = [usize; 2]>, T: FileValue> SparseTensor<E, T> {
    /// Reads a Matrix Market file. Entries may be in any order.
    ///
    /// # Errors
    /// If it is not a Matrix Market file, or its matrix cannot be stored.
    pub fn read_matrix_market(
        reader: impl BufRead,
        duplicates: Duplicates,
    ) -> Result<Self, FileError> {
        Self::read_matrix_market_with(reader, duplicates, |_| {})
    }

    /// The same, but reports its progress from time to time.
    ///
    /// # Errors
    /// As [`SparseTensor::read_matrix_market`].
    pub fn read_matrix_market_with(
        reader: impl BufRead,
        duplicates: Duplicates,
        mut progress: impl FnMut(Progress),
    ) -> Result<Self, FileError> {
        let mut reader = MarketReader::<_, T>::new(reader)?;
        let mut entries = Vec::with_capacity(reader.total.min(RESERVE));
        while let Some(entry) = reader.next() {
            entries.push(entry?);
            if entries.len().is_multiple_of(REPORT_EVERY) {
                progress(reader.progress());
            }
        }
        progress(reader.progress());
        Ok(Self::from_coo(reader.shape, &entries, duplicates)?)
    }
}
