import { allOrNothing, stackAnd } from './support/scenario.ts';

allOrNothing('wt undo of merge', { args: ['undo'], prepare: stackAnd('merge', 'low') });
