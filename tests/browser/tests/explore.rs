//! The page on which a reader explores a layout: its index functions are the library's, and it responds to pointers and keys.

use browser_tests::Browser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Draw, Sharded, html};
use tensor_layout::sharding::Shards;
use tensor_layout::sparse::SparseEncoding;

fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}

/// Shows the page of a layout.
fn show(browser: &Browser, name: &str, subject: &impl Draw) {
    let file = directory("pages").join(format!("{name}.html"));
    let page = html(subject);
    let text = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    let loads = ["http", "src=", "url(", "@import", "import(", "fetch("];
    assert!(!loads.iter().any(|loads| text.contains(loads)), "the page loads something");
    std::fs::write(&file, page).expect("the page is written");
    browser.open(&format!("file://{}", file.display()));
}

/// The value of an expression in which `page` is the handle of the explorer.
fn ask(browser: &Browser, expression: &str, arguments: Vec<Value>) -> Value {
    let script = format!(
        "const root = document.querySelector('.layout-explorer'), page = root.explorer; return {expression}"
    );
    browser.run(&script, arguments)
}

/// The text about the chosen element.
fn said(browser: &Browser) -> Vec<(String, String)> {
    let script = "return [...document.querySelectorAll('.layout-explorer dt')]
        .map(name => [name.textContent, name.nextSibling.textContent])";
    serde_json::from_value(browser.run(script, vec![])).expect("names and texts")
}

fn fact(browser: &Browser, name: &str) -> String {
    let facts = said(browser);
    let found = facts.iter().find(|(fact, _)| fact == name);
    found.unwrap_or_else(|| panic!("no {name} in {facts:?}")).1.clone()
}

/// Indices spread over an array, including the first and the last.
fn some(spec: &TiledSpec) -> Vec<Vec<usize>> {
    let (count, last) = (spec.elements(), spec.elements() - 1);
    let numbers = (0..count).step_by((count / 60).max(1)).chain([last]);
    numbers.map(|number| spec.map().index_of(number).expect("an element").to_vec()).collect()
}

const LAYOUTS: [&str; 13] = [
    "f32[3,5]{1,0:T(2,2)}",
    "f32[4,8]{1,0:T(2,4)(2,1)}",
    "bf16[1000,384]{1,0:T(8,128)(2,1)}",
    "bf16[2048]{0:T(1024)(128)(2,1)}",
    "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
    "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)(2,1)}",
    "s4[33,65]{0,1:T(8,128)(8,1)E(4)}",
    "c128[3,4,5,6]{0,2,1,3:T(2,3)}",
    "f32[2,3]{0,1} padded to [3,5] with zero",
    "bf16[10,10]{1,0:T(1,128)(2,1)L(1000)}",
    "f32[]",
    "u8[900000,100000]{0,1:T(32,128)(4,1)}",
    "pred[5]{0:T(512)(128)(4,1)}",
];

#[test]
fn the_page_computes_what_the_library_does() {
    let Some(browser) = Browser::start(&directory("indices")) else { return };
    for (number, text) in LAYOUTS.into_iter().enumerate() {
        let spec: TiledSpec = text.parse().expect("a layout");
        show(&browser, &format!("layout{number}"), &spec);
        let indices = some(&spec);
        let offsets: Vec<_> = indices.iter().map(|index| spec.offset(index)).collect();
        let found = ask(&browser, "arguments[0].map(page.offset)", vec![json!(indices)]);
        assert_eq!(found, json!(offsets), "{text}");
        // Offsets spread over the storage, including padding.
        let offsets: Vec<_> = (0..spec.len()).step_by((spec.len() / 200).max(1)).collect();
        let elements: Vec<_> =
            offsets.iter().map(|offset| spec.index(*offset).map(|index| index.to_vec())).collect();
        let found = ask(&browser, "arguments[0].map(page.index)", vec![json!(offsets)]);
        assert_eq!(found, json!(elements), "{text}");
    }
}

