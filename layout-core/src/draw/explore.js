// Makes the page of a layout explorable. `table` holds the digits of the index functions and the steps from the array to
// memory; every cell that is visible is computed from it, so that a layout of any size costs what the window shows.
// It is null where the picture is all that there is: then only its cells that belong together light up.
(table => {
"use strict";
const script = document.currentScript;
const { floor, min, max, ceil } = Math;

// ---- The index functions, as `IndexMap` in layout-core has them. ----

const product = sizes => sizes.reduce((all, size) => all * size, 1);

/** The index with a row-major number. */
const digits = (number, sizes) => {
    const index = new Array(sizes.length);
    for (let dim = sizes.length; dim-- > 0; number = floor(number / sizes[dim])) index[dim] = number % sizes[dim];
    return index;
};

/** The row-major number of an index. */
const numberOf = (index, sizes) => index.reduce((number, at, dim) => number * sizes[dim] + at, 0);

/** The digit of `y` that a part `[source, div, size, stride, wrap]` holds. */
const digitOf = ([, div, size, , wrap], y) => (size <= 1 ? 0 : wrap ? floor(y / div) % size : floor(y / div));

/** The values that the parts of an index are taken of: its dimensions, then what tiles combine. */
const valuesOf = (map, index) => {
    const y = map.bounds.map((_, value) => (value < map.rank ? index[value] : 0));
    for (const [target, part] of map.terms) y[target] += digitOf(part, y[part[0]]) * part[3];
    return y;
};

/** The digits of an element's offset, each with its stride, major to minor. */
const placesOf = (map, index) => {
    const y = valuesOf(map, index);
    return map.parts.map(part => [digitOf(part, y[part[0]]), part[3]]);
};

const offsetOf = (map, index) => placesOf(map, index).reduce((sum, [digit, stride]) => sum + digit * stride, 0);

/** The index of the element at an offset; null for padding. */
const indexOf = (map, offset) => {
    if (offset >= map.len) return null;
    const y = map.bounds.map(() => 0);
    for (const [source, div, size, stride] of map.parts) if (size > 1) y[source] += floor(offset / stride) % size * div;
    for (let at = map.terms.length; at-- > 0;) {
        const [target, [source, div, size, stride]] = map.terms[at];
        if (y[target] >= map.bounds[target]) return null;
        if (size > 1) y[source] += floor(y[target] / stride) % size * div;
    }
    return y.every((at, value) => at < map.bounds[value]) ? y.slice(0, map.rank) : null;
};

// ---- The steps from the array to memory. ----

const pick = (from, dims) => dims.map(dim => from[dim]);

/** What is in cell `number` of a step: where it is stored in the tiles so far, and its element, null for padding. */
const cellOf = (step, number) => {
    let stored = number;
    if (step.order) {
        stored = numberOf(pick(digits(number, step.sizes), step.order), pick(step.widths, step.order));
    } else if (step.permutation) {
        const reshaped = digits(number, step.reshaped);
        stored = numberOf(pick(reshaped, step.permutation), step.transposed);
    }
    return { stored, index: indexOf(step.map, stored) };
};

/** In which cell of a step an element is: the inverse of `cellOf`. */
const numberIn = (step, index) => {
    if (step.order) return numberOf(index, step.sizes);
    const stored = offsetOf(step.map, index);
    if (!step.permutation) return stored;
    const reshaped = [];
    digits(stored, step.transposed).forEach((digit, at) => { reshaped[step.permutation[at]] = digit; });
    return numberOf(reshaped, step.reshaped);
};

/** The shard of an element, the devices that hold it, and its index in their arrays. */
const shardOf = ({ local, digits: parts, copies, ids }, index) => {
    const tile = index.map((at, dim) => floor(at / local[dim]));
    const first = parts.reduce((sum, [dim, div, size, stride]) => sum + floor(tile[dim] / div) % size * stride, 0);
    const all = copies.reduce((found, [size, stride]) =>
        found.flatMap(at => Array.from({ length: size }, (_, copy) => at + copy * stride)), [first]);
    const devices = all.sort((a, b) => a - b).map(position => ids[position] ?? position);
    return { first, devices, index: index.map((at, dim) => at % local[dim]) };
};

// ---- What the reader sees. ----

const STYLE = `
.layout-explorer{margin:1.5em 0;font:14px/1.5 sans-serif;color:inherit}
.layout-explorer .bar{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:8px 0}
.layout-explorer .tools{display:flex;gap:6px;margin-left:auto;max-width:100%}
.layout-explorer button,.layout-explorer input{font:inherit;color:inherit;background:transparent;min-height:32px;
  border:1px solid color-mix(in srgb,currentColor 35%,transparent);border-radius:6px;padding:2px 10px;box-sizing:border-box}
.layout-explorer button{cursor:pointer}
.layout-explorer button:hover{background:color-mix(in srgb,currentColor 8%,transparent)}
.layout-explorer button[aria-pressed=true]{background:hsl(210 75% 50%/.3);border-color:currentColor}
.layout-explorer :focus-visible{outline:2px solid hsl(210 90% 55%);outline-offset:1px}
.layout-explorer input{width:11em;min-width:0;flex:0 1 auto;font-family:monospace}
.layout-explorer canvas{display:block;width:100%;border-radius:6px;touch-action:none;cursor:crosshair;
  border:1px solid color-mix(in srgb,currentColor 20%,transparent);box-sizing:border-box}
.layout-explorer dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:10px 0}
.layout-explorer dt{margin:0;opacity:.75}
.layout-explorer dd{margin:0;font-family:monospace;overflow-wrap:anywhere}
.layout-explorer p{margin:6px 0;opacity:.75;font-size:13px}
.layout-lit{fill:#e8a500;fill-opacity:.35;stroke:currentColor;stroke-width:2}
@media print{.layout-explorer{display:none}div:has(>svg[viewBox]){overflow:visible!important}div>svg[viewBox]{max-width:100%;height:auto}}`;

const element = (name, attributes, ...children) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...children);
    return made;
};
const grouped = number => number.toLocaleString("en-US");
const tuple = index => `(${index.join(",")})`;

