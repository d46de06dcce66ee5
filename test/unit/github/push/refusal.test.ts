import assert from 'node:assert/strict';
import { gitProblem } from '../../../../src/core/git/gitError.ts';
import { plainWords } from '../../../../src/core/git/plainWords.ts';
import { PushRefusal } from '../../../../src/core/github/push/pushRefusal.ts';
import { pushProblem, remoteProblem } from '../../../../src/core/github/push/refusal.ts';

const context = { remote: 'origin', what: 'x', command: 'wt push x' };
const told = (stderr: string, stdout = ''): PushRefusal => {
  const problem = pushProblem({ exitCode: 1, stdout, stderr }, context);
  assert.ok(problem instanceof PushRefusal);
  return problem;
};
/** Names that read like the cause of a failure. */
const names = [
  ...[
    'permission-denied',
    'access-denied',
    'not-found',
    'fetch-first',
    'non-fast-forward',
    'stale-info',
    'needs-force',
  ],
  ...[
    'hook-declined',
    'pre-receive',
    'protected-branch',
    'GH006',
    'GH013-rule-violations',
    'atomic-push',
    '403',
    'HTTP-403',
  ],
  ...[
    'authentication-failed',
    'could-not-resolve-host',
    'connection-refused',
    'repository-not-found',
    '401',
    'a/403/b',
  ],
];
/** The same in a folder or in words, which may have spaces. */
const spaced = [
  ...names,
  ...names.map((name) => name.replace(/-/g, ' ')),
  'Permission denied (publickey)',
  "it's not found",
];

