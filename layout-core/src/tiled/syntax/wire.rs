use super::array::{ArraySyntax, DimSyntax, Size};
use super::layout::layout_alone;
use super::parse::spec;
use crate::dtype::DType;
use crate::syntax::{Cursor, ParseError, failed, lex};
use crate::tiled::TiledSpec;

impl TiledSpec {
    /// The array of type `dtype` and size `dims` in a layout that is written without its shape, as PJRT passes it
    /// between programs. Linear in the text. [`TiledSpec::layout`] prints it.
    ///
    /// ```
    /// use tensor_layout::{DType, TiledSpec};
    /// let spec = TiledSpec::with_layout(DType::BF16, &[16, 256], "{1,0:T(8,128)(2,1)}").unwrap();
    /// assert_eq!(spec.to_string(), "bf16[16,256]{1,0:T(8,128)(2,1)}");
    /// assert_eq!(TiledSpec::with_layout(DType::BF16, &[16, 256], &spec.layout().to_string()).unwrap(), spec);
    /// ```
    ///
    /// # Errors
    /// If the text is not a layout, or not one of such an array.
    pub fn with_layout(dtype: DType, dims: &[usize], layout: &str) -> Result<Self, ParseError> {
        let tokens = lex(layout);
        let mut cursor = Cursor::new(&tokens, layout.len());
        let syntax = layout_alone(&mut cursor);
        if syntax.is_some() {
            cursor.expect_end();
        }
        let mut diagnostics = cursor.diagnostics;
        let dim = |&size: &usize| DimSyntax {
            size: Size::Literal(size as i128),
            bounded: false,
            span: 0,
        };
        let spec = syntax.and_then(|syntax| {
            let array = ArraySyntax {
                dtype: Some(dtype),
                dtype_span: 0,
                dims: dims.iter().map(dim).collect(),
                dims_span: 0,
                layout: Some(syntax),
                padded: None,
            };
            spec(&array, &mut diagnostics)
        });
        match spec {
            Some(spec) if diagnostics.is_empty() => Ok(spec),
            _ => Err(failed(layout, &tokens, diagnostics)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_layout_of_the_array_is_an_error() {
        for (layout, message) in [
            ("", "1:1: expected `{`, found the end"),
            (
                "{1,0",
                "1:5: expected `:` or `}`, found the end (help: a layout is minor_to_major, and attributes after a colon: `{1,0:T(8,128)}`)",
            ),
            (
                "{1,0} x",
                "1:7: expected the end of the shape, found `x` (help: an array is followed only by its layout, `{1,0}`, and its padding, `padded to [4,8] with zero`)",
            ),
            (
                "{0}",
                "1:2: the array has 2 dimensions, but minor_to_major lists 1 (help: did you mean `{0,1}`?)",
            ),
            (
                "{1,0:T(N,2)}",
                "1:8: expected an integer, found `N` (help: names and expressions are for the macros: write a number)",
            ),
        ] {
            let error = TiledSpec::with_layout(DType::F32, &[3, 5], layout).unwrap_err();
            assert_eq!(alloc::string::ToString::to_string(&error), message);
        }
        let order = "{16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0}";
        assert!(TiledSpec::with_layout(DType::F32, &[1; 17], order).is_err());
    }
}
