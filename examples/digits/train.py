"""Train the digit classifier of the examples and write `digits.safetensors`.

    pip install -r requirements.txt && python train.py

The model is a multilayer perceptron, 64 -> 128 -> 10 with ReLU, for the 8x8
images of `sklearn.datasets.load_digits`:

    logits = relu(images @ fc1.weight + fc1.bias) @ fc2.weight + fc2.bias

The file holds the parameters in f32, the same parameters in bf16 (suffix
`.bf16`), and the held-out images and labels. It is written next to this
script; a second run with the same versions writes the same bytes.
"""

import json
import platform
from pathlib import Path

import numpy as np
import sklearn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

SEED = 0
HIDDEN = 128
EPOCHS = 60
BATCH = 32
LEARNING_RATE = 1e-3

# The attribution that the license of the images requires is stored in the file with them.
DATA = (
    "E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits (1998), "
    "UCI Machine Learning Repository, https://doi.org/10.24432/C50P49, CC BY 4.0; "
    "the copy in scikit-learn, pixels divided by 16"
)

OUTPUT = Path(__file__).resolve().with_name("digits.safetensors")


def load_split():
    """Return training images, test images, training labels, test labels."""
    images, labels = load_digits(return_X_y=True)
    # The pixels are integers in 0..=16, so the quotient is exact in f32 and in bf16.
    return train_test_split(
        images / 16.0, labels, test_size=0.2, stratify=labels, random_state=SEED
    )


def forward(params, images):
    """Return the hidden activations [n, 128] and the logits [n, 10]."""
    hidden = np.maximum(images @ params["fc1.weight"] + params["fc1.bias"], 0)
    return hidden, hidden @ params["fc2.weight"] + params["fc2.bias"]


def gradients(params, images, labels):
    """Return the gradient of the mean cross entropy for every parameter."""
    hidden, logits = forward(params, images)
    # The gradient of the cross entropy for the logits is softmax minus one-hot.
    d_logits = np.exp(logits - logits.max(axis=1, keepdims=True))
    d_logits /= d_logits.sum(axis=1, keepdims=True)
    d_logits[np.arange(len(labels)), labels] -= 1
    d_logits /= len(labels)
    d_hidden = (d_logits @ params["fc2.weight"].T) * (hidden > 0)
    return {
        "fc1.weight": images.T @ d_hidden,
        "fc1.bias": d_hidden.sum(axis=0),
        "fc2.weight": hidden.T @ d_logits,
        "fc2.bias": d_logits.sum(axis=0),
    }


def train(images, labels):
    """Train with Adam and return the parameters in f32.

    The arithmetic is f64: what the order of a sum changes, which depends on
    the processor and its threads, then lies far below the rounding to f32.
    """
    rng = np.random.default_rng(SEED)
    pixels, classes = images.shape[1], labels.max() + 1
    params = {
        "fc1.weight": rng.standard_normal((pixels, HIDDEN)) * np.sqrt(2 / pixels),
        "fc1.bias": np.zeros(HIDDEN),
        "fc2.weight": rng.standard_normal((HIDDEN, classes)) * np.sqrt(2 / HIDDEN),
        "fc2.bias": np.zeros(classes),
    }
    beta1, beta2, epsilon = 0.9, 0.999, 1e-8
    mean = {name: np.zeros_like(value) for name, value in params.items()}
    square = {name: np.zeros_like(value) for name, value in params.items()}
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            step += 1
            for name, gradient in gradients(params, images[batch], labels[batch]).items():
                mean[name] = beta1 * mean[name] + (1 - beta1) * gradient
                square[name] = beta2 * square[name] + (1 - beta2) * gradient**2
                unbiased_mean = mean[name] / (1 - beta1**step)
                unbiased_square = square[name] / (1 - beta2**step)
                params[name] -= (
                    LEARNING_RATE * unbiased_mean / (np.sqrt(unbiased_square) + epsilon)
                )
    return {name: value.astype(np.float32) for name, value in params.items()}


def to_bf16_bits(values):
    """Round finite f32 values to bf16, nearest even, and return the bits as u16."""
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16_bits(bits):
    """Widen bf16 bits to the f32 values that they represent."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def count_correct(params, images, labels):
    """Return the number of images whose label is correct."""
    _, logits = forward(params, images)
    return int((logits.argmax(axis=1) == labels).sum())


def write_safetensors(path, tensors, metadata):
    """Write tensors, given as name -> (dtype name, array), and string metadata.

    The `safetensors` package writes metadata in an order that changes from run
    to run, so the format is written here: the length of the header as a
    little-endian u64, the header as JSON, the bytes of the tensors.
    """
    header, data = {"__metadata__": metadata}, b""
    # Wide elements first, so that every tensor is aligned to its element.
    for name, (dtype, array) in sorted(
        tensors.items(), key=lambda item: (-item[1][1].itemsize, item[0])
    ):
        raw = array.astype(array.dtype.newbyteorder("<")).tobytes()
        header[name] = {
            "dtype": dtype,
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def main():
    train_images, test_images, train_labels, test_labels = load_split()
    params = train(train_images, train_labels)
    rounded = {name: to_bf16_bits(value) for name, value in params.items()}
    widened = {name: from_bf16_bits(bits) for name, bits in rounded.items()}
    test_images = test_images.astype(np.float32)
    test_labels = test_labels.astype(np.int32)

    total = len(test_labels)
    correct_f32 = count_correct(params, test_images, test_labels)
    correct_bf16 = count_correct(widened, test_images, test_labels)
    accuracy_f32 = f"{correct_f32 / total:.4f} ({correct_f32} of {total})"
    accuracy_bf16 = f"{correct_bf16 / total:.4f} ({correct_bf16} of {total})"

    tensors = {name: ("F32", value) for name, value in params.items()}
    tensors |= {f"{name}.bf16": ("BF16", bits) for name, bits in rounded.items()}
    tensors["test.images"] = ("F32", test_images)
    tensors["test.labels"] = ("I32", test_labels)
    metadata = {
        "description": "digit classifier, MLP 64-128-10 with ReLU, and its held-out images",
        "accuracy": accuracy_f32,
        "accuracy.bf16": accuracy_bf16,
        "data": DATA,
        "seed": str(SEED),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }
    write_safetensors(OUTPUT, tensors, metadata)

    print(f"held-out accuracy, f32 weights:  {accuracy_f32}")
    print(f"held-out accuracy, bf16 weights: {accuracy_bf16}")
    print(f"wrote {OUTPUT.name}, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
