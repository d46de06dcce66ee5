import type { CreateData } from './createData.ts';
import type { CreatePlan } from './plan.ts';

/** Uncommitted work that comes along. It is a later room's, and an operation of its own, which the creation waits for. */
export interface WorkToCarry {
  /** The id of that operation. */
  readonly operation: string;
  /** Checks whether it fits, before anything is made. @throws Problem when it does not. */
  check(plan: CreatePlan): Promise<void>;
  /** Carries it. @throws Problem when it could not be: everything is as before then. */
  carry(worktree: Pick<CreateData, 'name' | 'path'>): Promise<void>;
  /** Brings it back, since the creation failed later on. @throws Problem when that cannot be done. */
  takeBack(): Promise<void>;
}
