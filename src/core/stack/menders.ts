import type { Mender } from '../operations/recover.ts';

/** Who mends killed operations on stacks. It is loaded only when there is one: every `wt` asks for it. */
export const stackMenders: Readonly<Record<string, Mender>> = {
  stack: async (workspace, record) => (await import('./recoverStack.ts')).mendStack(workspace, record),
};
