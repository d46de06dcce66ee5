'use strict';
// Loaded into VS Code's server (quickHosts.ts): the server, and nothing that it starts, is to be changed by it.
const node = process.env['WORKTREE_STACKS_TEST_NODE'];
delete process.env['NODE_OPTIONS'];
delete process.env['WORKTREE_STACKS_TEST_NODE'];
if (node) process.execPath = node;
