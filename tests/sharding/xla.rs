//! Plans of reshards compared with the collectives that XLA's partitioner compiles: tests/golden/sharding_xla.json.

use crate::rows::{number, numbers, rows, text};
use tensor_layout::sharding::reshard::plan;
use tensor_layout::sharding::{Mesh, TensorSharding};

#[test]
fn plans_move_no_more_than_what_xla_compiles() {
    let (mut ours, mut theirs, mut worse, mut longer) = (0, 0, Vec::new(), Vec::new());
    for row in rows("sharding_xla", 300) {
        let mesh: Mesh = text(&row, "mesh").parse().expect("a mesh");
        let [from, to] = ["from", "to"]
            .map(|key| text(&row, key).parse::<TensorSharding>().expect("a sharding"));
        let dims = numbers(&row["dims"]);
        let steps = plan(&mesh, &from, &to, &dims, 32).unwrap_or_else(|error| panic!("{error}"));
        let bytes: u128 = steps.iter().map(|step| step.bytes).sum();
        let compiled = number(&row["bytes"]) as u128;
        (ours, theirs) = (ours + bytes, theirs + compiled);
        let case = || (text(&row, "from").to_string(), text(&row, "to").to_string(), bytes);
        let exchanges = steps.iter().filter(|step| step.collective.name() != "all_slice").count();
        if bytes > compiled {
            worse.push(case());
        } else if bytes == compiled && exchanges > row["collectives"].as_array().map_or(0, Vec::len)
        {
            longer.push(case());
        }
    }
    // One takes 8448 bytes where XLA needs 7680: there, three devices exchange parts that correspond to no axis or part of an
    // axis.
    let known = (r#"<@mesh, [{}, {"x", "z"}, {}]>"#, r#"<@mesh, [{}, {"z"}, {"x", "y"}]>"#);
    assert_eq!(worse, [(known.0.to_string(), known.1.to_string(), 8448)]);
    // A plan has more collectives than XLA's only for fewer bytes: from `[{"y"}]` to `[{"x"}]` of 3 x 4 devices, a permutation and a
    // gather take 64 bytes where gathering the whole array takes 144. In two rows the plan is Shardy's, of three collectives, and XLA
    // compiles a gather and an all-to-all that take as many bytes.
    let known = [
        (r#"<@mesh, [{"x"}, {"y"}]>"#, r#"<@mesh, [{"y"}, {}]>"#, 720),
        (r#"<@mesh, [{"x"}, {"y"}, {"z"}]>"#, r#"<@mesh, [{"y"}, {}, {"z"}]>"#, 64512),
    ];
    assert_eq!(longer, known.map(|(from, to, bytes)| (from.to_string(), to.to_string(), bytes)));
    // Less in sum: where XLA finds no way, it gathers the whole array.
    assert!(ours < theirs, "{ours} of {theirs} bytes");
}
