import { isObject } from '../base/jsonText.ts';
import type { RegistryEntry } from './registry.ts';

/** What must be fulfilled before anything comes into a branch. */
export interface Demands {
  /** The names of the checks that have to pass. */
  readonly checks: readonly string[];
  /** How many reviews have to approve it. */
  readonly reviews: number;
  /** It is merged by a queue. */
  readonly queue: boolean;
}

/** What the host keeps of a pull request that is not over, beside its state. */
export interface HostFacts {
  /** The stack of the host's own that it is in: its number, and the place from the bottom, counted from 1. */
  readonly stack?:
    { readonly number: number; readonly position?: number | undefined; readonly size?: number | undefined } | undefined;
  readonly demands?: Demands | undefined;
  /** The rules of its base do not let it in as it is. */
  readonly blocked?: boolean | undefined;
}

/** What the registry has of it; empty where nothing is written, or nothing that can be read. */
export function hostFactsOf(entry: RegistryEntry | undefined): HostFacts {
  const value = entry?.pr?.['host'];
  if (!isObject(value)) return {};
  const { stack, demands, blocked } = value;
  return {
    ...(isObject(stack) && typeof stack['number'] === 'number' ? { stack: placeIn(stack, stack['number']) } : {}),
    ...(isObject(demands) ? { demands: toDemands(demands) } : {}),
    ...(blocked === true ? { blocked } : {}),
  };
}

function placeIn({ position, size }: Record<string, unknown>, number: number): NonNullable<HostFacts['stack']> {
  return {
    number,
    ...(typeof position === 'number' ? { position } : {}),
    ...(typeof size === 'number' ? { size } : {}),
  };
}

function toDemands({ checks, reviews, queue }: Record<string, unknown>): Demands {
  const names = Array.isArray(checks) ? (checks as unknown[]).filter((each) => typeof each === 'string') : [];
  return { checks: names, reviews: typeof reviews === 'number' ? reviews : 0, queue: queue === true };
}
