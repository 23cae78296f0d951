/** A frame that the browser does not draw, as behind another window, is waited for no longer than this. */
const PATIENCE_MS = 100;

/**
 * Begins something once what was rendered just now is on the screen, so that it does not keep the browser from drawing it. Answers a function that ends it: work that has begun is ended by the function that `begin` answered, and other work never begins.
 */
export function afterPaint(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  let isOver = false;
  const start = () => {
    if (!isOver) end ??= begin();
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = start;
  // A message that is posted while a frame begins comes after that frame was laid out and painted.
  const frame = requestAnimationFrame(() => port2.postMessage(undefined));
  const timer = setTimeout(start, PATIENCE_MS);
  return () => {
    isOver = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    port1.close();
    end?.();
  };
}
