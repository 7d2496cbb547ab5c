use super::body::{ReductionSyntax, StatementSyntax};
use super::schedule::{ScheduleSyntax, WORDS};
use super::steps::steps;
use super::{Name, name, tokens, used};
use crate::sparse::syntax::{EncodingSyntax, parse_encoding};
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::layout::elements_of;
use crate::syntax::{
    Cursor, HEAD, Kind, LastComma, Offer, Parsed, Span, Stop, Token, list, nearest, separated,
    written,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The expected type of an operand, in messages.
const TYPE: &str = "a type: `Dense<f64>`, `Csr<f64>` or `f64`";

/// A function.
#[derive(Clone, Debug)]
pub struct KernelSyntax<S> {
    /// The location of each attribute, including documentation.
    pub attributes: Vec<S>,
    /// The location of `pub` and the parentheses after it.
    pub visibility: Option<S>,
    /// Its name.
    pub name: Name<S>,
    /// The operands.
    pub parameters: Vec<OperandSyntax<S>>,
    /// The output.
    pub output: OperandSyntax<S>,
    /// The statement.
    pub statement: StatementSyntax<S>,
    /// How it should run.
    pub schedule: Vec<ScheduleSyntax<S>>,
    /// The location of the function, without attributes.
    pub span: S,
}

/// An item of the macro's input.
#[derive(Clone, Debug)]
pub enum ItemSyntax<S> {
    /// A function of one statement.
    One(Box<KernelSyntax<S>>),
    /// A function of several statements, or with several outputs.
    Several(SeveralSyntax<S>),
}

impl<S: Span> ItemSyntax<S> {
    /// The location of each attribute, including documentation.
    pub fn attributes(&self) -> &[S] {
        match self {
            Self::One(kernel) => &kernel.attributes,
            Self::Several(several) => &several.attributes,
        }
    }

    /// The location of the function, without attributes.
    pub fn span(&self) -> S {
        match self {
            Self::One(kernel) => kernel.span,
            Self::Several(several) => several.span,
        }
    }

    /// All items that have a type: the parameters, the outputs and the temporaries.
    pub fn operands(&self) -> Vec<&OperandSyntax<S>> {
        match self {
            Self::One(kernel) => kernel.parameters.iter().chain([&kernel.output]).collect(),
            Self::Several(several) => {
                let declared = several.steps.iter().filter_map(|step| step.declared.as_ref());
                several.parameters.iter().chain(&several.outputs).chain(declared).collect()
            }
        }
    }
}

/// A function of several statements, which run one after another.
#[derive(Clone, Debug)]
pub struct SeveralSyntax<S> {
    /// The location of each attribute, including documentation.
    pub attributes: Vec<S>,
    /// The location of `pub` and the parentheses after it.
    pub visibility: Option<S>,
    /// Its name.
    pub name: Name<S>,
    /// The operands.
    pub parameters: Vec<OperandSyntax<S>>,
    /// Whether all operands could be read.
    pub has_parameters: bool,
    /// The outputs.
    pub outputs: Vec<OperandSyntax<S>>,
    /// The statements.
    pub steps: Vec<StepSyntax<S>>,
    /// The names of operands, and of results of statements, that could not be read; empty for one whose name could not be read.
    /// Their mistakes have been reported.
    pub failed: Vec<String>,
    /// The location of the function, without attributes.
    pub span: S,
}

/// One of several statements.
#[derive(Clone, Debug)]
pub struct StepSyntax<S> {
    /// The temporary that it declares with `let`, if any.
    pub declared: Option<OperandSyntax<S>>,
    /// The statement.
    pub statement: StatementSyntax<S>,
    /// How it should run.
    pub schedule: Vec<ScheduleSyntax<S>>,
    /// The type in which it is computed, if it differs from the type of its output: `; accumulator(f64)`.
    pub accumulator: Option<Name<S>>,
}

/// `a: Csr<f64>[i, j]`
#[derive(Clone, Debug)]
pub struct OperandSyntax<S> {
    /// Its name.
    pub name: Name<S>,
    /// How it is stored.
    pub ty: TypeSyntax<S>,
    /// The type of its elements, which can be any type of Rust.
    pub element: Name<S>,
    /// The whole type, if it could also be the type of one value: it has a type in angle brackets, and no dimensions follow.
    whole: Option<Name<S>>,
    /// The names of its dimensions.
    pub dims: Vec<Name<S>>,
    /// The location of the operand.
    pub span: S,
    /// Whether it was made for a statement, so that its name and the type of its elements are not in the text at their locations.
    pub made: bool,
}

impl<S: Span> OperandSyntax<S> {
    /// A dense temporary, or a number, that is made for a statement.
    pub(super) fn made(name: Name<S>, element: Name<S>, dims: Vec<Name<S>>) -> Self {
        let ty = if dims.is_empty() { TypeSyntax::Scalar } else { TypeSyntax::Dense };
        let span = name.span;
        Self { name, ty, element, whole: None, dims, span, made: true }
    }

    /// An element of it, with the names of its dimensions: `a[i, j]`, or `s` for a number.
    pub(super) fn access(&self) -> String {
        let dims: Vec<&str> = self.dims.iter().map(|dim| dim.text.as_str()).collect();
        self.name.text.clone() + &used::in_brackets(&dims)
    }
}

/// How an operand is stored.
#[derive(Clone, Debug)]
pub enum TypeSyntax<S> {
    /// `f64`: one value.
    Scalar,
    /// `Dense<f64>`: all values in row-major order.
    Dense,
    /// `Packed<tpu!(bf16[64, 128])>`: all values in a tiled layout.
    Tiled(LayoutSyntax<S>),
    /// `Csr<f64>`: an encoding with a name.
    Alias(Name<S>),
    /// `{(i, j) -> (i : dense, j : compressed)}<f64>`: an encoding.
    Encoding(Box<EncodingSyntax<S>>),
}

/// The layout of a packed operand.
#[derive(Clone, Debug)]
pub struct LayoutSyntax<S> {
    /// The whole layout: `tpu!(bf16[64, 128])`, or the name of a type.
    pub text: Name<S>,
    /// The type of its elements, if it is written out.
    pub dtype: Option<Name<S>>,
    /// The number of its dimensions, if it is written out.
    pub rank: Option<usize>,
}

pub(super) fn item<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ItemSyntax<S>> {
    cursor.reads(
        "a kernel is written `fn f(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] = a[i, j] }`",
    );
    let head = cursor.rust(HEAD, |rust, at| rust.head(at))?;
    let attributes = head.attributes.iter().filter_map(|len| cursor.take_many(*len)).collect();
    let first = cursor.span();
    let visibility = cursor.take_many(head.visibility);
    if cursor.is_word("def") {
        cursor.unexpected_with_help("`fn`", "write `fn`");
        cursor.next();
    } else if let Some(Kind::Word(word)) = cursor.peek()
        && WORDS.contains(&word.as_str())
    {
        let help = alloc::format!("a schedule follows its statement, in the braces: `; {word}(i)`");
        return Err(cursor.unexpected_with_help("`fn`", &help));
    } else {
        cursor.expect_word("fn")?;
    }
    let name = name(cursor, "the name of the function")?;
    if cursor.peek() == Some(&Kind::Symbol('<')) {
        let first = cursor.span();
        cursor.skip_to(|cursor| cursor.peek() == Some(&Kind::Open('(')));
        let help = "leave them out: a kernel is compiled for the types that are written; a `macro_rules!` around it can insert others";
        cursor.report(cursor.since(first), "a kernel has no generic parameters", help);
    }
    let mutable = mutable(cursor);
    cursor.expect(&Kind::Open('('))?;
    // All parts are read, even if one of them has a mistake.
    let mut failed = Vec::new();
    let parameters = operands(cursor, &mut failed);
    if parameters.is_err() && failed.is_empty() {
        failed.push(String::new());
    }
    let has_parameters = failed.is_empty();
    // If the list of operands is not closed, it has swallowed the rest.
    if parameters.is_err() && cursor.peek().is_none() {
        return Err(Stop);
    }
    let mut parameters = parameters.unwrap_or_default();
    let is_mutable = |operand: &OperandSyntax<S>| Some(&operand.name.text) == mutable.as_ref();
    let mut outputs = match parameters.iter().position(is_mutable) {
        // It is read as the output, which has been reported.
        Some(at) if at_body(cursor) => alloc::vec![parameters.remove(at)],
        _ => cursor.part(at_body, outputs).unwrap_or_default(),
    };
    single_values(&mut parameters, &mut outputs);
    cursor.reads(
        "a statement is written `y[i] = 2 * a[i, j]`, and a schedule follows it: `; parallel(i)`",
    );
    let steps = steps(cursor, outputs.first(), &mut failed)?;
    let span = cursor.since(first);
    if outputs.is_empty() {
        return Err(Stop);
    }
    let plain = |step: &StepSyntax<S>| {
        step.declared.is_none()
            && step.accumulator.is_none()
            && !matches!(step.statement.reduction, ReductionSyntax::Witness { .. })
    };
    if !failed.is_empty() || outputs.len() > 1 || steps.len() > 1 || !steps.iter().all(plain) {
        return Ok(ItemSyntax::Several(SeveralSyntax {
            attributes,
            visibility,
            name,
            parameters,
            has_parameters,
            outputs,
            steps,
            failed,
            span,
        }));
    }
    let (output, mut steps) = (outputs.remove(0), steps);
    let step = steps.remove(0);
    Ok(ItemSyntax::One(Box::new(KernelSyntax {
        attributes,
        visibility,
        name,
        parameters,
        output,
        statement: step.statement,
        schedule: step.schedule,
        span,
    })))
}

/// The name of the last operand that is written `y: &mut ..` in the list that comes next.
fn mutable<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let list = &cursor.rest()[..cursor.group_len()];
    let named = list.windows(4).rev().find_map(|tokens| match tokens {
        [name, colon, reference, Token { kind: Kind::Word(word), .. }]
            if colon.kind == Kind::Symbol(':')
                && reference.kind == Kind::Symbol('&')
                && word == "mut" =>
        {
            Some(&name.kind)
        }
        _ => None,
    });
    match named? {
        Kind::Word(name) => Some(name.clone()),
        _ => None,
    }
}

