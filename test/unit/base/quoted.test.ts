import assert from 'node:assert/strict';
import fc from 'fast-check';
import { powerShellAsciiWord, powerShellWord } from '../../../src/core/base/quoted.ts';

/** What PowerShell takes for a quote of either kind, by its own tokenizer, and what else means something to it between double quotes. */
const singleQuotes = "'\u2018\u2019\u201a\u201b";
const doubleQuotes = '"\u201c\u201d\u201e';
const odd = [
  ...singleQuotes,
  ...doubleQuotes,
  ...'$`(){}@;&|,%#~ \t\u2013\u2014',
  'é',
  'ß',
  '日',
  '\u{1f600}',
  '[char]',
];

/** The text of a word in single quotes, which ends at the first quote that is not doubled; `undefined` where that is not its end. */
function literal(word: string): string | undefined {
  let text = '';
  for (let at = 1; at < word.length; at++) {
    const unit = word[at]!;
    if (!singleQuotes.includes(unit)) text += unit;
    else if (singleQuotes.includes(word[at + 1] ?? ' ')) text += word[at++]!;
    else return at === word.length - 1 ? text : undefined;
  }
  return undefined;
}

/** The text of a word in double quotes of which nothing but characters by number is expanded. */
function expanded(word: string): string | undefined {
  let text = '';
  for (let at = 1; at < word.length; at++) {
    const [number, code] = /^\$\(\[char\](\d+)\)/.exec(word.slice(at)) ?? [];
    if (number !== undefined) {
      text += String.fromCharCode(Number(code));
      at += number.length - 1;
    } else if (word[at] === '`') text += word[++at] ?? '';
    else if (doubleQuotes.includes(word[at]!)) return at === word.length - 1 ? text : undefined;
    else if (word[at] === '$') return undefined;
    else text += word[at]!;
  }
  return undefined;
}

describe('a word of PowerShell', () => {
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 4 })), { maxLength: 12 })
    .map((parts) => parts.join('').replaceAll(/\p{Cc}/gu, ''));

  it('is the text, whatever signs it has: those of typography are quotes as well', () => {
    assert.equal(powerShellWord('Zoë’s PC'), "'Zoë’’s PC'");
    assert.equal(powerShellWord("O'Neil"), "'O''Neil'");
    fc.assert(fc.property(texts, (text) => assert.equal(literal(powerShellWord(text)), text)));
  });

  it('has no letter outside ASCII where it lies on disk, which Windows PowerShell would read in a code page', () => {
    assert.equal(powerShellAsciiWord('C:\\Users\\Ann\\x y'), "'C:\\Users\\Ann\\x y'");
    assert.equal(powerShellAsciiWord('C:\\Users\\Zoë $x'), '"C:\\Users\\Zo$([char]235) `$x"');
    fc.assert(
      fc.property(texts, (text) => {
        const word = powerShellAsciiWord(text);
        assert.match(word, /^[\x20-\x7e]*$/);
        assert.equal(word.startsWith("'") ? literal(word) : expanded(word), text);
      }),
    );
  });
});
