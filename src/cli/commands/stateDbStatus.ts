import { Problem } from '../../core/base/problem.ts';
import { byteSizeWords } from '../../core/base/byteSize.ts';
import { counted } from '../../core/base/phrases.ts';
import type { Engine } from '../../core/database/engine.ts';
import { inspectDatabase } from '../../core/database/inspect.ts';
import { worktreeId } from '../../core/repository/context.ts';
import type { CommandRun } from '../command.ts';
import { chooseDatabases, openEngine } from '../database.ts';
import { failureJson } from '../output.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { output, signal } = cli;
  const { chosen } = await chooseDatabases(cli, options);
  let engine: Engine | undefined;
  try {
    engine = await openEngine(cli);
  } catch (thrown) {
    if (!Problem.is(thrown, 'unsupported')) throw thrown;
    if (!output.json) output.warn(thrown);
  }
  const found = [];
  for (const one of chosen) found.push({ one, state: await inspectDatabase(engine, one, { signal }) });
  if (output.json) {
    output.answerJson({
      success: true,
      engine: engine ? { kind: engine.kind, version: engine.version, from: engine.from } : null,
      databases: found.map(({ one, state: { foreign, last, trouble, ...state } }) => ({
        worktree: one.name,
        worktree_id: worktreeId(one.root),
        ...state,
        foreign_rows: foreign,
        last_event: last ?? null,
        error: trouble ? failureJson(trouble).error : null,
      })),
    });
    return 0;
  }
  if (engine) output.answer(`engine: ${engine.kind} ${engine.version} (${engine.from})`);
  for (const { one, state } of found) {
    if (state.trouble) output.warn(state.trouble);
    const parts = [
      state.state,
      ...(state.size > 0 ? [byteSizeWords(state.size)] : []),
      ...(state.rows > 0 ? [counted(state.rows, 'row')] : []),
      ...(state.foreign > 0 ? [`${counted(state.foreign, 'row')} of other worktrees`] : []),
      ...(state.last === undefined ? [] : [`last event ${state.last}`]),
    ];
    output.answer(`${one.name}: ${parts.join(' · ')}`);
  }
  return 0;
};
