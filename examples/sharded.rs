//! Shards a layer over eight devices, which are threads, and moves the shards between them.
//!
//! ```sh
//! cargo run --release --example sharded
//! ```
//!
//! The shardings of the layer follow from two that are written; what each device holds is a type. The activations are
//! then scattered, resharded through the collectives that are planned, and gathered, and every byte is checked.

use tensor_layout::sharding::run::threads::{self, Threads};
use tensor_layout::sharding::run::{RunError, Sharded, Transport};
use tensor_layout::sharding::{MeshType, ShardedLayout, reshard};
use tensor_layout::{mesh, propagate, sharded};

mesh! {
    /// Two hosts with four chips each.
    Pod = ["data" = 2, "model" = 4]
}

propagate! {
    mesh Pod;
    fn layer(x: f32[64,512] [{"data"}, {}], w1: f32[512,2048] [{}, {"model"}], w2: f32[2048,512]) {
        let h = dot(x, w1);
        let g = tanh(h);
        let y = dot(g, w2);
        return y;
    }
}

/// The activations as they come out of the first product, and as the next layer might want them.
type Hidden = layer::g;
type Rows = sharded!(f32[64,2048] @ Pod [{"model", "data"}, {}]);

fn main() -> Result<(), RunError> {
    println!("What follows from the shardings of `x` and `w1`:");
    let show =
        |name: &str, sharding: String, local: String| println!("  {name:2} {sharding:34} {local}");
    show(
        "w2",
        layer::w2::SHARDING.to_string(),
        <layer::w2 as ShardedLayout>::Local::SPEC.to_string(),
    );
    show("h", layer::h::SHARDING.to_string(), <layer::h as ShardedLayout>::Local::SPEC.to_string());
    show("y", layer::y::SHARDING.to_string(), <layer::y as ShardedLayout>::Local::SPEC.to_string());

    let dims = <Hidden as ShardedLayout>::Global::DIMS;
    let plan = reshard::plan(&Pod::MESH, &Hidden::SHARDING, &Rows::SHARDING, &dims, 32)?;
    println!("From {} to {}:", Hidden::SHARDING, Rows::SHARDING);
    plan.iter().for_each(|step| println!("  {step}"));
    let planned: u128 = plan.iter().map(|step| step.bytes).sum();

    let array: Vec<f32> = (0..dims[0] * dims[1]).map(|n| n as f32).collect();
    let results = threads::run(Pod::MESH.devices(), |transport| move_shards(transport, &array));
    for (device, result) in results.into_iter().enumerate() {
        let (received, same) = result?;
        println!(
            "  device {device} holds {:?} and received {received} bytes",
            Rows::slice(device).unwrap_or_default()
        );
        assert!(same, "device {device} has other bytes");
        assert!(u128::from(received) <= planned, "device {device} received more than planned");
    }
    println!("ok: every element is where it should be");
    Ok(())
}

/// Scatters, reshards and gathers; the bytes that the reshard received, and whether everything is as it should be.
fn move_shards(transport: &mut Threads, array: &Vec<f32>) -> Result<(u64, bool), RunError> {
    let device = transport.device();
    let hidden = Sharded::<Hidden>::scatter(transport, 0, (device == 0).then_some(array))?;
    let before = transport.received();
    let rows: Sharded<Rows> = hidden.reshard(transport)?;
    let received = transport.received() - before;
    let slice = Rows::slice(device).unwrap_or_default();
    let width = slice[1].len();
    let expected = &array[slice[0].start * width..slice[0].end * width];
    let mut same = rows.local().unpack() == expected;
    if let Some(gathered) = rows.gather(transport, 0)? {
        same &= gathered == *array;
    }
    Ok((received, same))
}