suite('what git says when a push fails', () => {
  const forms: readonly (readonly [
    cause: string,
    form: (name: string) => readonly [stderr: string, stdout?: string],
  ])[] = [
    // Of the whole push.
    [
      'offline',
      (name) => [
        `fatal: unable to access 'http://127.0.0.1:34037/octo/${name}.git/': Failed to connect to 127.0.0.1 port 34037 after 0 ms: Couldn't connect to server`,
      ],
    ],
    [
      'offline',
      (name) => [
        `fatal: unable to access 'https://${name}.example.com/a.git/': Could not resolve host: ${name}.example.com`,
      ],
    ],
    [
      'offline',
      (name) => [
        `ssh: Could not resolve hostname ${name}: Name or service not known\nfatal: Could not read from remote repository.`,
      ],
    ],
    [
      'offline',
      (name) => [
        `ssh: connect to host ${name}.example.com port 403: Connection refused\nfatal: Could not read from remote repository.`,
      ],
    ],
    [
      'offline',
      (name) => [`fatal: unable to access 'https://example.com/${name}': Recv failure: Connection reset by peer`],
    ],
    [
      'offline',
      (name) => [
        `fatal: unable to connect to ${name}.example.com:\n${name}.example.com[0: 127.0.0.1]: errno=Connection refused`,
      ],
    ],
    [
      'no-access',
      (name) => [
        `fatal: unable to access 'http://127.0.0.1:34037/octo/${name}.git/': The requested URL returned error: 403`,
      ],
    ],
    [
      'no-access',
      (name) => [
        `remote: Permission to octo/${name}.git denied to ada.\nfatal: unable to access 'https://github.com/octo/${name}.git/': The requested URL returned error: 403`,
      ],
    ],
    [
      'no-access',
      (name) => [`ERROR: Permission to octo/${name}.git denied to ada.\nfatal: Could not read from remote repository.`],
    ],
    [
      'no-access',
      (name) => [
        `git@${name}.example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.`,
      ],
    ],
    ['no-access', (name) => [`fatal: Authentication failed for 'https://example.com/${name}.git/'`]],
    [
      'no-access',
      (name) => [`fatal: could not read Username for 'https://example.com/${name}': terminal prompts disabled`],
    ],
    [
      'no-access',
      (name) => [
        `remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://example.com/${name}.git/'`,
      ],
    ],
    [
      'no-access',
      (name) => [
        `error: RPC failed; HTTP 403 curl 22 The requested URL returned error: 403\nfatal: the remote end hung up unexpectedly\n# ${name}`,
      ],
    ],
    [
      'hook',
      (name) => [
        `${name}\n${name.replace(/-/g, ' ')}\ncurl: (22) The requested URL returned error: 403\nerror: failed to push some refs to 'http://127.0.0.1:34037/octo/${name}.git'`,
      ],
    ],
    [
      'other',
      (name) => [
        `fatal: unable to access 'http://127.0.0.1:34037/octo/${name}.git/': The requested URL returned error: 500`,
      ],
    ],
    [
      'other',
      (name) => [
        `fatal: the remote end hung up unexpectedly\nerror: src refspec refs/heads/${name} does not match any`,
      ],
    ],
    ['other', (name) => [`fatal: bad object 4034034034034034034034034034034034034030 in refs/heads/${name}`]],
    // Of one ref: git's words for it are in the output.
    [
      'raced',
      (name) => [
        `error: failed to push some refs to 'https://example.com/${name}.git'`,
        `!\trefs/heads/${name}:refs/heads/${name}\t[rejected] (fetch first)`,
      ],
    ],
    ['raced', (name) => ['', `!\trefs/heads/${name}:refs/heads/${name}\t[rejected] (stale info)`]],
    [
      'server-hook',
      (name) => [
        `remote: see https://example.com/${name}\nremote: no ${name} here`,
        `!\trefs/heads/${name}:refs/heads/${name}\t[remote rejected] (pre-receive hook declined)`,
      ],
    ],
    ['server-hook', (name) => ['', `!\trefs/heads/${name}:refs/heads/${name}\t[remote rejected] (hook declined)`]],
    [
      'rule',
      (name) => [
        'remote: error: GH006: Protected branch update failed for refs/heads/x.',
        `!\trefs/heads/${name}:refs/heads/${name}\t[remote rejected] (protected branch hook declined)`,
      ],
    ],
    [
      'rule',
      (name) => [
        'remote: error: GH013: Repository rule violations found for refs/heads/x.',
        `!\trefs/heads/${name}:refs/heads/${name}\t[remote rejected] (push declined due to repository rule violations)`,
      ],
    ],
    [
      'other',
      (name) => [
        `remote: Resolving deltas of refs/heads/${name}, https://example.com/${name}`,
        `!\trefs/heads/${name}:refs/heads/${name}\t[remote rejected] (cannot lock ref 'refs/heads/${name}': is at 4034034 but expected 4034035)`,
      ],
    ],
    ['other', (name) => ['', `!\trefs/heads/${name}:refs/heads/${name}\t[remote rejected] (failed to update ref)`]],
  ];
  test('is recognised by its own words, whatever branches, repositories and hosts are called', () => {
    for (const [cause, form] of forms)
      for (const name of ['x', ...names]) {
        const { refusal } = told(...form(name));
        assert.equal(refusal, cause, form(name).join('\n'));
      }
  });

  test('tells a repository that is not there from one that lets nobody in, whatever its folder is called', () => {
    for (const name of ['x', ...spaced]) {
      for (const stderr of [
        `fatal: '/srv/${name}/demo.git' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
        `remote: Repository not found.\nfatal: repository 'https://github.com/octo/${name}/' not found`,
        `ERROR: Repository not found.\nfatal: Could not read from remote repository.`,
      ]) {
        const problem = told(stderr);
        assert.match(problem.message, /no repository at origin/, stderr);
        assert.equal(problem.reason, 'push-refused');
        assert.match(remoteProblem({ exitCode: 128, stdout: '', stderr }, context).message, /no repository at origin/);
      }
      const denied = told(
        `fatal: unable to access 'https://example.com/${name}/demo.git/': The requested URL returned error: 401`,
      );
      assert.match(denied.message, /does not let you in/);
    }
  });

  test('of several branches names the one that was refused, not those that fell with it', () => {
    const both = (one: string, other: string): string =>
      `!\trefs/heads/atomic:refs/heads/atomic\t${one}\n!\trefs/heads/b:refs/heads/b\t${other}\n`;
    assert.match(
      told('', both('[rejected] (atomic push failed)', '[rejected] (stale info)')).message,
      /^b was not pushed/,
    );
    assert.match(
      told('', both('[remote rejected] (hook declined)', '[remote rejected] (atomic push failure)')).message,
      /^atomic was/,
    );
    const locked = "[remote rejected] (cannot lock ref 'refs/heads/atomic': File exists)";
    assert.match(told('', both(locked, '[remote rejected] (atomic push failure)')).message, /^atomic was/);
  });

  test('that it says nothing when asked is no hook', () => {
    for (const stderr of ['', 'something else'])
      assert.doesNotMatch(remoteProblem({ exitCode: 128, stdout: '', stderr }, context).message, /hook/);
  });

  test('words from outside are taken out, and nothing else', () => {
    for (const name of spaced) {
      for (const text of [
        `'${name}'`,
        `"${name}"`,
        `'/srv/${name}/x'`,
        `https://example.com/${name.replace(/ /g, '%20')}`,
      ])
        assert.equal(plainWords(`fatal: it is ${text}: sorry`), 'fatal: it is …: sorry', text);
    }
    for (const words of [
      "couldn't do what it doesn't",
      'Permission denied (publickey).',
      'error: 403',
      'fatal: no answer',
    ])
      assert.equal(plainWords(words), words);
  });

  test('a folder that is called like a failure is none', () => {
    for (const words of ['not a git repository', 'detected dubious ownership']) {
      const { reason } = gitProblem(['x'], {
        exitCode: 1,
        stdout: '',
        stderr: `error: cannot do it in /srv/${words}/x`,
      });
      assert.equal(reason, 'git-failed');
      assert.notEqual(
        gitProblem(['x'], { exitCode: 128, stdout: '', stderr: `fatal: ${words} (or so)` }).reason,
        'git-failed',
      );
    }
  });
});
