//! Markdown files as documentation: their pictures are part of the page and have its theme.

use crate::package;
use layout_core::TiledSpec;
use layout_core::draw::{Draw, figure};
#[cfg(feature = "sharding")]
use layout_core::sharding::draw::Sharded;
#[cfg(feature = "sparse")]
use layout_core::sparse::SparseEncoding;
use layout_core::syntax::ParseError;
use proc_macro2::TokenStream;
use quote::quote;
use std::path::Path;
use syn::LitStr;

/// The text of a file of the package as a string literal.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let text = syn::parse2::<LitStr>(input).map_err(|error| error.to_string()).and_then(|name| {
        let package = package::directory().map_err(str::to_owned)?;
        read(&package.join(name.value()))
    });
    match text {
        Ok(text) => quote!(#text),
        Err(error) => quote!(::core::compile_error!(#error)),
    }
}

fn read(page: &Path) -> Result<String, String> {
    let file = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let mut text = String::new();
    for line in file(page)?.lines() {
        match picture(line) {
            Some(picture) => {
                text += "<div style=\"overflow-x:auto;margin:1em 0\">\n";
                text += &unstyled(&file(&page.with_file_name(picture))?);
                text += "</div>\n";
            }
            None => {
                text += &linked(line);
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// The line with its links to files of the repository in the form that rustdoc needs: a page of the guide is a module, and any
/// other file is linked in the repository.
fn linked(line: &str) -> String {
    let mut linked = String::new();
    let mut rest = line;
    while let Some((before, (target, after))) =
        rest.split_once("](").and_then(|(before, after)| Some((before, after.split_once(')')?)))
    {
        let is_file = target.ends_with(".md") || target == "src/guide";
        let target = match target.strip_prefix("src/guide") {
            _ if !is_file || target.contains(':') => target.to_owned(),
            Some(page) => {
                format!("crate::guide{}", page.trim_end_matches(".md").replace('/', "::"))
            }
            None => format!("{}/blob/main/{target}", env!("CARGO_PKG_REPOSITORY")),
        };
        linked += &format!("{before}]({target})");
        rest = after;
    }
    linked + rest
}

/// The file of a line that consists of one picture: `![what it shows](path.svg)`.
fn picture(line: &str) -> Option<&str> {
    let (_, file) = line.strip_prefix("![")?.strip_suffix(")")?.rsplit_once("](")?;
    file.ends_with(".svg").then_some(file)
}

/// A picture without its styles, which would apply to the whole page.
fn unstyled(svg: &str) -> String {
    match (svg.split_once("<style>"), svg.split_once("</style>\n")) {
        (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
        _ => svg.into(),
    }
}

/// Pictures as documentation. `"f32[3,5]{1,0:T(2,2)}"` is a picture that readers can explore, and
/// `"bf16[8,8] @ M [{}, {}]" on "[\"a\"=2]"` is the picture of an array on a mesh. In `"f32[2,3]" * "f32[3,4]" = "f32[2,4]"` and
/// `"f32[2,3]{1,0}" => "f32[2,3]{0,1}"`, several pictures are side by side.
pub(crate) fn pictures(input: TokenStream) -> TokenStream {
    match drawn(input) {
        Ok(html) => quote!(#html),
        Err(error) => quote!(::core::compile_error!(#error)),
    }
}

fn drawn(input: TokenStream) -> Result<String, String> {
    let mut html = Vec::new();
    let mut trees = input.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let Ok(text) = syn::parse2::<LitStr>(tree.clone().into()) else {
            let sign = match tree.to_string().as_str() {
                "*" => "×",
                // `=>` is two tokens.
                "=" if trees.next_if(|tree| tree.to_string() == ">").is_some() => "→",
                "=" => "=",
                other => return Err(format!("`{other}` is neither a layout nor `*`, `=` or `=>`")),
            };
            html.push(format!("<span>{sign}</span>"));
            continue;
        };
        let mesh = trees.next_if(|tree| tree.to_string() == "on").and_then(|_| trees.next());
        let mesh = mesh.map(|tree| syn::parse2::<LitStr>(tree.into())).transpose();
        let mesh = mesh.map_err(|error| error.to_string())?.map(|mesh| mesh.value());
        let alone = html.is_empty() && trees.peek().is_none();
        html.push(one(&text.value(), mesh.as_deref(), alone)?);
    }
    match html.as_slice() {
        [figure] => Ok(format!("\n{figure}")),
        pictures => Ok(format!(
            "\n<div style=\"display:flex;flex-wrap:wrap;gap:16px;align-items:center;margin:1em 0\">{}</div>\n",
            pictures.concat()
        )),
    }
}

/// One picture. Readers can explore it if it is the only one.
fn one(text: &str, mesh: Option<&str>, alone: bool) -> Result<String, String> {
    fn html(subject: &impl Draw, alone: bool) -> String {
        if alone { figure(subject) } else { subject.picture().svg() }
    }
    let mistake = |error: ParseError| format!("`{text}`: {error}");
    #[cfg(not(feature = "sharding"))]
    if mesh.is_some() {
        return Err(format!("`{text}`: the feature `sharding` is off"));
    }
    #[cfg(feature = "sharding")]
    if let Some(mesh) = mesh {
        let mesh = mesh.parse().map_err(mistake)?;
        return Ok(html(&Sharded::read(text, &mesh).map_err(mistake)?, alone));
    }
    #[cfg(feature = "sparse")]
    if text.contains("->") {
        return Ok(html(&text.parse::<SparseEncoding>().map_err(mistake)?, alone));
    }
    Ok(html(&text.parse::<TiledSpec>().map_err(mistake)?, alone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_alone_on_a_line() {
        assert_eq!(picture("![f32[3,5] in tiles](a/b.svg)"), Some("a/b.svg"));
        assert_eq!(picture("a link to ![a picture](b.svg)"), None);
        assert_eq!(picture("![a photograph](b.png)"), None);
    }

    #[test]
    fn links_to_files_lead_to_pages() {
        assert_eq!(
            linked("[a](src/guide/sparse.md), [b](src/guide) and [c](https://d.e/f.md)"),
            "[a](crate::guide::sparse), [b](crate::guide) and [c](https://d.e/f.md)"
        );
        let repository = linked("[g](benches/README.md), `f(x)`[0](i, j)");
        assert!(repository.contains("/blob/main/benches/README.md), `f(x)`[0](i, j)"));
    }

    #[test]
    fn layouts_are_drawn_alone_or_side_by_side() {
        let alone = drawn(quote!("f32[3,5]{1,0:T(2,2)}")).expect("a picture");
        assert_eq!((alone.matches("<svg").count(), alone.matches("<script>").count()), (1, 1));
        let row = drawn(quote!("f32[2,3]" * "f32[3,4]" = "f32[2,4]")).expect("pictures");
        assert_eq!((row.matches("<svg").count(), row.matches("<script>").count()), (3, 0));
        assert!(row.contains("<span>×</span>") && row.contains("<span>=</span>"));
        let sharded = drawn(quote!(r#"f32[8] @ M [{"a"}]"# on r#"["a"=2]"#)).expect("a picture");
        assert!(sharded.contains("the mesh a=2"));
        assert!(drawn(quote!("f32[3,5]{1,1}")).is_err_and(|error| error.starts_with("`f32[3,5]")));
    }

    #[test]
    fn styles_of_a_file_stay_out_of_the_page() {
        assert_eq!(unstyled("<svg>\n<style>svg{}</style>\n<g/></svg>\n"), "<svg>\n<g/></svg>\n");
        assert_eq!(unstyled("<svg></svg>"), "<svg></svg>");
    }
}
