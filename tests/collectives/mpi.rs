//! Every collective between processes. The program starts itself anew under `mpirun`.

mod checks;

use std::io::ErrorKind;
use std::process::{Command, ExitCode};
use tensor_layout::sharding::run::processes::Processes;
use tensor_layout::sharding::run::{Transport, TransportError};

/// Set for the processes that `mpirun` starts.
const STARTED: &str = "COLLECTIVES_STARTED";

fn main() -> ExitCode {
    if std::env::var_os(STARTED).is_some() {
        let mut processes = Processes::connect().expect("nothing else has started MPI");
        assert_eq!(processes.devices(), 8);
        checks::run(&mut processes);
        let nobody = processes.exchange(vec![(8, Vec::new())], &[]);
        assert_eq!(nobody, Err(TransportError { device: 8 }));
        return ExitCode::SUCCESS;
    }
    let program = std::env::current_exe().expect("this program");
    let ran = Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-np", "8"])
        .arg(program)
        .env(STARTED, "1")
        .status();
    match ran {
        Ok(status) if status.success() => {
            println!("every collective between 8 processes: ok");
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("skipped: `mpirun` is not installed");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}