/// Whether another function may begin here.
pub(super) fn at_item<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    cursor.is_word("fn") || cursor.is_word("pub") || cursor.peek() == Some(&Kind::Symbol('#'))
}

/// Whether the body of a function comes next: braces with which the function ends. The braces of an encoding do not.
fn at_body<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    if cursor.peek() != Some(&Kind::Open('{')) {
        return false;
    }
    let mut after = Cursor::new(cursor.rest(), cursor.end());
    after.skip_group();
    after.peek().is_none() || at_item(&after)
}

/// `-> y: Dense<f64>[i]`, or several outputs in parentheses.
fn outputs<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<OperandSyntax<S>>> {
    if (cursor.peek(), cursor.peek_nth(1)) == (Some(&Kind::Symbol('=')), Some(&Kind::Symbol('>'))) {
        let first = cursor.span();
        let span = cursor.take_many(2).unwrap_or(first);
        cursor.report(span, "expected `->`, found `=>`", "write `->`");
    } else if !cursor.take_symbol('-') || !cursor.take_symbol('>') {
        let help = match used::target(cursor.rest()) {
            Some((name, dims)) if dims.is_empty() => {
                alloc::format!("the output follows the operands: `-> {name}: f64`")
            }
            Some((name, dims)) => alloc::format!(
                "the output follows the operands: `-> {name}: Dense<f64>{}`",
                used::in_brackets(&dims)
            ),
            None => "the output follows the operands: `-> y: Dense<f64>[i]`".into(),
        };
        return Err(cursor.unexpected_with_help("`->` and the output", &help));
    }
    let parenthesis = cursor.span();
    if cursor.take(&Kind::Open('(')).is_none() {
        if let Some(output) = unnamed(cursor)? {
            return Ok(alloc::vec![output]);
        }
        let help = "the output has a name and a type: `y: Dense<f64>[i]`";
        return Ok(alloc::vec![operand(cursor, help)?]);
    }
    let mut failed = Vec::new();
    let outputs = operands(cursor, &mut failed)?;
    if outputs.is_empty() && failed.is_empty() {
        let help = "name what it computes: `-> y: Dense<f64>[i]`";
        cursor.report(parenthesis, "a kernel has an output", help);
    }
    if failed.is_empty() { Ok(outputs) } else { Err(Stop) }
}

