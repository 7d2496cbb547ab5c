//! The messages, as types with the derive macro of `prost`.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A tile, major to minor; the least `i64` stands for `*`.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct TileProto {
    /// The sizes.
    #[prost(int64, repeated, tag = "1")]
    pub dimensions: Vec<i64>,
}

/// Where a physical dimension is split between memories.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct SplitConfigProto {
    /// The physical dimension, 0 being the most major.
    #[prost(int64, tag = "1")]
    pub dimension: i64,
    /// The first index of each piece but the first.
    #[prost(int64, repeated, tag = "2")]
    pub split_indices: Vec<i64>,
}

/// A layout. `padded_dimensions` and `padding_value` are of its older form; XLA no longer writes them.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct LayoutProto {
    /// The dimensions from the most minor to the most major.
    #[prost(int64, repeated, tag = "1")]
    pub minor_to_major: Vec<i64>,
    /// Widths to which the dimensions are padded.
    #[prost(int64, repeated, tag = "2")]
    pub padded_dimensions: Vec<i64>,
    /// The value of that padding: 1 to 4 for zero, one, the lowest and the highest value.
    #[prost(int32, tag = "3")]
    pub padding_value: i32,
    /// The tiles, outermost first.
    #[prost(message, repeated, tag = "6")]
    pub tiles: Vec<TileProto>,
    /// `E`, the bits of an element.
    #[prost(int64, tag = "7")]
    pub element_size_in_bits: i64,
    /// `S`, the memory space.
    #[prost(int64, tag = "8")]
    pub memory_space: i64,
    /// Left over from sparse arrays, and ignored.
    #[prost(int32, repeated, tag = "9")]
    pub dim_level_types: Vec<i32>,
    /// Of sparse arrays only.
    #[prost(message, optional, boxed, tag = "10")]
    pub physical_shape: Option<Box<ShapeProto>>,
    /// Of sparse arrays only.
    #[prost(int32, tag = "11")]
    pub index_primitive_type: i32,
    /// Of sparse arrays only.
    #[prost(int32, tag = "12")]
    pub pointer_primitive_type: i32,
    /// `M`, the bytes of the prefix.
    #[prost(int64, tag = "15")]
    pub dynamic_shape_metadata_prefix_bytes: i64,
    /// `L`, the tail alignment; 0 means 1.
    #[prost(int64, tag = "16")]
    pub tail_padding_alignment_in_elements: i64,
    /// `SC`, the splits between memories.
    #[prost(message, repeated, tag = "17")]
    pub split_configs: Vec<SplitConfigProto>,
}

/// A shape.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct ShapeProto {
    /// The element type of an array, or the kind of another shape: tuple, token, opaque value or buffer.
    #[prost(int32, tag = "2")]
    pub element_type: i32,
    /// The size or the bound of each dimension; the least `i64` for an unbounded one.
    #[prost(int64, repeated, tag = "3")]
    pub dimensions: Vec<i64>,
    /// The elements of a tuple, or the array of a buffer.
    #[prost(message, repeated, tag = "4")]
    pub tuple_shapes: Vec<Self>,
    /// The layout of an array.
    #[prost(message, optional, tag = "5")]
    pub layout: Option<LayoutProto>,
    /// Whether each size is a bound; empty if none is.
    #[prost(bool, repeated, tag = "6")]
    pub is_dynamic_dimension: Vec<bool>,
}

/// An instruction, with the fields that the explorer needs.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HloInstructionProto {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The name of its operation.
    #[prost(string, tag = "2")]
    pub opcode: String,
    /// The shape of its value.
    #[prost(message, optional, tag = "3")]
    pub shape: Option<ShapeProto>,
    /// Number of a parameter.
    #[prost(int64, tag = "9")]
    pub parameter_number: i64,
    /// The number of the element that `get-tuple-element` returns.
    #[prost(int64, tag = "13")]
    pub tuple_index: i64,
    /// The target of a custom call.
    #[prost(string, tag = "28")]
    pub custom_call_target: String,
    /// What others call it by.
    #[prost(int64, tag = "35")]
    pub id: i64,
    /// The ids of its operands.
    #[prost(int64, repeated, tag = "36")]
    pub operand_ids: Vec<i64>,
    /// The ids of the computations that it calls.
    #[prost(int64, repeated, tag = "38")]
    pub called_computation_ids: Vec<i64>,
    /// The configuration for its backend, in a format of that backend.
    #[prost(bytes = "vec", tag = "43")]
    pub backend_config: Vec<u8>,
    /// The arrays of its value that are in the memory of operands.
    #[prost(message, repeated, tag = "74")]
    pub output_operand_aliasing: Vec<OutputOperandAliasing>,
}

