//! The program `layout`, as a shell runs it.

#[path = "explorer/damaged.rs"]
mod damaged;

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut layout = Command::new(env!("CARGO_BIN_EXE_layout"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built");
    layout.stdin.take().expect("it is piped").write_all(input).expect("it is read");
    layout.wait_with_output().expect("it ends")
}

/// The output of a command that must succeed.
#[track_caller]
fn prints(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The errors of a command that must fail.
#[track_caller]
fn fails(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn one_element_is_worked_as_in_the_document() {
    assert_eq!(
        prints(&["show", "f32[3,5]{1,0:T(2,2)}", "--at", "2,3"], ""),
        "linear_index_with_tile((2,3), (3,5), (2,2))\n\
         = linear_index((1,1,0,1), (2,3,2,2))\n\
         = linear_index((1,1), (2,3)) * 2 * 2 + linear_index((0,1), (2,2))\n\
         = (1 * 3 + 1) * 2 * 2 + (0 * 2 + 1)\n\
         = 17\n"
    );
    let back = prints(&["show", "-", "--offset", "17"], "f32[3,5]{1,0:T(2,2)}\n");
    assert!(back.ends_with("element (2,3)\n"), "{back}");
}

#[test]
fn every_kind_of_layout_is_shown() {
    let figure = prints(&["show", "F32[3,5]<1,0:T(2,2)>"], "");
    assert_eq!(figure, include_str!("golden/pictures/figure_1.txt"));
    let mesh = r#"["data"=2, "model"=4]"#;
    let sharded = r#"bf16[32000,4096] @ Pod [{"data"}, {"model"}]"#;
    assert_eq!(
        prints(&["show", sharded, "--mesh", mesh], ""),
        include_str!("golden/pictures/sharded.txt")
    );
    // The printed form can be pasted as well.
    let printed = r#"bf16[32000,4096]{1,0} <@Pod, [{"data"}, {"model"}]>"#;
    assert_eq!(
        prints(&["show", printed, "--mesh", mesh], ""),
        include_str!("golden/pictures/sharded.txt")
    );
    let csr = prints(&["show", "(i, j) -> (i : dense, j : compressed)"], "");
    assert!(csr.contains("positions[1]: I + 1, coordinates[1]: nnz, values: nnz"), "{csr}");
    let rule = prints(&["show", "(i,k),(k,j)->(i,j) reduction={k}"], "");
    assert!(rule.contains("<([i, k], [k, j])->([i, j]) reduction={k}>"), "{rule}");
    let json = prints(&["show", "f32[3,5]{1,0:T(2,2)}", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["padding_bytes"], 36);
    let colored = prints(&["--color", "always", "show", "f32[2]"], "");
    assert!(colored.contains("\x1b[48;5;"), "{colored}");
}

#[test]
fn a_factor_may_be_called_as_a_format_of_levels() {
    let rule = prints(&["show", "batch i dense, batch dense k -> batch i k"], "");
    assert!(rule.contains("([i, j, k], [i, k, l])->([i, j, l])"), "{rule}");
    // The mistakes shown are those of the notation that was meant.
    let error = fails(&["show", "batch i dense, batch dense k -> batch i ("], b"");
    assert!(error.contains("1 | batch i dense") && !error.contains("level"), "{error}");
    let error = fails(&["show", "(i, j) -> (i : dense, j compressed)"], b"");
    assert!(error.contains("compressed"), "{error}");
}

#[test]
fn names_do_nothing_to_a_terminal() {
    let file = std::env::temp_dir().join(format!("layout-{}-names.svg", std::process::id()));
    let name = file.to_str().expect("a name in UTF-8");
    let mesh = "[\"a\\1B[31m\u{9b}b\"=2]";
    let sharded = "f32[8] @ Pod [{\"a\\1B[31m\u{9b}b\"}]";
    let text = prints(&["show", sharded, "--mesh", mesh], "");
    assert!(!text.contains(['\x1b', '\u{9b}']), "{text:?}");
    assert!(text.contains(r"a\u{1b}[31m\u{9b}b=2"), "{text}");
    prints(&["show", sharded, "--mesh", mesh, "--svg", name], "");
    let svg = std::fs::read_to_string(&file).expect("it is written");
    assert!(!svg.contains(|c: char| c.is_control() && c != '\n'), "{svg:?}");
    std::fs::remove_file(&file).expect("it was there");
    for (arguments, input) in [
        (["show", "f32[\x1b[31m3]"], ""),
        (["show", "\u{9b}x"], ""),
        (["hlo", "-"], "  %p\x1b[31m = f32[3]{1,\x1b[31m1} parameter(0)\n"),
        (["hlo", "no\x1b[31mfile"], ""),
    ] {
        let error = fails(&arguments, input.as_bytes());
        assert!(!error.contains(['\x1b', '\u{9b}']), "{error:?}");
    }
}

#[test]
fn pictures_are_written_to_files() {
    let file = std::env::temp_dir().join(format!("layout-{}.svg", std::process::id()));
    let name = file.to_str().expect("a name in UTF-8");
    assert_eq!(prints(&["show", "f32[3,5]{1,0:T(2,2)}", "--svg", name], ""), "");
    let svg = std::fs::read_to_string(&file).expect("it is written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("prefers-color-scheme"), "{svg}");
    assert_eq!(prints(&["show", "f32[3,5]{1,0:T(2,2)}", "--html", name], ""), "");
    let html = std::fs::read_to_string(&file).expect("it is written");
    assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
    std::fs::remove_file(&file).expect("it was there");
}

#[test]
fn errors_stand_under_what_is_wrong() {
    assert_eq!(
        fails(&["show", "f32[3,5]{1,1:T(2,2)}"], b""),
        "error: dimension 1 is listed twice in minor_to_major
 --> the layout:1:12
  |
1 | f32[3,5]{1,1:T(2,2)}
  |            ^
  |
  = help: did you mean `{1,0}`?
"
    );
    let mesh = r#"["data"=2, "model"=4]"#;
    let error = fails(&["show", r#"f32[8] @ Pod [{"modl"}]"#, "--mesh", mesh], b"");
    assert!(error.contains("  |                ^^^^^^\n"), "{error}");
    assert_eq!(
        fails(&["show", "f32[3,50]", "--at", "2,70"], b""),
        "error: the index (2,70) is out of bounds of `f32[3,50]{1,0}`
 --> --at:1:3
  |
1 | 2,70
  |   ^^
  |
  = help: give 2 numbers, each less than the size of its dimension: (3,50)
"
    );
    let error = fails(&["show", "f32[3]", "--at", "1,2"], b"");
    assert!(error.contains("\n1 | 1,2\n  | ^^^\n"), "{error}");
    let error = fails(&["show", "f32[3]", "--offset", "12"], b"");
    assert!(error.contains("past the 3 stored elements\n --> --offset:1:1\n"), "{error}");
    assert_eq!(run(&["show"], b"").status.code(), Some(2));
    let long = format!("f32[3]{}", " ".repeat((1 << 20) - 6));
    assert!(fails(&["show", "-"], long.as_bytes()).contains("a layout has fewer than"));
    // No text causes a panic.
    for text in ["", "é", "f32[é]", "\"", "f32[3]\n{", "@", "i -> (", "\u{0}"] {
        let error = fails(&["show", "-", "--mesh", "[\"a\"=2]"], text.as_bytes());
        assert!(error.starts_with("error: "), "{text:?}: {error}");
    }
}

#[test]
fn the_arrays_of_a_program_are_sorted_by_what_they_waste() {
    let dump = "\
HloModule m, entry_computation_layout={(f32[3,5]{1,0:T(8,128)})->f32[8,128]{1,0:T(8,128)}}

ENTRY %main (p: f32[3,5]) -> f32[8,128] {
  %full = f32[8,128]{1,0:T(8,128)} parameter(1)
  %p = f32[3,5]{1,0:T(4,128)} parameter(0)
  ROOT %r = (f32[8,128]{1,0:T(8,128)}, f32[1,1]{1,0:T(1,128)}) custom-call(%p, %full)
}
";
    let table = prints(&["hlo", "-"], dump);
    let arrays: Vec<_> = table.lines().skip(1).take(4).collect();
    let names = arrays.iter().map(|line| line.split_whitespace().rev().skip(1).take(2));
    let names: Vec<Vec<_>> = names.map(Iterator::collect).collect();
    let expected =
        [["p", "argument"], ["r[1]", "output"], ["full", "argument"], ["r[0]", "output"]];
    assert_eq!(names, expected, "{table}");
    // 3 * 5 of 4 * 128 and 1 of 128 elements, of four bytes each; in tiles of 8 by 128 both arrays take a whole tile.
    let total: Vec<_> = table.lines().nth(5).expect("a total").split_whitespace().collect();
    assert_eq!(
        total,
        ["2496", "23.2", "%", "10752", "16384", "4", "arrays", "in", "HBM"],
        "{table}"
    );
    let sums = "HBM: 6144 bytes of arguments, 5120 of outputs; 0 of temporaries\n";
    assert!(table.ends_with(sums), "{table}");
    let error = fails(&["hlo", "-"], b"  %p = f32[3,5]{1,1} parameter(0)\n");
    assert!(error.contains("standard input, line 1") && error.contains("twice"), "{error}");
    assert!(fails(&["hlo", "-"], b"\xFF\xFE").contains("neither"));
    assert!(fails(&["hlo", "-"], b"x = 3\n").contains("no array of an HLO program"));
    assert!(fails(&["hlo", "no/such/file"], b"").contains("no/such/file"));
}

/// The output of `layout hlo --json`.
fn program(file: &str) -> serde_json::Value {
    let name = format!("tests/golden/hlo/{file}.hlo");
    serde_json::from_str(&prints(&["hlo", &name, "--json", "--top", "100000"], "")).expect("JSON")
}

#[test]
fn arguments_and_outputs_take_what_the_compiler_reports() {
    let sizes: serde_json::Value =
        serde_json::from_str(include_str!("golden/hlo/sizes.json")).expect("JSON");
    let sizes = sizes.as_object().expect("an object");
    assert_eq!(sizes.len(), 18);
    for (name, reported) in sizes {
        let found = program(name);
        assert_eq!(found["argument_bytes"], reported["argument"], "{name}");
        assert_eq!(found["output_bytes"], reported["output"], "{name}");
        let memories = found["spaces"].as_array().expect("a list");
        assert_eq!((&memories[0]["memory"], &memories[0]["space"]), (&"HBM".into(), &0.into()));
        let host = memories.iter().find(|memory| memory["memory"] == "S(5), the host");
        assert_eq!(host.map(|host| &host["argument_bytes"]), reported.get("host_argument"));
        assert_eq!(host.map(|host| &host["output_bytes"]), reported.get("host_output"));
        // Each array is counted once, in its own memory.
        let sum = |key: &'static str| {
            memories.iter().map(move |memory| memory[key].as_u64().expect("a number"))
        };
        let arrays = found["arrays"].as_array().expect("a list");
        assert_eq!(sum("count").sum::<u64>(), arrays.len() as u64, "{name}");
        let bytes = arrays.iter().map(|array| array["bytes"].as_u64().expect("a number"));
        assert_eq!(sum("bytes").sum::<u64>(), bytes.sum::<u64>(), "{name}");
    }
}

#[test]
fn arrays_are_alive_as_long_as_the_compiler_says() {
    // Values that live as long as the loop whose state they are, or as all branches of the conditional whose result they are:
    // the compiler counts the state in the loop, and each branch's result, as separate values. Also the condition of a loop,
    // which the compiler counts up to the next instruction.
    let exceptions = [
        ("cond", vec!["cond.5.clone"]),
        (
            "nested",
            vec![
                "copy.2",
                "copy.20",
                "copy.22",
                "wrapped_broadcast.1",
                "wrapped_compare",
                "wrapped_compare.1",
            ],
        ),
        ("scan_stack", vec!["copy.10", "wrapped_compare"]),
        ("while", vec!["copy.7", "wrapped_compare"]),
        ("chain", vec![]),
        ("conv", vec![]),
        ("grad", vec![]),
    ];
    let mut compared = 0;
    for (name, exceptions) in exceptions {
        let file = format!("tests/golden/hlo_lifetimes/{name}");
        let ranges = std::fs::read_to_string(format!("{file}-live-range.txt")).expect("a file");
        let found = prints(&["hlo", &format!("{file}.txt"), "--json", "--top", "100000"], "");
        let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        let arrays = found["arrays"].as_array().expect("a list").iter();
        let is_inner = |role: &serde_json::Value| role == "temporary" || role == "constant";
        for array in arrays.filter(|array| is_inner(&array["role"])) {
            let array_name = array["name"].as_str().expect("a name");
            // The compiler numbers instructions from 0.
            let range = ranges.lines().find_map(|line| {
                let mut words = line.split(' ');
                let numbers = || {
                    line.split(' ').skip(1).map(|word| word.parse::<u64>().expect("a number") + 1)
                };
                (words.next() == Some(array_name)).then(|| numbers().collect::<Vec<_>>())
            });
            let Some(range) = range else {
                assert!(
                    name == "conv" && array_name.starts_with("sort.0["),
                    "{name}: {array_name}"
                );
                continue;
            };
            let alive: Vec<_> = array["alive"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|at| at.as_u64().expect("a number"))
                .collect();
            match exceptions.contains(&array_name) {
                true => assert_ne!(alive, range, "{name}: {array_name}"),
                false => assert_eq!(alive, range, "{name}: {array_name}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 80);
}

#[test]
fn the_peak_is_where_most_is_alive_at_once() {
    let name = "tests/golden/hlo_lifetimes/grad.txt";
    let table = prints(&["hlo", name], "");
    // Four arrays of 32 x 128 and one of 32 x 16 numbers of four bytes.
    let peak = "4 of constants, 86024 of temporaries, at most 67584 of them alive at once: at ynn_fusion in line";
    assert!(table.contains(peak), "{table}");
    // The size that `memory_analysis()` reports for the program.
    assert!(table.ends_with("; the compiler assigned 51200 bytes to them\n"), "{table}");
    let json: serde_json::Value =
        serde_json::from_str(&prints(&["hlo", name, "--json"], "")).expect("JSON");
    for key in ["temporary_bytes", "peak_temporary_bytes", "assigned_temporary_bytes"] {
        assert_eq!(json[key], 51_200, "{key}");
    }
    let nested = prints(&["hlo", "tests/golden/hlo_lifetimes/nested.txt", "--json"], "");
    let nested: serde_json::Value = serde_json::from_str(&nested).expect("JSON");
    assert_eq!(nested["assigned_temporary_bytes"], 22_176);
    let assignment = "tests/golden/hlo_lifetimes/grad-buffer-assignment.txt";
    assert!(fails(&["hlo", assignment], b"").contains("is a buffer assignment, not a program"));
}

/// The names of the arrays that `layout hlo` lists.
fn names(found: &serde_json::Value) -> Vec<&str> {
    let arrays = found["arrays"].as_array().expect("a list");
    arrays.iter().map(|array| array["name"].as_str().expect("a name")).collect()
}

#[test]
fn results_in_the_memory_of_arguments_are_counted_once() {
    let dump = "\
HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={(f32[64,128]{1,0}, f32[64,128]{1,0})->(f32[64,128]{1,0}, f32[])}

ENTRY %main (x: f32[64,128], y: f32[64,128]) -> (f32[64,128], f32[]) {
  %x = f32[64,128]{1,0} parameter(0)
  %y = f32[64,128]{1,0} parameter(1)
  %copy = f32[64,128]{1,0} copy(%x)
  %add = f32[64,128]{1,0} add(%copy, %y)
  %total = f32[] custom-call(%copy), custom_call_target=\"total\"
  ROOT %tuple = (f32[64,128]{1,0}, f32[]) tuple(%add, %total)
}
";
    let found: serde_json::Value =
        serde_json::from_str(&prints(&["hlo", "-", "--json"], dump)).expect("JSON");
    // What `memory_analysis()` reports of this program on a CPU.
    for (key, bytes) in [
        ("argument_bytes", 65_536),
        ("output_bytes", 32_788),
        ("alias_bytes", 32_768),
        ("temporary_bytes", 32_768),
    ] {
        assert_eq!(found[key], bytes, "{key}");
    }
    assert_eq!(names(&found), ["x", "y", "copy", "total"]);
    let alive = |at: usize| found["arrays"][at]["alive"].to_string();
    // The copy from instruction 3 to 5; arguments always, and results until the end.
    assert_eq!([0, 1, 2, 3].map(alive), ["[1,6]", "[1,6]", "[3,5]", "[5,6]"]);
    let table = prints(&["hlo", "-"], dump);
    assert!(
        table.contains("32788 of outputs, 32768 of them in the arguments' memory; "),
        "{table}"
    );
}

#[test]
fn operations_that_update_operands_share_their_storage() {
    let dump = "\
HloModule m

ENTRY %main (a: f32[8], b: f32[8]) -> (f32[8], s32[]) {
  %a = f32[8]{0} parameter(0)
  %b = f32[8]{0} copy(%a)
  ROOT %c = (f32[8]{0}, s32[]) custom-call(%a, %b), custom_call_target=\"t\", output_to_operand_aliasing={{0}: (1, {}), {7}: (9, {})}
}
";
    let found: serde_json::Value =
        serde_json::from_str(&prints(&["hlo", "-", "--json"], dump)).expect("JSON");
    assert_eq!(names(&found), ["a", "b", "c[1]"]);
    assert_eq!(found["arrays"][1]["role"], "output");
}

/// A field of a message: its number and its bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut len = bytes.len();
    while len >= 0x80 {
        field.push(len as u8 | 0x80);
        len >>= 7;
    }
    field.push(len as u8);
    field.extend(bytes);
    field
}

#[test]
fn the_assignment_of_memory_in_a_proto_is_read() {
    let module = std::fs::read("tests/golden/hlo/while_kv.pb").expect("a file");
    // 16,384 bytes in memory space 1, 4,096 in 0, and as many for an argument, a thread, a result and a constant.
    let temporary = field(3, &[0x10, 0x80, 0x80, 0x01, 0x40, 0x01]);
    let main = field(3, &[0x10, 0x80, 0x20]);
    let others = [0x28, 0x18, 0x38, 0x60].map(|flag| field(3, &[0x10, 0x80, 0x20, flag, 0x01]));
    let assignment = [temporary, main, others.concat()].concat();
    let dump = [field(1, &module), field(3, &assignment)].concat();
    let output = run(&["hlo", "-", "--json"], &dump);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["temporary_bytes"], 4_096);
    assert_eq!(found["argument_bytes"], 12_288);
    assert_eq!(found["spaces"][1]["assigned_temporary_bytes"], 16_384);
}

#[test]
fn a_dump_that_was_cut_off_fails() {
    let dump = std::fs::read_to_string("tests/golden/hlo_lifetimes/chain.txt").expect("a file");
    let end = dump.trim_end().len();
    for cut in (0..end).filter(|at| dump.is_char_boundary(*at)).step_by(97).chain([end - 1]) {
        let error = fails(&["hlo", "-"], &dump.as_bytes()[..cut]);
        assert!(
            error.contains("cut off") || error.contains("no array of an HLO program"),
            "{cut}: {error}"
        );
    }
}

#[test]
fn constants_are_counted_apart() {
    let dump = "\
HloModule m

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  %k = f32[8]{0} constant({...})
  %a = f32[8]{0} add(%x, %k)
  ROOT %b = f32[8]{0} multiply(%a, %k)
}
";
    let found: serde_json::Value =
        serde_json::from_str(&prints(&["hlo", "-", "--json"], dump)).expect("JSON");
    for key in ["constant_bytes", "temporary_bytes", "peak_temporary_bytes"] {
        assert_eq!(found[key], 32, "{key}");
    }
    let table = prints(&["hlo", "-"], dump);
    assert!(table.contains("constant k  f32[8]{0}\n"), "{table}");
    assert!(table.contains("; 32 of constants, 32 of temporaries, at most 32 of them"), "{table}");
}

#[test]
fn an_array_that_cannot_be_read_hides_no_other() {
    let ones = vec!["1"; 17].join(",");
    let many = vec![format!("f32[{ones}]"); 20].join(", ");
    let dump = format!(
        "ENTRY %main (x: f32[8]) -> f32[8] {{
  %x = (f32[8]{{0}}, {many}, f32[4]{{0}}) parameter(0)
  %y = f32[4]{{0}} get-tuple-element(%x), index=21
  ROOT %z = f32[4]{{0}} negate(%y)
}}
"
    );
    let output = run(&["hlo", "-", "--json"], dump.as_bytes());
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(names(&found), ["x[0]", "x[21]", "z"]);
    assert_eq!((&found["output_bytes"], &found["temporary_bytes"]), (&16.into(), &0.into()));
    let problems = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success());
    assert_eq!(problems.matches("error: ").count(), 8, "{problems}");
    assert!(problems.contains("line 2: 12 more arrays cannot be read"), "{problems}");
}

#[test]
fn long_lines_are_shown_around_what_is_wrong() {
    let sizes = vec!["1"; 1000].join(",");
    let error = fails(&["show", &format!("f32[{sizes},x,{sizes}]")], b"");
    assert!(error.len() < 2000, "{error}");
    let wrong = "...1,1,1";
    assert!(error.contains(wrong) && error.contains("1,1,x,1,1"), "{error}");
    let error = fails(&["show", &format!("f32[{}]", ["x"; 12].join(","))], b"");
    assert!(error.matches("error: ").count() <= 8, "{error}");
}

#[test]
fn hot_spots_come_with_a_better_layout_or_shape() {
    let dump = "  %p = f32[1000,3]{1,0:T(8,128)} parameter(0)\n  %q = f32[8,128]{1,0:T(8,128)} parameter(1)\n";
    let table = prints(&["hlo", "-"], dump);
    let better = "What would waste less:\n  p, 512000 bytes: the layout f32[1000,3]{0,1:T(4,128)} takes 16384; \
                  the shape f32[3000]{0:T(1024)} takes 12288\n";
    assert!(table.contains(better), "{table}");
    assert!(!table.contains("  q, "), "{table}");
}

#[test]
fn the_memory_of_a_program_is_a_page_that_opens_part_by_part() {
    let dump = "  %p = f32[1000,3]{1,0:T(8,128)} parameter(0)\n  %q = f32[8,128]{1,0:T(8,128)} parameter(1)\n";
    let file = std::env::temp_dir().join(format!("memory-{}.html", std::process::id()));
    let name = file.to_str().expect("a name");
    assert_eq!(prints(&["hlo", "-", "--html", name], dump), "");
    let page = std::fs::read_to_string(&file).expect("the page");
    std::fs::remove_file(file).expect("it is still there");
    for part in [
        "s: 516,096 bytes (504 KiB)</summary>",
        "<b>p</b> <code>f32[1000,3]{1,0:T(8,128)}</code> 512,000 bytes (500 KiB), 97.7 % of them padding",
        "<p>The layout <code>f32[1000,3]{0,1:T(4,128)}</code> takes 16,384 bytes (16 KiB).</p>",
        "<div><svg ",
    ] {
        assert!(page.contains(part), "`{part}` is not in:\n{page}");
    }
    assert!(!page.contains("src=") && !page.contains("href="), "{page}");
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
}

#[test]
fn a_tuple_of_arguments_has_a_table() {
    // 2,500 addresses of four bytes, rounded up to whole granules, as the TPU compiler reports.
    let arrays = vec!["f32[8,128]{1,0:T(8,128)}"; 2500].join(", ");
    let dump = format!(
        "HloModule m\n\nENTRY %main (p: f32[]) -> f32[] {{\n  %p = ({arrays}) parameter(0)\n  \
         ROOT %r = f32[8,128]{{1,0:T(8,128)}} get-tuple-element(%p), index=7\n}}\n"
    );
    let json: serde_json::Value =
        serde_json::from_str(&prints(&["hlo", "-", "--json"], &dump)).expect("JSON");
    assert_eq!(json["argument_bytes"], 2500 * 4096 + 10_240);
    assert_eq!(json["output_bytes"], 4096);
}

#[test]
fn what_is_called_has_storage_and_what_is_commented_out_has_not() {
    let dump = "\
HloModule m

%called (p: f32[8,128]) -> f32[8,128] {
  %p = f32[8,128]{1,0:T(8,128)} parameter(0)
  %inner = f32[1024,1024]{1,0:T(8,128)} broadcast(%p)
  ROOT %s = f32[8,128]{1,0:T(8,128)} slice(%inner)
}

%wrapped (p: f32[8,128]) -> f32[8,128] {
  %q = f32[8,128]{1,0:T(8,128)} parameter(0)
  %hidden = f32[512,1024]{1,0:T(8,128)} broadcast(%q)
  ROOT %t = f32[8,128]{1,0:T(8,128)} slice(%hidden)
}

ENTRY %main (x: f32[8,128]) -> f32[8,128] {
  %x = f32[8,128]{1,0:T(8,128)} parameter(0)
  /* %no = f32[9,9]{1,0} add(%x, %x)
  %no = f32[9,9]{1,0} add(%x, %x) */
  %c = f32[8,128]{1,0:T(8,128)} call(%x), to_apply=%called
  %a = ((f32[8,128]{1,0:T(8,128)}), f32[8,128]{1,0:T(8,128)}, u32[]{:S(2)}) async-start(%c), calls=%wrapped
  ROOT %d = f32[8,128]{1,0:T(8,128)} async-done(%a) // %no = f32[9,9]{1,0} add(%x, %x)
}
";
    let json: serde_json::Value =
        serde_json::from_str(&prints(&["hlo", "-", "--json"], dump)).expect("JSON");
    let arrays = json["arrays"].as_array().expect("a list").iter();
    let mut found: Vec<_> = arrays
        .map(|array| {
            let text = |key: &str| array[key].as_str().expect("text").to_string();
            (text("name"), text("role"), text("memory"), array["bytes"].as_u64().expect("a number"))
        })
        .collect();
    found.sort();
    let row = |name: &str, role: &str, memory: &str, bytes| {
        (name.to_string(), role.to_string(), memory.to_string(), bytes)
    };
    let expected = [
        row("a[1]", "output", "HBM", 4096),
        row("a[2]", "temporary", "S(2)", 4),
        row("c", "temporary", "HBM", 4096),
        row("hidden", "temporary", "HBM", 2 << 20),
        row("inner", "temporary", "HBM", 4 << 20),
        row("x", "argument", "HBM", 4096),
    ];
    assert_eq!(found, expected);
    assert_eq!(json["temporary_bytes"], (6 << 20) + 4096);
}

#[test]
fn tensors_of_a_file_are_listed_in_the_layout_of_a_tpu() {
    let header = r#"{"__metadata__":{},"w":{"dtype":"BF16","shape":[10,3],"data_offsets":[0,60]}}"#;
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend([0; 60]);
    let output = run(&["hlo", "-", "--json"], &file);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let layout = "bf16[10,3]{0,1:T(4,128)(2,1)}";
    assert_eq!((&json["bytes"], &json["arrays"][0]["layout"]), (&1024.into(), &layout.into()));
    let mut broken = 5u64.to_le_bytes().to_vec();
    broken.extend(b"{oops");
    assert!(fails(&["hlo", "-"], &broken).contains("not a safetensors file"));
    // A byte too few, and a byte too many.
    let error = fails(&["hlo", "-"], &file[..file.len() - 1]);
    assert!(error.contains("truncated: the tensors take 60 bytes, but 59 follow"), "{error}");
    file.push(0);
    assert!(fails(&["hlo", "-"], &file).contains("the last 1 bytes belong to no tensor"));
    let named = std::env::temp_dir().join(format!("layout-{}.safetensors", std::process::id()));
    std::fs::write(&named, &file[..file.len() - 2]).expect("it is written");
    let error = fails(&["hlo", named.to_str().expect("a name in UTF-8")], b"");
    assert!(error.contains("truncated"), "{error}");
    std::fs::remove_file(&named).expect("it was there");
}

#[test]
fn layouts_are_compared() {
    let pages = "bf16[100,4,8,128]{3,2,1,0:T(8,128)(2,1)}";
    let same = prints(&["diff", pages, "bf16[409600]{0:T(1024)(128)(2,1)}"], "");
    assert!(same.contains("Both store every element at the same offset"), "{same}");
    let output = run(&["diff", "f32[16,256]{1,0}", "f32[16,256]{1,0:T(8,128)}"], b"");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("b  (0,128) -> 1024\n"), "{text}");
    // Tiles of combined dimensions cut each column elsewhere.
    let uneven = "f32[1000003,1000003]{0,1:T(*,7)(3)}";
    let same = prints(&["diff", uneven, uneven], "");
    assert!(same.contains("Both store every element at the same offset"), "{same}");
    let output = run(&["diff", uneven, "f32[1000003,1000003,1]{2,0,1:T(*,7,1)(3,1)}"], b"");
    let unfinished = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1));
    let compared = "The first 4194304 elements in row-major order have the same offsets; the others are not compared\n";
    assert!(unfinished.contains(compared), "{unfinished}");
    assert!(text.contains("A relayout reads 16384 bytes and writes 16384\n"), "{text}");
    for (a, b, difference) in [
        ("f32[8,128]{1,0:SC(0:4)}", "f32[8,128]{1,0}", "how memories share the array: dimension 0"),
        ("f32[8,128]{1,0:SC(0:4)}", "f32[8,128]{1,0:SC(0:5)}", "split at (4)"),
        ("f32[8,128]{1,0:M(64)}", "f32[8,128]{1,0}", "in front of the elements: 64 and 0"),
        ("f32[<=8,128]{1,0}", "f32[8,128]{1,0}", "bounded dimensions: (0) and ()"),
    ] {
        let output = run(&["diff", a, b], b"");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(1), "{a} {b}: {text}");
        assert!(text.contains(difference), "{a} {b}: {text}");
        prints(&["diff", a, a], "");
    }
    let error = fails(&["diff", "f32[?,3]", "f32[2,3]"], b"");
    assert!(error.contains("has a dimension without a size"), "{error}");
}

