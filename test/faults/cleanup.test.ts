import { allOrNothing, makeStack } from './support/scenario.ts';

allOrNothing('wt cleanup', { args: ['cleanup', 'low'], prepare: makeStack });
