//! Programs as text.

use super::messages::{
    AssignedProto, BufferAssignmentProto, HloComputationProto, HloInputOutputAliasProto,
    HloInstructionProto, HloModuleProto, HloProto,
};
use super::shape::ShapeError;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use layout_core::Shape;
use prost::{DecodeError, Message};

/// Why bytes are not a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The bytes are not a message.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A shape breaks a rule.
    #[error("instruction `{name}`: {error}")]
    Shape {
        /// The name of the instruction.
        name: String,
        /// What is wrong with its shape.
        error: ShapeError,
    },
    /// An instruction has no shape.
    #[error("instruction `{0}` has no shape")]
    NoShape(String),
}

impl HloModuleProto {
    /// Reads a program: an `HloProto`, as XLA dumps it, or an `HloModuleProto`, as JAX returns it.
    ///
    /// # Errors
    /// If the bytes are neither.
    pub fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        // The first field of an `HloProto` is a message and that of an `HloModuleProto` a name, which cannot be decoded as a
        // message with computations.
        if let Ok(HloProto { hlo_module: Some(module) }) = HloProto::decode(bytes)
            && module.computations.iter().any(|computation| !computation.instructions.is_empty())
        {
            return Ok(module);
        }
        Self::decode(bytes)
    }

    /// The program as HLO text: the computations, and for each instruction its name, shape, operation, operands and the
    /// computations that it calls. Instructions are in the order in which they run, if the program has a schedule.
    ///
    /// # Errors
    /// If a shape breaks a rule.
    pub fn text(&self) -> Result<String, ProgramError> {
        let computations = self.computations.iter().map(|c| (c.id, word(&c.name))).collect();
        let mut text = String::from("HloModule ") + &word(&self.name);
        text += if self.schedule.is_some() { ", is_scheduled=true" } else { "" };
        text.extend(self.input_output_alias.as_ref().map(HloInputOutputAliasProto::text));
        text += "\n";
        for computation in &self.computations {
            let entry = if computation.id == self.entry_computation_id { "ENTRY " } else { "" };
            text += &alloc::format!("\n{entry}%{} {{\n", word(&computation.name));
            let sequences = self.schedule.as_ref().map(|schedule| &schedule.sequences);
            let sequence = sequences.and_then(|sequences| sequences.get(&computation.id));
            let order = sequence.map_or(&[][..], |sequence| &sequence.instruction_ids);
            computation.write(order, &computations, &mut text)?;
            text += "}\n";
        }
        Ok(text)
    }
}

impl HloInputOutputAliasProto {
    /// The entries as the attribute of a module.
    fn text(&self) -> String {
        let entries = self.entries.iter().map(|entry| {
            alias(&entry.output_shape_index, entry.parameter_number, &entry.parameter_shape_index)
        });
        alloc::format!(", input_output_alias={{ {} }}", entries.collect::<Vec<_>>().join(", "))
    }
}

/// `{0}: (1, {2})`
fn alias(result: &[i64], number: i64, path: &[i64]) -> String {
    let list = |path: &[i64]| path.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    alloc::format!("{{{}}}: ({number}, {{{}}})", list(result), list(path))
}

impl BufferAssignmentProto {
    /// The assignment of memory in the bytes of an [`HloProto`], if XLA had decided it when it wrote the dump.
    ///
    /// ```
    /// use tensor_layout::proto::BufferAssignmentProto;
    /// // A field of number 3 with one allocation of 16,384 bytes in memory space 0.
    /// let dump = [0x1A, 0x06, 0x1A, 0x04, 0x10, 0x80, 0x80, 0x01];
    /// let assignment = BufferAssignmentProto::read(&dump).unwrap();
    /// assert_eq!(assignment.temporaries(), [(0, 16_384)].into());
    /// ```
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let assignment = AssignedProto::decode(bytes).ok()?.buffer_assignment?;
        (!assignment.buffer_allocations.is_empty()).then_some(assignment)
    }

    /// The bytes of temporaries in each memory space: what is not an argument, a result, a constant or a thread's own.
    pub fn temporaries(&self) -> BTreeMap<usize, u128> {
        let mut spaces = BTreeMap::new();
        for allocation in &self.buffer_allocations {
            let is_other = allocation.is_thread_local
                || allocation.is_entry_computation_parameter
                || allocation.maybe_live_out
                || allocation.is_constant;
            let numbers = (usize::try_from(allocation.color), u128::try_from(allocation.size));
            if let (false, (Ok(space), Ok(bytes))) = (is_other, numbers) {
                *spaces.entry(space).or_default() += bytes;
            }
        }
        spaces
    }
}

