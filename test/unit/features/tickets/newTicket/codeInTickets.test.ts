import assert from 'node:assert/strict';
import { permalink } from '../../../../../src/features/tickets/newTicket/permalink.ts';
import { fencedCode } from '../../../../../src/features/tickets/newTicket/quotedCode.ts';
import { todoText } from '../../../../../src/features/tickets/newTicket/todoText.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';

const place = { repository: { owner: '~alice', name: 'lantern' }, commit: 'a1b2', path: 'src/a b.c' };

suite('code in a new ticket', () => {
	test('a permalink names commit, file and lines, and leaves the tilde readable', () => {
		assert.equal(
			permalink(sampleInstance, { ...place, firstLine: 10, lastLine: 20 }),
			'https://git.forge.test/~alice/lantern/tree/a1b2/item/src/a%20b.c#L10-20',
		);
		assert.equal(
			permalink(sampleInstance, { ...place, path: '~x/y#z', firstLine: 3, lastLine: 3 }),
			'https://git.forge.test/~alice/lantern/tree/a1b2/item/~x/y%23z#L3',
		);
	});

	test('a permalink is made for a file whose name holds half a character, too', () => {
		assert.equal(
			permalink(sampleInstance, { ...place, path: 'src/a\uD83D.c', firstLine: 1, lastLine: 1 }),
			'https://git.forge.test/~alice/lantern/tree/a1b2/item/src/a%EF%BF%BD.c#L1',
		);
	});

	test('nothing in the code closes its fence', () => {
		assert.equal(
			fencedCode({ lines: ['a', '```', '`````x'], language: 'markdown' }),
			'``````markdown\na\n```\n`````x\n``````',
		);
	});

	test('code loses the blanks that all its lines begin with, and no others', () => {
		const lines = ['\t\tif (x) {', '', '\t\t\ty();', '\t\t}'];
		assert.equal(fencedCode({ lines, language: 'c' }), '```c\nif (x) {\n\n\ty();\n}\n```');
	});

	test('a language that could break the fence is left out, and long code is cut', () => {
		const text = fencedCode({ lines: Array.from({ length: 100 }, (_, line) => `line ${line}`), language: 'x\ny' });
		assert.match(text, /^```\nline 0\n/);
		assert.match(text, /line 59\n…\n```$/);
	});

	test('comments say what is to do, in the ways in which people write them', () => {
		const said = [
			'// TODO: trim the wick',
			'# FIXME(alice): trim the wick',
			'/* XXX - trim the wick */',
			'<!-- TODO trim the wick -->',
			'\t* HACK trim the wick',
		];
		for (const line of said) {
			assert.equal(todoText(line), 'trim the wick', line);
		}
		assert.equal(todoText('const todoList = TODOS;'), undefined);
		assert.equal(todoText('// TODO'), '');
	});
});
