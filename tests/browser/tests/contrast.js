// What is wrong with the pictures of a page, as it is shown: [how many there are, what is wrong].
const numbers = text => text.match(/[\d.]+/g).map(Number);
const over = (top, alpha, under) => top.slice(0, 3).map((part, i) => part * alpha + under[i] * (1 - alpha));
// As the Web Content Accessibility Guidelines define it.
const luminance = color => {
    const [r, g, b] = color.map(part => part / 255).map(part =>
        part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
};
const opacity = element =>
    element.localName === "svg" ? 1 : getComputedStyle(element).opacity * opacity(element.parentElement);

const page = numbers(getComputedStyle(document.body).backgroundColor);
const pictures = [...document.querySelectorAll("svg[role=img]")];
const problems = [];
for (const picture of pictures) {
    const name = picture.getAttribute("aria-label");
    const complain = what => problems.push(`${name}: ${what}`);
    if (!name || picture.querySelector("title")?.textContent !== name) complain("its title is not its label");
    const all = picture.getBoundingClientRect();
    const cells = [...picture.querySelectorAll("path")].filter(path => path.querySelector("title"));
    const areas = cells.map(cell => {
        const style = getComputedStyle(cell);
        const color = over(numbers(style.fill), Number(style.fillOpacity), page);
        return { box: cell.getBoundingClientRect(), color, title: cell.querySelector("title").textContent };
    });
    if (areas.length === 0) complain("it has no cells");
    const within = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    const shown = [];
    for (const text of picture.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        const style = getComputedStyle(text);
        if (style.visibility !== "visible" || box.width < 4 || box.height < 8) complain(`${text.textContent} is not shown`);
        if (box.left < all.left || box.right > all.right) complain(`${text.textContent} is cut off`);
        const area = areas.find(area => within(area.box, x, y));
        const under = area?.color ?? page;
        const found = contrast(over(numbers(style.fill), opacity(text), under), under);
        if (found < 4.5) complain(`${text.textContent} has a contrast of ${found.toFixed(1)}`);
        if (area && box.width > area.box.width) complain(`${text.textContent} is wider than its cell`);
        const other = shown.find(other => Math.max(other.box.left, box.left) < Math.min(other.box.right, box.right)
            && Math.max(other.box.top, box.top) < Math.min(other.box.bottom, box.bottom));
        if (other) complain(`${text.textContent} lies over ${other.text}`);
        shown.push({ box, text: text.textContent });
    }
    for (const { color, title } of areas) {
        const distance = Math.hypot(...color.map((part, i) => part - page[i]));
        const white = title.startsWith("padding") || title.endsWith("is not stored") || /^(positions|coordinates)/.test(title);
        if (!white && distance < 30) complain(`${title}: its colour is that of the page`);
    }
}
return [pictures.length, problems];
