import tseslint from 'typescript-eslint';

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

const restrict = (paths, patterns) => ({
  '@typescript-eslint/no-restricted-imports': [
    'error',
    { paths: [...libraries, patient, ...paths], patterns: [tests, ...insides, ...patterns] },
  ],
});

/** Two spellings may be one path, and a root is its own parent: what knows this is in one place. */
const throughPaths = 'Paths are compared, and folders climbed, by src/core/base/paths.ts: ';
const loops = ':matches(ForStatement, WhileStatement, DoWhileStatement)';
const withSeparator = ':matches(BinaryExpression, TemplateLiteral) > Identifier[name="sep"]';
const pathsAsText = [
  {
    selector: 'ImportDeclaration[source.value="node:path"] > ImportSpecifier[imported.name="relative"]',
    message: `${throughPaths}pathBelow, relativeTo or displayPath.`,
  },
  {
    selector: `${loops} AssignmentExpression > CallExpression.right[callee.name="dirname"]`,
    message: `${throughPaths}upFrom.`,
  },
  {
    selector: `CallExpression[callee.property.name=/^(startsWith|endsWith|indexOf)$/] > ${withSeparator}`,
    message: `${throughPaths}isWithin or pathBelow.`,
  },
  {
    selector:
      'BinaryExpression[operator=/^[!=]==$/]:has(> CallExpression[callee.name=/^(resolve|realpathSync|realPathOf|realPathNow)$/])',
    message: `${throughPaths}samePath or samePlace.`,
  },
  {
    selector:
      'BinaryExpression[operator=/^[!=]==$/]:matches([left.property.name="mainRoot"], [right.property.name="mainRoot"], [left.name="mainRoot"], [right.name="mainRoot"])',
    message: `${throughPaths}samePath.`,
  },
];

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'dist-test/', '.cache/', 'artifacts/', '.worktrees/', 'site/pages/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  { files: ['src/core/**/*.ts'], rules: restrict([vscode], [cli, extension]) },
  { files: ['src/webview/**/*.ts'], rules: restrict([vscode], [cli, extension]) },
  {
    files: ['src/core/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', { name: 'process', message: 'The core is given its environment.' }] },
  },
  {
    files: ['src/**/*.ts'],
    // The guards compare what is on disk, by device and inode; a spelling is compared as a text.
    ignores: ['src/core/base/path{s,Rules}.ts', 'src/core/claude/guard/**', 'src/core/repository/spelling.ts'],
    rules: { 'no-restricted-syntax': ['error', ...pathsAsText] },
  },
  { files: ['src/cli/**/*.ts'], rules: restrict([vscode], [extension]) },
  { files: ['src/extension/**/*.ts'], rules: restrict([], [cli]) },
  {
    files: [...Object.values(importers).flat(), ...patientItself],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'error', 'no-console': 'off' },
  },
  {
    files: ['scripts/**/*.mjs', '*.mjs', 'bench/**/*.mjs'],
    extends: [tseslint.configs.base],
    rules: { eqeqeq: ['error', 'always', { null: 'ignore' }], 'prefer-const': 'error' },
  },
);
