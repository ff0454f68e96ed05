import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { isSlowEachTime } from '../../../support/cpuTime.ts';
import {
	ticketGrammar,
	isWords,
	statusWords,
	parseTicketFilter,
	type TicketCondition,
	type TicketFilter,
} from '../../../../src/engine/search/ticketFilter.ts';
import { longestFilter, splitWords } from '../../../../src/engine/search/filterWords.ts';
import { printFilter } from '../support/printFilter.ts';

const filterKeys = ticketGrammar.keys.map(({ name }) => name);

function conditionsOf(text: string): readonly (TicketCondition | { readonly not: TicketCondition })[] {
	const reading = parseTicketFilter(text);
	assert.equal(reading.kind, 'filter', `${text} should be a filter`);
	return reading.kind === 'filter'
		? reading.filter.terms.map(({ condition, isNegated }) => (isNegated ? { not: condition } : condition))
		: [];
}

/** The problem and the text in its range. */
function problemIn(text: string): readonly [string, string] {
	const reading = parseTicketFilter(text);
	assert.equal(reading.kind, 'problem', `${text} should not be a filter`);
	return reading.kind === 'problem'
		? [reading.problem.kind, text.slice(reading.problem.range.start, reading.problem.range.end)]
		: ['', ''];
}

const word = fc.string({ unit: 'grapheme', maxLength: 12 });
const person = fc.oneof(
	fc.constant({ kind: 'me' } as const),
	word
		.filter((name) => name !== '' && name.normalize('NFKC').toLowerCase() !== 'me')
		.map((name) => ({ kind: 'named', name }) as const),
);
const condition: fc.Arbitrary<TicketCondition> = fc.oneof(
	fc.constantFrom(...statusWords).map((status) => ({ kind: 'status', status }) as const),
	fc.constantFrom('submitter', 'assigned').chain((kind) => person.map((named) => ({ kind, person: named }))),
	word.filter((name) => name !== '').map((name) => ({ kind: 'label', name }) as const),
	fc.constantFrom('assignee', 'label').map((what) => ({ kind: 'no', what }) as const),
	fc.constantFrom(...isWords).map((what) => ({ kind: 'is', what }) as const),
	word.map((text) => ({ kind: 'text', text }) as const),
);
const filter: fc.Arbitrary<TicketFilter> = fc.record({
	terms: fc.array(fc.record({ condition, isNegated: fc.boolean(), range: fc.constant({ start: 0, end: 0 }) }), {
		maxLength: 6,
	}),
	sort: fc.option(
		fc
			.constantFrom('updated', 'created', 'comments')
			.chain((key) => fc.boolean().map((isReversed) => ({ key, isReversed }))),
		{ nil: undefined },
	),
});

/** Characters with a meaning in the grammar, and keys, so that random input is nearly a filter. */
const nearlyFilter = fc
	.array(
		fc.oneof(
			fc.constantFrom('"', "'", '\\', ':', '!', ' ', '~', '#', 'me', 'open', ...filterKeys.map((key) => `${key}:`)),
			word,
		),
		{ maxLength: 12 },
	)
	.map((parts) => parts.join(''));

