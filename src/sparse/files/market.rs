use super::super::memory::MEMORY;
use super::super::tensor::SparseTensor;
use super::super::typed::Encoding;
use super::error::{FileError, FileErrorKind};
use super::lines::{Lines, coordinate, end, integer, value};
use super::value::FileValue;
use super::{Progress, REPORT_EVERY, RESERVE};
use core::marker::PhantomData;
use layout_core::sparse::storage::{BuildError, CHUNK, Duplicates, OnChunk, Source, Storage};
use std::io::BufRead;
use std::string::{String, ToString};
use std::vec::Vec;

/// The kind of the values of a Matrix Market file.
///
/// ```
/// use tensor_layout::sparse::files::{Field, MarketReader};
/// let text = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
/// let reader = MarketReader::<_, f64>::new(text.as_bytes())?;
/// assert_eq!(reader.field(), Field::Pattern);
/// # Ok::<(), tensor_layout::sparse::files::FileError>(())
/// ```
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

/// The symmetry of a Matrix Market file, by which some entries follow from others.
///
/// ```
/// use tensor_layout::sparse::files::{MarketReader, Symmetry};
/// let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1.5\n";
/// let reader = MarketReader::<_, f64>::new(text.as_bytes())?;
/// assert_eq!(reader.symmetry(), Symmetry::Symmetric);
/// assert_eq!(reader.count(), 2);                                  // the entry, and the one above the diagonal
/// # Ok::<(), tensor_layout::sparse::files::FileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// None.
    General,
    /// Entries above the diagonal equal those below it.
    Symmetric,
    /// Entries above the diagonal are those below it with the opposite sign.
    SkewSymmetric,
    /// Entries above the diagonal are the complex conjugates of those below it.
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

    /// A description of a value of this kind, for messages.
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
        // No file can have that many values.
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

    /// Checks that the diagonal may have this value.
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
/// The file of a matrix with a symmetry can have either half. An `array` file has all elements, or the elements of the lower half,
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
    /// The entry that follows from the last one by symmetry.
    mirrored: Option<([usize; 2], T)>,
    failed: bool,
    value: PhantomData<T>,
}

impl<R: BufRead, T: FileValue> MarketReader<R, T> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it cannot be read or is malformed, or if the values do not fit the element type.
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
        let mut size = |expected| integer(line, words.next(), expected);
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

    /// The progress of reading the file.
    pub fn progress(&self) -> Progress {
        Progress { entries: self.read, total: Some(self.total), lines: self.lines.number }
    }

    /// Reads plain entries, at most `most` lines, and calls `take` for each, and then for the entry that follows from it by
    /// symmetry. [`Self::given`] reads lines that are not plain, or are wrong.
    fn plain(&mut self, most: usize, mut take: impl FnMut([usize; 2], T)) -> Result<(), FileError> {
        if self.next.is_some() {
            return Ok(());
        }
        // The one of the last entry, however its line was read, comes before those of the next lines.
        if let Some((index, value)) = self.mirrored.take() {
            take(index, value);
        }
        let ([rows, columns], field, symmetry) = (self.shape, self.field, self.symmetry);
        let most = most.min(self.total - self.read);
        let mut read = 0;
        let ended = self.lines.plain_entries(|[i, j], word| {
            let inside = (1..=rows).contains(&i) && (1..=columns).contains(&j);
            if read == most || !inside {
                return false;
            }
            let mut words = Some(word).filter(|word| !word.is_empty()).into_iter();
            let Ok(value) = value(0, &mut words, field) else { return false };
            let mirrored = if i == j { None } else { symmetry.mirrored(value) };
            let right = match (symmetry, i == j) {
                (Symmetry::General, _) => true,
                (_, true) => symmetry.check_diagonal(value, i).is_ok(),
                (_, false) => mirrored.is_some(),
            };
            if !right {
                return false;
            }
            read += 1;
            take([i - 1, j - 1], value);
            if let Some(value) = mirrored {
                take([j - 1, i - 1], value);
            }
            true
        });
        self.read += read;
        ended
    }

    /// The next index and value in the file, and the number of the line.
    fn given(&mut self) -> Result<Option<(usize, [usize; 2], T)>, FileError> {
        let [rows, columns] = self.shape;
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
        let (mut plain, mut mirrored) = (None, None);
        self.plain(1, |index, value| match plain {
            None => plain = Some((index, value)),
            Some(_) => mirrored = Some((index, value)),
        })?;
        if plain.is_some() {
            self.mirrored = mirrored;
            return Ok(plain);
        }
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

/// Expects the word `name` in upper or lower case; `lower` is `name` in lower case.
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
    /// Reads a Matrix Market file. Its entries can be in any order.
    ///
    /// # Errors
    /// If it is not a Matrix Market file, or its matrix cannot be stored.
    pub fn read_matrix_market(
        reader: impl BufRead,
        duplicates: Duplicates,
    ) -> Result<Self, FileError> {
        Self::read_matrix_market_with(reader, duplicates, |_| {})
    }

    /// The same, with regular reports of progress.
    ///
    /// # Errors
    /// As for [`SparseTensor::read_matrix_market`].
    pub fn read_matrix_market_with(
        reader: impl BufRead,
        duplicates: Duplicates,
        mut progress: impl FnMut(Progress),
    ) -> Result<Self, FileError> {
        let mut reader = MarketReader::<_, T>::new(reader)?;
        let mut entries = List::new(reader.shape, reader.total.min(RESERVE));
        loop {
            let until = (entries.len() / REPORT_EVERY + 1) * REPORT_EVERY;
            entries.reserve((until - entries.len()).min(reader.total - reader.read));
            reader.plain(until - entries.len(), |index, value| entries.push(index, value))?;
            match reader.next() {
                Some(entry) => {
                    let (index, value) = entry?;
                    entries.push(index, value);
                }
                None => break,
            }
            if entries.len() >= until {
                progress(reader.progress());
            }
        }
        progress(reader.progress());
        Ok(entries.store(reader.shape, duplicates)?)
    }
}

