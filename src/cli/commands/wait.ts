import { Problem } from '../../core/base/problem.ts';
import { awaitAgents, type Awaited } from '../../core/claude/awaitAgents.ts';
import { SessionLister } from '../../core/claude/claudeSessions.ts';
import { quoted } from '../../core/base/quoted.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOption, type CommandLine, type CommandOptions, type CommandRun } from '../command.ts';
import { openWorkspace, openWorktree } from '../context.ts';
import { oneLine } from '../factLabels.ts';
import { agentsJson } from '../worktreeJson.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output, signal } = cli;
  const text = textOption(options, 'timeout');
  const timeout = text === undefined ? undefined : milliseconds(text);
  const { workspace, worktrees, until } = await asked(cli, word, options);
  const { environment, repository } = workspace;
  const lister = new SessionLister(environment);
  const waited = await awaitAgents(environment, repository.commonDir, worktrees, {
    ...{ until, timeout, signal },
    list: () => lister.list(),
    onWait: () => output.progress(cliMessages.waitingForAgents()),
  });
  output.done();
  if (waited.why === 'no-agent') {
    const [only] = worktrees;
    throw new Problem(
      'not-found',
      word !== undefined && only ? cliMessages.noAgentIn({ name: only.name }) : cliMessages.noAgentToWaitFor(),
      {
        next: cliMessages.startAgent({ name: quoted(only && !only.main ? only.name : '<name>') }),
        outcome: 'incomplete',
      },
    );
  }
  const success = waited.why === 'reached';
  const told = success ? waited.ended : waited.worktrees.filter(({ state }) => state !== 'none');
  if (output.json) {
    output.answerJson({ success, timed_out: !success, worktrees: told.map(stateJson) });
  } else if (success) {
    output.answer(told.map(({ worktree, state }) => `${oneLine(worktree.name)}\t${state}`).join('\n'));
  }
  if (!success) output.tell(cliMessages.waitTimedOut({ time: text ?? '' }));
  return success ? 0 : 1;
};

interface Asked {
  readonly workspace: Workspace;
  readonly worktrees: readonly Worktree[];
  readonly until: 'any' | 'all';
}

/** Whose agents are waited for. */
async function asked(cli: CommandLine, word: string | undefined, options: CommandOptions): Promise<Asked> {
  const [any, all] = [options['any'] === true, options['all'] === true];
  if ([any, all, word !== undefined].filter(Boolean).length > 1)
    throw new Problem('usage', cliMessages.oneOfAnyAll(), { next: cliMessages.sayOneOfAnyAll() });
  if (!any && !all) {
    const { workspace, worktree } = await openWorktree(cli, word, { tolerant: true });
    return { workspace, worktrees: [worktree], until: 'all' };
  }
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  const { worktrees } = await readSnapshot(workspace, { signal: cli.signal, withChanges: false });
  return { workspace, worktrees: worktrees.filter(({ bare }) => !bare), until: any ? 'any' : 'all' };
}

function stateJson({ worktree, state, agents }: Awaited<Worktree>): Record<string, unknown> {
  const { name, path } = worktree;
  return { name, path, state, finished: agents?.finished ?? null, agents: agentsJson(agents) };
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, '': 60_000 };

/** `90s`, `10m`, `2h`; a plain number counts minutes, as for `wt poll`. */
function milliseconds(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text.trim()) ?? [];
  const value = Number(number) * (units[unit] ?? 0);
  // A timer holds no more than 2³¹ milliseconds.
  if (number !== '' && value > 0 && value < 2_000_000_000) return value;
  throw new Problem('usage', cliMessages.timeoutTakesTime({ text: JSON.stringify(text) }), {
    next: cliMessages.suchTimeout10m(),
  });
}
