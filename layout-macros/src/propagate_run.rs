//! `propagate! { run; .. }`: the functions of a module that run its program.

use crate::rust::unraw;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The functions that run a program, from the expression of its runner, its arguments by the names of their types, the types of
/// its results, and the names of the constants of its module.
pub(crate) fn functions(
    runner: &TokenStream,
    arguments: &[Ident],
    results: &[TokenStream],
    constants: &[&str],
) -> TokenStream {
    // Hygienic names, because an argument can have any name. That of a constant would be a pattern instead of a new name.
    let new = |mut name: String| {
        while constants.contains(&name.as_str()) {
            name.push('_');
        }
        Ident::new(&name, Span::mixed_site())
    };
    let [transport, outputs] = ["transport", "outputs"].map(|name| new(name.into()));
    let parameters = arguments.iter().enumerate().map(|(at, argument)| {
        match constants.contains(&unraw(argument).as_str()) {
            true => new(format!("argument{at}")),
            false => argument.clone(),
        }
    });
    let parameters: Vec<_> = parameters.collect();
    let sharded = |ty: &TokenStream| quote!(::tensor_layout::sharding::run::Sharded<#ty>);
    let types: Vec<_> = results.iter().map(sharded).collect();
    let made = results.iter().enumerate().map(|(at, ty)| {
        let sharded = sharded(ty);
        quote!(<#sharded>::from_host(&#outputs[#at]))
    });
    let made: Vec<_> = made.collect();
    let (returned, value) = match (&types[..], &made[..]) {
        ([one], [value]) => (quote!(#one), quote!(#value)),
        _ => (quote!((#(#types,)*)), quote!(::core::result::Result::Ok((#(#made?,)*)))),
    };
    let error = quote!(::tensor_layout::sharding::run::RunError);
    quote! {
        /// The runner of the program, for arrays whose types are values.
        ///
        /// # Errors
        /// If an operation cannot run; the macro has checked that all can.
        pub fn runner() -> ::core::result::Result<
            &'static ::tensor_layout::sharding::run::program::Runner<'static>,
            #error,
        > {
            static PROGRAM: ::tensor_layout::__private::Prepared =
                ::tensor_layout::__private::Prepared::new();
            #runner
        }

        /// Runs the program on the device of the transport, with its shards of the arguments. Returns its shards of the
        /// results.
        ///
        /// # Errors
        /// If a device cannot be reached, or if memory cannot be allocated.
        pub fn run(
            #transport: &mut impl ::tensor_layout::sharding::run::Transport,
            #(#parameters: &::tensor_layout::sharding::run::Sharded<self::#arguments>,)*
        ) -> ::core::result::Result<#returned, #error> {
            let #outputs = self::runner()?.run(#transport, &[#(#parameters.to_host()?),*])?;
            #value
        }
    }
}
