"""Reads MLIR modules, a JSON list of texts, and prints what is wrong with each; empty where nothing is."""

import json
import sys

try:
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import sdy, stablehlo
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
except ImportError as error:
    sys.exit(f"jaxlib is not installed: {error}")

context = ir.Context()
registry = ir.DialectRegistry()
_jax_mlir_ext.register_dialects(registry)
context.append_dialect_registry(registry)
context.load_all_available_dialects()
stablehlo.register_dialect(context)
sdy.register_dialect(context)


def mistake(text):
    with context, ir.Location.unknown():
        try:
            ir.Module.parse(text).operation.verify()
        except Exception as error:
            return str(error)
    return ""


print(json.dumps([mistake(text) for text in json.load(sys.stdin)]))
