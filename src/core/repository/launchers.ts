/** The bundled programs, as absolute paths. */
export interface Programs {
  /** `wt.js` */
  readonly wt: string;
  /** `hook.js` */
  readonly hook: string;
}
