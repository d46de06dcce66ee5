/**
 * Which folder may import which. Every room of the core has its place in one chain and imports only from rooms before it;
 * no file and no folder is in a circle of imports, imports of types included. `npm run lint` runs it beside oxlint.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
const chain = [
  'messages',
  'base',
  'git',
  'session',
  'repository',
  'claude',
  'worktree',
  'integration',
  'snapshot',
  'lifecycle',
  'relocation',
  'operations',
  'stack',
  'exec',
  'hooks',
  'tasks',
  'create',
  'trash',
  'restore',
  'remove',
  'reclaim',
  'checkout',
  'carry',
  'restack',
  'github',
  'merge',
  'database',
  'recovery',
  'doctor',
];

const inOrder = chain.slice(0, -1).map((room, index) => ({
  name: `core-${room}-imports-inward`,
  comment: `src/core/${room} imports only from ${chain.slice(0, index).join(', ') || 'no other room'}.`,
  severity: /** @type {const} */ ('error'),
  from: { path: `^src/core/${room}/` },
  to: { path: `^src/core/(${chain.slice(index + 1).join('|')})/` },
}));

export default {
  forbidden: [
    {
      name: 'no-circle-of-files',
      comment: 'Two files that need each other are one file, or need a third that both import.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'A folder that needs what needs it has a file in the wrong place.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-room-has-its-place',
      comment: 'A new room of the core is added to the chain in this file.',
      severity: 'error',
      from: { path: `^src/core/(?!(${chain.join('|')})/)` },
      to: {},
    },
    ...inOrder,
    {
      name: 'the-page-is-a-browser',
      comment:
        'The page of the session merge editor knows neither Node nor VS Code, and of the core only pure functions.',
      severity: 'error',
      from: { path: '^src/webview/' },
      to: { path: '^src/(?!webview/|core/session/|core/base/)' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|dist|test|schemas)/' },
  },
};
