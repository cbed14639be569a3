"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const say = data.say;
  const form = document.getElementById("form");
  const problems = document.getElementById("problems");
  const done = document.getElementById("done");
  // Another page, such as a second part, has other sentences under the same numbers.
  const store = "eec-review-" + data.language + "-" + data.page;
  const fields = form.elements;

  const verdictOf = n => fields["v" + n].value;
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => key in values ? values[key] : whole);
  const clean = text => text.normalize("NFC").replace(/\s+/g, " ").trim();

  function show() {
    let count = 0;
    data.sentences.forEach((sentence, n) => {
      const verdict = verdictOf(n);
      const card = document.getElementById("s" + n);
      if (verdict) count += 1;
      card.querySelector(".more").hidden = !verdict;
      card.querySelector(".correction").hidden = !(verdict === "odd" || verdict === "wrong" || sentence.question);
    });
    document.getElementById("progress").textContent =
      filled(say.progress, { done: count, all: data.sentences.length });
  }

  // What was filled in stays on this machine, until the page is opened again; where that is not allowed, it is lost.
  function remember() {
    try {
      const kept = {};
      for (const field of fields) {
        if (!field.name || ((field.type === "radio" || field.type === "checkbox") && !field.checked)) continue;
        if (field.value) kept[field.name] = field.value;
      }
      localStorage.setItem(store, JSON.stringify(kept));
    } catch (error) { /* private windows refuse */ }
  }

  function recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(store) || "{}");
      for (const name of Object.keys(kept)) {
        if (!fields[name]) continue;
        if (fields[name].type === "checkbox") fields[name].checked = true;
        else fields[name].value = kept[name];
      }
    } catch (error) { /* as above */ }
  }

  function answers() {
    const found = [];
    data.sentences.forEach((sentence, n) => {
      const verdict = verdictOf(n);
      if (!verdict) return;
      const takesCorrection = verdict !== "natural" || sentence.question;
      found.push({
        config: sentence.config, id: sentence.id, speaker: sentence.speaker, variants: sentence.variants,
        text: sentence.text, hash: sentence.hash, verdict: verdict,
        correction: takesCorrection ? clean(fields["c" + n].value) : "",
        comment: clean(fields["k" + n].value), question: sentence.question,
      });
    });
    return found;
  }

  function lacking(reader, found) {
    const told = [];
    if (!found.length) told.push([say.need_one, document.querySelector("#s0 input")]);
    if (!reader.native) told.push([say.need_native, fields.native[0]]);
    if (!reader.country) told.push([say.need_country, fields.country]);
    if (!/\p{L}/u.test(reader.name)) told.push([say.need_name, fields.reader]);
    if (!fields.consent.checked) told.push([say.need_consent, fields.consent]);
    for (const field of form.querySelectorAll("textarea, input[dir=auto]")) {
      const text = clean(field.value);
      if (/[<>]/.test(text)) told.push([filled(say.no_markup, { where: text }), field]);
      if (/^['\s]*[=+\-@#]/.test(text.normalize("NFKC"))) told.push([filled(say.no_formula, { where: text }), field]);
    }
    return told;
  }

  function tell(told) {
    problems.replaceChildren();
    if (!told.length) return;
    const head = document.createElement("p");
    head.textContent = say.missing;
    const list = document.createElement("ul");
    for (const [text, field] of told) {
      const entry = document.createElement("li");
      const link = document.createElement("a");
      link.textContent = text;
      link.href = "#" + (field.closest("[id]") || form).id;
      link.addEventListener("click", event => { event.preventDefault(); field.focus(); });
      entry.append(link);
      list.append(entry);
    }
    problems.append(head, list);
    problems.focus();
  }

  function slug(name) {
    const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return plain.replace(/^-+|-+$/g, "") || "reader";
  }

  function today() {
    const now = new Date();
    const two = number => String(number).padStart(2, "0");
    return now.getFullYear() + "-" + two(now.getMonth() + 1) + "-" + two(now.getDate());
  }

  function save(event) {
    event.preventDefault();
    const reader = {
      name: clean(fields.reader.value), native: fields.native.value, country: fields.country.value,
      variety: clean(fields.variety.value),
    };
    const found = answers();
    const told = lacking(reader, found);
    tell(told);
    done.hidden = true;
    if (told.length) return;
    const review = {
      format: "eec-review", schema: 1, language: data.language, version: data.version, date: today(),
      reader: {
        name: reader.name, native: reader.native === "yes", country: reader.country, variety: reader.variety,
        consent: true, licence: data.licence,
      },
      answers: found,
    };
    const text = JSON.stringify(review, null, 1) + "\n";
    const name = "eec-review-" + data.language + "-" + slug(reader.name) + "-" + review.date + ".json";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    document.getElementById("file").textContent = name;
    document.getElementById("copy").value = text;
    done.hidden = false;
    done.focus();
  }

  recall();
  show();
  form.addEventListener("change", () => { show(); remember(); });
  form.addEventListener("input", remember);
  form.addEventListener("submit", save);
  for (const button of document.querySelectorAll(".clear")) {
    button.addEventListener("click", () => {
      for (const input of button.closest("fieldset").querySelectorAll("input")) input.checked = false;
      for (const area of button.closest("fieldset").querySelectorAll("textarea")) area.value = "";
      show();
      remember();
    });
  }
})();
