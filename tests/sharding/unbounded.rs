//! Values of unknown size, `f32[?,8]`, in programs: passed through unchanged, as Shardy does.

use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{Mesh, MeshType, TensorSharding};
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["a" = 2, "b" = 4] }

/// `tests/golden/stablehlo/dynamic_dims.mlir` in the notation of programs. Returned values of unknown size keep their
/// shardings: only the last result has its own there.
const CARRIED: &str = r#"
    mesh Pod;
    fn carried(
        x: f32[?,8] [{"a"}, {"b"}],
        y: f32[?,8],
        z: f32[?,4] [{?}, {"b", ?}],
        w: f32[?,4],
        v: f32[8,8] [{"a"}, {"b"}],
    ) {
        group(x, y);
        let t = tanh(v);
        return t, x, y, z, w;
    }
"#;

propagate! {
    mesh Pod;
    fn beside(x: f32[?,8] [{"a"}, {"b"}], v: f32[8,8] [{"a"}, {"b"}]) {
        let t = tanh(v);
        return t, x;
    }
}

fn mistake(text: &str) -> String {
    let text = format!("mesh Pod; {text}");
    Program::new(&text, &Pod::MESH).expect_err("a mistake").to_string()
}

/// The shardings of the arguments of the module that Shardy's pipeline printed; `None` for arguments without one.
fn golden() -> Vec<Option<TensorSharding>> {
    let path = "tests/golden/stablehlo/dynamic_dims.propagated.mlir";
    let text = std::fs::read_to_string(path).expect("the golden module");
    let (_, arguments) = text.split_once("@main(").expect("a function");
    let (arguments, _) = arguments.split_once(") -> (").expect("results");
    let sharding = |argument: &str| {
        let (_, text) = argument.split_once("#sdy.sharding")?;
        let text = text.trim_end_matches([',', ' ', '}']).to_string();
        Some(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
    };
    arguments.split("%arg").skip(1).map(sharding).collect()
}

#[test]
fn dynamic_dimensions_are_carried_through_and_left_alone() {
    let mesh: Mesh = Pod::MESH.clone();
    let program = Program::new(CARRIED, &mesh).unwrap_or_else(|error| panic!("{error}"));
    let golden = golden();
    assert_eq!(golden.len(), 5);
    for (value, golden) in program.parameters().iter().zip(golden) {
        let axes = |sharding: &TensorSharding| -> Vec<_> {
            sharding.dims.iter().map(|dim| dim.axes.clone()).collect()
        };
        let golden = golden.map_or(vec![[][..].into(); 2], |golden| axes(&golden));
        assert_eq!(axes(&value.sharding), golden, "{}", value.name);
    }
    let x = program.value("x").expect("x");
    assert!(x.is_unbounded(0) && !x.is_unbounded(1));
    assert_eq!((&x.dims[..], x.local_dims()), (&[0, 8][..], &[0, 2][..]));
    assert!(program.mlir().contains("sdy.sharding_group %y group_id=0 : tensor<?x8xf32>"));
    assert!(
        program.describe().contains("`f32[?,8]` | `[{\"a\"}, {\"b\"}]` | `f32[?,2]` | unknown")
    );
    assert!(program.collectives().is_empty());
    // The exported module, read and propagated again, has the same shardings.
    let module = Program::from_mlir(&program.mlir()).unwrap_or_else(|error| panic!("{error}"));
    let z = r#"%arg2: tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@Pod, [{}, {"b"}]>}"#;
    assert!(module.mlir().contains(z), "{}", module.mlir());
}

#[test]
fn other_values_of_a_program_with_dynamic_dimensions_have_types() {
    assert_eq!(beside::t::SHARDING.to_string(), r#"<@Pod, [{"a", ?}, {"b", ?}]>"#);
    assert!(beside::MLIR.contains("%x: tensor<?x8xf32>"), "{}", beside::MLIR);
}

#[test]
fn operations_refuse_values_of_unknown_size() {
    for (text, expected) in [
        (
            "fn f(x: f32[?,8]) { let y = tanh(x); return y; }",
            "`x` is f32[?,8], and operations take arrays of known sizes only",
        ),
        (
            "fn g(x: f32[8,8]) { return x; } fn f(x: f32[?,8]) { let y = g(x); return y; }",
            "`x` is f32[?,8], and operations take arrays of known sizes only",
        ),
        (
            "fn f(x: f32[?,8], y: f32[0,8]) { group(x, y); return x; }",
            "the values of a group have one size: `x` is f32[?,8], `y` is f32[0,8]",
        ),
        (
            r#"fn f(x: f32[?,8] [{"a"}, {}]) { return x [{}, {"b"}]; }"#,
            r#"`x` is f32[?,8]: a value of unknown size cannot be resharded from [{"a"}, {}] to [{}, {"b"}]"#,
        ),
    ] {
        let found = mistake(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}
