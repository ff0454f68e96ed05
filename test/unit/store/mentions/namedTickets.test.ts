import assert from 'node:assert/strict';
import { ticketsNamed } from '../../../../src/store/mentions/namedTickets.ts';

const origins = ['https://todo.forge.test'];

suite('tickets in a mail', () => {
	test('come from addresses, short names and trailers, each ticket once', () => {
		const text = [
			'This is about ~alice/lantern#12 and #7, see also https://todo.forge.test/~alice/website/31#event-4.',
			'',
			'References: https://todo.forge.test/~bob/wick/5',
			'fixes: https://todo.forge.test/~alice/lantern/12',
		].join('\n');
		assert.deepEqual(ticketsNamed(text, origins, 9), [
			{ owner: '~alice', name: 'lantern', id: 12, trailer: 'Fixes', mailId: 9 },
			{ owner: undefined, name: undefined, id: 7, trailer: undefined, mailId: 9 },
			{ owner: '~alice', name: 'website', id: 31, trailer: undefined, mailId: 9 },
			{ owner: '~bob', name: 'wick', id: 5, trailer: 'References', mailId: 9 },
		]);
	});

	test('count a trailer only at the start of a line, and more than a later mention', () => {
		const text = 'Fixes : ~alice/lantern#3\nIt also fixes: ~alice/lantern#4, unlike ~alice/lantern#3.\n';
		assert.deepEqual(
			ticketsNamed(text, origins, 9).map(({ id, trailer }) => [id, trailer]),
			[
				[3, 'Fixes'],
				[4, undefined],
			],
		);
	});

	test('exclude trackers and people', () => {
		assert.deepEqual(ticketsNamed('See https://todo.forge.test/~alice/lantern and ~alice.\n', origins, 9), []);
	});

	test('exclude quoted lines, diffs and other sites', () => {
		const text =
			'> ~alice/lantern#12\nhttps://elsewhere.test/~alice/lantern/3\ndiff --git a/x b/x\n+~alice/lantern#9\n';
		assert.deepEqual(ticketsNamed(text, origins, 9), []);
	});

	test('are limited to 100', () => {
		const text = Array.from({ length: 5000 }, (_, at) => `#${at + 1}`);
		for (const between of [' ', '\n']) {
			assert.equal(ticketsNamed(text.join(between), origins, 9).length, 100);
		}
	});
});
