import { hostFactsOf } from '../core/repository/hostFacts.ts';
import type { ShownBranch, ShownRoot } from '../core/stack/stackView.ts';
import type { Colours } from './colour.ts';
import { messageText, oneLine } from './factLabels.ts';
import { standingLabels } from '../core/snapshot/factLabels.ts';

/**
 * Draws stacks as trees, with what is known of each branch's pull request behind its name:
 *
 *     main
 *      +-- login-form
 *           +-- login-api (#12 open)
 */
export function drawStacks(roots: readonly ShownRoot[], colours: Colours): string {
  return roots
    .flatMap((root) => [
      rootText(root, colours),
      ...root.branches.map(({ depth, shown }) => line(depth, shown, colours)),
    ])
    .join('\n');
}

function rootText({ branch, kind }: ShownRoot, colours: Colours): string {
  if (branch === undefined) return colours.yellow('base cycle');
  return kind === 'gone' ? `${oneLine(branch)} ${colours.yellow('(gone)')}` : oneLine(branch);
}

function line(depth: number, shown: ShownBranch, colours: Colours): string {
  const marks = marksOf(shown, colours);
  const name = shown.worktrees.some(({ active }) => active) ? colours.bold(oneLine(shown.name)) : oneLine(shown.name);
  return `${' '.repeat(1 + 5 * depth)}+-- ${name}${marks === '' ? '' : ` ${marks}`}`;
}

function marksOf(shown: ShownBranch, colours: Colours): string {
  const { pullRequest, standing, needsRestack, stopped, broken, base, branch, name } = shown;
  const entry = shown.worktrees.find((each) => each.entry?.branch === branch)?.entry;
  const labels = standingLabels(standing, pullRequest ? hostFactsOf(entry) : {}).map(messageText);
  if (standing === 'open') labels.unshift('open');
  const request = [pullRequest ? `#${pullRequest.number}` : '', labels.join(', ')]
    .filter((part) => part !== '')
    .join(' ');
  const marks = [
    request === '' ? '' : standing === 'merged' ? colours.green(`(${request})`) : `(${request})`,
    branch === name ? '' : colours.dim(`[${oneLine(branch)}]`),
    broken === 'cycle' ? colours.yellow(`based on ${oneLine(base ?? '')}`) : '',
    stopped?.stop?.branch === branch
      ? colours.red('waits for you')
      : stopped
        ? colours.yellow(`waits for ${oneLine(stopped.stop?.name ?? '')}`)
        : needsRestack && standing !== 'merged'
          ? colours.yellow('needs restack')
          : '',
  ];
  return marks.filter((mark) => mark !== '').join(' ');
}
