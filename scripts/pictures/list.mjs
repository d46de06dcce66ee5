// Every picture of the README, the docs and the walkthrough. `npm run pictures` makes them; test/package/pictures.test.ts compares the list
// with the texts.

/** The looks in which each is made. */
export const looks = /** @type {const} */ (['light', 'dark']);

/** Pixels of a screenshot for each pixel of the page. */
export const scale = 1.5;

/** Pixels of a picture for each pixel of the page, by its folder. What is packed with the extension must be small. */
export const density = { 'docs/images': 1.5, 'media/walkthrough': 1.25 };

/** The window, in pixels of the page. */
export const window = { width: 1120, height: 700 };

/** A part of the window as large as the walkthrough shows it. */
const part = { width: 640, height: 400 };

/**
 * @typedef {object} Picture
 * @property {string} name what it shows; also the name of its scene in test/ui/pictures/scenes.ts
 * @property {'docs/images' | 'media/walkthrough'} folder what is in media is packed with the extension
 * @property {number} width in pixels of the page
 * @property {number} height
 * @property {true} [moving]
 */

/** In the order in which they are taken: later ones change the sample. @type {readonly Picture[]} */
export const pictures = [
  { name: 'see', folder: 'media/walkthrough', ...part },
  { name: 'tasks', folder: 'media/walkthrough', ...part },
  { name: 'agents', folder: 'media/walkthrough', ...part },
  { name: 'stack', folder: 'media/walkthrough', ...part },
  { name: 'share', folder: 'media/walkthrough', ...part },
  { name: 'create', folder: 'media/walkthrough', ...part },
  { name: 'restack', folder: 'media/walkthrough', ...part },
  { name: 'remove', folder: 'media/walkthrough', ...part },
  { name: 'rebase-stack', folder: 'docs/images', ...window },
  { name: 'tour', folder: 'docs/images', ...window, moving: true },
  { name: 'merge', folder: 'media/walkthrough', ...part },
  { name: 'session-merge', folder: 'docs/images', ...window },
];

/**
 * The file of a picture, relative to the project's folder.
 * @param {Picture} picture
 * @param {(typeof looks)[number]} look
 */
export const fileOf = ({ name, folder }, look) => `${folder}/${name}-${look}.webp`;
