import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubRules, HubState } from './hubState.ts';

/**
 * Sets the rules of branches, and lets git's server keep those that are about pushes: it refuses with GitHub's words, naming the branch.
 *
 * @param bare the folder of the repository.
 */
export function setRules(state: HubState, bare: string, rules: Readonly<Record<string, HubRules>>): void {
  state.rules.clear();
  for (const [branch, each] of Object.entries(rules)) state.rules.set(branch, each);
  const guarded = [...state.rules].filter(([, { push }]) => push !== undefined);
  const cases = guarded.map(([branch, { push, ruleset }]) => {
    const words = ruleset
      ? `error: GH013: Repository rule violations found for refs/heads/${branch}.`
      : `error: GH006: Protected branch update failed for refs/heads/${branch}.`;
    const refuse = `echo "${words}" >&2; exit 1`;
    const forward = `git merge-base --is-ancestor "$2" "$3" || { ${refuse}; }`;
    return `refs/heads/${branch}) ${push === 'nobody' ? refuse : forward};;`;
  });
  const script = ['#!/bin/sh', 'case "$1" in', ...cases, 'esac', 'exit 0', ''].join('\n');
  writeFileSync(join(bare, 'hooks', 'update'), script, { mode: 0o755 });
}
