import { allOrNothing, makeStack } from './support/scenario.ts';

allOrNothing('wt create', { args: ['create', 'third'], prepare: makeStack });
