import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that push and look after pull requests. */
export const remoteCommands: readonly CommandDefinition[] = [
  {
    name: 'push',
    group: 'Remote and pull requests:',
    summary: 'push the branch of a worktree',
    details:
      'Never by force and never the trunk. A branch that was rebased after it was pushed replaces exactly what was pushed, if the ' +
      'remote holds nothing else; `stack.after_rebase` in `.worktrees.yml` chooses another way.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'its whole stack, all branches or none' },
      {
        syntax: '--rewrite',
        description: 'replace what was pushed even if the branch was amended, or the team refuses it',
      },
      {
        syntax: '--force',
        description: 'also push a branch whose pull request is in the merge queue; this removes it from the queue',
      },
    ],
    examples: [
      ['wt push login-form', ''],
      ['wt push login-form --stack', 'with its bases and dependents'],
    ],
  },
  {
    name: 'pr',
    group: 'Remote and pull requests:',
    summary: 'push a worktree, and create or update its draft pull request',
    details:
      'Always a draft, into the base of the worktree. Running it again updates the same one. A table of the stack in the text ' +
      'keeps itself up to date. Prints the addresses.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'of its whole stack' },
      { syntax: '--title <text>', description: 'its title (default: of the only commit, or the task)' },
      { syntax: '--body-file <file>', description: 'its text; `-` for standard input', kind: 'file' },
      { syntax: '--web', description: 'open it in the browser' },
      {
        syntax: '--register',
        description: "register the stack as one of GitHub's own, where the repository has those",
      },
      { syntax: '--replace', description: 'replace a closed pull request by a new one' },
      {
        syntax: '--take-over',
        description: 'also change a pull request that somebody else has opened: its base, its text',
      },
      {
        syntax: '--generate',
        description: 'have your own command write title and text; you can change them before anything is pushed',
      },
      { syntax: '--yes', description: 'with --generate: use what is written as it is' },
      { syntax: '--no-draft', description: 'open it ready for review, where GitHub has no drafts' },
    ],
    examples: [
      ['wt pr login-form', ''],
      ['wt pr login-form --stack', 'with its bases and dependents'],
      ['wt pr login-form --title "Log in with a key" --body-file notes.md', ''],
    ],
  },
  {
    name: 'poll',
    group: 'Remote and pull requests:',
    summary: 'wait until something happens to a pull request',
    waits: true,
    details:
      'Ends with one JSON summary: the base has moved or was merged, checks failed or passed, somebody commented, it was merged or closed. ' +
      'It reports each event once. Run it in the background.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--all', description: 'all pull requests of the repository' },
      { syntax: '--timeout <minutes>', description: 'stop after this time without changes (default: never)' },
    ],
    examples: [
      ['wt poll login-form', ''],
      ['wt poll --all --timeout 60', ''],
    ],
  },
];
