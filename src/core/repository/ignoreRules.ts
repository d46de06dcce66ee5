import { join, posix } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { gitProblem } from '../git/gitError.ts';
import type { Configuration } from './configuration.ts';
import type { Repository } from './identity.ts';
import { escapePattern, type IgnoreRule } from './ignoreRule.ts';
import { behindLinks } from './linkedRules.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** All of the product's own files. */
export const ignoreRules: readonly IgnoreRule[] = [
  { pattern: '/.worktrees/', example: '.worktrees/stack.json', beginning: '.worktrees/' },
  {
    pattern: '/.claude/dev-worktree.local.md*',
    example: '.claude/dev-worktree.local.md',
    beginning: '.claude/dev-worktree.local.md',
  },
  { pattern: '**/.claude/agents/wt-*.md', example: '.claude/agents/wt-x.md', beginning: '.claude/agents/wt-' },
  { pattern: '/.poll-active', example: '.poll-active', beginning: '.poll-active' },
  { pattern: '/.poll-state.json', example: '.poll-state.json', beginning: '.poll-state.json' },
  { pattern: '/.claude-state/', example: '.claude-state/workflow.json', beginning: '.claude-state/' },
];

/** What is not ignored yet, and the file whose rule keeps it so, where one does. */
export interface NotIgnored {
  readonly rule: IgnoreRule;
  /** `<file>:<line>: <pattern>` of a rule of the user's that takes it back in. */
  readonly takenBackBy: string | undefined;
}

/**
 * All rules that a repository needs: the product's own, one for the tracking file, and one for the folder that its worktrees are
 * put in, when that is another folder inside the main root.
 *
 * @param worktree the path, relative to the main root, of a worktree that is to be made: it gets a rule of its own when its
 *   pattern begins with a placeholder, so that there is no folder to ignore.
 */
export function rulesFor(configuration: Configuration, worktree?: string): readonly IgnoreRule[] {
  const rules = [...ignoreRules];
  const place = placeOf(configuration.worktree.locationPattern);
  if (place === 'any' && worktree !== undefined && isInside(worktree)) rules.push(folderRule(worktree));
  if (typeof place === 'object') rules.push(place);
  const tracking = configuration.trackingFile && posix.normalize(configuration.trackingFile);
  if (tracking && isInside(tracking))
    rules.push({ pattern: `/${escapePattern(tracking)}*`, example: tracking, beginning: tracking });
  return rules;
}

/** `any`: a folder right in the main root, whose name cannot be told beforehand. */
function placeOf(pattern: string): IgnoreRule | 'any' | 'elsewhere' {
  const [fixed = ''] = pattern.split('{');
  const prefix = posix.normalize(`./${fixed}`).replace(/^\.\/$/, '');
  if (/^[/~]/.test(fixed) || /^[A-Za-z]:/.test(fixed) || (fixed !== '' && !isInside(prefix))) return 'elsewhere';
  if (prefix === '') return 'any';
  if (prefix.startsWith('.worktrees/')) return 'elsewhere';
  if (fixed === pattern || prefix.endsWith('/')) return folderRule(prefix);
  return { pattern: `/${escapePattern(prefix)}*/`, example: `${prefix}x/y`, beginning: prefix };
}

const isInside = (path: string): boolean =>
  path !== '..' && path !== '.' && !path.startsWith('../') && !path.startsWith('/');

function folderRule(path: string): IgnoreRule {
  const folder = path.replace(/\/$/, '');
  return { pattern: `/${escapePattern(folder)}/`, example: `${folder}/x`, beginning: `${folder}/` };
}

