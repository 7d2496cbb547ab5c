//! Names of methods and constructors that a layout has elsewhere.

use super::TiledSpec;

crate::no_such_method! {
    methods of [] [TiledSpec]:
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
