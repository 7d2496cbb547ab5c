//! Shards a layer over eight devices, threads or processes, and moves the shards between them.
//!
//! ```sh
//! cargo run --release --example sharded                       # threads
//! cargo build --release --example sharded --features mpi      # processes
//! mpirun -np 8 target/release/examples/sharded
//! ```
//!
//! Two shardings of the layer are written and the others follow from them; the local array of each device is a type. The
//! activations are then scattered, resharded by the planned collectives, and gathered, and every byte is checked.

use tensor_layout::sharding::run::{RunError, Sharded, Transport, threads};
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

/// The sharding of the activations after the first product, and one that the next layer might require.
type Hidden = layer::g;
type Rows = sharded!(f32[64,2048] @ Pod [{"model", "data"}, {}]);

fn main() -> Result<(), RunError> {
    #[cfg(feature = "mpi")]
    if let Some(mut processes) = tensor_layout::sharding::run::processes::Processes::connect()
        && processes.devices() > 1
    {
        // Only one device prints.
        if processes.device() == 0 {
            show_plan()?;
        }
        return move_shards(&mut processes, &array())?.report("process", processes.device());
    }
    show_plan()?;
    let array = array();
    let moved = threads::run(Pod::MESH.devices(), |transport| move_shards(transport, &array));
    for (device, moved) in moved.into_iter().enumerate() {
        moved?.report("thread", device)?;
    }
    println!("ok: every element is where it should be");
    println!(
        "\nNext: draw who holds what, `cargo doc --open -p kernels`, the aliases of `model`; read how shardings spread, in\n\
              the guide's page on propagation; run it as 8 processes: build with `--features mpi`, then `mpirun -np 8`."
    );
    Ok(())
}

/// The activations that are moved.
fn array() -> Vec<f32> {
    let [rows, columns] = <Hidden as ShardedLayout>::Global::DIMS;
    (0..rows * columns).map(|n| n as f32).collect()
}

/// Prints the plan of the program.
fn show_plan() -> Result<(), RunError> {
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
    println!("From {} to {}:", Hidden::SHARDING, Rows::SHARDING);
    plan()?.iter().for_each(|step| println!("  {step}"));
    Ok(())
}

/// The collectives between the two shardings of the activations.
fn plan() -> Result<Vec<reshard::ReshardStep>, RunError> {
    let dims = <Hidden as ShardedLayout>::Global::DIMS;
    Ok(reshard::plan(&Pod::MESH, &Hidden::SHARDING, &Rows::SHARDING, &dims, 32)?)
}

/// The observations of a device.
struct Moved {
    /// The number of bytes that the device received in the reshard.
    received: u64,
    /// Whether every byte on the device has the expected value.
    same: bool,
}

impl Moved {
    fn report(&self, kind: &str, device: usize) -> Result<(), RunError> {
        let planned: u128 = plan()?.iter().map(|step| step.bytes).sum();
        let (received, slice) = (self.received, Rows::slice(device).unwrap_or_default());
        assert!(self.same, "{kind} {device} has other bytes");
        assert!(u128::from(received) <= planned, "{kind} {device} received more than planned");
        println!("  {kind} {device} holds {slice:?} and received {received} bytes: ok");
        Ok(())
    }
}

/// Scatters, reshards and gathers the activations.
fn move_shards<T: Transport>(transport: &mut T, array: &Vec<f32>) -> Result<Moved, RunError> {
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
    Ok(Moved { received, same })
}
