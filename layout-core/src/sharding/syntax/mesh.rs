use super::{axis_name, elsewhere, report};
use crate::sharding::{Location, Mesh, MeshAxis};
use crate::syntax::{
    Cursor, Diagnostics, Kind, Number, Offer, Parsed, Span, Stop, items, list, number,
};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `["a"=2, "b"=4], device_ids=[..]`
#[derive(Clone, Debug)]
pub struct MeshSyntax<S> {
    /// The axes: name, size and span of each.
    pub axes: Vec<(String, Number<S>, S)>,
    /// The device ids as written.
    pub device_ids: Vec<Number<S>>,
    /// Their span.
    pub device_ids_span: S,
    /// The span of the whole text.
    pub span: S,
}

/// What a mesh looks like.
pub(super) const MESH: &str =
    "a mesh lists its axes and their sizes in brackets: `[\"data\"=2, \"model\"=4]`";

/// Reads a mesh, with or without angle brackets. `None` if reading had to stop.
pub fn parse_mesh<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<MeshSyntax<S>> {
    cursor.reads(MESH);
    mesh(cursor).ok()
}

pub(super) fn mesh<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<MeshSyntax<S>> {
    if !cursor.take_symbol('<') {
        return body(cursor);
    }
    let mesh = body(cursor)?;
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(mesh)
}

fn body<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<MeshSyntax<S>> {
    elsewhere::mesh(cursor)?;
    if cursor.peek() != Some(&Kind::Open('[')) {
        return Err(cursor.unexpected_with_help("`[`", MESH));
    }
    let (open, first) = (cursor.span(), cursor.taken());
    cursor.next();
    // The device ids are read even if an axis has a mistake.
    let mut has_sizes = true;
    let axes = items(cursor, ']', |cursor| {
        called(cursor)?;
        let (name, span) = axis_name(cursor)?;
        if !cursor.take_symbol('=') {
            let size = match (cursor.peek_nth(0), cursor.peek_nth(1)) {
                (Some(Kind::Symbol(_)), Some(Kind::Number(size))) => Some(size.as_str()),
                _ => None,
            };
            let help = format!("its size follows the name: `{name:?}={}`", size.unwrap_or("4"));
            let stop = cursor.unexpected_with_help("`=`", &help);
            match size {
                Some(_) => _ = cursor.next(),
                None => return Err(stop),
            }
        }
        if let Some(Kind::Word(_) | Kind::Open('{')) = cursor.peek() {
            let help = "write a number: other macros read the size of the axis from the text";
            let start = cursor.span();
            cursor.unexpected_with_help("a number", help);
            let len = cursor.group_len().max(1);
            cursor.take_many(len);
            // `devices.len()`, `count()`
            if matches!(cursor.peek(), Some(Kind::Open('(') | Kind::Symbol('.' | ':' | '*' | '/')))
            {
                cursor.skip_to(Cursor::at_separator);
            }
            has_sizes = false;
            return Ok((name, Number { value: 1, span: start }, cursor.since(span)));
        }
        let size = number(cursor)?;
        Ok((name, size, cursor.since(span)))
    });
    several_lists(cursor, first)?;
    let mut device_ids_span = cursor.since(open);
    let mut device_ids = Vec::new();
    cursor.offer_among(2, Offer::MeshProperty);
    let follows = matches!(cursor.peek_nth(1), Some(Kind::Word(word)) if word == "device_ids");
    if follows && cursor.take_symbol(',') {
        let start = cursor.expect_word("device_ids")?;
        cursor.expect(&Kind::Symbol('='))?;
        cursor.expect(&Kind::Open('['))?;
        // The axes are read even if a device has a mistake.
        device_ids = list(cursor, ']', number).unwrap_or_default();
        // The number of devices is not known.
        if !has_sizes {
            device_ids.clear();
        }
        device_ids_span = cursor.since(start);
    }
    if let (Some(Kind::Symbol(',')), Some(Kind::Word(word)), Some(Kind::Symbol('='))) =
        (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2))
        && word != "device_ids"
    {
        cursor.next();
        let help = "did you mean `device_ids`?";
        cursor.report(cursor.span(), format!("unknown property `{word}` of a mesh"), help);
        cursor.skip_to(Cursor::at_separator_or_angle);
    }
    let axes = axes?.into_iter().collect::<Option<_>>().ok_or(Stop)?;
    Ok(MeshSyntax { axes, device_ids, device_ids_span, span: cursor.since(open) })
}

/// Reports `data(2)` instead of `"data"=2`.
fn called<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let (Some(Kind::Word(name) | Kind::Text(name)), Some(Kind::Open(_)), Some(Kind::Number(size))) =
        (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2))
    else {
        return Ok(());
    };
    let first = cursor.span();
    cursor.next();
    cursor.skip_group();
    let help = format!("write `{name:?}={size}`");
    cursor.report(cursor.since(first), "an axis is its name in quotes and its size", help);
    Err(Stop)
}

/// Reports a further list of axes, `["x"=2] x ["y"=4]`, of which the first one begins at token `first`.
fn several_lists<S: Span>(cursor: &mut Cursor<'_, S>, first: usize) -> Parsed<()> {
    let sign = usize::from(matches!(cursor.peek(), Some(Kind::Word(_) | Kind::Symbol(_))));
    if cursor.peek_nth(sign) != Some(&Kind::Open('[')) {
        return Ok(());
    }
    let span = cursor.span();
    cursor.take_many(cursor.rest().len());
    let help = match elsewhere::axes(cursor.from(first)) {
        Some(axes) => format!("all axes go in one list: `[{axes}]`"),
        None => MESH.into(),
    };
    cursor.report(cursor.since(span), "a mesh has one list of axes", help);
    Err(Stop)
}

/// The mesh, unless it breaks a rule.
pub fn lower_mesh<S: Span>(
    syntax: &MeshSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Mesh> {
    let before = diagnostics.len();
    let mut positive = |number: &Number<S>, what: &str| match usize::try_from(number.value) {
        Ok(value) => value,
        Err(_) => {
            let message = format!("{what}, got: {}", number.value);
            let problem = crate::sharding::Problem::new(Location::All, message);
            report(
                diagnostics,
                number.span,
                problem.help("write a positive number, or 0 for a device"),
            );
            1
        }
    };
    let axes: Vec<_> = syntax
        .axes
        .iter()
        .map(|(name, size, _)| {
            MeshAxis::new(name.clone(), positive(size, "axis size must be at least 1"))
        })
        .collect();
    let ids: Vec<_> =
        syntax.device_ids.iter().map(|id| positive(id, "device id must be non-negative")).collect();
    if diagnostics.len() > before {
        return None;
    }
    match Mesh::new(axes, ids) {
        Ok(mesh) => Some(mesh),
        Err(error) => {
            for problem in error.problems() {
                let span = match problem.location {
                    Location::MeshAxis(at) => syntax.axes[at].2,
                    Location::DeviceIds => syntax.device_ids_span,
                    Location::DeviceId(at) => syntax.device_ids[at].span,
                    _ => syntax.span,
                };
                report(diagnostics, span, problem.clone());
            }
            None
        }
    }
}
