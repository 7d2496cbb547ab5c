//! Recognizes handwritten digits with arrays that are packed as on a TPU, in f32 and in bf16.
//!
//! ```sh
//! cargo run --release --example digits
//! ```
//!
//! `digits.safetensors` contains a small classifier and 360 images that were not in its training data; see the README next to it.
//! Weights and images are packed once, in the layouts that the TPU compiler chooses, and all computations use the packed arrays. A
//! layer is one product: bias and ReLU are applied to its sums, which are then rounded once to the element type of the activations.
//! The layouts are types, so a matrix of the wrong size or element type would not compile.
//!
//! Plain loops over row-major arrays compute the same results for comparison. The program fails if the two recognize different
//! digits in any of the images.

mod load;
mod reference;

use load::File;
use reference::Reference;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::half::bf16;
use tensor_layout::types::Shape2;
use tensor_layout::{BF16, F32, Layout, MatmulElement, Packed, Product, RoundedFrom, tpu};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const IMAGES: usize = 360;
const PIXELS: usize = 64;
const HIDDEN: usize = 128;
const DIGITS: usize = 10;

/// The number of runs of the packed arrays, of which the fastest is reported. Without optimization, there are as many as fit in
/// `LIMIT`.
const RUNS: usize = 1000;
/// The number of runs of the plain loops.
const REFERENCE_RUNS: usize = 100;
const LIMIT: Duration = Duration::from_secs(5);

/// The logits are not rounded to bf16, because close ones would become equal.
type Logits = tpu!(f32[IMAGES, DIGITS]);

/// A precision of the computation: an element type, and its layouts. `tpu!` expands to those that the TPU compiler chooses.
trait Precision: MatmulElement<Sum = F32> + RoundedFrom<F32> {
    type Images: Layout<Element = Self, Shape = Shape2<IMAGES, PIXELS>>;
    type Weights1: Layout<Element = Self, Shape = Shape2<PIXELS, HIDDEN>>;
    type Hidden: Layout<Element = Self, Shape = Shape2<IMAGES, HIDDEN>>;
    type Weights2: Layout<Element = Self, Shape = Shape2<HIDDEN, DIGITS>>;

    /// A tensor of the file in this precision.
    fn load(file: &File, name: &str, shape: &[usize]) -> Result<Vec<Self::Host>>;
    fn round(x: f32) -> Self::Host;
    fn widen(x: Self::Host) -> f32;
}

impl Precision for F32 {
    type Images = tpu!(f32[IMAGES, PIXELS]);
    type Weights1 = tpu!(f32[PIXELS, HIDDEN]);
    type Hidden = tpu!(f32[IMAGES, HIDDEN]);
    type Weights2 = tpu!(f32[HIDDEN, DIGITS]);

    fn load(file: &File, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        file.f32(name, shape)
    }
    fn round(x: f32) -> f32 {
        x
    }
    fn widen(x: f32) -> f32 {
        x
    }
}

impl Precision for BF16 {
    type Images = tpu!(bf16[IMAGES, PIXELS]);
    type Weights1 = tpu!(bf16[PIXELS, HIDDEN]);
    type Hidden = tpu!(bf16[IMAGES, HIDDEN]);
    type Weights2 = tpu!(bf16[HIDDEN, DIGITS]);

    fn load(file: &File, name: &str, shape: &[usize]) -> Result<Vec<bf16>> {
        file.bf16(&format!("{name}.bf16"), shape)
    }
    fn round(x: f32) -> bf16 {
        bf16::from_f32(x)
    }
    fn widen(x: bf16) -> f32 {
        x.to_f32()
    }
}

/// The classifier, packed.
struct Classifier<P: Precision> {
    weights1: Packed<P::Weights1>,
    bias1: Vec<f32>,
    weights2: Packed<P::Weights2>,
    bias2: Vec<f32>,
}

impl<P: Precision> Classifier<P> {
    fn pack(row_major: &Reference<P>) -> Result<Self> {
        Ok(Self {
            weights1: P::Weights1::pack(&row_major.weights1)?,
            bias1: row_major.bias1.clone(),
            weights2: P::Weights2::pack(&row_major.weights2)?,
            bias2: row_major.bias2.clone(),
        })
    }

    /// The digit in each image.
    fn digits(&self, images: &Packed<P::Images>, activations: &mut Activations<P>) -> Vec<usize> {
        let Activations { hidden, logits } = activations;
        let first = Product::of(images, &self.weights1).column_bias(&self.bias1);
        first.activation(|x| x.max(0.0)).write_to(hidden);
        Product::of(hidden, &self.weights2).column_bias(&self.bias2).write_to(logits);
        logits.argmax(&[1])
    }
}

/// Arrays that are overwritten for each batch of images.
struct Activations<P: Precision> {
    hidden: Packed<P::Hidden>,
    logits: Packed<Logits>,
}