/** Which of the product's own files git would commit, where they really are: behind links in their way. Changes nothing. */
export async function findNotIgnored(
  git: Git,
  repository: Repository,
  rules: readonly IgnoreRule[],
  signal?: AbortSignal,
): Promise<NotIgnored[]> {
  // Where there is no main working tree, its folder stands in for one: the rules hold for every worktree.
  const tree = repository.bare ? [`--git-dir=${repository.commonDir}`, `--work-tree=${repository.mainRoot}`] : [];
  const args = [...tree, 'check-ignore', '--no-index', '--verbose', '--non-matching', '-z', '--stdin'];
  const real = await behindLinks(git, repository, rules, signal);
  if (real.length === 0) return [];
  const answer = await git.run(args, {
    cwd: repository.mainRoot,
    signal,
    input: real.map((rule) => `${rule.example}\0`).join(''),
  });
  // 1: none is ignored.
  if (answer.exitCode > 1) throw gitProblem(args, answer);
  const fields = answer.stdout.split('\0');
  return real.flatMap((rule, index) => {
    const [source = '', line = '', pattern = ''] = fields.slice(index * 4);
    if (pattern !== '' && !pattern.startsWith('!')) return [];
    return [{ rule, takenBackBy: pattern === '' ? undefined : `${source}:${line}: ${pattern}` }];
  });
}

/**
 * Makes git ignore the product's own files: in `.git/info/exclude`, or in `.gitignore` where the team has chosen that. A rule
 * that already covers a file is left alone.
 *
 * @param worktree as {@link rulesFor}.
 * @returns the rules that were added and the file they went to.
 * @throws Problem `not-ignored` when a rule of the user's takes one of the files back in, naming that rule.
 */
export async function ensureIgnored(
  environment: Environment,
  git: Git,
  repository: Repository,
  configuration: Configuration,
  signal?: AbortSignal,
  worktree?: string,
): Promise<{ added: readonly IgnoreRule[]; file: string }> {
  const rules = rulesFor(configuration, worktree);
  const file =
    configuration.ignore === 'gitignore' && !repository.bare
      ? join(repository.mainRoot, '.gitignore')
      : join(repository.commonDir, 'info', 'exclude');
  if ((await findNotIgnored(git, repository, rules, signal)).length === 0) return { added: [], file };
  const added = await withFileLock(environment, join(repository.commonDir, 'worktree-stacks', 'ignore'), async () => {
    const missing = (await findNotIgnored(git, repository, rules, signal))
      .filter((each) => each.takenBackBy === undefined)
      .map((each) => each.rule);
    if (missing.length > 0) await append(file, missing);
    return missing;
  });
  const left = await findNotIgnored(git, repository, rules, signal);
  if (left.length > 0) throw stillNotIgnored(left);
  return { added, file };
}

/**
 * Makes git ignore something in every worktree of a repository, by a rule in `.git/info/exclude`: what only some worktrees have is nothing for
 * the team's `.gitignore`.
 */
export async function ignoreToo(environment: Environment, { commonDir }: Repository, pattern: string): Promise<void> {
  const file = join(commonDir, 'info', 'exclude');
  await withFileLock(environment, join(commonDir, 'worktree-stacks', 'ignore'), async () => {
    const lines = ((await readTextIfThere(file)) ?? '').split(/\r?\n/);
    if (!lines.includes(pattern)) await append(file, [{ pattern }]);
  });
}

/** The problem that names what git would still commit, and why. */
export function stillNotIgnored(left: readonly NotIgnored[]): Problem {
  return new Problem(
    'not-ignored',
    repositoryMessages.gitWouldCommit({ left: left.map((each) => each.rule.example).join(', ') }),
    {
      next: left.some((each) => each.takenBackBy)
        ? repositoryMessages.changeRulesNamed()
        : repositoryMessages.fixIgnoreRules(),
      items: left.map((each) =>
        each.takenBackBy ? `${each.rule.pattern} is taken back by ${each.takenBackBy}` : `add ${each.rule.pattern}`,
      ),
      outcome: 'incomplete',
    },
  );
}

async function append(file: string, rules: readonly Pick<IgnoreRule, 'pattern'>[]): Promise<void> {
  const before = (await readTextIfThere(file)) ?? '';
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const gap = before === '' || before.endsWith('\n') ? '' : end;
  await writeAtomically(
    file,
    `${before}${gap}# Worktree Stacks${end}${rules.map((rule) => `${rule.pattern}${end}`).join('')}`,
  );
}
