//! Which instructions this CPU has beyond those of every CPU of the target. They are asked for here and nowhere else; a
//! value stands for a CPU that has them, so whoever holds one may call what needs them.

macro_rules! instructions {
    ($($(#[$doc:meta])* $Name:ident: [$($feature:tt)+];)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct $Name(());

        impl $Name {
            /// `None` if the CPU lacks any of them.
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                ($(std::is_x86_feature_detected!($feature))&&+).then_some(Self(()))
            }
        }
    )* };
}

instructions! {
    /// AVX2 and BMI2.
    HasAvx2: ["avx2" "bmi2"];
    /// AVX-512 with shuffles of bytes, AVX2 and BMI2.
    HasAvx512: ["avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx2" "bmi2"];
    /// AVX2 and FMA.
    HasFma: ["avx2" "fma"];
    /// AVX2, FMA and AVX-VNNI: dot products of bytes.
    HasAvxVnni: ["avx2" "fma" "avxvnni"];
    /// AVX2, FMA and AVX-512 F.
    HasAvx512F: ["avx2" "fma" "avx512f"];
    /// AVX2, FMA, AVX-512 F and its dot products of `bf16`.
    HasAvx512Bf16: ["avx2" "fma" "avx512f" "avx512bf16"];
    /// AVX2, FMA, AVX-512 F and its dot products of bytes.
    HasAvx512Vnni: ["avx2" "fma" "avx512f" "avx512vnni"];
}
