import { basename } from 'node:path';
import { redact } from '../base/redact.ts';
import type { Git } from '../git/git.ts';
import { looksPersonal } from '../reclaim/buildOutput.ts';

/** How much of changes is told, in characters and files. */
const bounds = { files: 60, each: 4000, all: 24_000, lines: 800 };

/** Files that a tool writes: that they changed is enough. */
const written =
  /(^|[.-])lock(\.(json|ya?ml|toml))?$|-lock\.|\.(min\.(js|css)|map|snap|svg)$|^(go\.sum|npm-shrinkwrap\.json)$/i;

/**
 * Changes as a model is told of them: which files, with how many lines, and of the text as much as is needed to say what they are about. Binary
 * files, what tools write, and files that may hold secrets are only named; what looks like a secret elsewhere is taken out.
 *
 * @param range what `git diff` compares: `--cached`, or two commits.
 * @returns empty when nothing changed.
 */
export async function changesText(
  git: Git,
  root: string,
  range: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const how = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];
  const counted = await git.nul([...how, '--numstat', '-z', ...range, '--'], { cwd: root, signal });
  const files = counted.flatMap((line) => {
    const [added = '-', removed = '-', path] = line.split('\t');
    return path === undefined ? [] : [{ path, added, removed, lines: Number(added) + Number(removed) }];
  });
  if (files.length === 0) return '';
  const told = files.slice(0, 200).map(({ path, added, removed }) => `${path} +${added} -${removed}`);
  const more = files.length > told.length ? [`and ${files.length - told.length} more`] : [];
  const shown = files
    .filter(({ path, lines }) => lines <= bounds.lines && !isOnlyNamed(basename(path)))
    .slice(0, bounds.files)
    .map(({ path }) => path);
  let left = bounds.all;
  const texts: string[] = [];
  for (const path of shown) {
    if (left <= 0) break;
    const args = ['--literal-pathspecs', ...how, '--unified=2', ...range, '--', path];
    const text = redact(await git.text(args, { cwd: root, signal })).replace(/^(diff|index) .*\n/gm, '');
    const kept = cut(text, Math.min(bounds.each, left));
    left -= kept.length;
    texts.push(kept);
  }
  return [[...told, ...more].join('\n'), ...texts].join('\n\n');
}

/** Whether the text of a file is not told, by its name. */
function isOnlyNamed(name: string): boolean {
  return written.test(name) || looksPersonal(name, 'built', 1);
}

/** The beginning of a text that is too long. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n[…]`;
}
