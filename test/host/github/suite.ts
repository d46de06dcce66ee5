import assert from 'node:assert/strict';
import { serveHubControl } from '../../support/hubControl.ts';
import type { HostSuite } from '../../support/launch/hostSuite.ts';
import { makeStackOnHub, type StackOnHub } from '../../support/stackOnHub.ts';

let stage: StackOnHub | undefined;
let control: Awaited<ReturnType<typeof serveHubControl>> | undefined;

/** Stacks whose remote is on a server like GitHub's, with a real git server behind it. */
const suite: HostSuite = {
  title: 'stacks with pull requests',
  async prepare(place) {
    stage = await makeStackOnHub(place);
    control = await serveHubControl(stage.hub);
    return { folder: stage.folder };
  },
  env: async () => ({
    WORKTREE_STACKS_TEST_HUB: control?.url,
    WORKTREE_STACKS_TEST_BARE: stage?.bare,
    // What `wt` would find; the extension must not look for it before somebody wants something of GitHub.
    GH_ENTERPRISE_TOKEN: 'ghp_fromthevariablefromthevariablefromvar',
  }),
  async close() {
    control?.close();
    await stage?.hub.close();
    assert.deepEqual(stage?.hub.faults, [], 'requests or answers departed from what GitHub publishes');
  },
};
export default suite;
