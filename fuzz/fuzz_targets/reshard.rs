//! Each step of a plan has the sharding that it states, devices that execute the plan hold the right elements, and no simpler plan
//! moves fewer bytes.
#![no_main]

#[allow(dead_code, reason = "other targets use more of it")]
mod draw;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sharding/numbers.rs"]
mod numbers;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sharding/properties/random.rs"]
mod random;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sharding/properties/reshards.rs"]
mod reshards;

use libfuzzer_sys::fuzz_target;
use random::Random;

fuzz_target!(|bytes: &[u8]| {
    let Some((seed, _)) = draw::seed(bytes) else { return };
    let case = reshards::case(&mut Random(seed), 36);
    let steps = reshards::plan(&case);
    reshards::check_steps(&case, &steps);
    reshards::check_traffic(&case, &steps);
    // Running threads takes much longer than planning.
    if seed % 16 == 0 {
        let case = reshards::case(&mut Random(seed), 24);
        reshards::check_run(&case, &reshards::plan(&case));
    }
});
