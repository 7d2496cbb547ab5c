//! Random statements: as text, and as the meaning of the text.

use crate::tape::Tape;
use std::fmt::Write;

/// Encodings of each rank, simple ones first.
pub(crate) const ENCODINGS: [&[&str]; 3] = [
    &[
        "(i) -> (i : compressed)",
        "(i) -> (i : dense)",
        "(i) -> (i : loose_compressed)",
        "(i) -> (i : compressed(nonunique))",
        "(i) -> (i : compressed(nonordered))",
        "(i) -> (i : delta[2])",
        "(i) -> (i floordiv 2 : compressed, i mod 2 : dense)",
        "(i) -> (i floordiv 3 : dense, i mod 3 : compressed)",
        "(i) -> (i floordiv 4 : dense, i mod 4 : structured[2, 4])",
        "(i) -> (i : structured[5, 8])",
        "(i) -> (i floordiv 4 : compressed, i floordiv 2 mod 2 : compressed, i mod 2 : dense)",
    ],
    &[
        "(i, j) -> (i : dense, j : compressed)",
        "(i, j) -> (j : dense, i : compressed)",
        "(i, j) -> (i : compressed, j : compressed)",
        "(i, j) -> (j : compressed, i : compressed)",
        "(i, j) -> (i : compressed(nonunique), j : singleton)",
        "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
        "(i, j) -> (j : compressed(nonunique), i : singleton)",
        "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))",
        "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))",
        "(i, j) -> (i : dense, j : loose_compressed)",
        "(i, j) -> (i : dense, j : compressed(nonunique))",
        "(i, j) -> (i : compressed(nonunique), j : compressed)",
        "(i, j) -> (i : compressed(nonordered), j : compressed(nonordered))",
        "(i, j) -> (i : dense, j : dense)",
        "(i, j) -> (j : dense, i : dense)",
        "(i, j) -> (i : compressed, j : dense)",
        "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
        "(i, j) -> (i floordiv 2 : compressed, j floordiv 3 : compressed, j mod 3 : dense, i mod 2 : dense)",
        "(i, j) -> (j floordiv 4 : dense, i floordiv 2 : compressed, j mod 4 : dense, i mod 2 : compressed)",
        "(i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense)",
        "(i, j) -> (i floordiv 4 : dense, j : compressed, i floordiv 2 mod 2 : dense, i mod 2 : dense)",
        "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])",
        "(i, j) -> (i mod 2 : dense, i floordiv 2 : compressed, j : compressed)",
        "(i, j) -> (j - i : compressed, i : range)",
        "(i, j) -> (j - i : compressed, j : range)",
        "(i, j) -> (i + j : dense, j : range)",
        "[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)",
        "[c](i, j) -> (i : dense, c * 4 * i : dense, j : compressed)",
        "(i, j) -> (i * 8 + j : compressed)",
        "(i, j) -> (i : dense, j : delta[1])",
        "(i, j) -> (i : batch, j : compressed)",
        "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i floordiv 2 mod 2 : dense, j floordiv 2 mod 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
        "(i, j) -> ((i * 16 + j) floordiv 4 : compressed, (i * 16 + j) mod 4 : dense)",
        "(i, j) -> (i + j : compressed, i : range)",
        "(i, j) -> (i : dense, j : compressed(nonunique, nonordered))",
        "(i, j) -> (i : compressed, j : delta[4])",
        "(i, j) -> (i : loose_compressed(nonunique), j : singleton(soa))",
        "(i, j) -> (i floordiv 2 : compressed, i mod 2 : compressed, j floordiv 2 : compressed, j mod 2 : compressed)",
        "(i, j) -> (i : batch, j : batch)",
        "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : dense, i mod 4 : dense, j mod 4 : structured[2, 4])",
        "(i, j) -> (i : dense, i + j : structured[2, 64])",
        "(i, j) -> (j - i : batch, i : compressed)",
        "(i, j) -> (i : compressed(nonunique), j : dense)",
        "(i, j) -> (i : compressed, j : delta[63])",
        "(i, j) -> (i : dense, j : structured[6, 8])",
        "(i, j) -> (j floordiv 4 : dense, i : dense, j mod 4 : structured[3, 4])",
        "(i, j) -> (i * 64 + j : compressed(nonunique))",
        "(i, j) -> (i - j : compressed, j : range)",
        "(i, j) -> (i floordiv 5 : dense, j floordiv 5 : compressed, i mod 5 : dense, j mod 5 : dense)",
    ],
    &[
        "(i, j, k) -> (i : compressed, j : compressed, k : compressed)",
        "(i, j, k) -> (k : dense, i : compressed, j : compressed)",
        "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)",
        "(i, j, k) -> (j : dense, k : compressed(nonunique), i : singleton)",
        "(i, j, k) -> (i : batch, j : dense, k : compressed)",
        "(i, j, k) -> (i floordiv 2 : compressed, j : dense, k floordiv 2 : compressed, i mod 2 : dense, k mod 2 : dense)",
        "(i, j, k) -> (i : dense, j : compressed, k : delta[2])",
        "(i, j, k) -> (k - i : compressed, i : range, j : compressed)",
        "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(soa))",
        "(i, j, k) -> (i : batch, j : compressed(nonunique), k : singleton)",
        "(i, j, k) -> (i : compressed(nonunique), j : singleton, k : singleton)",
        "(i, j, k) -> (i : compressed(nonunique), j : singleton, k : compressed)",
        "(i, j, k) -> (k : compressed(nonunique, nonordered), i : singleton, j : loose_compressed)",
        "(i, j, k) -> (j : compressed(nonunique), k : singleton(nonordered), i : delta[2])",
    ],
];

