import { Ajv } from 'ajv';
import schema from '../../../schemas/worktrees.schema.json' with { type: 'json' };

/**
 * The schema of `.worktrees.yml`, compiled. In the built programs this file is what Ajv writes as source for that schema
 * (scripts/build.mjs), so that they hold no compiler of schemas.
 */
export const configurationSchema = new Ajv({ allErrors: true, strict: false }).compile(schema);
