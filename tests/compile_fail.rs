//! Each file of `compile_fail` holds one mistake and is named after it; what rustc says of it stands beside it.

#[test]
fn every_mistake_is_an_error_under_its_own_token() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*.rs");
    // With a case that passes all are built, not just checked: errors of const generic parameters show then only.
    cases.pass("tests/compile_pass/*.rs");
}
