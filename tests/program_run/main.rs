//! Programs on shards return what they return on one device and what plain loops compute.
#![cfg(feature = "sharding")]

mod bodies;
mod bytes;
mod contradictions;
mod damaged;
mod edges;
mod errors;
mod imported;
mod jax;
mod meshes;
mod models;
mod operations;
mod overlap;
mod plain;
mod random;
mod sharing;
mod typed;
mod windows;

use plain::Plain;
use std::slice;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::{F32, ParseError};

/// Arrays of `f32` to pass to a program.
fn inputs(arrays: &[Plain]) -> Vec<HostArray> {
    let array = |array: &Plain| {
        let values: Vec<_> = array.values.iter().map(|&value| value as f32).collect();
        HostArray::new::<F32>(&array.dims, &values).expect("the sizes fit")
    };
    arrays.iter().map(array).collect()
}

/// The same axes, each of size 1.
fn alone(mesh: &Mesh) -> Mesh {
    let axes: Vec<_> = mesh.axes().iter().map(|axis| format!("{:?}=1", axis.name())).collect();
    format!("<[{}]>", axes.join(", ")).parse().expect("a mesh of one device")
}

/// The program of a text that names these meshes.
fn program(text: &str, meshes: &[Mesh]) -> Result<Program, ParseError> {
    Program::with(text, &Definitions { meshes: meshes.to_vec(), rules: Vec::new() })
}

/// The results of a program on the devices of a mesh.
fn run(text: &str, mesh: &Mesh, inputs: &[HostArray]) -> Vec<HostArray> {
    run_over(text, slice::from_ref(mesh), inputs)
}

/// The results of a program on the devices of its meshes.
fn run_over(text: &str, meshes: &[Mesh], inputs: &[HostArray]) -> Vec<HostArray> {
    let program = program(text, meshes).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    runner.run_on_threads(inputs).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks that two arrays are equal except for rounding.
#[track_caller]
fn check_close(found: &HostArray, expected: &Plain, what: &str) {
    assert_eq!(found.dims(), expected.dims, "{what}");
    let values = found.values::<F32>().expect("elements of f32");
    for (at, (&found, &expected)) in values.iter().zip(&expected.values).enumerate() {
        let error = (f64::from(found) - expected).abs();
        assert!(error <= 1e-4 * (1.0 + expected.abs()), "{what}: {found} at {at}, not {expected}");
    }
}

/// Checks that a program returns `expected` on the mesh and on one device.
#[track_caller]
fn check(text: &str, mesh: &str, arrays: &[Plain], expected: &[Plain]) {
    let mesh: Mesh = mesh.parse().expect("a mesh");
    let inputs = inputs(arrays);
    for mesh in [&mesh, &alone(&mesh)] {
        let found = run(text, mesh, &inputs);
        assert_eq!(found.len(), expected.len());
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            check_close(found, expected, &format!("result {at} on {mesh}"));
        }
    }
}
