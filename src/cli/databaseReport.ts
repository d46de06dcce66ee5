import { counted } from '../core/base/phrases.ts';
import type { DatabaseResult } from './database.ts';
import type { Output } from './output.ts';

const verbs: Readonly<Record<DatabaseResult['outcome'], string>> = {
  made: 'Made',
  migrated: 'Migrated',
  current: 'Up to date:',
  missing: 'No database yet:',
  failed: 'Failed:',
};

/** Answers with what became of databases. */
export function tellResults(output: Output, results: readonly DatabaseResult[]): void {
  if (output.json) {
    const success = results.every(({ outcome }) => outcome !== 'failed');
    output.answerJson({ success, databases: results });
    return;
  }
  for (const { file, outcome, columns_added: added, rows_added: rows } of results) {
    const news = [
      ...(added.length > 0 && outcome === 'migrated' ? [`new columns: ${added.join(', ')}`] : []),
      ...(rows > 0 ? [counted(rows, 'new row')] : []),
    ];
    output.tell(`${verbs[outcome]} ${file}${news.length > 0 ? ` (${news.join('; ')})` : ''}`);
  }
}
