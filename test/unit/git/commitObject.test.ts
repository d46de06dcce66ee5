import assert from 'node:assert/strict';
import { parseBatch, parseCommit, partsOf, recommit } from '../../../src/core/git/commitObject.ts';

const signed = Buffer.concat([
  Buffer.from(
    [
      'tree 1111111111111111111111111111111111111111',
      'parent 2222222222222222222222222222222222222222',
      'author J\u00f6rg <jorg@example.com> 1700000000 +0130',
      'committer Other <other@example.com> 1700000001 -0200',
      'gpgsig -----BEGIN PGP SIGNATURE-----',
      ' ',
      ' abc',
      ' -----END PGP SIGNATURE-----',
      'encoding ISO-8859-1',
      'x-note kept',
      '',
      'Gr\u00fc\u00dfe',
      '',
      ' indented',
      'parent 3333333333333333333333333333333333333333',
      '',
      '',
    ].join('\n'),
    'latin1',
  ),
]);

suite('commit objects', () => {
  test('are read byte for byte, headers only before the message', () => {
    const commit = parseCommit('f', signed);
    assert.equal(commit.tree, '1'.repeat(40));
    assert.deepEqual(commit.parents, ['2'.repeat(40)]);
  });

  test('made anew on another parent keep everything but the signature and the committer', () => {
    const made = recommit(
      parseCommit('f', signed),
      '4'.repeat(40),
      '5'.repeat(40),
      'Me <me@example.com> 1800000000 +0000',
    );
    const expected = [
      `tree ${'4'.repeat(40)}`,
      `parent ${'5'.repeat(40)}`,
      'author J\u00f6rg <jorg@example.com> 1700000000 +0130',
      'committer Me <me@example.com> 1800000000 +0000',
      'encoding ISO-8859-1',
      'x-note kept',
    ].join('\n');
    const body = signed.subarray(signed.indexOf('\n\n'));
    assert.deepEqual(made, Buffer.concat([Buffer.from(expected, 'latin1'), body]));
  });

  test('are taken apart for a git that signs them', () => {
    const { author, message, encoding, tidied } = partsOf(parseCommit('f', signed));
    assert.deepEqual(author, { name: 'J\u00f6rg', email: 'jorg@example.com', date: '@1700000000 +0130' });
    const text = 'Gr\u00fc\u00dfe\n\n indented\nparent 3333333333333333333333333333333333333333\n\n';
    assert.deepEqual([Buffer.from(message).toString(), encoding, tidied], [text, 'UTF-8', false]);
  });

  test('keep the bytes of their message for such a git where the author can be written in any encoding', () => {
    const plain = Buffer.from(signed.toString('latin1').replaceAll('J\u00f6rg', 'Jorg'), 'latin1');
    const { message, encoding } = partsOf(parseCommit('f', plain));
    assert.equal(encoding, 'ISO-8859-1');
    assert.deepEqual(Buffer.from(message), plain.subarray(plain.indexOf('\n\n') + 2));
  });

  test('tell when git would tidy up the name of their author', () => {
    for (const name of ['Dr. Jorg Jr.', '"Jorg"', '', 'J, ', "O'"]) {
      const odd = Buffer.from(signed.toString('latin1').replace('J\u00f6rg', name), 'latin1');
      assert.equal(partsOf(parseCommit('f', odd)).tidied, true, name);
    }
  });

  test('of a batch are found between others and missing ones', () => {
    const other = Buffer.from('blob\ncommit text\n');
    const batch = Buffer.concat([
      Buffer.from('dead missing\n'),
      Buffer.from(`${'b'.repeat(40)} blob ${other.length}\n`),
      other,
      Buffer.from(`\n${'c'.repeat(40)} commit ${signed.length}\n`),
      signed,
      Buffer.from('\n'),
    ]);
    const found = parseBatch(batch);
    assert.deepEqual([...found.keys()], ['c'.repeat(40)]);
    assert.deepEqual(found.get('c'.repeat(40))?.bytes, signed);
  });
});