/// Reports an output without a name, `-> Dense<f64>[i]`, and reads it with the name that the body gives it.
fn unnamed<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Option<OperandSyntax<S>>> {
    let is_named = matches!(cursor.peek(), Some(Kind::Word(_)))
        && matches!(cursor.peek_nth(1), Some(Kind::Symbol(':' | ';' | '=')))
        && cursor.peek_nth(2) != Some(&Kind::Symbol(':'));
    let is_braced = cursor.peek() == Some(&Kind::Open('{'));
    let Some((name, subscripts)) = used::target(cursor.rest()) else { return Ok(None) };
    // `y Dense<f64>[i]` lacks the colon.
    if cursor.is_word(&name) {
        return Ok(None);
    }
    let Some(len) = cursor.rust_type_len().filter(|len| *len > 0 && !is_named && !is_braced) else {
        return Ok(None);
    };
    let first = cursor.span();
    let ty = operand_of_rust(&cursor.rest()[..len]).filter(|_| is_of_rust(cursor));
    let mut inner = Cursor::new(cursor.rest(), cursor.end());
    inner.take_many(len);
    if inner.peek() == Some(&Kind::Open('[')) {
        inner.skip_group();
    }
    let len = inner.taken();
    let dims = used::in_brackets(&subscripts);
    let ty = match ty {
        Some(ty) => alloc::format!("{}{dims}", ty.split('[').next().unwrap_or_default()),
        None => match written(&cursor.rest()[..len]).unwrap_or_default().replace(',', ", ") {
            ty if ty.contains('[') => ty,
            // A number cannot have indices.
            ty if !dims.is_empty() && !ty.contains('<') => alloc::format!("Dense<{ty}>{dims}"),
            ty => alloc::format!("{ty}{dims}"),
        },
    };
    let help = alloc::format!("write `{name}: {ty}`");
    let span = inner.since(first);
    cursor.report(span, "the output has no name", help);
    // It is read as the type that the help shows, if that is the one that is written.
    if written(&cursor.rest()[..len]).unwrap_or_default().replace(',', ", ") != ty {
        cursor.take_many(len);
        return Err(Stop);
    }
    typed(cursor, Name { text: name, span }).map(Some)
}

