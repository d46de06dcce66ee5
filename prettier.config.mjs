/** Wide lines: the house style keeps a sentence of code on one line where it fits. */
export default { printWidth: 120, singleQuote: true, semi: true, trailingComma: 'all', proseWrap: 'preserve' };
