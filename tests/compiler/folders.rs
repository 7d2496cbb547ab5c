//! The folders of the packages import each other in the order that CONTRIBUTING.md states: no folder imports one to its right,
//! or one in its own group.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of a package from left to right, in groups of equal rank.
fn order(package: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string("CONTRIBUTING.md").expect("CONTRIBUTING.md");
    let line = text.lines().find_map(|line| line.strip_prefix(package)?.strip_prefix("  "));
    let line = line.unwrap_or_else(|| panic!("CONTRIBUTING.md does not list {package}"));
    let names = |group: &str| group.split(',').map(|name| name.trim().to_string()).collect();
    line.split("->").map(names).collect()
}

/// The sources below a folder, without tests, which may import anything.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        } else if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules of the crate that a source names: `tiled` of `crate::tiled::Shape`, `dtype` and `text` of
/// `crate::{dtype::DType, text}`.
fn imports(source: &str) -> impl Iterator<Item = &str> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| line.split("crate::").skip(1));
    let paths = paths.flat_map(|path| {
        let end = if path.starts_with('{') { path.find(';') } else { path.find([',', '{']) };
        path[..end.unwrap_or(path.len())].trim_start_matches('{').split(", ")
    });
    paths.map(|path| {
        let end = path.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        &path[..end.unwrap_or(path.len())]
    })
}

#[test]
fn folders_import_only_those_to_their_left() {
    let mut checked = 0;
    for (package, root) in [("layout-core", "layout-core/src"), ("src", "src")] {
        let order = order(package);
        let rank = |module: &str| order.iter().position(|group| group.iter().any(|m| m == module));
        let mut files = Vec::new();
        sources(Path::new(root), &mut files);
        for file in files {
            let module = file.strip_prefix(root).expect("below the root").iter().next();
            let module = module.and_then(|module| Path::new(module).file_stem()?.to_str());
            let module = module.expect("a name of ASCII");
            let source = fs::read_to_string(&file).expect("a source");
            let Some(own) = rank(module) else { continue };
            for import in imports(&source).filter(|import| *import != module) {
                let Some(rank) = rank(import) else { continue };
                assert!(rank < own, "{}: `{module}` imports `{import}`", file.display());
                checked += 1;
            }
        }
        let listed = order.iter().flatten();
        for module in listed.clone() {
            let there = ["", ".rs"]
                .iter()
                .any(|end| Path::new(root).join(format!("{module}{end}")).exists());
            assert!(there, "CONTRIBUTING.md lists `{module}`, which is not in {root}");
        }
        // Every folder is listed.
        for entry in fs::read_dir(root).expect("the folder").map(|entry| entry.expect("an entry")) {
            let name = entry.file_name().into_string().expect("a name of ASCII");
            let is_listed = listed.clone().any(|module| *module == name);
            assert!(
                is_listed || !entry.path().is_dir(),
                "CONTRIBUTING.md does not list {root}/{name}"
            );
        }
    }
    assert!(checked > 500, "only {checked} imports were found");
}
