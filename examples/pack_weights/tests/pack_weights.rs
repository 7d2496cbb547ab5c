//! The example `pack_weights` as its user sees it: what it prints, what it writes, and what it refuses.

use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tensor_layout::DynLayout;
use tensor_layout::TiledSpec;

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../digits/digits.safetensors");

/// The most memory that the program may have, in MiB, whatever the size of the file.
const MEMORY: f64 = 256.0;

/// An empty directory, which is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pack_weights_{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory for the test");
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file for the test");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How the program ended.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// The example.
const EXAMPLE: &str = env!("CARGO_BIN_EXE_pack_weights");

/// Runs the example.
fn run(arguments: &[&Path]) -> Run {
    Run::of(&Command::new(EXAMPLE).args(arguments).output().expect("the example runs"))
}

/// Runs the example as several processes; `None`, with a message, where there is no `mpirun`.
fn run_under_mpirun(processes: usize, arguments: &[&Path]) -> Option<Run> {
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--allow-run-as-root", "--oversubscribe", "-np", &processes.to_string()]);
    match mpirun.arg(EXAMPLE).args(arguments).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Not by `eprintln!`, which a test that passes keeps to itself.
            let _ = writeln!(std::io::stderr(), "skipped: `mpirun` is not installed");
            None
        }
        output => Some(Run::of(&output.expect("the example runs"))),
    }
}

impl Run {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        Self { code: output.status.code(), stdout, stderr }
    }
}

/// A safetensors file with this header, and zeros for data.
fn file(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

/// A file of tensors with bytes that do not repeat; each is given as name, type and shape.
fn tensors(list: &[(&str, Dtype, &[usize])]) -> Vec<u8> {
    let (mut header, mut end) = (serde_json::Map::new(), 0);
    for (name, dtype, shape) in list {
        let start = end;
        end += shape.iter().product::<usize>() * dtype.bitsize() / 8;
        let entry =
            json!({"dtype": dtype.to_string(), "shape": shape, "data_offsets": [start, end]});
        header.insert((*name).into(), entry);
    }
    let mut bytes = file(&Value::from(header).to_string(), end);
    let data = bytes.len() - end;
    let (mut state, mut start) = (1_u32, data);
    for (_, dtype, shape) in list {
        let len = shape.iter().product::<usize>() * dtype.bitsize() / 8;
        for byte in &mut bytes[start..start + len] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8 & if *dtype == Dtype::BOOL { 1 } else { 0xFF };
        }
        start += len;
    }
    bytes
}

/// Row-major index number `number`.
fn index(mut number: usize, dims: &[usize]) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for (at, size) in index.iter_mut().zip(dims).rev() {
        *at = number % size;
        number /= size;
    }
    index
}

/// Reads what `--out` wrote, element by element, and compares it with the source. Gives the entries of the index.
fn check_output(source: &Path, directory: &Path) -> Vec<Value> {
    let bytes = fs::read(source).expect("the source");
    let source_tensors = SafeTensors::deserialize(&bytes).expect("a good source");
    let packed = fs::read(directory.join("packed.bin")).expect("packed.bin");
    let index_text = fs::read(directory.join("index.json")).expect("index.json");
    let json: Value = serde_json::from_slice(&index_text).expect("JSON");
    assert_eq!(json["source"], source.file_name().and_then(|name| name.to_str()).expect("a name"));
    assert_eq!((&json["file"], &json["bytes"]), (&json!("packed.bin"), &json!(packed.len())));
    let entries = json["tensors"].as_array().expect("a list").clone();
    assert_eq!(entries.len(), source_tensors.len(), "every tensor is in the index");
    let mut end = 0;
    for entry in &entries {
        let number = |key: &str| entry[key].as_u64().expect("a number") as usize;
        let (start, len) = (number("offset"), number("bytes"));
        assert!(start.is_multiple_of(4096) && start >= end, "{entry} starts at a page of its own");
        assert!(packed[end..start].iter().all(|&byte| byte == 0), "{entry} comes after zeros");
        end = start + len;
        let tensor =
            source_tensors.tensor(entry["name"].as_str().expect("a name")).expect("in the source");
        assert_eq!(entry["dtype"], tensor.dtype().to_string());
        assert_eq!(entry["shape"], json!(tensor.shape()));
        let layout = entry["layout"].as_str().expect("a layout");
        if entry.get("kept").is_some() {
            assert_eq!(&packed[start..end], tensor.data(), "{entry}");
        } else {
            check_tensor(&layout.parse().expect("a layout"), tensor.data(), &packed[start..end]);
        }
    }
    assert_eq!(end, packed.len());
    entries
}

