/** Calls `onMoved` whenever an element has moved on the screen, for any reason. Returns a function that ends the watch. */
export function watchPosition(element: Element, onMoved: () => void): () => void {
  let last = positionOf(element);
  let frame = requestAnimationFrame(look);
  function look(): void {
    const position = positionOf(element);
    if (position !== last) onMoved();
    last = position;
    frame = requestAnimationFrame(look);
  }
  return () => cancelAnimationFrame(frame);
}

function positionOf(element: Element): string {
  const { left, top } = element.getBoundingClientRect();
  return `${Math.round(left)} ${Math.round(top)}`;
}
