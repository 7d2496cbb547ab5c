//! Meshes and shardings in the notations of Python and HLO, which are recognized so that the help can contain the text to write.

use super::mesh::MESH;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Reports `make_mesh((2, 4), ("data", "model"))` and `{"data": 2, "model": 4}` instead of the axes of a mesh.
pub(super) fn mesh<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let found = match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Word(_)), Some(Kind::Open('(') | Kind::Symbol('.'))) => "a call of Python",
        (Some(Kind::Open('{')), _) => "a dictionary of Python",
        (Some(Kind::Open('(' | '[')), Some(Kind::Open('('))) => "a list of pairs",
        (Some(Kind::Open('(' | '[')), Some(Kind::Number(_))) => "sizes alone",
        (Some(Kind::Open('(')), Some(Kind::Word(_) | Kind::Text(_))) => "axes in parentheses",
        _ => return Ok(()),
    };
    let help = match axes(cursor.rest()) {
        Some(axes) => format!("write `[{axes}]`"),
        None if found == "sizes alone" => {
            format!("give each axis a name: `[{}]`", named(cursor.rest()))
        }
        None => MESH.into(),
    };
    let first = cursor.span();
    let span = cursor.take_many(cursor.rest().len()).unwrap_or(first);
    cursor.report(span, format!("expected the axes of a mesh, found {found}"), help);
    Err(Stop)
}

/// The sizes with common names for the axes of meshes.
fn named<S>(tokens: &[Token<S>]) -> String {
    let sizes = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Number(size) => Some(size),
        _ => None,
    });
    let names = ["x", "y", "z", "w"].into_iter().zip(sizes);
    names.map(|(name, size)| format!("{name:?}={size}")).collect::<Vec<_>>().join(", ")
}

/// The axes with their sizes, if the number of names in quotes is the number of sizes.
pub(super) fn axes<S>(tokens: &[Token<S>]) -> Option<String> {
    let (mut names, mut sizes) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|next| &next.kind);
        match &token.kind {
            Kind::Text(name) => names.push(name.as_str()),
            // `'x'` of Python, which rustc reads as one character.
            Kind::Other(text) if text.starts_with('\'') => names.push(text.trim_matches('\'')),
            // `(data=2, model=4)`
            Kind::Word(name)
                if matches!(next, Some(Kind::Symbol('=' | ':')))
                    && matches!(tokens.get(at + 2), Some(Token { kind: Kind::Number(_), .. })) =>
            {
                names.push(name.as_str());
            }
            Kind::Number(size) => sizes.push(size),
            _ => {}
        }
    }
    // The first word of `init_device_mesh("cuda", ..)` is the kind of device.
    if names.len() == sizes.len() + 1 {
        names.remove(0);
    }
    let axes = names.iter().zip(&sizes).map(|(name, size)| format!("{name:?}={size}"));
    let axes: Vec<_> = axes.collect();
    (!axes.is_empty() && names.len() == sizes.len()).then(|| axes.join(", "))
}

/// Reports `mhlo.sharding = "{devices=[2,4]<=[8]}"`, an attribute of GSPMD.
pub(super) fn annotation<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let at = match (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2)) {
        (Some(Kind::Word(_)), Some(Kind::Symbol('.')), Some(Kind::Word(word)))
            if word == "sharding" =>
        {
            3
        }
        (Some(Kind::Word(word)), ..) if word == "sharding" => 1,
        _ => return Ok(()),
    };
    let (Some(Kind::Symbol('=')), Some(Kind::Text(text))) =
        (cursor.peek_nth(at), cursor.peek_nth(at + 1))
    else {
        return Ok(());
    };
    let tokens = crate::syntax::lex(text);
    let help = match tokens.get(1).map(|token| &token.kind) {
        Some(Kind::Word(word)) if word == "devices" => of_devices(&tokens),
        _ => REPLICATED.into(),
    };
    let first = cursor.span();
    let span = cursor.take_many(at + 2).unwrap_or(first);
    cursor.report(span, "expected a sharding as Shardy writes it, found one of GSPMD", help);
    Err(Stop)
}

const REPLICATED: &str =
    "a dimension that is not split is `{}`: for an array of two dimensions, write `[{}, {}]`";

/// The help for `{devices=[2,4]<=[8]}`.
fn of_devices<S>(tokens: &[Token<S>]) -> String {
    let sizes = tokens.iter().skip(4).map_while(|token| match &token.kind {
        Kind::Number(size) => Some(size.as_str()),
        Kind::Symbol(',') => Some(""),
        _ => None,
    });
    let sizes: Vec<_> = sizes.filter(|size| !size.is_empty()).collect();
    format!(
        "instead of {} parts, write the mesh axes whose sizes multiply to that number: `[{{\"data\"}}, {{}}]`",
        sizes.join(" and ")
    )
}

