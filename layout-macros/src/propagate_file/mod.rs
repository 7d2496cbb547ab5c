//! `propagate!(file "models/block.mlir")`: a StableHLO program in a file of the crate, and the settings that are given with it.

mod file;

pub(crate) use file::is_file;

use crate::conditions;
use crate::emit::literal;
use crate::mesh::{self, Definition};
use crate::propagate::row_major;
use crate::propagate_run as run;
use crate::rust::name_of;
use crate::sharded::sharded_array;
use crate::stand_in::MeshName;
use file::{File, Wanted, ident};
use layout_core::sharding::program::{NamedValue, Overrides, Program};
use layout_core::sharding::{Mesh, MeshRef, Padding, Shards, TensorSharding};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use syn::Attribute;

/// A mistake and its position.
struct Mistake {
    span: Span,
    message: String,
}

impl Mistake {
    fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    fn into_tokens(self) -> TokenStream {
        let Self { span, message } = self;
        quote_spanned!(span=> ::core::compile_error!(#message);)
    }
}

/// Continues with `{ file "..";.. } { mesh }`: the mesh, if there is one, comes second.
pub(crate) fn on_definition(
    program: TokenStream,
    definition: Option<TokenStream>,
    input: TokenStream,
) -> TokenStream {
    let file = match File::read(program) {
        Ok(file) => file,
        Err(errors) => return errors,
    };
    let conditions = conditions::of_item(&file.attributes);
    if let (Some(path), None) = (&file.mesh, &definition) {
        let read = mesh::on(path, "propagate_on", input);
        return quote!(#(#conditions)* #read);
    }
    let definition = definition.map(Definition::read);
    let errors = match expand(&file, definition.as_ref(), &conditions) {
        Ok(module) => return module,
        Err(mistakes) => mistakes.into_iter().map(Mistake::into_tokens),
    };
    errors.map(|error| quote!(#(#conditions)* #error)).collect()
}

/// A file with a program, and the token under which its mistakes are reported.
#[derive(Clone, Copy)]
struct Source<'f> {
    span: Span,
    path: &'f str,
    text: &'f str,
}

impl Source<'_> {
    /// A mistake in a line of the file, which is shown below the message, as rustc does.
    fn mistake(self, message: &str, line: usize, help: &str) -> Mistake {
        let Self { span, path, text } = self;
        let source = text.lines().nth(line.saturating_sub(1)).unwrap_or("").trim_end();
        // Lines of programs are long, and errors are read in terminals.
        let shown: String = source.chars().take(200).collect();
        let more = if shown.len() < source.len() { " .." } else { "" };
        let margin = " ".repeat(line.to_string().len());
        let help = if help.is_empty() { String::new() } else { format!("\n\nhelp: {help}") };
        let message = format!(
            "{message}\n\n{margin}--> {path}:{line}\n{margin} |\n{line} | {shown}{more}\n{margin} |{help}"
        );
        Mistake::new(span, message)
    }

    /// The operations whose tensors disagree.
    fn conflicts(self, program: &Program) -> impl Iterator<Item = Mistake> {
        program.conflicts().into_iter().map(move |conflict| {
            let message = format!(
                "conflict in `{}` of `{}`: {}",
                conflict.operation, conflict.result, conflict.message
            );
            let constrain = conflict.agreement.map(|split| format!("constrain `{split};`, or "));
            let help = format!(
                "{}reshard operands as Shardy does: `reshard = shardy;`",
                constrain.unwrap_or_default()
            );
            self.mistake(&message, conflict.line.unwrap_or(1), &help)
        })
    }

    /// The operations that devices cannot run. Those of a function that is called twice are reported once.
    fn refused(self, program: &Program) -> impl Iterator<Item = Mistake> {
        let whole = program.tasks().err().into_iter();
        let whole = whole.map(|refused| (refused.line, refused.operation, refused.message));
        let each = program.refused().into_iter().map(|(number, message)| {
            let instruction = program.instruction(number);
            (instruction.line(), instruction.name().to_owned(), message)
        });
        let all: BTreeSet<_> = whole.chain(each).collect();
        all.into_iter().map(move |(line, operation, message)| {
            let (message, help) = message.split_once("; ").unwrap_or((&message, ""));
            let message = format!("`{operation}` cannot run: {message}");
            self.mistake(&message, line.unwrap_or(1), help)
        })
    }
}

/// The names with shardings that are not values of the program; `used` are the positions of the others.
fn unused(file: &File, program: &Program, used: &BTreeSet<usize>) -> Vec<Mistake> {
    let unused = file.given.iter().enumerate().filter(|(at, _)| !used.contains(at));
    let mistakes = unused.map(|(_, given)| {
        let names: Vec<_> =
            program.parameters().iter().map(|value| format!("`{}`", value.name)).collect();
        let message = format!(
            "the program has no value `{}`\n\nhelp: its arguments are {}",
            given.name,
            names.join(", ")
        );
        Mistake::new(given.span, message)
    });
    mistakes.collect()
}

/// The numbers of the values, other than arguments, that get types.
fn wanted(file: &File, program: &Program, mistakes: &mut Vec<Mistake>) -> Vec<usize> {
    let names = match &file.wanted {
        Wanted::All => return (program.parameters().len()..program.values().len()).collect(),
        Wanted::Named(names) => names,
    };
    let mut numbers = Vec::new();
    for (name, span) in names {
        match program.values().iter().position(|value| value.name == *name) {
            Some(at) if at < program.parameters().len() => {}
            Some(at) => numbers.push(at),
            None => {
                let message = format!("the program has no value `{name}`");
                mistakes.push(Mistake::new(*span, message));
            }
        }
    }
    numbers
}

fn expand(
    file: &File,
    definition: Option<&Definition>,
    conditions: &[Attribute],
) -> Result<TokenStream, Vec<Mistake>> {
    let (path, span) = (file.path.value(), file.path.span());
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let text = std::fs::read_to_string(Path::new(&root).join(&path)).map_err(|error| {
        let message = format!("cannot read `{path}`: {error}\n\nhelp: the path is relative to the directory of Cargo.toml");
        vec![Mistake::new(span, message)]
    })?;
    let used = RefCell::new(BTreeSet::new());
    let split = |name: &str, _: &[usize]| {
        let at = file.given.iter().position(|given| given.name == name)?;
        used.borrow_mut().insert(at);
        Some(file.given[at].dims.clone())
    };
    let overrides = Overrides {
        mesh: definition.map(|definition| definition.mesh.clone()),
        arguments: Some(&split),
        values: Some(&split),
    };
    let program = Program::from_mlir_with(&text, &overrides).map_err(|error| {
        let source = Source { span, path: &path, text: &text };
        let mistakes = error.mistakes().iter();
        let mistakes =
            mistakes.map(|mistake| source.mistake(&mistake.message, mistake.line, &mistake.help));
        mistakes.collect::<Vec<_>>()
    })?;
    let source = Source { span, path: &path, text: &text };
    let mut mistakes = unused(file, &program, &used.borrow());
    if !file.reshards {
        mistakes.extend(source.conflicts(&program));
    }
    if let Some(run) = file.run {
        mistakes.extend(Source { span: run, ..source }.refused(&program));
    }
    let wanted = wanted(file, &program, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    Ok(module(file, &program, definition, conditions, &wanted))
}

/// The mesh types of a module, and the names that its types use for them.
struct Meshes<'p> {
    program: &'p Program,
    paths: Vec<TokenStream>,
}

/// The items that define the mesh types of a module.
struct MeshItems {
    /// Items in the module.
    within: Vec<TokenStream>,
    /// Items next to the module.
    beside: Vec<TokenStream>,
    /// The number of the mesh that the file's `mesh` replaces.
    replaced: Option<usize>,
}

impl<'p> Meshes<'p> {
    /// A type for each mesh of the program, or the given one, for the first mesh that is not maximal.
    fn of(
        program: &'p Program,
        file: &File,
        definition: Option<(&Definition, &[Attribute])>,
        names: &mut ItemNames,
    ) -> (Self, MeshItems) {
        let mut meshes = program.meshes().iter();
        let replaced = meshes.position(|(_, mesh)| !mesh.is_maximal());
        let replaced = file.mesh.as_ref().and(replaced);
        let mut items = MeshItems { within: Vec::new(), beside: Vec::new(), replaced };
        let mut paths = Vec::new();
        for (number, (text, mesh)) in program.meshes().iter().enumerate() {
            if let (Some(path), Some((definition, conditions)), true) =
                (&file.mesh, definition, replaced == Some(number))
            {
                let known: Vec<_> =
                    program.values().iter().map(|value| value.name.as_str()).collect();
                let module = file.module();
                let given = MeshName::new(&module, number, path, definition, conditions, &known);
                items.within.push(given.within);
                items.beside.push(given.beside);
                paths.push(given.path);
                continue;
            }
            let ident = names.item(text);
            items.within.push(mesh::of_type(&quote!(), &[], &quote!(pub), &ident, mesh));
            paths.push(ident.into_token_stream());
        }
        (Self { program, paths }, items)
    }

    /// The type of a value with this sharding.
    fn sharded(&self, value: &NamedValue, sharding: &TensorSharding) -> TokenStream {
        let meshes = self.program.meshes();
        let is_named = |name: &String| matches!(&sharding.mesh, MeshRef::Name(own) if own == name);
        let at = meshes.iter().position(|(name, _)| is_named(name)).unwrap_or(0);
        let mesh: &Mesh = &meshes[at].1;
        let padded = Shards::new(sharding, mesh, &value.dims, Padding::Forbidden).is_err();
        let shards = Shards::new(sharding, mesh, &value.dims, Padding::Allowed);
        let local = shards.as_ref().map_or(value.local_dims(), Shards::local_dims);
        let (global, local) = (row_major(value.dtype, &value.dims), row_major(value.dtype, local));
        sharded_array(&global, &local, &self.paths[at], mesh, sharding, padded)
    }
}

/// The names of the items of a module.
#[derive(Default)]
struct ItemNames(BTreeSet<String>);

impl ItemNames {
    /// The name, or the name with underscores if it is taken.
    fn item(&mut self, name: &str) -> Ident {
        let mut ident = ident(name, Span::call_site());
        while !self.0.insert(ident.to_string()) {
            ident = name_of(&format!("{ident}_"), Span::call_site());
        }
        ident
    }
}

/// The expression that reads the program again when it runs, with the mesh that replaces its own.
fn runner(file: &File, path: &TokenStream, mesh: Option<&TokenStream>) -> TokenStream {
    let mesh = match mesh {
        Some(mesh) => quote!(::core::option::Option::Some(#mesh)),
        None => quote!(::core::option::Option::None),
    };
    let splits = file.given.iter().map(|given| {
        let sharding = TensorSharding::new(MeshRef::Name("mesh".into()), given.dims.clone());
        let (name, sharding) = (&given.name, sharding.to_string());
        quote!((#name, #sharding))
    });
    quote! {
        PROGRAM.of_mlir(::core::include_str!(#path), #mesh, &[#(#splits),*])
    }
}

/// The names of the constants of a module.
const CONSTANTS: [&str; 4] = ["MLIR", "COLLECTIVES", "BYTES_RECEIVED", "RESHARDS"];

/// The constants that describe the data that devices send each other.
fn communication(program: &Program) -> TokenStream {
    let collectives = program.collectives().iter().map(|traffic| {
        let (value, collective) = (&traffic.value, &traffic.collective);
        let bytes =
            literal(usize::try_from(traffic.bytes).unwrap_or(usize::MAX), Span::call_site());
        quote!((#value, #collective, #bytes))
    });
    let bytes = program.collectives().iter().map(|traffic| traffic.bytes);
    let bytes = bytes.fold(0, u128::saturating_add);
    let bytes = literal(usize::try_from(bytes).unwrap_or(usize::MAX), Span::call_site());
    let reshards = program.conflicts().iter().map(ToString::to_string).collect::<Vec<_>>();
    quote! {
            /// The data that devices send each other: the value, the collective, and the bytes that each device receives.
            pub const COLLECTIVES: &[(&::core::primitive::str, &::core::primitive::str, ::core::primitive::usize)] =
                &[#(#collectives),*];

            /// The bytes that each device receives in all collectives.
            pub const BYTES_RECEIVED: ::core::primitive::usize = #bytes;

            /// The operations whose operands are resharded because their tensors disagree.
            pub const RESHARDS: &[&::core::primitive::str] = &[#(#reshards),*];
    }
}

/// The module of a program in a file.
fn module(
    file: &File,
    program: &Program,
    definition: Option<&Definition>,
    conditions: &[Attribute],
    wanted: &[usize],
) -> TokenStream {
    let (name, visibility) = (file.module(), &file.visibility);
    let mut names = ItemNames::default();
    let values = program.values();
    let arguments: Vec<_> =
        program.parameters().iter().map(|value| (names.item(&value.name), value)).collect();
    let results: Vec<_> = program
        .results()
        .enumerate()
        .map(|(at, (value, sharding))| (names.item(&format!("result{at}")), value, sharding))
        .collect();
    let inner: Vec<_> =
        wanted.iter().map(|&at| (names.item(&values[at].name), &values[at])).collect();

    let (meshes, MeshItems { within, beside, replaced }) =
        Meshes::of(program, file, definition.map(|own| (own, conditions)), &mut names);
    let given = replaced.map(|at| {
        let path = &meshes.paths[at];
        quote!(<#path as ::tensor_layout::sharding::MeshType>::MESH)
    });
    let path = &file.path;
    let path = match Path::new(&path.value()).is_absolute() {
        true => path.to_token_stream(),
        false => quote!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #path)),
    };
    let alias = |name: &Ident, value: &NamedValue, sharding: &TensorSharding| {
        let ty = meshes.sharded(value, sharding);
        let doc =
            format!("`%{}`, `{}{:?}`, sharded `{sharding}`.", value.name, value.dtype, value.dims);
        quote!(#[doc = #doc] pub type #name = #ty;)
    };
    let values =
        arguments.iter().chain(&inner).map(|(name, value)| alias(name, value, &value.sharding));
    let functions = file.run.map(|_| {
        let names: Vec<_> = arguments.iter().map(|(name, _)| name.clone()).collect();
        let results: Vec<_> = results.iter().map(|(name, ..)| quote!(self::#name)).collect();
        run::functions(&runner(file, &path, given.as_ref()), &names, &results, &CONSTANTS)
    });
    let results = results.iter().map(|(name, value, sharding)| alias(name, value, sharding));
    let communication = communication(program);
    let (attributes, doc, mlir) = (&file.attributes, program.describe(), program.mlir());
    quote! {
        #(#attributes)*
        #[doc = ""]
        #[doc = #doc]
        #[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
        #visibility mod #name {
            // Makes rustc expand the macro again when the file changes.
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#path);
            #(#within)*
            #(#values)*
            #(#results)*

            #communication

            /// The program with its shardings, in MLIR.
            pub const MLIR: &::core::primitive::str = #mlir;

            #functions
        }
        #(#beside)*
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenTree;
    use syn::LitStr;

    /// The messages in the expansion of a program in a file.
    fn messages(program: &str) -> String {
        let program: TokenStream = program.parse().expect("tokens");
        assert!(is_file(&program));
        let expanded = on_definition(program, None, TokenStream::new());
        let mut found = String::new();
        for tree in expanded {
            if let TokenTree::Group(group) = tree
                && let Ok(message) = syn::parse2::<LitStr>(group.stream())
            {
                found += &message.value();
                found.push('\n');
            }
        }
        found
    }

    #[test]
    fn a_conflict_quotes_the_line_of_the_file() {
        let found = messages(r#"file "../tests/models/conflict.mlir""#);
        let expected = "
 --> ../tests/models/conflict.mlir:3
  |
3 |   %0 = stablehlo.add %arg0, %arg1 : tensor<8x4xf32>
  |
";
        assert!(found.starts_with("conflict in `add` of `0`: factor i is"), "{found}");
        assert!(found.contains(expected) && found.contains("`reshard = shardy;`"), "{found}");
        let written =
            found.split("help: constrain `").nth(1).and_then(|help| help.split('`').next());
        let written = written.expect("a constraint");
        assert_eq!(messages(&format!(r#"file "../tests/models/conflict.mlir"; {written}"#)), "");
        assert_eq!(messages(r#"file "../tests/models/conflict.mlir", reshard = shardy"#), "");
    }

    #[test]
    fn an_operation_that_cannot_run_quotes_the_line_of_the_file() {
        let file = r#"file "../tests/golden/stablehlo/linalg.mlir", reshard = shardy"#;
        assert_eq!(messages(file), "");
        let found = messages(&format!("run; {file}"));
        let message = "`custom_call` cannot run: there is no kernel for `@lapack_sgesdd_ffi`\n";
        assert!(found.starts_with(message), "{found}");
        assert_eq!(found.matches("linalg.mlir:").count(), 1, "{found}");
        assert!(
            found.contains("linalg.mlir:78\n")
                && found.contains("%0:5 = stablehlo.custom_call @lapack_sgesdd"),
            "{found}"
        );
    }

    #[test]
    fn what_the_program_does_not_have_is_an_error() {
        let found = messages(
            r#"file "../tests/models/conflict.mlir"; arg7 [{"x"}]; values = [w]; reshard = shardy;"#,
        );
        assert!(found.contains("the program has no value `arg7`"), "{found}");
        assert!(found.contains("the program has no value `w`"), "{found}");
        let axis = messages(r#"file "../tests/models/conflict.mlir"; arg1 [{"z"}, {}];"#);
        assert!(axis.contains("unknown axis") && axis.contains("conflict.mlir:2"), "{axis}");
        let rank = messages(r#"file "../tests/models/conflict.mlir"; arg1 [{"x"}];"#);
        assert!(rank.contains("conflict.mlir:2"), "{rank}");
    }
}
