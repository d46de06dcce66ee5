/** Something that a token may not see. */
export interface MissingRight {
  /** For messages: "the checks". */
  readonly what: string;
  /** The permission that a fine-grained token needs for it, in GitHub's words. */
  readonly permission: string;
}

/** An error that came with an answer of GraphQL. */
export interface PartError {
  readonly type?: string;
  readonly message?: string;
  readonly path?: readonly (string | number)[];
}

const byField: readonly (readonly [fields: readonly string[], right: MissingRight])[] = [
  [['statusCheckRollup'], { what: 'the checks', permission: 'Checks: read, Commit statuses: read' }],
  [
    ['mergeQueueEntry', 'isInMergeQueue', 'isMergeQueueEnabled'],
    { what: 'the merge queue', permission: 'Merge queues: read' },
  ],
  [['baseRef', 'refUpdateRule', 'rules'], { what: 'the rules of the base', permission: 'Administration: read' }],
  [['commits', 'headRefOid', 'mergeCommit'], { what: 'the commits', permission: 'Contents: read' }],
];
const requests: MissingRight = { what: 'the pull requests', permission: 'Pull requests: read' };

/** The right to see the checks of commits. */
export const rightToChecks: MissingRight = byField[0]?.[1] ?? requests;

/** An error that only says that a part may not be seen; the rest of the answer is right. */
export function isForbidden({ type, message }: PartError): boolean {
  return type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES' || /^Resource not accessible by/.test(message ?? '');
}

/** The right that was missing for the part that an error is about. */
export function rightFor({ path = [] }: PartError): MissingRight {
  return byField.find(([fields]) => path.some((each) => fields.includes(String(each))))?.[1] ?? requests;
}

/** Each right once. */
export function distinctRights(rights: Iterable<MissingRight>): MissingRight[] {
  return [...new Map([...rights].map((each) => [each.what, each])).values()];
}

/** What a person should know of a token that may not see everything; `undefined` where it may. */
export function missingRightsText(rights: Iterable<MissingRight>, host: string): string | undefined {
  const all = distinctRights(rights);
  if (all.length === 0) return undefined;
  const what = all.map((each) => each.what).join(' and ');
  const needed = all.map(({ permission }) => `\`${permission}\``).join(', ');
  return `${host} does not show ${what} to this token: a fine-grained one needs the permission ${needed}.`;
}