/// Reads `s: Number<f64>` as one value if other operands have elements of that type, since all elements of a function have the same
/// type. Without dimensions in brackets it cannot be a tensor.
fn single_values<S: Span>(parameters: &mut [OperandSyntax<S>], outputs: &mut [OperandSyntax<S>]) {
    let operands = parameters.iter().chain(&*outputs);
    let elements: Vec<String> = operands.map(|operand| operand.element.text.clone()).collect();
    for operand in parameters.iter_mut().chain(outputs) {
        if let Some(whole) = operand.whole.take_if(|whole| elements.contains(&whole.text)) {
            operand.ty = TypeSyntax::Scalar;
            operand.element = whole;
        }
    }
}

/// Reads operands up to the closing parenthesis, even after an operand with a mistake, whose name is added to `failed`.
fn operands<S: Span>(
    cursor: &mut Cursor<'_, S>,
    failed: &mut Vec<String>,
) -> Parsed<Vec<OperandSyntax<S>>> {
    let read = separated(cursor, ')', LastComma::Allowed, |cursor| {
        let name = match cursor.peek() {
            Some(Kind::Word(name)) => name.as_str(),
            _ => "",
        };
        let lacks_type = matches!(cursor.peek_nth(1), Some(Kind::Symbol(',') | Kind::Close(')')));
        let example = match used::subscripts(cursor.rest(), name) {
            _ if name.is_empty() || !lacks_type => "a: Csr<f64>[i, j]".into(),
            Some(dims) => alloc::format!("{name}: Dense<f64>{}", used::in_brackets(&dims)),
            None => alloc::format!("{name}: f64"),
        };
        let help = alloc::format!("an operand has a name and a type: `{example}`");
        let read = operand(cursor, &help).and_then(|operand| elements_apart(cursor, operand));
        if read.is_err() {
            failed.push(name.into());
        }
        read
    })?;
    if failed.is_empty() && read.iter().any(Option::is_none) {
        failed.push(String::new());
    }
    Ok(read.into_iter().flatten().collect())
}

