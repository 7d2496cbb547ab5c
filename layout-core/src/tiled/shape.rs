use super::spec::TiledSpec;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// Any shape that XLA prints: an array, a tuple of shapes, a buffer, a token, an opaque value.
///
/// ```
/// use tensor_layout::tiled::Shape;
/// let shape: Shape = "(f32[1],(f32[2], token[]))".parse().unwrap();
/// assert_eq!(shape.to_string(), "(f32[1]{0}, (f32[2]{0}, token[]))");
/// assert_eq!(shape.arrays().map(|array| array.bytes()).sum::<usize>(), 12);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// One array.
    Array(Box<TiledSpec>),
    /// A tuple, which may be empty.
    Tuple(Vec<Self>),
    /// A buffer: an array that is updated in place, `b(f32[3])`.
    Buffer(Box<TiledSpec>),
    /// A value that only orders operations.
    Token,
    /// A value that is opaque to XLA.
    Opaque,
}

impl Shape {
    /// All arrays in the shape, in the order of the text.
    pub fn arrays(&self) -> impl Iterator<Item = &TiledSpec> {
        let mut stack = alloc::vec![self];
        core::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Self::Array(spec) | Self::Buffer(spec) => return Some(&**spec),
                    Self::Tuple(shapes) => stack.extend(shapes.iter().rev()),
                    Self::Token | Self::Opaque => {}
                }
            }
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(spec) => spec.fmt(f),
            Self::Buffer(spec) => write!(f, "b({spec})"),
            Self::Token => f.write_str("token[]"),
            Self::Opaque => f.write_str("opaque[]"),
            Self::Tuple(shapes) => {
                f.write_str("(")?;
                for (i, shape) in shapes.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    // XLA prints these numbers so that a reader finds an element by its number.
                    if i > 0 && i % 5 == 0 {
                        write!(f, "/*index={i}*/")?;
                    }
                    shape.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}
