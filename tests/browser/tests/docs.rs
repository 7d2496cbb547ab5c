//! The documentation of `examples/kernels` and the front page of the library in a browser.

use browser_tests::Browser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Each cell as it is shown: its colours in the theme, and whether its text is readable on them.
const CONTRAST: &str = include_str!("contrast.js");

/// Where cargo puts the documentation, once it is built.
fn documentation() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in another");
        let built = Command::new(env!("CARGO"))
            .args(["doc", "--no-deps", "--package=kernels", "--package=tensor-layout"])
            .arg("--target-dir")
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the documentation is not built");
        target.join("doc")
    })
}

fn url(page: &str) -> String {
    format!("file://{}/{page}", documentation().display())
}

/// A browser with an empty profile of this name.
fn browser(name: &str) -> Option<Browser> {
    Browser::start(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
}

/// The layouts of the listing: the page of each, and its text in the compiler's notation.
fn layouts() -> Vec<(String, String)> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/kernels/LAYOUTS.json");
    let text = std::fs::read_to_string(file).expect("the listing is kept");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let layout = |row: &Value| {
        let path = row["path"].as_str().expect("a path").replace("::", "/");
        let (module, name) = path.rsplit_once('/').expect("it is in a module");
        let notation = row["notation"].as_str().expect("a notation");
        (format!("kernels/{module}/type.{name}.html"), notation.to_owned())
    };
    let layouts: Vec<_> = rows.iter().map(layout).collect();
    assert!(layouts.len() > 10, "{layouts:?}");
    layouts
}

#[test]
fn pictures_can_be_read_in_every_theme() {
    let Some(browser) = browser("themes") else { return };
    let pages = layouts().into_iter().map(|(page, _)| (page, 1));
    let others = [("tensor_layout/index.html", 1), ("tensor_layout/guide/pictures/index.html", 5)];
    let pages: Vec<_> =
        pages.chain(others.map(|(page, pictures)| (page.to_owned(), pictures))).collect();
    for theme in ["light", "dark", "ayu"] {
        browser.open(&url("kernels/index.html"));
        browser.set_theme(theme);
        for (page, pictures) in &pages {
            browser.open(&url(page));
            let found = browser.run(CONTRAST, vec![]);
            assert_eq!(found, json!([pictures, []]), "{page} in {theme}");
        }
    }
}

#[test]
fn cells_say_their_index() {
    let Some(browser) = browser("cells") else { return };
    browser.open(&url("kernels/figures/type.Figure1.html"));
    // The tooltip of the number 17.
    let script = "const text = [...document.querySelectorAll('svg text')].find(text => text.textContent === '17');
        text.scrollIntoView();
        const box = text.getBoundingClientRect();
        return document.elementFromPoint(box.left + 2, box.top + 2).querySelector('title').textContent;";
    assert_eq!(browser.run(script, vec![]), "(2,3) -> 17");
}

#[test]
fn nothing_is_wider_than_a_telephone() {
    let Some(browser) = browser("narrow") else { return };
    browser.set_width(375);
    let pages = layouts().into_iter().map(|(page, _)| page);
    let others = ["kernels/index.html", "kernels/all.html", "tensor_layout/index.html"];
    for page in pages.chain(others.map(String::from)) {
        browser.open(&url(&page));
        let script =
            "const page = document.documentElement; return page.scrollWidth - page.clientWidth";
        assert_eq!(browser.run(script, vec![]), 0, "{page}");
    }
}

#[test]
fn a_search_for_the_notation_finds_the_alias() {
    let Some(browser) = browser("search") else { return };
    browser.open(&url("kernels/index.html"));
    for (page, notation) in layouts() {
        let script = "location.search = '?search=' + encodeURIComponent(arguments[0])";
        browser.run(script, vec![json!(notation)]);
        let results = browser.results();
        assert!(results.iter().any(|link| link.ends_with(&page)), "{notation}: {results:?}");
    }
}

