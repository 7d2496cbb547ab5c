//! Any text is a program or an error; random programs, whole or modified, propagate, and their exports are read back.
#![no_main]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/tiled/properties/damage.rs"]
mod damage;
mod draw;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sharding/numbers.rs"]
mod numbers;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sharding/operations/random.rs"]
mod random;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sharding/operations/read_back.rs"]
mod read_back;

use damage::{change, changed};
use draw::{draw, seed};
use libfuzzer_sys::fuzz_target;
use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::propagation::Strategy;
use tensor_layout::sharding::{Mesh, MeshAxis};

const STRATEGIES: [Strategy; 4] =
    [Strategy::Basic, Strategy::Aggressive, Strategy::OpPriority, Strategy::UserPriority];

/// Any text is a program or an error, whatever the order in which shardings are propagated.
fn read(text: &str, definitions: &Definitions) {
    match Program::with(text, definitions) {
        Ok(program) => {
            assert!(!program.describe().is_empty());
            read_back::check(&program).unwrap_or_else(|error| panic!("{text}\n{error}"));
            for value in program.values() {
                assert_eq!(value.local_dims().len(), value.dims.len(), "{text}");
                let _ = value.local_bytes();
            }
            for sent in program.collectives() {
                assert!(!sent.to_string().is_empty());
            }
        }
        Err(error) => {
            assert!(!error.mistakes().is_empty() && !error.to_string().is_empty(), "{text}");
        }
    }
    for strategy in STRATEGIES {
        let _ = Program::shardings(text, definitions, strategy);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    if choice % 2 == 0 {
        let Some((seed, rest)) = seed(bytes) else { return };
        let (text, definitions) = random::text(seed);
        let changes = proptest::collection::vec(change(), 0..4);
        let Some(changes) = draw(changes, rest) else { return };
        read(&changes.iter().fold(text, |text, change| changed(&text, change)), &definitions);
    } else if let Ok(text) = core::str::from_utf8(bytes) {
        let mesh = Mesh::new([MeshAxis::new("a", 2), MeshAxis::new("b", 4)], []).expect("a mesh");
        let rule = "(i,k),(k,j)->(i,j) reduction={k}".parse().expect("a rule");
        let definitions = Definitions { meshes: vec![mesh], rules: vec![rule] };
        read(text, &definitions);
        read(&format!("mesh M; fn f(x: f32[8,8] [{{\"a\"}}, {{}}]) {{ {text} }}"), &definitions);
    }
});
