import { allOrNothing, makeStack } from './support/scenario.ts';

allOrNothing('wt merge', { args: ['merge', 'low'], prepare: makeStack });