/// An array in the value of an instruction that is in the memory of an operand.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct OutputOperandAliasing {
    /// The path to the array: numbers of elements of nested tuples.
    #[prost(int64, repeated, tag = "1")]
    pub output_shape_index: Vec<i64>,
    /// The number of the operand.
    #[prost(int64, tag = "2")]
    pub operand_index: i64,
    /// The path to an array in the operand.
    #[prost(int64, repeated, tag = "3")]
    pub operand_shape_index: Vec<i64>,
}

/// A computation.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HloComputationProto {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its instructions, operands before their users.
    #[prost(message, repeated, tag = "2")]
    pub instructions: Vec<HloInstructionProto>,
    /// What others call it by.
    #[prost(int64, tag = "5")]
    pub id: i64,
    /// The id of the instruction whose value is the result of the computation.
    #[prost(int64, tag = "6")]
    pub root_id: i64,
}

/// The instructions of a computation in the order in which they run.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct InstructionSequence {
    /// Their ids.
    #[prost(int64, repeated, tag = "1")]
    pub instruction_ids: Vec<i64>,
}

/// The order in which the instructions of a program run.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HloScheduleProto {
    /// The sequences, by the id of their computation.
    #[prost(btree_map = "int64, message", tag = "1")]
    pub sequences: BTreeMap<i64, InstructionSequence>,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HloModuleProto {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its computations, those that are called before those that call them.
    #[prost(message, repeated, tag = "3")]
    pub computations: Vec<HloComputationProto>,
    /// The id of the computation with which the program starts.
    #[prost(int64, tag = "6")]
    pub entry_computation_id: i64,
    /// The order in which instructions run, if it has been decided.
    #[prost(message, optional, tag = "7")]
    pub schedule: Option<HloScheduleProto>,
    /// The results that are returned in the memory of arguments.
    #[prost(message, optional, tag = "8")]
    pub input_output_alias: Option<HloInputOutputAliasProto>,
}

/// A result of a program that is returned in the memory of an argument.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct AliasEntryProto {
    /// The path to an array in the result: numbers of elements of nested tuples.
    #[prost(int64, repeated, tag = "1")]
    pub output_shape_index: Vec<i64>,
    /// The number of the argument.
    #[prost(int64, tag = "2")]
    pub parameter_number: i64,
    /// The path to an array in the argument.
    #[prost(int64, repeated, tag = "3")]
    pub parameter_shape_index: Vec<i64>,
}

/// The results of a program that are returned in the memory of arguments.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HloInputOutputAliasProto {
    /// One entry for each array.
    #[prost(message, repeated, tag = "1")]
    pub entries: Vec<AliasEntryProto>,
}

/// Memory that XLA assigned to values that are not alive at once.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct BufferAllocationProto {
    /// Its bytes.
    #[prost(int64, tag = "2")]
    pub size: i64,
    /// Whether each thread has its own.
    #[prost(bool, tag = "3")]
    pub is_thread_local: bool,
    /// Whether it is an argument.
    #[prost(bool, tag = "5")]
    pub is_entry_computation_parameter: bool,
    /// Whether it can be a result.
    #[prost(bool, tag = "7")]
    pub maybe_live_out: bool,
    /// The memory space.
    #[prost(int64, tag = "8")]
    pub color: i64,
    /// Whether it is a constant.
    #[prost(bool, tag = "12")]
    pub is_constant: bool,
}

/// The memory that XLA assigned to the values of a program.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct BufferAssignmentProto {
    /// Its parts.
    #[prost(message, repeated, tag = "3")]
    pub buffer_allocations: Vec<BufferAllocationProto>,
}

/// The assignment of memory in a dump. It is a message of its own, so that a program can be read although XLA has changed this part.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub(super) struct AssignedProto {
    #[prost(message, optional, tag = "3")]
    pub(super) buffer_assignment: Option<BufferAssignmentProto>,
}

/// The content of a dump of XLA: a program. [`BufferAssignmentProto::read`] returns the assignment of its memory.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HloProto {
    /// The program.
    #[prost(message, optional, tag = "1")]
    pub hlo_module: Option<HloModuleProto>,
}