#[test]
fn the_default_layout_stands_among_its_candidates() {
    let text = prints(&["default", "bf16[1000,3]"], "");
    assert!(text.starts_with("bf16[1000,3]{0,1:T(4,128)(2,1)}\n"), "{text}");
    assert!(text.contains("\n*           8192 bytes"), "{text}");
    for shape in ["f32[?]", "f32[<=5,3]"] {
        assert!(fails(&["default", shape], b"").contains("error: the "), "{shape}");
    }
    assert!(fails(&["default", "f6e2m3fn[3]"], b"").contains("has no default layout"));
    assert!(prints(&["completions", "bash"], "").contains("layout"));
}

#[test]
fn the_steps_of_a_tiling_are_shown() {
    let steps = ["show", "f32[3,5]{1,0:T(2,2)}", "--steps"];
    assert_eq!(prints(&steps, ""), include_str!("golden/pictures/figure_1_steps.txt"));
    let element = prints(&[&steps[..], &["--at", "2,3"]].concat(), "");
    assert!(
        element.ends_with("(2,3,2,2): element (1,1,0,1)\n24 stored elements: element 17\n"),
        "{element}"
    );
    let json = prints(&[&steps[..], &["--json"]].concat(), "");
    assert!(json.starts_with(r#"{"steps": ["array (3,5)", "pad to (4,6)", "#), "{json}");
    let error = fails(&["show", "(i, j) -> (i : dense, j : compressed)", "--steps"], b"");
    assert!(error.contains("`--steps`"), "{error}");
}

#[test]
fn dimensions_have_the_letters_of_the_document_on_request() {
    let named = prints(&["show", "f32[3,5]{1,0:T(2,2)}", "--names"], "");
    assert!(named.contains("(y/2*3 + x/2)*4 + y%2*2 + x%2\n"), "{named}");
    assert!(
        named.contains("dim 0 is major\n") && named.contains("y down, x to the right\n"),
        "{named}"
    );
    let error = fails(&["show", "(i, j) -> (i : dense, j : compressed)", "--names"], b"");
    assert!(error.contains("`--names`"), "{error}");
}

#[test]
fn what_others_print_is_shown() {
    let shown = |text: &str| prints(&["show", text, "--json"], "");
    for text in [
        "%x = f32[4,6]{1,0} add(%a, %b), metadata={op_name=\"f\"}",
        "  ROOT x.1 = f32[4,6]{1,0} parameter(0)",
        "tensor<4x6xf32>",
    ] {
        assert_eq!(shown(text), shown("f32[4,6]{1,0}"), "{text}");
    }
    assert_eq!(shown("tensor<3xcomplex<f32>>"), shown("c64[3]{0}"));
    assert_eq!(shown("tensor<?x3xi1>"), shown("pred[?,3]{1,0}"));
    let tuple = prints(&["show", "(f32[2,3]{1,0}, (s8[4]{0}, token[]))"], "");
    assert_eq!(tuple.matches("layout   ").count(), 2, "{tuple}");
    let json: serde_json::Value =
        serde_json::from_str(&shown("%t = (f32[2,3]{1,0}, s8[4]{0}) tuple(%a, %b)")).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(2));
    let error = fails(&["show", "(f32[2], f32[3])", "--at", "1"], b"");
    assert!(error.contains("a tuple of 2 arrays is only listed"), "{error}");
    assert!(fails(&["show", "(f32[2,2]{1,1})"], b"").contains("twice"));
    let map = "memref<16x256xf32, affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)>>";
    assert!(fails(&["show", map], b"").contains("write `f32[16,256]{1,0:T(8,128)}`"));
    let barrier = "%5:2 = stablehlo.optimization_barrier %4, %2 : tensor<2x3xf32>, tensor<4xi8>";
    assert_eq!(prints(&["show", barrier], ""), prints(&["show", "(f32[2,3], s8[4])"], ""));
    assert!(fails(&["show", "tensor<3xf33>"], b"").contains("unknown element type `f33`"));
}

#[test]
fn layouts_are_explained_in_sentences() {
    let explained = prints(&["explain", "bf16[1001,384]{1,0:T(8,128)(2,1)S(1)}"], "");
    assert_eq!(
        explained,
        "An array of 1001 x 384 elements of type bf16.\n\
         Its most minor dimension is j (dimension 1), followed by i (dimension 0).\n\
         It is divided along its 2 most minor dimensions into tiles of 8 x 128. The tiles, and the elements of each tile, \
         are stored in row-major order; tiles at the edge are filled with padding.\n\
         Each tile is divided in the same way into smaller tiles of 2 x 1.\n\
         So 2 rows are interleaved, and 2 elements of one column share a word of 32 bits.\n\
         Within the innermost tiles, elements are contiguous along i (dimension 0).\n\
         It is in memory space 1, VMEM.\n\
         Element (i,j) is stored at offset (i/8*3 + j/128)*1024 + i/2%4*256 + j%128*2 + i%2, in elements.\n\
         The array takes 774144 bytes, including 5376 (0.7 %) of padding.\n"
    );
    // The dimension along which elements are contiguous is the one along which offsets grow by one.
    for (layout, sentence) in [
        (
            "f32[3,5]{0,1}",
            "Its most minor dimension, along which elements are contiguous, is i (dimension 0),",
        ),
        (
            "f32[3,5]{1,0:T(2,1)}",
            "Within the tiles, elements are contiguous along i (dimension 0).",
        ),
        (
            "f32[3,5]{1,0:T(2,2)}",
            "Within the tiles, elements are contiguous along j (dimension 1).",
        ),
        (
            "f32[3,5]{0,1:T(2,2)}",
            "Within the tiles, elements are contiguous along i (dimension 0).",
        ),
        (
            "f32[2,3,5]{2,1,0:T(*,4)}",
            "Within the tiles, elements are contiguous along k (dimension 2).",
        ),
    ] {
        let explained = prints(&["explain", layout], "");
        assert!(explained.contains(sentence), "{explained}");
        assert_eq!(explained.matches("contiguous").count(), 1, "{explained}");
    }
    let single = prints(&["explain", "f32[3,5]{1,0:T(1,1)}"], "");
    assert!(!single.contains("contiguous"), "{single}");
    let csr = prints(&["explain", "(i, j) -> (i : dense, j : compressed)"], "");
    assert!(
        csr.contains("Level 1 holds dimension j: compressed, so only the coordinates"),
        "{csr}"
    );
    let rule = prints(&["explain", "(i,k),(k,j)->(i,j) reduction={k}"], "");
    assert!(rule.contains("Factor k is summed over"), "{rule}");
    let mesh = r#"["data"=2, "model"=4]"#;
    let sharded = r#"f32[32,64] @ Pod [{"data"}, {?}]"#;
    let sharded = prints(&["explain", sharded, "--mesh", mesh], "");
    let split = "Dimension 0 is split along \"data\" into 2 parts.\n\
                 Dimension 1 is not split; propagation may split it further.\n\
                 Each device holds an array of (16,64), 4096 bytes.\n";
    assert!(sharded.ends_with(split), "{sharded}");
    assert!(fails(&["explain", "f32[3"], b"").starts_with("error: "));
}

#[test]
fn shardings_are_explained_without_their_array() {
    let sharding = r#"#sdy.sharding<@mesh, [{"data", "x":(1)2}, {?}p1], unreduced={"model"}>"#;
    let explained = prints(&["explain", sharding], "");
    assert_eq!(
        explained,
        "The sharding of an array of 2 dimensions.\n\
         It is distributed over the devices of the mesh `mesh`.\n\
         Dimension 0 is split along \"data\" and \"x\":(1)2.\n\
         Dimension 1 is not split; propagation may split it further; it takes part in propagation only from round 1.\n\
         Along \"model\", each device holds a part of a sum that has not been added up.\n"
    );
    let mesh = ["--mesh", "data=2,model=4"];
    let explained = prints(&["explain", r#"<@mesh, [{"data"}, {}]>"#, mesh[0], mesh[1]], "");
    let split = "It is distributed over 8 devices, a mesh with the axes data of 2 and model of 4.\n\
                 Dimension 0 is split along \"data\" into 2 parts.\n\
                 Dimension 1 is not split.\n";
    assert!(explained.ends_with(split), "{explained}");
    let inline = prints(&["explain", r#"<mesh<["data"=2]>, [{"data"}]>"#], "");
    assert!(inline.contains("along \"data\" into 2 parts"), "{inline}");
    let unknown = fails(&["explain", r#"<@mesh, [{"y"}]>"#, mesh[0], mesh[1]], b"");
    assert!(unknown.contains("unknown axis"), "{unknown}");
    assert!(fails(&["explain", "<@mesh, [{]>"], b"").starts_with("error: "));
}

/// TPU programs as the protos that XLA writes, compared with their text dumps.
#[test]
fn a_program_may_be_a_proto() {
    for file in ["cond", "int4mm", "while_kv", "moe", "to_host", "spmd_rs"] {
        let name = format!("tests/golden/hlo/{file}.pb");
        let found = prints(&["hlo", &name, "--json", "--top", "100000"], "");
        let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        // XLA has reordered the instructions: arrays that waste the same may be listed in another order.
        let sorted = |mut found: serde_json::Value| {
            let arrays = found["arrays"].as_array_mut().expect("a list");
            arrays.sort_by_key(|array| array["name"].to_string());
            found
        };
        assert_eq!(sorted(found), sorted(program(file)), "{file}");
    }
    let error = fails(&["hlo", "-"], b"\x0a\x7f\x00");
    assert!(error.contains("standard input starts like a proto"), "{error}");
}

#[test]
fn a_result_is_split_over_a_mesh_of_any_name() {
    let program = "sdy.mesh @MESH = <[\"x\"=2]>
func.func @main(%arg0: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@MESH, [{}, {}]>}) -> (tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@MESH, [{\"x\"}, {}]>}) {
  return %arg0 : tensor<16x128xf32>
}
";
    for mesh in ["mesh", "\"my mesh\"", "\"0\""] {
        let found = prints(&["shard", "-", "--json"], &program.replace("MESH", mesh));
        let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        let memory = &found["tpu_memory"];
        assert_eq!((&memory["arguments"], &memory["results"]), (&8192.into(), &4096.into()));
    }
}

#[test]
fn a_sparse_tensor_is_shown_with_its_sizes() {
    let text = "tensor<4x6xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>>";
    let shown = prints(&["show", text], "");
    for expected in ["sizes           4x6\n", "level sizes     (2,3,2,2)\n"] {
        assert!(shown.contains(expected), "{shown}");
    }
    let error = fails(&["show", &text[..text.len() - 1]], b"");
    assert!(error.contains("the tensor type lacks its closing `>`"), "{error}");
}

#[test]
fn checkpoints_with_equal_bytes_in_other_shapes_differ() {
    let file = |name: &str| {
        let name = format!("tensor-layout-explorer-{}-{name}.safetensors", std::process::id());
        std::env::temp_dir().join(name).into_os_string().into_string().expect("text")
    };
    let write = |name: &str, dtype: &str, shape: &str, bytes: usize| {
        let path = file(name);
        let header =
            format!(r#"{{"w":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[0,{bytes}]}}}}"#);
        let len = header.len() as u64;
        let all = [&len.to_le_bytes()[..], header.as_bytes(), &vec![0; bytes]].concat();
        std::fs::write(&path, all).expect("it can be written");
        path
    };
    let differ = |a: &str, b: &str, line: &str| {
        let found = run(&["checkpoint", a, "--diff", b], b"");
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        assert_eq!(found.lines().next(), Some(line), "{a} {b}");
        let same = prints(&["checkpoint", a, "--diff", a], "");
        assert!(same.starts_with("Both hold the same"), "{same}");
    };
    // No layout has elements of this type.
    let tall = write("tall", "F6_E2M3", "[4,1]", 3);
    differ(&tall, &write("wide", "F6_E2M3", "[1,4]", 3), "w: another type or shape");
    differ(&tall, &write("bytes", "U8", "[3]", 3), "w: another type or shape");

    // Four parts of two by two each.
    let (square, long) = (write("4x4", "F32", "[4,4]", 64), write("8x2", "F32", "[8,2]", 64));
    let packed = [file("square"), file("long")];
    let rules = [
        r#"w = row-major @ ["a"=2,"b"=2] [{"a"}, {"b"}]"#,
        r#"w = row-major @ ["a"=2,"b"=2] [{"a","b"}, {}]"#,
    ];
    for ((plain, packed), rule) in [square, long].iter().zip(&packed).zip(rules) {
        prints(&["checkpoint", plain, "--to", packed, "--rule", rule], "");
        std::fs::remove_file(plain).expect("it was written");
    }
    let line = r#"w: split by `<mesh<["a"=2, "b"=2]>, [{"a"}, {"b"}]>` and by `<mesh<["a"=2, "b"=2]>, [{"a", "b"}, {}]>`"#;
    differ(&packed[0], &packed[1], line);
    for name in packed.into_iter().chain(["tall", "wide", "bytes"].map(file)) {
        std::fs::remove_file(name).expect("it was written");
    }
}

#[test]
fn a_checkpoint_is_packed_listed_compared_and_unpacked() {
    let plain = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/digits/digits.safetensors");
    let file = |name: &str| {
        let name = format!("tensor-layout-explorer-{}-{name}", std::process::id());
        std::env::temp_dir().join(name).into_os_string().into_string().expect("text")
    };
    let (packed, back) = (file("packed.safetensors"), file("back.safetensors"));
    let rules = ["--rule", "*.weight* = {0,1:T(8,128)}", "--rule", "* = row-major"];
    prints(&[&["checkpoint", plain, "--to", &packed][..], &rules].concat(), "");
    let listed = prints(&["checkpoint", &packed, "--verify"], "");
    assert!(listed.contains("{0,1:T(8,128)}") && listed.contains("{0}"), "{listed}");
    assert!(listed.ends_with("All bytes are as they were written\n"), "{listed}");
    let listed = prints(&["checkpoint", plain, "--verify"], "");
    assert!(
        listed.ends_with("The file has no checksums: only its header was checked\n"),
        "{listed}"
    );
    let same = prints(&["checkpoint", &packed, "--diff", plain], "");
    assert!(same.starts_with("Both hold the same"), "{same}");
    prints(&["checkpoint", &packed, "--to", &back, "--rule", "* = row-major"], "");
    prints(&["checkpoint", &back, "--diff", plain], "");

    // The last byte belongs to the last tensor.
    let mut bytes = std::fs::read(&back).expect("it was written");
    *bytes.last_mut().expect("it has bytes") ^= 1;
    std::fs::write(&back, bytes).expect("it can be written");
    let damaged = fails(&["checkpoint", &back, "--verify"], b"");
    assert!(damaged.contains("is damaged") && damaged.contains("help: copy or pack"), "{damaged}");
    let different = run(&["checkpoint", &back, "--diff", plain], b"");
    assert_eq!(different.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&different.stdout).contains("its bits differ, first at ("));
    let rule = fails(&["checkpoint", plain, "--to", &packed, "--rule", "x = y"], b"");
    assert!(rule.contains("`y` is not a rule"), "{rule}");
    let same = fails(&["checkpoint", &packed, "--to", &packed, "--rule", "* = row-major"], b"");
    assert!(same.contains("would replace the file that is read"), "{same}");
    // Each device has half of the rows.
    let rule = r#"fc1.weight = tpu! @ ["model"=2] [{"model"}, {}]"#;
    prints(&["checkpoint", plain, "--to", &packed, "--rule", rule], "");
    let listed = prints(&["checkpoint", &packed, "--verify"], "");
    assert!(listed.contains("  fc1.weight@1: f32[32,128]{1,0:T(8,128)}\n"), "{listed}");
    let split = r#"  fc1.weight: <mesh<["model"=2]>, [{"model"}, {}]>"#;
    assert!(listed.contains(split), "{listed}");
    // Quantized, and back to nearly the same numbers.
    prints(&["checkpoint", plain, "--to", &packed, "--rule", "fc1.weight = q8_0"], "");
    let listed = prints(&["checkpoint", &packed, "--verify"], "");
    assert!(listed.contains("0.0%  fc1.weight: s8[64,128] by f16[1,32] in blocks\n"), "{listed}");
    let same = prints(&["checkpoint", &packed, "--diff", &packed], "");
    assert!(same.starts_with("Both hold the same"), "{same}");
    let different = run(&["checkpoint", &packed, "--diff", plain], b"");
    let different = String::from_utf8_lossy(&different.stdout).into_owned();
    assert!(different.starts_with("fc1.weight: `s8[64,128] by f16"), "{different}");
    prints(&["checkpoint", &packed, "--to", &back, "--rule", "* = row-major"], "");
    let listed = prints(&["checkpoint", &back, "--verify"], "");
    assert!(listed.contains("fc1.weight: f32[64,128]{1,0}\n"), "{listed}");
    let rule = fails(&["checkpoint", plain, "--to", &packed, "--rule", "fc2.bias = q8_0"], b"");
    assert!(rule.contains("fc2.bias"), "{rule}");
    // Sparse, which keeps all bits.
    let rule = "fc1.weight = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 8";
    prints(&["checkpoint", plain, "--to", &packed, "--rule", rule], "");
    let listed = prints(&["checkpoint", &packed, "--verify"], "");
    assert!(
        listed.contains("fc1.weight: tensor<64x128xf32, #sparse_tensor.encoding<{"),
        "{listed}"
    );
    for pair in [[plain, &packed], [&packed, plain], [&packed, &packed]] {
        let same = prints(&["checkpoint", pair[0], "--diff", pair[1]], "");
        assert!(same.starts_with("Both hold the same"), "{same}");
    }
    prints(&["checkpoint", &packed, "--to", &back, "--rule", "* = row-major"], "");
    prints(&["checkpoint", &back, "--diff", plain], "");
    let rule = fails(
        &[
            "checkpoint",
            plain,
            "--to",
            &back,
            "--rule",
            "fc1.weight = (i, j) -> (i : dense, j mod 4 : structured[2, 4])",
        ],
        b"",
    );
    assert!(rule.contains("fc1.weight"), "{rule}");
    for file in [packed, back] {
        std::fs::remove_file(file).expect("it was written");
    }
}

#[test]
fn a_program_is_sharded() {
    let file = |name: &str| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/stablehlo/").to_string() + name
    };
    // The input, with every value annotated.
    let propagated = prints(&["shard", &file("block_fwd.mlir"), "--out", "-"], "");
    assert_eq!(propagated, include_str!("golden/stablehlo/block_fwd.propagated.mlir"));
    // The operand of `tanh` is split differently from what its result is added to.
    let text = r#"func.func @main(%arg0: tensor<8x128xf32>, %arg1: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8x128xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}
"#;
    let temporary =
        |name: &str| std::env::temp_dir().join(format!("layout-{}-{name}", std::process::id()));
    let rules = temporary("rules.txt");
    std::fs::write(&rules, "# The batch.\narg0 = [{\"data\"}, {}]\narg* = [{}, {\"data\"}]\n")
        .expect("it is written");
    let (path, out) = (rules.to_str().expect("UTF-8"), temporary("sharded.mlir"));
    let written = out.to_str().expect("UTF-8");
    let arguments = ["shard", "-", "--mesh", "data=2,model=4", "--rules", path, "--out", written];
    let table = prints(&arguments, text);
    for line in [
        r#"mesh = <["data"=2, "model"=4]>"#,
        r#"          2048            2048  arg0: f32[8,128] -> f32[4,128]  <@mesh, [{"data"}, {}]>"#,
        r#"{"data"} of dim 0 from `arg0` through `tanh`"#,
        "bytes of arguments and",
        "line 3: `add` of `1`: factor",
    ] {
        assert!(table.contains(line), "{line}\n{table}");
    }
    let sharded = std::fs::read_to_string(&out).expect("it is written");
    assert!(
        sharded.starts_with("sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>\nfunc.func @main("),
        "{sharded}"
    );
    // The output can be read again, with another mesh in place of its own.
    let again = prints(&["shard", written, "--mesh", "data=4"], "");
    assert!(again.contains("arg0: f32[8,128] -> f32[2,128]"), "{again}");
    std::fs::write(&rules, "weight = [{}]\n").expect("it is written");
    let error = fails(&arguments, text.as_bytes());
    assert!(
        error.contains("no argument has a name like `weight`") && error.contains("`arg0`, `arg1`"),
        "{error}"
    );
    std::fs::write(&rules, "arg0 = [{\"data\"]\n").expect("it is written");
    let error = fails(&arguments, text.as_bytes());
    assert!(error.contains("line 1") && error.contains('^'), "{error}");
    for file in [rules, out] {
        std::fs::remove_file(&file).expect("it was there");
    }
    let error = fails(&["shard", "-", "--mesh", "data=2,model"], b"");
    assert!(error.contains("data=2,model") && error.contains("positive size"), "{error}");
    let error = fails(&["shard", "-"], text.replace("%0, %arg1", "%0, %x").as_bytes());
    assert!(error.contains("`%x` is not defined before") && error.contains("^"), "{error}");
}

/// The path of a golden file.
fn golden(name: &str) -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/").to_string() + name
}

#[test]
fn the_tables_of_a_program_are_json() {
    let file = golden("stablehlo/calls.mlir");
    let text = prints(&["shard", &file, "--json", "--bandwidth", "100"], "");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let first = &json["values"][0];
    assert_eq!((&first["name"], &first["is_argument"]), (&"arg0".into(), &true.into()));
    assert_eq!(first["local_dims"], serde_json::json!([32, 512]));
    assert_eq!(first["bytes"], 65536);
    let is_through_dot = |value: &serde_json::Value| {
        let origins = value["origins"].as_array().expect("a list");
        origins.iter().any(|origin| origin.as_str().is_some_and(|it| it.contains("dot_general")))
    };
    assert!(json["values"].as_array().expect("a list").iter().any(is_through_dot), "{text}");
    assert_eq!(json["collectives"][0]["collective"], r#"all_gather [{}, {"model"}]"#);
    assert_eq!(json["collectives"][0]["bytes"], 49152);
    // 49152 bytes at 1e11 bytes a second.
    assert_eq!(json["collectives"][0]["seconds"], 4.9152e-7);
    assert_eq!((&json["bytes_received"], &json["seconds"]), (&49152.into(), &4.9152e-7.into()));
    let memory = &json["tpu_memory"];
    let [arguments, results, sum] =
        ["arguments", "results", "sum"].map(|key| memory[key].as_u64().expect("a number"));
    assert!(arguments > 0 && results > 0 && sum == arguments + results, "{memory}");
    assert_eq!(json["conflicts"][0]["line"], 10);
    // Without a bandwidth there are no times.
    let plain = prints(&["shard", &file, "--json"], "");
    assert!(!plain.contains("seconds"), "{plain}");
    let table = prints(&["shard", &file, "--bandwidth", "100"], "");
    assert!(table.contains("         49152           0.492  1 collectives\n"), "{table}");
    assert!(table.contains(&format!("{sum} in total")), "{table}");
    let error = fails(&["shard", &file, "--bandwidth", "0"], b"");
    assert!(error.contains("a positive number of GB/s"), "{error}");
}

#[test]
fn the_local_program_is_written() {
    for (file, expected) in [
        ("program_run/mlp_grad.mlir", include_str!("golden/local/mlp_grad.local.mlir")),
        ("stablehlo/rnn_grad.mlir", include_str!("golden/local/rnn_grad.local.mlir")),
        ("local/reshards.mlir", include_str!("golden/local/reshards.local.mlir")),
        ("local/gathers.mlir", include_str!("golden/local/gathers.local.mlir")),
        ("program_run/manual.mlir", include_str!("golden/local/manual.local.mlir")),
        ("program_run/manual_grad.mlir", include_str!("golden/local/manual_grad.local.mlir")),
        (
            "program_run/scatters_blocks.mlir",
            include_str!("golden/local/scatters_blocks.local.mlir"),
        ),
        ("program_run/uneven.mlir", include_str!("golden/local/uneven.local.mlir")),
        ("program_run/pooling.mlir", include_str!("golden/local/pooling.local.mlir")),
        ("local/meshes.mlir", include_str!("golden/local/meshes.local.mlir")),
        ("local/partial.mlir", include_str!("golden/local/partial.local.mlir")),
    ] {
        assert_eq!(prints(&["shard", &golden(file), "--local", "-"], ""), expected, "{file}");
    }
    // In addition to the tables.
    let file = std::env::temp_dir().join(format!("layout-{}-local.mlir", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let table = prints(&["shard", &golden("local/reshards.mlir"), "--local", path], "");
    assert!(table.contains("bytes received"), "{table}");
    let written = std::fs::read_to_string(&file).expect("it is written");
    assert_eq!(written, include_str!("golden/local/reshards.local.mlir"));
    std::fs::remove_file(&file).expect("it was there");
}

/// Why a function on a mesh of two devices has no local form. Its first argument is split by rows.
fn no_local_form(arguments: &str, operations: &str) -> String {
    let text = format!(
        "sdy.mesh @mesh = <[\"x\"=2]>
func.func @main(%a: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{\"x\"}}, {{}}]>}}{arguments}) -> tensor<8x4xf32> {{
{operations}
  return %b : tensor<8x4xf32>
}}
"
    );
    fails(&["shard", "-", "--local", "-"], text.as_bytes())
}

/// Whole JAX programs have local forms, whose collectives are those of the tables.
#[test]
fn programs_have_local_forms() {
    for name in ["block_grad", "convnet_fwd", "dropout", "fft", "moe_grad", "shard_map_fwd"] {
        let file = golden(&format!("stablehlo/{name}.mlir"));
        let local = prints(&["shard", &file, "--local", "-"], "");
        let table = prints(&["shard", &file], "");
        let exchanged = ["all_gather", "all_to_all", "collective_permute", "all_reduce"]
            .map(|name| (name, local.matches(&format!("\"stablehlo.{name}\"")).count()));
        let planned = exchanged.map(|(name, _)| {
            // A gather along several dimensions becomes one gather for each.
            let row = |line: &str| match name {
                "all_gather" => line.matches("{\"").count(),
                _ => 1,
            };
            let rows = table.lines().filter(|line| line.contains(&format!("  {name} ")));
            (name, rows.map(row).sum::<usize>())
        });
        assert_eq!(exchanged, planned, "{name}:\n{table}");
    }
}

/// An operation that a program for each device cannot express is an error at that operation, with the reason.
#[test]
fn what_each_device_would_do_has_no_local_form() {
    for (arguments, operations, reason) in [
        (
            "",
            "  %b = \"stablehlo.custom_call\"(%a) <{call_target_name = \"print\", has_side_effect = true}> : (tensor<8x4xf32>) -> tensor<8x4xf32>",
            "`stablehlo.custom_call` has no local form: it has an effect, which each device would repeat",
        ),
        (
            "",
            "  stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<8x4xf32>) -> ()\n  %b = stablehlo.tanh %a : tensor<8x4xf32>",
            "`custom_call` has no local form: it has no result, only an effect, which each device would repeat",
        ),
        (
            ", %l: tensor<f32>, %h: tensor<f32>, %n: tensor<2xi64>",
            "  %b = stablehlo.rng %l, %h, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x4xf32>",
            "`stablehlo.rng` has no local form: each device would draw different numbers; write `rng_bit_generator`, whose state they share",
        ),
        (
            "",
            "  %b = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>",
            "`stablehlo.all_gather` has no local form: outside of a manual computation, it names devices",
        ),
        (
            "",
            "  %b = stablehlo.composite \"my.tanh\" %a {decomposition = @tanh} : (tensor<8x4xf32>) -> tensor<8x4xf32>",
            "`stablehlo.composite` has no local form: it calls a function, but the local program has only one function",
        ),
        (
            "",
            "  %b = sdy.sharding_constraint %a <mesh<[\"y\"=3]>, [{}, {}]> : tensor<8x4xf32>",
            "is on a mesh of 2 devices, but all 3 devices run the same local program",
        ),
        (
            "",
            "  %b = sdy.sharding_constraint %a <mesh<[], device_ids=[1]>, []> : tensor<8x4xf32>",
            "is only on device 1, but all devices run the same local program",
        ),
        (
            "",
            "  %b = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={\"x\"}>]>} : tensor<8x4xf32>",
            "`stablehlo.tanh` has no local form: `b` is unreduced along {\"x\"}, but `tanh` does not produce partial sums along it",
        ),
    ] {
        let error = no_local_form(arguments, operations);
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn shardings_are_proposed_and_explained() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/mlp.mlir");
    let text = prints(&["shard", file, "--search"], "");
    let expected = "\
# the best of all 729 shardings: a device receives 98304 bytes and holds 2031616
arg0 = [{}, {}]
arg1 = [{}, {\"model\"}]  # if it were whole, it receives 98304 bytes and holds 5177344
arg2 = [{\"model\"}, {\"data\"}]  # if it were whole, it receives 196608 bytes and holds 5767168
# the second best receives 98304 bytes and holds 2359296: arg0 = [{\"data\"}, {}], arg2 = [{\"model\"}, {}]

mesh = ";
    assert!(text.starts_with(expected), "{text}");
    // The proposal is a file of rules; with these rules, the tables are the same.
    let (rules, tables) = text.split_once("\n\n").expect("rules and tables");
    let path = std::env::temp_dir().join(format!("layout-{}-rules.txt", std::process::id()));
    std::fs::write(&path, rules).expect("it is written");
    let path = path.to_str().expect("UTF-8");
    assert_eq!(prints(&["shard", file, "--rules", path], ""), tables);
    // Dimensions that rules fix stay as they are.
    std::fs::write(path, "arg1 = [{\"data\"}, {}]  # by rows\n").expect("it is written");
    let options = ["--search", "--json", "--weight", "1000"];
    let text = prints(&[&["shard", file, "--rules", path], &options[..]].concat(), "");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let search = &json["search"];
    assert_eq!(search["best"][0]["arguments"]["arg1"], r#"<@mesh, [{"data"}, {}]>"#);
    assert_eq!((&search["tried"], &search["is_exhaustive"]), (&81.into(), &true.into()));
    assert_eq!(search["best"][0]["cost"]["bytes_received"], json["bytes_received"]);
    std::fs::remove_file(path).expect("it was there");
    let none = prints(&["shard", file, "--search", "--memory", "1000"], "");
    let expected = "# none of 729 shardings fits in the memory of a device\n";
    assert!(none.starts_with(expected), "{none}");
}
