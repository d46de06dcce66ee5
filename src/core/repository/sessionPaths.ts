import type { SessionKind } from '../session/model.ts';
import type { Configuration } from './configuration.ts';

/** A session file of a repository. */
export interface SessionPath {
  readonly kind: SessionKind;
  /** From the root of the working tree, with forward slashes. */
  readonly path: string;
}

/** The paths of the session files, as configured. */
export function sessionPaths({ configuration }: { readonly configuration: Configuration }): SessionPath[] {
  const { session, learnings, jobs } = configuration.session;
  return [
    { kind: 'session', path: session },
    { kind: 'learnings', path: learnings },
    { kind: 'jobs', path: jobs },
  ];
}
