import { displayPath } from '../../core/base/paths.ts';
import { ensureIgnored, findNotIgnored, rulesFor, stillNotIgnored } from '../../core/repository/ignoreRules.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace } from '../context.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { output, signal } = cli;
  const { workspace } = await openWorkspace(cli);
  const { environment, git, repository, configuration } = workspace;
  if (options['fix'] === true) {
    const { added, file } = await ensureIgnored(environment, git, repository, configuration, signal);
    const patterns = added.map((rule) => rule.pattern);
    if (output.json) output.answerJson({ success: true, added: patterns, file: patterns.length > 0 ? file : null });
    else if (patterns.length === 0) output.tell('Git ignores every file that wt writes; nothing had to be added.');
    else output.tell(`Added to ${displayPath(repository.mainRoot, file)}: ${patterns.join(', ')}`);
    return 0;
  }
  const left = await findNotIgnored(git, repository, rulesFor(configuration), signal);
  if (left.length > 0) throw stillNotIgnored(left);
  if (output.json) output.answerJson({ success: true, added: [], file: null });
  else output.tell('Git ignores every file that wt writes.');
  return 0;
};
