import assert from 'node:assert/strict';
import type { Ran, RunOptions, WtHome } from '../../cli/support/wt.ts';
import type { Stage } from './stage.ts';

/** The built `wt` in the repository of a stage. */
export interface Programs {
  /** No exit code is a failure here. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** The same, with nothing but arguments. */
  readonly wt: (...args: string[]) => Promise<Ran>;
  /** The same, for a run that must succeed. */
  readonly done: (...args: string[]) => Promise<Ran>;
  /** Makes worktrees, each based on the one before and the first one on the trunk, and opens their pull requests. */
  readonly openStack: (...names: string[]) => Promise<void>;
  /** The trunk moves on, and the whole stack of a worktree is rebased onto that. */
  readonly rebased: (name: string) => Promise<void>;
}

/** @param at the home and the stage of the test that runs now. */
export function programsOn(at: () => { readonly home: WtHome; readonly stage: Stage }): Programs {
  const run: Programs['run'] = (args, options = {}) => {
    const { home, stage } = at();
    return home.wt(stage.repository.root, args, {
      ...options,
      variables: { ...stage.variables, ...options.variables },
    });
  };
  const done: Programs['done'] = async (...args) => {
    const ran = await run(args);
    assert.equal(ran.code, 0, `wt ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}\n${ran.stdout}`);
    return ran;
  };
  return {
    run,
    wt: (...args) => run(args),
    done,
    openStack: async (...names) => {
      for (const [index, name] of names.entries()) await at().stage.worktree(name, names[index - 1] ?? 'main');
      await done('pr', names[0] ?? '', '--stack');
    },
    rebased: async (name) => {
      const { repository } = at().stage;
      await repository.commit('Move on', { 'main.txt': `${Math.random()}\n` });
      await repository.git('push', '--quiet', 'origin', 'main');
      await done('rebase', name, '--stack');
    },
  };
}
