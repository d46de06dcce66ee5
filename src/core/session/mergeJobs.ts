import { ResultBuilder } from './resultBuilder.ts';
import { readJobs, type JobsDocument, type Row, type Table } from './jobsDocument.ts';
import { decideRow } from './rowRules.ts';
import { nameKey } from './lines.ts';
import type { MergeEntry, MergeInput, MergeOutcome } from './model.ts';
import { groupBy, pairByName, type Trio } from './pairing.ts';
import { at, faultAmong, unreadableOrConflicting } from './unknownShape.ts';
import { entryOf, takenBy, wantedOf, type Taken } from './entryDecision.ts';

/** Merges jobs files, row by row: everything but the rows is ours. */
export function mergeJobs(input: MergeInput): MergeOutcome {
  const ours = readJobs(input.ours);
  const theirs = readJobs(input.theirs);
  const base = input.base === undefined ? undefined : readJobs(input.base);
  const unknown = unknownJobs(base, ours, theirs);
  if (unknown !== undefined) return { known: false, unknown, text: input.ours, entries: [] };

  const builder = new ResultBuilder(ours.source, theirs.source.eol);
  const entries: MergeEntry[] = [];
  const archives = { byOurs: ours.archived, byTheirs: theirs.archived, inBase: base?.archived ?? new Set<string>() };
  const decided = (trio: Trio<Row>, table: Table): Taken => {
    const decision = decideRow(trio, table, archives);
    const wanted = wantedOf(input, decision);
    const taken = takenBy(wanted, decision, []);
    if (!decision.alike) entries.push(entryOf(decision, table.section, wanted, taken));
    return taken;
  };

  const trios = pairByName(base?.rows ?? [], ours.rows, theirs.rows);
  const of = new Map<Row, Trio<Row>>();
  for (const trio of trios) for (const row of [trio.ours, trio.theirs]) if (row) of.set(row, trio);
  const tables = new Map([...ours.tables].reverse().map((table) => [nameKey(table.section), table]));
  const arrivals = groupBy(
    theirs.rows.filter((row) => !of.get(row)?.ours),
    (row) => tables.get(nameKey(row.table.section)) ?? ours.tables[0],
  );
  for (const [index, block] of ours.blocks.entries()) {
    const trio = block.row && of.get(block.row);
    const inPlace = trio && block.row && decided(trio, block.row.table).inPlace;
    if (!trio) builder.keep(block);
    else if (inPlace === undefined) builder.leaveOut(block, ours.blocks[index + 1]);
    else builder.replace(block, inPlace);
    if (!block.endOf) continue;
    for (const arrival of arrivals.get(block.endOf) ?? []) {
      const trio = of.get(arrival);
      const asNew = trio && decided(trio, block.endOf).asNew;
      if (asNew !== undefined) builder.add(asNew, 0, index < ours.blocks.length - 1);
    }
  }
  return { known: true, text: builder.text() ?? input.ours, entries };
}

function unknownJobs(base: JobsDocument | undefined, ours: JobsDocument, theirs: JobsDocument): string | undefined {
  const noTable = { line: 1, what: 'there is no table with a column “Status”' };
  const fault = faultAmong({ ours, theirs, base }, (document, version) => {
    const lacksTable = version !== 'base' && document.tables.length === 0;
    return unreadableOrConflicting(document) ?? (lacksTable ? noTable : undefined);
  });
  if (fault !== undefined) return fault;
  const known = new Set(ours.tables.flatMap(({ columns }) => columns));
  for (const { line, columns } of theirs.tables) {
    const strange = columns.slice(1).find((column) => column !== '' && !known.has(column));
    if (strange !== undefined) return at(line, 'theirs', `ours has no column “${strange}”`);
  }
  return undefined;
}
