// What the files of the tour's repository say: a small shop, with notes of agents.

/** The README of the sample; `%command.x%` and `%menu.x%` stand for the titles of a command and a menu. */
const readme = `# Orchard

A small shop, made to try Worktree Stacks on. Nothing here can break: it lives in the cache of the extension's
repository, its GitHub is a stand-in on this machine, and its two agents are a script.
\`npm start -- --fresh\` makes it anew.

## Five things to try

1. **Restack, and undo it.** \`main\` has moved on, so the stack \`cart-model\` ← \`cart-api\` ← \`cart-page\` needs a restack.
   Right-click \`cart-model\` and choose **%menu.stack%**, **%command.rebaseStack%**: you see what will happen first. Press Enter: three branches and
   their folders move at once, and the uncommitted file in \`cart-page\` stays. Then run **%command.undo%** from the command palette (F1).
2. **Answer an agent.** The agent in \`search\` waits for you. Go to its terminal and answer \`y\`: the row changes as it works.
3. **Merge notes entry by entry.** In \`order-notes\`, a merge of the branch \`labels\` has stopped at \`agents/session.md\`.
   Click the file below the row: most entries are decided, one is for you. Accept, then continue the merge.
4. **Start a task in its own worktree.** In the Tasks view, press the button beside **Order new labels**. The task moves along.
5. **See a conflict before it happens.** \`gift-cards\` and \`cart-model\` change the same lines, and neither is merged yet.
   The row says so, and expands to the file.

And a sixth: the stack has pull requests. Restack it, then choose **%menu.share%**, **%command.pushStack%**.
`;

const price = 'export const price = (item) => item.cents / 100;\n';
const cart = `/** The sum of a cart, in cents. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.cents, 0);
}
`;

/**
 * A session file.
 * @param {readonly string[]} pending
 * @param {readonly string[]} inWorktrees
 */
const session = (pending, inWorktrees) =>
  [
    '# Session Handoff',
    '',
    '**Status:** the shop is open; the cart is being built.',
    '',
    '## Pending Tasks',
    '',
    ...pending,
    '',
    '## Worktree Tasks',
    '',
    ...inWorktrees,
    '',
    '## Next Steps',
    '',
    '- Review the cart',
    '',
  ].join('\n');

const flaky = '**Fix flaky test** — cart totals | sonnet';
const rename = '**Rename config keys** — in every service';
const order = '**Order new labels** — for the boxes';
const searching = '- [ ] **Build the search index** → `search` — one file for each language';

/**
 * The first commit of main.
 * @param {Readonly<Record<string, string>>} titles the titles of commands, by their keys in package.nls.json
 * @returns {Readonly<Record<string, string>>}
 */
export const shop = (titles) => ({
  'README.md': readme.replaceAll(/%([\w.]+)%/g, (_, key) => {
    const title = titles[key];
    if (title === undefined) throw new Error(`package.nls.json has no ${key}, which the README of the sample names.`);
    return title;
  }),
  'package.json': `${JSON.stringify({ name: 'orchard', version: '0.1.0', type: 'module', private: true }, null, 2)}\n`,
  'src/price.js': price,
  'src/cart.js': cart,
  'src/search.js': 'export const search = (items, word) => items.filter((item) => item.name.includes(word));\n',
  'agents/session.md': session([`- [ ] ${flaky}`, `- [ ] ${rename}`, `- [ ] ${order}`], [searching]),
  'agents/learnings.md': '# Learnings\n\n## When a test is flaky\n\n- Look for shared state first\n',
});

/** What main has gone on with. @type {Readonly<Record<string, string>>} */
export const goneOn = {
  'src/price.js': 'export const price = (item) => (item.cents / 100).toFixed(2);\n',
};

