//! Markdown files as documentation: their pictures are part of the page, and follow its theme.

use crate::package;
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
                text += "<div style=\"overflow-x:auto\">\n";
                text += &unstyled(&file(&page.with_file_name(picture))?);
                text += "</div>\n";
            }
            None => {
                text += line;
                text.push('\n');
            }
        }
    }
    Ok(text)
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
    fn styles_of_a_file_stay_out_of_the_page() {
        assert_eq!(unstyled("<svg>\n<style>svg{}</style>\n<g/></svg>\n"), "<svg>\n<g/></svg>\n");
        assert_eq!(unstyled("<svg></svg>"), "<svg></svg>");
    }
}
