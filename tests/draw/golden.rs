//! Pictures that are stored, so that a reviewer sees changes.

use std::fs;

/// Fails unless `drawn` equals `tests/golden/pictures/{file}`; with `BLESS=1`, writes it there.
#[track_caller]
pub(crate) fn check(file: &str, drawn: &str) {
    let path = format!("{}/tests/golden/pictures/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, drawn).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let kept = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(drawn == kept, "{path} is not what is drawn now; `BLESS=1` rewrites it\n{drawn}");
}
