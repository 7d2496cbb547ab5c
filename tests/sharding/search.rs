//! Searches for shardings, compared with plain enumeration.

use tensor_layout::sharding::program::{Cost, Found, Overrides, Program, Search};

/// A function with these arguments, sharded as their texts say.
fn module(
    mesh: &str,
    arguments: &[&str],
    shardings: Option<&[String]>,
    body: &str,
    result: &str,
) -> String {
    let arguments = arguments.iter().enumerate().map(|(at, ty)| {
        let sharding = shardings.map(|all| &all[at]);
        let sharding =
            sharding.map(|text| format!(" {{sdy.sharding = #sdy.sharding<@mesh, {text}>}}"));
        format!("%arg{at}: tensor<{ty}>{}", sharding.unwrap_or_default())
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    format!(
        "sdy.mesh @mesh = {mesh}\nfunc.func @main({arguments}) -> tensor<{result}> {{\n{body}}}\n"
    )
}

fn cost(text: &str, weight: u128) -> Cost {
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let moved: u128 = program.collectives().iter().map(|traffic| traffic.bytes).sum();
    let memory: u128 = program.values().iter().map(|value| value.local_bytes()).sum();
    Cost { sum: weight * moved + memory, moved, memory }
}

fn search(text: &str, search: &Search) -> Found {
    Program::search(text, &Overrides::default(), search).unwrap_or_else(|error| panic!("{error}"))
}

/// The texts of all shardings of a two-dimensional array over axes, each on a dimension or on none.
fn all(axes: &[(&str, usize)], dims: [usize; 2]) -> Vec<String> {
    let mut found = Vec::new();
    for mut number in 0..3_usize.pow(axes.len() as u32) {
        let mut split = [(1, Vec::new()), (1, Vec::new())];
        for (axis, size) in axes {
            if number % 3 > 0 {
                let (parts, list) = &mut split[number % 3 - 1];
                *parts *= size;
                list.push(format!("\"{axis}\""));
            }
            number /= 3;
        }
        if split.iter().zip(dims).all(|((parts, _), size)| size % parts == 0) {
            let [(_, first), (_, second)] = split;
            found.push(format!("[{{{}}}, {{{}}}]", first.join(", "), second.join(", ")));
        }
    }
    found
}

const MLP: &str = "  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
";
const ARGUMENTS: [&str; 3] = ["8x12xf32", "12x16xf32", "16x4xf32"];
const DIMS: [[usize; 2]; 3] = [[8, 12], [12, 16], [16, 4]];

#[test]
fn the_best_of_all_shardings_is_found() {
    for (mesh, axes) in [
        (r#"<["x"=2]>"#, &[("x", 2)][..]),
        (r#"<["x"=3]>"#, &[("x", 3)]),
        (r#"<["x"=2, "y"=4]>"#, &[("x", 2), ("y", 4)]),
    ] {
        let plain = module(mesh, &ARGUMENTS, None, MLP, "8x4xf32");
        let options = DIMS.map(|dims| all(axes, dims));
        for weight in [0, 8, 1000] {
            let mut best: Option<Cost> = None;
            let mut count = 0;
            for a in &options[0] {
                for b in &options[1] {
                    for c in &options[2] {
                        let shardings = [a.clone(), b.clone(), c.clone()];
                        let text = module(mesh, &ARGUMENTS, Some(&shardings), MLP, "8x4xf32");
                        let cost = cost(&text, weight);
                        best = Some(best.map_or(cost, |best| best.min(cost)));
                        count += 1;
                    }
                }
            }
            let found = search(&plain, &Search { weight, ..Search::default() });
            assert_eq!((found.tried, found.is_exhaustive), (count, true), "{mesh}");
            assert_eq!(Some(found.best[0].cost), best, "{mesh}, weight {weight}: {found}");
            assert!(found.best.is_sorted_by_key(|proposal| proposal.cost));
            // The proposal has the stated cost, and so has each argument that is whole instead.
            let texts = |whole: Option<&str>| -> Vec<String> {
                let arguments = found.best[0].arguments.iter();
                let texts = arguments.map(|(name, sharding)| match whole == Some(name) {
                    true => "[{}, {}]".to_string(),
                    false => {
                        sharding.to_string()["<@mesh, ".len()..].trim_end_matches('>').to_string()
                    }
                });
                texts.collect()
            };
            let again = |whole| {
                cost(&module(mesh, &ARGUMENTS, Some(&texts(whole)), MLP, "8x4xf32"), weight)
            };
            assert_eq!(again(None), found.best[0].cost);
            for (name, whole) in &found.without {
                assert_eq!(again(Some(name)), *whole, "{name}");
            }
        }
    }
}

/// A beam as wide as the number of shardings of the first arguments misses nothing; a narrow one tries few.
#[test]
fn a_beam_tries_fewer_shardings() {
    let plain = module(r#"<["x"=2, "y"=4]>"#, &ARGUMENTS, None, MLP, "8x4xf32");
    let best = search(&plain, &Search::default());
    let wide = search(&plain, &Search { all: 0, beam: 100, ..Search::default() });
    assert!(!wide.is_exhaustive);
    assert_eq!(wide.best[0].cost, best.best[0].cost);
    let narrow = search(&plain, &Search { all: 0, beam: 2, ..Search::default() });
    assert!(narrow.tried < best.tried / 4, "{} of {}", narrow.tried, best.tried);
    assert!(narrow.best[0].cost >= best.best[0].cost && narrow.best.len() == 2);
}

#[test]
fn devices_hold_no_more_than_they_may() {
    let plain = module(r#"<["x"=2, "y"=4]>"#, &ARGUMENTS, None, MLP, "8x4xf32");
    let free = search(&plain, &Search { weight: 1000, ..Search::default() }).best[0].cost;
    let most = free.memory / 2;
    for all in [4096, 0] {
        let within =
            search(&plain, &Search { weight: 1000, memory: Some(most), all, ..Search::default() });
        let cost = within.best[0].cost;
        assert!(cost.memory <= most && cost.moved > free.moved, "{cost}");
        assert!(within.best.iter().all(|proposal| proposal.cost.memory <= most));
    }
    let none = search(&plain, &Search { memory: Some(1), ..Search::default() });
    assert!(none.best.is_empty());
    assert!(none.to_string().contains("none of"), "{none}");
}

#[test]
fn arguments_that_are_given_stay_as_they_are() {
    let plain = module(r#"<["x"=2]>"#, &ARGUMENTS, None, MLP, "8x4xf32");
    let rows: tensor_layout::sharding::TensorSharding =
        r#"<@mesh, [{}, {"x"}]>"#.parse().expect("a sharding");
    let given = |name: &str, _: &[usize]| (name == "arg0").then(|| rows.dims.to_vec());
    let overrides = Overrides { arguments: Some(&given), ..Overrides::default() };
    let found = Program::search(&plain, &overrides, &Search::default()).expect("a program");
    assert_eq!(found.best[0].arguments[0].1, rows);
    // Three options for each of the others.
    assert_eq!(found.tried, 9);
}
