import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseMessages } from '../messages/database.ts';
import { Problem } from '../base/problem.ts';
import { stateDir, worktreeId } from '../repository/context.ts';
import { idInStateOf } from '../repository/stateDirectory.ts';
import { identifier, literal, type Connection } from './engine.ts';
import { hasWorktreeIds, table, type Shape } from './shape.ts';

/** A worktree whose database it is. */
export interface DatabaseOwner {
  readonly name: string;
  /** The absolute path of its root. */
  readonly root: string;
  /** All other worktrees of the repository. */
  readonly others: readonly { readonly name: string; readonly path: string }[];
}

/** The file of a worktree's database. */
export function databaseFile(root: string): string {
  return join(stateDir(root), 'agentdb.duckdb');
}

/**
 * Whether a worktree has a database.
 *
 * @throws Problem `unreadable-file` for what is no file: a link may lead to that of another worktree.
 */
export async function hasDatabase(root: string): Promise<boolean> {
  const file = databaseFile(root);
  const found = await lstat(file).catch(() => undefined);
  if (!found) return false;
  if (found.isFile()) return true;
  const what = found.isSymbolicLink() ? 'a link' : found.isDirectory() ? 'a folder' : 'something else';
  throw new Problem('unreadable-file', databaseMessages.notAFile({ file, what }), {
    file,
    next: databaseMessages.moveItAway(),
    outcome: 'incomplete',
  });
}

/** Whose rows a file has. */
export interface Rows {
  /** All rows. */
  readonly total: number;
  /** Rows of other worktrees, which nobody sees from here. */
  readonly foreign: number;
  /** The ids that the worktree had before it was moved. */
  readonly former: readonly string[];
}

/**
 * Tells whose rows a file has, by their `worktree_id`. Rows without one are the worktree's, and so are those with an id that
 * it had before it was moved.
 *
 * @param database where the table is, such as `"w"."main".`.
 * @throws Problem `in-use` for a file that was copied from another worktree: there are rows, and all are that one's.
 */
export async function readRows(
  connection: Connection,
  owner: DatabaseOwner,
  shape: Shape,
  database = '',
): Promise<Rows> {
  const file = databaseFile(owner.root);
  const own = worktreeId(owner.root);
  const madeFor = await idInStateOf(owner.root);
  if (shape.columns.length === 0 || !hasWorktreeIds(shape)) return { total: 0, foreign: 0, former: [] };
  const root = shape.missing.includes('worktree_root') ? 'NULL' : 'worktree_root';
  const groups = await connection.run([
    `SELECT worktree_id AS id, max(${root})::VARCHAR AS root, count(*)::VARCHAR AS n FROM ${database}${identifier(table)} GROUP BY worktree_id ORDER BY count(*) DESC`,
  ]);
  let total = 0;
  let owned = 0;
  const former: string[] = [];
  const foreign: { id: string; rows: number; other: string | undefined }[] = [];
  for (const group of groups) {
    const rows = Number(group['n']);
    total += rows;
    const id = typeof group['id'] === 'string' ? group['id'] : own;
    const before = typeof group['root'] === 'string' ? group['root'] : undefined;
    const other = otherWith(owner, id);
    if (id === own) owned += rows;
    else if (other === undefined && (id === madeFor || (await isGone(before, id)))) former.push(id);
    else foreign.push({ id, rows, other });
  }
  const [first] = foreign;
  if (first && owned === 0 && former.length === 0) throw copied(file, first.other, first.id);
  return { total, foreign: foreign.reduce((sum, { rows }) => sum + rows, 0), former };
}

/** The statements that give rows of before a move the worktree's present id. */
export function adoption({ former }: Rows, { root }: DatabaseOwner): string[] {
  if (former.length === 0) return [];
  const ids = former.map(literal).join(', ');
  const now = `worktree_id = ${literal(worktreeId(root))}, worktree_root = ${literal(root)}`;
  return [`UPDATE ${identifier(table)} SET ${now} WHERE worktree_id IN (${ids})`];
}

/**
 * Refuses a folder of state that came with the id of another worktree, which is there and has its own: it was copied.
 *
 * @throws Problem `in-use`.
 */
export async function refuseCopiedState(owner: DatabaseOwner): Promise<void> {
  const madeFor = await idInStateOf(owner.root);
  const other = owner.others.find(({ path }) => madeFor !== undefined && worktreeId(path) === madeFor);
  if (other && madeFor !== worktreeId(owner.root) && (await idInStateOf(other.path)) === madeFor)
    throw copied(databaseFile(owner.root), other.name, madeFor ?? '');
}

function otherWith({ others }: DatabaseOwner, id: string): string | undefined {
  return others.find(({ path }) => worktreeId(path) === id)?.name;
}

/** Whether the worktree that rows were written in is gone from where it was: then it is this one, which was moved. */
async function isGone(root: string | undefined, id: string): Promise<boolean> {
  if (root === undefined || worktreeId(root) !== id) return false;
  return !existsSync(join(root, '.git')) || (await idInStateOf(root)) !== id;
}

function copied(file: string, other: string | undefined, id: string): Problem {
  return new Problem(
    'in-use',
    other === undefined ? databaseMessages.copiedUnknown({ file, id }) : databaseMessages.copied({ file, other }),
    {
      file,
      next: databaseMessages.moveItAway(),
      outcome: 'incomplete',
    },
  );
}
