import { syncDatabase } from '../../core/database/sync.ts';
import { readEvents } from '../../core/database/worktrees.ts';
import type { CommandRun } from '../command.ts';
import { chooseDatabases, forEachDatabase, openEngine } from '../database.ts';
import { tellResults } from '../databaseReport.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output, signal } = cli;
  const chosen = await chooseDatabases(cli, options);
  const engine = await openEngine(cli);
  const eventsOf = await readEvents(chosen.workspace, chosen.all);
  const { code, results } = await forEachDatabase(cli, chosen, (one) => {
    const events = eventsOf(one);
    // Nobody has asked for files in worktrees where nothing has happened.
    return syncDatabase(environment, engine, one, events, { signal, make: !chosen.several || events.length > 0 });
  });
  tellResults(output, results);
  return code;
};
