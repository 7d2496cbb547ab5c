//! Shardings in the notation of JAX, which are recognized so that the help can be their translation.

use crate::syntax::{Cursor, Kind, Parsed, Span, Stop};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Reports `P("data", None)`, `PartitionSpec(..)` or `NamedSharding(mesh, P(..))` instead of a sharding. `before` is the text
/// to write before the axes: the mesh, if none is written.
pub(super) fn jax<S: Span>(cursor: &mut Cursor<'_, S>, before: &str) -> Parsed<()> {
    let span = cursor.span();
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    // `f32[8,16], P("data", None)`
    let comma = before.starts_with('@') && ahead.take_symbol(',');
    // `jax.sharding.PartitionSpec`
    while matches!(ahead.peek_nth(1), Some(Kind::Symbol('.'))) {
        ahead.next();
        ahead.next();
    }
    let Some(Kind::Word(name)) = ahead.peek() else { return Ok(()) };
    let is_named = name == "NamedSharding";
    let mut before = before.to_string();
    if !is_named && name != "P" && name != "PartitionSpec"
        || ahead.peek_nth(1) != Some(&Kind::Open('('))
    {
        return Ok(());
    }
    if is_named {
        // A mesh is a type, and a name in lower case is probably that of a value.
        if let (Some(Kind::Word(mesh)), Some(Kind::Symbol(','))) =
            (ahead.peek_nth(2), ahead.peek_nth(3))
            && before.starts_with('@')
            && mesh.starts_with(char::is_uppercase)
        {
            before = format!("@ {mesh} ");
        }
        // The text after the mesh is the specification.
        while !matches!(ahead.peek(), None | Some(Kind::Symbol(','))) {
            ahead.next();
        }
    }
    while !matches!(ahead.peek(), None | Some(Kind::Open('('))) {
        ahead.next();
    }
    ahead.next();
    let help = match dimensions(&mut ahead) {
        Some(dims) => format!("write `{before}[{}]`", dims.join(", ")),
        None => {
            format!("the axes of each dimension go in braces: `{before}[{{\"data\"}}, {{}}]`")
        }
    };
    cursor.take_many(comma.into());
    while cursor.peek().is_some_and(|kind| !matches!(kind, Kind::Open(_))) {
        cursor.next();
    }
    cursor.skip_group();
    let message = "expected a sharding as Shardy writes it, found one of JAX";
    cursor.report(cursor.since(span), message, help);
    Err(Stop)
}

/// Reads `mesh=Pod, spec=P("data", None)`, the arguments of a sharding by name, instead of a mesh and a sharding.
pub(super) fn keywords<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let span = cursor.span();
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    ahead.take_symbol(',');
    if !matches!(ahead.peek(), Some(Kind::Word(_))) || ahead.peek_nth(1) != Some(&Kind::Symbol('='))
    {
        return Ok(());
    }
    let (mut mesh, mut axes) = (None, None);
    while let (Some(Kind::Word(name)), Some(Kind::Symbol('='))) = (ahead.peek(), ahead.peek_nth(1))
    {
        ahead.take_many(2);
        match (name.as_str(), ahead.peek()) {
            ("mesh" | "device_mesh", Some(Kind::Word(name))) => mesh = Some(name.clone()),
            ("spec" | "pspec" | "partition_spec" | "placements" | "in_specs" | "axes", _) => {
                axes = specification(&ahead).or_else(|| in_list(&ahead));
            }
            _ => return Ok(()),
        }
        ahead.skip_to(Cursor::at_separator);
        if !ahead.take_symbol(',') {
            break;
        }
    }
    let help = match (mesh, axes) {
        (Some(mesh), Some(axes)) => format!("write `@ {mesh} {axes}`"),
        (mesh, axes) => {
            let mesh = mesh.unwrap_or_else(|| "Pod".into());
            let axes = axes.unwrap_or_else(|| "[{\"data\"}, {}]".into());
            format!("a mesh and its axes are written as in `@ {mesh} {axes}`")
        }
    };
    let read = ahead.taken();
    cursor.take_many(read);
    let message = "a mesh and a sharding have no names before them";
    cursor.report(cursor.since(span), message, help);
    Err(Stop)
}