/// Entries with indices of 32 bits, if these are enough: they take two thirds of the memory.
enum List<T> {
    Narrow(Vec<([u32; 2], T)>),
    Wide(Vec<([usize; 2], T)>),
}

impl<T: FileValue> List<T> {
    fn new(shape: [usize; 2], capacity: usize) -> Self {
        match shape.iter().all(|size| u32::try_from(*size).is_ok()) {
            true => Self::Narrow(Vec::with_capacity(capacity)),
            false => Self::Wide(Vec::with_capacity(capacity)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(entries) => entries.len(),
            Self::Wide(entries) => entries.len(),
        }
    }

    /// Makes room for further entries. This is a hint: the list also grows without it.
    fn reserve(&mut self, more: usize) {
        let _ = match self {
            Self::Narrow(entries) => MEMORY.reserve(entries, more),
            Self::Wide(entries) => MEMORY.reserve(entries, more),
        };
    }

    #[inline(always)]
    fn push(&mut self, [i, j]: [usize; 2], value: T) {
        match self {
            Self::Narrow(entries) => entries.push(([i as u32, j as u32], value)),
            Self::Wide(entries) => entries.push(([i, j], value)),
        }
    }

    fn store<E: Encoding<Index = [usize; 2]>>(
        self,
        shape: [usize; 2],
        duplicates: Duplicates,
    ) -> Result<SparseTensor<E, T>, BuildError> {
        let entries = match self {
            Self::Wide(entries) => return SparseTensor::from_coo(shape, &entries, duplicates),
            Self::Narrow(entries) => entries,
        };
        let (spec, len) = (const { &E::SPEC }, entries.len());
        let narrow = Narrow(&entries);
        match Storage::convert(spec, &shape, len, false, &narrow, duplicates, MEMORY)? {
            Some(storage) => Ok(SparseTensor::from_storage(storage)),
            None => {
                let wide: Vec<_> = entries.iter().map(widen).collect();
                drop(entries);
                SparseTensor::from_coo(shape, &wide, duplicates)
            }
        }
    }
}

/// Entries with indices of 32 bits, in the form of a source of entries.
struct Narrow<'a, T>(&'a [([u32; 2], T)]);

impl<T: FileValue> Source<[usize; 2], T> for Narrow<'_, T> {
    fn chunks(&self, f: &mut OnChunk<'_, [usize; 2], T>) {
        let mut chunk = [([0; 2], T::ZERO); CHUNK];
        let _ = self.0.chunks(CHUNK).all(|entries| {
            for (wide, entry) in chunk.iter_mut().zip(entries) {
                *wide = widen(entry);
            }
            f(&chunk[..entries.len()])
        });
    }
}

#[inline(always)]
fn widen<T: Copy>(([i, j], value): &([u32; 2], T)) -> ([usize; 2], T) {
    ([*i as usize, *j as usize], *value)
}
