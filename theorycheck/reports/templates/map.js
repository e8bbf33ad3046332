"use strict";
// Maps: a focus on one statement with what it rests on or what rests on it, laid out anew for the window.
(() => {
  const SVG = "http://www.w3.org/2000/svg", BOX = { w: 144, h: 60, x: 20, y: 40 };
  const make = (name, attributes, text) => {
    const e = document.createElementNS(SVG, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const cut = (text, letters) => (text.length <= letters ? text : text.slice(0, letters - 1).trimEnd() + "…");

  function twoLines(text) {
    const words = text.split(/\s+/), first = [];
    while (words.length && [...first, words[0]].join(" ").length <= 20) first.push(words.shift());
    return [first.join(" ") || words.shift() || "", words.join(" ")].filter(Boolean).map((t) => cut(t, 20));
  }

  // Ids that are reached from one along an adjacency, at most so many steps away.
  function reach(start, near, depth) {
    const found = new Map([[start, 0]]), ahead = [start];
    while (ahead.length) {
      const id = ahead.shift();
      if (found.get(id) >= depth) continue;
      for (const next of near[id] || []) if (!found.has(next)) { found.set(next, found.get(id) + 1); ahead.push(next); }
    }
    return found;
  }

  // Rows of ids, the lowest first: the longest way down inside the selection, ordered by their neighbours.
  function rows(ids, below, above) {
    const depth = {};
    const level = (id) => (depth[id] ??= 1 + Math.max(-1, ...(below[id] || []).filter((u) => ids.has(u)).map(level)));
    const out = [];
    for (const id of ids) (out[level(id)] ??= []).push(id);
    for (let sweep = 0; sweep < 6; sweep++) {
      const at = {};
      for (const row of out) row.forEach((id, i) => { at[id] = (i + 0.5) / row.length; });
      const near = sweep % 2 ? above : below;
      const middle = (id) => { const n = (near[id] || []).filter((u) => ids.has(u)); return n.length ? n.reduce((s, u) => s + at[u], 0) / n.length : at[id]; };
      for (const row of out) row.sort((a, b) => middle(a) - middle(b));
    }
    return out;
  }

  function draw(data, ids, focus, width) {
    const lines = [], most = Math.max(1, Math.min(6, Math.floor((width - BOX.x) / (BOX.w + BOX.x))));
    for (const row of rows(ids, data.below, data.above)) for (let i = 0; i < row.length; i += most) lines.push(row.slice(i, i + most));
    const across = Math.max(...lines.map((l) => l.length)) * (BOX.w + BOX.x) + BOX.x, tall = lines.length * (BOX.h + BOX.y);
    const place = {};
    lines.slice().reverse().forEach((line, level) => {
      const left = (across - line.length * (BOX.w + BOX.x) + BOX.x) / 2;
      line.forEach((id, i) => { place[id] = [left + i * (BOX.w + BOX.x), BOX.y / 2 + level * (BOX.h + BOX.y)]; });
    });
    const svg = make("svg", { class: "map", viewBox: `0 0 ${across} ${tall}`, width: across, height: tall, role: "group", "aria-label": `Statements around ${data.nodes[focus].label}` });
    for (const e of data.edges) if (ids.has(e.premise) && ids.has(e.conclusion)) {
      const [x, y] = place[e.premise], [u, v] = place[e.conclusion], x1 = x + BOX.w / 2, x2 = u + BOX.w / 2, y2 = v + BOX.h, half = Math.max(10, (y - y2) / 2);
      const path = make("path", { class: `edge ${e.wrong ? "wrong" : "right"}${e.form === "corrected" ? " corrected" : ""}`, d: `M${x1} ${y}C${x1} ${y - half} ${x2} ${y2 + half} ${x2} ${y2}` });
      path.append(make("title", {}, `${data.nodes[e.conclusion].label} rests on ${data.nodes[e.premise].label} (${e.form} form)`));
      svg.append(path);
    }
    for (const id of ids) {
      const n = data.nodes[id], [x, y] = place[id];
      const g = make("g", { class: `node ${n.status}${n.part ? " part" : ""}${id === focus ? " focus" : ""}`, "data-id": id, tabindex: 0, role: "button" });
      g.append(make("title", {}, n.words));
      g.append(make("rect", { x, y, width: BOX.w, height: BOX.h, rx: n.part ? 0 : 6 }), make("text", { x: x + 8, y: y + 18, class: "label" }, cut(n.label, 17)));
      twoLines(n.title).forEach((t, i) => g.append(make("text", { x: x + 8, y: y + 34 + 15 * i, class: "title" }, t)));
      svg.append(g);
    }
    return svg;
  }

  for (const tool of document.querySelectorAll(".maptool")) {
    const one = (s) => tool.querySelector(s), view = one(".mapview"), note = one(".mapnote"), whole = view.firstElementChild;
    const data = JSON.parse(one(".mapdata").textContent);
    data.below = {}; data.above = {};
    for (const e of data.edges) { (data.below[e.conclusion] ??= []).push(e.premise); (data.above[e.premise] ??= []).push(e.conclusion); }
    const direction = one(".direction"), depth = one(".depth");
    let chosen = null, scale = 1;

    function zoom(by) {
      scale = by ? Math.min(3, Math.max(0.3, scale * by)) : 1;
      const svg = view.firstElementChild;
      svg.style.width = by ? svg.viewBox.baseVal.width * scale + "px" : "";
      svg.style.height = "auto";
    }
    function tell(id) {
      const n = data.nodes[id], shown = one("#" + CSS.escape("note--" + id));
      for (const p of note.children) p.hidden = p !== shown;
      return n;
    }
    function show(id) {
      chosen = id;
      tell(id);
      const ids = new Map([[id, 0]]), far = depth.value === "all" ? Infinity : +depth.value;
      for (const [way, near] of [["down", data.below], ["up", data.above]]) if (direction.value === way || direction.value === "both") for (const [k, v] of reach(id, near, far)) ids.set(k, v);
      view.replaceChildren(draw(data, new Set(ids.keys()), id, view.clientWidth));
      zoom(0);
      try { history.replaceState(null, "", location.pathname + location.search + `#map--${data.source}--${id}--${direction.value}--${depth.value}`); } catch { /* a page without an address */ }
    }
    function all() { chosen = null; view.replaceChildren(whole); zoom(0); }

    function follow() {
      const found = /^#map--([^-]+)--(.+)--(up|down|both)--(\d+|all)$/.exec(decodeURIComponent(location.hash));
      if (!found || found[1] !== data.source || !data.nodes[found[2]]) return;
      direction.value = found[3]; depth.value = found[4];
      for (let d = tool; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
      show(found[2]);
      tool.scrollIntoView();
    }
    view.addEventListener("click", (e) => {
      const node = e.target.closest("[data-id]") ?? e.target.closest("a")?.querySelector("[data-id]");
      if (node) { e.preventDefault(); show(node.dataset.id); }
    });
    view.addEventListener("keydown", (e) => {
      const node = e.target.closest("g[data-id]");
      if (node && (e.key === "Enter" || e.key === " ")) { e.preventDefault(); show(node.dataset.id); }
    });
    for (const b of tool.querySelectorAll("button[data-focus]")) b.addEventListener("click", () => { show(b.dataset.focus); tool.scrollIntoView(); });
    for (const s of [direction, depth]) s.addEventListener("change", () => { if (chosen) show(chosen); });
    one(".whole").addEventListener("click", all);
    one(".in").addEventListener("click", () => zoom(1.25));
    one(".out").addEventListener("click", () => zoom(0.8));
    let held = null;
    view.addEventListener("pointerdown", (e) => { if (e.pointerType === "mouse" && !e.target.closest("[data-id]")) held = [e.clientX + view.scrollLeft, e.clientY + view.scrollTop]; });
    addEventListener("pointermove", (e) => { if (held) { view.scrollLeft = held[0] - e.clientX; view.scrollTop = held[1] - e.clientY; } });
    addEventListener("pointerup", () => { held = null; });
    addEventListener("hashchange", follow);
    follow();
  }
})();
