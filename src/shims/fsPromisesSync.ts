import {
  accessSync,
  linkSync,
  promises,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';

/*
 * What hooks use of node:fs/promises, done at once: loading the real one takes 6 ms, which is a tenth of a guard's time, and a hook has
 * nothing else to do while it waits. scripts/build.mjs puts this in the place of node:fs/promises in `hookProgram.js`.
 */

type Promised = typeof promises;

/** Gives a function that does at once what another one promises. */
function atOnce<T>(act: (...args: never[]) => unknown): T {
  return (async (...args: never[]) => act(...args)) as T;
}

export const access = atOnce<Promised['access']>(accessSync);
export const link = atOnce<Promised['link']>(linkSync);
export const readdir = atOnce<Promised['readdir']>(readdirSync);
export const readFile = atOnce<Promised['readFile']>(readFileSync);
export const realpath = atOnce<Promised['realpath']>(realpathSync.native);
export const rename = atOnce<Promised['rename']>(renameSync);
export const rm = atOnce<Promised['rm']>(rmSync);
export const stat = atOnce<Promised['stat']>(statSync);
/** Handles have no counterpart; what needs one loads the real thing. */
export const open: Promised['open'] = (...args) => promises.open(...args);
