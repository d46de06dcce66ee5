// The pages of docs/ that the site shows, in its order; test/package/site.test.ts finds those that are missing.
// docs/dev is for whoever reads the code, and stays beside it.
export const sections = [
  { text: 'In VS Code', pages: ['extension', 'stacks', 'merging', 'pull-requests'] },
  { text: 'In a terminal', pages: ['cli', 'merge-command', 'configuration'] },
  { text: 'Agents', pages: ['claude', 'guards'] },
  { text: 'About', pages: ['safety', 'glossary', 'architecture', 'changelog'] },
];
