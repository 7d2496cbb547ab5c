//! Shardings of HLO: `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`.

use crate::sharding::{HloSharding, MAX_DEVICES};
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, list, number};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Reads a sharding of HLO. `None` if reading had to stop.
pub(super) fn parse_hlo<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<HloSharding> {
    hlo(cursor).ok()
}

/// Reads a word.
fn word<S: Span>(cursor: &mut Cursor<'_, S>, expected: &str) -> Parsed<(String, S)> {
    let span = cursor.span();
    match cursor.peek() {
        Some(Kind::Word(word)) => {
            cursor.next();
            Ok((word.clone(), span))
        }
        _ => Err(cursor.unexpected(expected)),
    }
}

fn hlo<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<HloSharding> {
    cursor.expect(&Kind::Open('{'))?;
    let (kind, span) = word(cursor, "`replicated`, `maximal` or `devices`")?;
    let sharding = match &kind[..] {
        "replicated" => HloSharding::Replicated,
        "unreduced" => HloSharding::Unreduced,
        "maximal" => {
            cursor.expect_word("device")?;
            cursor.expect(&Kind::Symbol('='))?;
            HloSharding::Maximal(size(cursor)?)
        }
        "devices" => tiled(cursor)?,
        _ => {
            let message = format!("a sharding `{kind}` does not name its devices");
            cursor.report(span, message, "expected `replicated`, `maximal` or `devices`");
            return Err(Stop);
        }
    };
    cursor.expect(&Kind::Close('}'))?;
    Ok(sharding)
}

fn size<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<usize> {
    let number = number(cursor)?;
    match usize::try_from(number.value) {
        Ok(size) if size <= MAX_DEVICES => Ok(size),
        _ => {
            let message = format!("{} is not a number of devices", number.value);
            cursor.report(number.span, message, "");
            Err(Stop)
        }
    }
}

fn sizes<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<usize>> {
    cursor.expect(&Kind::Open('['))?;
    list(cursor, ']', size)
}

/// `=[2,1,4]<=[8] last_tile_dim_replicate`
fn tiled<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<HloSharding> {
    cursor.expect(&Kind::Symbol('='))?;
    let span = cursor.span();
    let tiles = sizes(cursor)?;
    let devices = tiles.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    let devices = devices.filter(|devices| (1..=MAX_DEVICES).contains(devices));
    let Some(devices) = devices else {
        cursor.report(span, format!("expected 1 to {MAX_DEVICES} devices"), "");
        return Err(Stop);
    };
    let span = cursor.span();
    let (reshape, transpose) = device_order(cursor)?;
    let listed = reshape.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    if listed != Some(devices) {
        cursor.report(span, format!("expected {devices} devices, as there are parts"), "");
        return Err(Stop);
    }
    let is_order =
        transpose.len() == reshape.len() && (0..reshape.len()).all(|dim| transpose.contains(&dim));
    if !is_order {
        let message = format!("the order is not a permutation of {} dimensions", reshape.len());
        cursor.report(span, message, "");
        return Err(Stop);
    }
    let (unreduced, replicates) = last_dims(cursor)?;
    if usize::from(unreduced) + usize::from(replicates) > tiles.len() {
        cursor.report(span, "a number of devices is missing", "");
        return Err(Stop);
    }
    Ok(HloSharding::Tiled { tiles, reshape, transpose, unreduced, replicates })
}

/// `[2,4]T(1,0)` after `<=`, or the numbers of the devices: the sizes, and their order.
fn device_order<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(Vec<usize>, Vec<usize>)> {
    let span = cursor.span();
    Ok(match cursor.take(&Kind::AtMost) {
        Some(_) => {
            let reshape = sizes(cursor)?;
            let transpose = match cursor.is_word("T") {
                true => {
                    cursor.next();
                    cursor.expect(&Kind::Open('('))?;
                    list(cursor, ')', size)?
                }
                false => (0..reshape.len()).collect(),
            };
            (reshape, transpose)
        }
        None => {
            let mut ids = alloc::vec![size(cursor)?];
            while cursor.take_symbol(',') {
                ids.push(size(cursor)?);
            }
            if !ids.iter().copied().eq(0..ids.len()) {
                let help = "write the devices as `<=[8]`, or `<=[2,4]T(1,0)`";
                cursor.report(
                    span,
                    "the devices are listed in an order that is not that of their numbers",
                    help,
                );
                return Err(Stop);
            }
            (alloc::vec![ids.len()], alloc::vec![0])
        }
    })
}

/// Whether the last dimensions are of unreduced and of replicated devices.
fn last_dims<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(bool, bool)> {
    let Some(Kind::Word(_)) = cursor.peek() else { return Ok((false, false)) };
    let (what, span) = word(cursor, "`}`")?;
    match &what[..] {
        "last_tile_dim_replicate" => Ok((false, true)),
        "last_tile_dims" => {
            cursor.expect(&Kind::Symbol('='))?;
            cursor.expect(&Kind::Open('{'))?;
            let kinds = list(cursor, '}', |cursor| word(cursor, "`replicated` or `unreduced`"))?;
            let names: Vec<_> = kinds.iter().map(|(kind, _)| &kind[..]).collect();
            match names[..] {
                ["replicated"] => Ok((false, true)),
                ["unreduced"] => Ok((true, false)),
                ["unreduced", "replicated"] => Ok((true, true)),
                _ => {
                    cursor.report(span, "expected `{replicated}`, `{unreduced}` or both", "");
                    Err(Stop)
                }
            }
        }
        _ => {
            cursor.report(span, format!("`{what}` is not part of a sharding"), "");
            Err(Stop)
        }
    }
}
