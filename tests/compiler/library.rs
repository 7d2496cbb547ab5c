//! Builds the library with which the cases and the index functions are compiled, and runs rustc.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The library that the cases are compiled with: the one that the workspace's tests were built with.
pub(crate) fn library() -> &'static Path {
    static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
        let mut cargo = Command::new(env!("CARGO"));
        // Only this test, which needs the library and no other program.
        cargo
            .args(["test", "--no-run", "--workspace", "--test=compiler", "--target-dir"])
            .arg(target_dir());
        built(&mut cargo)
    });
    &LIBRARY
}

/// The library that the index functions are compiled with: only tiled layouts, optimized.
///
/// They are compiled against its metadata: the MIR of generic and inline functions, which is optimized alike at every level
/// except 0. The machine code is never run, so LLVM does not optimize it.
pub(crate) fn optimized_library() -> &'static Path {
    static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--release", "--package=tensor-layout", "--lib", "--offline"])
            .args(["--no-default-features", "--features=std"])
            .args(["--config=profile.release.opt-level=1", "--config=profile.release.lto='off'"])
            .arg("--target-dir")
            .arg(target_dir().join("codegen/target"))
            .env("RUSTFLAGS", "-Cno-prepopulate-passes")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        built(&mut cargo)
    });
    &LIBRARY
}

/// The library among Cargo's build outputs.
fn built(cargo: &mut Command) -> PathBuf {
    let run = cargo.current_dir(root()).arg("--message-format=json").output().expect("cargo runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let messages = String::from_utf8(run.stdout).expect("messages in UTF-8");
    let library = messages
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .filter(|message| message["target"]["name"] == "tensor_layout")
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .find_map(|file| file.as_str().filter(|file| file.ends_with(".rlib")).map(PathBuf::from));
    library.expect("the library among the files that were built")
}

/// A rustc command for a crate that uses a library.
pub(crate) fn rustc(library: &Path) -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .current_dir(root())
        .arg("--edition=2024")
        .arg(format!("--extern=tensor_layout={}", library.display()));
    // Next to its dependencies, or one folder up.
    for folder in [library.with_file_name(""), library.with_file_name("deps")] {
        rustc.arg(format!("-Ldependency={}", folder.display()));
    }
    rustc
}

/// A rustc command for a program that uses the library as packages do, whose output goes to a folder of its own.
pub(crate) fn rustc_for_cases(name: &str, emit: &str) -> Command {
    let folder = target_dir().join("cases");
    std::fs::create_dir_all(&folder).expect("a directory");
    let mut rustc = rustc(library());
    rustc
        .env("CARGO_MANIFEST_DIR", root())
        .env("CARGO_PKG_NAME", "cases")
        .args(["--crate-type=bin", "-Adead_code", "-Cdebuginfo=0", "--diagnostic-width=140"])
        .args(["--crate-name", name])
        .arg(format!("--emit={emit}"))
        .arg("--out-dir")
        .arg(folder);
    rustc
}

/// The directory of the package.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory where this test was built.
pub(crate) fn target_dir() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    test.ancestors().nth(3).expect("target/profile/deps/test").to_path_buf()
}