/// Reports `Dense f64[j]`, whose `Dense` has been read.
fn elements_apart<S: Span>(
    cursor: &mut Cursor<'_, S>,
    operand: OperandSyntax<S>,
) -> Parsed<OperandSyntax<S>> {
    let is_plain = matches!(operand.ty, TypeSyntax::Scalar) && operand.dims.is_empty();
    match cursor.peek() {
        Some(Kind::Word(element)) if is_plain && cursor.peek_nth(1) != Some(&Kind::Symbol(':')) => {
            cursor.next();
            let help = alloc::format!("write `{}<{element}>`", operand.element.text);
            let span = cursor.since(operand.element.span);
            cursor.report(span, "the type of the elements goes in angle brackets", help);
            Err(Stop)
        }
        _ => Ok(operand),
    }
}

/// Reads an operand or the output; `help` shows one.
fn operand<S: Span>(cursor: &mut Cursor<'_, S>, help: &str) -> Parsed<OperandSyntax<S>> {
    let name = name(cursor, "an operand: `a: Csr<f64>[i, j]`")?;
    if !cursor.take_symbol(':') {
        let is_instead = matches!(cursor.peek(), Some(Kind::Symbol(';' | '=')));
        if !is_instead || !matches!(cursor.peek_nth(1), Some(Kind::Word(_) | Kind::Open('{'))) {
            return Err(cursor.unexpected_with_help("`:`", help));
        }
        cursor.unexpected_with_help("`:`", "write `:`");
        cursor.next();
    }
    typed(cursor, name)
}

/// Reads the type of an operand, and its dimensions.
pub(super) fn typed<S: Span>(
    cursor: &mut Cursor<'_, S>,
    name: Name<S>,
) -> Parsed<OperandSyntax<S>> {
    let start = cursor.taken();
    let (mut ty, mut element);
    let mut whole = None;
    if cursor.take(&Kind::Open('{')).is_some() {
        let encoding = parse_encoding(cursor).ok_or(Stop)?;
        cursor.expect_close('}')?;
        ty = TypeSyntax::Encoding(Box::new(encoding));
        element = element_in_brackets(cursor)?;
    } else {
        let all;
        (ty, element, all) = operand_type(cursor)?;
        if let (TypeSyntax::Scalar, Some(inner)) = (&ty, element_in_square_brackets(cursor)) {
            let message = "the type of the elements goes in angle brackets";
            let help = alloc::format!("write `{}<{}>`", element.text, inner.text);
            cursor.report(cursor.since(element.span), message, help);
            let is_dense = element.text == "Dense";
            ty = if is_dense { TypeSyntax::Dense } else { TypeSyntax::Alias(element) };
            element = inner;
        }
        let tensor = cursor.peek() == Some(&Kind::Open('['));
        whole = (matches!(ty, TypeSyntax::Alias(_)) && !tensor).then_some(all);
    }
    let mut dims = dims(cursor)?;
    let span = cursor.since(name.span);
    if dims.is_empty()
        && !matches!(ty, TypeSyntax::Scalar)
        && let Some(used) = used::subscripts(cursor.rest(), &name.text)
    {
        // The body is read with the names that it uses.
        let ty = written(cursor.from(start)).unwrap_or_default().replace('&', "");
        let help = alloc::format!("write `{}: {ty}{}`", name.text, used::in_brackets(&used));
        let message = alloc::format!("the dimensions of `{}` have no names", name.text);
        cursor.report(span, message, help);
        dims = used.into_iter().map(|text| Name { text, span }).collect();
        whole = None;
    }
    Ok(OperandSyntax { name, ty, element, whole, dims, span, made: false })
}

