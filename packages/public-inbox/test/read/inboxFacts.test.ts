import assert from 'node:assert/strict';
import { readInboxConfig, readPrefixes } from 'public-inbox/read/inboxFacts.ts';

suite('facts of inboxes', () => {
	const config = (text: string) =>
		readInboxConfig(Buffer.from(text), { url: 'https://x.example/a/', description: 'A' });

	test('come from configurations in any of the styles of git', () => {
		const facts = config(
			[
				'address = above@x.example',
				'  [PublicInbox   "a \\"b\\" \\\\c"]  ',
				'Address=one@x.example',
				'  address   =   "two@x.example"  ',
				'address = <three@x.example>, four@x.example',
				'address = five@x.example (a list)',
				'address =',
				'address',
				'[section] address = six@x.example',
				'listid = "a" b "c"',
				'listid = second',
				'newsgroup = a = b',
				'[publicinbox "other"]',
				'newsgroup = c',
				'[core]',
				'address = seven@x.example',
				'[coderepo "x"]',
				'cgiturl = https://git.example/\\\\x',
			].join('\r\n'),
		);
		assert.deepEqual(facts, {
			url: 'https://x.example/a/',
			name: 'a "b" \\c',
			description: 'A',
			addresses: ['one@x.example', 'two@x.example'],
			listId: 'a" b "c',
			newsgroups: ['a = b', 'c'],
			mirrors: [],
			repositories: ['https://git.example/\\x'],
		});
		assert.equal(config('[publicinbox]')?.name, '');
		for (const other of ['', 'publicinbox', 'x[publicinbox "a"]', '[publicinbox "a"] x', '[publicinbox a]']) {
			assert.equal(config(other), undefined, other);
		}
	});

	test('include the prefixes of the help, with further lines of a text', () => {
		const prefixes = (list: string) => {
			const read = readPrefixes(Buffer.from(`search\n\nPrefixes supported in this installation include:  \n\n${list}`));
			return read.map(({ name, text }) => [name, text]);
		};
		assert.deepEqual(
			prefixes(
				'  s:    Subject  \n        second line\n                    \n          third\n \n  dfn:  file\n\n  t:  To\n      more\n',
			),
			[
				['s', 'Subject second line third'],
				['dfn', 'file'],
				['t', 'To more'],
			],
		);
		assert.deepEqual(prefixes('  s:    Subject\n       short of it\n  t:  To\n'), [['s', 'Subject']]);
		assert.deepEqual(prefixes('  s:  Subject\nMost: are\n  t:  To\n'), [['s', 'Subject']]);
		assert.deepEqual(prefixes('      x\n  s:  Subject\n'), []);
		assert.deepEqual(prefixes('  S:  Subject\n  s:\n  t: To\n'), []);
		assert.deepEqual(readPrefixes(Buffer.from('Prefixes supported in this installation include\n  s:  x\n')), [
			{ name: 's', text: 'x' },
		]);
	});
});
