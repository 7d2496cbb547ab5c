//! Every collective between processes, and processes that end early. The program starts itself again under `mpirun`.

mod checks;
#[allow(dead_code, reason = "the meshes of fewer devices are for threads")]
mod ops;
mod sparse;

use std::io::{ErrorKind, Write};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};
use tensor_layout::DType;
use tensor_layout::sharding::run::processes::Processes;
use tensor_layout::sharding::run::{Combine, Combined, GroupCollective, Transport, TransportError};

/// The environment variable with the name of the program that a process under `mpirun` runs.
const PROGRAM: &str = "COLLECTIVES_PROGRAM";

/// The time after which a run is considered to hang.
const HANGS_AFTER: Duration = Duration::from_secs(60);

/// More bytes than MPI sends before the receiver is ready.
const LARGE: usize = 10 << 20;

/// Runs the program `name` as one process.
fn program(name: &str, processes: &mut Processes) -> Result<(), TransportError> {
    let me = processes.device();
    let large = |device| (device, vec![me as u8; LARGE]);
    match name {
        "collectives" => {
            assert_eq!(processes.devices(), 8);
            checks::run(processes);
            sparse::run(processes);
            ops::eight::run(processes);
            own_collectives(processes);
            several_at_once(processes);
            // A collective that nobody waits for.
            let combined = Combined { by: Some(Combine::Sum), dtype: DType::S32 };
            let sum = GroupCollective::AllReduce { combined, array: &[0; 4] };
            let _unfinished = processes.begin(&[0, 1, 2, 3, 4, 5, 6, 7], sum);
            let nobody = processes.exchange(vec![(8, Vec::new())], &[]);
            assert_eq!(nobody, Err(TransportError { device: 8 }));
        }
        // Device 3 returns while device 0 sends to it, and all others wait for it.
        "returns early" if me == 3 => {}
        "panics" if me == 3 => panic!("device 3 panics"),
        "returns early" | "panics" => {
            let messages = if me == 0 { vec![large(3)] } else { Vec::new() };
            processes.exchange(messages, &[3])?;
        }
        // Messages sent before a device ends still arrive; every later exchange reports that it has ended.
        "sends and returns" if me == 3 => {
            processes.exchange((0..3).map(large).collect(), &[])?;
        }
        "sends and returns" => {
            assert_eq!(processes.exchange(Vec::new(), &[3])?, [vec![3; LARGE]]);
            for _ in 0..2 {
                assert_eq!(processes.exchange(Vec::new(), &[3]), Err(TransportError { device: 3 }));
            }
        }
        // The others have started a collective that cannot be cancelled.
        "ends between collectives" => {
            let combined = Combined { by: Some(Combine::Sum), dtype: DType::S32 };
            for round in 0..2 {
                if (round, me) == (1, 3) {
                    return Ok(());
                }
                let sum = GroupCollective::AllReduce { combined, array: &1_i32.to_le_bytes() };
                let begun = processes.begin(&[0, 1, 2, 3], sum).expect("a collective of MPI")?;
                assert_eq!(processes.finish(begun)?, [4_i32.to_le_bytes()]);
            }
        }
        "hangs" => {
            processes.set_time_limit(Some(Duration::from_millis(300)));
            if me == 3 {
                std::thread::sleep(2 * HANGS_AFTER);
            }
            processes.exchange(vec![large((me + 1) % 4)], &[(me + 3) % 4])?;
        }
        other => panic!("there is no program `{other}`"),
    }
    Ok(())
}

/// MPI's own collectives, on the groups of two axes of 8 devices.
fn own_collectives(processes: &mut Processes) {
    let me = processes.device();
    let mut run = |group: &[usize], collective: GroupCollective<'_>| {
        let begun = processes.begin(group, collective)?.expect("an answer");
        Some(processes.finish(begun).expect("an answer"))
    };
    for group in [[0, 1, 2, 3].map(|at| me / 4 * 4 + at).to_vec(), vec![me % 4, me % 4 + 4]] {
        let own = group.iter().position(|&device| device == me).expect("a member");
        let total: usize = group.iter().sum();
        let combined = |by, dtype| Combined { by: Some(by), dtype };
        let array: Vec<u8> = [me as i64, -1].iter().flat_map(|x| x.to_le_bytes()).collect();
        let sum = combined(Combine::Sum, DType::S64);
        let sum = run(&group, GroupCollective::AllReduce { combined: sum, array: &array });
        let sums = [total as i64, -(group.len() as i64)];
        assert_eq!(sum, Some(vec![sums.iter().flat_map(|x| x.to_le_bytes()).collect()]));
        let parts: Vec<u8> = (0..group.len()).map(|at| (me * 8 + at) as u8).collect();
        let largest = combined(Combine::Max, DType::U8);
        let scatter = GroupCollective::ReduceScatter { combined: largest, parts: &parts };
        let last = group[group.len() - 1];
        assert_eq!(run(&group, scatter), Some(vec![vec![(last * 8 + own) as u8]]));
        let lens = vec![3; group.len()];
        let gather = GroupCollective::AllGather { array: &[me as u8; 3], lens: &lens };
        let all: Vec<_> = group.iter().map(|&device| vec![device as u8; 3]).collect();
        assert_eq!(run(&group, gather), Some(all));
        // Arrays and parts of several lengths: each device sends its group's first member nothing.
        let lens: Vec<_> = (0..group.len()).collect();
        let gather = GroupCollective::AllGather { array: &vec![me as u8; own], lens: &lens };
        let all = group.iter().enumerate().map(|(at, &device)| vec![device as u8; at]).collect();
        assert_eq!(run(&group, gather), Some(all));
        let parts: Vec<_> = lens.iter().map(|&at| vec![me as u8; at]).collect();
        let lens = vec![own; group.len()];
        let exchange = GroupCollective::AllToAll { parts: &parts, lens: &lens };
        let all: Vec<_> = group.iter().map(|&device| vec![device as u8; own]).collect();
        assert_eq!(run(&group, exchange), Some(all));
        // MPI lacks these, or does not define their result for NaN.
        for unknown in [
            combined(Combine::Sum, DType::BF16),
            combined(Combine::Max, DType::F32),
            Combined { by: None, dtype: DType::S32 },
        ] {
            let unknown = GroupCollective::AllReduce { combined: unknown, array: &[0; 8] };
            assert_eq!(run(&group, unknown), None);
        }
    }
}

