use crate::arguments::{Arguments, Show};
use crate::lines;
use crate::report::Failure;
use crate::subject::{Subject, text};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Draw, Named, Quoted, Steps, html};

pub(crate) fn run(show: &Show, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let subjects = Subject::read_all(&text(&show.layout)?, show.mesh.as_deref())?;
    match subjects.as_slice() {
        [subject] => one(show, subject, arguments),
        subjects => each(show, subjects, arguments),
    }
}

/// Prints the arrays of a tuple.
fn each(show: &Show, subjects: &[Subject], arguments: &Arguments) -> Result<ExitCode, Failure> {
    let picks = show.at.is_some() || show.offset.is_some() || show.steps || show.names;
    if picks || show.svg.is_some() || show.html.is_some() {
        let message = format!("a tuple of {} arrays is only listed", subjects.len());
        return Err(Failure::input(message, "show one of its arrays"));
    }
    let mut out = io::stdout().lock();
    if show.json {
        let facts: Vec<_> = subjects.iter().map(|subject| subject.facts().json()).collect();
        writeln!(out, "[{}]", facts.join(",\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if subjects.is_empty() {
        writeln!(out, "a tuple without arrays")?;
    }
    for (at, subject) in subjects.iter().enumerate() {
        let line = if at > 0 { "\n" } else { "" };
        write!(out, "{line}{}", terminal(subject, arguments))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints one subject as the options request.
fn one(show: &Show, subject: &Subject, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if show.names {
        let Subject::Tiled(spec) = subject else {
            let message = "only the dimensions of an array with a tiled layout have letters";
            return Err(Failure::input(message, "leave out `--names`"));
        };
        return print(show, subject, &Named(spec), arguments);
    }
    print(show, subject, subject, arguments)
}

/// Prints the subject as it is `drawn`.
fn print(
    show: &Show,
    subject: &Subject,
    drawn: &impl Draw,
    arguments: &Arguments,
) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let picture = match (subject, show.steps) {
        (Subject::Tiled(spec), true) => spec.tiling_picture(),
        _ => drawn.picture(),
    };
    if let Some(file) = &show.svg {
        write(file, &(picture.svg_file() + "\n"))?;
    }
    if let Some(file) = &show.html {
        write(file, &html(drawn))?;
    }
    if let Some(steps) = steps(show, subject)? {
        if show.json {
            let lines: Vec<_> = steps.lines().iter().map(|line| Quoted(line).to_string()).collect();
            writeln!(out, "{{\"steps\": [{}]}}", lines.join(", "))?;
        } else {
            write!(out, "{steps}")?;
            if show.steps && show.at.is_none() {
                write!(out, "\n{}", picture.text(arguments.style()))?;
            }
        }
    } else if show.json {
        writeln!(out, "{}", drawn.facts().json())?;
    } else if show.svg.is_none() && show.html.is_none() {
        write!(out, "{}", terminal(drawn, arguments))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the terminal shows of a layout: its numbers, then its picture.
fn terminal(subject: &impl Draw, arguments: &Arguments) -> String {
    let facts = lines::facts(&subject.facts(), lines::width());
    format!("{facts}\n{}", subject.picture().text(arguments.style()))
}

/// The requested calculation.
fn steps(show: &Show, subject: &Subject) -> Result<Option<Steps>, Failure> {
    if show.at.is_none() && show.offset.is_none() && !show.steps {
        return Ok(None);
    }
    let Subject::Tiled(spec) = subject else {
        let message = "only the elements of an array with a tiled layout have an offset";
        return Err(Failure::input(message, "leave out `--at`, `--offset` and `--steps`"));
    };
    let steps = match (&show.at, show.offset) {
        (None, _) if show.steps => Ok(spec.tiling_steps()),
        (Some(index), _) if show.steps => {
            spec.tiling_steps_at(index).ok_or_else(|| out_of_bounds(spec, index))
        }
        (Some(index), _) => spec.steps(index).ok_or_else(|| out_of_bounds(spec, index)),
        (None, Some(offset)) => spec.steps_back(offset).ok_or_else(|| behind_the_end(spec, offset)),
        (None, None) => return Ok(None),
    };
    steps.map(Some)
}

fn behind_the_end(spec: &TiledSpec, offset: usize) -> Failure {
    let text = offset.to_string();
    Failure::Value {
        option: "--offset",
        part: 0..text.len(),
        text,
        message: format!("offset {offset} is past the {} stored elements", spec.len()),
        help: "offsets count elements from 0".into(),
    }
}

fn out_of_bounds(spec: &TiledSpec, index: &[usize]) -> Failure {
    let texts: Vec<_> = index.iter().map(usize::to_string).collect();
    let text = texts.join(",");
    let rank = spec.dims().len();
    // The first index that is too large; if the number of indices is wrong, all of them.
    let wrong = index.iter().zip(spec.dims()).position(|(at, size)| at >= size);
    let part = match wrong.filter(|_| index.len() == rank) {
        Some(dim) => {
            let start = texts[..dim].iter().map(|text| text.len() + 1).sum();
            start..start + texts[dim].len()
        }
        None => 0..text.len(),
    };
    let sizes: Vec<_> = spec.dims().iter().map(usize::to_string).collect();
    let numbers = if rank == 1 { "number" } else { "numbers" };
    Failure::Value {
        option: "--at",
        part,
        message: format!("the index ({text}) is out of bounds of `{spec}`"),
        text,
        help: format!(
            "give {rank} {numbers}, each less than the size of its dimension: ({})",
            sizes.join(",")
        ),
    }
}

pub(crate) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display()), ""))
}
