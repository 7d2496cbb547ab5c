//! Writes text with a Llama-style language model whose weights are packed, and mapped from their file.
//!
//! ```sh
//! cargo run --release -p llm -- --prompt "127+456="
//! cargo run --release -p llm                       # answers 1,000 questions that it was not trained on
//! cargo run --release -p llm -- --mesh model=4     # on four threads, each with its part of the weights
//! cargo run --release -p llm --features tokenizers -- --model DIR --prompt "Once upon a time"
//! ```

use clap::Parser;
use llm::{
    Activations, Device, Folder, Formats, Llama, Result, Row, Sampler, Shared, Split, Tokenizer,
    Weights, Writer,
};
use std::hint::black_box;
use std::io::{Write, sink, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tensor_layout::checkpoint::Checkpoint;

/// The file in the folder of a model with questions and their answers.
const QUESTIONS: &str = "questions.txt";
/// The number of bytes that are read to measure the speed of reading.
const SAMPLE: usize = 1 << 30;

/// The percentage of the questions that must be answered correctly.
const EXPECTED: usize = 90;

/// Writes text with a language model.
#[derive(Parser)]
struct Arguments {
    /// The start of the text; without it, the model answers the questions of `questions.txt` in its folder.
    #[arg(long)]
    prompt: Option<String>,
    /// Only measures the speed: reads this number of arbitrary tokens for each text, and writes `--tokens` tokens.
    #[arg(long, conflicts_with = "prompt")]
    measure: Option<usize>,
    /// A folder with `config.json`, `model.safetensors` or its index, and `tokenizer.json` unless tokens are bytes.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/model"))]
    model: PathBuf,
    /// The format in which weights are packed, once, next to the model.
    #[arg(long, value_enum, default_value_t)]
    weights: Weights,
    /// How activations that are multiplied by block-scaled weights are stored.
    #[arg(long, value_enum, default_value_t)]
    activations: Activations,
    /// Shares the model among devices, `model=4`. Devices are threads, or processes if `mpirun` has started this number of them and
    /// the program is built with `--features mpi`. Each maps its part of the weights.
    #[arg(long)]
    mesh: Option<Split>,
    /// Reads the weights into memory instead of mapping them. The start takes longer; in a virtual machine, whose memory has huge pages
    /// then, tokens take less time.
    #[arg(long, conflicts_with = "mesh")]
    in_memory: bool,
    /// The largest number of tokens to write.
    #[arg(long, default_value_t = 256)]
    tokens: usize,
    /// The number of texts that are written at once.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    batch: u16,
    /// 0 chooses the likeliest token.
    #[arg(long, default_value_t = 0.0)]
    temperature: f32,
    /// Chooses among the likeliest tokens that together have this probability.
    #[arg(long, default_value_t = 1.0)]
    top_p: f32,
    /// The seed of random choices.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The numbers of tokens that were read and written, and the times that this took.
#[derive(Default)]
struct Times {
    read: usize,
    reading: Duration,
    written: usize,
    writing: Duration,
    /// The number of times that all weights were read to write tokens.
    steps: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let program = || match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    };
    // On a thread of the pool: from any other one, each product would first wake a thread of the pool, and wait for it.
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| program());
    #[cfg(not(feature = "parallel"))]
    program()
}

fn run(arguments: &Arguments) -> Result<()> {
    let folder = Folder::open(&arguments.model)?;
    let start = Instant::now();
    let (weights, split, batch) = (arguments.weights, arguments.mesh, usize::from(arguments.batch));
    let formats = Formats { weights, activations: arguments.activations };
    llm::check(folder.config.dims(), split.map_or(1, Split::devices))?;
    let mut process = Device::of_process(split)?;
    let number = process.as_ref().map(Device::number);
    // If there are several processes, each packs some of the weights, and only one prints: all choose the same tokens.
    let first = number.is_none_or(|number| number == 0);
    let mut bytes = 0;
    let share = process.as_ref().map_or((0, 1), |process| (process.number(), process.count()));
    let packed = folder.pack_share(weights, split, share, |_, total| bytes = total)?;
    if bytes > 0 {
        eprintln!("packed {bytes} bytes of weights beside the model");
    }
    if let Some(process) = &mut process {
        process.wait_for_all()?;
    }
    let options = Checkpoint::options().in_memory(arguments.in_memory);
    let options = number.map_or(options, |number| options.device(number));
    let checkpoint = Folder::open_packed(&packed, options)?;
    let mut model = match (split, process) {
        (Some(split), None) => Box::new(Shared::start(&folder, &packed, formats, split, batch)?),
        (_, process) => llm::open_part(&folder.config, &checkpoint, formats, batch, process)?,
    };
    let started = start.elapsed();
    let mut out: Box<dyn Write> = if first { Box::new(stdout()) } else { Box::new(sink()) };
    let mut session =
        Session { arguments, folder: &folder, model: &mut *model, times: Times::default() };
    if let Some(count) = arguments.measure {
        session.measure(count)?;
    } else if let Some(prompt) = &arguments.prompt {
        session.complete(prompt, &mut *out)?;
    } else {
        session.answer_all(&mut *out)?;
    }
    if first {
        let threads = split.filter(|_| number.is_none()).map(Split::devices);
        report(&checkpoint, started, &session.times, folder.config.tied, threads);
    }
    // Measures how reliable the answers are, if that takes only about a second.
    if arguments.prompt.is_some() && split.is_none() && folder.file(QUESTIONS).is_some() {
        session.answer_all(&mut std::io::stderr())?;
    }
    if first && arguments.measure.is_none() {
        eprintln!(
            "\nNext: weights in four bits, `--weights q4_0`; on four devices, `--mesh model=4`; a model of your own, `--model DIR`;\n\
             the products and attention that it runs, examples/llm/src/attention.rs."
        );
    }
    Ok(())
}

