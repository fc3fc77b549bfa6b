// Progressive enhancement only: every page works without this file.
"use strict";

// A case: choosing a finding exchanges the panel instead of loading the page anew.
(() => {
  const panel = document.getElementById("panel");
  if (!panel) return;

  function showMatch() {
    const match = panel.querySelector("mark.match");
    const box = match && match.closest(".source-text");
    if (box) box.scrollTop = match.offsetTop - box.offsetTop - box.clientHeight / 3;
  }

  function currentMarks(page) {
    const chosen = new Set();
    for (const link of page.querySelectorAll("main [data-finding][aria-current]")) {
      chosen.add(link.dataset.finding);
    }
    for (const link of document.querySelectorAll("main [data-finding]")) {
      if (link.closest("#panel")) continue;
      if (chosen.has(link.dataset.finding)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  async function choose(address, push) {
    panel.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("panel");
      if (!fresh) throw new Error("no panel");
      const step = document.activeElement && document.activeElement.dataset.step;
      panel.replaceChildren(...document.adoptNode(fresh).childNodes);
      currentMarks(page);
      if (push) history.pushState({ finding: true }, "", address);
      const again = step && panel.querySelector(`[data-step="${step}"]`);
      if (again) again.focus({ preventScroll: true });
      panel.scrollTop = 0;
      showMatch();
      const top = panel.getBoundingClientRect().top;
      if (top > window.innerHeight * 0.75 || top < -50) panel.scrollIntoView();
    } catch {
      window.location.assign(address);
    } finally {
      panel.removeAttribute("aria-busy");
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-finding]");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(link.href, true);
  });

  window.addEventListener("popstate", () => choose(window.location.href, false));

  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const step = { j: "next", k: "previous" }[event.key];
    const link = step && panel.querySelector(`a[data-step="${step}"]`);
    if (!link) return;
    event.preventDefault();
    choose(link.href, true);
  });

  showMatch();
})();

// Filters: a changed select shows its list at once; typing waits for Enter or the button.
for (const form of document.querySelectorAll("form.filter")) {
  form.addEventListener("submit", () => {
    for (const field of form.querySelectorAll("input, select")) {
      if (field.value === "") field.disabled = true;
    }
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("select")) form.requestSubmit();
  });
}
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("form.filter :disabled")) field.disabled = false;
});