/// Collectives that start one after the other and finish in another order.
fn several_at_once(processes: &mut Processes) {
    let me = processes.device();
    let groups = [[0, 1, 2, 3].map(|at| me / 4 * 4 + at).to_vec(), vec![me % 4, me % 4 + 4]];
    let before = processes.received();
    let mut begun = Vec::new();
    for round in 0..6_i32 {
        for group in &groups {
            let array: Vec<u8> = [me as i32, round].iter().flat_map(|x| x.to_le_bytes()).collect();
            let combined = Combined { by: Some(Combine::Sum), dtype: DType::S32 };
            let sum = GroupCollective::AllReduce { combined, array: &array };
            let sum = processes.begin(group, sum).expect("a sum").expect("an answer");
            let members = group.len() as i32;
            let sums = [group.iter().sum::<usize>() as i32, round * members];
            begun.push((sum, sums.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()));
        }
        // A message between two collectives in progress.
        let (next, last) = ((me + 1) % 8, (me + 7) % 8);
        let received = processes.exchange(vec![(next, vec![me as u8])], &[last]);
        assert_eq!(received, Ok(vec![vec![last as u8]]));
    }
    while let Some((sum, expected)) = begun.pop() {
        assert_eq!(processes.finish(sum), Ok(vec![expected]));
    }
    // 8 bytes among four and among two, six times, and six messages.
    assert_eq!(processes.received() - before, 6 * (2 * 8 * 3 / 4 + 2 * 8 / 2 + 1));
}

/// The programs that 4 processes run, whether they succeed, and what they print.
const PROGRAMS: [(&str, bool, &[&str]); 5] = [
    (
        "returns early",
        false,
        &["device 0: device 3 cannot be reached", "device 1: device 3", "device 2: device 3"],
    ),
    (
        "panics",
        false,
        &[
            "device 3 panics",
            "device 0: device 3 cannot be reached",
            "device 1: device 3",
            "device 2: device 3",
        ],
    ),
    ("sends and returns", true, &[]),
    (
        "ends between collectives",
        false,
        &["device 3 has ended, but devices [0, 1, 2, 3] wait for it"],
    ),
    ("hangs", false, &["device 3 has not answered within 300ms"]),
];

fn main() -> ExitCode {
    if let Ok(name) = std::env::var(PROGRAM) {
        let mut processes = Processes::connect().expect("nothing else has started MPI");
        let Err(error) = program(&name, &mut processes) else { return ExitCode::SUCCESS };
        // Printed in one piece and before MPI ends, since the first process that fails ends the others.
        let line = format!("device {}: {error}\n", processes.device());
        std::io::stderr().write_all(line.as_bytes()).expect("standard error");
        return ExitCode::FAILURE;
    }
    match Command::new("mpirun").arg("--version").output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("skipped: `mpirun` is not installed");
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let mut failed = false;
    let mut check = |name: &str, processes: usize, succeeds: bool, says: &[&str]| {
        let result = run(name, processes).and_then(|output| {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let missing = says.iter().find(|part| !said.contains(**part));
            match (output.status.success() == succeeds, missing) {
                (true, None) => Ok(()),
                (true, Some(missing)) => Err(format!("nobody says \"{missing}\", but:\n{said}")),
                (false, _) => Err(format!("{}:\n{said}", output.status)),
            }
        });
        failed |= result.is_err();
        let result = result.map_or_else(|error| format!("FAILED: {error}"), |()| "ok".into());
        println!("{processes} processes, {name}: {result}");
    };
    check("collectives", 8, true, &[]);
    for (name, succeeds, says) in PROGRAMS {
        check(name, 4, succeeds, says);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Runs this program as several processes, which must all end.
fn run(name: &str, processes: usize) -> Result<Output, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut mpirun = Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-np", &processes.to_string()])
        .arg(program)
        .env(PROGRAM, name)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    if !ends(&mut mpirun) {
        // The processes end with `mpirun`.
        mpirun.kill().map_err(|error| error.to_string())?;
        mpirun.wait().map_err(|error| error.to_string())?;
        return Err(format!("still running after {HANGS_AFTER:?}"));
    }
    mpirun.wait_with_output().map_err(|error| error.to_string())
}

/// Whether a program ends in time.
fn ends(program: &mut Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < HANGS_AFTER {
        if !matches!(program.try_wait(), Ok(None)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