/// The classifier and the images in one precision, packed and row-major.
struct Comparison<P: Precision> {
    row_major: Reference<P>,
    pixels: Vec<P::Host>,
    labels: Vec<i32>,
    classifier: Classifier<P>,
    images: Packed<P::Images>,
    activations: Activations<P>,
}

impl<P: Precision> Comparison<P> {
    fn load(file: &File) -> Result<Self> {
        let row_major = Reference::<P>::load(file)?;
        let pixels: Vec<P::Host> =
            file.f32("test.images", &[IMAGES, PIXELS])?.into_iter().map(P::round).collect();
        Ok(Self {
            classifier: Classifier::<P>::pack(&row_major)?,
            images: P::Images::pack(&pixels)?,
            activations: Activations { hidden: Packed::zeroed()?, logits: Packed::zeroed()? },
            labels: file.i32("test.labels", &[IMAGES])?,
            row_major,
            pixels,
        })
    }

    /// The digit in each image, by the packed arrays.
    fn digits(&mut self) -> Vec<usize> {
        self.classifier.digits(black_box(&self.images), &mut self.activations)
    }

    /// Prints the results; `time` is that of the packed arrays.
    fn print(&mut self, time: Duration) -> Result<()> {
        let (mut reference, mut reference_time) = (Vec::new(), Duration::MAX);
        repeat(REFERENCE_RUNS, || {
            let run = || self.row_major.digits(black_box(&self.pixels));
            reference = timed(&mut reference_time, run);
        });
        let digits = self.digits();
        let right = |digits: &[usize]| {
            digits
                .iter()
                .zip(&self.labels)
                .filter(|&(&digit, &label)| i32::try_from(digit) == Ok(label))
                .count()
        };
        let per_image = |time: Duration| time.as_secs_f64() * 1e6 / IMAGES as f64;
        let percent = |right: usize| 100.0 * right as f64 / IMAGES as f64;
        let (ours, theirs) = (right(&digits), right(&reference));
        let size = size_of::<P::Host>();
        println!("{}", P::DTYPE);
        println!("  images         {}", P::Images::SPEC);
        println!("  weights        {}, {}", P::Weights1::SPEC, P::Weights2::SPEC);
        println!("                 {:>12} {:>12}", "packed", "row-major");
        println!("  right          {ours:>12} {theirs:>12}   of {IMAGES}");
        println!("  accuracy       {:>11.2}% {:>11.2}%", percent(ours), percent(theirs));
        println!(
            "  time           {:>12.3} {:>12.3}   microseconds an image",
            per_image(time),
            per_image(reference_time)
        );
        println!(
            "  weights        {:>12} {:>12}   bytes, padding included",
            P::Weights1::BYTES + P::Weights2::BYTES,
            (PIXELS * HIDDEN + HIDDEN * DIGITS) * size
        );
        println!(
            "  images         {:>12} {:>12}   bytes",
            P::Images::BYTES,
            IMAGES * PIXELS * size
        );
        println!();
        match digits.iter().zip(&reference).position(|(ours, theirs)| ours != theirs) {
            Some(image) => Err(format!(
                "image {image} is a {} for the packed arrays, but a {} for the row-major ones",
                digits[image], reference[image]
            )
            .into()),
            None => Ok(()),
        }
    }
}

/// Whether the CPU has instructions for products of bf16 numbers.
fn has_bf16() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512bf16");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Runs a function some times, but no longer than `LIMIT`.
fn repeat(runs: usize, mut f: impl FnMut()) {
    let start = Instant::now();
    for _ in 0..runs {
        f();
        if start.elapsed() > LIMIT {
            break;
        }
    }
}

/// The result of a function, whose time replaces `best` if it is shorter.
fn timed<T>(best: &mut Duration, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = f();
    *best = start.elapsed().min(*best);
    result
}

fn main() -> Result<()> {
    let file =
        File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/digits/digits.safetensors"))?;
    let (mut single, mut half) =
        (Comparison::<F32>::load(&file)?, Comparison::<BF16>::load(&file)?);
    // Both alternate, so that other work on the machine slows down both.
    let [mut of_single, mut of_half] = [Duration::MAX; 2];
    repeat(RUNS, || {
        timed(&mut of_single, || single.digits());
        timed(&mut of_half, || half.digits());
    });
    single.print(of_single)?;
    half.print(of_half)?;
    let times = of_single.as_secs_f64() / of_half.as_secs_f64();
    let how = if has_bf16() { "has" } else { "does not have" };
    println!(
        "bf16 is {times:.2} times as fast as f32; this CPU {how} instructions for products of bf16"
    );
    println!(
        "\nNext: the same in 8 bits, and a kernel written by hand over tiles, `cargo run --release -p kernels`; a layer of\n\
         attention, `cargo run --release --example attention`."
    );
    Ok(())
}
