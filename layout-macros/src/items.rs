//! Item forms: `pub type Name = ..;`, whose tokens other macros can read.
//!
//! A macro sees tokens, not types. So an item form also defines a macro of the same name, which passes the tokens of the
//! definition to a callback: `Name!([path::to::callback] anything)` is `path::to::callback! { anything { definition } }`. Types
//! and macros have separate namespaces, and one `use` imports both.

use crate::editor;
use crate::rust::{Item, unraw};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

impl Item {
    /// The macro that passes on the definition.
    pub(crate) fn reader(&self) -> TokenStream {
        let Self { visibility, name, tokens, .. } = self;
        let conditions = self.conditions();
        let hidden = format_ident!("__{}_{}", unraw(name), unique(name), span = name.span());
        // Only an exported macro can be named in other crates, and only then may its name be public.
        let export = match self.is_public() {
            true => quote!(#[macro_export]),
            false => quote!(),
        };
        if editor::is_on() {
            // The macro has no other name, which an editor would also offer.
            return quote! {
                #(#conditions)*
                #[doc(hidden)]
                macro_rules! #name {
                    ([$($callback:tt)*] $($rest:tt)*) => { $($callback)*! { $($rest)* { #tokens } } };
                }
                #(#conditions)*
                #[doc(hidden)]
                #visibility use #name;
            };
        }
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #[allow(unused_macros, non_local_definitions)]
            #export
            macro_rules! #hidden {
                ([$($callback:tt)*] $($rest:tt)*) => { $($callback)*! { $($rest)* { #tokens } } };
            }
            #(#conditions)*
            #[doc(hidden)]
            #[allow(unused_imports)]
            #visibility use #hidden as #name;
        }
    }
}

/// A suffix that no other definition of the crate has, because exported macros share one namespace. It is a hash of the name
/// and its position. A `macro_rules!` that is used twice defines two things at one position, so these are counted.
fn unique(name: &Ident) -> String {
    static DEFINED: Mutex<BTreeMap<u64, usize>> = Mutex::new(BTreeMap::new());
    let span = name.span().unwrap();
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let position = format!("{package} {} {}:{} {name}", span.file(), span.line(), span.column());
    // FNV-1a.
    let hash = position.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let mut defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
    let count = defined.entry(hash).or_default();
    *count += 1;
    match *count {
        1 => format!("{hash:016x}"),
        count => format!("{hash:016x}_{count}"),
    }
}
