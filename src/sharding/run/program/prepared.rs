//! The programs that `propagate!` has checked.

use super::Runner;
use crate::sharding::run::RunError;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use layout_core::sharding::program::{Definitions, Overrides, Program};
use layout_core::sharding::{DimSharding, Mesh, TensorSharding};
use std::sync::OnceLock;

/// A program that is parsed when it first runs.
#[derive(Default)]
pub struct Prepared {
    program: OnceLock<Program>,
    runner: OnceLock<Runner<'static>>,
}

impl Prepared {
    /// A program that has not run yet.
    pub const fn new() -> Self {
        Self { program: OnceLock::new(), runner: OnceLock::new() }
    }

    /// The runner of a program in the text format of the library.
    ///
    /// # Errors
    /// If an operation cannot run. The macro has already checked that, and the text.
    pub fn of_text(
        &'static self,
        text: &str,
        meshes: &[Mesh],
    ) -> Result<&'static Runner<'static>, RunError> {
        self.runner(|| {
            let definitions = Definitions { meshes: meshes.to_vec(), rules: Vec::new() };
            Program::with(text, &definitions).map_err(|error| error.to_string())
        })
    }

    /// The runner of a program in MLIR, with the mesh and the shardings of values that are given in addition to it.
    ///
    /// # Errors
    /// As for [`Prepared::of_text`].
    pub fn of_mlir(
        &'static self,
        text: &str,
        mesh: Option<Mesh>,
        given: &[(&str, &str)],
    ) -> Result<&'static Runner<'static>, RunError> {
        self.runner(|| {
            let split = |name: &str, _: &[usize]| -> Option<Vec<DimSharding>> {
                let (_, split) = given.iter().find(|(other, _)| *other == name)?;
                Some(split.parse::<TensorSharding>().ok()?.dims.into_owned())
            };
            let overrides = Overrides { mesh, arguments: Some(&split), values: Some(&split) };
            Program::from_mlir_with(text, &overrides).map_err(|error| error.to_string())
        })
    }

    fn runner(
        &'static self,
        read: impl FnOnce() -> Result<Program, String>,
    ) -> Result<&'static Runner<'static>, RunError> {
        if let Some(runner) = self.runner.get() {
            return Ok(runner);
        }
        let program = match self.program.get() {
            Some(program) => program,
            None => {
                let program = read().map_err(|message| RunError::Operation {
                    name: "propagate!".to_owned(),
                    line: None,
                    message: format!(
                        "the program differs from the one that the macro read: {message}"
                    ),
                })?;
                self.program.get_or_init(|| program)
            }
        };
        let runner = Runner::new(program)?;
        Ok(self.runner.get_or_init(|| runner))
    }
}
