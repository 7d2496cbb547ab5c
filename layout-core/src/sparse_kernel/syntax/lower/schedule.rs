//! The schedule of a kernel, and the sizes that it may rely on.

use super::super::Name;
use super::super::schedule::{PartSyntax, ScheduleSyntax};
use super::Lower;
use crate::sparse_kernel::ir::IndexId;
use crate::sparse_kernel::statement::{HintSpec, MAX_UNIT, PartSpec, Schedule};
use crate::syntax::{Number, Span};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

impl<S: Span> Lower<'_, '_, S> {
    pub(super) fn sizes(&mut self) -> Vec<Option<usize>> {
        let mut sizes = alloc::vec![None; self.indices.len()];
        for schedule in &self.syntax.schedule {
            if let ScheduleSyntax::Size(name, size) = schedule {
                let value = usize::try_from(size.value).ok().filter(|size| *size <= 1 << 40);
                if self.is_scattered(&name.text) && self.index(&name.text).is_none() {
                    continue;
                }
                match (self.scheduled(name), value) {
                    (Some(index), Some(_)) if sizes[index].is_some() => {
                        let message = format!("the size of `{}` is given twice", name.text);
                        self.report(name.span, message, "");
                    }
                    (Some(index), Some(size)) => sizes[index] = Some(size),
                    (_, None) => self.report(size.span, "this is not a size", ""),
                    _ => {}
                }
            }
        }
        sizes
    }

    /// The index that the schedule names.
    fn scheduled(&mut self, name: &Name<S>) -> Option<IndexId> {
        let index = self.index(&name.text);
        if index.is_none() {
            let message = format!("the statement has no index `{}`", name.text);
            let names: Vec<String> =
                self.indices.iter().map(|index| format!("`{}`", index.text)).collect();
            let help = format!("its indices are {}", names.join(", "));
            self.report(name.span, message, if names.is_empty() { String::new() } else { help });
        }
        index
    }

    fn factor(&mut self, number: &Number<S>, range: RangeInclusive<i64>) -> Option<i64> {
        let value = i64::try_from(number.value).ok().filter(|n| range.contains(n));
        if value.is_none() {
            let (least, most) = range.into_inner();
            let message =
                format!("expected a number from {least} to {most}, found {}", number.value);
            self.report(number.span, message, "");
        }
        value
    }

    fn part(&mut self, part: &PartSyntax<S>) -> Option<PartSpec> {
        let index = self.scheduled(&part.index);
        let div = part.div.as_ref().map(|div| self.factor(div, 1..=MAX_UNIT));
        let modulus = part.modulus.as_ref().map(|modulus| self.factor(modulus, 1..=MAX_UNIT));
        let (div, modulus) =
            (div.map_or(Some(None), |d| d.map(Some)), modulus.map_or(Some(None), |m| m.map(Some)));
        Some(PartSpec { index: index?, div: div?, modulus: modulus? })
    }

    pub(super) fn schedule(&mut self) -> Schedule {
        let mut schedule = Schedule::default();
        let syntax = self.syntax;
        for line in &syntax.schedule {
            let (part, hint) = match line {
                ScheduleSyntax::Order(parts, _) => {
                    for part in parts {
                        if let Some(spec) = self.part(part) {
                            if schedule.order.contains(&spec) {
                                let message = format!("`{}` is listed twice", part.index.text);
                                self.report(part.span, message, "list each index once");
                            }
                            schedule.order.push(spec);
                        }
                    }
                    continue;
                }
                ScheduleSyntax::Split(name, size) => {
                    let index = self.scheduled(name);
                    let unit = self.factor(size, 2..=MAX_UNIT);
                    let Some((index, unit)) = index.zip(unit) else { continue };
                    let mut others = schedule.splits.iter().filter(|(other, _)| *other == index);
                    if let Some((_, other)) =
                        others.find(|(_, other)| other % unit != 0 && unit % other != 0)
                    {
                        let message = format!("blocks of {unit} do not fit those of {other}");
                        self.report(size.span, message, "one size must divide the other");
                        continue;
                    }
                    schedule.splits.push((index, unit));
                    continue;
                }
                ScheduleSyntax::Size(..) | ScheduleSyntax::Outside(..) => continue,
                ScheduleSyntax::Unroll(part, times) => {
                    let times = times.as_ref().map(|times| self.factor(times, 2..=MAX_UNROLLED));
                    let times = times.map_or(Some(4), |times| times).unwrap_or(4);
                    (part, HintSpec::Unroll(times as usize))
                }
                ScheduleSyntax::Parallel(part) => (part, HintSpec::Parallel),
                ScheduleSyntax::Vectorize(part) => (part, HintSpec::Vectorize),
                ScheduleSyntax::Gallop(part) => (part, HintSpec::Gallop),
            };
            let part = self.part(part);
            schedule.hints.extend(part.map(|part| (part, hint)));
        }
        schedule
    }
}

/// The largest number of copies of the body of a loop.
const MAX_UNROLLED: i64 = 16;
