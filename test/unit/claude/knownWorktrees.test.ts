import assert from 'node:assert/strict';
import { worktreeCalled } from '../../../src/core/claude/knownWorktrees.ts';

describe('the worktree that an agent is called after', () => {
  const worktrees = [
    { name: 'api client', path: '/repo/.worktrees/api-client' },
    { name: 'api-client', path: '/repo/.worktrees/api-client-1a2b3c' },
    { name: 'docs', path: '/elsewhere/project-docs' },
    { name: 'wt-odd', path: '/repo/.worktrees/wt-odd' },
    { name: 'Feature/Y', path: '/repo/.worktrees/feature-y' },
  ];
  const found = (agent: string): string | undefined => worktreeCalled(worktrees, agent)?.name;

  it('is found by the slug of its agent, even where another one is named like that slug', () => {
    assert.equal(found('wt-api-client'), 'api client');
    assert.equal(found('wt-api-client-1a2b3c'), 'api-client');
  });

  it('is found by its slug where its folder is called otherwise', () => {
    assert.equal(found('wt-docs'), 'docs');
    assert.equal(found('wt-feature-y'), 'Feature/Y');
  });

  it('is found without the prefix, by name or slug', () => {
    assert.equal(found('docs'), 'docs');
    assert.equal(found('Feature/Y'), 'Feature/Y');
    assert.equal(found('feature-y'), 'Feature/Y');
  });

  it('may have a name that begins like the prefix', () => {
    assert.equal(found('wt-odd'), 'wt-odd');
    assert.equal(found('wt-wt-odd'), 'wt-odd');
  });

  it('is none for another name', () => {
    assert.equal(found('general-purpose'), undefined);
    assert.equal(found('wt-'), undefined);
    assert.equal(found(''), undefined);
  });
});
