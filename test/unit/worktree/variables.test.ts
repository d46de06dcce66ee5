import assert from 'node:assert/strict';
import { defaultConfiguration, type Configuration } from '../../../src/core/repository/configuration.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';
import { variablesOf, withVariables, type Described } from '../../../src/core/worktree/variables.ts';

const repository = { name: 'Orchard', mainRoot: '/orchard' } as Repository;
const compose = (projectPattern: string): Configuration => ({ ...defaultConfiguration, compose: { projectPattern } });
const plain: Described = { name: 'Pay API', slug: 'pay-api', path: '/orchard/.worktrees/pay-api', main: false };
const own = (configuration: Configuration, more: Partial<Described> = {}) =>
  variablesOf({ configuration, repository }, { ...plain, ...more });

describe('The variables of a worktree', () => {
  it('name it, its branch, its base, where it is and what is done in it', () => {
    const entry = { path: '', branch: 'pay', base: 'old', pr: null, workId: '7', task: 'Pay, by card' };
    assert.deepEqual(
      own(defaultConfiguration, { branch: 'pay', base: { branch: 'cart' }, entry, ports: { first: 20_001, count: 3 } }),
      {
        WT_NAME: 'Pay API',
        WT_SLUG: 'pay-api',
        WT_BRANCH: 'pay',
        WT_BASE: 'cart',
        WT_PATH: '/orchard/.worktrees/pay-api',
        WT_MAIN_ROOT: '/orchard',
        WT_WORK_ID: '7',
        WT_TASK: 'Pay, by card',
        WT_PORT: '20001',
        WT_PORT_2: '20002',
        WT_PORT_3: '20003',
        COMPOSE_PROJECT_NAME: undefined,
      },
    );
    assert.equal(own(defaultConfiguration, { entry })['WT_BASE'], 'old');
  });

  const projects: readonly (readonly [
    why: string,
    pattern: string | undefined,
    more: Partial<Described>,
    project: string | undefined,
  ])[] = [
    ['none is configured', undefined, {}, undefined],
    ['the pattern is filled, in small letters', '{project}-{slug}', {}, 'orchard-pay-api'],
    ['what Compose does not take becomes a hyphen', '{project}.{name}', {}, 'orchard-pay-api'],
    ['it begins with a letter or a digit', '__{slug}', {}, 'pay-api'],
    ['the pattern uses what is not there', '{project}-{work_id}', {}, undefined],
    ['the main working tree has none', '{project}-{slug}', { main: true }, undefined],
    [
      'the recorded one holds',
      '{project}-{slug}',
      { entry: { path: '', branch: 'b', base: 'm', pr: null, composeProject: 'kept' } },
      'kept',
    ],
  ];
  for (const [why, pattern, more, project] of projects)
    it(`have the compose project: ${why}`, () => {
      const configuration = pattern === undefined ? defaultConfiguration : compose(pattern);
      assert.equal(own(configuration, more)['COMPOSE_PROJECT_NAME'], project);
    });

  const inherited: readonly (readonly [why: string, before: Record<string, string>, after: Record<string, string>])[] =
    [
      [
        'those of another worktree go',
        { WT_TASK: 't', WT_PORT: '1', WT_PORT_9: '9', WT_PATH: '/other', HOME: '/h' },
        { HOME: '/h' },
      ],
      ['the project of another worktree goes', { WT_PATH: '/other', COMPOSE_PROJECT_NAME: 'p' }, {}],
      ['a project that holds everywhere stays', { COMPOSE_PROJECT_NAME: 'p' }, { COMPOSE_PROJECT_NAME: 'p' }],
      ['its own project stays', { WT_PATH: plain.path, COMPOSE_PROJECT_NAME: 'p' }, { COMPOSE_PROJECT_NAME: 'p' }],
    ];
  for (const [why, before, after] of inherited)
    it(`replace what was inherited: ${why}`, () => {
      const { WT_NAME, WT_SLUG, WT_PATH, WT_MAIN_ROOT, ...rest } = withVariables(
        { variables: before },
        own(defaultConfiguration),
      ).variables;
      assert.deepEqual([WT_NAME, WT_SLUG, WT_PATH, WT_MAIN_ROOT], ['Pay API', 'pay-api', plain.path, '/orchard']);
      assert.deepEqual(rest, after);
    });
});
