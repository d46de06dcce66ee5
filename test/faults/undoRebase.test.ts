import { allOrNothing, stackAnd } from './support/scenario.ts';

allOrNothing('wt undo of rebase --stack', { args: ['undo'], prepare: stackAnd('rebase', 'low', '--stack') });
