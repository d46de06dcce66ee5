// A rule for oxlint: two spellings may be one path, and a root is its own parent. What knows this is in one place, src/core/base/paths.ts.

const through = 'Paths are compared, and folders climbed, by src/core/base/paths.ts: ';
const loops = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement']);
const textMethods = new Set(['startsWith', 'endsWith', 'indexOf']);
const resolvers = new Set(['resolve', 'realpathSync', 'realPathOf', 'realPathNow']);

/**
 * What is read of a node of the syntax tree (ESTree).
 * @typedef {{
 *   type: string, parent?: Node, name?: string, value?: unknown, operator?: string, source?: Node, specifiers?: Node[], imported?: Node,
 *   left?: Node, right?: Node, callee?: Node, property?: Node, arguments?: Node[], expressions?: Node[]
 * }} Node
 */

/** @param {Node} node */
function isInLoop(node) {
  for (let at = node.parent; at; at = at.parent) if (loops.has(at.type)) return true;
  return false;
}

/** Whether a text ends or begins with the separator of paths. @param {Node} node */
function namesSeparator(node) {
  const parts = [node.left, node.right, ...(node.expressions ?? [])];
  const isBuilt = node.type === 'BinaryExpression' || node.type === 'TemplateLiteral';
  return isBuilt && parts.some((part) => part?.type === 'Identifier' && part.name === 'sep');
}

/** @param {Node | undefined} node */
const callsResolver = (node) => node?.type === 'CallExpression' && resolvers.has(node.callee?.name ?? '');
/** @param {Node | undefined} node */
const isMainRoot = (node) => node?.name === 'mainRoot' || node?.property?.name === 'mainRoot';

export default {
  meta: { name: 'paths' },
  rules: {
    'not-as-text': {
      /** @param {{ report(found: { node: Node, message: string }): void }} context */
      create(context) {
        /** @param {Node} node @param {string} instead */
        const report = (node, instead) => context.report({ node, message: through + instead });
        return {
          /** @param {Node} node */
          ImportDeclaration(node) {
            if (node.source?.value !== 'node:path') return;
            for (const each of node.specifiers ?? [])
              if (each.imported?.name === 'relative') report(each, 'pathBelow, relativeTo or displayPath.');
          },
          /** @param {Node} node */
          AssignmentExpression(node) {
            const climbs = node.right?.type === 'CallExpression' && node.right.callee?.name === 'dirname';
            if (climbs && isInLoop(node)) report(node, 'upFrom.');
          },
          /** @param {Node} node */
          CallExpression(node) {
            if (!textMethods.has(node.callee?.property?.name ?? '')) return;
            if ((node.arguments ?? []).some(namesSeparator)) report(node, 'isWithin or pathBelow.');
          },
          /** @param {Node} node */
          BinaryExpression(node) {
            if (node.operator !== '===' && node.operator !== '!==') return;
            const sides = [node.left, node.right];
            if (sides.some(callsResolver)) report(node, 'samePath or samePlace.');
            else if (sides.some(isMainRoot)) report(node, 'samePath.');
          },
        };
      },
    },
  },
};
