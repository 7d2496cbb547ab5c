use super::name::candidates;
use super::scope::{Scope, Variable};
use crate::parts::Form;
use crate::sparse::MAX_RANK;
use crate::sparse::{LevelExpr, MAX_LEVELS};
use crate::syntax::{Arithmetic, Cursor, Kind, Operator, Parsed, Span, Stop};
use alloc::format;
use alloc::string::String;

/// How deep parentheses may be nested: reading them recurses.
const MAX_DEPTH: usize = 64;

/// `(sum of variables with coefficients) floordiv div mod modulus`, or a product with a free symbol: a possible expression of a
/// level or of a dimension.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    pub(super) constant: i128,
    /// The coefficient of each dimension, or of each level.
    pub(super) terms: [i128; MAX_LEVELS],
    pub(super) div: i128,
    pub(super) modulus: Option<i128>,
    /// Whether it is multiplied by a free symbol.
    pub(super) counted: bool,
}

impl Affine {
    const fn number(constant: i128) -> Self {
        Self { constant, terms: [0; MAX_LEVELS], div: 1, modulus: None, counted: false }
    }

    fn is_number(&self) -> bool {
        !self.counted && self.is_sum() && self.terms.iter().all(|term| *term == 0)
    }

    fn is_sum(&self) -> bool {
        self.div == 1 && self.modulus.is_none()
    }

    /// The expression as the part of an index that a level holds.
    pub(super) fn level(&self) -> Result<LevelExpr, (String, String)> {
        if self.constant != 0 {
            let message =
                format!("a level cannot add a constant, but this one adds {}", self.constant);
            return Err((message, "leave it out: coordinates count from zero".into()));
        }
        let size = |factor: i128| usize::try_from(factor).unwrap_or(usize::MAX);
        if self.counted {
            let mut terms = self.terms.iter().enumerate().filter(|(_, term)| **term != 0);
            return match (terms.next(), terms.next()) {
                (Some((dim, slots)), None) => {
                    Ok(LevelExpr::Count { dim, slots: usize::try_from(*slots).unwrap_or(0) })
                }
                _ => Err((
                    "a free symbol counts the entries of one dimension".into(),
                    "ELL with three entries to a row has the level `c * 3 * i`".into(),
                )),
            };
        }
        let mut form = Form::ZERO;
        for (coefficient, term) in form.coefficients.iter_mut().zip(&self.terms[..MAX_RANK]) {
            // A number that does not fit is larger than any that is allowed.
            *coefficient = i64::try_from(*term).unwrap_or(i64::MAX);
        }
        Ok(LevelExpr::Part { form, div: size(self.div), modulus: self.modulus.map(size) })
    }
}

/// Reads an affine expression. `Ok(None)` if it was read but is wrong, which has been reported.
pub(super) fn affine<S: Span>(cursor: &mut Cursor<'_, S>, scope: &Scope) -> Parsed<Option<Affine>> {
    let value = Reader(scope).sum(cursor, 0)?;
    let (found, help) = match cursor.peek() {
        Some(Kind::Symbol('/')) => ("/", "write `floordiv`"),
        Some(Kind::Symbol('%')) => ("%", "write `mod`"),
        _ => return Ok(value),
    };
    cursor.report(cursor.span(), format!("a map has no operator `{found}`"), help);
    while !matches!(cursor.peek(), None | Some(Kind::Symbol(':' | ',') | Kind::Close(_))) {
        cursor.next();
    }
    Ok(None)
}

/// How the message for an unknown name ends.
pub(super) const NOT_DECLARED: &str = " is not declared";

/// The help for the size of a block that only rustc could compute.
const BLOCK: &str =
    "write the number: other macros read the encoding from its text, and do not know constants";

struct Reader<'s>(&'s Scope);

