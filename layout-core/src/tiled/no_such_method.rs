//! Names of methods and constructors that a layout has elsewhere. Calling one is an error that says what to write.
//!
//! The methods are in `impl` blocks whose bound nothing satisfies, so that method lookup skips them.

use super::TiledSpec;

macro_rules! no_such_method {
    ($( $Trait:ident $message:literal: $($name:ident)*; )*) => { $(
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this method does not exist here"
        )]
        #[doc(hidden)]
        pub trait $Trait {}

        // rustc would report a bound without parameters here instead of where it is used.
        #[doc(hidden)]
        #[allow(
            clippy::new_ret_no_self,
            clippy::wrong_self_convention,
            clippy::should_implement_trait,
            reason = "the methods cannot be called"
        )]
        impl TiledSpec where for<'never> Self: $Trait {
            $(
                #[doc(hidden)]
                pub fn $name(&self) {}
            )*
        }
    )* };
}
no_such_method! {
    WriteDims "the sizes of an array are `spec.dims()`, and their number is `spec.rank()`":
        shape size sizes ndim rows columns dimensions;
    WriteDtype "the element type is `spec.dtype()`":
        element_type data_type elem_type primitive_type;
    WriteElements "the number of elements is `spec.elements()`, and with padding `spec.len()`":
        numel nelement elem_count num_elements count;
    WriteBytes "the number of stored bytes is `spec.bytes()`":
        nbytes size_in_bytes byte_size size_of byte_len;
    WriteStride "the stride of a dimension is `spec.stride(dim)`":
        strides;
    WriteMinorToMajor "the order of the dimensions is `spec.minor_to_major()`":
        order layout major_to_minor dim_order;
    WriteParse "a layout is read from text by `text.parse::<TiledSpec>()?`":
        new parse from_string from_text from_hlo;
}