/// Reads the `[f64]` of `Csr[f64][i, j]`, an element type in the wrong brackets.
fn element_in_square_brackets<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<Name<S>> {
    let is_element = cursor.peek() == Some(&Kind::Open('['))
        && cursor.peek_nth(2) == Some(&Kind::Close(']'))
        && cursor.peek_nth(3) == Some(&Kind::Open('['));
    let Some(Kind::Word(element)) = cursor.peek_nth(1).filter(|_| is_element) else { return None };
    let element = element.clone();
    cursor.next();
    let span = cursor.span();
    cursor.take_many(2);
    Some(Name { text: element, span })
}

/// Reads the names of the dimensions of an operand, if it has any.
pub(super) fn dims<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<Name<S>>> {
    match cursor.take(&Kind::Open('[')) {
        Some(_) => list(cursor, ']', |cursor| name(cursor, "the name of a dimension")),
        // `Csr<f64>(i, j)`
        None if cursor.peek() == Some(&Kind::Open('('))
            && matches!(cursor.peek_nth(1), Some(Kind::Word(_)))
            && !at_body(cursor) =>
        {
            let first = cursor.span();
            let text =
                written(&cursor.rest()[1..cursor.group_len().max(2) - 1]).unwrap_or_default();
            cursor.next();
            let dims = list(cursor, ')', |cursor| name(cursor, "the name of a dimension"))?;
            let help = alloc::format!("write `[{}]`", text.replace(',', ", "));
            cursor.report(cursor.since(first), "the names of dimensions go in brackets", help);
            Ok(dims)
        }
        None if matches!(cursor.peek(), Some(Kind::Open('(' | '{'))) && !at_body(cursor) => {
            let help = "the names of its dimensions go in brackets: `a: Csr<f64>[i, j]`";
            Err(cursor.unexpected_with_help("`[`", help))
        }
        None => Ok(Vec::new()),
    }
}

