import * as fs from 'node:fs';

/*
 * What hooks use of node:fs/promises, done at once: loading the real one takes 6 ms, which is a tenth of a guard's time, and a hook has
 * nothing else to do while it waits. scripts/build.mjs puts this in the place of node:fs/promises in `hookProgram.js`.
 */

type Promised = typeof fs.promises;

/** Gives a function that does at once what another one promises. */
function atOnce<T>(act: (...args: never[]) => unknown): T {
  return (async (...args: never[]) => act(...args)) as T;
}

export const access = atOnce<Promised['access']>(fs.accessSync);
export const link = atOnce<Promised['link']>(fs.linkSync);
export const readdir = atOnce<Promised['readdir']>(fs.readdirSync);
export const readFile = atOnce<Promised['readFile']>(fs.readFileSync);
export const realpath = atOnce<Promised['realpath']>(fs.realpathSync.native);
export const rename = atOnce<Promised['rename']>(fs.renameSync);
export const rm = atOnce<Promised['rm']>(fs.rmSync);
export const stat = atOnce<Promised['stat']>(fs.statSync);
/** Handles have no counterpart; what needs one loads the real thing. */
export const open: Promised['open'] = (...args) => fs.promises.open(...args);
