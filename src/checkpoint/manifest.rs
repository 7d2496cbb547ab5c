//! Typed manifests: structs whose fields are the tensors of a checkpoint.

use super::Result;
use super::error::CheckpointError;
use super::open::{Checkpoint, Loaded};
use super::sparse::StoredElement;
use crate::element::Element;
use crate::quantized::{Quantized, QuantizedRef, Scales, Stored};
use crate::sparse::{Encoding, SparseTensor, SparseTensorRef};
use crate::typed::types::Shape;
use crate::typed::{Layout, PackedRef};
use std::collections::BTreeSet;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

/// A type that is loaded from a checkpoint by name: a tensor, a struct of the macro [`checkpoint!`](macro@crate::checkpoint),
/// or a list of them.
///
/// A type of your own loads the tensors from which it is made, and can convert them:
///
/// ```
/// use tensor_layout::checkpoint::{Loader, Manifest};
/// use tensor_layout::{PackedRef, half::bf16, tiled};
///
/// /// The scales of a norm, as numbers to compute with.
/// struct Scales<const N: usize>(Vec<f32>);
///
/// impl<'a, const N: usize> Manifest<'a> for Scales<N> {
///     fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
///         let stored: PackedRef<'a, tiled!(bf16[N])> = loader.find(name)?;
///         Some(Self(stored.as_elements().iter().copied().map(bf16::to_f32).collect()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor or a struct of a checkpoint",
    label = "cannot be loaded",
    note = "the type of an array is its layout, such as `tpu!(bf16[64,64])`; a type of your own implements `Manifest`"
)]
pub trait Manifest<'a>: Sized {
    /// Finds the tensor `name`, or the tensors whose names begin with it. `loader` collects the mismatches, and returns `None`
    /// for a tensor that does not match: find all tensors before the first `?`, so that all mismatches are reported.
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self>;

    /// Loads all tensors, as views of the file.
    ///
    /// # Errors
    /// As for [`Checkpoint::get`], for all tensors together: [`CheckpointError::Mismatches`] if several do not match.
    fn load(checkpoint: &'a Checkpoint /* &Checkpoint::open(path)? */) -> Result<Self> {
        Self::load_from(checkpoint, "")
    }

    /// Loads the tensors whose names begin with `name`, such as those of one layer: `layers.0`.
    ///
    /// # Errors
    /// As for [`Manifest::load`].
    fn load_from(checkpoint: &'a Checkpoint, name: &str) -> Result<Self> {
        let mut loader = Loader { checkpoint, errors: Vec::new() };
        let found = Self::find(&mut loader, name);
        let mut errors = loader.errors;
        match (found, errors.pop()) {
            (Some(found), None) => Ok(found),
            (_, Some(error)) if errors.is_empty() => Err(error),
            (_, Some(error)) => {
                errors.push(error);
                Err(CheckpointError::Mismatches { errors })
            }
            (None, None) => {
                let reason = format!("`{name}` is not loaded, but has no error");
                Err(CheckpointError::Format { path: checkpoint.path().into(), reason })
            }
        }
    }
}

/// Finds the tensors of a [`Manifest`] in a checkpoint, and collects the errors, so that one run reports all of them.
///
/// ```
/// use tensor_layout::checkpoint::{Loader, Manifest};
/// use tensor_layout::{PackedRef, tiled};
///
/// /// A matrix and its bias: the tensors `NAME.weight` and `NAME.bias`.
/// struct Linear<'a>(PackedRef<'a, tiled!(f32[8,16])>, PackedRef<'a, tiled!(f32[8])>);
///
/// impl<'a> Manifest<'a> for Linear<'a> {
///     fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
///         let (weight, bias) = (loader.find_in(name, "weight"), loader.find_in(name, "bias"));
///         Some(Self(weight?, bias?))
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Loader<'a> {
    checkpoint: &'a Checkpoint,
    errors: Vec<CheckpointError>,
}

