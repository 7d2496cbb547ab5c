//! Files that were cut off or changed in transit result in an error that names the location, never in a panic or in a table of the
//! rest.

use super::{prints, run};
use std::path::PathBuf;

/// Pseudorandom numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// The exit code and the errors of the program for a file with these bytes.
fn said(command: &str, arguments: &[&str], bytes: &[u8], name: &str) -> (i32, String) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, bytes).expect("a file");
    let mut all = vec![command, file.to_str().expect("a path in UTF-8")];
    all.extend(arguments);
    let output = run(&all, b"");
    let errors = String::from_utf8_lossy(&output.stderr).replace(name, "FILE");
    assert!(!errors.contains("panicked"), "{errors}");
    (output.status.code().expect("no signal"), errors)
}

/// Whether an error says where: a line, a byte, a tensor, a name.
fn says_where(error: &str) -> bool {
    error.contains('`') || error.bytes().any(|byte| byte.is_ascii_digit())
}

/// The bytes with a piece of another file inserted, a changed byte, or a number with more digits.
fn changed(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes[at] = random.below(256) as u8,
        1 => {
            let from = random.below(other.len());
            let piece = &other[from..other.len().min(from + 300)];
            bytes.splice(at..at, piece.iter().copied());
        }
        2 => drop(bytes.drain(at..bytes.len().min(at + 100))),
        _ => {
            if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                bytes.splice(at + digit..at + digit, *b"99999999999");
            }
        }
    }
    bytes
}

#[test]
fn damaged_dumps_are_refused_or_read() {
    let mut random = Random(7);
    let read = |name: &str| std::fs::read(format!("tests/golden/{name}")).expect("a file");
    let other = read("hlo/moe.hlo");
    let mut whole = Vec::new();
    for (command, name) in [
        ("hlo", "hlo/int4mm.hlo"),
        ("hlo", "hlo/while_kv.hlo"),
        ("hlo", "hlo/spmd_rs.pb"),
        ("hlo", "hlo/cond.pb"),
        ("shard", "../models/mlp.mlir"),
        ("shard", "../models/conflict.mlir"),
    ] {
        let bytes = read(name);
        let file = format!("damaged_{}", name.rsplit_once('/').map_or(name, |(_, file)| file));
        for cut in 0..8 {
            // The last bytes may be white space.
            let end = random.below(bytes.len() - 8);
            let (code, error) = said(command, &[], &bytes[..end], &file);
            // A proto without its last fields is still a proto.
            let is_whole = code == 0 && name.ends_with(".pb");
            assert!(is_whole || code == 1 && says_where(&error), "{name}, {cut}, {end}: {error}");
            whole.extend(is_whole.then_some((name, end)));
        }
        for change in 0..12 {
            let (code, error) = said(command, &[], &changed(&bytes, &other, &mut random), &file);
            assert!(
                code == 0 || code == 1 && says_where(&error),
                "{name}, {change}: {code}, {error}"
            );
        }
    }
    assert!(whole.len() <= 2, "{whole:?}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let packed = folder.join("whole.packed.safetensors");
    let to = packed.to_str().expect("a path in UTF-8");
    prints(
        &["checkpoint", "examples/digits/digits.safetensors", "--to", to, "--rule", "* = tpu!"],
        "",
    );
    let bytes = std::fs::read(&packed).expect("a file");
    let mut random = Random(3);
    for _ in 0..12 {
        let end = random.below(bytes.len());
        let (code, error) = said("checkpoint", &["--verify"], &bytes[..end], "damaged.safetensors");
        assert!(code == 1 && says_where(&error), "{end}: {error}");
    }
    for _ in 0..24 {
        let mut bytes = bytes.clone();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        let (code, error) = said("checkpoint", &["--verify"], &bytes, "damaged.safetensors");
        assert!(code == 1 && says_where(&error), "byte {at}: {code}, {error}");
    }
}

#[test]
fn a_file_without_a_program_or_with_half_a_header_fails() {
    let header = br#"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(&header[..30]);
    for (command, bytes, expected) in [
        ("shard", &b""[..], "FILE has no function of a module of MLIR"),
        ("shard", b"module @m {}", "FILE has no function of a module of MLIR"),
        ("hlo", &file, "FILE ends in its header, after 38 of 62 bytes"),
    ] {
        let (code, error) = said(command, &[], bytes, "half_a_file");
        assert!(code == 1 && error.contains(expected), "{error}");
    }
}

#[test]
fn a_mesh_is_given_alike_to_all_commands() {
    let layout = r#"bf16[8,16] @ Pod [{"data"}, {}]"#;
    let short = prints(&["show", layout, "--mesh", "data=2,model=4"], "");
    assert_eq!(short, prints(&["show", layout, "--mesh", r#"["data"=2, "model"=4]"#], ""));
}