impl<S: Span> Arithmetic<S> for Reader<'_> {
    type Value = Option<Affine>;

    const OPERATORS: &'static [Operator] = &[
        Operator::Add,
        Operator::Sub,
        Operator::Mul,
        Operator::Floordiv,
        Operator::Ceildiv,
        Operator::Mod,
    ];

    const SIGNS_NEST: bool = false;

    fn check_depth(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<()> {
        if depth < MAX_DEPTH || cursor.peek() != Some(&Kind::Open('(')) {
            return Ok(());
        }
        let message = format!("parentheses are nested deeper than {MAX_DEPTH}");
        cursor.report(cursor.span(), message, "");
        Err(Stop)
    }

    fn value(&mut self, cursor: &mut Cursor<'_, S>, _: usize) -> Parsed<Self::Value> {
        let span = cursor.span();
        let is_block = matches!(
            cursor.last(),
            Some(Kind::Word(operator)) if matches!(operator.as_str(), "floordiv" | "mod" | "ceildiv")
        );
        if is_block && cursor.peek() == Some(&Kind::Open('{')) {
            cursor.skip_group();
            cursor.report(
                cursor.since(span),
                "the size of a block is a number, found an expression",
                BLOCK,
            );
            return Ok(None);
        }
        if !matches!(cursor.peek(), Some(Kind::Word(_))) {
            let number = super::number::integer(cursor, "a dimension or an integer")?;
            return Ok(Some(Affine::number(number)));
        }
        // The longest name that is declared.
        let names = candidates(cursor);
        let known = names.iter().rev().find(|(name, _)| self.0.find(name).is_some());
        let Some((word, tokens)) = known.or(names.first()) else {
            return Err(cursor.unexpected("a dimension or an integer"));
        };
        if self.0.find(word).is_none() && matches!(word.as_str(), "floordiv" | "mod" | "ceildiv") {
            let help = format!("a dimension precedes it: `i {word} 2`");
            return Err(cursor.unexpected_with_help("a dimension", &help));
        }
        (0..*tokens).for_each(|_| _ = cursor.next());
        if is_block && self.0.find(word).is_none() {
            cursor.report(span, format!("the size of a block is a number, found `{word}`"), BLOCK);
            return Ok(None);
        }
        Ok(match self.0.find(word) {
            Some(Variable::Symbol(_)) => Some(Affine { counted: true, ..Affine::number(1) }),
            Some(Variable::Term(term)) => {
                let mut value = Affine::number(0);
                value.terms[term] = 1;
                Some(value)
            }
            None if self.0.has_others() => None,
            None => {
                cursor.report(span, format!("`{word}`{NOT_DECLARED}"), self.0.declared(word));
                None
            }
        })
    }

    fn negative(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        signs: &[S],
        value: Self::Value,
    ) -> Parsed<Self::Value> {
        Ok(match signs.len().is_multiple_of(2) {
            true => value,
            false => combine(cursor, signs[0], value, Some(Affine::number(-1)), multiply),
        })
    }

    fn apply(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        first: S,
        left: Self::Value,
        operator: Operator,
        right: Self::Value,
    ) -> Parsed<Self::Value> {
        let apply: fn(Affine, Affine) -> Result<Affine, &'static str> = match operator {
            Operator::Add => |left, right| add(left, right, 1),
            Operator::Sub => |left, right| add(left, right, -1),
            Operator::Mul => multiply,
            Operator::Floordiv => floordiv,
            Operator::Mod => modulo,
            _ => |_, _| Err(CEILDIV),
        };
        Ok(combine(cursor, first, left, right, apply))
    }
}

/// Combines two values, or reports why they cannot be combined.
fn combine<S: Span>(
    cursor: &mut Cursor<'_, S>,
    first: S,
    left: Option<Affine>,
    right: Option<Affine>,
    operation: impl FnOnce(Affine, Affine) -> Result<Affine, &'static str>,
) -> Option<Affine> {
    match operation(left?, right?) {
        Ok(value) => Some(value),
        Err(message) => {
            let span = cursor.since(first);
            let help = match message {
                CEILDIV => "parts are rounded down, by `floordiv`",
                CARRIES => "one of the two numbers must divide the other: `(i mod 6) floordiv 3`",
                _ => "a level is a dimension, a sum of them, or a part: `i floordiv 2`, `i mod 2`",
            };
            cursor.report(span, message, help);
            None
        }
    }
}

