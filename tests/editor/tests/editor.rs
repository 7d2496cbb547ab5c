//! The completions that rust-analyzer offers inside the macros, and what it shows of the layouts that they define.

use editor_tests::server::Server;
use std::fs;
use std::path::{Path, PathBuf};

/// The text before each case. Completion starts at the second character of a name: those before it would be found anywhere.
const DEFINITIONS: &str = r#"
use tensor_layout::{checkpoint, einsum, layouts, mesh, propagate, quantized, sharded, sharding_rule, sparse_encoding, sparse_kernel, sparse_tensor, tiled, tpu};
pub const ROWS: usize = 8;
mesh! { pub Pod = ["data" = 2, "model" = 4] }
sparse_encoding! { pub type Csr = (i, j) -> (i : dense, j : compressed); }
type A = tensor_layout::Packed<tiled!(f32[8,8])>;
"#;

/// The input with the cursor at `$0`, the completions that must be offered there, and those that must not.
const CASES: [(&str, &[&str], &[&str]); 36] = [
    ("fn f() { <tiled!(b$0)>::LEN; }", &["bf16", "f32", "s4"], &["T", "Csr", "ROWS"]),
    ("struct A(tiled!($0));", &["bf16", "f32", "pred"], &["T", "Csr"]),
    ("struct A(tpu!(b$0[3,5]));", &["bf16"], &["T"]),
    ("struct A(tiled!(f$0[3,5]{1,0}));", &["f32"], &["T"]),
    ("struct A(tiled!(f32[R$0]));", &["ROWS"], &[]),
    ("struct A(tiled!(f32[3,5]{1,0:T(2,2)$0}));", &["L", "E", "S", "SC", "M"], &["f32"]),
    ("layouts! { pub type A = tiled!(b$0); }", &["bf16"], &["T"]),
    ("layouts! { type A = tiled!(f32[3]); type B = tiled!(f32[3]{0:T(2)$0}); }", &["S"], &["f32"]),
    ("layouts! { pub type A = tiled!(f32[R$0]); }", &["ROWS"], &[]),
    ("layouts! { pub type A = sharded!(f32[8] @ P$0 [{}]); }", &["Pod"], &[]),
    ("layouts! { pub type A = sparse_tensor!(f64[4,6] C$0); }", &["Csr"], &[]),
    ("struct A(sharded!(f32[8] @ P$0 [{}]));", &["Pod"], &[]),
    ("struct A(sparse_tensor!(f64[4,6] C$0));", &["Csr"], &[]),
    ("sparse_encoding! { type A = (i, j) -> (i : dense, j : c$0); }", &["compressed"], &["soa"]),
    ("sparse_encoding! { type A = (i) -> (i : compressed($0)); }", &["nonunique", "soa"], &["T"]),
    (r#"struct A(sharded!(f32[8] @ Pod [{"d$0"}]));"#, &["data", "model"], &["Csr"]),
    (r#"struct A(sharded!(f32[8,8] @ Pod [{"data"}, {"$0"}]));"#, &["data", "model"], &["Csr"]),
    (r#"layouts! { type A = sharded!(f32[8] @ Pod [{"d$0"}]); }"#, &["data", "model"], &["Csr"]),
    (
        r#"propagate! { mesh Pod; fn f(x: f32[8] [{"m$0"}]) { return x; } }"#,
        &["data", "model"],
        &["Csr"],
    ),
    ("struct A(tiled!(f32[3,5]{1,0: $0}));", &["T", "S"], &["f32"]),
    ("struct A(tiled!(f32[3,5]{1,0:S$0}));", &["S", "SC"], &["f32"]),
    ("struct A(quantized!(q$0[64,64]));", &["q8_0", "mxfp4", "s8"], &["Csr"]),
    ("struct A(quantized!(s8[64,64] by f$0[1,32]));", &["f16", "f32"], &["q8_0"]),
    ("struct A(quantized!(s8[64,64] by f16[1,32] in b$0));", &["blocks", "planes"], &["f16"]),
    ("propagate! { mesh P$0; fn f(x: f32[8]) { return x; } }", &["Pod"], &[]),
    (
        "propagate! { mesh Pod; fn f(x: f32[8]) { let y = t$0; return y; } }",
        &["tanh", "transpose", "dot"],
        &["f32", "Csr"],
    ),
    (
        "sparse_encoding! { type A = (i) -> (i : compressed(n$0)); }",
        &["nonunique", "nonordered"],
        &["T"],
    ),
    (
        "sparse_encoding! { type A = (i) -> (i : compressed), p$0 = 32; }",
        &["posWidth", "crdWidth"],
        &["Csr"],
    ),
    (r#"mesh! { Ring = ["x" = 8], d$0 }"#, &["device_ids"], &["Csr"]),
    (
        "fn f() { let _ = sharding_rule!((i,k),(k,j)->(i,j) r$0); }",
        &["reduction", "need_replication"],
        &["Csr"],
    ),
    (
        "sharding_rule! { pub Rule = (i,k),(k,j)->(i,j) r$0 }",
        &["reduction", "blocked_propagation"],
        &["Csr"],
    ),
    (r#"fn f(left: &A, right: &A) { let _ = einsum!("ij,jk->ik", l$0, right); }"#, &["left"], &[]),
    ("checkpoint! { struct Model { weights: tiled!(b$0) } }", &["bf16"], &["T"]),
    ("sparse_kernel! { fn f(a: C$0<f64>[i, j]) -> s: f64 { s += a[i, j] } }", &["Csr"], &["exp"]),
    ("sparse_kernel! { fn f(a: Csr<f$0>[i, j]) -> s: f64 { s += a[i, j] } }", &["f64"], &["exp"]),
    (
        "sparse_kernel! { fn f(a: Csr<f64>[i, j]) -> s: f64 { s += e$0(a[i, j]) } }",
        &["exp", "max"],
        &["Csr"],
    ),
];

/// Aliases with the cursor at `$0`, and what must be shown for them.
const SHOWN: [(&str, &[&str]); 7] = [
    (
        "layouts! { pub type Fig$01 = tiled!(f32[3,5]{1,0:T(2,2)}); }",
        &["f32[3,5]{1,0:T(2,2)}", "bytes: 96", "0 ┃  0   1 ┃  4   5 ┃  8   · ┃"],
    ),
    (
        "type Fig$01 = tiled!(f32[3,5]{1,0:T(2,2)});",
        &[
            "\nf32[3,5]{1,0:T(2,2)}\nbytes: 96 · padding: 37.5 %\n",
            "\n0 ┃  0   1 ┃  4   5 ┃  8   · ┃\n",
        ],
    ),
    (
        "type Ac$0ts = tpu!(bf16[16,128]);",
        &["\nbf16[16,128]{1,0:T(8,128)(2,1)}\nbytes: 4,096 (4 KiB)"],
    ),
    (
        r#"type Sp$0lit = sharded!(bf16[8,8] @ Pod [{"data"}, {}]);"#,
        &[r#"bf16[8,8]{1,0} <@Pod, [{"data"}, {}]>"#, "bytes per device: 64"],
    ),
    (
        "type Co$0lumns = sparse_encoding!((i, j) -> (j : dense, i : compressed));",
        &["map = (d0, d1) -> (d1 : dense, d0 : compressed)", "coordinates[1] ┃"],
    ),
    (
        r#"layouts! { pub type Sp$0lit = sharded!(bf16[8,8] @ Pod [{"data"}, {}]); }"#,
        &["bf16[8,8]{1,0}", "bytes per device: 64", "local shape: `(4,8)`"],
    ),
    (
        "type Blo$0cks = quantized!(q8_0[64,64]);",
        &["s8[64,64] by f16[1,32] in blocks · 4352 bytes"],
    ),
];

/// A package for the server.
fn package(root: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edited");
    let manifest = format!(
        "[package]\nname = \"edited\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tensor-layout = {{ path = {:?}, features = [\"checkpoint\"] }}\n",
        root.display().to_string()
    );
    fs::create_dir_all(package.join("src")).expect("a directory for the package");
    fs::write(package.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(package.join("src/lib.rs"), "").expect("a file to edit");
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("the lock file");
    package
}

fn labels(server: &mut Server, text: &str) -> Vec<String> {
    let text = format!("{DEFINITIONS}{text}");
    let offered = server.ask("textDocument/completion", &text).expect("an answer");
    let items = offered["items"].as_array().or(offered.as_array()).cloned().unwrap_or_default();
    items.iter().filter_map(|item| Some(item["label"].as_str()?.to_owned())).collect()
}

#[test]
fn names_are_offered_and_layouts_are_shown() {
    if !Server::is_installed() {
        return eprintln!("skipped: no rust-analyzer; `rustup component add rust-analyzer`");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let mut server =
        Server::start(&package(root), &root.join("target/editor")).expect("the server starts");

    let mut wrong = Vec::new();
    for (text, wanted, unwanted) in CASES {
        let offered = labels(&mut server, text);
        let has = |name: &&&str| offered.iter().any(|offered| offered == **name);
        let missing: Vec<_> = wanted.iter().filter(|name| !has(name)).collect();
        let surplus: Vec<_> = unwanted.iter().filter(has).collect();
        if !missing.is_empty() || !surplus.is_empty() {
            wrong.push(format!("{text}\n  lacks {missing:?}, has {surplus:?} of {offered:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let everywhere = labels(&mut server, "struct A($0);");
    assert!(everywhere.iter().any(|name| name == "Csr"), "{everywhere:?}");
    let hidden: Vec<_> = everywhere.iter().filter(|name| name.starts_with("__")).collect();
    assert!(hidden.is_empty(), "offered, though nobody writes them: {hidden:?}");

    for (text, parts) in SHOWN {
        let text = format!("{DEFINITIONS}{text}");
        let shown = server.ask("textDocument/hover", &text).expect("an answer");
        let shown = shown["contents"]["value"].as_str().unwrap_or_default();
        for part in parts {
            assert!(shown.contains(part), "`{part}` is not in:\n{shown}");
        }
        assert!(!shown.contains("<svg") && !shown.contains("offers"), "{shown}");
    }
}
