//! The mistakes of encodings, and their messages.

use super::check::{MAX_STRUCTURED, WIDTHS};
use super::format::LevelFormat;
use super::print::{name, write_form};
use super::scalar::ScalarType;
use crate::parts::{Form, MAX_COEFFICIENT};
use crate::text::Text;

/// One mistake in an encoding, or in its use for an array. Displays as its message; [`Problem::help`] says what to
/// write instead.
///
/// ```
/// use tensor_layout::sparse::{Problem, SparseDraft, Subject};
/// let problem = SparseDraft::new(2).validate().unwrap_err();
/// assert_eq!((problem, problem.subject()), (Problem::NoLevels, Subject::Levels));
/// assert_eq!(problem.message().as_str(), "an encoding needs at least one level");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum Problem {
    /// There is no level.
    NoLevels,
    /// A divisor, a coefficient or a count that is not positive, or too large.
    Divisor { level: usize, divisor: i128 },
    /// A difference that is split.
    SplitSigned { level: usize },
    /// A level of a dimension that does not exist.
    DimUnknown { level: usize, dim: usize },
    /// A level that holds no dimension.
    Constant { level: usize },
    /// A count in an encoding that is not ELL.
    Count { level: usize },
    /// No level holds the dimension.
    DimMissing { dim: usize },
    /// A level of a multiple of a dimension.
    Scaled { level: usize },
    /// A form is not split completely: the part with the divisor `div` is missing.
    PartMissing { level: usize, form: Form, div: usize, modulus: Option<usize> },
    /// A part that other parts determine.
    PartRedundant { level: usize },
    /// The forms do not determine the dimensions, or have values that do not correspond to any index.
    NotInvertible { level: usize, forms: usize, dims: usize },
    /// Properties of a format that cannot have any.
    Properties { level: usize, format: LevelFormat },
    /// `soa` at a level that is not a singleton.
    SoaFormat { level: usize },
    /// A singleton without a level above it that can be its parent.
    SingletonParent { level: usize },
    /// The level above a singleton merges entries that the singleton stores apart.
    SingletonUnique { level: usize },
    /// Some singletons of a run are `soa` and others are not.
    SingletonMixed { level: usize },
    /// A dense level below a singleton.
    DenseAfterSingleton { level: usize },
    /// A batch level below a level of another format.
    BatchPosition { level: usize },
    /// Sizes that a `structured` level cannot have.
    StructuredSizes { level: usize, n: usize, m: usize },
    /// A level below a structured level.
    StructuredLast { level: usize },
    /// A structured level below a level that is not dense.
    StructuredParent { level: usize },
    /// A dimension other than that of the structured level is in blocks of another size than its `m`.
    StructuredBlocks { level: usize, m: usize },
    /// A structured level whose block size differs from its `m`. `block` is 0 if the level is not a block.
    StructuredBlock { level: usize, m: usize, block: usize },
    /// A range that is not below a diagonal.
    RangeParent { level: usize },
    /// A width of gaps that is 0 or larger than `most` bits.
    DeltaBits { level: usize, bits: usize, most: usize },
    /// A delta level whose coordinates can be negative.
    DeltaSigned { level: usize },
    /// `posWidth` is not a possible width.
    PositionWidth { bits: i128 },
    /// `crdWidth` is not a possible width.
    CoordinateWidth { bits: i128 },
    /// `crdWidth = 2`, but a level has more than four coordinates.
    PackedCoordinates { level: usize },
    /// `implicitVal` is not zero.
    ImplicitNotZero,
    /// A level has coordinates below zero, but the type of the coordinates has no sign.
    UnsignedCoordinates,
    /// Slices in an encoding with blocks.
    SliceLevels { levels: usize, dims: usize },
    /// A slice whose size or stride is zero.
    SliceZero { dim: usize, what: &'static str },

    /// The rank of the array differs from that of the encoding.
    Rank { rank: usize, dims: usize },
    /// The type of a value in the encoding differs from that of the elements.
    ValueType { implicit: bool, value: ScalarType, element: ScalarType },
    /// A dimension is too large for the linearized level that holds it.
    Limit { level: usize, dim: usize, size: usize, limit: usize },
    /// The block does not divide the dimension, and the encoding says that it must.
    Indivisible { level: usize, dim: usize, size: usize, block: usize },
    /// A structured level that is not a block holds a dimension whose size is larger than its `m`.
    StructuredDim { level: usize, m: usize, size: usize },
    /// A structured level that holds a sum of dimensions has coordinates that are negative or not less than its `m`.
    StructuredSum { level: usize, m: usize, least: i64, size: usize },
    /// `crdWidth` cannot hold the coordinates of a level.
    CoordinateRange { level: usize, largest: i128, bits: usize },
    /// The size of a slice differs from that of the dimension.
    SliceSize { dim: usize, size: usize, slice: usize },
    /// The level has more coordinates or positions than a `usize` can number.
    Overflow { level: usize },
}