const CEILDIV: &str = "no level holds a part that `ceildiv` rounds up: it cannot be undone";

const OVERFLOW: &str = "the numbers of this expression are too large";

fn add(left: Affine, right: Affine, sign: i128) -> Result<Affine, &'static str> {
    if left.counted || right.counted {
        return Err("a free symbol has no meaning in a sum: it counts, as in `c * 3 * i`");
    }
    if !left.is_sum() || !right.is_sum() {
        return Err(
            "a level holds one part of the index or one sum of dimensions, not a sum of parts",
        );
    }
    let mut sum = left;
    let terms = sum.terms.iter_mut().zip(right.terms);
    for (term, other) in terms.chain([(&mut sum.constant, right.constant)]) {
        let other = other.checked_mul(sign).ok_or(OVERFLOW)?;
        *term = term.checked_add(other).ok_or(OVERFLOW)?;
    }
    Ok(sum)
}

fn multiply(left: Affine, right: Affine) -> Result<Affine, &'static str> {
    let (mut value, factor) = match (left.is_number(), right.is_number()) {
        (_, true) => (left, right.constant),
        (true, false) => (right, left.constant),
        (false, false) => {
            // A symbol and a dimension: a count.
            let symbolic =
                |value: &Affine| value.counted && value.terms.iter().all(|term| *term == 0);
            let (symbol, value) = if symbolic(&left) { (left, right) } else { (right, left) };
            if !symbolic(&symbol) || value.counted || value.constant != 0 || !value.is_sum() {
                return Err("a product needs a factor that is a number");
            }
            (Affine { counted: true, ..value }, symbol.constant)
        }
    };
    if factor != 1 && !value.is_sum() {
        return Err("a level holds a part of the index, not a multiple of one");
    }
    for term in value.terms.iter_mut().chain([&mut value.constant]) {
        *term = term.checked_mul(factor).ok_or(OVERFLOW)?;
    }
    Ok(value)
}

/// The number that `value` is divided by.
fn divisor(value: &Affine, right: &Affine) -> Result<i128, &'static str> {
    if value.counted || right.counted {
        return Err("a free symbol has no meaning in a quotient: it counts, as in `c * 3 * i`");
    }
    match right.is_number() {
        true if right.constant > 0 => Ok(right.constant),
        true => Err("the right side of `floordiv` and `mod` must be positive"),
        false => Err("the right side of `floordiv` and `mod` must be a number"),
    }
}

const CARRIES: &str =
    "the inner block is not a multiple of the outer one, so the part cannot be found in the index";

fn floordiv(mut value: Affine, right: Affine) -> Result<Affine, &'static str> {
    let divisor = divisor(&value, &right)?;
    if let Some(modulus) = value.modulus {
        // `(x mod m) floordiv d` is `(x floordiv d) mod (m / d)` if d divides m.
        if modulus % divisor != 0 {
            return Err(CARRIES);
        }
        value.modulus = Some(modulus / divisor);
    }
    value.div = value.div.checked_mul(divisor).ok_or(OVERFLOW)?;
    Ok(value)
}

fn modulo(mut value: Affine, right: Affine) -> Result<Affine, &'static str> {
    let divisor = divisor(&value, &right)?;
    value.modulus = match value.modulus {
        None => Some(divisor),
        Some(modulus) if modulus % divisor == 0 => Some(divisor),
        Some(modulus) if divisor % modulus == 0 => Some(modulus),
        Some(_) => return Err(CARRIES),
    };
    Ok(value)
}
