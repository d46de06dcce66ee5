import {
  accessSync,
  chmodSync,
  linkSync,
  lstatSync,
  promises,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';

/*
 * Replaces node:fs/promises in `hookProgram.js` (scripts/build.mjs) by the synchronous functions of node:fs. Loading the real one takes
 * 6 ms, a tenth of a guard's time, and a hook has nothing else to do while it waits.
 */

type Promised = typeof promises;

/** Wraps a synchronous function as the asynchronous one. */
function promised<T>(act: (...args: never[]) => unknown): T {
  return (async (...args: never[]) => act(...args)) as T;
}

export const access = promised<Promised['access']>(accessSync);
export const chmod = promised<Promised['chmod']>(chmodSync);
export const link = promised<Promised['link']>(linkSync);
export const lstat = promised<Promised['lstat']>(lstatSync);
export const readdir = promised<Promised['readdir']>(readdirSync);
export const readFile = promised<Promised['readFile']>(readFileSync);
export const realpath = promised<Promised['realpath']>(realpathSync.native);
export const rename = promised<Promised['rename']>(renameSync);
export const rm = promised<Promised['rm']>(rmSync);
export const rmdir = promised<Promised['rmdir']>(rmdirSync);
export const stat = promised<Promised['stat']>(statSync);
export const unlink = promised<Promised['unlink']>(unlinkSync);
/** File handles have no synchronous counterpart: this loads the real module. */
export const open: Promised['open'] = (...args) => promises.open(...args);
