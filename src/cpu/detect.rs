//! The instructions of this CPU that not every CPU of the target has. They are detected only here. A value of one of these types
//! proves that the CPU has the instructions, so code that has the value may call functions that need them.

use super::amx;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The environment variable that limits the instructions of kernels.
const VARIABLE: &str = "TENSOR_LAYOUT_CPU";

/// Limits on the instructions of kernels; each permits everything that those before it permit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Generation {
    Portable,
    Avx2,
    Avx512,
    Amx,
}

impl Generation {
    /// The limit for a value of the variable; without a value, everything is permitted.
    fn limit(value: Option<&str>) -> Result<Self, String> {
        match value {
            Some("portable") => Ok(Self::Portable),
            Some("avx2") => Ok(Self::Avx2),
            Some("avx512") => Ok(Self::Avx512),
            Some("amx") | None => Ok(Self::Amx),
            Some(other) => Err(format!(
                "{VARIABLE} is `{other}`, but should be `portable`, `avx2`, `avx512` or `amx`"
            )),
        }
    }

    /// Whether the environment permits these instructions.
    fn is_permitted(self) -> bool {
        let value = std::env::var_os(VARIABLE);
        let limit = Self::limit(value.as_deref().map(|value| value.to_string_lossy()).as_deref());
        self <= limit.unwrap_or_else(|message| panic!("{message}"))
    }
}

/// The states of a detection: not done yet, the instructions may not be used, or they may.
const UNKNOWN: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;

macro_rules! instructions {
    ($($(#[$attribute:meta])* $Name:ident: $generation:ident [$($feature:tt)+] $(if $condition:expr)?;)*) => { $(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct $Name(());

        $(#[$attribute])*
        impl $Name {
            /// The proof; `None` if the CPU lacks one of the instructions, or the environment forbids them.
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);

                #[cold]
                fn ask() -> bool {
                    let present = Generation::$generation.is_permitted()
                        $(&& std::is_x86_feature_detected!($feature))+
                        $(&& $condition)?;
                    FOUND.store(if present { PRESENT } else { ABSENT }, Relaxed);
                    present
                }

                let present = match FOUND.load(Relaxed) {
                    UNKNOWN => ask(),
                    found => found == PRESENT,
                };
                present.then_some(Self(()))
            }
        }
    )* };
}

instructions! {
    /// AVX2, BMI2, and the conversions of `f16` (F16C), which every CPU with the others has.
    HasAvx2: Avx2 ["avx2" "bmi2" "f16c"];
    /// AVX-512 with shuffles of bytes, AVX2 and BMI2.
    HasAvx512: Avx512 ["avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx2" "bmi2"];
    /// AVX2, FMA and F16C, the conversions of `f16`, which every CPU with the others has.
    HasFma: Avx2 ["avx2" "fma" "f16c"];
    /// AVX2, FMA and AVX-VNNI: dot products of bytes.
    HasAvxVnni: Avx2 ["avx2" "fma" "avxvnni"];
    /// AVX2, FMA, and AVX-512 F and BW.
    HasAvx512F: Avx512 ["avx2" "fma" "avx512f" "avx512bw"];
    /// AVX2, FMA, AVX-512 F and BW, and its dot products of `bf16`.
    HasAvx512Bf16: Avx512 ["avx2" "fma" "avx512f" "avx512bw" "avx512bf16"];
    /// AVX2, FMA, AVX-512 F with its dot products of `bf16`, and the instructions that spread words by a mask.
    #[cfg(feature = "sparse")]
    HasAvx512Spread: Avx512 ["avx2" "fma" "avx512f" "avx512bw" "avx512vl" "avx512bf16" "avx512vbmi2"];
    /// AVX2, FMA, AVX-512 F and BW, and its dot products of bytes.
    HasAvx512Vnni: Avx512 ["avx2" "fma" "avx512f" "avx512bw" "avx512vnni"];
    /// AVX2, FMA, AVX-512 F, and the tiles of AMX with dot products of `bf16`, which the process may use.
    HasAmxBf16: Amx ["avx2" "fma" "avx512f"] if amx::is_usable(amx::BF16);
    /// AVX2, FMA, AVX-512 F, and the tiles of AMX with dot products of bytes, which the process may use.
    HasAmxInt8: Amx ["avx2" "fma" "avx512f"] if amx::is_usable(amx::INT8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Runs this test in a process of its own for each value of the variable, since a process detects only once.
    #[test]
    fn the_environment_limits_the_instructions() {
        const CHILD: &str = "TENSOR_LAYOUT_CPU_OF_THE_TEST";
        if std::env::var_os(CHILD).is_some() {
            let value = std::env::var(VARIABLE).expect("a value");
            let has_avx2 = std::is_x86_feature_detected!("avx2");
            let others =
                std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("f16c");
            let expected = has_avx2 && others && value != "portable";
            // Twice, because the second call returns the stored answer.
            for _ in 0..2 {
                assert_eq!(HasAvx2::detect().is_some(), expected, "{value}");
                let with_avx512 = ["avx512", "amx"].contains(&value.as_str());
                assert!(HasAvx512F::detect().is_none() || with_avx512);
                assert!(HasAvx512::detect().is_none() || with_avx512);
                let amx = [amx::BF16, amx::INT8].map(|set| value == "amx" && amx::is_usable(set));
                assert_eq!([HasAmxBf16::detect().is_some(), HasAmxInt8::detect().is_some()], amx);
            }
            return;
        }
        let run = |value: &str| {
            let name = "cpu::detect::tests::the_environment_limits_the_instructions";
            let mut test = Command::new(std::env::current_exe().expect("this test"));
            test.args(["--exact", name, "--nocapture"]).env(CHILD, "").env(VARIABLE, value);
            let output = test.output().expect("a process");
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(String::from_utf8_lossy(&output.stdout).contains("1 test"), "{text}");
            (output.status.success(), text)
        };
        for value in ["portable", "avx2", "avx512", "amx"] {
            let (passed, text) = run(value);
            assert!(passed, "{text}");
        }
        let (passed, text) = run("avx3");
        let message =
            "TENSOR_LAYOUT_CPU is `avx3`, but should be `portable`, `avx2`, `avx512` or `amx`";
        assert!(!passed && text.contains(message), "{text}");
    }
}
