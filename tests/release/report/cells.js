// Of every row of the picture: how far its answer stands out, and how wide its drawing and the scale below are.
() => [...document.querySelectorAll('.drawn tr:has(.strip)')].map(row => {
  const scale = row.closest('table').querySelector('.axis .track');
  const [cell, strip, ends] = [
    row.querySelector('.word'), row.querySelector('.strip'), scale,
  ].map(element => element.getBoundingClientRect());
  const outside = row.querySelector('.word').scrollWidth - Math.ceil(cell.width);
  return { outside, drawing: Math.round(strip.width), scale: Math.round(ends.width), text: row.textContent };
})
