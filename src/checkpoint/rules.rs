//! Which layout each tensor of a file gets.

use super::Result;
use super::error::CheckpointError;
use core::str::FromStr;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

/// What becomes of the tensors whose names match a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The layout that the TPU's compiler picks; row-major where it has none. Written `tpu!`.
    Tpu,
    /// Row-major. Written `row-major`.
    RowMajor,
    /// A layout for the shape that the tensor has: `{1,0:T(8,128)(2,1)}`, or with its shape,
    /// `bf16[1000,384]{1,0:T(8,128)(2,1)}`, which must then be the tensor's.
    Layout(String),
}

/// Rules in the order in which they are tried: the first one whose pattern matches counts.
///
/// ```
/// use tensor_layout::checkpoint::Rules;
/// let rules: Rules = "
///     ## A star stands for any text.
///     *.norm.weight = row-major
///     lm_head.weight = {0,1:T(8,128)(2,1)}
///     * = tpu!
/// ".parse()?;
/// let spec = rules.spec("lm_head.weight", tensor_layout::DType::BF16, &[512, 1000])?;
/// assert_eq!(spec.to_string(), "bf16[512,1000]{0,1:T(8,128)(2,1)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules(Vec<(String, Rule)>);

impl Rules {
    /// The rules and after them one more.
    pub fn with(mut self, pattern: impl Into<String>, rule: Rule) -> Self {
        self.0.push((pattern.into(), rule));
        self
    }

    /// The layout of a tensor. [`Rule::Tpu`] counts where no rule matches.
    ///
    /// # Errors
    /// If the rule's layout is not one of this tensor, or no layout is.
    pub fn spec(&self, name: &str, dtype: DType, dims: &[usize]) -> Result<TiledSpec> {
        let rule = self.0.iter().find(|(pattern, _)| matches_pattern(pattern, name));
        let row_major = || {
            TiledSpec::row_major(dtype, dims)
                .ok_or_else(|| wrong(format!("tensor `{name}`: no layout has {dims:?}")))
        };
        let text = match rule.map(|(_, rule)| rule) {
            Some(Rule::RowMajor) => return row_major(),
            Some(Rule::Layout(text)) => text,
            Some(Rule::Tpu) | None => {
                return TiledSpec::tpu_default(dtype, dims).map_or_else(row_major, Ok);
            }
        };
        let sizes: Vec<_> = dims.iter().map(usize::to_string).collect();
        let shape = format!("{dtype}[{}]", sizes.join(","));
        let whole = if text.starts_with('{') { format!("{shape}{text}") } else { text.clone() };
        let spec: TiledSpec = whole
            .parse()
            .map_err(|error| wrong(format!("tensor `{name}`, layout `{whole}`: {error}")))?;
        if spec.dtype() != dtype || spec.dims() != dims {
            let help = "help: write the layout without a shape, `{..}`, for tensors of any";
            return Err(wrong(format!("tensor `{name}` is `{shape}`, not `{spec}`\n{help}")));
        }
        Ok(spec)
    }
}

impl FromStr for Rules {
    type Err = CheckpointError;

    /// Reads a rule from each line, `PATTERN = RULE`; what follows `#` is a comment.
    fn from_str(text: &str) -> Result<Self> {
        let mut rules = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let about = |what: &str| wrong(format!("line {}: {what}", number + 1));
            let (pattern, rule) = line
                .split_once('=')
                .ok_or_else(|| about("expected a pattern and a rule, as in `*.weight = tpu!`"))?;
            let rule = match rule.trim() {
                "tpu!" => Rule::Tpu,
                "row-major" => Rule::RowMajor,
                layout if layout.contains('{') => Rule::Layout(layout.into()),
                other => {
                    return Err(about(&format!(
                        "`{other}` is not a rule\nhelp: write `tpu!`, `row-major` or a layout, `{{1,0:T(8,128)}}`"
                    )));
                }
            };
            rules = rules.with(pattern.trim(), rule);
        }
        Ok(rules)
    }
}

fn wrong(reason: String) -> CheckpointError {
    CheckpointError::Rule { reason }
}

/// Whether `name` is `pattern` with something in place of each `*`. Linear in both, but for the stars.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<_> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(end)
}
