//! Invalid files.

use super::*;

#[test]
fn no_changed_byte_goes_unnoticed() {
    let file = Temporary::new("changed");
    write(&file);
    let whole = fs::read(&file.0).unwrap();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let tensors = tensors();
    let mut accepted = 0;
    // All of the header, and some of the data.
    for at in (0..data).chain((data..whole.len()).step_by(7)) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&file.0, &bytes).unwrap();
        let Ok(checkpoint) = Checkpoint::open(&file.0) else { continue };
        let Ok(()) = checkpoint.verify() else { continue };
        // The bytes of gaps have no effect, nor do those of the names of gaps.
        accepted += 1;
        assert_eq!(checkpoint.names().count(), tensors.len(), "byte {at}");
        for (name, spec, bytes) in &tensors {
            assert_eq!(checkpoint.spec(name).unwrap(), spec, "byte {at}");
            assert_eq!(checkpoint.bytes(name).unwrap(), bytes, "byte {at}");
        }
    }
    assert!(accepted < 40, "{accepted} changes are accepted");
    for len in [0, 7, 8, 100, data - 1, data, whole.len() - 1] {
        fs::write(&file.0, &whole[..len]).unwrap();
        assert!(Checkpoint::open(&file.0).is_err(), "{len} bytes");
    }
}

#[test]
fn damage_and_later_versions_are_told() {
    let file = Temporary::new("damage");
    write(&file);
    let whole = fs::read(&file.0).unwrap();
    let mut bytes = whole.clone();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    bytes[data + 3] ^= 0x80;
    fs::write(&file.0, &bytes).unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let error = checkpoint.get::<Rows>("rows").unwrap_err();
    assert!(matches!(error, CheckpointError::Checksum { .. }), "{error}");
    assert!(checkpoint.verify().is_err());
    let unchecked = Checkpoint::options().verify(Verify::OnRequest).open(&file.0).unwrap();
    assert_eq!(unchecked.get::<Rows>("rows").unwrap().get([0, 0]).to_bits(), 0x8000_0000);

    let later = String::from_utf8_lossy(&whole[8..data]).replacen(":\"1\"", ":\"2\"", 1);
    let later = [&whole[..8], later.as_bytes(), &whole[data..]].concat();
    fs::write(&file.0, later).unwrap();
    assert!(matches!(Checkpoint::open(&file.0), Err(CheckpointError::Version { .. })));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_cut_off_is_noticed() {
    let file = Temporary::new("shrunk");
    write(&file);
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    fs::File::options().write(true).open(&file.0).unwrap().set_len(100).unwrap();
    let error = checkpoint.get::<Rows>("rows").unwrap_err();
    assert!(matches!(error, CheckpointError::Shrunk { actual: 100, .. }), "{error}");
}

/// Only files that this library writes have tensors at multiples of 64 bytes.
#[test]
fn tensors_that_are_not_aligned_are_copied() {
    let file = Temporary::new("unaligned");
    let header = br#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}} "#;
    for spaces in 0..4 {
        let mut bytes = (header.len() as u64 + spaces).to_le_bytes().to_vec();
        bytes.extend_from_slice(header);
        bytes.resize(8 + header.len() + spaces as usize, b' ');
        bytes.extend([1.5_f32, -2.0].map(f32::to_le_bytes).concat());
        fs::write(&file.0, bytes).unwrap();
        type X = tiled!(f32[2]);
        let checkpoint = Checkpoint::open(&file.0).unwrap();
        assert_eq!(checkpoint.get_or_relayout::<X>("x").unwrap().as_ref().unpack(), [1.5, -2.0]);
        match checkpoint.get::<X>("x") {
            Ok(view) => assert_eq!(view.unpack(), [1.5, -2.0]),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("help: `get_or_relayout` copies it"), "{text}");
            }
        }
    }
}
