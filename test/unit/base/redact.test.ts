import assert from 'node:assert/strict';
import { commandForLog, redact } from '../../../src/core/base/redact.ts';

describe('what a log keeps of a text', () => {
  const secret = 'S3cretValue12345678';
  const hiding: readonly string[] = [
    `curl -H 'Authorization: Bearer ${secret}' https://example.com`,
    `curl --header "X-Api-Key: ${secret}" https://example.com`,
    `curl -u ada:${secret} https://example.com`,
    `git clone https://ada:${secret}@example.com/x.git`,
    `git clone https://${secret}@example.com/x.git`,
    `export GITHUB_TOKEN=${secret}`,
    `MY_PASSWORD="${secret}" ./run`,
    `tool --password ${secret} --verbose`,
    `tool --api-key=${secret}`,
    `echo '{"client_secret": "${secret}"}'`,
    `echo ghp_${secret}`,
    `echo github_pat_${secret}`,
    `echo sk-ant-api03-${secret}`,
    `echo xoxb-${secret}`,
    `echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${secret}`,
    `echo "-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n-----END OPENSSH PRIVATE KEY-----"`,
  ];
  // Every kind of every list that the patterns are made of: what is looked at first must not hide one from its pattern.
  const kinds: readonly string[] = [
    ...['gho_', 'ghp_', 'ghs_', 'ghu_', 'ghr_', 'github_pat_', 'glpat-', 'sk-', 'npm_', 'pypi-', 'xoxa-', 'xoxp-'],
    ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_'],
    ...['eyJabcdefgh.', 'eyIabcdefgh.', 'AIzaabcdef', 'Bearer ', 'BASIC ', 'bearer\t'],
    ...['https://', 'HTTPS://', 'ssh+git://'].map((scheme) => `${scheme}${secret}@example.com/`),
    ...['-H a:', '-Ha:', "--header 'X: ", '--header=x: ', '--proxy-header "x:'],
    ...['Authorization: ', 'x-my-key=', 'X-Auth-Token: ', 'x-token: ', 'Cookie: ', 'Set-Cookie: ', 'PRIVATE-TOKEN: '],
    ...['password', 'passwd', 'passphrase', 'token', 'secret', 'api-key', 'apikey', 'access-key', 'ACCESSKEY'].flatMap(
      (option) => [`--${option} `, `--my-${option}=`, `-${option} `],
    ),
    ...['private-key', 'privatekey', 'auth-token', 'authtoken', 'oauth2-bearer', 'user'].map(
      (option) => `--${option}=`,
    ),
    ...['x -u ada:', 'x -uada:'],
    ...['TOKEN', 'secret', 'Password', 'passwd', 'PASSPHRASE', 'API_KEY', 'apikey', 'ACCESS_KEY', 'accesskey'].flatMap(
      (name) => [`${name}=`, `my_${name}2='`, `"${name}": "`],
    ),
    ...['PRIVATE_KEY', 'privatekey', 'CREDENTIAL', 'credentials', 'AUTH', 'oauth'].flatMap((name) => [
      `${name}=`,
      `'${name}' : `,
    ]),
  ];
  for (const kind of kinds) {
    const text = `echo ${kind.includes(secret) ? kind : `${kind}${secret}`}`;
    it(`holds no secret of the kind ${JSON.stringify(kind)}`, () =>
      assert.doesNotMatch(redact(text), new RegExp(secret)));
  }
  it('holds no key of Amazon', () => {
    for (const kind of ['AKIA', 'ASIA']) assert.equal(redact(`echo ${kind}ABCDEFGHIJKLMNOP`), 'echo […]');
  });

  for (const text of hiding) {
    it(`holds no secret of ${text.slice(0, 60).replaceAll('\n', ' ')}`, () => {
      assert.doesNotMatch(redact(text), new RegExp(secret));
      assert.match(redact(text), /…/);
    });
  }

  it('keeps the rest of the command readable', () => {
    assert.equal(
      redact(`git push https://ada:${secret}@example.com/x.git main --force`),
      'git push https://[…]@example.com/x.git main --force',
    );
    assert.equal(redact(`TOKEN=${secret} make test`), 'TOKEN=[…] make test');
  });

  for (const text of [
    'git commit -m "Tell the user about tokens"',
    'npm test -- --grep password',
    'gh api repos/o/r/pulls --jq .[].title',
    'cat src/auth/token.ts',
  ]) {
    it(`leaves ${text} as it is`, () => assert.equal(redact(text), text));
  }

  it('keeps no body of a here-document, since that is file content', () => {
    const command = "cat > notes.md <<'END'\nprivate thoughts\nEND\ngit add notes.md";
    assert.equal(commandForLog(command), "cat > notes.md <<'END' ⏎ git add notes.md");
  });

  it('is cut where it becomes long', () => {
    const text = commandForLog(`echo ${'x'.repeat(10_000)}`);
    assert.equal(text.length, 240);
    assert.ok(text.endsWith('…'));
  });

  it('does not take long for a hostile text', () => {
    // A quadratic pattern would need hours for this.
    assert.equal(commandForLog(`--token ${'"'.repeat(200_000)}`).length <= 240, true);
  });
});
