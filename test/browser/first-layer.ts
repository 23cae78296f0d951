import type { Page } from 'playwright';

/** What a person decides by, without any scrolling. */
const PARTS = 'h1, .who, .dangers, .target, .prompt-text, .more-button, .time-left, button.deny, button.allow';

/** The parts of the prompt that do not lie whole on the screen, and its body if that scrolls. */
export function partsOutside(page: Page): Promise<string[]> {
  return page.evaluate(placesOutside, PARTS);
}

/**
 * How many words of the prompt a person sees without scrolling, those of a script or a file among them. A word has a letter or a digit;
 * scripts that set no spaces are counted by the words of a dictionary.
 */
export function wordsSeen(page: Page): Promise<number> {
  return page.evaluate(wordsOnScreen);
}

/** Runs in the page. */
function placesOutside(parts: string): string[] {
  const body = document.querySelector('.prompt-body');
  const elements = [...document.querySelectorAll(`.prompt :is(${parts})`)];
  const limits = document.querySelector('.content')?.getBoundingClientRect();
  if (body === null || limits === undefined || elements.length < 6) return ['the prompt is not there'];
  const outside = elements.filter((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isEmpty = right - left < 1 || bottom - top < 1;
    const frame = body.contains(element) ? body.getBoundingClientRect() : limits;
    return isEmpty || left < frame.left || top < frame.top || right > frame.right || bottom > frame.bottom;
  });
  const scrolls = body.scrollHeight > body.clientHeight || body.scrollWidth > body.clientWidth;
  return [...outside.map(({ className }) => className), ...(scrolls ? ['the body scrolls'] : [])];
}

/** Runs in the page. */
function wordsOnScreen(): number {
  const prompt = document.querySelector('.prompt');
  if (prompt === null) return Number.POSITIVE_INFINITY;
  const texts = document.createTreeWalker(prompt, NodeFilter.SHOW_TEXT);
  /** The part of a text that no box around it hides. Of a row that is cut, nobody reads the words. */
  const seenPart = (text: Node): string => {
    if (text.parentElement?.checkVisibility({ visibilityProperty: true }) !== true) return '';
    const frame = edgesOf(text.parentElement);
    const range = document.createRange();
    const isAt = (index: number): boolean => {
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      const place = range.getBoundingClientRect();
      const cut = place.height / 4;
      const isInside = place.left < frame.right && place.right > frame.left;
      return place.height > 1 && isInside && place.top + cut < frame.bottom && place.bottom - cut > frame.top;
    };
    const characters = [...Array(text.textContent?.length).keys()];
    return characters.map((index) => (isAt(index) ? text.textContent?.charAt(index) : ' ')).join('');
  };
  const edgesOf = (within: Element) => {
    const far = Number.POSITIVE_INFINITY;
    let [left, top, right, bottom] = [-far, -far, far, far];
    for (let element: Element | null = within; element !== null; element = element.parentElement) {
      if (getComputedStyle(element).overflowY === 'visible') continue;
      const place = element.getBoundingClientRect();
      [left, top] = [Math.max(left, place.left), Math.max(top, place.top)];
      [right, bottom] = [Math.min(right, place.right), Math.min(bottom, place.bottom)];
    }
    return { left, top, right, bottom };
  };
  const blockOf = (text: Node): Element | null => {
    let element = text.parentElement;
    while (element !== null && getComputedStyle(element).display === 'inline') element = element.parentElement;
    return element;
  };
  let seen = '';
  let block: Element | null = null;
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const own = blockOf(text);
    seen += `${own === block ? '' : ' '}${seenPart(text)}`;
    block = own;
  }
  const dictionary = new Intl.Segmenter('en', { granularity: 'word' });
  const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  const wordsOf = (token: string): number =>
    Math.max(1, [...dictionary.segment(token)].filter(({ segment }) => withoutSpaces.test(segment)).length);
  return [...seen.matchAll(/\S*[\p{L}\p{N}]\S*/gu)].reduce((sum, [token]) => sum + wordsOf(token), 0);
}
