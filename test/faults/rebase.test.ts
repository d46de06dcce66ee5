import { allOrNothing, makeStack } from './support/scenario.ts';

allOrNothing('wt rebase --stack', { args: ['rebase', 'low', '--stack'], prepare: makeStack });
