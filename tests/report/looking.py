"""Pages opened in a browser that reaches nothing, and what there is to see on them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browsing import tab

LAYOUT = """() => {
  const seen = element => element && element.checkVisibility({visibilityProperty: true});
  const style = getComputedStyle(document.body);
  const parts = {h1: "h1", findings: "#findings h2", verdict: ".verdicts li", picture: ".picture", nav: "nav",
    sentence: ".readings li", table: ".effects", warnings: "#warnings", method: "#method", appendix: "#appendix"};
  const visible = Object.keys(parts).filter(name => seen(document.querySelector(parts[name])));
  const boxes = visible.map(name => document.querySelector(parts[name]).getBoundingClientRect());
  const picture = document.querySelector("figure table"), zero = picture.querySelector("td:not(.found) line");
  return {
    ground: style.backgroundColor, ink: style.color, direction: style.direction,
    window: document.documentElement.clientWidth, order: visible, tops: boxes.map(box => box.top),
    heading: [boxes[0].left, boxes[0].right], ink_of_picture: getComputedStyle(zero).stroke,
    picture: [picture.getBoundingClientRect().left, picture.getBoundingClientRect().right],
  };
}"""
"""What there is to see, and where, whatever the fonts."""


@contextlib.contextmanager
def opened(
    browser: Any, path: Path, *, width: int = 1000, scheme: str = "light", media: str = "screen"
) -> Iterator[Any]:
    """Open a page; at its end it must have asked for nothing but itself and complained of nothing."""
    address = path.as_uri()
    with tab(browser, address, viewport={"width": width, "height": 900}) as page:
        page.emulate_media(media=media, color_scheme=scheme)
        page.goto(address)
        yield page
