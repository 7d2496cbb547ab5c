use super::super::memory::MEMORY;
use super::super::tensor::SparseTensor;
use super::super::typed::Encoding;
use super::error::{FileError, FileErrorKind};
use super::lines::{Lines, coordinate, end, integer, value};
use super::value::FileValue;
use super::{Progress, REPORT_EVERY, RESERVE};
use layout_core::parts::Coordinates;
use layout_core::sparse::MAX_RANK;
use layout_core::sparse::storage::Duplicates;
use std::io::BufRead;
use std::string::{String, ToString};
use std::vec::Vec;
use typenum::Unsigned;

/// The two forms of `.tns` files that are written: entries alone, or after a header with the sizes.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor, files::FrosttForm, formats::Csr};
/// let matrix = SparseTensor::<Csr, f64>::from_coo([2, 3], &[([0, 1], 5.0)], Duplicates::Error)?;
/// let mut text = Vec::new();
/// matrix.write_frostt(&mut text, FrosttForm::Plain)?;
/// assert_eq!(text, b"1 2 5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FrosttForm {
    /// One line for each entry. The sizes follow from the largest coordinates.
    Plain,
    /// As MLIR writes it: before the entries, a line with the rank and the number of entries, and a line with the sizes.
    Extended,
}

/// Reads the entries of a FROSTT file one by one, without storing them.
///
/// ```
/// use tensor_layout::sparse::files::FrosttReader;
/// let reader = FrosttReader::<_, f32>::new("# comment\n1 1 2 0.5\n3 1 1 2\n".as_bytes(), 3).unwrap();
/// assert_eq!(reader.shape(), None);
/// let entries: Result<Vec<_>, _> = reader.collect();
/// let entries = entries.unwrap();
/// assert_eq!((&*entries[0].0, entries[0].1), (&[0, 0, 1][..], 0.5));
/// ```
pub struct FrosttReader<R, T> {
    lines: Lines<R>,
    rank: usize,
    shape: Option<Coordinates>,
    total: Option<usize>,
    read: usize,
    /// The first line of data and its number, which was read to detect the form.
    first: Option<(usize, String)>,
    failed: bool,
    value: core::marker::PhantomData<T>,
}

impl<R: BufRead, T: FileValue> FrosttReader<R, T> {
    /// Reads as far as is necessary to detect the form. A first line of two numbers is a header, unless the tensor is a vector,
    /// whose entries have two numbers too: the file of a vector has a header only if a comment that consists of `# extended
    /// FROSTT format` precedes it.
    /// # Errors
    /// If the header is malformed, or if its rank differs from `rank`.
    pub fn new(reader: R, rank: usize) -> Result<Self, FileError> {
        let mut lines = Lines::new(reader, '#');
        let mut extended = false;
        let first = loop {
            match lines.next()? {
                None => break None,
                Some("") => {}
                Some(line) if line.starts_with('#') => {
                    extended |= is_extended(line);
                }
                Some(line) => break Some(line.to_string()),
            }
        };
        let first = first.map(|first| (lines.number, first));
        let words = first.iter().flat_map(|(_, line)| line.split_ascii_whitespace()).count();
        extended |= words == 2 && rank > 1;
        let form = if extended { FrosttForm::Extended } else { FrosttForm::Plain };
        Self::start(lines, first, rank, form)
    }

    /// Reads a file of a known form.
    ///
    /// # Errors
    /// If the header is malformed, or if its rank differs from `rank`.
    pub fn with_form(reader: R, rank: usize, form: FrosttForm) -> Result<Self, FileError> {
        let mut lines = Lines::new(reader, '#');
        let first = lines.next_data()?.map(|(line, text)| (line, text.to_string()));
        Self::start(lines, first, rank, form)
    }

    fn start(
        lines: Lines<R>,
        first: Option<(usize, String)>,
        rank: usize,
        form: FrosttForm,
    ) -> Result<Self, FileError> {
        if rank > MAX_RANK {
            let kind = FileErrorKind::Rank { expected: MAX_RANK, found: rank };
            return Err(FileError::at(0, kind));
        }
        let (shape, total, value) = (None, None, core::marker::PhantomData);
        let mut this = Self { lines, rank, shape, total, read: 0, first, failed: false, value };
        if form == FrosttForm::Extended {
            this.header()?;
        }
        Ok(this)
    }

