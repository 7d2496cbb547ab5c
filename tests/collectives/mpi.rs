//! Every collective between processes, and processes that end early. The program starts itself again under `mpirun`.

mod checks;
mod sparse;

use std::io::{ErrorKind, Write};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};
use tensor_layout::sharding::run::processes::Processes;
use tensor_layout::sharding::run::{Transport, TransportError};

/// The environment variable that names what a process under `mpirun` runs.
const PROGRAM: &str = "COLLECTIVES_PROGRAM";

/// The time after which a run counts as hanging.
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
        // What was sent before a device ended arrives, and every later exchange reports that it has ended.
        "sends and returns" if me == 3 => {
            processes.exchange((0..3).map(large).collect(), &[])?;
        }
        "sends and returns" => {
            assert_eq!(processes.exchange(Vec::new(), &[3])?, [vec![3; LARGE]]);
            for _ in 0..2 {
                assert_eq!(processes.exchange(Vec::new(), &[3]), Err(TransportError { device: 3 }));
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

/// The programs that 4 processes run, whether they succeed, and what they print.
const PROGRAMS: [(&str, bool, &[&str]); 4] = [
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

/// Runs this program as several processes, which must end.
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

/// Whether a program ends before the time is up.
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
