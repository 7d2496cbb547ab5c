//! Devices compute while collectives run: these start early and are waited for late.

use super::inputs;
use super::plain::Plain;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::threads::{self, Threads};
use tensor_layout::sharding::run::{Begun, GroupCollective, Transport, TransportError};

/// A transport that records when collectives start and when they are waited for, each by its bytes on this device.
struct Recorder<'a> {
    threads: &'a mut Threads,
    /// Whether it has its own collectives.
    begins: bool,
    log: Vec<String>,
    names: Vec<(Begun, String)>,
}

impl Transport for Recorder<'_> {
    fn device(&self) -> usize {
        self.threads.device()
    }

    fn devices(&self) -> usize {
        self.threads.devices()
    }

    fn exchange(
        &mut self,
        messages: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, TransportError> {
        self.threads.exchange(messages, from)
    }

    fn received(&self) -> u64 {
        self.threads.received()
    }

    fn begin(
        &mut self,
        group: &[usize],
        collective: GroupCollective<'_>,
    ) -> Option<Result<Begun, TransportError>> {
        if !self.begins {
            return None;
        }
        let begun = self.threads.begin(group, collective)?;
        let name = match collective {
            GroupCollective::AllGather { array, .. } => format!("gather {}", array.len()),
            GroupCollective::AllToAll { parts, .. } => format!("exchange {}", parts.concat().len()),
            other => panic!("threads have no {other:?}"),
        };
        self.log.push(format!("begin {name}"));
        self.names.extend(begun.iter().map(|begun| (*begun, name.clone())));
        Some(begun)
    }

    fn finish(&mut self, begun: Begun) -> Result<Vec<Vec<u8>>, TransportError> {
        let name = self.names.iter().find(|(other, _)| *other == begun);
        self.log.push(format!("wait for {}", name.expect("it has begun").1));
        self.threads.finish(begun)
    }
}

/// The log of each device. The results equal those of devices that wait immediately.
fn record(program: &Program, inputs: &[HostArray]) -> Vec<String> {
    let runner = Runner::new(program).expect("all operations have kernels");
    let run = |begins| {
        threads::run(program.meshes()[0].1.devices(), |threads| {
            let root = (threads.device() == 0).then_some(inputs);
            let shards = runner.scatter(threads, 0, root).expect("shards");
            let before = threads.received();
            let (log, names) = (Vec::new(), Vec::new());
            let mut recorder = Recorder { threads, begins, log, names };
            let results = runner.run(&mut recorder, &shards).expect("results");
            (results, recorder.log, threads.received() - before)
        })
    };
    let (overlapped, at_once) = (run(true), run(false));
    for ((results, log, bytes), (expected, _, expected_bytes)) in overlapped.iter().zip(&at_once) {
        assert_eq!((results, bytes), (expected, expected_bytes));
        // All devices start and wait in the same order.
        assert_eq!(log, &overlapped[0].1);
    }
    overlapped.into_iter().next().map(|(_, log, _)| log).unwrap_or_default()
}

fn recorded(text: &str, arrays: &[Plain]) -> Vec<String> {
    let mesh: Mesh = r#"<["model"=4]>"#.parse().expect("a mesh");
    let program = Program::new(text, &mesh).unwrap_or_else(|error| panic!("{error}"));
    record(&program, &inputs(arrays))
}

/// The sum of `y` is waited for where it is added, after both products of `z`, whose sum starts in between.
#[test]
fn a_sum_is_waited_for_where_it_is_taken() {
    let arrays = [[4, 8], [8, 8], [4, 8], [8, 16], [16, 8]].map(|dims| Plain::numbers(&dims, 1));
    let log = recorded(
        r#"
        mesh Pod;
        fn f(
            x: f32[4,8] [{}, {"model"}], w: f32[8,8] [{"model"}, {}],
            u: f32[4,8], v1: f32[8,16] [{}, {"model"}], v2: f32[16,8] [{"model"}, {}],
        ) {
            let y = dot(x, w) [{}, {}];
            let h = tanh(dot(u, v1));
            let z = dot(h, v2) [{}, {}];
            let all = add(y, z);
            let twice = add(all, y);
            return twice;
        }
        "#,
        &arrays,
    );
    // Each sum of 4 x 8 elements is an exchange of four parts and a gather of their sums.
    let expected = [
        "begin exchange 128",
        "begin exchange 128",
        "wait for exchange 128",
        "begin gather 32",
        "wait for gather 32",
        "wait for exchange 128",
        "begin gather 32",
        "wait for gather 32",
    ];
    assert_eq!(log, expected);
}

/// The weights of the second product are gathered while the first one runs, because they are available from the start.
#[test]
fn an_operand_is_gathered_before_it_is_needed() {
    let arrays = [[4, 8], [8, 8], [8, 32]].map(|dims| Plain::numbers(&dims, 1));
    let log = recorded(
        r#"
        mesh Pod;
        fn f(x: f32[4,8] [{}, {"model"}], w: f32[8,8] [{"model"}, {}], v: f32[8,32] [{"model"}, {}]) {
            let y = dot(x, w) [{}, {}];
            let h = tanh(y);
            let all = reshard(v) [{}, {}];
            let z = dot(h, all) [{}, {}];
            return z;
        }
        "#,
        &arrays,
    );
    let expected = [
        "begin gather 256",
        "begin exchange 128",
        "wait for exchange 128",
        "begin gather 32",
        "wait for gather 32",
        "wait for gather 256",
    ];
    assert_eq!(log, expected);
}

/// The collectives of a manual computation start when their operands are available, not where the text writes them.
#[test]
fn collectives_that_the_program_writes_begin_early() {
    let text = r#"module @jit_f {
  sdy.mesh @mesh = <["model"=4]>
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"model"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"model"} (%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) {
      %1 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %2 = stablehlo.tanh %1 : tensor<4x4xf32>
      %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<16x4xf32>
      %4 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %9 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %9 : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %5 = stablehlo.tanh %1 : tensor<4x4xf32>
      %6 = stablehlo.dot_general %5, %4, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %7 = stablehlo.slice %3 [4:8, 0:4] : (tensor<16x4xf32>) -> tensor<4x4xf32>
      %8 = stablehlo.add %6, %7 : tensor<4x4xf32>
      sdy.return %8 : tensor<4x4xf32>
    } : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
"#;
    let program = Program::from_mlir(text).unwrap_or_else(|error| panic!("{error}"));
    let log = record(&program, &inputs(&[[16, 4], [4, 4]].map(|dims| Plain::numbers(&dims, 1))));
    let expected = [
        "begin gather 64",
        "begin exchange 64",
        "wait for exchange 64",
        "begin gather 16",
        "wait for gather 16",
        "wait for gather 64",
    ];
    assert_eq!(log, expected);
}
