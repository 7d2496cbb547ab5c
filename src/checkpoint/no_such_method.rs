//! Names of methods and constructors of checkpoints in other libraries, such as `safetensors` and PyTorch.

use super::{Checkpoint, Packer, Rules, Writer};
use layout_core::no_such_method;

no_such_method! {
    methods of [] [Checkpoint]:
    WriteNames "the names of the tensors are `checkpoint.names()`"
        note "`checkpoint.spec(name)?` is the layout of a tensor, and `checkpoint.get::<L>(name)?` a view of it":
        tensors keys entries list tensor_names items iter into_iter len is_empty values state_dict;
    WriteAnyName "`checkpoint.names().any(|name| name == \"w\")` says whether there is a tensor":
        contains contains_key contains_tensor has has_tensor exists;
    WriteGet "`checkpoint.get::<L>(name)?` is a view of a tensor, where `L` is its layout"
        note "`checkpoint.get_or_relayout::<L>(name)?` packs a tensor that is stored in another layout":
        tensor get_tensor load_tensor read read_tensor view fetch slice get_slice at index get_view packed;
    WriteSpec "`checkpoint.spec(name)?` is the layout of a tensor, with its sizes and element type":
        shape dtype layout info dims tensor_info metadata tensor_spec get_spec;
    WriteOpenOrManifestLoad "`Checkpoint::open(path)?` opens a file, and `Model::load(&checkpoint)?` loads the tensors of a manifest"
        note "a manifest is a struct, `checkpoint! {{ struct Model {{ w: tpu!(f32[64,64]) }} }}`":
        load load_model from_file from_path new mmap load_file open_file read_file deserialize from_pretrained try_load
        load_state_dict from_safetensors;
}
no_such_method! {
    methods of [] [Writer]:
    WriteCreate "`Writer::create(path, [(\"w\", L::SPEC)])?` announces all tensors, and `writer.write(\"w\", x.as_bytes())?` writes one"
        note "`writer.finish()?` completes the file":
        new open add insert add_tensor save push write_tensor set append put add_array save_file serialize;
    WriteFinish "`writer.finish()?` completes the file":
        close done end complete;
}
no_such_method! {
    methods of [] [Packer<'_>]:
    WritePack "`Packer::new(\"* = tpu!\".parse()?).pack(source, target)?` packs all tensors of a file":
        run convert execute from_rules save write build open rule rules with_rule;
}
no_such_method! {
    methods of [] [Rules]:
    WriteParse "rules are read from text, `\"* = tpu!\".parse::<Rules>()?`"
        note "`rules.with(pattern, rule)` adds one":
        new from_text parse add push insert add_rule;
}
