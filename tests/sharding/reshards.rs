//! Plans of reshards compared with those of Shardy: tests/golden/sharding_reshard_random.json.

use crate::rows::{number, numbers, rows, text};
use tensor_layout::sharding::reshard::plan;
use tensor_layout::sharding::{Mesh, TensorSharding};

/// Ours are Shardy's, unless others move fewer bytes.
#[test]
fn plans_are_those_of_shardy_or_move_fewer_bytes() {
    let mut others = 0;
    for row in rows("sharding_reshard_random", 400) {
        let mesh: Mesh = text(&row, "mesh").parse().expect("a mesh");
        let [from, to] = ["from", "to"].map(|key| {
            let sharding = format!("<@mesh, {}>", text(&row, key));
            sharding.parse::<TensorSharding>().expect("a sharding")
        });
        let dims = numbers(&row["dims"]);
        let steps = plan(&mesh, &from, &to, &dims, 32).unwrap_or_else(|error| panic!("{error}"));
        let found: Vec<_> = steps
            .iter()
            .map(|step| {
                let sharding = step.sharding.to_string();
                let dims =
                    sharding.strip_prefix("<@mesh, ").and_then(|dims| dims.strip_suffix('>'));
                format!("{} -> {}", step.collective.name(), dims.expect("a sharding on the mesh"))
            })
            .collect();
        let bytes: u128 = steps.iter().map(|step| step.bytes).sum();
        let of_shardy = number(&row["bytes"]) as u128;
        if row["steps"].as_array().is_some_and(|steps| steps.iter().eq(found.iter())) {
            assert_eq!(bytes, of_shardy, "{row}");
        } else {
            assert!(bytes < of_shardy, "{found:?}: {bytes} bytes, {row}");
            others += 1;
        }
    }
    assert!(others < 20, "{others} of 400 plans are not those of Shardy");
}
