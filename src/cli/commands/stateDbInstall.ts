import { resolve } from 'node:path';
import { installEngine } from '../../core/database/install.ts';
import { textOption, type CommandRun } from '../command.ts';

export const run: CommandRun = async ({ environment, output, signal }, _words, options) => {
  const into = textOption(options, 'into');
  output.progress('Fetching the engine, about 70 MB');
  const folder = into === undefined ? undefined : resolve(environment.cwd, into);
  const { engine, folder: place, there } = await installEngine(environment, folder, signal);
  output.done();
  if (output.json) {
    const { kind, version } = engine;
    output.answerJson({ success: true, engine: { kind, version, from: place }, installed: !there });
  } else output.tell(`${there ? 'Already there' : 'Installed'}: DuckDB ${engine.version} in ${place}`);
  return 0;
};
