// Finds, on the page as it is: text with too little contrast (WCAG 2.2, 1.4.3), controls without a
// name (4.1.2), ids that occur twice, text of a plot that its edge cuts. Returns one line each.
() => {
  const findings = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".sr-only, .skip, [hidden]");
  const where = (e) => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ""}.${[...e.classList].join(".")}`;

  const parse = (css) => {
    const srgb = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(css);
    if (srgb) return [srgb[1] * 255, srgb[2] * 255, srgb[3] * 255, srgb[4] === undefined ? 1 : +srgb[4]];
    const [r, g, b, a = "1"] = css.match(/[\d.]+/g) ?? ["0", "0", "0", "0"];
    return [+r, +g, +b, +a];
  };
  const over = ([r, g, b, a], [r0, g0, b0]) => [r * a + r0 * (1 - a), g * a + g0 * (1 - a), b * a + b0 * (1 - a)];
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName) || !shown(element)) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const ink = over(parse(element instanceof SVGElement ? style.fill : style.color), back);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const ratio = contrast(ink, back);
    if (ratio < (large ? 3 : 4.5)) findings.push(`contrast ${ratio.toFixed(2)} of “${texts.currentNode.data.trim().slice(0, 40)}” in ${where(element)}`);
  }

  for (const e of document.querySelectorAll(".plot text")) {
    const [words, box] = [e.getBoundingClientRect(), e.closest(".plot-box").getBoundingClientRect()];
    if (shown(e) && words.width > 0 && (words.left < box.left || words.right > box.right)) findings.push(`cut: “${e.textContent}”`);
  }

  const named = (e) =>
    e.getAttribute("aria-label") ||
    (e.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("") ||
    [...(e.labels ?? [])].map((l) => l.textContent).join("") ||
    e.textContent.trim();
  for (const e of document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=slider], [role=table], dialog[open], section")) {
    if ((shown(e) || e.matches(".skip")) && !named(e)) findings.push(`no name: ${where(e)}`);
  }

  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i))) findings.push(`id twice: ${id}`);
  if (!document.documentElement.lang) findings.push("no language");
  if (document.querySelectorAll("h1").length !== 1) findings.push("not one h1");
  return findings;
}