/// Compares a packed array with its row-major source; what no element covers must be zero.
fn check_tensor(spec: &TiledSpec, row_major: &[u8], packed: &[u8]) {
    assert_eq!(packed.len(), spec.bytes(), "{spec}");
    let width = spec.dtype().byte_width();
    let mut rest = packed.to_vec();
    for number in 0..spec.elements() {
        let at = spec.offset(&index(number, spec.dims())) * width;
        let element = number * width..(number + 1) * width;
        assert_eq!(packed[at..at + width], row_major[element], "{spec}, element {number}");
        rest[at..at + width].fill(0);
    }
    assert!(rest.iter().all(|&byte| byte == 0), "the padding of {spec} is zero");
}

#[test]
fn without_a_file_the_digits_are_packed() {
    let run = run(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let digits = fs::read(DIGITS).expect("the digits");
    let names = SafeTensors::deserialize(&digits).expect("a good file");
    for name in names.names() {
        let row = run.stdout.lines().find(|line| line.split_whitespace().next() == Some(name));
        assert!(row.is_some_and(|row| row.ends_with("  ok")), "{name} in\n{}", run.stdout);
    }
    let weight = "f32[128,10]   {0,1:T(8,128)}                  5120            8192   37.5 %";
    assert!(run.stdout.contains(weight), "{}", run.stdout);
    assert!(run.stdout.contains("10 tensors"), "{}", run.stdout);
}

#[test]
fn output_is_read_back_element_by_element() {
    let scratch = Scratch::new("digits");
    let out = scratch.0.join("out");
    for _ in 0..2 {
        let run = run(&[DIGITS.as_ref(), "--out".as_ref(), &out]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        check_output(DIGITS.as_ref(), &out);
    }
    assert_eq!(fs::read_dir(&out).expect("the output").count(), 2, "no other files");
}

#[test]
fn all_types_and_ranks_are_packed_or_kept_for_a_reason() {
    let scratch = Scratch::new("types");
    let list: &[(&str, Dtype, &[usize])] = &[
        ("empty", Dtype::F32, &[0, 3]),
        ("bool", Dtype::BOOL, &[33, 130]),
        ("scalar", Dtype::F64, &[]),
        ("u8", Dtype::U8, &[5]),
        ("i8", Dtype::I8, &[64, 3, 200]),
        ("f8_e5m2", Dtype::F8_E5M2, &[1, 1, 1, 7]),
        ("f8_e4m3", Dtype::F8_E4M3, &[40, 40]),
        ("f8_e8m0", Dtype::F8_E8M0, &[300]),
        ("f8_e4m3fnuz", Dtype::F8_E4M3FNUZ, &[3, 5]),
        ("f8_e5m2fnuz", Dtype::F8_E5M2FNUZ, &[3, 5]),
        ("i16", Dtype::I16, &[9, 2, 10]),
        ("u16", Dtype::U16, &[2, 3, 4, 5]),
        ("f16", Dtype::F16, &[2, 2, 2, 2, 2, 2, 2, 3]),
        ("i32", Dtype::I32, &[7, 9]),
        ("u32", Dtype::U32, &[1025]),
        ("c64", Dtype::C64, &[9, 17]),
        ("i64", Dtype::I64, &[4, 4]),
        ("u64", Dtype::U64, &[130]),
        ("rank 17", Dtype::F32, &[1, 2, 1, 2, 1, 2, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("f4", Dtype::F4, &[3, 4]),
        ("f6_e2m3", Dtype::F6_E2M3, &[4, 3]),
        ("f6_e3m2", Dtype::F6_E3M2, &[2, 2, 2]),
        // Slabs that are one run of the file but several of the output, and the other way round.
        ("tall", Dtype::BF16, &[5000, 200]),
        ("wide", Dtype::F32, &[10, 40_000]),
        ("deep", Dtype::F32, &[130, 20, 150]),
        ("\u{1b}[31mred\nline", Dtype::F32, &[1]),
        ("too large", Dtype::F32, &[0, 1 << 62, 1 << 62]),
    ];
    let source = scratch.write("types.safetensors", &tensors(list));
    let out = scratch.0.join("out");
    let run = run(&[&source, "--out".as_ref(), &out]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("\\u{1b}[31mred\\nline  "), "{}", run.stdout);

    let entries = check_output(&source, &out);
    let kept: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            Some([&entry["name"], &entry["layout"], entry.get("kept")?].map(|text| text.as_str()))
        })
        .map(|texts| texts.map(|text| text.expect("text")))
        .collect();
    let shared = "its elements share bytes, in an order that safetensors leaves open";
    assert_eq!(
        kept,
        [
            [
                "rank 17",
                "f32[1,2,1,2,1,2,1,2,3,1,1,1,1,1,1,1,1]{16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0}",
                "a tiled layout has at most 16 dimensions"
            ],
            ["f4", "f4e2m1fn[3,4]{1,0:E(4)}", shared],
            ["f6_e2m3", "f6e2m3fn[4,3]{1,0:E(6)}", shared],
            ["f6_e3m2", "f6e3m2fn[2,2,2]{2,1,0:E(6)}", shared],
            [
                "too large",
                "f32[0,4611686018427387904,4611686018427387904]{2,1,0}",
                "the TPU has no default layout for an array like this",
            ],
        ]
    );
    for [name, _, reason] in kept {
        let row =
            run.stdout.lines().find(|line| line.starts_with(&format!("{name} "))).expect("a row");
        assert!(row.ends_with(&format!("kept row-major: {reason}")), "{row}");
    }
}

#[test]
fn malformed_files_are_refused_and_nothing_is_written() {
    let tensor = |dtype: &str, shape: &str, from: usize, to: usize| {
        format!(r#"{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{from},{to}]}}"#)
    };
    let f32s = |shape: &str, from, to| tensor("F32", shape, from, to);
    let two = |a: String, b: String| format!(r#"{{"a":{a},"b":{b}}}"#);
    let one = |a: String| format!(r#"{{"a":{a}}}"#);
    let mut truncated = file(&one(f32s("[2,2]", 0, 16)), 16);
    truncated.truncate(truncated.len() - 5);
    let length = |length: u64| [&length.to_le_bytes()[..], b"{}"].concat();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", vec![], "0 bytes are not a safetensors file"),
        ("short", vec![2; 7], "7 bytes are not a safetensors file"),
        ("huge header", length(u64::MAX), "header is said to have 18446744073709551615 bytes"),
        ("long header", length(3), "header is said to have 3 bytes, but only 2 follow"),
        ("no json", file("weights!", 0), "expected value at line 1 column 1"),
        ("no map", file("[1, 2]", 0), "invalid type: sequence, expected a map of tensors"),
        ("two maps", file("{}{}", 0), "trailing characters"),
        (
            "no utf-8",
            [&7_u64.to_le_bytes()[..], b"{\"\xff\":1}"].concat(),
            "the header is not that of a safetensors file",
        ),
        ("deep", file(&"[".repeat(100_000), 0), "the header is not that of a safetensors file"),
        (
            "truncated",
            truncated,
            "the file is truncated: the tensors take 16 bytes, but 11 follow the header",
        ),
        ("trailing", file(&one(f32s("[2]", 0, 8)), 9), "the last 1 bytes belong to no tensor"),
        (
            "overlap",
            file(&two(f32s("[2]", 0, 8), f32s("[2]", 4, 12)), 12),
            "tensor `b` starts at byte 4, but the tensor before it ends at byte 8: they overlap",
        ),
        ("same", file(&two(f32s("[2]", 0, 8), f32s("[2]", 0, 8)), 8), "they overlap"),
        (
            "hole",
            file(&two(f32s("[2]", 0, 8), f32s("[1]", 12, 16)), 16),
            "bytes 8 to 12, before tensor `b`, belong to no tensor",
        ),
        (
            "wrong size",
            file(&one(f32s("[2,3]", 0, 20)), 20),
            "tensor `a`, F32 [2, 3], has 192 bits, but its bytes are 0 to 20",
        ),
        (
            "backwards",
            file(&two(f32s("[2]", 0, 8), f32s("[1]", 8, 4)), 8),
            "tensor `b`, F32 [1], has 32 bits, but its bytes are 8 to 4",
        ),
        (
            "half a byte",
            file(&one(tensor("F4", "[3]", 0, 1)), 1),
            "tensor `a`, F4 [3], has 12 bits, but its bytes are 0 to 1",
        ),
        (
            "many dimensions",
            file(&one(f32s(&format!("{:?}", [1; 65]), 0, 4)), 4),
            "tensor `a` has 65 dimensions, but at most 64 are read",
        ),
        (
            "overflow",
            file(&one(f32s("[4294967296,4294967296,16]", 0, 0)), 0),
            "the size of tensor `a` overflows",
        ),
        (
            "most bytes",
            file(&one(f32s("[144115188075855872]", 0, 576460752303423488)), 0),
            "the file is truncated",
        ),
        ("negative", file(&one(f32s("[-1]", 0, 4)), 4), "tensor `a`: invalid value: integer `-1`"),
        (
            "duplicate",
            file(&two(f32s("[1]", 0, 4), f32s("[1]", 0, 4)).replace("\"b\"", "\"a\""), 4),
            "tensor `a`: it is listed twice",
        ),
        (
            "unknown type",
            file(&one(tensor("F31", "[1]", 0, 4)), 4),
            "tensor `a`: unknown variant `F31`",
        ),
        (
            "no type",
            file(r#"{"a":{"shape":[1],"data_offsets":[0,4]}}"#, 4),
            "tensor `a`: missing field `dtype`",
        ),
        ("metadata", file(r#"{"__metadata__":{"a":1}}"#, 0), "expected a string"),
        (
            "clear the screen",
            file(&one(f32s("[]", 4, 8)).replace("\"a\"", "\"\\u001b[2J\""), 8),
            "bytes 0 to 4, before tensor `\\u{1b}[2J`, belong to no tensor",
        ),
        (
            "clear it sooner",
            file(&one(tensor("\\u001b[2J", "[]", 0, 4)), 4),
            "tensor `a`: unknown variant `\\u{1b}[2J`",
        ),
        // Only found while packing.
        (
            "no truth",
            [file(&one(tensor("BOOL", "[3]", 0, 3)), 0), vec![0, 2, 1]].concat(),
            "tensor `a`: value 2 at position 1 of the row-major array does not fit `pred`",
        ),
    ];
    let scratch = Scratch::new("malformed");
    let good = scratch.0.join("good");
    assert_eq!(run(&[DIGITS.as_ref(), "--out".as_ref(), &good]).code, Some(0));
    for (name, bytes, message) in cases {
        let path = scratch.write("bad.safetensors", &bytes);
        let new = scratch.0.join("new");
        for out in [&new, &good] {
            let run = run(&[&path, "--out".as_ref(), out]);
            assert_eq!(run.code, Some(1), "{name}: {}{}", run.stdout, run.stderr);
            assert!(run.stderr.starts_with("error: "), "{name}: {}", run.stderr);
            assert!(run.stderr.contains(message), "{name}: {}", run.stderr);
        }
        assert!(!new.exists(), "{name}: nothing is written");
        check_output(DIGITS.as_ref(), &good);
        assert_eq!(fs::read_dir(&good).expect("the output").count(), 2, "{name}: nothing is left");
    }
}

#[test]
fn what_cannot_be_read_or_written_is_refused() {
    let scratch = Scratch::new("refused");
    let refused = |arguments: &[&Path], message: &str| {
        let run = run(arguments);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    };
    refused(&[&scratch.0.join("nothing")], "nothing`: ");
    refused(&[&scratch.0], "not a file");
    let file = scratch.write("file", b"");
    refused(&[DIGITS.as_ref(), "--out".as_ref(), &file], "file`: ");
    assert_eq!(fs::read(&file).expect("the file"), b"");

    let source = scratch.write("packed.bin", &fs::read(DIGITS).expect("the digits"));
    refused(&[&source, "--out".as_ref(), &scratch.0], "packed.bin` is the source itself");
    let partial = scratch.write("index.json.partial", b"another's");
    let other = fs::File::open(&partial).expect("the file");
    other.lock().expect("nobody else has it");
    let written = "index.json.partial` is being written by another program";
    refused(&[DIGITS.as_ref(), "--out".as_ref(), &scratch.0], written);
    assert_eq!(fs::read(&partial).expect("the file"), b"another's");
    assert!(!scratch.0.join("packed.bin.partial").exists(), "what was begun is removed");
}

#[test]
fn what_an_interrupt_leaves_behind_is_overwritten() {
    let scratch = Scratch::new("interrupted");
    let expected = scratch.0.join("expected");
    let out = scratch.0.join("out");
    fs::create_dir(&out).expect("a directory");
    // Longer than what will be written.
    fs::write(out.join("packed.bin.partial"), vec![7; 1 << 20]).expect("a file");
    fs::write(out.join("index.json.partial"), vec![b'x'; 1 << 16]).expect("a file");
    for directory in [&expected, &out] {
        let run = run(&[DIGITS.as_ref(), "--out".as_ref(), directory]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    for name in ["packed.bin", "index.json"] {
        let read = |directory: &PathBuf| fs::read(directory.join(name)).expect("the file");
        assert_eq!(read(&out), read(&expected), "{name}");
        assert!(!out.join(format!("{name}.partial")).exists());
    }
}

/// A file of zeros that takes no room on the disk.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    let scratch = Scratch::new("sparse");
    // Rows to gather, a dimension that turns minor, and the rest in one run: 540 MB.
    let header = json!({
        "wide": {"dtype": "F32", "shape": [500, 40_000], "data_offsets": [0, 80_000_000]},
        "tall": {"dtype": "BF16", "shape": [150_000, 200], "data_offsets": [80_000_000, 140_000_000]},
        "long": {"dtype": "F32", "shape": [100_000_000], "data_offsets": [140_000_000, 540_000_000]},
    });
    let source = scratch.write("zeros.safetensors", &file(&header.to_string(), 0));
    let sparse = fs::OpenOptions::new().write(true).open(&source).expect("the file");
    let len = sparse.metadata().expect("its length").len();
    sparse.set_len(len + 540_000_000).expect("a sparse file");

    let run = run(&[&source]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run.stdout.lines().filter(|line| line.ends_with("  ok")).count(),
        3,
        "{}",
        run.stdout
    );
    let peak =
        run.stdout.lines().find_map(|line| line.strip_prefix("peak memory ")?.strip_suffix(" MiB"));
    let peak: f64 = peak.and_then(|peak| peak.parse().ok()).expect("the peak");
    assert!(peak < MEMORY, "{peak} MiB");
}

#[test]
fn a_mesh_gets_one_file_for_each_device() {
    let scratch = Scratch::new("mesh");
    let file = scratch.write(
        "weights.safetensors",
        &tensors(&[("layer.0.weight", Dtype::F32, &[16, 384]), ("bias", Dtype::BF16, &[6])]),
    );
    let rules = scratch.write("rules", b"# both\nlayer.*.weight [{\"data\"}, {\"model\"}]\n");
    let out = scratch.0.join("packed");
    let options: Vec<_> = ["--mesh", "data=2,model=3", "--rules"].iter().map(Path::new).collect();
    let arguments = [&[file.as_path()][..], &options, &[&rules, Path::new("--out"), &out]].concat();
    let ran = run(&arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_shards(&file, &out);
    let wrong = scratch.write("wrong", b"layer.*.weight [{\"rows\"}, {}]\n");
    let arguments = [&[file.as_path()][..], &options, &[&wrong]].concat();
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("tensor `layer.0.weight`: unknown axis name: \"rows\""),
        "{}",
        ran.stderr
    );
    // Each of six processes writes the files of its own device; of five none knows which.
    let out = scratch.0.join("by processes");
    let arguments = [&[file.as_path()][..], &options, &[&rules, Path::new("--out"), &out]].concat();
    if let Some(ran) = run_under_mpirun(6, &arguments) {
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout.matches("device 5:").count(), 1, "{}", ran.stdout);
        assert_shards(&file, &out);
        let ran = run_under_mpirun(5, &arguments).expect("it was there");
        assert_eq!(ran.code, Some(1));
        assert!(
            ran.stderr.contains("the mesh has 6 devices, but 5 processes run"),
            "{}",
            ran.stderr
        );
    }
}

/// Whether each of two by three devices has its part of the tensors in `file`.
fn assert_shards(file: &Path, out: &Path) {
    let bytes = fs::read(file).expect("the source");
    let source = SafeTensors::deserialize(&bytes).expect("a safetensors file");
    for device in 0..6 {
        let directory = out.join(format!("device-{device}"));
        let packed = fs::read(directory.join("packed.bin")).expect("a packed file");
        let index: Value =
            serde_json::from_slice(&fs::read(directory.join("index.json")).expect("an index"))
                .expect("JSON");
        for entry in index["tensors"].as_array().expect("tensors") {
            let name = entry["name"].as_str().expect("a name");
            let spec: TiledSpec =
                entry["layout"].as_str().expect("a layout").parse().expect("a layout");
            let at = entry["offset"].as_u64().expect("an offset") as usize;
            let mut local = vec![0; spec.elements() * spec.dtype().byte_width()];
            spec.unpack_bytes(&packed[at..at + spec.bytes()], &mut local).expect("the local array");
            let whole = source.tensor(name).expect("the tensor");
            let expected: Vec<u8> = match name {
                "bias" => whole.data().to_vec(),
                _ => {
                    let (row, column) = (device / 3 * 8, device % 3 * 128);
                    assert_eq!(entry["origin"], json!([row, column]));
                    let rows = whole.data().chunks(384 * 4).skip(row).take(8);
                    rows.flat_map(|row| &row[column * 4..(column + 128) * 4]).copied().collect()
                }
            };
            assert!(local == expected, "{name} on device {device}");
        }
    }
}
