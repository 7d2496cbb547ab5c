//! Any text is a mesh, a sharding, a rule or a program, or an error; and the value that is read prints as a text with the same
//! meaning.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::{Mesh, MeshAxis, OpShardingRule, TensorSharding};

/// Reads `text`, prints it, and reads that again.
fn round_trip<T>(text: &str)
where
    T: core::str::FromStr<Err = tensor_layout::ParseError>
        + core::fmt::Display
        + PartialEq
        + core::fmt::Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            assert_eq!(printed.parse().as_ref(), Ok(&value), "{printed}");
        }
        Err(error) => assert!(!error.mistakes().is_empty() && !error.to_string().is_empty()),
    }
}

/// Reads a program after a common start, and propagates it.
fn program(text: &str) {
    let mesh = Mesh::new([MeshAxis::new("a", 2), MeshAxis::new("b", 4)], []).expect("a mesh");
    let rule = "(i,k),(k,j)->(i,j) reduction={k}".parse().expect("a rule");
    let definitions = Definitions { meshes: vec![mesh], rules: vec![rule] };
    for text in [text, &format!("mesh M; fn f(x: f32[8,8] [{{\"a\"}}, {{}}]) {{ {text} }}")] {
        match Program::with(text, &definitions) {
            Ok(program) => assert!(!program.describe().is_empty() && !program.mlir().is_empty()),
            Err(error) => assert!(!error.mistakes().is_empty() && !error.to_string().is_empty()),
        }
    }
}

fuzz_target!(|text: &str| {
    round_trip::<Mesh>(text);
    round_trip::<TensorSharding>(text);
    round_trip::<OpShardingRule>(text);
    program(text);
});
