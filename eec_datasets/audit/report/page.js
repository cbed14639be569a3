// The page reads without this: it adds a filter by name, and sorting by a column.
for (const box of document.querySelectorAll(".filter")) {
  const input = box.querySelector("input"), shown = box.querySelector("output");
  const named = document.querySelectorAll("[data-system]");
  const apply = () => {
    const wanted = input.value.trim().toLocaleLowerCase();
    const seen = new Set();
    for (const one of named) {
      const name = one.dataset.system.toLocaleLowerCase();
      one.hidden = !name.includes(wanted);
      if (!one.hidden) seen.add(name);
    }
    shown.textContent = seen.size;
  };
  box.hidden = false;
  input.addEventListener("input", apply);
  apply();
}
for (const table of document.querySelectorAll("table.sorts")) {
  table.querySelectorAll("thead th").forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = row => row.cells[index].dataset.value ?? row.cells[index].textContent.trim();
      const body = table.tBodies[0];
      const order = (a, b) => {
        const [x, y] = [value(a), value(b)];
        const [n, m] = [parseFloat(x), parseFloat(y)];
        if (index === 0) return x.localeCompare(y);
        return (Number.isNaN(n) ? -Infinity : n) - (Number.isNaN(m) ? -Infinity : m);
      };
      body.append(...[...body.rows].sort((a, b) => down ? order(b, a) : order(a, b)));
    });
  });
}
