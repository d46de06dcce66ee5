import { Problem } from '../../core/base/problem.ts';
import type { CommandRun } from '../command.ts';
import { schemas } from '../schemas.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async ({ output }, words) => {
  const name = words.length > 0 ? words.join(' ') : undefined;
  const names = Object.keys(schemas);
  if (name === undefined) {
    if (output.json) output.answerJson({ success: true, schemas: names });
    else output.answer(names.join('\n'));
    return 0;
  }
  // `state context` is two words on the command line and one in a file's name.
  const schema = schemas[name.replaceAll(' ', '-')];
  if (schema === undefined) {
    throw new Problem('not-found', cliMessages.noSchema({ name: JSON.stringify(name) }), {
      next: 'use one of the names below',
      items: names,
    });
  }
  output.answerJson(schema);
  return 0;
};
