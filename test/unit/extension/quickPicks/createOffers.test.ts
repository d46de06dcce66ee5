import assert from 'node:assert/strict';
import { pullsUnder, type OpenPull } from '../../../../src/core/github/pulls/openPulls.ts';
import { offersFor, requestOf, type Known, type Offer } from '../../../../src/extension/quickPicks/createOffers.ts';

const pull = (number: number, more: Partial<OpenPull> = {}): OpenPull => ({
  ...{ number, title: `Title ${number}`, branch: `b${number}`, base: 'main', fork: undefined, draft: false },
  ...more,
});
const known: Known = {
  branches: [
    { name: 'login-form', subject: 'Add a form' },
    { name: 'main', subject: 'Open the shop' },
    { name: 'spare', subject: 'Try something' },
  ],
  remotes: ['origin/main', 'origin/spare', 'origin/teammate', 'fork/team/mate'],
  pulls: [
    pull(14, { base: 'b13', title: 'Show the cafe' }),
    pull(13, { base: 'b12' }),
    pull(12, { title: 'Login: form v2' }),
    pull(11, { branch: 'main', fork: 'alice', draft: true }),
  ],
  tasks: [{ name: 'Write login docs', detail: 'for the shop' }],
  worktrees: [
    { name: 'main', path: '/shop', branch: 'main', pull: undefined, canOpen: true },
    { name: 'twelve', path: '/shop/.worktrees/twelve', branch: 'b12', pull: 12, canOpen: true },
  ],
};
const nameOf = (offer: Offer): string =>
  offer.kind === 'pull' ? `#${offer.pull.number}${offer.withStack ? ' with its stack' : ''}` : offer.name;
const offered = (text: string, only?: 'pulls'): string[] =>
  offersFor(text, known, only).groups.flatMap(({ kind, offers }) => offers.map((each) => `${kind} ${nameOf(each)}`));

describe('what the box for a new worktree offers', () => {
  it('is everything for an empty text, but what has a worktree, and what a local branch stands for', () => {
    assert.deepEqual(offered(''), [
      'branch login-form',
      'branch spare',
      'remote origin/teammate',
      'remote fork/team/mate',
      ...['pull #14', 'pull #13', 'pull #12', 'pull #11'],
      'task Write login docs',
    ]);
  });

  it('is what has every word of the text, wherever it stands and whatever is between', () => {
    assert.deepEqual(offered('Login form'), ['branch login-form', 'pull #12']);
    assert.deepEqual(offered('form, login'), ['branch login-form', 'pull #12']);
    assert.deepEqual(offered('login'), ['branch login-form', 'pull #12', 'task Write login docs']);
    assert.deepEqual(offered('Café'), ['pull #14']);
    assert.deepEqual(offered('alice'), ['pull #11']);
    assert.deepEqual(offered('team/mate'), ['remote origin/teammate', 'remote fork/team/mate']);
    assert.deepEqual(offered('14'), ['pull #14']);
    assert.deepEqual(offered('nothing like it'), []);
  });

  it('is one pull request for its number or its address, and the same with its stack', () => {
    for (const text of ['#14', 'pr:14', ' PR:#14', 'https://github.com/o/r/pull/14/files?x=1'])
      assert.deepEqual(offered(text), ['pull #14', 'pull #14 with its stack'], text);
    // What is lowest has no stack below it, and one that is here already is only opened.
    assert.deepEqual(offered('#11'), ['pull #11']);
    assert.deepEqual(offered('#12'), ['pull #12']);
    assert.deepEqual(offersFor('#99', known), { number: { kind: 'either', number: 99 }, groups: [] });
    assert.deepEqual(offersFor('issue:14', known), { number: { kind: 'issue', number: 14 }, groups: [] });
    assert.deepEqual(offered('14', 'pulls'), ['pull #14', 'pull #14 with its stack']);
    assert.deepEqual(offered('login', 'pulls'), ['pull #12']);
  });

  it('asks for what was chosen, and for a base only where one was', () => {
    const requests = offersFor('', known).groups.flatMap(({ offers }) =>
      offers.map((each) => requestOf(each, undefined)),
    );
    assert.deepEqual(
      requests.map(({ name, branch, task, base }) => [name, branch, task, base].filter((each) => each !== undefined)),
      [
        ['login-form', 'login-form'],
        ['spare', 'spare'],
        ['teammate', 'origin/teammate'],
        ['team/mate', 'fork/team/mate'],
        ...[14, 13, 12, 11].map((number) => [`pr:${number}`]),
        ['Write login docs'],
      ],
    );
  });

  it('says how many it left out', () => {
    const pulls = Array.from({ length: 53 }, (_, index) => pull(index + 20));
    const [group] = offersFor('', { ...known, branches: [], remotes: [], tasks: [], pulls }).groups;
    assert.deepEqual([group?.offers.length, group?.more], [50, 3]);
  });

  it('knows what is below a pull request, also where bases go round in a circle or are in a fork', () => {
    const { pulls } = known;
    assert.deepEqual(
      pulls.map((each) => pullsUnder(each, pulls)),
      [[12, 13], [12], [], []],
    );
    const circle = [pull(1, { base: 'b2' }), pull(2, { base: 'b3' }), pull(3, { base: 'b2' })];
    assert.deepEqual(
      circle.map((each) => pullsUnder(each, circle)),
      [[3, 2], [3], [2]],
    );
    const forked = [pull(1, { base: 'x' }), pull(2, { branch: 'x', fork: 'alice' })];
    assert.deepEqual(
      forked.map((each) => pullsUnder(each, forked)),
      [[], []],
    );
  });
});
