//! XLA's protos of shapes, layouts and HLO modules, for reading and writing, with the feature `proto`.
//!
//! The messages have the names and tags of `xla_data.proto` and `hlo.proto`. Those of shapes are complete; those of programs have
//! the fields for the names of instructions, their shapes, their operands and the memory that they share. A shape is checked by
//! the same rules as its text.
//!
//! ```
//! use tensor_layout::{TiledSpec, proto::{Message, ShapeProto}};
//! let spec: TiledSpec = "bf16[1000,384]{1,0:T(8,128)(2,1)}".parse().unwrap();
//! let bytes = ShapeProto::from(&spec).encode_to_vec();
//! let proto = ShapeProto::decode(&bytes[..]).unwrap();
//! assert_eq!(TiledSpec::try_from(&proto).unwrap(), spec);
//! ```

mod messages;
mod program;
mod shape;

pub use messages::{
    AliasEntryProto, BufferAllocationProto, BufferAssignmentProto, HloComputationProto,
    HloInputOutputAliasProto, HloInstructionProto, HloModuleProto, HloProto, LayoutProto,
    OutputOperandAliasing, ShapeProto, SplitConfigProto, TileProto,
};
pub use program::ProgramError;
pub use prost::{DecodeError, Message};
pub use shape::ShapeError;