/// The part of an encoding that a [`Problem`] is about, so that the error is shown at the right tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields number the dimensions and the levels, from 0")]
pub enum Subject {
    /// The levels as a whole.
    Levels,
    /// The expression of a level.
    Expr(usize),
    /// The format of a level.
    Format(usize),
    Dim(usize),
    PositionWidth,
    CoordinateWidth,
    Explicit,
    Implicit,
    /// The shape of the array.
    Shape,
}

impl Problem {
    /// What is wrong, with the dimensions named `d0`, `d1`, ...
    pub const fn message(&self) -> Text {
        self.message_with(&[])
    }

    /// What to write instead; empty if the message says so.
    pub const fn help(&self) -> Text {
        self.help_with(&[])
    }

    /// What is wrong, with the dimensions named `names`.
    pub const fn message_with(&self, names: &[&str]) -> Text {
        let text = Text::new();
        match *self {
            Self::NoLevels => text.str("an encoding needs at least one level"),
            Self::Divisor { divisor, .. } if divisor > MAX_COEFFICIENT as i128 => {
                text.str("a factor of a level can be at most ").int(MAX_COEFFICIENT as i128).str(", but this one is ").int(divisor)
            }
            Self::Divisor { divisor, .. } => {
                text.str("a factor of a level must be positive, but this one is ").int(divisor)
            }
            Self::SplitSigned { .. } => text.str("a difference of dimensions cannot be divided"),
            Self::DimUnknown { dim, .. } => text.str("dimension ").num(dim).str(" does not exist"),
            Self::Constant { .. } => text.str("this level holds the same value for every index"),
            Self::Count { .. } => {
                text.str("a level can count the entries of a dense dimension only where the other dimension is the last level, compressed")
            }
            Self::DimMissing { dim } => text.str("no level holds `").str(name(names, dim)).str("`"),
            Self::Scaled { .. } => {
                text.str("this level would have only multiples as coordinates: no index has the values between them")
            }
            Self::PartMissing { ref form, div, modulus, .. } => {
                let text = text.str("no level holds `");
                let text = write_part(text, form, div, modulus, names).str("`, without which `");
                write_form(text, form, names, false).str("` cannot be found")
            }
            Self::PartRedundant { .. } => text.str("other levels hold this part of the index already"),
            Self::NotInvertible { forms, dims, .. } if forms < dims => {
                let text = text.str("the levels do not determine the index: ").count(dims, "dimension");
                text.str(", but ").count(forms, "independent expression")
            }
            Self::NotInvertible { forms, dims, .. } if forms > dims => {
                let text = text.str("the levels hold more than the index: ").count(forms, "expression");
                text.str(" of ").count(dims, "dimension")
            }
            Self::NotInvertible { .. } => {
                text.str("the levels have no inverse with integer coefficients: an index does not follow from its coordinates")
            }
            Self::Properties { format, .. } => {
                text.str("a `").str(format.name()).str("` level takes no properties")
            }
            Self::SoaFormat { .. } => text.str("only a `singleton` level can be `soa`"),
            Self::SingletonParent { .. } => {
                text.str("a `singleton` level must be below a `compressed` or `loose_compressed` one")
            }
            Self::SingletonUnique { .. } => {
                text.str("a level above a `singleton` must be `nonunique`: entries with the same coordinate would be merged, and the singleton has room for one")
            }
            Self::SingletonMixed { .. } => {
                text.str("all `singleton` levels below one another must be `soa`, or none")
            }
            Self::DenseAfterSingleton { .. } => {
                text.str("a `dense` level cannot be below a `singleton`: each entry would have a block of its own")
            }
            Self::BatchPosition { .. } => text.str("`batch` levels must come before all others"),
            Self::StructuredSizes { n, m, .. } => {
                let text = text.str("`structured[").num(n).str(", ").num(m);
                text.str("]` is not between `structured[1, 1]` and `structured[").num(MAX_STRUCTURED).str(", ").num(MAX_STRUCTURED).str("]`, n at most m")
            }
            Self::StructuredLast { .. } => text.str("a `structured` level must be the last"),
            Self::StructuredParent { .. } => {
                text.str("all levels above a `structured` level must be `dense`")
            }
            Self::StructuredBlocks { m, .. } => {
                let text = text.str("above a `structured` level with ").num(m);
                text.str(" coordinates, other dimensions can only be in blocks of ").num(m)
            }
            Self::StructuredBlock { m, block: 0, .. } => {
                text.str("a `structured` level holds `mod ").num(m).str("` of its dimension")
            }
            Self::StructuredBlock { m, block, .. } => {
                let text = text.str("`structured` chooses from ").num(m);
                text.str(" coordinates, but the block has ").num(block)
            }
            Self::RangeParent { .. } => {
                text.str("a `range` level must hold a dimension of a diagonal that is stored above it")
            }
            Self::DeltaBits { bits, most, .. } => {
                let text = text.str("a gap cannot have ").count(bits, "bit");
                text.str(": it can have between 1 and ").num(most)
            }
            Self::DeltaSigned { .. } => text.str("a `delta` level cannot hold values below zero"),
            Self::PositionWidth { bits } => text.str("a position cannot have ").int(bits).str(" bits"),
            Self::CoordinateWidth { bits } => {
                text.str("a coordinate cannot have ").int(bits).str(" bits")
            }
            Self::PackedCoordinates { .. } => {
                text.str("coordinates of two bits are for a `structured` level of at most 4")
            }
            Self::ImplicitNotZero => text.str("the implicit value must be zero"),
            Self::UnsignedCoordinates => {
                text.str("a level holds values below zero, so its coordinates need a signed type")
            }
            Self::SliceLevels { levels, dims } => {
                let text = text.str("a slice needs as many levels as dimensions, but there are ");
                text.num(levels).str(" levels and ").count(dims, "dimension")
            }
            Self::SliceZero { what, .. } => {
                text.str("the ").str(what).str(" of a slice must be positive, but this one is 0")
            }
            Self::Rank { rank, dims } => {
                let text = text.str("the encoding has ").count(rank, "dimension");
                text.str(", but the array has ").num(dims)
            }
            Self::ValueType { implicit, value, element } => {
                let text = text.str(if implicit { "the implicit" } else { "the explicit" });
                let text = value.write(text.str(" value has type `"));
                element.write(text.str("`, but the elements have type `")).str("`")
            }
            Self::Limit { dim, size, limit, .. } => {
                let text = text.str("this level distinguishes ").num(limit).str(" values of `").str(name(names, dim));
                text.str("`, but the dimension has size ").num(size)
            }
            Self::Indivisible { dim, size, block, .. } => {
                let text = text.str("blocks of ").num(block).str(" do not divide `").str(name(names, dim));
                text.str("`, which has size ").num(size).str(", and the encoding is not padded")
            }
            Self::StructuredDim { m, size, .. } => {
                let text = text.str("`structured` chooses from ").num(m);
                text.str(" coordinates, but the dimension has size ").num(size)
            }
            Self::StructuredSum { m, least, size, .. } => {
                let text = text.str("`structured` chooses from ").num(m);
                let text = text.str(" coordinates from 0 on, but the level has ").num(size);
                text.str(" from ").int(least as i128).str(" on")
            }
            Self::CoordinateRange { largest, bits, .. } => {
                let text = text.str("coordinates of ").count(bits, "bit");
                let towards = if largest < 0 { "down" } else { "up" };
                text.str(" cannot hold those of this level, which go ").str(towards).str(" to ").int(largest)
            }
            Self::SliceSize { dim, size, slice } => {
                let text = text.str("dimension `").str(name(names, dim)).str("` has size ").num(size);
                text.str(", but its slice has size ").num(slice)
            }
            Self::Overflow { .. } => text.str("the level has more positions than an address can number"),
        }
    }