/// The translation of the specification that comes next, `P("data", None)`; `None` if there is none.
pub(super) fn specification<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    while matches!(ahead.peek(), Some(Kind::Word(_) | Kind::Symbol('.'))) {
        ahead.next();
    }
    ahead.take(&Kind::Open('('))?;
    Some(format!("[{}]", dimensions(&mut ahead)?.join(", ")))
}

/// The translation of the list or tuple that comes next, `["data", None]`; `None` if it is not one of Python.
pub(super) fn in_list<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    ahead.take(&Kind::Open('[')).or_else(|| ahead.take(&Kind::Open('(')))?;
    let dims = dimensions(&mut ahead).filter(|dims| !dims.is_empty())?;
    Some(format!("[{}]", dims.join(", ")))
}

/// The axes of each dimension, in braces; `None` if they are not written out.
fn dimensions<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<Vec<String>> {
    let mut dims = Vec::new();
    loop {
        match cursor.peek()? {
            Kind::Close(_) => return Some(dims),
            Kind::Word(word) if word == "None" => {
                dims.push("{}".to_string());
                cursor.next();
            }
            Kind::Open(open @ ('(' | '[')) => {
                let close = Kind::Close(if *open == '(' { ')' } else { ']' });
                cursor.next();
                let mut axes = Vec::new();
                while cursor.take(&close).is_none() {
                    axes.push(axis(cursor)?);
                    cursor.take_symbol(',');
                }
                dims.push(format!("{{{}}}", axes.join(", ")));
            }
            _ => {
                let axis = axis(cursor)?;
                dims.push(format!("{{{axis}}}"));
            }
        }
        cursor.take_symbol(',');
    }
}

/// An axis in quotes, double as in Rust or single as in Python.
fn axis<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<String> {
    // rustc reads `'data'` as one literal, which it also reports.
    if let Some(Kind::Other(literal)) = cursor.peek()
        && let Some(name) = literal.strip_prefix('\'').and_then(|name| name.strip_suffix('\''))
    {
        cursor.next();
        return Some(format!("\"{name}\""));
    }
    let quoted = cursor.take_symbol('\'');
    let name = match cursor.next().map(|token| &token.kind) {
        Some(Kind::Text(name)) if !quoted => name,
        Some(Kind::Word(name)) if quoted => name,
        _ => return None,
    };
    (!quoted || cursor.take_symbol('\'')).then(|| format!("\"{name}\""))
}

#[cfg(test)]
mod tests {
    use crate::sharding::TensorSharding;

    #[test]
    fn specifications_of_jax_are_translated() {
        for (text, help) in [
            ("P(\"data\", None)", "write `[{\"data\"}, {}]`"),
            ("P('data', ('x', 'y'))", "write `[{\"data\"}, {\"x\", \"y\"}]`"),
            ("PartitionSpec(None,)", "write `[{}]`"),
            ("jax.sharding.PartitionSpec()", "write `[]`"),
            ("NamedSharding(mesh, P(\"data\"))", "write `[{\"data\"}]`"),
            ("P(axis)", "the axes of each dimension go in braces: `[{\"data\"}, {}]`"),
        ] {
            let error = alloc::format!("<@mesh, {text}>").parse::<TensorSharding>().unwrap_err();
            let [mistake] = error.mistakes() else { panic!("{text}: {error}") };
            assert_eq!(mistake.help, help, "{text}");
        }
    }

    #[test]
    fn every_mistake_of_a_sharding_is_found_at_once() {
        let text = "<@mesh, [{data}, None, {\"a\", ?, \"b\"}, {\"c\"}q], replicated={x}>";
        let error = text.parse::<TensorSharding>().unwrap_err();
        assert_eq!(error.mistakes().len(), 5, "{error}");
    }
}