/// Reports a sharding of HLO, `{devices=[2,4]<=[8]}`, or of PyTorch, `(Shard(0), Replicate())`.
pub(super) fn sharding<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let word = match cursor.peek_nth(1) {
        Some(Kind::Word(word)) => word.as_str(),
        _ => return Ok(()),
    };
    let (found, help) = match (cursor.peek(), word) {
        (Some(Kind::Open('{')), "replicated" | "maximal" | "manual") => (
            "one of HLO",
            REPLICATED.into(),
        ),
        (Some(Kind::Open('{')), "devices") => ("one of HLO", of_devices(cursor.rest())),
        (Some(Kind::Open('(' | '[')), "Shard" | "Replicate" | "Partial") => (
            "one of PyTorch",
            "there is one item for each dimension of the array, with the axes that split it, `[{\"data\"}, {}]`; partial sums are `unreduced={\"model\"}`".into(),
        ),
        _ => return Ok(()),
    };
    let (first, len) = (cursor.span(), cursor.group_len());
    let span = cursor.take_many(len).unwrap_or(first);
    cursor.report(span, format!("expected a sharding as Shardy writes it, found {found}"), help);
    Err(Stop)
}

/// Reports `"x"(1)2` and `"x":(1,2)` instead of `"x":(1)2`, after `name` has been read.
pub(super) fn sub_axis<S: Span>(cursor: &mut Cursor<'_, S>, name: &str, start: S) -> Parsed<()> {
    let has_colon = cursor.peek() == Some(&Kind::Symbol(':'));
    let at = usize::from(has_colon);
    let number = |nth| match cursor.peek_nth(nth) {
        Some(Kind::Number(number)) => Some(number.clone()),
        _ => None,
    };
    let opens = cursor.peek_nth(at) == Some(&Kind::Open('('));
    if has_colon && let Some(size) = number(1) {
        // `"x":2` is a part with nothing before it.
        cursor.take_many(2);
        let message = "a part of an axis is written with the product of the sizes before it, and its own size";
        cursor.report(cursor.since(start), message, format!("write `{name:?}:(1){size}`"));
        return Err(Stop);
    }
    let sizes = match cursor.peek_nth(at + 2) {
        Some(Kind::Close(')')) if opens && !has_colon => number(at + 1).zip(number(at + 3)),
        Some(Kind::Symbol(',')) if opens => number(at + 1).zip(number(at + 3)),
        _ => return Ok(()),
    };
    let Some((pre, size)) = sizes else { return Ok(()) };
    let has_comma = cursor.peek_nth(at + 2) == Some(&Kind::Symbol(','));
    cursor.take_many(at + 4 + usize::from(has_comma));
    let message =
        "a part of an axis is written with the product of the sizes before it, and its own size";
    cursor.report(cursor.since(start), message, format!("write `{name:?}:({pre}){size}`"));
    Err(Stop)
}

#[cfg(test)]
mod tests {
    use crate::sharding::{Mesh, TensorSharding};
    use crate::syntax::ParseError;

    /// The help of the only mistake.
    fn help(error: &ParseError) -> &str {
        let [mistake] = error.mistakes() else { panic!("{error}") };
        &mistake.help
    }

    #[test]
    fn meshes_of_python_are_translated() {
        for text in [
            "jax.make_mesh((2, 4), (\"data\", \"model\"))",
            "init_device_mesh(\"cuda\", (2, 4), mesh_dim_names=(\"data\", \"model\"))",
            "{\"data\": 2, \"model\": 4}",
            "[(\"data\", 2), (\"model\", 4)]",
        ] {
            let error = text.parse::<Mesh>().unwrap_err();
            assert_eq!(help(&error), "write `[\"data\"=2, \"model\"=4]`", "{text}");
        }
    }

    #[test]
    fn shardings_of_others_are_recognized() {
        for (text, said) in [
            (
                "{replicated}",
                "a dimension that is not split is `{}`: for an array of two dimensions, write `[{}, {}]`",
            ),
            (
                "{devices=[2,4]<=[8]}",
                "instead of 2 and 4 parts, write the mesh axes whose sizes multiply to that number: `[{\"data\"}, {}]`",
            ),
            (
                "(Shard(0), Partial())",
                "there is one item for each dimension of the array, with the axes that split it, `[{\"data\"}, {}]`; partial sums are `unreduced={\"model\"}`",
            ),
            ("[{\"x\"(2)4}]", "write `\"x\":(2)4`"),
            ("[{\"x\":(2,4)}]", "write `\"x\":(2)4`"),
        ] {
            let error = alloc::format!("<@mesh, {text}>").parse::<TensorSharding>().unwrap_err();
            assert_eq!(help(&error), said, "{text}");
        }
    }
}