    /// What to write instead, with the dimensions named `names`.
    pub const fn help_with(&self, names: &[&str]) -> Text {
        let text = Text::new();
        match *self {
            Self::PartMissing { ref form, div, modulus, .. } => {
                write_part(text.str("add the level `"), form, div, modulus, names)
                    .str(" : dense`")
                    .str(if modulus.is_some() { "" } else { ", or divide by the same number in all of its levels" })
            }
            Self::Count { .. } => {
                text.str("ELL with three entries to a row is `[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)`")
            }
            Self::SingletonUnique { .. } => text.str("write `compressed(nonunique)`"),
            Self::DenseAfterSingleton { .. } => {
                text.str("with `compressed` levels instead of the COO ones, entries of the same coordinates share a block")
            }
            Self::StructuredBlock { m, .. } => {
                text.str("with blocks of ").num(m).str(" the last two levels are `j floordiv ").num(m).str(" : dense, j mod ").num(m).str("`")
            }
            Self::StructuredSum { least: 0, size, .. } if size <= MAX_STRUCTURED => {
                text.str("to choose from all of them, `m` must be at least ").num(size)
            }
            Self::StructuredSum { .. } => text.str("store the level as `compressed`"),
            Self::PositionWidth { .. } | Self::CoordinateWidth { .. } => {
                text.str("the widths are ").choice(&WIDTHS).str(", 0 for that of a pointer")
            }
            Self::CoordinateRange { largest, .. } => {
                let mut width = 0;
                while width < WIDTHS.len() - 1 && (width == 0 || largest >> WIDTHS[width] != 0) {
                    width += 1;
                }
                text.str("`crdWidth = ").num(WIDTHS[width]).str("` would do")
            }
            Self::Indivisible { .. } => text.str("without `padded = false` the last block is padded"),
            Self::NoLevels => text.str("a matrix of sorted rows is `(i, j) -> (i : dense, j : compressed)`"),
            Self::DimMissing { dim } => {
                let text = text.str("add a level for it: `").str(name(names, dim));
                text.str(" : compressed`")
            }
            Self::Scaled { .. } => text.str("leave the factor out"),
            Self::PartRedundant { .. } => text.str("leave this level out"),
            Self::NotInvertible { forms, dims, .. } if forms < dims => {
                text.str("add levels that hold single dimensions: `(i, j) -> (j - i : compressed, i : range)`")
            }
            Self::NotInvertible { forms, dims, .. } if forms > dims => {
                text.str("leave out the levels that follow from others")
            }
            Self::NotInvertible { .. } => {
                text.str("let one level hold a single dimension: `(i, j) -> (j - i : compressed, i : range)`")
            }
            Self::Properties { .. } => text.str("leave the properties out"),
            Self::SoaFormat { .. } => text.str("leave `soa` out"),
            Self::SingletonParent { .. } => {
                text.str("COO is `(i, j) -> (i : compressed(nonunique), j : singleton)`")
            }
            Self::SingletonMixed { .. } => text.str("write `singleton(soa)` for each of them, or for none"),
            Self::BatchPosition { .. } => text.str("list the `batch` levels first"),
            Self::StructuredSizes { .. } => {
                text.str("two of each four values are stored as `structured[2, 4]`")
            }
            Self::StructuredLast { .. } | Self::StructuredParent { .. } | Self::StructuredBlocks { .. } => {
                text.str("2:4 sparsity is `(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])`")
            }
            Self::RangeParent { .. } => {
                text.str("diagonals are stored as `(i, j) -> (j - i : compressed, i : range)`")
            }
            Self::DeltaBits { .. } => text.str("gaps of a byte are `delta[8]`"),
            Self::DeltaSigned { .. } => text.str("store the level as `compressed`"),
            Self::PackedCoordinates { .. } => text.str("`crdWidth = 8` would do"),
            Self::ImplicitNotZero => text.str("leave `implicitVal` out"),
            Self::UnsignedCoordinates => text.str("leave `crdWidth` out, or choose a signed type"),
            Self::SliceLevels { .. } => text.str("leave the slice out, or write one level for each dimension"),
            Self::SliceZero { .. } => text.str("write `?` for a size that is known only at run time"),
            Self::Rank { rank, .. } => text.str("write ").count(rank, "size"),
            Self::ValueType { element, implicit, .. } => {
                let name = if implicit { "implicitVal" } else { "explicitVal" };
                element.write(text.str("give the value that type: `").str(name).str(" = 1 : ")).str("`")
            }
            Self::Limit { limit, .. } => text.str("a size of at most ").num(limit).str(" fits"),
            Self::StructuredDim { m, .. } => text.str("give the dimension a size of at least ").num(m),
            _ => text,
        }
    }