/// `Dense<f64>`, `formats::Csr<f64>`, or the type of one value: how the operand is stored, its element type, and the whole
/// type.
fn operand_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(TypeSyntax<S>, Name<S>, Name<S>)> {
    type_of_rust(cursor)?;
    if !matches!(cursor.peek(), Some(Kind::Word(_) | Kind::Symbol(':' | '<'))) {
        let is_reference = cursor.peek() == Some(&Kind::Symbol('&'));
        if is_reference && matches!(cursor.peek_nth(1), Some(Kind::Word(word)) if word == "mut") {
            let first = cursor.span();
            let span = cursor.take_many(2).unwrap_or(first);
            let message = "an operand does not change: the output follows the operands";
            cursor.report(span, message, "write it after an arrow: `-> y: Dense<f64>[i]`");
            return operand_type(cursor);
        }
        let help = if is_reference { "leave it out: operands are always borrowed" } else { "" };
        let stop = cursor.unexpected_with_help(TYPE, help);
        if !is_reference || !matches!(cursor.peek_nth(1), Some(Kind::Word(_))) {
            return Err(stop);
        }
        cursor.next();
    }
    let parts = cursor.rust(&alloc::format!("write {TYPE}"), |rust, at| rust.ty(at))?;
    cursor.offer_among(parts.len, Offer::Type);
    let (whole, path) = (tokens(cursor, 0..parts.len), tokens(cursor, 0..parts.path));
    let read = match &parts.arguments[..] {
        [] => (TypeSyntax::Scalar, whole.clone()),
        [argument] if argument.is_empty() => {
            cursor.take_many(argument.start);
            return Err(cursor.unexpected("an element type: `f64`"));
        }
        [argument] => {
            let element = tokens(cursor, argument.clone());
            if let Some(meant) = misspelled(&path.text) {
                let help = alloc::format!("did you mean `{meant}`?");
                cursor.report(
                    path.span,
                    alloc::format!("unknown operand type `{}`", path.text),
                    help,
                );
                let whole = tokens(cursor, 0..parts.len);
                cursor.take_many(parts.len);
                return Ok((TypeSyntax::Dense, element, whole));
            }
            match path.text.as_str() {
                "Dense" => (TypeSyntax::Dense, element),
                path if path == "Packed" || path.ends_with("::Packed") => {
                    let layout = layout(cursor, argument.clone());
                    let host = |dtype: &Name<S>| elements_of(&dtype.text);
                    let text = match layout.dtype.as_ref().and_then(host) {
                        Some(element) => element.name().into(),
                        None => alloc::format!("Host<{}>", element.text),
                    };
                    let span = layout.dtype.as_ref().map_or(element.span, |dtype| dtype.span);
                    (TypeSyntax::Tiled(layout), Name { text, span })
                }
                // `Complex<f64>` is one value.
                _ if ElementType::parse(&whole.text).is_some() => {
                    (TypeSyntax::Scalar, whole.clone())
                }
                _ => (TypeSyntax::Alias(path), element),
            }
        }
        [first, others @ ..] => {
            let message = alloc::format!("`{}` takes one type, that of its elements", path.text);
            let help =
                alloc::format!("write `{}<{}>`", path.text, tokens(cursor, first.clone()).text);
            for other in others {
                let span = tokens(cursor, other.clone()).span;
                cursor.report(span, message.clone(), help.clone());
            }
            cursor.take_many(parts.len);
            return Err(Stop);
        }
    };
    cursor.take_many(parts.len);
    let (ty, element) = read;
    Ok((ty, element, whole))
}

/// `Dense` or `Packed`, if a word is a slip of it. Any other word is the name of an encoding.
fn misspelled(word: &str) -> Option<&'static str> {
    if matches!(
        word,
        "dense"
            | "DENSE"
            | "Dens"
            | "Dence"
            | "Desne"
            | "DenseTensor"
            | "DenseVector"
            | "DenseMatrix"
            | "DenseVec"
    ) {
        return Some("Dense");
    }
    let is_slip = word.starts_with(['D', 'P']) && !matches!(word, "Dense" | "Packed");
    nearest(word, &["Dense", "Packed"])
        .filter(|meant| is_slip && meant.as_bytes().first() == word.as_bytes().first())
}

/// Reports `&SparseTensor<Csr, f64>`, `&[f64]` and `Vec<f64>`, with the operand to write.
fn type_of_rust<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let first = cursor.span();
    if !is_of_rust(cursor) {
        return Ok(());
    }
    let name = match cursor.from(0) {
        [.., Token { kind: Kind::Word(name), .. }, _] => name.as_str(),
        _ => "",
    };
    let Some(len) = cursor.rust_type_len() else { return Ok(()) };
    let Some(operand) = operand_of_rust(&cursor.rest()[..len]) else { return Ok(()) };
    let span = cursor.take_many(len).unwrap_or(first);
    if cursor.peek() == Some(&Kind::Open('[')) {
        cursor.skip_group();
    }
    let count = operand.split('[').nth(1).map_or(0, |dims| dims.split(',').count());
    let used = used::subscripts(cursor.rest(), name).filter(|used| used.len() == count);
    let help = match used {
        Some(used) => {
            let ty = operand.split('[').next().unwrap_or_default();
            alloc::format!("write `{ty}{}`", used::in_brackets(&used))
        }
        None => alloc::format!("write `{operand}`, with names of your own for the dimensions"),
    };
    cursor.report(span, alloc::format!("expected {TYPE}, found a type of Rust"), help);
    Err(Stop)
}