/// A model, and the arguments of the program.
struct Session<'a> {
    arguments: &'a Arguments,
    folder: &'a Folder,
    model: &'a mut dyn Llama,
    times: Times,
}

impl Session<'_> {
    fn batch(&self) -> usize {
        usize::from(self.arguments.batch)
    }

    fn sampler(&self) -> Sampler {
        let Arguments { temperature, top_p, seed, .. } = *self.arguments;
        Sampler::new(temperature, top_p, seed)
    }

    /// Reads `count` arbitrary tokens, to measure the speed.
    fn measure(&mut self, count: usize) -> Result<()> {
        let vocabulary = self.folder.config.dims().vocabulary;
        let tokens = (0..count.max(1)).map(|i| (31 * i + 1) % vocabulary);
        let prompts = vec![tokens.collect(); self.batch()];
        let (mut sampler, most) = (self.sampler(), self.arguments.tokens);
        let (endless, ignore) = (|_| false, |_, _| Ok(()));
        generate(self.model, &prompts, most, &mut sampler, endless, &mut self.times, ignore)
    }

    /// Writes the continuation of a prompt: token by token, or all texts at the end if there are several.
    fn complete(&mut self, prompt: &str, out: &mut dyn Write) -> Result<()> {
        let (batch, folder) = (self.batch(), self.folder);
        let tokenizer = Tokenizer::of(folder)?;
        let prompts = vec![tokenizer.encode(prompt)?; batch];
        if batch == 1 {
            write!(out, "{prompt}")?;
        }
        let mut texts = prompts.clone();
        let mut writer = Writer::new(&tokenizer, &prompts[0], &mut *out)?;
        let (mut sampler, most) = (self.sampler(), self.arguments.tokens);
        let ends = |token| folder.config.ends(token);
        generate(
            self.model,
            &prompts,
            most,
            &mut sampler,
            ends,
            &mut self.times,
            |text, token| {
                texts[text].push(token);
                if batch == 1 { writer.push(token) } else { Ok(()) }
            },
        )?;
        writeln!(out)?;
        if batch > 1 {
            for text in &texts {
                writeln!(out, "{}", tokenizer.decode(text)?.trim())?;
            }
        }
        Ok(())
    }

    /// Answers the questions of the folder, and prints the number of correct answers.
    fn answer_all(&mut self, out: &mut dyn Write) -> Result<()> {
        let path = self
            .folder
            .file(QUESTIONS)
            .ok_or("the folder has no `questions.txt`\nhelp: give a `--prompt`")?;
        let questions = std::fs::read_to_string(path)?;
        let questions: Vec<_> =
            questions.lines().filter_map(|line| line.split_once('\t')).collect();
        let tokenizer = Tokenizer::of(self.folder)?;
        let batch = self.batch();
        let right =
            answer(self.model, self.folder, &tokenizer, &questions, batch, &mut self.times)?;
        let sums = questions.iter().filter(|(question, _)| question.ends_with('=')).count();
        let all = questions.len();
        writeln!(out, "sums:      {:3} of {sums}", right[1])?;
        writeln!(out, "sentences: {:3} of {}", right[0], all - sums)?;
        let right = right[0] + right[1];
        writeln!(
            out,
            "Of {all} questions that it was not trained on, the model answers {right} right."
        )?;
        if right * 100 < EXPECTED * all {
            return Err(format!("at least {EXPECTED} % should be").into());
        }
        Ok(())
    }
}

/// Writes texts until they end, and calls `next` with the number of a text and its next token.
fn generate(
    model: &mut dyn Llama,
    prompts: &[Vec<usize>],
    most: usize,
    sampler: &mut Sampler,
    ends: impl Fn(usize) -> bool,
    times: &mut Times,
    mut next: impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let longest = prompts.iter().map(Vec::len).max().unwrap_or_default();
    let most = most.min(model.context().saturating_sub(longest));
    let (mut rows, mut wanted) = (Vec::new(), Vec::new());
    for (text, prompt) in prompts.iter().enumerate() {
        rows.extend(prompt.iter().map(|&token| Row { text, token }));
        wanted.push(rows.len() - 1);
    }
    let start = Instant::now();
    let mut logits = model.read(&rows, &wanted)?;
    times.read += rows.len();
    times.reading += start.elapsed();
    let mut texts: Vec<usize> = (0..prompts.len()).collect();
    for written in 0..most {
        let each = logits.len() / texts.len();
        rows.clear();
        for (text, logits) in texts.iter().zip(logits.chunks(each)) {
            let token = sampler.choose(logits);
            if !ends(token) {
                next(*text, token)?;
                rows.push(Row { text: *text, token });
            }
        }
        if rows.is_empty() || written + 1 == most {
            break;
        }
        texts = rows.iter().map(|row| row.text).collect();
        let start = Instant::now();
        logits = model.read(&rows, &(0..rows.len()).collect::<Vec<_>>())?;
        times.writing += start.elapsed();
        times.written += rows.len();
        times.steps += 1;
    }
    Ok(())
}