suite('filter grammar', () => {
	test('understands every term of the forge', () => {
		assert.deepEqual(conditionsOf('status:open submitter:me assigned:~bob label:bug no:assignee no:label crash'), [
			{ kind: 'status', status: 'open' },
			{ kind: 'submitter', person: { kind: 'me' } },
			{ kind: 'assigned', person: { kind: 'named', name: '~bob' } },
			{ kind: 'label', name: 'bug' },
			{ kind: 'no', what: 'assignee' },
			{ kind: 'no', what: 'label' },
			{ kind: 'text', text: 'crash' },
		]);
	});

	test('separates the sort order from the terms', () => {
		const reading = parseTicketFilter('bug rsort:comments');
		assert.deepEqual(reading.kind === 'filter' && reading.filter.sort, { key: 'comments', isReversed: true });
		assert.equal(conditionsOf('bug rsort:comments').length, 1);
	});

	test('accepts keys and keywords in any case', () => {
		assert.deepEqual(conditionsOf('Status:OPEN submitter:ME'), [
			{ kind: 'status', status: 'open' },
			{ kind: 'submitter', person: { kind: 'me' } },
		]);
	});

	test('negates any term, including words, with an exclamation mark', () => {
		assert.deepEqual(conditionsOf('!label:bug !crash'), [
			{ not: { kind: 'label', name: 'bug' } },
			{ not: { kind: 'text', text: 'crash' } },
		]);
	});

	test('groups words by quotes, without special characters inside', () => {
		assert.deepEqual(conditionsOf(String.raw`label:"needs work" 'two words' "http://x" "!not" a\ b "say \"hi\""`), [
			{ kind: 'label', name: 'needs work' },
			{ kind: 'text', text: 'two words' },
			{ kind: 'text', text: 'http://x' },
			{ kind: 'text', text: '!not' },
			{ kind: 'text', text: 'a b' },
			{ kind: 'text', text: 'say "hi"' },
		]);
	});

	test('keeps an apostrophe inside a word', () => {
		assert.deepEqual(conditionsOf("don't panic"), [
			{ kind: 'text', text: "don't" },
			{ kind: 'text', text: 'panic' },
		]);
	});

	test('names people without an account by address', () => {
		assert.deepEqual(conditionsOf('submitter:bob@host.example'), [
			{ kind: 'submitter', person: { kind: 'named', name: 'bob@host.example' } },
		]);
	});

	for (const [text, kind, part] of [
		['status:open lable:bug', 'unknownKey', 'lable'],
		['see http://x', 'unknownKey', 'http'],
		['crash status:opne', 'unknownValue', 'opne'],
		['crash status:', 'missingValue', 'status:'],
		['label:""', 'missingValue', 'label:""'],
		['no:thing', 'unknownValue', 'thing'],
		['sort:age', 'unknownValue', 'age'],
		['sort:updated rsort:created', 'secondSort', 'rsort:created'],
		['!sort:updated', 'negatedSort', '!sort:updated'],
		['crash label:"needs work', 'unclosedQuote', '"needs work'],
		['a !', 'emptyNegation', '!'],
		['a b\\', 'danglingEscape', '\\'],
	] as const) {
		test(`reports ${text} as wrong at ${part}`, () => {
			assert.deepEqual(problemIn(text), [kind, part]);
		});
	}

	test('reports the first of several problems', () => {
		assert.deepEqual(problemIn('foo:1 status:x "open'), ['unknownKey', 'foo']);
	});

	test('suggests the most similar word', () => {
		const suggestion = (text: string): unknown => {
			const reading = parseTicketFilter(text);
			return reading.kind === 'problem' && 'nearest' in reading.problem ? reading.problem.nearest : undefined;
		};
		assert.equal(suggestion('lable:bug'), 'label');
		assert.equal(suggestion('stat:open'), 'status');
		assert.equal(suggestion('assignee:me'), 'assigned');
		assert.equal(suggestion('status:opne'), 'open');
		assert.equal(suggestion('status:in-progress'), 'in_progress');
		assert.equal(suggestion('http://x'), undefined);
	});

	test('rejects an overlong filter at its end', () => {
		assert.deepEqual(problemIn(`${'a'.repeat(longestFilter)}bc`), ['tooLong', 'bc']);
	});

	test('parses a printed filter back', () => {
		fc.assert(
			fc.property(filter, (made) => {
				const text = printFilter(made);
				fc.pre(text.length <= longestFilter);
				const reading = parseTicketFilter(text);
				assert.equal(reading.kind, 'filter', text);
				if (reading.kind === 'filter') {
					const bare = ({ terms, sort }: TicketFilter): unknown => [
						terms.map(({ condition: asked, isNegated }) => [asked, isNegated]),
						sort,
					];
					assert.deepEqual(bare(reading.filter), bare(made));
				}
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('accepts any input or rejects it at a range inside it', () => {
		fc.assert(
			fc.property(fc.oneof(nearlyFilter, fc.string({ unit: 'binary' })), (text) => {
				const reading = parseTicketFilter(text);
				const ranges =
					reading.kind === 'problem' ? [reading.problem.range] : reading.filter.terms.map(({ range }) => range);
				for (const { start, end } of ranges) {
					assert.ok(start >= 0 && start < end && end <= text.length, `${start} to ${end} of ${text.length}`);
				}
			}),
			inRounds({ small: 200, full: 4000 }),
		);
	}).timeout(30_000);

	test('covers everything except blanks with the ranges of terms', () => {
		fc.assert(
			fc.property(nearlyFilter, (text) => {
				const reading = parseTicketFilter(text);
				if (reading.kind === 'filter' && !reading.filter.sort) {
					const left = reading.filter.terms.reduceRight(
						(rest, { range }) => rest.slice(0, range.start) + rest.slice(range.end),
						text,
					);
					assert.equal(left.trim(), '');
				}
			}),
			inRounds({ small: 200, full: 4000 }),
		);
	}).timeout(30_000);

	for (const part of ['a ', '"', "'", '\\', '!', ':', 'a"b" ', '" ', "a'"]) {
		test(`takes linear time for many ${JSON.stringify(part)}`, () => {
			const text = part.repeat(200_000);
			// A quadratic algorithm takes several seconds.
			assert.ok(!isSlowEachTime(() => splitWords(text), { limitMs: 500, repeats: 3 }));
		}).timeout(120_000);
	}
});
