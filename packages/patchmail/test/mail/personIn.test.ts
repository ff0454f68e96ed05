import assert from 'node:assert/strict';
import { authorIn, personIn } from '../../src/mail/personIn.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const fullName = 'é'.repeat(30);

/** `author` is the author of git’s commit, or empty if there is none. */
type Person = readonly [written: string, name: string, address: string, author: string];

const people: readonly Person[] = [
	['Ann <a@b.test>', 'Ann', 'a@b.test', 'Ann'],
	['Ann<a@b.test>', 'Ann', 'a@b.test', 'Ann'],
	['<a@b.test>', '', 'a@b.test', 'a@b.test'],
	['a@b.test', '', 'a@b.test', 'a@b.test'],
	['Ann <a@b.test> Lee', 'Ann Lee', 'a@b.test', 'Ann Lee'],
	['Ann<a@b.test>Lee', 'Ann Lee', 'a@b.test', 'Ann Lee'],
	['Ann> <local>', 'Ann>', 'local', 'local'],
	['a@b.test>Lee', 'Lee', 'a@b.test', 'Lee'],
	['Ann\ta@b.test\tLee', 'Ann Lee', 'a@b.test', 'Ann Lee'],
	['Ann  \t Lee <a@b.test>', 'Ann Lee', 'a@b.test', 'Ann Lee'],
	['a@b.test\vx', 'x', 'a@b.test', 'x'],
	['a@b.test\fx', 'x', 'a@b.test', 'x'],
	['x\va@b.test', 'a@b.test', 'x', 'x'],
	['x>a@b.test', 'a@b.test', 'x', 'x'],
	['Ann <<a@b.test>', 'Ann <', 'a@b.test', 'a@b.test'],
	['<Ann a@b.test>', '<Ann', 'a@b.test', 'a@b.test'],
	['Ann> a@b.test', 'Ann>', 'a@b.test', 'a@b.test'],
	['a<b> <a@b.test>', 'a<b>', 'a@b.test', 'a@b.test'],
	['a@b <c@d.test>', '<c@d.test>', 'a@b', 'a@b'],
	['x <@> y', 'x y', '@', 'x y'],
	['a@', '', 'a@', 'a@'],
	// Names that exceed git’s limit in bytes.
	[`${fullName} <a@b.test>`, fullName, 'a@b.test', fullName],
	[`${fullName}x <a@b.test>`, `${fullName}x`, 'a@b.test', 'a@b.test'],
	// Parentheses.
	['a@b.test (Ann)', 'Ann', 'a@b.test', 'Ann'],
	['(Ann (Lee)) a@b.test', 'Ann (Lee)', 'a@b.test', 'Ann (Lee)'],
	['(Ann a@b.test', '(Ann', 'a@b.test', '(Ann'],
	['a@b.test Ann)', 'Ann)', 'a@b.test', 'Ann)'],
	['( a@b.test', '(', 'a@b.test', '('],
	['() a@b.test', '', 'a@b.test', 'a@b.test'],
	// Quotation marks and backslashes.
	['"Ann (Lee" <a@b.test>', 'Ann (Lee', 'a@b.test', 'Ann (Lee'],
	['"(a)" b@c.test', 'a', 'b@c.test', 'a'],
	['"Ann \\"the\\" Lee" <a@b.test>', 'Ann "the" Lee', 'a@b.test', 'Ann "the" Lee'],
	['"a\\\\b" <a@b.test>', 'a\\b', 'a@b.test', 'a\\b'],
	['"a\\(b" <a@b.test>', 'a(b', 'a@b.test', 'a(b'],
	['"a" "b" \\c <a@b.test>', 'a b \\c', 'a@b.test', 'a b \\c'],
	['"a)" (b <c@d.test>', 'a) (b', 'c@d.test', 'a) (b'],
	['Ann \\ Lee <a@b.test>', 'Ann \\ Lee', 'a@b.test', 'Ann \\ Lee'],
	['a\\"b" <a@b.test>', 'a\\b', 'a@b.test', 'a\\b'],
	['Ann ) \\x <a@b.test>', 'Ann ) \\x', 'a@b.test', 'Ann ) \\x'],
	['a) (b\\c) "d" <a@b.test>', 'a) (bc) d', 'a@b.test', 'a) (bc) d'],
	['(Ann) \\x <a@b.test>', '(Ann) \\x', 'a@b.test', '(Ann) \\x'],
	['(Ann "x" \\) Lee) a@b.test', 'Ann "x" ) Lee', 'a@b.test', 'Ann "x" ) Lee'],
	['(a (b) \\c) \\d <a@b.test>', '(a (b) c) \\d', 'a@b.test', '(a (b) c) \\d'],
	// No address with an @.
	['Ann <local>', 'Ann', 'local', 'Ann'],
	['"Ann" <local>', '"Ann"', 'local', '"Ann"'],
	['Ann   Lee <local>', 'Ann Lee', 'local', 'Ann Lee'],
	['Ann > local <x> y', 'Ann > local', 'x', 'x'],
	['<local>', '', 'local', 'local'],
	['Ann <>', 'Ann', '', ''],
	['Ann <local', 'Ann <local', '', ''],
	['Ann local>', 'Ann local>', '', ''],
	['Ann', 'Ann', '', ''],
];

suite('people as git reads them', () => {
	for (const [written, name, address, author] of people) {
		test(`${JSON.stringify(written)} parses as ${JSON.stringify(name)} at ${JSON.stringify(address)}`, () => {
			assert.deepEqual(personIn(written), { name, address });
			const called = author === address ? '' : author;
			assert.deepEqual(authorIn(written), author === '' ? undefined : { name: called, address });
		});
	}

	test('git mailinfo finds the same authors', () => {
		const results = runCases(
			'git mailinfo message patch <mail',
			people.map(([written]) => ({ mail: `From: ${written}\n\nhi\n` })),
		);
		const authors = results.map(({ stdout }) => /^Author: (.*)\nEmail: (.*)$/m.exec(stdout.toString())?.slice(1));
		for (const [at, [written, , address, author]] of people.entries()) {
			// Git keeps an address without an author and writes no commit.
			const found = authors[at]?.[1] === '' ? ['', ''] : authors[at];
			assert.deepEqual(found, [author, address], written);
		}
	});
});