/// In every step from the array to memory, each element has a cell, and the cell holds the element.
#[test]
fn steps_lose_no_element() {
    let Some(browser) = Browser::start(&directory("steps")) else { return };
    for (number, text) in LAYOUTS.into_iter().enumerate() {
        let spec: TiledSpec = text.parse().expect("a layout");
        show(&browser, &format!("steps{number}"), &spec);
        let lines = spec.tiling_steps();
        let titles = ask(&browser, "page.steps", vec![]);
        let titles: Vec<String> = serde_json::from_value(titles).expect("texts");
        assert_eq!(titles[..titles.len() - 1], lines.lines()[..titles.len() - 1], "{text}");
        let last = titles.len() - 1;
        let indices = some(&spec);
        for (step, title) in titles.iter().enumerate() {
            let cells = "arguments[1].map(index => page.number(arguments[0], index))";
            let cells = ask(&browser, cells, vec![json!(step), json!(indices)]);
            let back = "arguments[1].map(cell => page.cell(arguments[0], cell).index)";
            let back = ask(&browser, back, vec![json!(step), cells.clone()]);
            assert_eq!(back, json!(indices), "{text}: {title}");
            if step == last {
                let offsets: Vec<_> = indices.iter().map(|index| spec.offset(index)).collect();
                assert_eq!(cells, json!(offsets), "{text}: memory");
            }
            // The program's lines about the same element.
            let (index, lines) = (&indices[indices.len() / 2], &indices);
            let at = spec.tiling_steps_at(index).expect("within bounds");
            if let Some((_, position)) = at.lines()[step].split_once(": element (") {
                let sizes = title.rsplit_once('(').expect("sizes").1.trim_end_matches(')');
                let read = |text: &str| -> Vec<usize> {
                    let numbers = text.split(',').filter(|number| !number.is_empty());
                    numbers.map(|number| number.parse().expect("a number")).collect()
                };
                let (position, sizes) = (read(position.trim_end_matches(')')), read(sizes));
                let number = position.iter().zip(&sizes).fold(0, |sum, (at, size)| sum * size + at);
                assert_eq!(cells[lines.len() / 2], json!(number), "{text}: {title}");
            }
        }
    }
}

#[test]
fn pointers_choose_elements_and_keys_move_on() {
    let Some(browser) = Browser::start(&directory("keys")) else { return };
    let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().expect("a layout");
    show(&browser, "keys", &spec);
    let point = "const root = document.querySelector('.layout-explorer'), canvas = root.querySelector('canvas');
        const box = canvas.getBoundingClientRect(), [x, y] = root.explorer.center(arguments[1]);
        canvas.dispatchEvent(new PointerEvent(arguments[0], { clientX: box.left + x, clientY: box.top + y, bubbles: true }))";
    // The cell of element (2,3) is number 13.
    browser.run(point, vec![json!("pointermove"), json!(13)]);
    assert_eq!(fact(&browser, "index"), "(2,3), that is i=2, j=3");
    assert_eq!(fact(&browser, "offset"), "17 = 1*12 + 1*4 + 1");
    assert_eq!(fact(&browser, "tile"), "4, its element 1 of 4");
    assert_eq!(fact(&browser, "bytes"), "68 to 71");
    let press = "const canvas = document.querySelector('.layout-explorer canvas'); canvas.focus();
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }));
        return document.activeElement === canvas";
    let press = |key: &str| assert_eq!(browser.run(press, vec![json!(key)]), true, "{key}");
    press("Home");
    press("ArrowDown");
    press("ArrowRight");
    assert_eq!(fact(&browser, "index"), "(1,1), that is i=1, j=1");
    // The element stays chosen in the next step, although its cell is another one; there some cells are padding.
    press("]");
    assert_eq!(fact(&browser, "index"), "(1,1), that is i=1, j=1");
    press("End");
    assert_eq!(fact(&browser, "element"), "padding");
    let pressed = "root.querySelector('button[aria-pressed=true]').textContent + root.querySelectorAll('button').length";
    assert_eq!(ask(&browser, pressed, vec![]), "2. pad to (4,6)8");
}

/// Of ninety billion elements only the cells in view are computed, whether all or a few are shown.
#[test]
fn large_arrays_cost_what_is_in_view() {
    let Some(browser) = Browser::start(&directory("large")) else { return };
    let spec: TiledSpec = "u8[900000,100000]{1,0:T(32,128)(4,1)}".parse().expect("a layout");
    show(&browser, "large", &spec);
    let drawn = || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let drawn = ask(&browser, "Number(root.dataset.drawn)", vec![]);
        drawn.as_u64().expect("a number")
    };
    assert!((1_000..60_000).contains(&drawn()));
    ask(&browser, "page.zoom(1e9)", vec![]);
    ask(&browser, "page.find('700001, 99999')", vec![]);
    assert!((20..1_000).contains(&drawn()));
    let offset = spec.offset(&[700_001, 99_999]);
    assert!(fact(&browser, "offset").replace(',', "").starts_with(&offset.to_string()));
    // The canvas is no wider than the page, even on a telephone.
    browser.set_width(500);
    let page = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(ask(&browser, page, vec![]), 0);
}

