import type { Environment } from '../core/base/environment.ts';
import type { HookAnswer } from '../core/claude/hookAnswer.ts';
import type { HookInput } from '../core/claude/hookInput.ts';
import type { Scope } from '../core/claude/scope.ts';
import { taskCompleted as judgeTask } from '../core/claude/taskCompleted.ts';
import { Git } from '../core/git/git.ts';

/*
 * What hooks need rarely and what takes long to load: git, YAML, locks. It is a file of its own beside the small `hook.js`, which
 * loads it only then.
 */

export { createForClaude, removeForClaude } from './hookWorktrees.ts';

/** Answers the TaskCompleted hook. */
export function taskCompleted(environment: Environment, input: HookInput, scope: Scope): Promise<HookAnswer> {
  return judgeTask(environment, new Git(environment), input, scope);
}
