//! Random programs: operations, regions and meshes, without the statements that turn out invalid.

use crate::numbers::Random;
use tensor_layout::DType;
use tensor_layout::sharding::program::{Definitions, Program};
use tensor_layout::sharding::{Mesh, OpShardingRule};

const DIMS: [&[usize]; 9] =
    [&[], &[1], &[8], &[8, 4], &[4, 8], &[8, 8], &[2, 4, 8], &[0, 4], &[4, 1, 8]];

/// The meshes of programs, each with the axes that shardings name. Those with axes have four devices.
const MESHES: [(&str, &[&str]); 5] = [
    (r#"<["a"=2, "b"=2]>"#, &["a", "b"]),
    (r#"<["a"=4]>"#, &["a"]),
    (r#"<["a"=4], device_ids=[3, 2, 1, 0]>"#, &["a"]),
    (r#"<["x y"=4]>"#, &["x y"]),
    ("<[], device_ids=[2]>", &[]),
];

const UNARY: [&str; 14] = [
    "abs",
    "cbrt",
    "ceil",
    "exp",
    "imag",
    "is_finite",
    "neg",
    "not",
    "popcnt",
    "real",
    "sign",
    "sqrt",
    "tanh",
    "reduce_precision",
];
const BINARY: [&str; 12] = [
    "add",
    "and",
    "atan2",
    "complex",
    "div",
    "max",
    "mul",
    "pow",
    "rem",
    "shift_left",
    "sub",
    "xor",
];

fn dims(random: &mut Random) -> Vec<usize> {
    random.one(&DIMS).to_vec()
}

fn dtype(random: &mut Random) -> DType {
    const COMMON: [DType; 6] =
        [DType::F32, DType::F32, DType::BF16, DType::S32, DType::PRED, DType::C64];
    if random.below(4) == 0 { random.one(&DType::ALL) } else { random.one(&COMMON) }
}

/// `[{"a"}, {?}], unreduced={"b"}` on one of the meshes.
fn sharding(random: &mut Random, meshes: &[usize], rank: usize) -> String {
    let number = random.below(meshes.len());
    let (mut placed, mut unreduced, mut replicated) = (vec![Vec::new(); rank], vec![], vec![]);
    let mut axes = MESHES[meshes[number]].1.to_vec();
    if random.below(2) == 0 {
        axes.reverse();
    }
    for axis in axes {
        let axis = match random.below(6) {
            0 if axis != "b" => format!("\"{axis}\":(1)2"),
            _ => format!("\"{axis}\""),
        };
        match random.below(rank + 3) {
            position if position < rank => placed[position].push(axis),
            position if position == rank => unreduced.push(axis),
            position if position == rank + 1 => replicated.push(axis),
            _ => {}
        }
    }
    let dims = placed.into_iter().map(|mut axes| {
        if random.below(3) == 0 {
            axes.push("?".into());
        }
        format!("{{{}}}", axes.join(", "))
    });
    let dims = if MESHES[meshes[number]].1.is_empty() { vec![] } else { dims.collect::<Vec<_>>() };
    let mut text = format!("@ M{number} [{}]", dims.join(", "));
    for (name, list) in [("replicated", replicated), ("unreduced", unreduced)] {
        if !list.is_empty() {
            text += &format!(", {name}={{{}}}", list.join(", "));
        }
    }
    text
}

/// A call of an operation on some of the values, each with its name, element type and size.
fn call(random: &mut Random, values: &[(String, DType, Vec<usize>)]) -> String {
    let (x, element, dims) = random.one(values);
    // Usually a value of the same size.
    let like: Vec<_> = values.iter().filter(|(_, _, other)| *other == dims).cloned().collect();
    let y = if random.below(4) == 0 { random.one(values).0 } else { random.one(&like).0 };
    let scalar: Vec<_> = values.iter().filter(|(_, _, dims)| dims.is_empty()).cloned().collect();
    let scalar = if scalar.is_empty() { x.clone() } else { random.one(&scalar).0 };
    let taken = |random: &mut Random, name: &str| match random.below(3) {
        0 => format!("reshard({name})"),
        _ => name.to_owned(),
    };
    let (a, b) = (taken(random, &x), taken(random, &y));
    let rank = dims.len();
    let reversed: Vec<_> = (0..rank).rev().collect();
    let last = rank.saturating_sub(1);
    let count: usize = dims.iter().product();
    let halves: Vec<_> = dims.iter().map(|size| size / 2).collect();
    let doubles: Vec<_> = dims.iter().map(|size| size * 2).collect();
    let scalars = vec![scalar.clone(); rank].join(", ");
    let scalars = if rank == 0 { scalars } else { format!(", {scalars}") };
    let mut grown = dims.clone();
    let mut shrunk = dims.clone();
    if let (Some(grown), Some(shrunk)) = (grown.last_mut(), shrunk.last_mut()) {
        (*grown, *shrunk) = (*grown * 4, *shrunk / 2);
    }
    match random.below(40) {
        0..5 => format!("{}({a})", random.one(&UNARY)),
        5..10 => format!("{}({a}, {b})", random.one(&BINARY)),
        10 => format!("compare({a}, {b}, direction=GE)"),
        11 => format!("select({y}, {a}, {b})"),
        12 => format!("clamp({scalar}, {a}, {y})"),
        13 => format!("convert({a}, type={})", dtype(random)),
        14 => format!("bitcast_convert({a}, type={})", dtype(random)),
        15 => format!("transpose({a}, {reversed:?})"),
        16 => format!("reshape({a}, [{count}])"),
        17 => format!(
            "broadcast_in_dim({a}, {:?}, {:?})",
            [&[2][..], &dims].concat(),
            (1..=rank).collect::<Vec<_>>()
        ),
        18 => format!("broadcast_in_dim({scalar}, {dims:?}, [])"),
        19 => format!(
            "reduce({a}, {:?})",
            random.one(&[vec![], vec![0], vec![last], reversed.clone()])
        ),
        20 => format!("slice({a}, {halves:?})"),
        21 => format!("pad({a}, {doubles:?})"),
        22 => format!("reverse({a}, {:?})", random.one(&[vec![], vec![last]])),
        23 => format!("sort({a}, {last})"),
        24 => format!("concatenate({a}, {b}, {last})"),
        25 => format!("dot({a}, {b})"),
        26 => format!(
            "dot_general({a}, {b}, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[{last}], rhs_contracting=[{last}])"
        ),
        27 => format!("dynamic_slice({a}{scalars}, {halves:?})"),
        28 => format!("dynamic_update_slice({a}, {b}{scalars})"),
        29 => format!("cholesky({a})"),
        30 => format!("iota({element}{dims:?}, {last})"),
        31 => format!("constant({element}{dims:?})"),
        32 => format!("all_gather({a}, {grown:?})"),
        33 => format!("reduce_scatter({a}, {shrunk:?})"),
        34 => format!(
            "gather({a}, {b}, offset=[1], collapsed=[0], slice_sizes={:?}, index_vector=1)",
            [&[1][..], dims.get(1..).unwrap_or(&[])].concat()
        ),
        35 => format!(
            "convolution({a}, {b}, input=[0, 1, 2], kernel=[1, 2, 0], output=[0, 1, 2], feature_groups={})",
            dims.get(1).copied().unwrap_or(1)
        ),
        36 => format!("reduce_window({a}, window={:?})", vec![1; rank]),
        37 => format!(
            "fft({a}, {:?}, type={})",
            &dims[last.min(rank)..],
            random.one(&["FFT", "RFFT"])
        ),
        38 => format!("mine({a}, {b}) : R"),
        _ => format!(
            "propagation_barrier({a}, allowed_direction={})",
            random.one(&["FORWARD", "NONE"])
        ),
    }
}

/// A statement that defines `name`.
fn statement(
    random: &mut Random,
    meshes: &[usize],
    values: &[(String, DType, Vec<usize>)],
    name: &str,
) -> String {
    let (x, _, dims) = random.one(values);
    let (y, ..) = random.one(values);
    let rank = dims.len();
    match random.below(14) {
        0 => format!("let {name} = constrain({x}) {};", sharding(random, meshes, rank)),
        1 => format!("let {name} = reshard({x}) {};", sharding(random, meshes, rank)),
        2 => {
            let mut body = values.to_vec();
            body[0] = (format!("{name}h"), body[0].1, body[0].2.clone());
            let inner = call(random, &body[..1]);
            format!(
                "let {name} = while ({name}h = {}) {{ let {name}k = {inner}; return {name}k; }};",
                values[0].0
            )
        }
        3 => format!("let {name} = case {{ return {x}; }} {{ return {y}; }};"),
        4 => {
            let border = sharding(random, meshes, rank);
            format!(
                "let {name} = manual {{\"a\"}} ({name}a = {x} {border}) {{ let {name}b = tanh({name}a); return {name}b {border}; }};"
            )
        }
        5 => format!("let ({name}, {name}s) = optimization_barrier({x}, {y});"),
        6 => format!("group({x}, {y});"),
        7 => format!("let ({name}, {name}i) = top_k({x}, 2);"),
        8..10 => {
            let call = call(random, values);
            format!("let {name} = {call} {};", sharding(random, meshes, rank))
        }
        _ => format!("let {name} = {};", call(random, values)),
    }
}

/// Whether the function can use a value of this name. Values that a body defines and results of nested calls are not in scope.
fn is_in_scope(name: &str) -> bool {
    !name[1..].ends_with(['h', 'k', 'a', 'b']) && !name.contains('_')
}

/// A program.
pub(crate) fn program(seed: u64) -> Program {
    let (text, definitions) = text(seed);
    Program::with(&text, &definitions).expect("what was read before")
}

/// The text of a program, and its definitions. Statements with mistakes or conflicts are left out.
pub(crate) fn text(seed: u64) -> (String, Definitions) {
    let random = &mut Random(seed);
    let meshes: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(MESHES.len())).collect();
    let rule: OpShardingRule = "i j, i j -> i j".parse().expect("a rule");
    let definitions = Definitions {
        meshes: meshes
            .iter()
            .map(|&mesh| MESHES[mesh].0.parse::<Mesh>().expect("a mesh"))
            .collect(),
        rules: vec![rule],
    };
    let named: String =
        (0..meshes.len()).map(|number| format!("mesh M{number} padded;\n")).collect();
    let name = random.one(&["f", "M0", "M1_0"]);
    let source = |parameters: &str, body: &str, returned: &str| {
        // A rule is among the definitions only if the text names it.
        let mut definitions = definitions.clone();
        if !body.contains(": R") {
            definitions.rules.clear();
        }
        let text = format!("{named}fn {name}({parameters}) {{\n{body}{returned}}}\n");
        (text, definitions)
    };
    let read = |parameters: &str, body: &str, returned: &str| {
        let (text, definitions) = source(parameters, body, returned);
        Program::with(&text, &definitions).ok()
    };
    let mut parameters = String::new();
    let mut found = None;
    while found.is_none() || random.below(4) > 0 {
        let number = found.as_ref().map_or(0, |program: &Program| program.parameters().len());
        let dims = dims(random);
        let mut text = format!("{parameters}x{number}: {}{dims:?}", dtype(random));
        if random.below(2) == 0 {
            text += &format!(" {}", sharding(random, &meshes, dims.len()));
        }
        text += ", ";
        if let Some(program) = read(&text, "", "") {
            (parameters, found) = (text, Some(program));
        }
    }
    let mut program = found.expect("a program with a parameter");
    let mut body = String::new();
    for number in 0..12 {
        let values: Vec<_> = program
            .values()
            .iter()
            .filter(|value| is_in_scope(&value.name))
            .map(|value| (value.name.clone(), value.dtype, value.dims.clone()))
            .collect();
        let text =
            format!("{body}{}\n", statement(random, &meshes, &values, &format!("v{number}")));
        if let Some(longer) = read(&parameters, &text, "") {
            (body, program) = (text, longer);
        }
    }
    let (last, rank) = program
        .values()
        .iter()
        .rfind(|value| is_in_scope(&value.name))
        .map(|value| (value.name.clone(), value.dims.len()))
        .expect("a value");
    let mut returned = match random.below(2) {
        0 => format!("return {last};\n"),
        _ => format!("return {last} {}, x0;\n", sharding(random, &meshes, rank)),
    };
    if read(&parameters, &body, &returned).is_none() {
        returned.clear();
    }
    source(&parameters, &body, &returned)
}
