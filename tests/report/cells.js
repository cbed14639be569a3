// Of every cell of the picture: how far its number stands out, and how wide its drawing and their scale are.
() => [...document.querySelectorAll('.picture td:has(.strip)')].map(cell => {
  const [outer, inner, strip, ends] = [
    cell, cell.querySelector('bdi'), cell.querySelector('.strip'),
    cell.closest('table').querySelectorAll('.ends')[cell.cellIndex - cell.parentNode.querySelector('td').cellIndex],
  ].map(element => element.getBoundingClientRect());
  const outside = Math.max(outer.left - inner.left, inner.right - outer.right);
  return { outside, drawing: Math.round(strip.width), scale: Math.round(ends.width), text: cell.textContent };
})