#[test]
fn the_beginning_of_the_notation_finds_the_alias() {
    let Some(browser) = browser("prefix") else { return };
    browser.open(&url("kernels/index.html"));
    let script = "location.search = '?search=' + encodeURIComponent(arguments[0])";
    for text in ["bf16[512,2048]", "bf16[512,2048]{1,0:T(8,128)"] {
        browser.run(script, vec![json!(text)]);
        let results = browser.results();
        let found = results.iter().any(|link| link.ends_with("model/type.W1.html"));
        assert!(found, "{text}: {results:?}");
    }
}

/// The page that rustdoc makes of an alias in `layouts!`: it can be explored in every theme, and describes the array, not the
/// machinery of the library.
#[test]
fn readers_explore_the_layouts_of_a_crate() {
    let Some(browser) = browser("explore") else { return };
    for theme in ["light", "dark", "ayu"] {
        browser.open(&url("kernels/index.html"));
        browser.set_theme(theme);
        browser.open(&url("kernels/model/type.W1.html"));
        // An odd row of a tile lies one element after the even row before it.
        let script = "const root = document.querySelector('.layout-explorer');
            root.explorer.find('3,130');
            const [name, text] = ['dt', 'dd'].map(kind => [...root.querySelectorAll(kind)].map(part => part.textContent));
            return [root.explorer.offset([3, 130]), text[name.indexOf('offset')], getComputedStyle(root).color,
                getComputedStyle(document.body).color]";
        let found = browser.run(script, vec![]);
        assert_eq!(found[0], 1024 + 256 + 2 * 2 + 1);
        assert_eq!(found[1], "1,285 = 1*1024 + 1*256 + 2*2 + 1");
        assert_eq!(found[2], found[3], "{theme}");
    }
    let text = |page: &str| {
        browser.open(&url(page));
        let text = browser.run("return document.querySelector('main').textContent", vec![]);
        text.as_str().expect("a text").to_owned()
    };
    assert!(text("kernels/model/type.W1.html").contains("bytes: 2,097,152 (2 MiB)"));
    for page in ["kernels/model/type.W1.html", "kernels/sparse/type.Csr.html"] {
        let text = text(page);
        for internal in ["DRAFT", "VALIDATED", "UNCHECKED", "MAP"] {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            assert!(words.all(|word| word != internal), "{internal} in {page}");
        }
    }
    // A type longer than a line is folded.
    browser.open(&url("kernels/model/type.Embeddings.html"));
    let folded = "const folded = document.querySelector('.layout-declared');
        return [folded.open, folded.querySelector('summary').textContent, folded.textContent.includes('ShardedArray<')]";
    assert_eq!(browser.run(folded, vec![]), json!([false, "pub type Embeddings = …", true]));
}

#[test]
fn the_pages_of_the_library_have_pictures() {
    let Some(browser) = browser("library") else { return };
    let pages = [
        ("macro.tiled", 1),
        ("macro.sparse_encoding", 1),
        ("macro.sharded", 1),
        ("trait.Layout", 1),
        ("struct.Packed", 2),
        ("fn.matmul", 3),
    ];
    for (page, pictures) in pages {
        browser.open(&url(&format!("tensor_layout/{page}.html")));
        let found = browser.run(CONTRAST, vec![]);
        assert_eq!(found, json!([pictures, []]), "{page}");
        let explorers = "return document.querySelectorAll('.layout-explorer').length";
        assert_eq!(browser.run(explorers, vec![]), i32::from(pictures == 1), "{page}");
    }
}

#[test]
fn links_of_the_listing_lead_to_pictures() {
    let Some(browser) = browser("links") else { return };
    browser.open(&url("kernels/index.html"));
    let script = "return [...document.querySelectorAll('td a')].map(link => link.href)";
    let links = browser.run(script, vec![]);
    let pages: Vec<_> = layouts().into_iter().map(|(page, _)| url(&page)).collect();
    assert_eq!(links, json!(pages));
    for page in &pages {
        browser.open(page);
        let script = "return document.querySelectorAll('svg[role=img]').length";
        assert_eq!(browser.run(script, vec![]), 1, "{page}");
    }
}
