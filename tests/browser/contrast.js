// Visible texts whose contrast with what lies behind them is below WCAG AA (4.5, large text 3).
(() => {
  const parse = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const lum = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, below) => { const a = top[3] ?? 1; return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)); };
  const background = (e) => {
    const layers = [];
    for (let x = e; x; x = x.parentElement) { const c = parse(getComputedStyle(x).backgroundColor); if ((c[3] ?? 1) > 0) layers.push(c); }
    return layers.reverse().reduce((b, t) => over(t, b), [255, 255, 255]);
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || !e.checkVisibility() || ["SCRIPT", "STYLE", "OPTION"].includes(e.tagName)) continue;
    if (e.closest("title, desc") || e.closest(":disabled") || e.closest(".skip")) continue;
    const style = getComputedStyle(e);
    const inSvg = e.closest("svg");
    let back = background(inSvg ? inSvg.parentElement : e);
    if (inSvg && e.closest("g.node")) { const f = parse(getComputedStyle(e.closest("g.node").querySelector("rect")).fill); if (f.length) back = over(f, back); }
    const ink = over(parse(inSvg ? style.fill : style.color), back);
    const [a, b] = [lum(ink), lum(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} "${n.data.trim().slice(0, 40)}" <${e.tagName}.${e.getAttribute("class")}>`);
  }
  return bad.slice(0, 20);
})()
