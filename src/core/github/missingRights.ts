import type { Message } from '../messages/message.ts';
import { githubMessages } from '../messages/github.ts';
/** Something that a token may not see. */
export interface MissingRight {
  /** For messages: "the checks". */
  readonly what: Message;
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
  [['statusCheckRollup'], { what: githubMessages.theChecks(), permission: 'Checks: read, Commit statuses: read' }],
  [
    ['mergeQueueEntry', 'isInMergeQueue', 'isMergeQueueEnabled'],
    { what: githubMessages.theMergeQueue(), permission: 'Merge queues: read' },
  ],
  [['baseRef', 'refUpdateRule', 'rules'], { what: githubMessages.theRules(), permission: 'Administration: read' }],
  [['commits', 'headRefOid', 'mergeCommit'], { what: githubMessages.theCommits(), permission: 'Contents: read' }],
];
const requests: MissingRight = { what: githubMessages.thePullRequests(), permission: 'Pull requests: read' };

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
  return [...new Map([...rights].map((each) => [each.what.id, each])).values()];
}

/** What a person should know of a token that may not see everything; `undefined` where it may. */
export function missingRightsNote(rights: Iterable<MissingRight>, host: string): Message | undefined {
  const all = distinctRights(rights);
  if (all.length === 0) return undefined;
  const needed = all.map(({ permission }) => `\`${permission}\``).join(', ');
  return githubMessages.notShown({ host, what: all.map((each) => each.what), permissions: needed });
}
