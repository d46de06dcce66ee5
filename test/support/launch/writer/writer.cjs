// A language model for tests. The folder that WORKTREE_STACKS_TEST_WRITER names has its answer in `answer.txt`, and gets what it was asked in
// `asked.txt`. An answer that begins with `!` is a failure.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const folder = process.env.WORKTREE_STACKS_TEST_WRITER;
  if (!folder) return;
  const limits = { maxInputTokens: 100_000, maxOutputTokens: 10_000 };
  const model = { id: 'writer', name: 'Writer', family: 'writer', version: '1', ...limits, capabilities: {} };
  const provider = {
    provideLanguageModelChatInformation: () => [model],
    provideLanguageModelChatResponse(_model, messages, _options, progress) {
      const parts = messages.flatMap(({ content }) => content.map((part) => part.value ?? ''));
      writeFileSync(join(folder, 'asked.txt'), parts.join('\n'));
      const answer = readFileSync(join(folder, 'answer.txt'), 'utf8');
      if (answer.startsWith('!')) throw new Error(answer.slice(1).trim());
      // In pieces, as models answer.
      for (const piece of answer.match(/[\s\S]{1,16}/g) ?? []) progress.report(new vscode.LanguageModelTextPart(piece));
    },
    provideTokenCount: (_model, text) => String(text).length,
  };
  subscriptions.push(vscode.lm.registerLanguageModelChatProvider('fixtures-writer', provider));
};
