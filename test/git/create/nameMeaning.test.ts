import assert from 'node:assert/strict';
import { meaningOf, type NameMeaning } from '../../../src/core/create/nameMeaning.ts';
import { Creations } from '../../support/creations.ts';

describe('what a text means as the name of a new worktree', () => {
  let at: Creations;
  before(async () => {
    at = await Creations.start();
    const { repository } = at;
    await repository.git('branch', 'spare');
    await repository.git('update-ref', 'refs/remotes/origin/teammate', 'main');
    await repository.git('update-ref', 'refs/remotes/one/shared', 'main');
    await repository.git('update-ref', 'refs/remotes/two/shared', await repository.commit('Go on', { 'on.txt': '\n' }));
    for (const remote of ['origin', 'one', 'two'])
      await repository.git('remote', 'add', remote, `https://example.com/${remote}/shop.git`);
    await at.create('login');
  });
  after(() => at.dispose());

  const meaning = (name: string, chosen?: string): Promise<NameMeaning> =>
    meaningOf(at.workspace, { name }, { chosen, likely: 'main' });
  /** What would be made: how, branch, what it continues, base and folder. */
  const made = async (name: string, chosen?: string): Promise<unknown> => {
    const found = await meaning(name, chosen);
    if (found.kind !== 'create') return found.kind;
    const { how, branch, from, base, folder, request } = found;
    return [how, branch, from, base, folder, request.base].map((each) => each ?? '-').join(' ');
  };

  it('is a new branch from where one is, or from the base that was chosen', async () => {
    assert.equal(await made('Login: form v2'), 'new login-form-v2 - main .worktrees/login-form-v2 main');
    assert.equal(await made('docs', 'login'), 'new docs - login .worktrees/docs login');
  });

  it('is a branch that is there, here or on a remote, based on what its history shows', async () => {
    assert.equal(await made('spare'), 'existing spare - main .worktrees/spare -');
    assert.equal(await made('teammate'), 'remote teammate origin/teammate main .worktrees/teammate -');
    assert.equal(await made('teammate', 'login'), 'remote teammate origin/teammate login .worktrees/teammate login');
  });

  it('is for a person to say where several remotes have it, and nothing where it cannot be', async () => {
    assert.deepEqual(await meaning('shared'), {
      kind: 'several',
      name: 'shared',
      branches: ['one/shared', 'two/shared'],
    });
    for (const [name, reason] of [
      ['login', 'taken'],
      ['main', 'in-use'],
      ['spare/x', 'taken'],
      ['@', 'invalid-name'],
    ] as const) {
      const found = await meaning(name);
      assert.equal(found.kind === 'refused' && found.problem.reason, reason, name);
    }
    const taken = await meaning('login');
    assert.equal(taken.kind === 'refused' && taken.problem.file, at.path('login'));
  });

  it('is called off when the text has changed', async () => {
    const ended = AbortSignal.abort();
    await assert.rejects(meaningOf(at.workspace, { name: 'x' }, { chosen: undefined, likely: 'main' }, ended), {
      reason: 'cancelled',
    });
  });
});