/// Names by id.
type Names = BTreeMap<i64, String>;

impl HloComputationProto {
    /// Writes the instructions, those of `order` first.
    fn write(
        &self,
        order: &[i64],
        computations: &Names,
        text: &mut String,
    ) -> Result<(), ProgramError> {
        let names: Names = self.instructions.iter().map(|i| (i.id, word(&i.name))).collect();
        let numbers: BTreeMap<i64, usize> = order.iter().copied().zip(0..).collect();
        let mut instructions: Vec<_> = self.instructions.iter().collect();
        instructions.sort_by_key(|instruction| {
            numbers.get(&instruction.id).copied().unwrap_or(order.len())
        });
        for instruction in instructions {
            *text += if instruction.id == self.root_id { "  ROOT " } else { "  " };
            instruction.write(&names, computations, text)?;
            *text += "\n";
        }
        Ok(())
    }
}

impl HloInstructionProto {
    fn write(
        &self,
        names: &Names,
        computations: &Names,
        text: &mut String,
    ) -> Result<(), ProgramError> {
        let name = word(&self.name);
        let Some(shape) = &self.shape else { return Err(ProgramError::NoShape(name)) };
        let shape = Shape::try_from(shape)
            .map_err(|error| ProgramError::Shape { name: name.clone(), error })?;
        let list = |names: &Names, ids: &[i64]| {
            let names = ids.iter().map(|id| match names.get(id) {
                Some(name) => alloc::format!("%{name}"),
                None => "%?".into(),
            });
            names.collect::<Vec<_>>().join(", ")
        };
        let opcode = word(&self.opcode);
        let operands = match opcode.as_str() {
            "parameter" => self.parameter_number.to_string(),
            _ => list(names, &self.operand_ids),
        };
        // Writing to a string does not fail.
        let _ = write!(text, "%{name} = {shape} {opcode}({operands})");
        if opcode == "get-tuple-element" {
            let _ = write!(text, ", index={}", self.tuple_index);
        }
        if !self.custom_call_target.is_empty() {
            let _ = write!(text, ", custom_call_target=\"{}\"", word(&self.custom_call_target));
        }
        let called = &self.called_computation_ids[..];
        match (opcode.as_str(), called) {
            (_, []) => {}
            ("while", [body, condition]) => {
                let (body, condition) =
                    (list(computations, &[*body]), list(computations, &[*condition]));
                let _ = write!(text, ", condition={condition}, body={body}");
            }
            ("fusion" | "async-start" | "async-update" | "async-done", [called]) => {
                let _ = write!(text, ", calls={}", list(computations, &[*called]));
            }
            ("conditional", _) => {
                let _ = write!(text, ", branch_computations={{{}}}", list(computations, called));
            }
            (_, [called]) if opcode != "custom-call" => {
                let _ = write!(text, ", to_apply={}", list(computations, &[*called]));
            }
            _ => {
                let _ = write!(text, ", called_computations={{{}}}", list(computations, called));
            }
        }
        let aliases: Vec<_> = self
            .output_operand_aliasing
            .iter()
            .map(|of| alias(&of.output_shape_index, of.operand_index, &of.operand_shape_index))
            .collect();
        if !aliases.is_empty() {
            let _ = write!(text, ", output_to_operand_aliasing={{{}}}", aliases.join(", "));
        }
        // By this text the explorer recognizes a program for a TPU.
        if self.backend_config.windows(14).any(|part| part == b"\"flag_configs\"") {
            *text += ", backend_config={\"flag_configs\":[]}";
        }
        Ok(())
    }
}

/// A name without characters that could be mistaken for the syntax around it.
fn word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}
