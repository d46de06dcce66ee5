import type { Row, Table } from './jobsDocument.ts';
import { nameKey } from './lines.ts';
import type { MergeReason } from './model.ts';
import type { Trio } from './pairing.ts';
import { cellWith, plainCell } from './tableRow.ts';
import { decisionsOn, nothing, type EntryDecision, type MakeDecision, type Taken } from './entryDecision.ts';

/** The statuses of a plan, from the first to the last. Others are not in the order. */
const order = ['requirements', 'designed', 'outlined', 'planned', 'complete'];
const complete = 'complete';

/** The names in the archives of the three versions. */
export interface Archives {
  readonly byOurs: ReadonlySet<string>;
  readonly byTheirs: ReadonlySet<string>;
  readonly inBase: ReadonlySet<string>;
}

/**
 * Applies the rules for jobs to one row; see docs/merging.md.
 *
 * @param table the table of ours that has the row, or gets it.
 */
export function decideRow(trio: Trio<Row>, table: Table, archives: Archives): EntryDecision {
  const { base, ours, theirs } = trio;
  const named = ours ?? theirs ?? base;
  const name = nameKey(named?.name ?? '');
  const decision = decisionsOn({
    ...{ id: `row:${trio.id}`, section: table.section, name: named?.name ?? '' },
    base: base && [base.text],
    ours: ours && [ours.text],
    theirs: theirs && [theirs.text],
  });
  if (ours && theirs) return decideBoth(decision, base, ours, theirs);
  if (ours) {
    const isArchived = base !== undefined && archives.byTheirs.has(name) && !archives.inBase.has(name);
    if (!isArchived && base && !sameRow(base, ours))
      return decision('deletedByTheirsButChanged', inPlace(ours.text), { needsLook: true });
    if (!isArchived || statusOf(ours) === complete) return decision('onlyInOurs', inPlace(ours.text));
    return decision('archived', inPlace(withCells(ours, new Map([[ours.table.statusColumn, complete]]))));
  }
  if (!theirs) return decision('bothChangedAlike', nothing, { alike: true });
  const comes: Taken = { inPlace: undefined, asNew: [rowFor(table, theirs)] };
  if (!base) return archives.byOurs.has(name) ? decision('archived', nothing) : decision('newInTheirs', comes);
  if (sameRow(base, theirs)) return decision('deletedByOurs', nothing);
  if (statusOf(theirs) === complete) return decision('deletedByOursAndFinished', nothing);
  return decision('deletedByOursButChanged', comes, { needsLook: true });
}

function decideBoth(decision: MakeDecision, base: Row | undefined, ours: Row, theirs: Row): EntryDecision {
  if (sameRow(ours, theirs)) {
    const alike = base === undefined || sameRow(base, ours) || ours.text === theirs.text;
    return decision('bothChangedAlike', inPlace(ours.text), { alike });
  }
  const changes = new Map<number, string>();
  const status = decideStatus(base, ours, theirs);
  if (status.takeTheirs) changes.set(ours.table.statusColumn, plainCell(cell(theirs, theirs.table.statusColumn)));
  let [byOurs, byTheirs] = [false, false];
  for (const [column, title] of ours.table.columns.entries()) {
    const there = theirs.table.columns.indexOf(title);
    if (column === 0 || column === ours.table.statusColumn || there === -1) continue;
    const before = base === undefined ? -1 : base.table.columns.indexOf(title);
    const [our, their] = [cell(ours, column).trim(), cell(theirs, there).trim()];
    const old = base === undefined || before === -1 ? undefined : cell(base, before).trim();
    if (our === their) continue;
    if (our !== old) byOurs = true;
    if (their !== old) byTheirs = true;
    if (our === old) changes.set(column, their);
  }
  const merged = inPlace(changes.size === 0 ? ours.text : withCells(ours, changes));
  const weighed = byOurs && byTheirs;
  if (status.reason !== undefined) return decision(status.reason, merged, { needsLook: weighed || status.needsLook });
  if (weighed) return decision(base ? 'bothChanged' : 'bothAdded', merged, { needsLook: true });
  return decision(byTheirs ? 'onlyTheirsChanged' : 'onlyOursChanged', merged);
}

interface StatusDecision {
  readonly takeTheirs: boolean;
  readonly reason: MergeReason | undefined;
  readonly needsLook: boolean;
}

function decideStatus(base: Row | undefined, ours: Row, theirs: Row): StatusDecision {
  const [old, our, their] = [base && statusOf(base), statusOf(ours), statusOf(theirs)];
  if (our === their) return { takeTheirs: false, reason: undefined, needsLook: false };
  // A change by ours alone stays, even a step back: it was intended.
  if (their === old) return { takeTheirs: false, reason: 'onlyOursChanged', needsLook: false };
  if (!order.includes(our) || !order.includes(their)) {
    const takeTheirs = our === old;
    return { takeTheirs, reason: 'statusUnknown', needsLook: !takeTheirs };
  }
  const takeTheirs = order.indexOf(their) > order.indexOf(our);
  return { takeTheirs, reason: takeTheirs ? 'statusAdvanced' : 'statusKept', needsLook: false };
}

const inPlace = (text: string): Taken => ({ inPlace: [text], asNew: undefined });
const cell = (row: Row, column: number): string => row.pieces[column + 1] ?? '';
const statusOf = (row: Row): string => nameKey(plainCell(cell(row, row.table.statusColumn)));

/** Whether two rows have the same content, decoration and padding apart. */
function sameRow(one: Row, other: Row): boolean {
  return one.table.columns.every((title, column) => {
    const there = other.table.columns.indexOf(title);
    if (column === 0 || there === -1) return true;
    if (column === one.table.statusColumn) return statusOf(one) === statusOf(other);
    return cell(one, column).trim() === cell(other, there).trim();
  });
}

/** A row's line with other content in some of its cells. */
function withCells(row: Row, changes: ReadonlyMap<number, string>): string {
  const { widths } = row.table;
  const pieces = row.pieces.map((piece, index) => {
    const content = changes.get(index - 1);
    return content === undefined ? piece : cellWith(piece, content, widths[index - 1]);
  });
  return pieces.join('|');
}

/** A row of theirs as a line of ours' table: unchanged if the columns are the same, else with each cell below its title. */
function rowFor(table: Table, theirs: Row): string {
  const { columns } = theirs.table;
  if (columns.length === table.columns.length && columns.every((title, index) => title === table.columns[index])) {
    return theirs.text;
  }
  const cells = table.columns.map((title, column) => {
    const there = column === 0 ? 0 : columns.indexOf(title);
    return there === -1 ? ' ' : ` ${cell(theirs, there).trim()} `;
  });
  return `|${cells.join('|')}|`;
}
