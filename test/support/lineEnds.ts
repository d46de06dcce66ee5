/** What decides of line ends, as Git for Windows is installed and as teams have it in `.gitattributes`. */
export interface LineEnds {
  readonly config: readonly string[];
  /** `''`: there is no `.gitattributes`. */
  readonly attributes: string;
}

/** Ways in which a working tree gets line ends of Windows, and git has none of them. */
export const windowsLineEnds: Readonly<Record<string, LineEnds>> = {
  'core.autocrlf=true, and core.safecrlf=true': {
    config: ['core.autocrlf=true', 'core.safecrlf=true'],
    attributes: '',
  },
  'text eol=crlf of the team': { config: [], attributes: '* text eol=crlf\r\n' },
  'text=auto of the team, and core.eol=crlf': { config: ['core.eol=crlf'], attributes: '* text=auto\n' },
};
