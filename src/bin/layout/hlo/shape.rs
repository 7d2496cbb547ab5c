//! The shapes of values, of which single arrays may be unreadable.

use super::text::items;
use tensor_layout::{ParseError, Shape, tiled};

/// How deep tuples may be nested for their elements to be read one by one.
const MAX_DEPTH: usize = 64;

/// The shape of a value.
pub(crate) struct ValueShape {
    /// The shape. Arrays that cannot be read have no elements in it.
    pub(crate) shape: Shape,
    /// The arrays that cannot be read.
    pub(crate) unread: Vec<Unread>,
}

/// An array that cannot be read, or a whole shape that is not the list of its elements.
pub(crate) struct Unread {
    /// The number of the array in the shape.
    pub(crate) array: usize,
    pub(crate) text: String,
    pub(crate) error: ParseError,
}

/// Reads a shape. If it has a mistake, reads each element of a tuple alone, so that one array beyond the limits of this crate does
/// not hide the others.
pub(crate) fn read(text: &str) -> ValueShape {
    let mut unread = Vec::new();
    let shape = read_within(text, 0, &mut 0, &mut unread);
    ValueShape { shape, unread }
}

/// Reads a shape of which `count` arrays come before it, and counts its own.
fn read_within(text: &str, depth: usize, count: &mut usize, unread: &mut Vec<Unread>) -> Shape {
    let error = match text.parse::<Shape>() {
        Ok(shape) => {
            *count += shape.arrays().count();
            return shape;
        }
        Err(error) => error,
    };
    let before = unread.len();
    let elements = text.strip_prefix('(').filter(|_| depth < MAX_DEPTH);
    let shape = match elements {
        Some(list) => {
            let read = items(list).map(|element| read_within(element, depth + 1, count, unread));
            Shape::Tuple(read.collect())
        }
        None => without_elements(),
    };
    if unread.len() == before {
        unread.push(Unread { array: *count, text: text.to_string(), error });
    }
    *count += usize::from(elements.is_none());
    shape
}

/// Not inlined: a spec is large, and must not be part of the stack frames of nested tuples.
#[inline(never)]
fn without_elements() -> Shape {
    Shape::Array(Box::new(<tiled!(pred[0])>::SPEC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrays_around_one_that_cannot_be_read_are_read() {
        let ones = vec!["1"; 17].join(",");
        let text = format!("(f32[3], (f32[{ones}], s8[2,2]), token[], f32[5]{{1}})");
        let ValueShape { shape, unread } = read(&text);
        let bytes: Vec<_> = shape.arrays().map(|array| array.storage_bytes()).collect();
        assert_eq!(bytes, [12, 0, 4, 0]);
        let found: Vec<_> = unread.iter().map(|unread| (unread.array, &*unread.text)).collect();
        assert_eq!(found, [(1, &*format!("f32[{ones}]")), (3, "f32[5]{1}")]);
        // The elements are right, but the list is not.
        let ValueShape { shape, unread } = read("(f32[3], f32[5]");
        assert_eq!((shape.arrays().count(), unread[0].array, unread.len()), (2, 2, 1));
        let deep = "(".repeat(100_000);
        assert_eq!(read(&deep).unread.len(), 1);
    }
}
