import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { openSession } from '../../core/github/connect.ts';
import type { Opened } from '../../core/github/pr/openOne.ts';
import { openPullRequests, type Left } from '../../core/github/pr/openPullRequests.ts';
import { textOption, type CommandLine, type CommandOptions, type CommandRun } from '../command.ts';
import { titleAndBody } from '../../core/texts/answer.ts';
import { pullRequestPrompt } from '../../core/texts/pullRequestPrompt.ts';
import { checkGenerate, generateText } from '../generateText.ts';
import { openInBrowser } from '../openInBrowser.ts';
import { openWorktree } from '../context.ts';
import { failureJson, type Output } from '../output.ts';
import { readAllInput } from '../readInput.ts';
import { pushedJson, tellPushed } from './push.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOf, type Message } from '../../core/messages/message.ts';
import { githubMessages } from '../../core/messages/github.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output, signal, environment } = cli;
  const stack = options['stack'] === true;
  let title = textOption(options, 'title');
  let body = await bodyFrom(cli, options);
  const generate = checkGenerate(options);
  if (generate && (stack || title !== undefined || body !== undefined))
    throw new Problem('usage', cliMessages.generateAlone(), { next: cliMessages.leaveOutOne() });
  if (stack && (title !== undefined || body !== undefined)) {
    throw new Problem('usage', cliMessages.nothingDoneTitle(), {
      next: cliMessages.giveEachOwn(),
    });
  }
  const { workspace, snapshot, worktree } = await openWorktree(cli, word);
  if (generate) {
    const prompt = await pullRequestPrompt(workspace, worktree, signal);
    const about = `The title of the pull request of ${worktree.name}, an empty line, and its text.`;
    const wish = { kind: 'pull-request', prompt, about, yes: options['yes'] === true } as const;
    const written = titleAndBody(await generateText(cli, workspace, wish));
    title = written.title || undefined;
    body = written.body;
  }
  const notes: Message[] = [];
  const session = await openSession(workspace, { signal, progress: output.progress });
  const done = await openPullRequests(workspace, snapshot, worktree, session, {
    ...{ stack, title, body, signal, progress: output.progress },
    allowReady: options['draft'] === false,
    register: options['register'] === true,
    replace: options['replace'] === true,
    takeOver: options['takeOver'] === true,
    onWords: (text) => output.pass(text),
    onNote: (note) => notes.push(note),
    command: `wt pr ${worktree.name}${stack ? ' --stack' : ''}`,
  });
  output.done();
  const own = done.pullRequests.find(({ branch }) => branch === worktree.branch);
  if (options['web'] === true && own) openInBrowser(environment, own.url);
  for (const { problem } of done.left) output.report(problem);
  const [first] = done.left;
  if (output.json) {
    output.answerJson({
      success: first === undefined,
      pull_requests: done.pullRequests.map(openedJson),
      pushed: done.pushed.map(pushedJson),
      without_commits: done.empty,
      native_stack: done.native ? { number: done.native.number, pull_requests: done.native.pullRequests } : null,
      ...(first ? { left: done.left.map(leftJson), error: failureJson(first.problem).error } : {}),
    });
    return first ? 1 : 0;
  }
  tellPushed(
    done.pushed.filter(({ how }) => how !== 'unchanged'),
    output,
  );
  // What a pull request says of its own remotes is said better there.
  const { trunkOfFork, trunkOfForkAdd, remoteChosen } = githubMessages;
  const isSaid = done.pullRequests.some(({ note }) => note?.id === trunkOfFork.id || note?.id === trunkOfForkAdd.id);
  for (const note of notes) if (!isSaid || note.id !== remoteChosen.id) output.tell(note);
  for (const opened of done.pullRequests) tellOpened(opened, output);
  for (const name of done.empty) output.tell(`${name} has no commits of its own, so it has no pull request.`);
  if (done.native) output.tell(`GitHub knows them as stack ${done.native.number}.`);
  else if (options['register'] === true)
    output.tell('Nothing was registered: GitHub has no stacks in this repository, or there is only one.');
  output.answer(done.pullRequests.map(({ url }) => url).join('\n'));
  return first ? 1 : 0;
};

async function bodyFrom(cli: CommandLine, options: CommandOptions): Promise<string | undefined> {
  const file = textOption(options, 'bodyFile');
  if (file === undefined) return undefined;
  if (file === '-') return readAllInput(cli.input, cli.signal);
  const path = resolve(cli.environment.cwd, file);
  return readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new Problem('unreadable-file', cliMessages.cannotRead({ path, thrown: messageOf(thrown) }), {
      file: path,
      next: cliMessages.nameFileStandard(),
    });
  });
}

const verbs: Readonly<Record<Opened['action'], string>> = {
  created: 'Opened',
  adopted: 'Took over',
  updated: 'Updated',
  unchanged: 'Nothing to change in',
  rescued: 'Brought back',
  merged: 'Merged already:',
};

function tellOpened({ name, number, base, draft, action, note }: Opened, output: Output): void {
  const kind = draft ? 'draft ' : '';
  output.tell(`${verbs[action]} ${kind}pull request #${number} of ${name} into ${base}.`);
  if (note !== undefined) output.tell(`  ${textOf(note)}`);
}

function leftJson({ worktree, number, problem }: Left): Record<string, unknown> {
  return { name: worktree.name, branch: worktree.branch, number: number ?? null, error: failureJson(problem).error };
}

function openedJson(opened: Opened): Record<string, unknown> {
  const { name, branch, number, url, base, draft, action, note } = opened;
  return { name, branch, number, url, base, draft, action, note: note ?? null };
}