/// Whether a type of Rust comes next.
fn is_of_rust<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    match cursor.peek() {
        Some(Kind::Symbol('&') | Kind::Open('[')) => true,
        Some(Kind::Word(word)) => word == "Vec" || word == "SparseTensor",
        _ => false,
    }
}

/// The operand that corresponds to a type of Rust: `Csr<f64>[i, j]` for `&SparseTensor<Csr, f64>`, and `Dense<f64>[i]` for
/// `&[f64]`.
fn operand_of_rust<S>(tokens: &[Token<S>]) -> Option<String> {
    let words = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Word(word) if word != "mut" => Some(word.as_str()),
        _ => None,
    });
    let words: Vec<_> = words.collect();
    if let Some(tensor) = words.iter().position(|word| *word == "SparseTensor") {
        let [encoding, element] = words[tensor + 1..] else { return None };
        return Some(alloc::format!("{encoding}<{element}>[i, j]"));
    }
    let lists = tokens.iter().filter(|token| token.kind == Kind::Open('[')).count();
    let rank = lists + words.iter().filter(|word| **word == "Vec").count();
    let element = words.iter().find(|word| **word != "Vec")?;
    let dims = ["i", "j", "k", "l"].get(..rank).filter(|dims| !dims.is_empty())?;
    Some(alloc::format!("Dense<{element}>[{}]", dims.join(", ")))
}

/// `tpu!(bf16[64, 128])`, or the name of a type.
fn layout<S: Span>(cursor: &Cursor<'_, S>, range: Range<usize>) -> LayoutSyntax<S> {
    let text = tokens(cursor, range.clone());
    let all = &cursor.rest()[range.clone()];
    let written =
        |word: &Kind| matches!(word, Kind::Word(word) if word == "tpu" || word == "tiled");
    let at = (3..all.len())
        .find(|at| written(&all[at - 3].kind) && all[at - 2].kind == Kind::Symbol('!'));
    let Some(at) = at else { return LayoutSyntax { text, dtype: None, rank: None } };
    let dtype = tokens(cursor, range.start + at..range.start + at + 1);
    let mut rank = None;
    if all.get(at + 1).map(|token| &token.kind) == Some(&Kind::Open('[')) {
        // The brackets of a size can also contain commas.
        let (mut depth, mut commas, mut empty) = (0, 0, true);
        for token in &all[at + 2..] {
            match token.kind {
                Kind::Close(_) if depth == 0 => break,
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth -= 1,
                Kind::Symbol(',') if depth == 0 => {
                    commas += usize::from(!empty);
                    empty = true;
                    continue;
                }
                _ => {}
            }
            empty = false;
        }
        rank = Some(commas + usize::from(!empty));
    }
    LayoutSyntax { text, dtype: Some(dtype), rank }
}

/// `<f64>`
fn element_in_brackets<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Name<S>> {
    cursor.expect(&Kind::Symbol('<'))?;
    if matches!(cursor.peek(), None | Some(Kind::Symbol('>' | ',') | Kind::Close(_))) {
        return Err(cursor.unexpected("an element type: `f64`"));
    }
    let len = cursor.rust("write a type: `f64`", |rust, at| rust.ty(at))?.len;
    let element = tokens(cursor, 0..len);
    cursor.take_many(len);
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(element)
}
