import { withPrepared } from '../../core/database/prepare.ts';
import type { CommandRun } from '../command.ts';
import { chooseDatabases, forEachDatabase, openEngine } from '../database.ts';
import { tellResults } from '../databaseReport.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output, signal } = cli;
  const chosen = await chooseDatabases(cli, options);
  const engine = await openEngine(cli);
  const { code, results } = await forEachDatabase(cli, chosen, (one) =>
    withPrepared(environment, engine, one, { signal }, async (_, prepared) => ({ ...prepared, rows: 0 })),
  );
  tellResults(output, results);
  return code;
};
