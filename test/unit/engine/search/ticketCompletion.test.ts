import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { completeTicketFilter, ticketGrammar, parseTicketFilter } from '../../../../src/engine/search/ticketFilter.ts';
import { filterVocabulary } from '../../../../src/engine/search/filterVocabulary.ts';
import { makeTicket, makeUser } from '../../../support/makeTicket.ts';

const filterKeys = ticketGrammar.keys.map(({ name }) => name);

const vocabulary = {
	labels: ['bug', 'needs work', 'say "hi"'],
	submitters: ['~bob', 'eve@host.example'],
	assignees: ['~alice', '~bob'],
};

/** `|` marks the caret. Returns the texts after choosing each candidate. */
function completed(marked: string): readonly string[] {
	const caret = marked.indexOf('|');
	const text = marked.replace('|', '');
	const { range, candidates } = completeTicketFilter(text, caret, vocabulary);
	return candidates.map(({ insert }) => text.slice(0, range.start) + insert + text.slice(range.end));
}

suite('filter completion', () => {
	test('offers keys for empty input', () => {
		assert.deepEqual(
			completed('|'),
			filterKeys.map((key) => `${key}:`),
		);
		assert.deepEqual(completed('bug |')[0], 'bug status:');
	});

	test('completes a partial key, also after an exclamation mark', () => {
		assert.deepEqual(completed('sta|'), ['status:']);
		assert.deepEqual(completed('crash !la|'), ['crash !label:']);
		assert.deepEqual(completed('s|'), ['status:', 'submitter:', 'sort:', 'assigned:', 'is:', 'rsort:']);
		assert.deepEqual(completed('!so|'), []);
	});

	test('offers no sort key after an exclamation mark, even in place of another key', () => {
		assert.deepEqual(completed('!so|:updated'), []);
		assert.deepEqual(completed('!|no:label').includes('!sort:label'), false);
	});

	test('starts another term in front of an exclamation mark', () => {
		assert.deepEqual(completed('|!crash')[0], 'status:!crash');
	});

	test('offers values of the grammar and of the tickets', () => {
		assert.deepEqual(completed('status:re|'), ['status:reported', 'status:resolved', 'status:in_progress']);
		assert.deepEqual(completed('no:|'), ['no:assignee', 'no:label']);
		assert.deepEqual(completed('!is:|'), ['!is:changed', '!is:new', '!is:unread']);
		assert.deepEqual(completed('rsort:c|'), ['rsort:created', 'rsort:comments']);
		assert.deepEqual(completed('submitter:|'), ['submitter:me', 'submitter:~bob', 'submitter:eve@host.example']);
		assert.deepEqual(completed('assigned:b|'), ['assigned:~bob']);
	});

	test('quotes a value of several words and replaces an open quote', () => {
		assert.deepEqual(completed('label:nee|'), ['label:"needs work"']);
		assert.deepEqual(completed('label:"needs w|'), ['label:"needs work"']);
		assert.deepEqual(completed('label:say|'), [String.raw`label:"say \"hi\""`]);
	});

	test('replaces the whole word at the caret', () => {
		assert.deepEqual(completed('crash status:op|en sort:updated'), ['crash status:open sort:updated']);
		assert.deepEqual(completed('crash st|:open'), ['crash status:open']);
	});

	test('offers nothing after an unknown key', () => {
		assert.deepEqual(completed('foo:|'), []);
	});

	test('uses the vocabulary of the tickets, most frequent first', () => {
		const tickets = [
			makeTicket({ labels: ['ui'], assignees: [makeUser('bob')] }),
			makeTicket({ labels: ['ui', 'bug'], submitter: { kind: 'email', address: 'eve@host.example', name: 'Eve' } }),
			makeTicket({}),
		].map((ticket) => ({ ticket, comments: [], commentCount: undefined }));
		assert.deepEqual(filterVocabulary(tickets, ['unused']), {
			labels: ['ui', 'bug', 'unused'],
			submitters: ['~bob', 'eve@host.example'],
			assignees: ['~bob'],
		});
	});

	test('offers only values that form a valid filter', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...filterKeys),
				fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 4 }),
				(key, names) => {
					const words = { labels: names, submitters: names, assignees: names };
					for (const { insert } of completeTicketFilter(`${key}:`, key.length + 1, words).candidates) {
						assert.equal(parseTicketFilter(`${key}:${insert}`).kind, 'filter', insert);
					}
				},
			),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('keeps the caret inside the replaced range for any input', () => {
		const typed = fc.oneof(
			fc.string(),
			fc.array(fc.constantFrom('"', "'", '\\', ':', '!', ' ', 'label', 'a')).map((all) => all.join('')),
		);
		fc.assert(
			fc.property(typed, fc.nat(), (text, at) => {
				const caret = at % (text.length + 1);
				const { range } = completeTicketFilter(text, caret, vocabulary);
				assert.ok(range.start <= range.end && range.end <= text.length && range.start >= 0);
				assert.ok(range.end >= caret);
			}),
			inRounds({ small: 500, full: 10_000 }),
		);
	});
});
