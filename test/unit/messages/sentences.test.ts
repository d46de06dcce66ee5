import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ts from 'typescript';

const core = join(import.meta.dirname, '../../../src/core');

/** What is not for people in their language: texts for agents and for commits, formats of files, queries, shell, git's own words. */
const notForPeople = [
  ...['messages/', 'claude/', 'session/', 'database/', 'github/plan/checkPlan.ts', 'github/pr/openOne.ts'],
  ...['github/pr/stackTable.ts', 'github/pullsQuery.ts', 'github/statusQuery.ts', 'github/push/sameContent.ts'],
  ...['merge/backUpWork.ts', 'merge/commit.ts', 'merge/driverSetup.ts', 'merge/resolveByChecks.ts'],
  ...['remove/backup.ts', 'remove/backupSubmodule.ts', 'integration/commitQueries.ts', 'git/gitTrouble.ts'],
  ...['merge/continueGit.ts', 'texts/commitPrompt.ts', 'texts/namePrompt.ts', 'texts/pullRequestPrompt.ts'],
  'github/missingRights.ts',
  ...[
    'remove/keptAdminDir.ts',
    'repository/batchLauncher.ts',
    'repository/launchers.ts',
    'repository/notesDriver.ts',
    'repository/stateFile.ts',
  ],
];
/** What still has some. Nothing may be added. */
const withSentences = [
  'merge/mergeDriver.ts',
  'merge/decideSessionFiles.ts',
  'restack/commitWriter.ts',
  'restack/restack.ts',
];

describe('the core', () => {
  it('has no sentences for people outside of its messages', async () => {
    const entries = await readdir(core, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
    const found: string[] = [];
    for (const { parentPath, name } of files) {
      const file = relative(core, join(parentPath, name)).replaceAll('\\', '/');
      if ([...notForPeople, ...withSentences].some((each) => file.startsWith(each))) continue;
      const text = await readFile(join(core, file), 'utf8');
      for (const sentence of sentencesIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)))
        found.push(`${file}: ${sentence}`);
    }
    assert.deepEqual(found, []);
  });

  it('is read for them as it should be', () => {
    const read = (text: string): string[] =>
      sentencesIn(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true));
    assert.deepEqual(read('const why = `${name} is in the way there`;'), ['{} is in the way there']);
    assert.deepEqual(read("log.info('this is only logged, for nobody');"), []);
    assert.deepEqual(read("throw new Error('this can never be so');"), []);
    assert.deepEqual(read("const args = 'git worktree add of nothing';"), []);
  });
});

/** Literals of five words or more, apart from commands, and from what is logged or thrown as a fault of our own. */
function sentencesIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\blog\??\.\w+$|#log$/.test(node.expression.getText())) return;
    if (ts.isNewExpression(node) && node.expression.getText() === 'Error') return;
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
        : '';
    const words = text.split(/[ ,;:.]+/).filter((word) => /^([A-Z]?[a-z]{2,}|a|A)$/.test(word));
    const isCommand = /^[`-]?(git|wt|gh|npm|sudo|sh|ref|update|delete|create) /.test(text);
    if (words.length >= 5 && !isCommand) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