    fn header(&mut self) -> Result<(), FileError> {
        let Some((line, first)) = self.first.take() else {
            let kind = FileErrorKind::End("the rank and the number of entries");
            return Err(FileError::at(self.lines.number, kind));
        };
        let mut words = first.split_ascii_whitespace();
        let found = integer(line, words.next(), "the rank")?;
        self.total = Some(integer(line, words.next(), "the number of entries")?);
        end(line, words.next())?;
        if found != self.rank {
            return Err(FileError::at(line, FileErrorKind::Rank { expected: self.rank, found }));
        }
        let Some((line, sizes)) = self.lines.next_data()? else {
            return Err(FileError::at(self.lines.number, FileErrorKind::End("the sizes")));
        };
        let mut words = sizes.split_ascii_whitespace();
        let mut shape = [0; MAX_RANK];
        for size in &mut shape[..self.rank] {
            *size = integer(line, words.next(), "a size")?;
        }
        end(line, words.next())?;
        self.shape = Coordinates::new(&shape[..self.rank]);
        Ok(())
    }

    /// The sizes, if the file has a header.
    pub fn shape(&self) -> Option<&[usize]> {
        self.shape.as_ref().map(Coordinates::as_slice)
    }

    /// The progress of reading the file.
    pub fn progress(&self) -> Progress {
        Progress { entries: self.read, total: self.total, lines: self.lines.number }
    }

    fn entry(&mut self) -> Result<Option<(Coordinates, T)>, FileError> {
        let first = self.first.take();
        let line = match &first {
            Some((line, text)) => Some((*line, text.as_str())),
            None => self.lines.next_data()?,
        };
        let Some((line, text)) = line else {
            return match self.total {
                Some(total) if self.read < total => {
                    Err(FileError::at(self.lines.number, FileErrorKind::End("an entry")))
                }
                _ => Ok(None),
            };
        };
        if let Some(total) = self.total.filter(|total| *total == self.read) {
            return Err(FileError::at(line, FileErrorKind::TooMany(total)));
        }
        let mut words = text.split_ascii_whitespace();
        let mut index = [0; MAX_RANK];
        for (dim, x) in index[..self.rank].iter_mut().enumerate() {
            let size = self.shape.map_or(usize::MAX, |shape| shape[dim]);
            *x = coordinate(line, words.next(), dim, size)?;
        }
        let value = value(line, &mut words, T::FIELD)?;
        self.read += 1;
        Ok(Coordinates::new(&index[..self.rank]).map(|index| (index, value)))
    }
}

/// Whether a comment announces a header.
fn is_extended(comment: &str) -> bool {
    let text = comment.trim_start_matches('#').trim();
    text.eq_ignore_ascii_case("extended FROSTT format")
}

impl<R: BufRead, T: FileValue> Iterator for FrosttReader<R, T> {
    type Item = Result<(Coordinates, T), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let entry = self.entry();
        self.failed = entry.is_err();
        entry.transpose()
    }
}

impl<E: Encoding, T: FileValue> SparseTensor<E, T> {
    /// Reads a FROSTT file of either form. Its entries can be in any order.
    ///
    /// # Errors
    /// If it is not a FROSTT file, or its tensor cannot be stored.
    pub fn read_frostt(reader: impl BufRead, duplicates: Duplicates) -> Result<Self, FileError> {
        Self::read_frostt_with(reader, duplicates, |_| {})
    }

    /// [`SparseTensor::read_frostt`] that also calls `progress`, after every 65,536 entries and at the end.
    ///
    /// # Errors
    /// As for [`SparseTensor::read_frostt`].
    pub fn read_frostt_with(
        reader: impl BufRead,
        duplicates: Duplicates,
        mut progress: impl FnMut(Progress),
    ) -> Result<Self, FileError> {
        let mut reader = FrosttReader::<_, T>::new(reader, E::Rank::USIZE)?;
        let mut entries = Vec::with_capacity(reader.total.unwrap_or(0).min(RESERVE));
        let mut shape = E::Index::default();
        while let Some(entry) = reader.next() {
            let (found, value) = entry?;
            let mut index = E::Index::default();
            index.as_mut().copy_from_slice(&found);
            for (size, x) in shape.as_mut().iter_mut().zip(index.as_ref()) {
                *size = (*size).max(x + 1);
            }
            entries.push((index, value));
            if entries.len().is_multiple_of(REPORT_EVERY) {
                // This is a hint: the list also grows without it.
                let _ = MEMORY.reserve(&mut entries, REPORT_EVERY);
                progress(reader.progress());
            }
        }
        progress(reader.progress());
        if let Some(sizes) = reader.shape() {
            shape.as_mut().copy_from_slice(sizes);
        }
        Ok(Self::from_coo(shape, &entries, duplicates)?)
    }
}
