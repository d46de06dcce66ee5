import { allOrNothing, stackAnd } from './support/scenario.ts';

allOrNothing('wt undo of cleanup --force', { args: ['undo'], prepare: stackAnd('cleanup', '--force', 'high') });
