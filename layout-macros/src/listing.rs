//! The table of all layouts of a crate.

use crate::layouts::Call;
use crate::package::{self, Kept};
use crate::rust::name_of;
use crate::scan::{Found, Sources};
use crate::{sharded, sparse_encoding, sparse_tensor, tiled, tpu};
use layout_core::draw::Row;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::path::PathBuf;
use syn::LitStr;

/// The table in Markdown, as a string literal.
pub(crate) fn index(input: TokenStream) -> TokenStream {
    let (package, sources) = match read(input) {
        Ok(read) => read,
        Err(error) => return quote!(::core::compile_error!(#error)),
    };
    let kept = Kept::read(&package);
    let mut table = String::from(Row::TITLES);
    for found in &sources.layouts {
        let path = found.path.join("::");
        // A link to an alias that is private, or may not exist, would be broken.
        let name = match found.public && found.conditions.is_empty() {
            true => format!("[`{path}`](crate::{path})"),
            false => format!("`{path}`"),
        };
        let row = match (known(found, &sources), kept.row(&path)) {
            (Some(row), _) => row.markdown(&name),
            (None, Some(kept)) => format!("| {name} |{kept}\n"),
            (None, None) => {
                let Call { name: called, input } = &found.call;
                format!("| {name} | `{called}!({input})` |  |  |  | {} |\n", location(found))
            }
        };
        table += &whole_words(&row);
    }
    quote!(#table)
}

/// The characters that are special in Markdown or HTML.
const MARKDOWN: &str = "*_[]<>&|~\\!\"'-.";

/// A line of the table whose code breaks only between words. Otherwise rustdoc breaks code anywhere, so that a name can take five
/// lines.
fn whole_words(line: &str) -> String {
    let mut words = String::new();
    for (at, part) in line.split('`').enumerate() {
        if at % 2 == 0 {
            words += part;
            continue;
        }
        words += "<code style=\"overflow-wrap:normal\">";
        for char in part.chars() {
            match char {
                char if MARKDOWN.contains(char) => words += &format!("&#{};", u32::from(char)),
                char => words.push(char),
            }
        }
        words += "</code>";
    }
    words
}

/// The location of the definition of a layout, and its conditions.
fn location(found: &Found) -> String {
    let mut location = found.location.clone();
    for asked in &found.conditions {
        location += &format!(", `cfg({asked})`");
    }
    location
}

/// The row of a layout whose sizes are literals.
fn known(found: &Found, sources: &Sources) -> Option<Row> {
    let (path, input) = (found.path.join("::"), found.call.input.clone());
    let location = &location(found);
    match found.call.name.to_string().as_str() {
        "tiled" => Some(Row::new(&path, location, &tiled::described(input).1?)),
        "tpu" => Some(Row::new(&path, location, &tpu::described(input).1?)),
        "sparse_encoding" => Some(Row::new(&path, location, &sparse_encoding::described(input).1?)),
        "sparse_tensor" => Some(Row::new(&path, location, &sparse_tensor::described(input).1?)),
        _ => {
            let (_, module) = found.path.split_last()?;
            Some(Row::new(&path, location, &sharded::in_module(input, module, &sources.meshes)?))
        }
    }
}

/// The layouts as a `Listing`, which rustc evaluates.
pub(crate) fn listing(input: TokenStream) -> TokenStream {
    let sources = match read(input) {
        Ok((_, sources)) => sources,
        Err(error) => return quote!(::core::compile_error!(#error)),
    };
    // A layout with parameters has no numbers.
    let layouts = sources.layouts.iter().filter(|found| !found.is_generic);
    let rows = layouts.map(|found| {
        let (path, location, conditions) =
            (found.path.join("::"), &found.location, &found.conditions);
        if !found.visible {
            let message = format!(
                "the crate root cannot name `{path}`\n\nhelp: make it and its modules `pub(crate)`"
            );
            return quote!(#(#[cfg(#conditions)])* ::core::compile_error!(#message));
        }
        let names = found
            .path
            .iter()
            .map(|name| name_of(name.strip_prefix("r#").unwrap_or(name), Span::call_site()));
        let alias = quote!(crate #(::#names)*);
        let subject = match found.call.name.to_string().as_str() {
            "tiled" | "tpu" => quote!(<#alias as ::tensor_layout::Layout>::SPEC),
            "sparse_encoding" => quote!(<#alias as ::tensor_layout::sparse::Encoding>::SPEC),
            "sparse_tensor" => quote!(<#alias>::SPEC),
            _ => sharded::evaluated(&alias, &found.call.input),
        };
        quote! {
            #(#[cfg(#conditions)])*
            ::tensor_layout::draw::Row::new(#path, #location, &#subject)
        }
    });
    quote!(::tensor_layout::draw::Listing::new([#(#rows),*]))
}

/// The directory of the package, and the sources of the given crate.
fn read(input: TokenStream) -> Result<(PathBuf, Sources), String> {
    let package = package::directory()?;
    let root = if input.is_empty() {
        let roots = ["src/lib.rs", "src/main.rs"].into_iter().map(PathBuf::from);
        let root = roots.into_iter().find(|root| package.join(root).is_file());
        root.ok_or("the package has neither `src/lib.rs` nor `src/main.rs`\n\nhelp: name the file of the crate root")?
    } else {
        let file = syn::parse2::<LitStr>(input);
        PathBuf::from(
            file.map_err(|_| "expected the file of a crate root: `\"src/lib.rs\"`")?.value(),
        )
    };
    let sources = Sources::read(&package, &root)?;
    Ok((package, sources))
}
