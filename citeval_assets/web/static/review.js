// Keys for the review pages. Without this file everything works with the mouse and Tab.
"use strict";
(() => {
  const typing = (element) =>
    element instanceof HTMLElement && element.closest("input, textarea, select, [contenteditable]");
  const units = [...document.querySelectorAll("[data-unit] select")];
  const form = document.getElementById("decide");

  for (const select of document.querySelectorAll("select[data-submit]")) {
    select.addEventListener("change", () => select.form.requestSubmit());
  }
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.hidden = false;
    button.addEventListener("click", () => document.getElementById(button.dataset.opens).showModal());
  }

  function label(digit) {
    if (!form) return;
    if (!units.length) {
      const scores = [...document.querySelectorAll("#scores option")];
      if (scores[digit - 1]) form.elements.score.value = scores[digit - 1].value;
      return;
    }
    const unit = units.find((select) => !select.value) || units[units.length - 1];
    if (unit.options[digit]) {
      unit.selectedIndex = digit;
      const next = units.find((select) => !select.value) || unit;
      next.closest("tr").scrollIntoView({ block: "nearest" });
    }
  }

  // A decision that lacks something leads to the field instead of being sent.
  function lacking(kind) {
    const fields = form.elements;
    if (!fields.reviewer.value.trim()) return fields.reviewer;
    const { answer } = fields; // what the model wrote stands there already: it is not the answer
    if (kind === "answer" && answer.value.trim() === answer.defaultValue.trim()) return answer;
    if (kind === "note" && !fields.note.value.trim()) return fields.note;
    const unlabelled = units.find((select) => !select.value);
    if (kind === "override" && !fields.score.value.trim() && (unlabelled || !units.length)) {
      return unlabelled || fields.score;
    }
    return null;
  }

  let wanted = null;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && typing(event.target)) {
      event.target.blur();
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form && typing(event.target)) {
      const kind = { answer: "answer", note: "note" }[event.target.id] || wanted || "override";
      const button = form.querySelector(`button[value="${kind}"]`);
      if (button && !event.repeat) form.requestSubmit(button);
      event.preventDefault();
      return;
    }
    const open = document.querySelector("dialog[open]");
    if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey || open) return;
    if (/^[1-9]$/.test(event.key)) {
      label(Number(event.key));
      event.preventDefault();
      return;
    }
    const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!target || event.repeat) return;
    event.preventDefault();
    if (target.form === form && form && target.name === "decision") {
      wanted = target.value;
      // A note is written first, whatever stands there: it may go with another decision.
      const field = target.value === "note" ? form.elements.note : lacking(target.value);
      if (field) field.focus();
      else form.requestSubmit(target);
    } else {
      target.click();
    }
  });
})();
