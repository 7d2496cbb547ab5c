//! Reshapes of arrays whose parts may be padded: each device has the elements of its slice, before and after.

use super::random::Random;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{Padding, Shards, TensorSharding};

/// `<@mesh, [..]>` as programs write it after a value.
fn written(sharding: &TensorSharding) -> String {
    let text = sharding.to_string();
    text["<@mesh, ".len()..text.len() - 1].to_owned()
}

/// Products of neighbouring factors, so that arrays of the same factors are reshapes of each other.
fn grouped(random: &mut Random, factors: &[usize]) -> Vec<usize> {
    let mut dims: Vec<usize> = Vec::new();
    for &factor in factors {
        match dims.last_mut() {
            Some(last) if random.chance(50) => *last *= factor,
            _ => dims.push(factor),
        }
    }
    dims
}

/// The row-major number of the element that a device holds at each index of its local array; `None` for padding.
fn held(shards: &Shards, device: usize) -> Vec<Option<usize>> {
    let local = shards.local_dims();
    let element = |number: usize| {
        let mut rest = number;
        let mut index = vec![0; local.len()];
        for (at, size) in index.iter_mut().zip(local).rev() {
            (*at, rest) = (rest % size, rest / size);
        }
        let global = shards.global(device, &index)?;
        Some(global.iter().zip(shards.dims()).fold(0, |at, (index, size)| at * size + index))
    };
    (0..local.iter().product()).map(element).collect()
}

#[test]
fn padded_reshapes_move_nothing_or_are_refused() {
    let random = &mut Random(31);
    let (mut ragged, mut moving) = (0, 0);
    // `CASES=200000` checks more.
    let count = std::env::var("CASES").ok().and_then(|count| count.parse().ok());
    for _ in 0..count.unwrap_or(4000) {
        let mesh = random.mesh(24);
        let factors: Vec<_> = (0..1 + random.below(3)).map(|_| 1 + random.below(8)).collect();
        let [before, after] = [(); 2].map(|()| grouped(random, &factors));
        let parts = random.parts(&mesh);
        let [x, y] = [&before, &after].map(|dims| {
            if random.chance(60) {
                written(&random.sharding(&mesh, dims.len(), &parts, &[]))
            } else {
                String::new()
            }
        });
        let text = format!(
            "mesh M padded; fn f(x: s32{before:?} {x}) {{ let y = reshape(x, {after:?}) {y}; return y; }}"
        );
        let program = match Program::new(&text, &mesh) {
            Ok(program) => program,
            Err(error) => {
                let error = error.to_string();
                moving += usize::from(error.contains("elements would move between devices"));
                assert!(error.contains("conflict in `reshape`"), "{text}\n{error}");
                continue;
            }
        };
        assert!(program.collectives().is_empty(), "{text}");
        let [x, y] = ["x", "y"].map(|name| {
            let value = program.value(name).expect("a value");
            Shards::new(&value.sharding, &mesh, &value.dims, Padding::Allowed).expect("shards")
        });
        for device in 0..mesh.devices() {
            let [held, wanted] = [&x, &y].map(|shards| held(shards, device));
            ragged += usize::from(wanted.contains(&None));
            assert_eq!(held.len(), wanted.len(), "{text}\n{}", program.mlir());
            // Padding is not read.
            let mut positions = held.iter().zip(&wanted);
            let right = positions.all(|(held, wanted)| wanted.is_none() || held == wanted);
            assert!(right, "{held:?} for {wanted:?}: {text}\n{}", program.mlir());
        }
    }
    assert!(ragged > 100 && moving > 100, "too few cases: {ragged} with padding, {moving} refused");
}
