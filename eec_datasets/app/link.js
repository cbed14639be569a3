(config, low, high, lang) => {
  const at = new URL(location), example = %s;
  const state = { config, low: low === %g ? null : low, high: high === %g ? null : high, lang };
  if (example !== null) state.example = example;
  for (const [name, value] of Object.entries(state))
    value === null || value === "" ? at.searchParams.delete(name) : at.searchParams.set(name, value);
  history.replaceState(null, "", at);
  const link = document.getElementById("eec-link");
  if (link) link.href = at;
}