#[test]
fn elements_say_which_devices_hold_them() {
    let Some(browser) = Browser::start(&directory("devices")) else { return };
    let arrays = [
        (r#"bf16[32,40] @ M [{"a"}, {"b"}]"#, r#"<["a"=2, "b"=4]>"#),
        (r#"bf16[32,40]{1,0:T(8,128)(2,1)} @ M [{"b":(2)2, "a"}, {}]"#, r#"<["a"=2, "b"=4]>"#),
        (r#"f32[7] @ M [{"b":(1)2}], replicated={"a"}, padded"#, r#"<["a"=2, "b"=4]>"#),
        (
            r#"f32[8,6] @ M [{"c"}, {"a"}]"#,
            r#"<["a"=2, "b"=3, "c"=2], device_ids=[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>"#,
        ),
    ];
    for (number, (text, mesh)) in arrays.into_iter().enumerate() {
        let mesh = mesh.parse().expect("a mesh");
        let array = Sharded::read(text, &mesh).expect("an array");
        show(&browser, &format!("devices{number}"), &array);
        let dims = array.global().dims();
        let padding = if text.ends_with("padded") {
            tensor_layout::sharding::Padding::Allowed
        } else {
            tensor_layout::sharding::Padding::Forbidden
        };
        let shards = Shards::new(array.sharding(), &mesh, dims, padding).expect("its shards");
        for index in some(array.global()) {
            let (first, local) = shards.locate(&index);
            let found = ask(&browser, "page.shard(arguments[0])", vec![json!(index)]);
            assert_eq!(found["index"], json!(local), "{text}: {index:?}");
            let holds = |device: &usize| {
                let slice = shards.slice(*device).expect("a device");
                slice.iter().zip(&index).all(|(range, at)| range.contains(at))
            };
            let mut devices: Vec<_> = (0..mesh.devices()).filter(holds).collect();
            // In the order of the mesh.
            devices.sort_by_key(|device| mesh.position(*device));
            assert_eq!(devices[0], first);
            assert_eq!(found["devices"], json!(devices), "{text}: {index:?}");
            let offset = ask(&browser, "page.local(arguments[0])", vec![json!(local)]);
            assert_eq!(offset, json!(array.local().offset(&local)), "{text}: {index:?}");
        }
    }
}

/// The value 6 of the matrix is in row 2 and column 2.
#[test]
fn what_leads_to_a_value_lights_up_with_it() {
    let Some(browser) = Browser::start(&directory("links")) else { return };
    let rows = [
        (
            "(i, j) -> (i : dense, j : compressed)",
            vec![
                "(2,2) -> values[5]",
                "positions[1][2] = 5",
                "positions[1][3] = 7",
                "coordinates[1][5] = 2",
                "values[5] = 6",
            ],
        ),
        (
            "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
            vec![
                "(2,2) -> values[5]",
                "positions[0][0] = 0",
                "positions[0][1] = 8",
                "coordinates[0][5] = 2",
                "coordinates[1][5] = 2",
                "values[5] = 6",
            ],
        ),
        (
            "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
            vec![
                "(2,2) -> values[8]",
                "positions[1][1] = 2",
                "positions[1][2] = 3",
                "coordinates[1][2] = 1",
                "values[8] = 6",
            ],
        ),
        (
            "(i, j) -> (i : dense, j : loose_compressed)",
            vec![
                "(2,2) -> values[5]",
                "positions[1][4] = 5",
                "positions[1][5] = 7",
                "coordinates[1][5] = 2",
                "values[5] = 6",
            ],
        ),
    ];
    for (number, (text, expected)) in rows.into_iter().enumerate() {
        let encoding: SparseEncoding = text.parse().expect("an encoding");
        show(&browser, &format!("links{number}"), &encoding);
        let point = "const cell = [...document.querySelectorAll('[data-link]')].find(cell => cell.textContent === arguments[0]);
            cell.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
            return [...document.querySelectorAll('.layout-lit')].map(cell => cell.textContent)";
        let lit = browser.run(point, vec![json!(expected[0])]);
        let mut lit: Vec<String> = serde_json::from_value(lit).expect("texts");
        let mut expected: Vec<_> = expected.into_iter().map(String::from).collect();
        lit.sort();
        expected.sort();
        assert_eq!(lit, expected, "{text}");
        assert_eq!(said(&browser).len(), expected.len(), "{text}");
    }
}
