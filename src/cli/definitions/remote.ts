import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that push and look after pull requests. */
export const remoteCommands: readonly CommandDefinition[] = [
  {
    name: 'push',
    group: 'Remote and pull requests:',
    summary: 'push the branch of a worktree, and only that',
    details:
      'Never by force and never the trunk. A branch that was rebased after it was pushed replaces exactly what was pushed, if the ' +
      'remote holds nothing else; `stack.after_rebase` in `.worktrees.yml` chooses another way.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'its whole stack, all branches or none' },
      {
        syntax: '--rewrite',
        description: 'replace what was pushed although the branch was amended, or the team refuses it',
      },
      {
        syntax: '--force',
        description: 'also a branch whose pull request waits in the merge queue, which it leaves then',
      },
    ],
    examples: [
      ['wt push login-form', ''],
      ['wt push login-form --stack', 'what it stands on and what stands on it as well'],
    ],
  },
  {
    name: 'pr',
    group: 'Remote and pull requests:',
    summary: 'push a worktree and open its draft pull request, or bring it up to date',
    details:
      'Always a draft, into the branch that the worktree stands on. Run again it updates the same one. A table of the stack in the text ' +
      'keeps itself up to date. Prints the addresses.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'of its whole stack' },
      { syntax: '--title <text>', description: 'its title (default: of the only commit, or the task)' },
      { syntax: '--body-file <file>', description: 'its text; `-` for standard input', kind: 'file' },
      { syntax: '--web', description: 'show it in the browser' },
      {
        syntax: '--register',
        description: "register the stack as one of GitHub's own, where the repository has those",
      },
      { syntax: '--replace', description: 'open a new one in place of one that was closed' },
      { syntax: '--no-draft', description: 'where the plan has no drafts, open it ready for review' },
    ],
    examples: [
      ['wt pr login-form', ''],
      ['wt pr login-form --stack', 'of everything it stands on and that stands on it'],
      ['wt pr login-form --title "Log in with a key" --body-file notes.md', ''],
    ],
  },
  {
    name: 'poll',
    group: 'Remote and pull requests:',
    summary: 'watch a pull request until something happens to it',
    waits: true,
    details:
      'Ends with one JSON summary: the base has moved or was merged, checks failed or passed, somebody wrote, it was merged or closed. ' +
      'What it has told once it does not tell again. Run it in the background.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--all', description: 'every pull request of the repository, in one' },
      { syntax: '--timeout <minutes>', description: 'end after so long without news (default: never)' },
    ],
    examples: [
      ['wt poll login-form', ''],
      ['wt poll --all --timeout 60', ''],
    ],
  },
];
