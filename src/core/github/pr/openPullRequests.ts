import { Problem } from '../../base/problem.ts';
import type { Progress, Snapshot, Worktree } from '../../worktrees/model.ts';
import { readAllBranches, tipsOf, type Branches } from '../../worktrees/read/trunk.ts';
import type { Workspace } from '../../worktrees/workspace.ts';
import type { HostSession } from '../connect.ts';
import { updatePullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { pushBranches, type Pushed, type PushOptions } from '../push/push.ts';
import { stackAround, type Member } from '../stackMembers.ts';
import { ensurePullRequest, type Action } from './ensure.ts';
import { findPullRequests } from './find.ts';
import { registerStack, type NativeStack } from './nativeStack.ts';
import { placeOf, requireReachableBase, trunkElsewhere, type Place } from './place.ts';
import { recordPullRequests } from '../../worktrees/outcome.ts';
import { recordPullRequest } from './record.ts';
import { withStackTable } from './stackTable.ts';
import { wordsFor } from './words.ts';

/** What is wished of pull requests. */
export interface PullRequestOptions extends Pick<PushOptions, 'onWords' | 'onNote' | 'command'> {
  /** Of the whole stack instead of one branch. */
  readonly stack?: boolean;
  /** For one branch only. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Where the plan knows no drafts, open them ready for review. */
  readonly allowReady?: boolean;
  /** Register the stack as one of GitHub's own, where the repository has such. */
  readonly register?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** A branch and its pull request, after everything was done. */
export interface Opened {
  readonly name: string;
  readonly branch: string;
  readonly number: number;
  readonly url: string;
  readonly base: string;
  readonly draft: boolean;
  readonly action: Action | 'merged';
  /** What a person should know of it. */
  readonly note: string | undefined;
}

/** What `wt pr` has done. */
export interface OpenedAll {
  readonly pushed: readonly Pushed[];
  /** Each after the one that it stands on. */
  readonly pullRequests: readonly Opened[];
  /** Branches without commits of their own, which get no pull request. */
  readonly empty: readonly string[];
  /** `undefined` when it was not asked for, or the repository has none. */
  readonly native: NativeStack | undefined;
}

/**
 * Pushes a branch, or its whole stack, and makes sure that each has an open pull request into the branch that it stands on: new ones are
 * drafts, those that there are are brought up to date. Numbers and addresses go into the registry, a table of the stack into the texts.
 *
 * @throws Problem of the push, of GitHub, or that a branch has no commits of its own. What was done before stays; running it again goes on.
 */
export async function openPullRequests(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  session: HostSession,
  options: PullRequestOptions = {},
): Promise<OpenedAll> {
  const { signal, progress } = options;
  const around = stackAround(snapshot, worktree);
  const own = around.filter((member) => member.worktree === worktree);
  if (own.length === 0) {
    throw new Problem('push-refused', `${worktree.name} got no pull request: its branch stands on nothing.`, {
      next: 'work in a worktree of its own: `wt create <name>`',
      outcome: 'incomplete',
    });
  }
  const branches = await readAllBranches(workspace, signal);
  const tips = new Map(around.flatMap(({ branch }) => [[branch, branches.local.get(branch)?.oid ?? '']]));
  progress?.('Asking GitHub what there is');
  const configured = workspace.configuration.stack.remote;
  const members = options.stack ? around : own;
  const names = around.map(({ branch }) => branch);
  const place = await placeOf(workspace, session, names, new Set(members.map(({ branch }) => branch)), signal);
  const found = await findPullRequests(place, around, tips, signal);
  const known = [...found].map(([branch, { number, state, head }]) => ({
    branch,
    number,
    state,
    headCommit: head.oid,
  }));
  await recordPullRequests(workspace, known, signal);

  const targets = await targetsOf(workspace, {
    members,
    branches,
    remotes: [configured, ...place.remotes],
    found,
    snapshot,
    signal,
  });
  const empty = targets.filter(({ words }) => words.commits === 0).map(({ member }) => member.worktree.name);
  if (empty.length > 0 && !options.stack) {
    throw new Problem('host-refused', `${worktree.name} got no pull request: it has no commits of its own.`, {
      next: 'commit something first',
      outcome: 'incomplete',
    });
  }
  const merged = targets.filter(({ member }) => found.get(member.branch)?.state === 'merged');
  const live = targets
    .filter((target) => !merged.includes(target) && target.words.commits > 0)
    .map((target) => ({ ...target, base: pastEmpty(target.base, targets) }));
  const stands = { trunk: snapshot.trunk, lowest: around[0]?.worktree.name ?? worktree.name };
  for (const { member, base } of live) {
    await requireReachableBase(place, { name: member.worktree.name, branch: member.branch, base }, stands, signal);
  }
  const pushed = await pushBranches(
    workspace,
    snapshot,
    live.map(({ member }) => member.worktree),
    {
      signal,
      progress,
      ...(options.onWords ? { onWords: options.onWords } : {}),
      onNote: options.onNote,
      ...(options.command ? { command: options.command } : {}),
    },
  );
  const opened: Opened[] = merged.flatMap(({ member }) => {
    const pull = found.get(member.branch);
    return pull ? [toOpened(member, pull, 'merged', `wt cleanup ${member.worktree.name}`)] : [];
  });
  for (const [index, { member, base, words, note }] of live.entries()) {
    progress?.(`Pull request of ${member.worktree.name} (${index + 1} of ${live.length})`);
    const before = found.get(member.branch);
    const recorded = before !== undefined && member.worktree.entry?.pr?.number === before.number;
    const head = place.heads.get(member.branch);
    if (!head) continue;
    const wish = {
      ...{ name: member.worktree.name, branch: member.branch, base, words, title: options.title, body: options.body },
      ...{ head, allowReady: options.allowReady === true },
    };
    const ensured = await ensurePullRequest(place.github, wish, before, recorded, signal);
    found.set(member.branch, ensured.pull);
    await recordPullRequest(workspace, member, ensured.pull);
    const behind = base === snapshot.trunk ? trunkElsewhere(place, member.branch, configured) : undefined;
    opened.push(toOpened(member, ensured.pull, ensured.action, ensured.note ?? note ?? behind));
  }
  await updateTables(place, snapshot, around, found, options);
  const chain = around.flatMap(({ branch }) => found.get(branch) ?? []).filter(({ state }) => state === 'open');
  const native = options.register ? await registerStack(place.github, inOneLine(chain), signal) : undefined;
  opened.sort((one, other) => names.indexOf(one.branch) - names.indexOf(other.branch));
  return { pushed, pullRequests: opened, empty, native };
}

interface Target {
  readonly member: Member;
  /** What its pull request is to stand on. */
  readonly base: string;
  readonly words: Awaited<ReturnType<typeof wordsFor>>;
  readonly note: string | undefined;
}

async function targetsOf(
  workspace: Workspace,
  about: {
    readonly members: readonly Member[];
    readonly branches: Branches;
    /** Bases may be written with the name of one of these before them. */
    readonly remotes: readonly string[];
    readonly found: ReadonlyMap<string, PullRequest>;
    readonly snapshot: Snapshot;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Target[]> {
  const { git, repository, configuration } = workspace;
  const { members, branches, remotes, found, snapshot, signal } = about;
  const { remote } = configuration.stack;
  const all = new Map(snapshot.worktrees.map((each) => [each.branch, each]));
  const withoutRemote = (base: string): string => {
    const before = branches.local.has(base) ? undefined : remotes.find((each) => base.startsWith(`${each}/`));
    return before === undefined ? base : base.slice(before.length + 1);
  };
  return Promise.all(
    members.map(async (member): Promise<Target> => {
      const { branch, worktree } = member;
      let base = withoutRemote(member.base);
      const passed: string[] = [];
      // What was merged cannot be stood on any more: what it stood on takes its place.
      while (found.get(base)?.state === 'merged' && !passed.includes(base)) {
        passed.push(base);
        base = withoutRemote(all.get(base)?.base?.branch ?? snapshot.trunk ?? base);
      }
      const tips = tipsOf(branches, member.base, remote);
      const recorded = worktree.entry?.branch === branch ? worktree.entry.baseCommit : undefined;
      const stands = tips.local ?? tips.remote ?? recorded ?? '';
      const at = { cwd: repository.commonDir, signal };
      const shared = await git.line(
        [`--git-dir=${repository.commonDir}`, 'merge-base', stands, `refs/heads/${branch}`],
        at,
      );
      const words = await wordsFor(workspace, member, shared ?? stands, signal);
      const note =
        passed.length > 0 ? `${passed.join(', ')} was merged; run \`wt rebase ${worktree.name}\`` : undefined;
      return { member, base, words, note };
    }),
  );
}

/** A branch without commits gets no pull request and need not be on GitHub: what it stands on takes its place. */
function pastEmpty(base: string, targets: readonly Target[]): string {
  const empty = targets.find(({ member, words }) => member.branch === base && words.commits === 0);
  return empty
    ? pastEmpty(
        empty.base,
        targets.filter((each) => each !== empty),
      )
    : base;
}

/** Brings the tables of a stack up to date in the texts of all its open pull requests, also of those that were not asked for. */
async function updateTables(
  { github }: Place,
  snapshot: Snapshot,
  around: readonly Member[],
  found: Map<string, PullRequest>,
  { signal, progress }: PullRequestOptions,
): Promise<void> {
  for (const { branch, worktree } of around) {
    const pull = found.get(branch);
    if (pull?.state !== 'open') continue;
    const rows = stackAround(snapshot, worktree).flatMap((each) => {
      const row = found.get(each.branch);
      return row?.state === 'open' ? [row.number] : [];
    });
    const body = withStackTable(pull.body, rows, pull.number, snapshot.trunk ?? pull.base.branch);
    if (body === pull.body) continue;
    progress?.(`Updating the table of the stack in #${pull.number}`);
    const updated = await updatePullRequest(github, pull.number, { body }, signal);
    found.set(branch, { ...updated, stack: updated.stack ?? pull.stack });
  }
}

/** Those from the bottom on of which each stands on the one before; GitHub's stacks have no branches to the side. */
function inOneLine(pulls: readonly PullRequest[]): PullRequest[] {
  const line: PullRequest[] = [];
  for (const pull of pulls) if (line.length === 0 || line.at(-1)?.head.branch === pull.base.branch) line.push(pull);
  return line;
}

function toOpened(
  { worktree, branch }: Member,
  pull: PullRequest,
  action: Opened['action'],
  note: string | undefined,
): Opened {
  const { number, url, draft, base } = pull;
  return { name: worktree.name, branch, number, url, base: base.branch, draft, action, note };
}
