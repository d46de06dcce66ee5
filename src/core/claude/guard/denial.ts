import type { Permission } from '../hookDecision.ts';
import type { Violation, ViolationKind } from './commands/violation.ts';
import { readable } from './shell/argument.ts';

/** Denies a command: names the words that were found, and what to do instead, so that the agent does not reword and retry. */
export function denial({ kind, words, where }: Violation, branch: string): Permission {
  const found = words.map((word) => readable(word)).join(' ');
  return {
    kind: 'deny',
    reason: `\`${found}\`${where === undefined ? '' : ` ${where}`}: ${instead(kind, branch, words)}`,
  };
}

function instead(kind: ViolationKind, branch: string, words: Violation['words']): string {
  const name = branch === '' ? '<name>' : branch;
  switch (kind) {
    case 'push':
      return `this worktree's agent does not push with git. Use \`wt push ${name}\` instead, if your task asks for a push.`;
    case 'fetch':
      return `this worktree's agent does not fetch or pull with git. Use \`wt rebase ${name}\` to bring the branch up to date with its base.`;
    case 'remote':
      return `this writes to a remote. Use \`wt push ${name}\` for the branch; leave everything else to the person you work for.`;
    case 'unknown-verb':
      return `the guard cannot see which git command this is. Write the command's name out; remote ones go through \`wt push ${name}\` and \`wt rebase ${name}\`.`;
    case 'pull-request':
      return `this writes to GitHub. Use \`wt pr ${name}\` to create or update the draft pull request; reviews, replies, merging and marking as ready are for the person you work for.`;
    case 'github':
      return `this writes to GitHub, or the guard does not know that it only reads. Use \`wt pr ${name}\` for the pull request and leave other writes to the person you work for; reading (\`gh pr view\`, \`gh api\` with GET) is free.`;
    case 'github-query':
      return `only a GraphQL query that stands in the command and holds no mutation passes. Use \`wt pr ${name}\` for the pull request.`;
    case 'poll':
      if (words.at(-1) === 'wait')
        return 'waiting must not block the session. Run the same again as a background task (run_in_background: true).';
      return `polling must not block the session. Run \`wt poll ${name}\` again as a background task (run_in_background: true).`;
    case 'unreadable':
      return `the guard could not read the whole command, and it names something that goes through wt. Write it more plainly; use \`wt push ${name}\`, \`wt rebase ${name}\` or \`wt pr ${name}\` for what concerns the remote.`;
  }
}
