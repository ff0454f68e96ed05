import assert from 'node:assert/strict';
import { array, assert as check, property, string } from 'fast-check';
import {
	newTicketText,
	readTicket,
	ticketFaults,
	type TicketFault,
} from '../../../../../src/features/tickets/newTicket/newTicketText.ts';
import { seed } from '../../../../support/counts.ts';

const kinds = (faults: readonly TicketFault[]): readonly string[] => faults.map(({ kind }) => kind);

suite('text of a new ticket', () => {
	test('has the title in its first line, followed by the description', () => {
		const { title, description } = readTicket('  The wick smokes  \r\n\r\nIt *smokes*.\r\nA lot.\r\n\r\n');
		assert.deepEqual({ title, description }, { title: 'The wick smokes', description: 'It *smokes*.\nA lot.' });
	});

	test('spans match the title and the description', () => {
		const text = '  Title \n\n  Text\n';
		const { titleSpan, descriptionSpan } = readTicket(text);
		assert.equal(text.slice(titleSpan.start, titleSpan.end), 'Title');
		assert.equal(text.slice(descriptionSpan.start, descriptionSpan.end), 'Text');
	});

	test('an empty document has neither title nor description', () => {
		for (const text of ['', '\n\n', '  \n \n ']) {
			const { title, description } = readTicket(text);
			assert.deepEqual([title, description], ['', '']);
		}
	});

	test('any ticket survives a round trip', () => {
		const line = string({ unit: 'grapheme' }).filter((text) => text === text.trim() && !/[\r\n]/.test(text));
		const lines = array(line).map((all) => all.join('\n').trim());
		check(
			property(line, lines, (title, description) => {
				const read = readTicket(newTicketText({ title, description }));
				assert.deepEqual({ title: read.title, description: read.description }, { title, description });
			}),
			{ seed: seed() },
		);
	});

	test('titles have 3 to 2048 characters and descriptions fewer than 16384, as servers count them', () => {
		const faults = (title: string, description = ''): readonly string[] => kinds(ticketFaults({ title, description }));
		assert.deepEqual(faults(''), ['titleMissing']);
		assert.deepEqual(faults('ab'), ['titleTooShort']);
		assert.deepEqual(faults('🔥🔥'), ['titleTooShort']);
		assert.deepEqual(faults('abc'), []);
		assert.deepEqual(faults('🔥'.repeat(2048)), []);
		assert.deepEqual(faults('x'.repeat(2049)), ['titleTooLong']);
		assert.deepEqual(faults('abc', 'x'.repeat(16_383)), []);
		assert.deepEqual(ticketFaults({ title: 'abc', description: 'x'.repeat(16_390) }), [
			{ kind: 'descriptionTooLong', over: 7 },
		]);
	});
});
