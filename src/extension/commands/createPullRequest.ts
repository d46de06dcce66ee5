import { ThemeIcon, l10n, window, type QuickPickItem } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { HostSession } from '../../core/github/connect.ts';
import type { Opened } from '../../core/github/pr/openOne.ts';
import { openPullRequests, type OpenedAll } from '../../core/github/pr/openPullRequests.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';
import { hasModel } from '../base/languageModel.ts';
import { problemText, localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { recheck, type CurrentState } from '../push/recheck.ts';
import { isRefusal, showRefusal } from '../push/showRefusal.ts';
import { tellFailure } from '../remedies/buttons.ts';
import { askPreview } from '../quickPicks/pickPreview.ts';
import { restackFlags } from '../restack/subject.ts';
import type { Services } from '../services/services.ts';
import { writePullRequest } from './writePullRequest.ts';
import { openUrl } from './openPullRequest.ts';
import { canPush, planAndPush } from './push.ts';
import { resolveTarget, wordOf, type WorktreeTarget } from '../services/resolveTarget.ts';
import { githubMessages } from '../../core/messages/github.ts';
import { textOf } from '../../core/messages/message.ts';

/**
 * Pushes a worktree's branch and makes sure that it has an open pull request into its base: a new one is a draft. Asks the person to sign in
 * where that is needed, and shows what would be done first.
 *
 * @returns what was opened or brought up to date; `undefined` when the person left, or when something waits for them.
 */
export function createPullRequestCommand(services: Services, argument?: unknown): Promise<OpenedAll | undefined> {
  const title = l10n.t('Create Draft Pull Request');
  const placeholder = l10n.t('Select the worktree to create a pull request for');
  return ensure(services, argument, { title, placeholder, wholeStack: false }, (target) => !hasPullRequest(target));
}

/** The same for a pull request that there is already: its branch is pushed, its base set right. */
export function updatePullRequestCommand(services: Services, argument?: unknown): Promise<OpenedAll | undefined> {
  const title = l10n.t('Update Pull Request');
  const placeholder = l10n.t('Select the pull request to update');
  return ensure(services, argument, { title, placeholder, wholeStack: false }, hasPullRequest);
}

/** The same for each branch of a worktree's stack, each on the one below. */
export function stackPullRequestsCommand(services: Services, argument?: unknown): Promise<OpenedAll | undefined> {
  const title = l10n.t('Create or Update Pull Requests of Stack');
  const placeholder = l10n.t('Select a worktree of the stack to create pull requests for');
  return ensure(services, argument, { title, placeholder, wholeStack: true }, () => true);
}

interface Wish {
  readonly title: string;
  readonly wholeStack: boolean;
  /** For one new pull request only. */
  readonly words?: string | undefined;
  readonly body?: string | undefined;
  readonly ask: boolean;
  /** Where the plan of the repository knows no drafts, open it ready for review. */
  readonly allowReady?: boolean;
  /** Open a new one in place of one that was closed. */
  readonly replace?: boolean;
  /** Also change one that somebody else has opened. */
  readonly takeOver?: boolean;
}

const hasPullRequest = ({ model, worktree }: WorktreeTarget): boolean =>
  pullRequestOf(model.state, worktree) !== undefined;

async function ensure(
  services: Services,
  argument: unknown,
  how: { readonly title: string; readonly placeholder: string; readonly wholeStack: boolean },
  accept: (target: WorktreeTarget) => boolean,
): Promise<OpenedAll | undefined> {
  const question = { ...how, accept: (target: WorktreeTarget) => canPush(target) && accept(target) };
  const target = await resolveTarget(services, argument, question);
  if (!target) return undefined;
  const { ask } = restackFlags(argument);
  return tryOpen(services, target, { ...how, ask, words: wordOf(argument, 'title') });
}

async function tryOpen(services: Services, target: WorktreeTarget, wish: Wish): Promise<OpenedAll | undefined> {
  const { title } = wish;
  try {
    return await confirmAndOpen(services, target, wish);
  } catch (thrown) {
    if (isRefusal(thrown)) {
      showRefusal(services, title, target, thrown, async ({ rewrite }) => {
        if (rewrite && !(await planAndPush(services, target, { wholeStack: wish.wholeStack, ask: true, rewrite })))
          return;
        await tryOpen(services, target, { ...wish, ask: false });
      });
      return undefined;
    }
    if (Problem.is(thrown, 'host-refused') && !wish.replace && offersAnother(thrown)) {
      const another = l10n.t('Open New Pull Request');
      void window.showWarningMessage(problemText(thrown), another).then((choice) => {
        if (choice === another) return tryOpen(services, target, { ...wish, ask: false, replace: true });
      });
      return undefined;
    }
    if (Problem.is(thrown, 'host-refused') && thrown.nextStep?.id === githubMessages.pushOrTakeOver.id) {
      const change = l10n.t('Change It Anyway…');
      void window.showWarningMessage(problemText(thrown), change).then((choice) => {
        if (choice === change) return tryOpen(services, target, { ...wish, takeOver: true });
      });
      return undefined;
    }
    if (!Problem.is(thrown, 'unsupported') || wish.allowReady || thrown.id !== githubMessages.noDrafts.id) throw thrown;
    const ready = l10n.t('Open Ready for Review');
    // Not awaited: the command has ended, and the answer begins the next.
    void window.showWarningMessage(localized(thrown.what), ready).then((choice) => {
      if (choice === ready) return tryOpen(services, target, { ...wish, ask: false, allowReady: true });
    });
    return undefined;
  }
}

async function confirmAndOpen(services: Services, target: WorktreeTarget, wish: Wish): Promise<OpenedAll | undefined> {
  const { model, worktree } = target;
  const { wholeStack } = wish;
  const workspace = await model.workspace();
  const sight = await recheck(workspace, worktree, wholeStack);
  // Who must sign in does so before anything else: without it there is nothing to confirm.
  const session = await services.pullRequests.open(model);
  const answer = wish.ask ? await confirm(target, session, sight, wish) : 'open';
  if (answer === 'write') {
    await writePullRequest(services, target, ({ title: words, body }) =>
      tryOpen(services, target, { ...wish, ask: false, words, body }).catch((thrown: unknown) =>
        tellFailure(services, wish.title, thrown),
      ),
    );
  }
  if (answer !== 'open') return undefined;
  const title = wholeStack
    ? l10n.t('Pull requests of the stack of {0}', worktree.name)
    : l10n.t('Pull request of {0}', worktree.name);
  const done = await withProgress(title, (progress, signal) =>
    model.change(async (changing) => {
      const now = await recheck(changing, worktree, wholeStack, signal);
      return openPullRequests(changing, now.snapshot, now.worktree, session, {
        ...{
          stack: wholeStack,
          title: wish.words,
          body: wish.body,
          signal,
          progress,
          allowReady: wish.allowReady === true,
        },
        replace: wish.replace === true,
        takeOver: wish.takeOver === true,
        onWords: (text) => services.log.info(text.trimEnd()),
        onNote: (note) => services.log.info(textOf(note)),
      });
    }),
  );
  services.pullRequests.renew();
  tell(services, done);
  for (const { problem } of done.left) tellFailure(services, title, problem);
  return done;
}

async function confirm(
  { model, worktree }: WorktreeTarget,
  { github }: HostSession,
  { worktrees }: CurrentState,
  { wholeStack, words, takeOver }: Wish,
): Promise<'open' | 'write' | undefined> {
  const rows = worktrees.map((each): QuickPickItem => {
    const known = pullRequestOf(model.state, each);
    const author = takeOver || each.entry?.branch !== each.branch ? undefined : each.entry?.pr?.author;
    return {
      label: each.name,
      description: l10n.t('into {0}', each.base?.branch ?? model.state?.snapshot.trunk ?? ''),
      detail: known
        ? author !== undefined
          ? l10n.t('leaves #{0} as it is: it belongs to {1}', known.number, author)
          : l10n.t('updates #{0}: its commits, its base, the table of its stack', known.number)
        : l10n.t('creates a draft, unless the branch already has a pull request'),
      iconPath: new ThemeIcon(known ? 'git-pull-request' : 'git-pull-request-draft'),
    };
  });
  const isNew = worktrees.some((each) => !pullRequestOf(model.state, each));
  const { owner, repo } = github.repository;
  const one = isNew ? l10n.t('Create Draft Pull Request') : l10n.t('Update Pull Request');
  const label = worktrees.length === 1 ? one : l10n.t('Create or Update {0} Pull Requests', worktrees.length);
  const mayWrite = !wholeStack && isNew && words === undefined && (await hasModel());
  const write = { label: l10n.t('Write Title and Description First…'), icon: 'sparkle', value: 'write' } as const;
  const answer = await askPreview<'open' | 'write'>({
    title: wholeStack
      ? l10n.t('Pull requests for the stack of {0} in {1}?', worktree.name, `${owner}/${repo}`)
      : l10n.t('Pull request for {0} in {1}?', worktree.name, `${owner}/${repo}`),
    placeholder: l10n.t('Preview: nothing has been pushed or opened yet'),
    actions: [{ label, icon: 'git-pull-request-draft', value: 'open' }, ...(mayWrite ? [write] : [])],
    heading: l10n.t('what will happen'),
    rows,
    otherwise: l10n.t('nothing is pushed or opened'),
    notes: [],
  });
  return typeof answer === 'string' ? undefined : answer.value;
}

function tell({ log, channel }: Services, { pullRequests, empty, pushed }: OpenedAll): void {
  for (const { name, remote, branch, oid, how } of pushed) log.info(`${name}: ${how} ${remote}/${branch} ${oid}`);
  for (const { name, number, url, action, note } of pullRequests)
    log.info(`${name}: ${action} #${number} ${url}${note === undefined ? '' : ` (${textOf(note)})`}`);
  const [first] = pullRequests;
  const only = pullRequests.length === 1 ? first : undefined;
  const sentences = only ? [openedText(only)] : [countText(pullRequests)];
  if (empty.length > 0) sentences.push(l10n.t('No commits of their own, so no pull request: {0}.', empty.join(', ')));
  const notes = pullRequests.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${localized(note)}.`]));
  const open = l10n.t('Open on GitHub');
  const showLog = l10n.t('Show Log');
  void window.showInformationMessage([...sentences, ...notes].join(' '), only ? open : showLog).then((choice) => {
    if (choice === open && only) return openUrl(only.url);
    if (choice === showLog) channel.show(true);
  });
}

function openedText({ name, number, base, draft, action }: Opened): string {
  switch (action) {
    case 'created':
      return draft
        ? l10n.t('Opened draft pull request #{0} of {1} into {2}.', number, name, base)
        : l10n.t('Opened pull request #{0} of {1} into {2}.', number, name, base);
    case 'adopted':
      return l10n.t('Took over pull request #{0} of {1} into {2}.', number, name, base);
    case 'updated':
      return l10n.t('Updated pull request #{0} of {1} into {2}.', number, name, base);
    case 'unchanged':
      return l10n.t('Pull request #{0} of {1} is up to date.', number, name);
    case 'rescued':
      return l10n.t('Restored pull request #{0} of {1}, into {2}.', number, name, base);
    case 'merged':
      return l10n.t('Pull request #{0} of {1} was merged already.', number, name);
  }
}

function countText(pullRequests: readonly Opened[]): string {
  const created = pullRequests.filter(({ action }) => action === 'created');
  const others = pullRequests.length - created.length;
  const named = pullRequests.map(({ name, number }) => `${name} #${number}`).join(', ');
  if (others === 0) return l10n.t('Opened {0} draft pull requests: {1}.', created.length, named);
  if (created.length === 0) return l10n.t('{0} pull requests are up to date: {1}.', others, named);
  return l10n.t('Opened {0} draft pull requests, {1} are up to date: {2}.', created.length, others, named);
}

/** Whether another pull request may take the place of the one that stands in the way. */
function offersAnother({ nextStep }: Problem): boolean {
  const { reopenOrReplace, keepGitBranch, openOwnInPlace } = githubMessages;
  return [reopenOrReplace, keepGitBranch, openOwnInPlace].some(({ id }) => id === nextStep?.id);
}