/// The names of the indices.
pub(crate) const NAMES: [&str; 4] = ["i", "j", "k", "l"];

#[derive(Clone, Debug)]
pub(crate) enum Storage {
    Dense,
    Sparse(&'static str),
}

/// `index + shift`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Subscript {
    /// The coefficients of the indices.
    pub(crate) factors: [i64; 4],
    pub(crate) constant: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) name: String,
    pub(crate) storage: Storage,
    pub(crate) shape: Vec<usize>,
    pub(crate) subscripts: Vec<Subscript>,
    /// Whether a dimension has a name other than the index that is its subscript.
    pub(crate) renamed: Vec<bool>,
    /// Entries, in the order in which they are given; all of them for a dense operand.
    pub(crate) entries: Vec<(Vec<usize>, i64)>,
}

impl Operand {
    /// The index where it is read, for an index of the statement; `None` if that is outside.
    pub(crate) fn at(&self, index: &[usize]) -> Option<Vec<usize>> {
        let position = |(subscript, size): (&Subscript, &usize)| {
            let terms = subscript.factors.iter().zip(index);
            let sum: i64 = terms.map(|(factor, x)| factor * *x as i64).sum();
            usize::try_from(sum + subscript.constant).ok().filter(|x| x < size)
        };
        self.subscripts.iter().zip(&self.shape).map(position).collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Literal(i64),
    Operand(usize),
    Index(usize),
    Neg(Box<Expr>),
    Abs(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The functions for where both are stored, where only the left one is, and where only the right one is.
    Regions(Box<Expr>, Box<Expr>, [&'static str; 3]),
    /// Whether a value is stored.
    Stored(Box<Expr>),
    /// The product of a semiring with a name, which is the whole expression.
    Product(&'static str, Box<Expr>, Box<Expr>),
}

/// The multiplications of semirings.
pub(crate) const PRODUCTS: [&str; 17] = [
    "plus", "minus", "times", "min", "max", "eq", "ne", "lt", "le", "gt", "ge", "first", "second",
    "pair", "land", "lor", "lxor",
];

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) sizes: Vec<usize>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) output: Storage,
    pub(crate) target: Vec<usize>,
    pub(crate) reduction: &'static str,
    pub(crate) value: Expr,
    pub(crate) guard: Option<Expr>,
    /// Indices that are split, and the sizes of the blocks.
    pub(crate) splits: Vec<(usize, usize)>,
    /// By how much the order of the loops is rotated from the order of the indices.
    pub(crate) order: Option<usize>,
    /// Whether the first index of the output runs on all threads.
    pub(crate) parallel: bool,
}

impl Case {
    pub(crate) fn new(tape: &mut Tape<'_>) -> Self {
        let indices = 1 + tape.below(3);
        let sizes: Vec<usize> = (0..indices).map(|_| 1 + tape.below(7)).collect();
        let count = 1 + tape.below(3);
        let operands: Vec<Operand> =
            (0..count).map(|number| operand(tape, number, &sizes)).collect();
        let mut target: Vec<usize> = (0..indices).filter(|_| !tape.once_in(3)).collect();
        if tape.once_in(3) {
            target.reverse();
        }
        let mut storage = Storage::Dense;
        if !target.is_empty() && !tape.once_in(4) {
            storage = Storage::Sparse(tape.pick(ENCODINGS[target.len() - 1]));
        }
        let reduction = tape.pick(&["+=", "=", "max=", "min=", "*="]);
        let value = match tape.once_in(6) {
            true => {
                let mut part = || Box::new(expr(tape, count, indices, 1));
                let (a, b) = (part(), part());
                Expr::Product(tape.pick(&PRODUCTS), a, b)
            }
            false => expr(tape, count, indices, 2),
        };
        let guard = tape.once_in(6).then(|| expr(tape, count, indices, 1));
        let mut splits = Vec::new();
        while tape.once_in(4) && splits.len() < 2 {
            let (index, blocks) = (tape.below(indices), 2 + tape.below(3));
            let fits = |(other, size): &(usize, usize)| {
                *other != index || size % blocks == 0 || blocks % size == 0
            };
            if !splits.iter().all(fits) {
                break;
            }
            splits.push((index, blocks));
        }
        let order = tape.once_in(4).then(|| tape.below(indices));
        let parallel = tape.once_in(12) && !target.is_empty();
        Self {
            sizes,
            operands,
            output: storage,
            target,
            reduction,
            value,
            guard,
            splits,
            order,
            parallel,
        }
    }

    /// The text of the kernel.
    pub(crate) fn text(&self) -> String {
        let ty = |storage: &Storage| match storage {
            Storage::Dense => "Dense<i64>".to_string(),
            Storage::Sparse(encoding) => format!("{{{encoding}}}<i64>"),
        };
        let mut parameters = Vec::new();
        for operand in &self.operands {
            let dims: Vec<String> = (operand.subscripts.iter().enumerate())
                .map(|(dim, subscript)| match subscript.plain() {
                    Some(index) if !operand.renamed[dim] => NAMES[index].to_string(),
                    _ => format!("{}{dim}", operand.name),
                })
                .collect();
            let (name, ty) = (&operand.name, ty(&operand.storage));
            parameters.push(format!("{name}: {ty}[{}]", dims.join(", ")));
        }
        let target: Vec<&str> = self.target.iter().map(|index| NAMES[*index]).collect();
        let target = target.join(", ");
        let guard =
            self.guard.as_ref().map_or(String::new(), |guard| format!(" if {}", self.expr(guard)));
        format!(
            "fn f({}) -> out: {}[{target}] {{ out[{target}] {} {}{guard}{} }}",
            parameters.join(", "),
            ty(&self.output),
            self.operator(),
            self.expr(&self.value),
            self.schedule(),
        )
    }

    /// The operator: a semiring has its own reduction.
    fn operator(&self) -> &'static str {
        if matches!(self.value, Expr::Product(..)) { "=" } else { self.reduction }
    }

    /// Sizes, and the schedule of the loops.
    fn schedule(&self) -> String {
        let mut schedule = String::new();
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        order.rotate_left(self.order.unwrap_or(0));
        order.retain(|index| self.uses(*index));
        for index in &order {
            let _ = write!(schedule, "; size({}, {})", NAMES[*index], self.sizes[*index]);
        }
        for (index, blocks) in self.splits.iter().filter(|(index, _)| self.uses(*index)) {
            let _ = write!(schedule, "; split({}, {blocks})", NAMES[*index]);
        }
        if self.order.is_some() {
            let names: Vec<&str> = order.iter().map(|index| NAMES[*index]).collect();
            let _ = write!(schedule, "; order({})", names.join(", "));
        }
        if self.parallel {
            let _ = write!(schedule, "; parallel({})", NAMES[self.target[0]]);
        }
        schedule
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Literal(number) => number.to_string(),
            Expr::Operand(operand) => {
                let operand = &self.operands[*operand];
                let subscripts: Vec<String> =
                    operand.subscripts.iter().map(Subscript::text).collect();
                format!("{}[{}]", operand.name, subscripts.join(", "))
            }
            Expr::Index(index) => {
                // An index exists only if some subscript uses it.
                let known = self.target.contains(index)
                    || self.reads(&self.value, *index)
                    || self.guard.as_ref().is_some_and(|guard| self.reads(guard, *index));
                if known { NAMES[*index].into() } else { "1".into() }
            }
            Expr::Neg(a) => format!("(-{})", self.expr(a)),
            Expr::Abs(a) => format!("abs({})", self.expr(a)),
            Expr::Stored(a) => format!("stored({})", self.expr(a)),
            Expr::Binary(op @ ("min" | "max"), a, b) => {
                format!("{op}({}, {})", self.expr(a), self.expr(b))
            }
            Expr::Binary(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            Expr::Select(c, a, b) => {
                format!("select({}, {}, {})", self.expr(c), self.expr(a), self.expr(b))
            }
            Expr::Product(op, a, b) => {
                let monoid = match self.reduction {
                    "max=" => "max",
                    "min=" => "min",
                    "*=" => "times",
                    _ => "plus",
                };
                format!("{monoid}.{op}({}, {})", self.expr(a), self.expr(b))
            }
            Expr::Regions(a, b, regions) => {
                let mut text = format!("binary({}, {}", self.expr(a), self.expr(b));
                for (name, region) in ["both", "left", "right"].iter().zip(regions) {
                    if !region.is_empty() {
                        let _ = write!(text, ", {name} = {region}");
                    }
                }
                text + ")"
            }
        }
    }

    /// Whether an expression reads an operand at an index.
    pub(crate) fn reads(&self, expr: &Expr, index: usize) -> bool {
        match expr {
            Expr::Literal(_) | Expr::Index(_) => false,
            Expr::Operand(operand) => {
                self.operands[*operand].subscripts.iter().any(|s| s.factors[index] != 0)
            }
            Expr::Neg(a) | Expr::Abs(a) | Expr::Stored(a) => self.reads(a, index),
            Expr::Binary(_, a, b) | Expr::Regions(a, b, _) | Expr::Product(_, a, b) => {
                self.reads(a, index) || self.reads(b, index)
            }
            Expr::Select(a, b, c) => {
                self.reads(a, index) || self.reads(b, index) || self.reads(c, index)
            }
        }
    }

    /// Whether the statement has an index.
    pub(crate) fn uses(&self, index: usize) -> bool {
        self.target.contains(&index)
            || self.reads(&self.value, index)
            || self.guard.as_ref().is_some_and(|guard| self.reads(guard, index))
    }
}

impl Subscript {
    pub(crate) fn plain(&self) -> Option<usize> {
        let index = self.factors.iter().position(|factor| *factor == 1)?;
        let others = self.factors.iter().enumerate().any(|(i, factor)| i != index && *factor != 0);
        (self.constant == 0 && !others).then_some(index)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (factor, name) in self.factors.iter().zip(NAMES) {
            match factor {
                0 => {}
                1 if text.is_empty() => text.push_str(name),
                1 => {
                    let _ = write!(text, " + {name}");
                }
                _ => {
                    let plus = if text.is_empty() { "" } else { " + " };
                    let _ = write!(text, "{plus}{factor} * {name}");
                }
            }
        }
        match self.constant {
            0 if text.is_empty() => "0".into(),
            0 => text,
            c if c < 0 => format!("{text} - {}", -c),
            c => format!("{text} + {c}"),
        }
    }
}

/// The index at a position in row-major order.
pub(crate) fn index(mut position: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for dim in (0..shape.len()).rev() {
        index[dim] = position % shape[dim];
        position /= shape[dim];
    }
    index
}

fn operand(tape: &mut Tape<'_>, number: usize, sizes: &[usize]) -> Operand {
    let rank = 1 + tape.below(sizes.len());
    let mut free: Vec<usize> = (0..sizes.len()).collect();
    let (mut subscripts, mut shape, mut renamed) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rank {
        let index = match tape.once_in(12) {
            // The same index may occur twice.
            true => tape.below(sizes.len()),
            false => free.remove(tape.below(free.len())),
        };
        let mut subscript = Subscript { factors: [0; 4], constant: 0 };
        subscript.factors[index] = 1;
        let mut size = sizes[index];
        let other = tape.once_in(12);
        renamed.push(other);
        if other {
            size = 1 + tape.below(8);
        } else if tape.once_in(10) {
            subscript.constant = tape.below(5) as i64 - 2;
            if tape.once_in(3) {
                subscript.factors[tape.below(sizes.len())] += 1;
            }
            size = 1 + tape.below(8);
            if subscript.plain().is_some() {
                size = sizes[index];
            }
        }
        subscripts.push(subscript);
        shape.push(size);
        if free.is_empty() {
            break;
        }
    }
    let name = ["a", "b", "c"][number].to_string();
    let total: usize = shape.iter().product();
    if tape.once_in(4) {
        let entries = (0..total)
            .map(|position| (index(position, &shape), tape.below(9) as i64 - 4))
            .collect();
        return Operand { name, storage: Storage::Dense, shape, subscripts, renamed, entries };
    }
    let encoding = tape.pick(ENCODINGS[shape.len() - 1]);
    let entries = crate::random::fill(tape, encoding, &shape);
    Operand { name, storage: Storage::Sparse(encoding), shape, subscripts, renamed, entries }
}

fn expr(tape: &mut Tape<'_>, operands: usize, indices: usize, depth: usize) -> Expr {
    if depth == 0 || tape.once_in(4) {
        return match tape.below(8) {
            6 => Expr::Literal(tape.below(5) as i64),
            7 => Expr::Index(tape.below(indices)),
            _ => Expr::Operand(tape.below(operands)),
        };
    }
    let part = |tape: &mut Tape<'_>| Box::new(expr(tape, operands, indices, depth - 1));
    match tape.below(16) {
        0..=4 => Expr::Binary("*", part(tape), part(tape)),
        5..=7 => Expr::Binary("+", part(tape), part(tape)),
        8 | 9 => Expr::Binary("-", part(tape), part(tape)),
        10 => Expr::Binary(tape.pick(&["min", "max"]), part(tape), part(tape)),
        11 => {
            let op = tape.pick(&["<", "<=", ">", ">=", "==", "!="]);
            Expr::Binary(op, part(tape), part(tape))
        }
        12 => Expr::Neg(part(tape)),
        13 if tape.once_in(2) => Expr::Stored(part(tape)),
        13 => Expr::Abs(part(tape)),
        14 => Expr::Select(part(tape), part(tape), part(tape)),
        _ => {
            let both = tape.pick(&["add3", ""]);
            let left = tape.pick(&["identity", "twice", ""]);
            // At least one of them has an effect.
            let right: &[&str] =
                if both == left { &["identity", "twice"] } else { &["identity", "twice", ""] };
            let right = tape.pick(right);
            Expr::Regions(part(tape), part(tape), [both, left, right])
        }
    }
}