/** What the branch `labels` says, which has no worktree and is being merged into `order-notes`. @type {Readonly<Record<string, string>>} */
export const labels = {
  'agents/session.md': session(
    [`- [ ] ${flaky}`, `- [!] ${rename}, after the release`, `- [ ] ${order}, in two sizes`],
    [searching],
  ),
  'agents/learnings.md':
    '# Learnings\n\n## When a test is flaky\n\n- Look for shared state first\n- Run it a hundred times\n',
};

/** The notes in `order-notes`, which those of `labels` conflict with. @type {Readonly<Record<string, string>>} */
const otherNotes = {
  'agents/session.md': session(
    [
      `- [x] ${flaky}`,
      `- [x] ${rename}\n  - the old names still work`,
      `- [ ] ${order}`,
      '- [ ] **Write the cart docs** — one page, with an example',
    ],
    [searching],
  ),
  'docs/orders.md': '# Orders\n\nAn order is paid, packed, sent.\n',
};

/**
 * The branches, in the order in which they are made: what each is based on, and its commits.
 * @type {readonly { name: string, base: string, commits: readonly { message: string, files: Readonly<Record<string, string>> }[] }[]}
 */
export const branches = [
  {
    name: 'cart-model',
    base: 'main',
    commits: [
      {
        message: 'Count each item of a cart',
        files: {
          'src/cart.js': `/** The sum of a cart, in cents. */
export function total(lines) {
  return lines.reduce((sum, { item, count }) => sum + item.cents * count, 0);
}
`,
        },
      },
      { message: 'Keep a cart between two visits', files: { 'src/storage.js': "export const key = 'cart';\n" } },
    ],
  },
  {
    name: 'cart-api',
    base: 'cart-model',
    commits: [
      {
        message: 'Serve the cart',
        files: {
          'src/api.js':
            "import { total } from './cart.js';\n\nexport const getCart = (lines) => ({ lines, total: total(lines) });\n",
        },
      },
    ],
  },
  {
    name: 'cart-page',
    base: 'cart-api',
    commits: [
      {
        message: 'Show the cart',
        files: { 'src/page.js': 'export const page = ({ total }) => `<output>${total}</output>`;\n' },
      },
    ],
  },
];

/** Those that begin after main has gone on. @type {typeof branches} */
export const laterBranches = [
  {
    name: 'gift-cards',
    base: 'main',
    commits: [
      {
        message: 'Take a gift card off the sum',
        files: {
          'src/cart.js': `/** The sum of a cart, in cents, less a gift card. */
export function total(items, card = 0) {
  return Math.max(0, items.reduce((sum, item) => sum + item.cents, -card));
}
`,
        },
      },
    ],
  },
  { name: 'order-notes', base: 'main', commits: [{ message: 'Write down what was done', files: otherNotes }] },
  { name: 'search', base: 'main', commits: [] },
];

/** What is not committed, by branch. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
export const uncommitted = {
  'cart-page': { 'docs/cart.md': '# The cart\n\nAsk about the colour of the button.\n' },
  search: {
    'src/search.js': 'export const search = (index, word) => index.get(word) ?? [];\n',
    'src/searchIndex.js': 'export const index = new Map();\n',
  },
};

/** @param {string} name @param {string | null} conclusion */
const check = (name, conclusion) => ({ name, status: conclusion === null ? 'in_progress' : 'completed', conclusion });

/** The pull requests on the stand-in for GitHub. */
export const pullRequests = [
  {
    ...{ head: 'cart-model', base: 'main', title: 'Count each item of a cart', draft: false },
    checks: [check('build', 'success'), check('lint', 'success')],
    reviews: [{ login: 'grace', state: 'APPROVED' }],
  },
  {
    ...{ head: 'cart-api', base: 'cart-model', title: 'Serve the cart', draft: true },
    checks: [check('build', null), check('lint', 'success')],
  },
  {
    ...{ head: 'cart-page', base: 'cart-api', title: 'Show the cart', draft: true },
    checks: [check('build', 'failure'), check('lint', 'success')],
    threads: [{ resolved: false }],
  },
];
