// What there is to see, and where, whatever the fonts.
() => {
  const seen = element => element && element.checkVisibility({visibilityProperty: true});
  const style = getComputedStyle(document.body);
  const parts = {h1: "h1", tested: ".first .about", picture: ".drawn", limits: ".limits", pairs: ".pairs",
    comparisons: ".every", analyst: "#analyst"};
  const visible = Object.keys(parts).filter(name => seen(document.querySelector(parts[name])));
  const boxes = visible.map(name => document.querySelector(parts[name]).getBoundingClientRect());
  const picture = document.querySelector("figure table"), zero = picture.querySelector("line");
  return {
    ground: style.backgroundColor, ink: style.color, direction: style.direction,
    window: document.documentElement.clientWidth, order: visible, tops: boxes.map(box => box.top),
    heading: [boxes[0].left, boxes[0].right], ink_of_picture: getComputedStyle(zero).stroke,
    picture: [picture.getBoundingClientRect().left, picture.getBoundingClientRect().right],
  };
}
