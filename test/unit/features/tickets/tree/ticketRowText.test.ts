import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ticketRowText } from '../../../../../src/features/tickets/tree/ticketRowText.ts';
import { makeTicket, makeUser } from '../../../../support/makeTicket.ts';

/** A row with typical facts. */
function row(title: string, wish: { tracker?: string; labels?: readonly string[]; people?: readonly string[] } = {}) {
	const assignees = (wish.people ?? []).map((canonicalName) => ({ ...makeUser('bob'), canonicalName }));
	return ticketRowText(makeTicket({ id: 185, title, labels: wish.labels ?? [], assignees }), wish.tracker, '12m', []);
}

suite('texts of a ticket’s row', () => {
	test('a short title is whole, and the number follows it', () => {
		assert.deepEqual(row('Log in JSON', { labels: ['bug'], people: ['~bob'] }), {
			label: 'Log in JSON #185',
			description: '12m bug ~bob',
		});
	});

	test('a long title gives way to the number, its tracker, age, labels and assignee', () => {
		const title = 'A trailing slash redirects to the wrong host behind a proxy';
		assert.equal(row(title).label, 'A trailing slash re… #185');
		const full = row(title, {
			tracker: 'pebble',
			labels: ['good first ticket', 'ui'],
			people: ['~bartholomew', '~eve'],
		});
		assert.deepEqual(full, {
			label: 'A trailing slas… pebble#185',
			description: '12m good… +1 ~bar… +1',
		});
	});

	test('names as many labels as fit', () => {
		assert.equal(
			row('Crash at the start', { labels: ['ui', 'bug', 'documentation', 'parser', 'mail'] }).description,
			'12m ui, bug +3',
		);
		assert.equal(row('Crash', { labels: ['ui', 'bug'] }).description, '12m ui, bug');
	});

	test('never cuts a letter off its marks or a picture apart', () => {
		for (const sign of ['e\u0301', '👩\u200D🚀', '👍🏽', '\u{1F3F4}']) {
			for (let before = 0; before < 12; before += 1) {
				const { label } = row(`${'a'.repeat(before)}${sign.repeat(30)}`);
				const [kept = ''] = label.split('…');
				assert.equal(kept.slice(before), sign.repeat((kept.length - before) / sign.length), label);
			}
		}
	});

	test('keeps a number on its own side of a right-to-left title or label', () => {
		const { label, description } = row('כותרת', { labels: ['תווית ארוכה מאוד', 'ב'] });
		assert.equal(label, 'כותרת\u200E #185');
		assert.match(description, /…\u200E \+1$/);
	});

	test('spells out hidden characters of every part', () => {
		const { label, description } = row('a\u202Eb', { tracker: 'x\u200Bx', labels: ['\u2066l'], people: ['~b\u202E'] });
		assert.doesNotMatch(label + description, /[\u202E\u200B\u2066]/);
	});
});
