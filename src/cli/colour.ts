import picocolors from 'picocolors';

/** Functions that colour a text, or leave it as it is where there is no colour. */
export type Colours = Omit<ReturnType<typeof picocolors.createColors>, 'isColorSupported'>;

/**
 * The colours for one stream. `--no-color` beats `NO_COLOR` (https://no-color.org), that beats `FORCE_COLOR`, and without any of
 * them a terminal that is not dumb gets colours.
 *
 * @param refused by `--no-color`.
 */
export function coloursFor(
  stream: { readonly isTTY?: boolean },
  variables: Readonly<Record<string, string | undefined>>,
  refused: boolean,
): Colours {
  return picocolors.createColors(hasColour(stream, variables, refused));
}

/** Whether a stream gets colours at all. */
export function hasColour(
  stream: { readonly isTTY?: boolean },
  variables: Readonly<Record<string, string | undefined>>,
  refused: boolean,
): boolean {
  if (refused || variables['NO_COLOR']) return false;
  const forced = variables['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && variables['TERM'] !== 'dumb';
}
