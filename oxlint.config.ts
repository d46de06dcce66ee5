/**
 * The borders between the layers (docs/architecture.md). A tsconfig per layer keeps the ambient types apart, these rules keep
 * the imports apart; both must hold, so that a shortcut across a border neither compiles nor passes the lint. The order of the
 * core's rooms, and that no imports go in a circle, is checked by dependency-cruiser (.dependency-cruiser.mjs).
 */
const vscode = { name: 'vscode', message: 'Only src/extension may know VS Code.' };
const cli = { group: ['**/cli/**'], message: 'Only src/cli may import from src/cli.' };
const extension = { group: ['**/extension/**'], message: 'Only src/extension may import from src/extension.' };
const tests = { group: ['**/test/**'], message: 'Product code does not import tests.' };

/** Each outside library has one importer; everything else goes through it. */
const importers = {
  'simple-git': 'src/core/git/git.ts',
  yaml: 'src/core/base/yamlText.ts',
  'write-file-atomic': 'src/core/base/atomicFile.ts',
  'p-limit': 'src/core/base/concurrency.ts',
  'env-paths': 'src/core/base/userFolders.ts',
  ajv: 'src/core/repository/configurationSchema.ts',
  picocolors: 'src/cli/colour.ts',
  'string-width': 'src/cli/table.ts',
  commander: 'src/cli/program.ts',
  '@clack/prompts': 'src/cli/listPrompt.ts',
  unbash: 'src/core/claude/guard/shell/shellSyntax.ts',
  '@octokit/rest': 'src/core/github/octokit.ts',
  '@octokit/plugin-retry': 'src/core/github/octokit.ts',
  '@octokit/plugin-throttling': 'src/core/github/octokit.ts',
  '@duckdb/node-api': 'src/core/database/libraryEngine.ts',
  '@vscode-elements/elements': 'src/webview/sessionMerge.ts',
  // The second one is a git that goes on running.
  'node:child_process': ['src/core/base/process.ts', 'src/core/git/conversation.ts'],
};
const libraries = Object.entries(importers).map(([name, importer]) => ({
  name,
  message: `Import it through ${[importer].flat()[0]}.`,
}));

const insides = Object.entries(importers).map(([name, importer]) => ({
  group: [`${name}/**`],
  message: `Import it through ${[importer].flat()[0]}.`,
}));

/** Windows refuses these while another program has the file open. */
const patient = {
  name: 'node:fs/promises',
  importNames: ['rename', 'rm', 'rmdir', 'unlink'],
  message: 'Import it from src/core/base/heldFiles.ts, which has patience.',
};
const patientItself = ['src/core/base/heldFiles.ts', 'src/core/base/deleteFolder.ts'];

const restrict = (paths: readonly object[], patterns: readonly object[]) => ({
  'no-restricted-imports': [
    'error',
    { paths: [...libraries, patient, ...paths], patterns: [tests, ...insides, ...patterns] },
  ],
});

/** A skip that does not say why looks like a pass: so do `this.skip()`, `it.skip` and `describe.skip`. */
const silentSkip = {
  property: 'skip',
  message: 'Use skipBecause of test/support/skip.ts, which says why in the title.',
};

/** Of these the most need the types of what is written. */
const sound = [
  'await-thenable',
  'ban-ts-comment',
  'no-array-delete',
  'no-base-to-string',
  'no-duplicate-enum-values',
  'no-duplicate-type-constituents',
  'no-empty-object-type',
  'no-explicit-any',
  'no-extra-non-null-assertion',
  'no-floating-promises',
  'no-for-in-array',
  'no-implied-eval',
  'no-misused-new',
  'no-misused-promises',
  'no-namespace',
  'no-non-null-asserted-optional-chain',
  'no-redundant-type-constituents',
  'no-require-imports',
  'no-this-alias',
  'no-unnecessary-type-assertion',
  'no-unnecessary-type-constraint',
  'no-unsafe-argument',
  'no-unsafe-assignment',
  'no-unsafe-call',
  'no-unsafe-declaration-merging',
  'no-unsafe-enum-comparison',
  'no-unsafe-function-type',
  'no-unsafe-member-access',
  'no-unsafe-return',
  'no-unsafe-unary-minus',
  'no-wrapper-object-types',
  'only-throw-error',
  'prefer-as-const',
  'prefer-namespace-keyword',
  'prefer-promise-reject-errors',
  'restrict-plus-operands',
  'triple-slash-reference',
  'unbound-method',
  'consistent-type-imports',
];

export default {
  // The rules that need types ask oxlint-tsgolint.
  options: { typeAware: true },
  plugins: ['eslint', 'typescript'],
  jsPlugins: ['./scripts/lib/lintPaths.mjs'],
  categories: { correctness: 'off' },
  ignorePatterns: ['node_modules/', 'dist/', 'dist-test/', '.cache/', 'artifacts/', '.worktrees/', 'site/pages/'],
  rules: { eqeqeq: ['error', 'always', { null: 'ignore' }], 'prefer-const': 'error' },
  overrides: [
    {
      files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
      rules: {
        ...Object.fromEntries(sound.map((rule) => [`typescript/${rule}`, 'error'])),
        'no-var': 'error',
        'prefer-rest-params': 'error',
        'prefer-spread': 'error',
        'no-array-constructor': 'error',
        'no-unused-expressions': 'error',
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'no-console': 'error',
      },
    },
    { files: ['src/core/**/*.ts'], rules: restrict([vscode], [cli, extension]) },
    { files: ['src/webview/**/*.ts'], rules: restrict([vscode], [cli, extension]) },
    {
      files: ['src/core/**/*.ts'],
      rules: { 'no-restricted-globals': ['error', { name: 'process', message: 'The core is given its environment.' }] },
    },
    { files: ['src/**/*.ts'], rules: { 'paths/not-as-text': 'error' } },
    {
      // The guards compare what is on disk, by device and inode; a spelling is compared as a text.
      files: [
        ...['src/core/base/paths.ts', 'src/core/base/pathRules.ts', 'src/core/repository/spelling.ts'],
        'src/core/claude/guard/**/*.ts',
      ],
      rules: { 'paths/not-as-text': 'off' },
    },
    { files: ['src/cli/**/*.ts'], rules: restrict([vscode], [extension]) },
    { files: ['src/extension/**/*.ts'], rules: restrict([], [cli]) },
    { files: [...Object.values(importers).flat(), ...patientItself], rules: { 'no-restricted-imports': 'off' } },
    { files: ['test/**/*.ts', 'bench/**/*.ts'], rules: { 'no-console': 'off' } },
    { files: ['test/**/*.ts'], rules: { 'no-restricted-properties': ['error', silentSkip] } },
    { files: ['test/support/skip.ts', 'test/support/systems.ts'], rules: { 'no-restricted-properties': 'off' } },
  ],
};
