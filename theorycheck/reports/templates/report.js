"use strict";
(() => {
  const one = (s) => document.querySelector(s);
  const all = (s) => [...document.querySelectorAll(s)];
  const root = document.documentElement;
  const claims = all(".claim"), groups = all("section.group");
  const selects = all(".filters select");
  const box = one("#q"), surprise = one("#f-surprise");
  const store = { get: () => { try { return localStorage.getItem("theorycheck-theme"); } catch { return null; } },
                  set: (v) => { try { localStorage.setItem("theorycheck-theme", v); } catch { /* private window */ } } };

  if (store.get()) root.dataset.theme = store.get();
  one("#theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    store.set(root.dataset.theme);
  });

  function filter() {
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const c of claims) {
      const fits = selects.every((s) => !s.value || c.dataset[s.dataset.field] === s.value)
        && (!surprise.checked || "surprise" in c.dataset)
        && wanted.every((w) => c.dataset.search.includes(w));
      c.hidden = !fits;
      shown += fits;
    }
    for (const g of groups) g.hidden = !g.querySelector(".claim:not([hidden])");
    one("#shown").textContent = shown === claims.length ? `${shown} claims` : `${shown} of ${claims.length} claims`;
    one("#none").hidden = shown > 0;
    remember();
  }

  function remember() {
    const now = new URLSearchParams();
    if (box.value) now.set("q", box.value);
    for (const s of selects) if (s.value) now.set(s.dataset.field, s.value);
    if (surprise.checked) now.set("surprise", "1");
    const text = now.toString();
    try { history.replaceState(null, "", (text ? "?" + text : location.pathname) + location.hash); } catch { /* a page without an address */ }
  }

  function clear() {
    box.value = "";
    for (const s of selects) s.value = "";
    surprise.checked = false;
  }

  function choose(field, value) {
    clear();
    const s = one("#f-" + field);
    if (s) s.value = value;
    filter();
    one("#claims").scrollIntoView();
  }

  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) { clear(); filter(); }
    const inner = target.querySelector(":scope > details");
    if (inner) inner.open = true;
    for (let d = target; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
    target.scrollIntoView();
  }

  const asked = new URLSearchParams(location.search);
  box.value = asked.get("q") || "";
  for (const s of selects) s.value = asked.get(s.dataset.field) || "";
  for (const s of selects) if (s.selectedIndex < 0) s.value = "";
  surprise.checked = asked.has("surprise");
  filter();
  follow();
  addEventListener("hashchange", follow);
  box.addEventListener("input", filter);
  for (const s of [...selects, surprise]) s.addEventListener("change", filter);
  one(".filters").addEventListener("submit", (e) => e.preventDefault());
  one("#clear").addEventListener("click", () => { clear(); filter(); });
  one("#unfold").addEventListener("click", (e) => {
    const open = e.target.textContent === "Open all";
    for (const c of claims) if (!c.hidden) c.firstElementChild.open = open;
    e.target.textContent = open ? "Close all" : "Open all";
  });
  for (const t of all(".tile")) t.addEventListener("click", () => choose("stands", t.dataset.stands));
  for (const b of all(".copy")) b.addEventListener("click", async () => {
    const text = b.previousElementSibling.textContent;
    try { await navigator.clipboard.writeText(text); b.textContent = "Copied"; } catch { getSelection().selectAllChildren(b.previousElementSibling); }
  });
  addEventListener("beforeprint", () => { for (const d of all("details")) d.open = true; });
})();
