import { Problem } from '../../core/base/problem.ts';
import { openSession, repositoryOf } from '../../core/github/connect.ts';
import { distinctRights, missingRightsNote } from '../../core/github/missingRights.ts';
import type { PollEvent } from '../../core/github/poll/events.ts';
import type { Found } from '../../core/github/poll/query.ts';
import { watchPullRequests } from '../../core/github/poll/loop.ts';
import { readRegistry } from '../../core/repository/registry.ts';
import { standingOf } from '../../core/repository/standing.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { quoted } from '../../core/base/quoted.ts';
import { withAutoCleanup } from '../../core/lifecycle/autoCleanup.ts';
import { textOption, type CommandRun } from '../command.ts';
import { offerRemoval, removalOffer } from '../offerRemoval.ts';
import { openWorkspace, openWorktree } from '../context.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output, signal } = cli;
  const timeout = minutes(textOption(options, 'timeout'));
  const all = options['all'] === true;
  if (all && word !== undefined) {
    throw new Problem('usage', cliMessages.nothingWatchedName(), {
      next: cliMessages.sayOneThem(),
    });
  }
  const { workspace, worktrees } = all ? await everyPullRequest(cli) : await onePullRequest(cli, word);
  const session = await openSession(workspace, { signal, progress: output.progress });
  const github = repositoryOf(session.github, worktrees[0]?.entry?.pr?.url);
  const watched = await watchPullRequests(workspace, github, worktrees, { timeout, signal, progress: output.progress });
  output.done();
  const { worktrees: entries } = await readRegistry(workspace.repository);
  const isProven = ({ target }: Found): boolean => {
    const entry = [...entries.values()].find(({ branch }) => branch === target.branch);
    return standingOf(entry, undefined) === 'merged';
  };
  if (!watched.timedOut && watched.found.every(({ events }) => events.length === 0)) {
    for (const { target, status } of watched.found)
      output.tell(
        `Pull request #${status.number} of ${target.name} is ${status.state} already; nothing was left to watch.`,
      );
  }
  for (const { target, status, events } of watched.found)
    for (const event of events) {
      if (event.type !== 'base_updated' || event.into === undefined) continue;
      const [accept, restore] = retargetChoices(target.name, event.into);
      output.tell(
        `Pull request #${status.number} of ${target.name} was put into ${event.into} on GitHub: \`${accept}\` accepts that, \`${restore}\` puts it back into ${event.base}.`,
      );
    }
  const missing = distinctRights(watched.found.flatMap(({ status }) => status.missing ?? []));
  const hidden = missingRightsNote(missing, github.repository.host);
  if (hidden !== undefined) output.tell(hidden);
  const merged = watched.found.filter(({ events }) => events.some(({ type }) => type === 'merged'));
  const ended = worktrees.filter(({ name }) => merged.some(({ target }) => target.name === name));
  const offered = await withAutoCleanup(workspace, ended);
  const isOffered = ({ target }: Found): boolean => offered.some(({ name }) => name === target.name);
  // Whoever started it reads one summary, whether or not --json was said.
  output.answerJson({
    success: true,
    timed_out: watched.timedOut,
    events: watched.found.flatMap((found) =>
      found.events.map((event) => eventJson(found, event, { proven: isProven(found), offered: isOffered(found) })),
    ),
    pull_requests: watched.found.map(statusJson),
    missing_permissions: missing.map(({ permission }) => permission),
  });
  if (!cli.mayAsk) return 0;
  let code: Awaited<ReturnType<CommandRun>> = 0;
  for (const worktree of offered) code ||= await offerRemoval(cli, await removalOffer(cli, workspace, worktree));
  return code;
};

async function onePullRequest(cli: Parameters<CommandRun>[0], word: string | undefined) {
  const { workspace, worktree } = await openWorktree(cli, word);
  return { workspace, worktrees: [worktree] };
}

async function everyPullRequest(cli: Parameters<CommandRun>[0]) {
  const { workspace } = await openWorkspace(cli);
  const snapshot = await readSnapshot(workspace, { signal: cli.signal, withChanges: false });
  const worktrees = snapshot.worktrees.filter(
    ({ branch, entry, condition }) => entry?.pr && entry.branch === branch && condition === 'fine',
  );
  if (worktrees.length > 0) return { workspace, worktrees };
  throw new Problem('not-found', cliMessages.noWorktreePull(), {
    next: cliMessages.openOne(),
    outcome: 'incomplete',
  });
}

function minutes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value < 100_000) return value;
  throw new Problem('usage', cliMessages.timeoutTakesMinutes({ text: JSON.stringify(text) }), {
    next: cliMessages.suchTimeout30(),
  });
}

function eventJson(
  { target, status }: Found,
  event: PollEvent,
  { proven, offered }: { readonly proven: boolean; readonly offered: boolean },
): Record<string, unknown> {
  const { type, ...said } = event;
  // GitHub's word and what is here are two things: a merge that was not fetched is not here yet.
  const details = type === 'merged' ? { ...said, proven } : said;
  const given = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, value ?? null]));
  return { type, name: target.name, pr: status.number, ...given, next: nextSteps(target.name, status, event, offered) };
}

/** What accepts the base that somebody has given a pull request on GitHub, and what sets the one that its branch is based on again. */
function retargetChoices(name: string, into: string): [accept: string, restore: string] {
  return [`wt move ${quoted(name)} --onto ${quoted(into)}`, `wt pr ${quoted(name)}`];
}

/** What a worker does then, as the skill worktree-worker says. */
function nextSteps(
  name: string,
  { number, baseBranch }: Found['status'],
  event: PollEvent,
  offered: boolean,
): string[] {
  const again = `wt poll ${name}`;
  switch (event.type) {
    case 'base_updated': {
      // One of the two: the first accepts the new base, the second one sets the old one again.
      if (event.reason === 'retargeted') return [...retargetChoices(name, event.into ?? baseBranch), again];
      // GitHub gives a pull request its new base when the merged branch is deleted; where that stays, a push alone would leave it there.
      const stays = event.reason === 'merged' && event.base === baseBranch;
      return [`wt rebase ${name}`, stays ? `wt pr ${name}` : `wt push ${name}`, again];
    }
    case 'ci_failure':
      return [`gh pr checks ${number}`, `wt push ${name}`, again];
    case 'ci_passed':
      return [again];
    case 'review_comments':
      return [`gh pr view ${number} --comments`, `wt push ${name}`, again];
    case 'merged':
      return offered ? [`wt cleanup ${name}`] : [];
    case 'closed':
      return [];
  }
}

function statusJson({ target, status }: Found): Record<string, unknown> {
  const { number, url, state, draft, headCommit, baseBranch, checks, review, remarks, unresolved, mergeable } = status;
  return {
    name: target.name,
    branch: target.branch,
    ...{ number, url, state, draft, commit: headCommit, base: baseBranch, mergeable },
    ...{ checks, review: review ?? null, remarks, unresolved },
    demands: status.host?.demands ?? null,
    blocked: status.host?.blocked ?? false,
    github_stack: status.host?.stack?.number ?? null,
  };
}