    /// The part of the encoding that the problem is about.
    pub const fn subject(&self) -> Subject {
        match *self {
            Self::NoLevels => Subject::Levels,
            Self::Divisor { level, .. }
            | Self::SplitSigned { level }
            | Self::DimUnknown { level, .. }
            | Self::Constant { level }
            | Self::Count { level }
            | Self::Scaled { level }
            | Self::PartMissing { level, .. }
            | Self::PartRedundant { level }
            | Self::NotInvertible { level, .. }
            | Self::StructuredBlocks { level, .. }
            | Self::Limit { level, .. }
            | Self::Indivisible { level, .. }
            | Self::Overflow { level } => Subject::Expr(level),
            Self::Properties { level, .. }
            | Self::SoaFormat { level }
            | Self::SingletonParent { level }
            | Self::SingletonUnique { level }
            | Self::SingletonMixed { level }
            | Self::DenseAfterSingleton { level }
            | Self::BatchPosition { level }
            | Self::StructuredSizes { level, .. }
            | Self::StructuredLast { level }
            | Self::StructuredParent { level }
            | Self::StructuredBlock { level, .. }
            | Self::RangeParent { level }
            | Self::DeltaBits { level, .. }
            | Self::DeltaSigned { level }
            | Self::PackedCoordinates { level }
            | Self::StructuredDim { level, .. }
            | Self::StructuredSum { level, .. }
            | Self::CoordinateRange { level, .. } => Subject::Format(level),
            Self::DimMissing { dim }
            | Self::SliceZero { dim, .. }
            | Self::SliceSize { dim, .. } => Subject::Dim(dim),
            Self::PositionWidth { .. } => Subject::PositionWidth,
            Self::CoordinateWidth { .. } | Self::UnsignedCoordinates => Subject::CoordinateWidth,
            Self::ValueType { implicit: false, .. } => Subject::Explicit,
            Self::ImplicitNotZero | Self::ValueType { .. } => Subject::Implicit,
            Self::SliceLevels { .. } => Subject::Levels,
            Self::Rank { .. } => Subject::Shape,
        }
    }
}

/// `(x floordiv div) mod modulus`
const fn write_part(
    text: Text,
    form: &Form,
    div: usize,
    modulus: Option<usize>,
    names: &[&str],
) -> Text {
    super::expr::LevelExpr::Part { form: *form, div, modulus }.write(text, names)
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for Problem {}