const readout = element("dl");
readout.setAttribute("aria-live", "polite");
const say = facts => readout.replaceChildren(...facts.flatMap(([name, text]) =>
    [element("dt", { textContent: name }), element("dd", { textContent: text })]));
const root = element("section", { className: "layout-explorer" }, element("style", { textContent: STYLE }));
root.setAttribute("aria-label", "explore the layout");

// ---- Cells of the picture that belong together. ----

const svg = [...document.querySelectorAll("svg[role=img]")]
    .filter(svg => svg.compareDocumentPosition(script) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
const linked = svg ? [...svg.querySelectorAll("[data-link]")] : [];
const linksOf = cell => cell.dataset.link.split(" ");
const light = links => {
    const lit = linked.filter(cell => linksOf(cell).some(link => links.includes(link)));
    for (const cell of linked) cell.classList.toggle("layout-lit", lit.includes(cell));
    return lit;
};

const exploreLinks = () => {
    const all = [...new Set(linked.flatMap(linksOf))];
    const show = links => {
        const lit = light(links);
        if (!table) say(lit.slice(0, 12).map((cell, at) => [at === 0 ? "together" : "", cell.querySelector("title").textContent]));
        return lit;
    };
    for (const cell of linked) {
        for (const event of ["pointerover", "click"]) cell.addEventListener(event, () => show(linksOf(cell)));
    }
    svg.addEventListener("pointerleave", () => { light([]); });
    if (!table) {
        let at = -1;
        const go = by => { at = (at + by + all.length) % all.length; show([all[at]]); };
        root.append(
            element("div", { className: "bar" },
                element("button", { type: "button", textContent: "‹ previous", onclick: () => go(at < 0 ? 0 : -1) }),
                element("button", { type: "button", textContent: "next ›", onclick: () => go(1) })),
            element("p", { textContent: "Point at or tap a cell of the picture: what belongs to it lights up with it." }),
            readout);
    }
    return { links: all, show };
};

// ---- The array, cell by cell. ----

/** Width and height of a cell with room for its number. */
const ROOMY = [42, 26];
/** How often a cell with room for its number can be doubled. */
const LARGEST = 2.5;
/** Space around the cells. */
const MARGIN = 8;

const exploreCells = () => {
    const { steps, first, hues, shards } = table;
    // Rows and columns of a step. What would be a long strip is folded.
    for (const step of steps) {
        step.total = product(step.sizes);
        let cols = product(step.sizes.slice(step.sizes.length - min(step.columns, step.sizes.length)));
        for (let dim = step.sizes.length - step.columns; dim-- > 0;) {
            const wider = cols * step.sizes[dim];
            if (step.total / cols <= 16 * cols || wider > 16 * (step.total / wider)) break;
            cols = wider;
        }
        step.cols = cols === step.total && cols > 256 ? 128 : max(cols, 1);
        step.rows = max(ceil(step.total / step.cols), 1);
    }
    const whole = steps[steps.length - 1];
    const canvas = element("canvas", { tabIndex: 0 });
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", `${table.notation}: one cell for each element; arrow keys move from cell to cell`);
    const pen = canvas.getContext("2d");
    let step = steps[0];
    // The column and the row in the corner. From a zoom of 0, where all is in view, to 1, the width and the height of a cell
    // grow to be roomy; from there on both double.
    let view = { x: 0, y: 0, zoom: 1 };
    let chosen = 0;
    let hovered = null;
    let [width, height] = [600, 300];

    // Everything there is to say of cell `number` of the step.
    const cell = number => {
        const { stored, index } = cellOf(step, number);
        if (!index) return { stored, index, tile: step.tile ? floor(stored / step.tile) : -1, inner: step === whole && table.inner ? floor(stored / table.inner) : -1 };
        if (shards) {
            const shard = shardOf(shards, index);
            const offset = offsetOf(shards.map, shard.index);
            return { stored, index, offset, tile: shard.first, inner: 0, shard };
        }
        const offset = offsetOf(table.map, index);
        const tile = first.tile ? floor(offsetOf(first.map, index) / first.tile) : 0;
        return { stored, index, offset, tile, inner: table.inner ? floor(offset / table.inner) : 0 };
    };
    const color = ({ tile, offset }, far) => {
        if (far) {
            return `hsl(${hues[0]} 75% 50% / ${0.1 + 0.6 * offset / table.stored})`;
        }
        const at = shards ? tile : floor(tile / first.across) * 3 + tile % first.across;
        return `hsl(${hues[at % hues.length]} 75% 50% / .3)`;
    };
    const numberAt = (row, column) => {
        const number = row * step.cols + column;
        const inside = row >= 0 && row < step.rows && column >= 0 && column < step.cols && number < step.total;
        return inside ? number : null;
    };

    const smallest = () => [min(width / step.cols, ROOMY[0]), min(height / step.rows, ROOMY[1])];
    const sizes = () => smallest().map((small, axis) =>
        (view.zoom < 1 ? small ** (1 - view.zoom) * ROOMY[axis] ** view.zoom : ROOMY[axis] * 2 ** (view.zoom - 1)));
    // How many times larger a cell is at a zoom of 1 than at 0.
    const range = () => max(...smallest().map((small, axis) => ROOMY[axis] / small));
    const clampView = () => {
        view.zoom = min(max(view.zoom, range() > 1 ? 0 : 1), LARGEST);
        const [wide, high] = sizes();
        view.x = min(max(view.x, 0), max(step.cols - width / wide, 0));
        view.y = min(max(view.y, 0), max(step.rows - height / high, 0));
    };
    const showAll = () => { view = { x: 0, y: 0, zoom: 0 }; clampView(); redraw(); };
    // Zooms around a point, which stays where it is.
    const zoom = (factor, point = [width / 2, height / 2]) => {
        const before = sizes();
        const [column, row] = [view.x + point[0] / before[0], view.y + point[1] / before[1]];
        view.zoom += Math.log(factor) / (view.zoom < 1 ? max(Math.log(range()), 1) : Math.LN2);
        clampView();
        const [wide, high] = sizes();
        [view.x, view.y] = [column - point[0] / wide, row - point[1] / high];
        clampView();
        redraw();
    };

    /** Parallel lines, as the picture has them over padding. */
    const hatch = ink => {
        const size = 13;
        const tile = Object.assign(document.createElement("canvas"), { width: size, height: size });
        const lines = tile.getContext("2d");
        lines.strokeStyle = ink;
        lines.globalAlpha = 0.22;
        // Those through the corners complete the line of the neighbouring tiles.
        for (const shift of [-size, 0, size]) {
            lines.moveTo(shift, size);
            lines.lineTo(shift + size, 0);
        }
        lines.stroke();
        return pen.createPattern(tile, "repeat");
    };

    const draw = () => {
        const ratio = window.devicePixelRatio || 1;
        canvas.width = (width + 2 * MARGIN) * ratio;
        canvas.height = (height + 2 * MARGIN) * ratio;
        pen.setTransform(ratio, 0, 0, ratio, MARGIN * ratio, MARGIN * ratio);
        const text = getComputedStyle(root).color;
        // Where cells are smaller than a few points, one stands for a block of them.
        const [wide, high] = sizes();
        const [across, down] = [max(1, ceil(3 / wide)), max(1, ceil(3 / high))];
        const [left, top] = [floor(view.x / across) * across, floor(view.y / down) * down];
        const [right, bottom] = [min(step.cols, view.x + width / wide), min(step.rows, view.y + height / high)];
        const rows = [];
        let [drawn, changes] = [0, 0];
        for (let row = top; row < bottom; row += down) {
            const cells = [];
            for (let column = left; column < right; column += across) {
                const number = numberAt(row, column);
                const found = number === null ? null : cell(number);
                drawn += found ? 1 : 0;
                changes += [cells[cells.length - 1], rows[rows.length - 1]?.[cells.length]]
                    .filter(before => before && before.tile !== found?.tile).length;
                cells.push(found);
            }
            rows.push(cells);
        }
        root.dataset.drawn = drawn;
        // Tiles too small to be seen are a flicker: there, colour is the offset.
        const far = !shards && down * across > 1 && changes > drawn / 4;
        legend.textContent = shards ? "Colour: the device." : far
            ? "Colour: the offset, pale at the start of memory and full at its end. Zoom in for the tiles."
            : "Colour: the tile. Number: the offset. Hatched: padding.";
        // Whole points, so that neighbours neither overlap nor part.
        const whole = at => Math.round(at * ratio) / ratio;
        const edges = (from, step, size, start, count) =>
            Array.from({ length: count + 1 }, (_, at) => whole((from + at * step - start) * size));
        const xs = edges(left, across, wide, view.x, rows[0]?.length ?? 0);
        const ys = edges(top, down, high, view.y, rows.length);
        const padding = hatch(text);
        rows.forEach((cells, row) => cells.forEach((found, column) => {
            if (!found) return;
            pen.fillStyle = found.index ? color(found, far) : padding;
            const [x, y] = [xs[column], ys[row]];
            const [w, h] = [min(xs[column + 1], whole((step.cols - view.x) * wide)) - x, min(ys[row + 1], whole((step.rows - view.y) * high)) - y];
            pen.fillRect(x, y, w, h);
        }));
        if (min(wide, high) >= 6) drawLines(rows, [left, top], [wide, high], text);
        if (min(wide, high) >= 12) drawNumbers(rows, [left, top], [wide, high], text);
        for (const [number, ink] of [[hovered, text], [chosen, "hsl(210 100% 50%)"]]) {
            if (number === null) continue;
            const [row, column] = [floor(number / step.cols), number % step.cols];
            pen.strokeStyle = ink;
            pen.lineWidth = 2.5;
            const [w, h] = [max(wide, 6), max(high, 6)];
            pen.strokeRect((column - view.x) * wide - (w - wide) / 2, (row - view.y) * high - (h - high) / 2, w, h);
        }
    };
    const drawLines = (rows, [left, top], [wide, high], text) => {
        const faint = new Path2D();
        const inner = new Path2D();
        const tiles = new Path2D();
        const between = (a, b, line) => {
            if (!a && !b) return;
            if (!a || !b || a.tile !== b.tile) line(tiles);
            else line(a.inner !== b.inner ? inner : faint);
        };
        for (let row = 0; row <= rows.length; row += 1) {
            const columns = (rows[row] ?? rows[row - 1]).length;
            for (let column = 0; column <= columns; column += 1) {
                const here = rows[row]?.[column];
                const [x, y] = [(left + column - view.x) * wide, (top + row - view.y) * high];
                between(rows[row - 1]?.[column], here, path => { path.moveTo(x, y); path.lineTo(x + wide, y); });
                between(rows[row]?.[column - 1], here, path => { path.moveTo(x, y); path.lineTo(x, y + high); });
            }
        }
        pen.strokeStyle = text;
        pen.lineWidth = 1;
        pen.globalAlpha = 0.12;
        pen.stroke(faint);
        pen.globalAlpha = 0.8;
        pen.strokeStyle = "#d22";
        pen.stroke(inner);
        pen.strokeStyle = text;
        pen.globalAlpha = 0.6;
        pen.lineWidth = 1.25;
        pen.stroke(tiles);
        pen.globalAlpha = 1;
    };
    const drawNumbers = (rows, [left, top], [wide, high], text) => {
        pen.fillStyle = text;
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        rows.forEach((cells, row) => cells.forEach((found, column) => {
            if (!found?.index) return;
            // Memory is in the order of the offsets: its cells say which element each is.
            const label = step === whole && steps.length > 1 ? found.index.join(",") : shards ? found.shard.devices[0] : found.offset > 9999 ? grouped(found.offset) : found.offset;
            const size = min(high * 0.5, wide * 0.9 / (String(label).length * 0.6), 18);
            if (size < 7) return;
            pen.font = `${size}px monospace`;
            pen.fillText(label, (left + column + 0.5 - view.x) * wide, (top + row + 0.5 - view.y) * high);
        }));
    };
    let pending = false;
    const redraw = () => {
        if (pending) return;
        pending = true;
        requestAnimationFrame(() => { pending = false; draw(); });
    };

    // Bytes from a bit to another: `68 to 71`, or some bits of one byte.
    const bytes = offset => {
        const [start, end] = [offset * table.bits, (offset + 1) * table.bits];
        if (table.bits % 8 !== 0) return `bits ${start % 8} to ${(end - 1) % 8} of byte ${grouped(floor(start / 8))}`;
        return table.bits === 8 ? grouped(start / 8) : `${grouped(start / 8)} to ${grouped(end / 8 - 1)}`;
    };
    const factsOf = number => {
        const { stored, index, offset, shard } = cell(number);
        if (!index) return [["element", "padding"], [step === whole ? "offset" : "cell", grouped(stored)]];
        const names = table.names.map((name, dim) => `${name}=${index[dim]}`).join(", ");
        const facts = [["index", names ? `${tuple(index)}, that is ${names}` : tuple(index)]];
        const map = shards ? shards.map : table.map;
        const places = placesOf(map, shard ? shard.index : index).filter(([digit]) => digit > 0);
        const sum = places.map(([digit, stride]) => (stride > 1 ? `${digit}*${stride}` : digit)).join(" + ");
        if (shard) {
            const [some, more] = [shard.devices.slice(0, 8), shard.devices.length - 8];
            facts.push(["device", some.join(", ") + (more > 0 ? `, and ${more} more` : "")]);
            facts.push(["index there", tuple(shard.index)]);
        }
        facts.push(["offset", grouped(offset) + (places.length > 1 || offset > 9 ? ` = ${sum}` : "")]);
        const tiles = !shards && first.tile && first.tile < table.stored;
        if (tiles) {
            const tile = floor(offsetOf(first.map, index) / first.tile);
            facts.push(["tile", table.contiguous ? `${grouped(tile)}, its element ${grouped(offset - tile * first.tile)} of ${grouped(first.tile)}` : grouped(tile)]);
        }
        facts.push(["bytes", bytes(offset)]);
        return facts;
    };
    const tell = () => {
        const number = hovered ?? chosen;
        say(number === null ? [["element", "point at a cell, or move with the arrow keys"]] : factsOf(number));
    };

    // Choosing a cell by its number scrolls it into view.
    const choose = number => {
        chosen = number;
        hovered = null;
        if (number !== null) {
            const [row, column] = [floor(number / step.cols), number % step.cols];
            const [wide, high] = sizes();
            view.x = max(min(view.x, column), column + 1 - width / wide);
            view.y = max(min(view.y, row), row + 1 - height / high);
            clampView();
        }
        tell();
        redraw();
    };
    const select = index => choose(numberIn(step, index));
    const goTo = at => {
        const index = chosen === null ? null : cellOf(step, chosen).index;
        step = steps[at];
        buttons.forEach((button, other) => button.setAttribute("aria-pressed", other === at));
        hovered = null;
        resize();
        showAll();
        choose(index && numberIn(step, index));
    };
    const stepBy = by => goTo(min(max(steps.indexOf(step) + by, 0), steps.length - 1));
    const find = text => {
        const numbers = (text.match(/\d+/g) ?? []).map(Number);
        const rank = table.map.rank;
        if (numbers.length === rank && (rank !== 1 || text.includes("("))) {
            if (numbers.every((at, dim) => at < table.map.bounds[dim])) return select(numbers);
        } else if (numbers.length === 1 && !shards) {
            const index = indexOf(table.map, numbers[0]);
            if (index) return select(index);
            if (numbers[0] < table.stored) {
                goTo(steps.length - 1);
                return choose(numbers[0]);
            }
        }
        return say([["element", `there is none at ${text}`]]);
    };

    const resize = () => {
        width = max((root.clientWidth || 600) - 2 * MARGIN - 2, 50);
        height = min(max(step.rows * ROOMY[1], 3 * ROOMY[1]), 380);
        canvas.style.height = `${height + 2 * MARGIN + 2}px`;
    };
    const button = (text, label, onclick) => {
        const made = element("button", { type: "button", textContent: text, onclick });
        if (label) made.setAttribute("aria-label", label);
        return made;
    };
    const buttons = steps.map((step, at) => button(`${at + 1}. ${step.title}`, "", () => goTo(at)));
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", at === 0));
    const box = element("input", { placeholder: table.map.rank > 1 && !shards ? `${table.map.bounds.slice(0, table.map.rank).map(() => 0).join(",")} or offset` : "index" });
    box.setAttribute("aria-label", "find an element by its index or its offset");
    box.onkeydown = event => {
        event.stopPropagation();
        if (event.key === "Enter") find(box.value);
    };
    const legend = element("p");

    // ---- Pointers and keys. ----

    const pointers = new Map();
    const at = event => {
        const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left - MARGIN - 1, event.clientY - box.top - MARGIN - 1];
    };
    const under = ([x, y]) => {
        const [wide, high] = sizes();
        return numberAt(floor(view.y + y / high), floor(view.x + x / wide));
    };
    let moved = 0;
    canvas.addEventListener("pointerdown", event => {
        pointers.set(event.pointerId, at(event));
        canvas.setPointerCapture(event.pointerId);
        moved = 0;
    });
    canvas.addEventListener("pointermove", event => {
        const [x, y] = at(event);
        const before = pointers.get(event.pointerId);
        if (!before) {
            hovered = under([x, y]);
            tell();
            return redraw();
        }
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        pointers.set(event.pointerId, [x, y]);
        moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
        if (other) {
            const distance = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
            return zoom(distance([x, y]) / max(distance(before), 1), [(x + other[0]) / 2, (y + other[1]) / 2]);
        }
        if (moved > 4) {
            const [wide, high] = sizes();
            view.x -= (x - before[0]) / wide;
            view.y -= (y - before[1]) / high;
            clampView();
            redraw();
        }
    });
    const release = event => {
        pointers.delete(event.pointerId);
        if (event.type === "pointerup" && moved <= 4) choose(under(at(event)));
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => { hovered = null; tell(); redraw(); });
    // A page scrolls by the wheel; the picture takes it only once it has been chosen, or with a key.
    canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
        event.preventDefault();
        zoom(Math.exp(-event.deltaY / 300), at(event));
    }, { passive: false });
    const moveBy = (rows, columns) => {
        const number = chosen ?? 0;
        const row = min(max(floor(number / step.cols) + rows, 0), step.rows - 1);
        const column = min(max(number % step.cols + columns, 0), step.cols - 1);
        choose(chosen === null ? 0 : min(row * step.cols + column, step.total - 1));
    };
    const page = () => max(floor(height / sizes()[1]), 1);
    const keys = {
        ArrowUp: far => moveBy(-far, 0), ArrowDown: far => moveBy(far, 0),
        ArrowLeft: far => moveBy(0, -far), ArrowRight: far => moveBy(0, far),
        PageUp: () => moveBy(-page(), 0), PageDown: () => moveBy(page(), 0),
        Home: () => moveBy(0, -step.cols), End: () => moveBy(0, step.cols),
        "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: showAll,
        "[": () => stepBy(-1), "]": () => stepBy(1), Escape: () => choose(null),
    };
    canvas.addEventListener("keydown", event => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
        if (!act) return;
        event.preventDefault();
        // The page's own keys stay out of it.
        event.stopPropagation();
        act(event.shiftKey ? 8 : 1);
    });

    readout.style.minHeight = "8em";
    root.append(
        element("div", { className: "bar" }, ...(buttons.length > 1 ? buttons : []),
            element("span", { className: "tools" }, box,
                button("−", "zoom out", () => zoom(1 / 2)), button("+", "zoom in", () => zoom(2)), button("all", "show all", showAll))),
        canvas, legend, readout,
        element("p", { textContent: "Point, tap, or use the arrow keys; drag to move, + and − or the wheel to zoom" + (steps.length > 1 ? ", [ and ] for the steps from the array to memory." : ".") }));
    const start = () => { resize(); showAll(); tell(); };
    // The size is known once the section is in the page; themes change its colours later.
    new ResizeObserver(() => { resize(); clampView(); redraw(); }).observe(root);
    new MutationObserver(redraw).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
    matchMedia("(prefers-color-scheme:dark)").addEventListener("change", redraw);
    requestAnimationFrame(start);
    return {
        offset: index => offsetOf(table.map, index), index: offset => indexOf(table.map, offset),
        shard: index => shardOf(shards, index), local: index => offsetOf(shards.map, index),
        steps: steps.map(step => step.title), goTo, select, find, zoom,
        number: (at, index) => numberIn(steps[at], index), cell: (at, number) => cellOf(steps[at], number),
        center: number => {
            const [wide, high] = sizes();
            const [row, column] = [floor(number / step.cols) + 0.5 - view.y, number % step.cols + 0.5 - view.x];
            return [column * wide + MARGIN + 1, row * high + MARGIN + 1];
        },
    };
};

// rustdoc shows the whole type of an alias on one line.
const declared = document.querySelector("pre.item-decl");
if (declared && /^(pub )?type /.test(declared.textContent)) {
    for (const text of [declared, ...declared.querySelectorAll("code")]) {
        text.style.whiteSpace = "pre-wrap";
        text.style.overflowWrap = "anywhere";
    }
    if (declared.textContent.length > 160) {
        const name = declared.textContent.split("=", 1)[0];
        const folded = element("details", { className: "layout-declared" },
            element("summary", { textContent: `${name}= …`, style: "cursor:pointer;font-family:monospace;margin:.5em 0" }));
        declared.before(folded);
        folded.append(declared);
    }
}

if (!table && linked.length === 0) return;
script.before(root);
if (table) root.explorer = exploreCells();
if (linked.length > 0) {
    const links = exploreLinks();
    root.explorer = Object.assign(root.explorer ?? {}, links);
}
})(null /* table */);
