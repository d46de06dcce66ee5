import type { Workspace } from '../worktrees/workspace.ts';

/** What the user has set for commits that are made anew. */
export interface RewriteSettings {
  /** They are to be signed. */
  readonly sign: boolean;
  /** Notes are to follow them, which git's own rebase sees to. */
  readonly notes: boolean;
}

/** Reads those settings: one process. */
export async function rewriteSettings(
  { git, repository }: Workspace,
  signal: AbortSignal | undefined,
): Promise<RewriteSettings> {
  const args = ['config', '-z', '--get-regexp', '^(commit\\.gpgsign|notes\\.rewriteref|notes\\.rewrite\\.rebase)$'];
  const { stdout } = await git.run([`--git-dir=${repository.commonDir}`, ...args], {
    cwd: repository.commonDir,
    signal,
  });
  const settings = new Map(
    stdout.split('\0').map((entry): [string, string] => {
      const [name = '', ...value] = entry.split('\n');
      return [name, value.length === 0 ? 'true' : value.join('\n')];
    }),
  );
  const isOn = (name: string): boolean => /^(true|yes|on|[1-9]\d*)$/i.test(settings.get(name) ?? '');
  return {
    sign: isOn('commit.gpgsign'),
    notes: settings.has('notes.rewriteref') && !/^(false|no|off|0)$/i.test(settings.get('notes.rewrite.rebase') ?? ''),
  };
}
