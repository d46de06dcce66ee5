import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A window without a folder. */
const suite: HostSuite = {
  title: 'a window without a folder',
  prepare: async () => ({ empty: true }),
};
export default suite;
