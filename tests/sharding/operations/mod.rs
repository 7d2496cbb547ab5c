//! The operations of programs compared with StableHLO's verifier, and their exports with the readers of MLIR's text.

mod jaxlib;
mod random;
mod read_back;

use crate::rows::{rows, text};
use serde_json::Value as Json;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{Mesh, Padding, Shards, TensorSharding};

/// The number of rows of operations.
const OPERATIONS: usize = 353;

fn mesh(text: &str) -> Mesh {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Operations that StableHLO's verifier accepts are accepted with the same results, and operations that it rejects are
/// rejected.
#[test]
fn operations_are_those_that_the_verifier_takes() {
    let one = mesh(r#"<["a"=2]>"#);
    let mut wrong = Vec::new();
    for row in rows("sharding_operations", OPERATIONS) {
        let function = text(&row, "function");
        let found = Program::new(&format!("mesh M; {function}"), &one);
        let results = found.as_ref().ok().map(|program| {
            let results = program.values().iter().skip(program.parameters().len());
            let results = results.map(|value| {
                let dims: Vec<_> = value.dims.iter().map(ToString::to_string).collect();
                Json::from(format!("{}[{}]", value.dtype, dims.join(",")))
            });
            Json::from_iter(results)
        });
        if results.unwrap_or(Json::Null) != row["results"] {
            let found = found.map(|program| program.mlir()).map_err(|error| error.to_string());
            wrong.push(format!("{function}\n{found:?}\n{}", row["results"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A product of two element types has the type that is written.
#[test]
fn products_say_their_type() {
    let one = mesh(r#"<["a"=2]>"#);
    let read = |product: &str| {
        let text = format!(
            "mesh M; fn f(x: bf16[4,4], w: f32[4,4], b: bf16[4,4]) {{ let y = {product}; }}"
        );
        Program::new(&text, &one)
            .map(|program| program.value("y").expect("a value").dtype.to_string())
    };
    assert_eq!(read("dot(x, b)").as_deref(), Ok("bf16"));
    assert_eq!(read("dot(x, b, type=f32)").as_deref(), Ok("f32"));
    assert_eq!(read("dot(x, w, type=f32)").as_deref(), Ok("f32"));
    let told = "dot_general(x, w, lhs_contracting=[1], rhs_contracting=[0], type=f32)";
    assert_eq!(read(told).as_deref(), Ok("f32"));
    assert_eq!(
        read("dot(x, w)").expect_err("two types").to_string(),
        "1:72: the operands have elements of type `bf16` and `f32` (help: write which type the result has: `type=f32`)"
    );
    assert_eq!(
        read("convert(x, type=u1)").expect_err("no such type").to_string(),
        "1:76: StableHLO has no elements of type `u1` (help: a call is written `convert(x, type=f32)`)"
    );
}

/// The collectives that Shardy inserts where operands are partial sums.
#[test]
fn partial_sums_are_summed_where_shardy_does() {
    let pod = mesh(r#"<["a"=2, "b"=4, "c"=2]>"#);
    for row in rows("sharding_sums", 92) {
        let program = text(&row, "program");
        let sent = Program::new(program, &pod).unwrap_or_else(|error| panic!("{error}\n{program}"));
        let mut sent: Vec<_> =
            sent.collectives().iter().map(|sent| sent.collective.clone()).collect();
        sent.sort_unstable();
        assert_eq!(Json::from(sent), row["sent"], "{program}");
    }
}

/// JAX's text of shardings with unreduced axes.
#[test]
fn unreduced_axes_have_their_place_in_hlo() {
    for row in rows("sharding_unreduced", 60) {
        let sharding: TensorSharding = text(&row, "sharding").parse().expect("a sharding");
        let dims = vec![24; sharding.rank()];
        let shards = Shards::new(&sharding, &mesh(text(&row, "mesh")), &dims, Padding::Allowed);
        assert_eq!(shards.expect("shards").hlo().to_string(), text(&row, "hlo"), "{row}");
    }
}
