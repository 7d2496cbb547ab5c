//! Plans of reshards compared with those of Shardy: tests/golden/sharding_reshard_random.json.

use crate::rows::{number, numbers, rows, text};
use tensor_layout::sharding::reshard::{plan, plan_between};
use tensor_layout::sharding::{Mesh, Padding, Shards, TensorSharding};

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

fn bytes(mesh: &str, from: &str, to: &str, dims: &[usize]) -> u128 {
    let mesh: Mesh = mesh.parse().expect("a mesh");
    let [from, to] = [from, to]
        .map(|text| format!("<@mesh, {text}>").parse::<TensorSharding>().expect("a sharding"));
    let steps = plan(&mesh, &from, &to, dims, 32).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((steps.len(), steps[0].collective.name()), (1, "all_slice"));
    steps[0].bytes
}

/// A slice receives what the padding of parts lacks on the device that lacks most.
#[test]
fn a_slice_counts_the_device_that_lacks_most() {
    let mesh = r#"<["x"=2, "y"=4, "z"=4]>"#;
    // The fourth device has 0..3 of the rows, but needs row 3, in two of the columns.
    assert_eq!(bytes(mesh, r#"[{"x"}, {}]"#, r#"[{"x", "y"}, {"z"}]"#, &[6, 5]), 8);
    assert_eq!(bytes(mesh, r#"[{}, {"x"}]"#, r#"[{"z"}, {"x", "y"}]"#, &[5, 6]), 8);
    assert_eq!(bytes(mesh, r#"[{"x"}, {}]"#, r#"[{"x"}, {"z"}]"#, &[6, 5]), 0);
    let large = r#"<["x"=4000000000]>"#;
    assert_eq!(bytes(large, "[{}]", r#"[{"x"}]"#, &[7]), 0);
    assert_eq!(bytes(large, r#"[{"x":(1)2}]"#, r#"[{"x"}]"#, &[7]), 4);
}

/// The closed form is the maximum over all devices.
#[test]
fn a_slice_counts_as_a_loop_over_all_devices_does() {
    for rows in 1..40 {
        for (columns, [x, y, z, w]) in
            [(7, [2, 2, 2, 2]), (5, [3, 2, 1, 4]), (9, [1, 4, 3, 2]), (10, [4, 3, 3, 3])]
        {
            let mesh: Mesh =
                format!(r#"<["x"={x}, "y"={y}, "z"={z}, "w"={w}]>"#).parse().expect("a mesh");
            let [from, to]: [TensorSharding; 2] =
                [r#"<@m, [{"x"}, {"z"}]>"#, r#"<@m, [{"x", "y"}, {"z", "w"}]>"#]
                    .map(|text| text.parse().expect("a sharding"));
            let dims = [rows, columns];
            let at = |sharding| Shards::new(sharding, &mesh, &dims, Padding::Allowed);
            let (old, new) = (at(&from).expect("shards"), at(&to).expect("shards"));
            let lacks = |device: usize| -> usize {
                let (old, new) =
                    (old.slice(device).expect("a part"), new.slice(device).expect("a part"));
                let common = old.iter().zip(&new).map(|(old, new)| {
                    old.end.min(new.end).saturating_sub(old.start.max(new.start))
                });
                new.iter().map(|new| new.len()).product::<usize>() - common.product::<usize>()
            };
            let most = (0..mesh.devices()).map(lacks).max().expect("a device");
            let steps = plan(&mesh, &from, &to, &dims, 32).expect("a plan");
            if let [step] = &steps[..]
                && step.collective.name() == "all_slice"
            {
                assert_eq!(step.bytes, 4 * most as u128, "{dims:?} on {mesh}");
            }
        }
    }
}

/// Meshes without axes: one device, or none.
#[test]
fn no_plan_leads_from_one_device_to_another() {
    let meshes: [Mesh; 3] = ["<[]>", "<[], device_ids=[0]>", "<[], device_ids=[1]>"]
        .map(|text| text.parse().expect("a mesh"));
    for (from, before) in meshes.iter().enumerate() {
        for (to, after) in meshes.iter().enumerate() {
            let [own, other]: [TensorSharding; 2] = [before, after].map(|mesh| {
                let text = if mesh.is_maximal() { "<@m, []>" } else { "<@m, [{}]>" };
                text.parse().expect("a sharding")
            });
            match plan_between((before, &own), (after, &other), &[8], 32) {
                Ok(steps) => assert_eq!((from, steps.len()), (to, 0)),
                Err(error) => {
                    assert_ne!(from, to);
                    assert_eq!(
                        error.to_string(),
                        format!("no collective moves a tensor from {before} to {after}")
                    );
                }
            }
        }
    }
}
