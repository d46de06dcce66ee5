import { Problem } from '../base/problem.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** What the placeholders of the configured patterns stand for. */
export interface Placeholders {
  readonly name: string;
  readonly slug: string;
  readonly project: string;
  readonly branch?: string | undefined;
  readonly work_id?: string | undefined;
}

/**
 * Puts values in the place of a pattern's placeholders.
 *
 * @param key the pattern's key in the configuration, for the message.
 * @throws Problem `usage` for a placeholder that is not known there, or has no value.
 */
export function fillPattern(pattern: string, values: Placeholders, key: string): string {
  return pattern.replace(/\{([^{}]*)\}/g, (whole, placeholder: string) => {
    const value = new Map(Object.entries(values)).get(placeholder) as string | undefined;
    if (value !== undefined) return value;
    throw new Problem(
      'usage',
      placeholder === 'work_id'
        ? repositoryMessages.noValueForPlaceholder({ key, placeholder: whole })
        : repositoryMessages.keyWorktreesYml({ key, whole }),
      { next: placeholder === 'work_id' ? repositoryMessages.addWorkId() : repositoryMessages.correctPattern() },
    );
  });
}
