import { allOrNothing, makeStack } from './support/scenario.ts';

allOrNothing('wt cleanup --force', { args: ['cleanup', '--force', 'high'], prepare: makeStack });
