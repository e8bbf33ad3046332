// Search in the page itself: in place of MkDocs' worker and its request for the index, which browsers deny to
// pages that are opened as files. `index.js` is written by docs/hooks.py when the site is built.
(function () {
  "use strict";
  const box = document.getElementById("mkdocs-search-query");
  const list = document.getElementById("mkdocs-search-results");
  if (!box || !list) return;

  function load(name) {
    return new Promise((loaded, failed) => {
      const script = document.createElement("script");
      script.src = `${base_url}/search/${name}`;
      script.onload = loaded;
      script.onerror = () => failed(new Error(`${name} is not there`));
      document.head.append(script);
    });
  }

  function element(tag, text, ...inside) {
    const made = document.createElement(tag);
    made.append(text, ...inside);
    return made;
  }

  function ready() {
    const { config, docs } = window.searchIndex;
    const entries = new Map(docs.map((entry) => [entry.location, entry]));
    lunr.tokenizer.separator = new RegExp(config.separator);
    const index = lunr(function () {
      this.ref("location");
      this.field("title");
      this.field("text");
      docs.forEach((entry) => this.add(entry));
    });

    function show() {
      // Words only: signs such as a colon or a minus are commands to lunr.
      const words = box.value.match(/[\p{L}\p{N}]+/gu) ?? [];
      const found = words.length ? index.search(words.join(" ")) : [];
      list.replaceChildren(
        ...found.map(({ ref }) => {
          const { title, text } = entries.get(ref);
          const link = element("a", title);
          link.href = `${base_url}/${ref}`;
          return element("article", element("h3", link), element("p", text.slice(0, 200)));
        }),
      );
      if (!found.length) list.append(element("p", words.length ? "No results found" : ""));
    }

    box.addEventListener("input", show);
    box.form.addEventListener("submit", (event) => event.preventDefault());
    const asked = new URLSearchParams(location.search).get("q");
    if (asked) box.value = asked;
    show();
  }

  load("lunr.js")
    .then(() => load("index.js"))
    .then(ready)
    .catch((error) => list.replaceChildren(element("p", `The search did not start: ${error.message}`)));
})();
