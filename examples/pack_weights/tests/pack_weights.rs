//! The example `pack_weights` from the point of view of its user: its output, the files that it writes, and the input that it
//! rejects.

use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tensor_layout::TiledSpec;
use tensor_layout::checkpoint::Checkpoint;

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../digits/digits.safetensors");

/// The example.
const EXAMPLE: &str = env!("CARGO_BIN_EXE_pack_weights");

/// An empty directory, which is removed when it is dropped.
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

/// The result of a run of the program.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        Self { code: output.status.code(), stdout, stderr }
    }
}

/// Runs the example.
fn run(arguments: &[&Path]) -> Run {
    Run::of(&Command::new(EXAMPLE).args(arguments).output().expect("the example runs"))
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

/// Compares a packed array with its row-major source; all other bits must be zero.
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

/// Reads a checkpoint as the safetensors file that it is, without the library's reader, and compares each element with the source.
fn check_output(source: &Path, packed: &Path) {
    let bytes = fs::read(source).expect("the source");
    let source = SafeTensors::deserialize(&bytes).expect("a good source");
    let bytes = fs::read(packed).expect("the checkpoint");
    let (_, header) = SafeTensors::read_metadata(&bytes).expect("a good header");
    let packed = SafeTensors::deserialize(&bytes).expect("a good checkpoint");
    let layouts = header.metadata().as_ref().expect("metadata");
    let mut names = packed.names();
    names.retain(|name| !name.starts_with("__padding__"));
    assert_eq!(names.len(), source.len(), "every tensor is there");
    for (name, tensor) in source.tensors() {
        let spec: TiledSpec = layouts[&format!("layout.{name}")].parse().expect("a layout");
        assert_eq!(spec.dims(), tensor.shape(), "{name}");
        let found = packed.tensor(&name).expect("a tensor").data();
        let start = found.as_ptr().addr() - bytes.as_ptr().addr();
        assert!(start.is_multiple_of(64), "{name} starts at byte {start}");
        check_tensor(&spec, tensor.data(), found);
    }
}

#[test]
fn without_a_file_the_digits_are_packed() {
    let run = run(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let weight = "           8192    37.5%  fc2.weight: f32[128,10]{0,1:T(8,128)}";
    assert!(run.stdout.lines().any(|line| line == weight), "{}", run.stdout);
    assert!(run.stdout.contains("10 tensors: "), "{}", run.stdout);
}

#[test]
fn output_is_read_back_element_by_element() {
    let scratch = Scratch::new("digits");
    let out = scratch.0.join("digits.packed.safetensors");
    // A file that another program left there is overwritten.
    fs::write(out.with_added_extension("partial"), vec![7; 1 << 20]).expect("a file");
    for _ in 0..2 {
        let run = run(&[DIGITS.as_ref(), "--out".as_ref(), &out]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        check_output(DIGITS.as_ref(), &out);
    }
    assert_eq!(fs::read_dir(&scratch.0).expect("the output").count(), 1, "no other files");
}

#[test]
fn all_types_and_ranks_are_packed() {
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
        // Slabs that are one run of the file but several of the output, and the reverse.
        ("tall", Dtype::BF16, &[5000, 200]),
        ("wide", Dtype::F32, &[10, 40_000]),
        ("deep", Dtype::F32, &[130, 20, 150]),
        ("\u{1b}[31mred\nline", Dtype::F32, &[1]),
    ];
    let source = scratch.write("types.safetensors", &tensors(list));
    let out = scratch.0.join("out.safetensors");
    let run = run(&[&source, "--out".as_ref(), &out]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("\\u{1b}[31mred\\nline: f32[1]"), "{}", run.stdout);
    check_output(&source, &out);
}

#[test]
fn rules_choose_layouts_and_parts() {
    let scratch = Scratch::new("rules");
    let source = scratch.write(
        "weights.safetensors",
        &tensors(&[("layer.0.weight", Dtype::F32, &[16, 384]), ("bias", Dtype::BF16, &[6])]),
    );
    let out = scratch.0.join("out.safetensors");
    let rule = r#"layer.*.weight = tpu! @ ["data"=2, "model"=3] [{"data"}, {"model"}]"#;
    let options = ["--rule", rule, "--rule", "bias = row-major", "--out"].map(Path::new);
    let ran = run(&[&[source.as_path()][..], &options, &[&out]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("bias: bf16[6]{0}\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("layer.0.weight@5: f32[8,128]{1,0:T(8,128)}\n"), "{}", ran.stdout);
    let bytes = fs::read(&source).expect("the source");
    let whole = SafeTensors::deserialize(&bytes).expect("a safetensors file");
    let whole = whole.tensor("layer.0.weight").expect("the tensor").data();
    for device in 0..6 {
        let part = Checkpoint::open_for(&out, device).expect("a checkpoint");
        let (row, column) = (device / 3 * 8, device % 3 * 128);
        let rows = whole.chunks(384 * 4).skip(row).take(8);
        let expected: Vec<u8> =
            rows.flat_map(|row| &row[column * 4..(column + 128) * 4]).copied().collect();
        check_tensor(
            part.spec("layer.0.weight").expect("a layout"),
            &expected,
            part.bytes("layer.0.weight").expect("its bytes"),
        );
    }
    for (rule, message) in [
        (r#"* = tpu! @ ["a"=5] [{"a"}, {}]"#, "tensor `bias`: "),
        ("* = tpux!", "error: line 1: `tpux!` is not a rule\nhelp: "),
    ] {
        let ran = run(&[&source, "--rule".as_ref(), rule.as_ref(), "--out".as_ref(), &out]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert_eq!(fs::read_dir(&scratch.0).expect("the output").count(), 2, "no other files");
}

/// What a process among several prints, by the arguments of the program or the environment that `mpirun` gives it.
fn run_share(number: usize, count: usize, is_mpi: bool, arguments: &[&Path]) -> Run {
    let mut command = Command::new(EXAMPLE);
    command.args(arguments);
    if is_mpi {
        command.env("OMPI_COMM_WORLD_RANK", number.to_string());
        command.env("OMPI_COMM_WORLD_SIZE", count.to_string());
    } else {
        command.arg("--process").arg(format!("{number}/{count}"));
    }
    Run::of(&command.output().expect("the example runs"))
}

#[test]
fn processes_share_the_work_and_devices_map_their_parts() {
    let scratch = Scratch::new("shared");
    let list: &[(&str, Dtype, &[usize])] =
        &[("w1", Dtype::F32, &[32, 128]), ("w2", Dtype::BF16, &[32, 64]), ("b", Dtype::F32, &[6])];
    let source = scratch.write("weights.safetensors", &tensors(list));
    let rule = r#"w* = tpu! @ ["model"=4] [{"model"}, {}]"#;
    let [alone, shared] = ["alone", "shared"].map(|name| scratch.0.join(name));
    let options = ["--rule", rule, "--out"].map(Path::new);
    assert_eq!(run(&[&[source.as_path()][..], &options, &[&alone]].concat()).code, Some(0));
    for is_mpi in [false, true] {
        let mut tensors = 0;
        for number in 0..3 {
            assert!(!shared.exists(), "not before the last one");
            let arguments = [&[source.as_path()][..], &options, &[&shared]].concat();
            let ran = run_share(number, 3, is_mpi, &arguments);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
            let last = ran.stdout.lines().last().expect("a line");
            let rest = last.strip_prefix(&format!("process {number} of 3: ")).expect("its number");
            tensors +=
                rest.split(' ').next().and_then(|n| n.parse::<usize>().ok()).expect("tensors");
            // The last one lists the file.
            assert_eq!(ran.stdout.contains("w1@3: f32[8,128]{1,0:T(8,128)}"), number == 2);
        }
        assert_eq!(tensors, 4 + 4 + 1);
        assert!(fs::read(&shared).expect("a file") == fs::read(&alone).expect("a file"));
        let ran = run(&[&shared, "--device".as_ref(), "2".as_ref()]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert!(ran.stdout.contains("  w1: f32[8,128]{1,0:T(8,128)}\n"), "{}", ran.stdout);
        assert!(ran.stdout.contains("  b: f32[6]"), "{}", ran.stdout);
        let ran = run(&[&shared, "--device".as_ref(), "4".as_ref()]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        fs::remove_file(&shared).expect("the file");
    }
    for process in ["3/3", "1", "a/b"] {
        let ran =
            run(&[&source, "--out".as_ref(), &shared, "--process".as_ref(), process.as_ref()]);
        assert_eq!(ran.code, Some(2), "{process}");
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
    refused(&[&scratch.write("empty", b"")], "empty");
    refused(&[DIGITS.as_ref(), "--out".as_ref(), &scratch.0.join("no/out")], "no/out");
    let out = scratch.0.join("out.safetensors");
    let partial = scratch.write("out.safetensors.partial", b"another's");
    let other = fs::File::open(&partial).expect("the file");
    other.lock().expect("nobody else has it");
    refused(&[DIGITS.as_ref(), "--out".as_ref(), &out], "is being written by another program");
    assert_eq!(fs::read(&partial).expect("the file"), b"another's");
}

/// A file of zeros that takes no space on the disk, packed with 64 MB of memory in addition to the mapped files.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    let scratch = Scratch::new("sparse");
    // Rows to gather, a dimension that becomes the minor one, and the rest in one run: 240 MB.
    let header = json!({
        "wide": {"dtype": "F32", "shape": [500, 40_000], "data_offsets": [0, 80_000_000]},
        "tall": {"dtype": "BF16", "shape": [150_000, 200], "data_offsets": [80_000_000, 140_000_000]},
        "long": {"dtype": "F32", "shape": [25_000_000], "data_offsets": [140_000_000, 240_000_000]},
    });
    let source = scratch.write("zeros.safetensors", &file(&header.to_string(), 0));
    let sparse = fs::OpenOptions::new().write(true).open(&source).expect("the file");
    let len = sparse.metadata().expect("its length").len();
    sparse.set_len(len + 240_000_000).expect("a sparse file");

    let limited = |kilobytes: u32| {
        let command = format!("ulimit -d {kilobytes}; exec {EXAMPLE} {}", source.display());
        Run::of(&Command::new("sh").args(["-c", &command]).output().expect("a shell"))
    };
    let run = limited(64_000);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("3 tensors: 240000000 bytes"), "{}", run.stdout);
    // The limit has an effect.
    assert_ne!(limited(200).code, Some(0));
}
