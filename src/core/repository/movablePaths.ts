import { basename, dirname, sep } from 'node:path';
import { isObject } from '../base/jsonText.ts';
import type { Repository } from './identity.ts';

/** The key in a file that says: its paths are written relative to the repository. Files of earlier versions do not have it. */
const mark = 'movablePaths';

/** What the text of a path begins with in a file, and the folder that it stands for. */
type Place = readonly [prefix: string, folder: string];

/** A text that only looks like one of our prefixes is written with this before it. */
const literal = '<text>';

/**
 * Makes an object fit for a file that is read again after the repository was moved, or is seen at another path: what lies below its main
 * root or its common directory is written relative to that. All other values stay as they are.
 */
export function toMovable(repository: Repository, value: object): Record<string, unknown> {
  const places = placesOf(repository);
  return { ...(mapTexts(value, (text) => encode(places, text)) as Record<string, unknown>), [mark]: true };
}

/** What {@link toMovable} was given, with the paths that hold now; an object that it has not made is given back as it is. */
export function fromMovable(repository: Repository, value: Record<string, unknown>): Record<string, unknown> {
  const places = placesOf(repository);
  const { [mark]: marked, ...rest } = value;
  if (marked !== true) return value;
  return mapTexts(rest, (text) => decode(places, text)) as Record<string, unknown>;
}

/** The most special folder first: the common directory lies in the main root, most of the time. */
function placesOf({ commonDir, mainRoot }: Repository): Place[] {
  const places: Place[] = [
    ['<common directory>', commonDir],
    ['<main root>', mainRoot],
  ];
  // The person may have come to the main root through a link; git and the disk know the other spelling as well.
  if (basename(commonDir) === '.git') places.push(['<real main root>', dirname(commonDir)]);
  return places;
}

function encode(places: readonly Place[], text: string): string {
  // A path is one line. What has more is the text of some file, and stays byte for byte.
  if (!text.includes('\n')) {
    for (const [prefix, folder] of places) {
      if (text === folder) return prefix;
      const start = folder.endsWith(sep) ? folder : folder + sep;
      if (text.startsWith(start)) return `${prefix}/${text.slice(start.length).split(sep).join('/')}`;
    }
  }
  return [literal, ...places.map(([prefix]) => prefix)].some((each) => text.startsWith(each)) ? literal + text : text;
}

function decode(places: readonly Place[], text: string): string {
  if (text.startsWith(literal)) return text.slice(literal.length);
  for (const [prefix, folder] of places) {
    if (text === prefix) return folder;
    if (!text.startsWith(`${prefix}/`)) continue;
    const below = text
      .slice(prefix.length + 1)
      .split('/')
      .join(sep);
    return folder.endsWith(sep) ? folder + below : folder + sep + below;
  }
  return text;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]));
}
