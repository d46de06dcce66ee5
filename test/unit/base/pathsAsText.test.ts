import { deepStrictEqual } from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..', 'src');

/** What knows the rules; the guards compare what is on disk by device and inode; a spelling is compared as a text. */
const allowed = /^core[\\/](?:base[\\/]path(?:s|Rules)\.ts|claude[\\/]guard[\\/].*|repository[\\/]spelling\.ts)$/;

/** How a path is compared or climbed without the rules: two spellings may be one path, and a root is its own parent. */
const kinds: Readonly<Record<string, RegExp>> = {
  'pathBelow, relativeTo or displayPath instead of relative': /import \{[^}]*\brelative\b[^}]*\} from 'node:path'/,
  'upFrom instead of a loop': /\b(\w+) = dirname\(\1\)/,
  'isWithin or pathBelow instead of a beginning with sep':
    /\.(?:startsWith|endsWith|indexOf)\((?:`[^`]*\$\{sep\}|[^()]*\+ sep\b|sep \+)/,
  'samePath instead of ===':
    /(?:[!=]== (?:\w+\.)*mainRoot\b|\bmainRoot [!=]==|[!=]== (?:resolve|realpathSync|realPathNow|await realPathOf)\(|\b(?:resolve|realpathSync|realPathNow)\([^()]*\) [!=]==)/,
};

describe('paths in the sources', () => {
  it('are compared, and folders climbed, by core/base/paths.ts alone', async () => {
    const files = (await readdir(root, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !allowed.test(file),
    );
    const found = await Promise.all(
      files.map(async (file) => {
        const lines = (await readFile(join(root, file), 'utf8')).split('\n');
        return lines.flatMap((line, index) =>
          Object.entries(kinds).flatMap(([kind, pattern]) =>
            pattern.test(line) ? [`${file}:${index + 1}: ${kind}`] : [],
          ),
        );
      }),
    );
    deepStrictEqual(found.flat(), []);
  });
});
