import assert from 'node:assert/strict';
import { fencedCode, permalink, todoText } from '../../../../../src/features/tickets/newTicket/codeInTickets.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';

const lantern = { owner: '~alice', name: 'lantern' };

suite('code in a new ticket', () => {
	test('a permalink names commit, file and lines, and keeps the tilde readable', () => {
		assert.equal(
			permalink(sampleInstance, lantern, 'a1b2', 'src/a b.c', [10, 20]),
			'https://git.forge.test/~alice/lantern/tree/a1b2/item/src/a%20b.c#L10-20',
		);
		assert.equal(
			permalink(sampleInstance, lantern, 'a1b2', '~x/y#z', [3, 3]),
			'https://git.forge.test/~alice/lantern/tree/a1b2/item/~x/y%23z#L3',
		);
	});

	test('a permalink accepts a file name with a lone surrogate', () => {
		assert.equal(
			permalink(sampleInstance, lantern, 'a1b2', 'src/a\uD83D.c', [1, 1]),
			'https://git.forge.test/~alice/lantern/tree/a1b2/item/src/a%EF%BF%BD.c#L1',
		);
	});

	test('the fence is longer than any fence in the code', () => {
		assert.equal(fencedCode(['a', '```', '`````x'], 'markdown'), '``````markdown\na\n```\n`````x\n``````');
	});

	test('removes the indentation that all lines share, and no more', () => {
		const lines = ['\t\tif (x) {', '', '\t\t\ty();', '\t\t}'];
		assert.equal(fencedCode(lines, 'c'), '```c\nif (x) {\n\n\ty();\n}\n```');
	});

	test('drops a language that could break the fence, and truncates long code', () => {
		const text = fencedCode(
			Array.from({ length: 100 }, (_, line) => `line ${line}`),
			'x\ny',
		);
		assert.match(text, /^```\nline 0\n/);
		assert.match(text, /line 59\n…\n```$/);
	});

	test('extracts the task from TODO comments of all common forms', () => {
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
