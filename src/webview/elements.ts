/** Makes an element with attributes and children; texts stay texts, whatever is in them. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The element of the page that has an id; the page is of our own making, so a missing one is a bug. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}

const paths = {
  check: 'M13.9 3.4 6 12.3 2.1 8.6l.7-.8L6 10.8l7.1-8z',
  look: 'M7.3 2h1.4v8H7.3zM7.2 12h1.6v1.7H7.2z',
  left: 'M3 7.3h10v1.4H3z',
  previous: 'm10.3 13.7.7-.7L6 8l5-5-.7-.7L4.6 8z',
  edit: 'm11.6 1.6 2.8 2.8-8.6 8.6L2 14l1-3.8zM10.2 4.4l1.4 1.4 1.4-1.4L11.6 3zm.7 2.1L9.5 5.1l-5.6 5.6-.5 1.9 1.9-.5z',
  chevron: 'm5.7 13.7-.7-.7L10 8 5 3l.7-.7L11.4 8z',
} as const;

/** An icon in the colour of the surrounding text, hidden from screen readers. */
export function icon(name: keyof typeof paths): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** Puts words into a text: `{0}`, `{1}`. */
export function fill(text: string, ...words: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (whole, index: string) => words[Number(index)] ?? whole);
}
