import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { gitMessages } from '../messages/git.ts';
import type { Git } from './git.ts';
import { parseIndexEntries } from './indexEntries.ts';

/**
 * Refuses to work with an index that git has damaged. With a sparse index and a name of a new file that is staged alone (`git add -N`), git can
 * name one file several times and lose the entries of others (seen with 2.39), in its own commands as well: a commit of that would lose files,
 * and an abort would delete them. Only where the index is to be sparse more than the setting is read.
 *
 * @throws Problem `inconsistent` (outcome incomplete).
 */
export async function refuseDamagedIndex(git: Git, root: string, signal?: AbortSignal): Promise<void> {
  const at = { cwd: root, signal };
  if ((await git.line(['config', '--type=bool', '--get', 'index.sparse'], at)) !== 'true') return;
  const entries = parseIndexEntries(await git.text(['ls-files', '--stage', '-z'], at));
  const seen = new Set<string>();
  for (const { path, stage } of entries) {
    const key = `${stage}${path}`;
    // What is merged has no stages beside it.
    if (!seen.has(key) && (stage === 0 || !seen.has(`0${path}`))) seen.add(key);
    else
      throw new Problem('inconsistent', gitMessages.indexDamaged({ root, path }), {
        next: gitMessages.readIndexAnew({ root: quoted(root) }),
        outcome: 'incomplete',
      });
  }
}