/// Lets the model answer questions. Returns the numbers of correct sentences and of correct sums.
fn answer(
    model: &mut dyn Llama,
    folder: &Folder,
    tokenizer: &Tokenizer,
    questions: &[(&str, &str)],
    batch: usize,
    times: &mut Times,
) -> Result<[usize; 2]> {
    let mut right = [0; 2];
    for questions in questions.chunks(batch) {
        model.forget();
        let prompts: Vec<_> = questions
            .iter()
            .map(|(question, _)| tokenizer.encode(question))
            .collect::<Result<_>>()?;
        let mut answers = vec![Vec::new(); questions.len()];
        let mut greedy = Sampler::new(0.0, 1.0, 0);
        let (most, ends) = (usize::MAX, |token| folder.config.ends(token));
        generate(model, &prompts, most, &mut greedy, ends, times, |text, token| {
            answers[text].push(token);
            Ok(())
        })?;
        for ((question, answer), tokens) in questions.iter().zip(answers) {
            right[usize::from(question.ends_with('='))] +=
                usize::from(tokenizer.decode(&tokens)? == *answer);
        }
    }
    Ok(right)
}

/// Prints the speed of the model and, for comparison, the speed of reading its weights: with `threads` threads, or with the threads
/// that compute products.
fn report(
    checkpoint: &Checkpoint,
    started: Duration,
    times: &Times,
    tied: bool,
    threads: Option<usize>,
) {
    let mut stderr = std::io::stderr().lock();
    let rate = |count: usize, time: Duration| count as f64 / time.as_secs_f64();
    let read = |name: &&str| tied || !name.starts_with("model.embed_tokens.weight");
    let weights: Vec<&[u8]> =
        checkpoint.names().filter(read).filter_map(|name| checkpoint.bytes(name).ok()).collect();
    let bytes: usize = weights.iter().map(|bytes| bytes.len()).sum();
    let _ = writeln!(stderr, "start:   {started:.1?}; {bytes} bytes of weights, mapped");
    let _ = writeln!(
        stderr,
        "prompts: {} tokens, {:.0} each second",
        times.read,
        rate(times.read, times.reading)
    );
    if times.steps > 0 {
        let used = rate(bytes * times.steps, times.writing);
        let share = used / read_speed(&weights, threads);
        let _ = writeln!(
            stderr,
            "written: {} tokens, {:.0} each second; weights at {:.2} GB/s, {share:.2} of the speed of just reading them",
            times.written,
            rate(times.written, times.writing),
            used / 1e9,
        );
    }
}

/// The speed of reading the weights, in bytes per second.
fn read_speed(weights: &[&[u8]], threads: Option<usize>) -> f64 {
    #[cfg(feature = "parallel")]
    let all = rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    let all = 1;
    let threads = threads.unwrap_or(all);
    let mut left = SAMPLE;
    let sample: Vec<&[u8]> = weights
        .iter()
        .map(|bytes| {
            let len = bytes.len().min(left);
            left -= len;
            &bytes[..len]
        })
        .collect();
    let bytes: usize = sample.iter().map(|bytes| bytes.len()).sum();
    // Small weights are read several times, so that the time to start threads is negligible.
    let rounds = (SAMPLE / 16 / bytes.max(1)).max(1);
    let read = |thread| (0..rounds).for_each(|_| read_share(black_box(&sample), thread, threads));
    let pass = || {
        let start = Instant::now();
        std::thread::scope(|scope| {
            (1..threads).for_each(|thread| drop(scope.spawn(move || read(thread))));
            read(0);
        });
        (bytes * rounds) as f64 / start.elapsed().as_secs_f64()
    };
    (0..5).map(|_| pass()).fold(0.0, f64::max)
}

/// Reads share number `share` of `of` equal shares of each weight.
fn read_share(sample: &[&[u8]], share: usize, of: usize) {
    let mut sums = [0_u64; 16];
    for bytes in sample {
        let part = bytes.len() / of;
        let words = bytes[share * part..][..part].as_chunks::<8>().0;
        for line in words.as_chunks::<16>().0 {
            for (sum, word) in sums.iter_mut().zip(line) {
                *sum = sum.wrapping_add(u64::from_le_bytes(*word));
            }
        }
    }
    black_box(sums);
}