impl<'a> Loader<'a> {
    /// The checkpoint.
    pub fn checkpoint(&self) -> &'a Checkpoint {
        self.checkpoint
    }

    /// Finds the value with this name.
    pub fn find<M: Manifest<'a>>(&mut self, name: &str) -> Option<M> {
        M::find(self, name)
    }

    /// Finds the value `name` in `outer`: `layers.0` and `wq` give `layers.0.wq`. Either can be empty.
    pub fn find_in<M: Manifest<'a>>(&mut self, outer: &str, name: &str) -> Option<M> {
        match (outer, name) {
            ("", name) => self.find(name),
            (outer, "") => self.find(outer),
            (outer, name) => self.find(&format!("{outer}.{name}")),
        }
    }

    /// The value; if it is an error, records it and returns `None`.
    pub fn check<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    /// Whether a tensor has this name, or this name followed by a dot; in the name of a list, any indices are meant.
    fn has(&self, name: &str) -> bool {
        match name.split_once("{}") {
            Some(around) => self.digits(around, Indices::All).next().is_some(),
            None if name.is_empty() => self.checkpoint.names_from("").next().is_some(),
            None => self.checkpoint.names_from(name).any(|found| is_inside(&found[name.len()..])),
        }
    }

    /// The digits of the index in each name of a tensor of a list.
    fn digits<'b>(
        &self,
        (start, end): (&'b str, &'b str),
        read: Indices,
    ) -> impl Iterator<Item = &'b str>
    where
        'a: 'b,
    {
        let checkpoint: &'b Checkpoint = self.checkpoint;
        checkpoint.names_from(start).filter_map(move |name| {
            let rest = name.strip_prefix(start)?;
            let (digits, rest) = rest.split_at(digits_of(rest));
            (!digits.is_empty() && continues(rest, end, read)).then_some(digits)
        })
    }

    /// The indices of the tensors of a list.
    fn indices(&self, around: (&str, &str)) -> BTreeSet<usize> {
        let index =
            |digits: &str| digits.parse().ok().filter(|index: &usize| index.to_string() == digits);
        self.digits(around, Indices::First).filter_map(index).collect()
    }

    /// The elements `0..len` of a list. All of them are tried, so that all mismatches are reported.
    fn elements<M: Manifest<'a>>(
        &mut self,
        (start, end): (&str, &str),
        len: usize,
    ) -> Option<Vec<M>> {
        let found: Vec<_> =
            (0..len).map(|index| self.find(&format!("{start}{index}{end}"))).collect();
        found.into_iter().collect()
    }
}

/// How much of a name that has several indices is compared with that of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indices {
    /// Up to the second index: nested lists compare the rest when they are loaded.
    First,
    All,
}

/// Whether `rest` is what follows an index in a name whose pattern goes on with `end`.
fn continues(rest: &str, end: &str, read: Indices) -> bool {
    let Some((end, after)) = end.split_once("{}") else {
        return rest.strip_prefix(end).is_some_and(is_inside);
    };
    rest.strip_prefix(end).is_some_and(|rest| {
        let (digits, rest) = rest.split_at(digits_of(rest));
        !digits.is_empty() && (read == Indices::First || continues(rest, after, read))
    })
}

/// The number of digits at the start of a text.
fn digits_of(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether a name ends here, or continues with a dot.
fn is_inside(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('.')
}

/// The text before and after the index in the names of a list. The index comes last if the name does not contain `{}`.
fn around(name: &str) -> (String, String) {
    match name.split_once("{}") {
        Some((start, end)) => (start.into(), end.into()),
        None if name.is_empty() => Default::default(),
        None => (format!("{name}."), String::new()),
    }
}

impl<'a, L: Layout> Manifest<'a> for PackedRef<'a, L> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let found = loader.checkpoint.get::<L>(name);
        loader.check(found)
    }
}

impl<'a, E: Element, S: Shape, B: Scales, A: Stored> Manifest<'a>
    for QuantizedRef<'a, Quantized<E, S, B, A>>
{
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let found = loader.checkpoint.get::<Quantized<E, S, B, A>>(name);
        loader.check(found)
    }
}

impl<'a, E: Encoding, T: StoredElement> Manifest<'a> for SparseTensorRef<'a, E, T> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let found = loader.checkpoint.get::<SparseTensor<E, T>>(name);
        loader.check(found)
    }
}

/// Moved into the layout if the file has another one.
impl<'a, L: Layout> Manifest<'a> for Loaded<'a, L> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let found = loader.checkpoint.get_or_relayout(name);
        loader.check(found)
    }
}

/// `None` if no tensor has the name.
impl<'a, M: Manifest<'a>> Manifest<'a> for Option<M> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        if loader.has(name) { loader.find(name).map(Some) } else { Some(None) }
    }
}

/// A list with the number of elements that the file has, at least one.
impl<'a, M: Manifest<'a>> Manifest<'a> for Vec<M> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let (start, end) = around(name);
        let indices = loader.indices((&start, &end));
        let len = indices.len().max(1);
        let elements = loader.elements((&start, &end), len)?;
        // The tensors of a missing element have been reported, unless all of them are optional.
        let Some(missing) = (0..len).find(|index| !indices.contains(index)) else {
            return Some(elements);
        };
        let name = format!("{start}{missing}{end}");
        loader.errors.push(CheckpointError::Missing { name, nearest: None });
        None
    }
}

/// A list of exactly `N` elements.
impl<'a, M: Manifest<'a>, const N: usize> Manifest<'a> for [M; N] {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let (start, end) = around(name);
        if let Some(last) = loader.indices((&start, &end)).last()
            && *last >= N
        {
            let name = format!("{start}{last}{end}");
            loader.errors.push(CheckpointError::TooMany { name, len: N });
        }
        loader.elements((&start, &end), N)?.try_into().ok()
    }
}
