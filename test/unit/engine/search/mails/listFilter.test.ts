import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
	completeListFilter,
	listGrammar,
	mailKinds,
	parseListFilter,
	timeSpanOf,
	type ListCondition,
	type ListFilter,
} from '../../../../../src/engine/search/mails/listFilter.ts';
import { longestFilter } from '../../../../../src/engine/search/filterWords.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { printListFilter } from '../../support/printFilter.ts';

const listKeys = listGrammar([]).keys.map(({ name }) => name);

function termsOf(text: string, seen: readonly string[] = []): ListFilter['terms'] {
	const reading = parseListFilter(text, seen);
	assert.equal(reading.kind, 'filter', `${text} should be a filter`);
	return reading.kind === 'filter' ? reading.filter.terms : [];
}

function conditionsOf(
	text: string,
	seen: readonly string[] = [],
): readonly (ListCondition | { readonly not: ListCondition })[] {
	return termsOf(text, seen).map(({ condition, isNegated }) => (isNegated ? { not: condition } : condition));
}

/** The problem, the text in its range, and the suggestion. */
function problemIn(text: string, seen: readonly string[] = []): readonly unknown[] {
	const reading = parseListFilter(text, seen);
	assert.equal(reading.kind, 'problem', `${text} should not be a filter`);
	if (reading.kind !== 'problem') {
		return [];
	}
	const { problem } = reading;
	const meant = problem.kind === 'unknownValue' || problem.kind === 'unknownKey' ? [problem.nearest] : [];
	return [problem.kind, text.slice(problem.range.start, problem.range.end), ...meant];
}

const word = fc.string({ unit: 'grapheme', maxLength: 10 });
const some = word.filter((text) => text !== '' && !text.startsWith('//'));
const person = fc.oneof(
	fc.constant({ kind: 'me' } as const),
	some
		.filter((name) => name.normalize('NFKC').toLowerCase() !== 'me')
		.map((name) => ({ kind: 'named', name }) as const),
);
const written = fc.constantFrom('1709280000', '2024', '>=2024-03', '2024-03-01..2024-04-01', '<2025-12-31');
const condition: fc.Arbitrary<ListCondition> = fc.oneof(
	fc.constantFrom(...mailKinds).map((what) => ({ kind: 'is', what }) as const),
	fc.constantFrom('from', 'to', 'cc').chain((kind) => person.map((named) => ({ kind, person: named }))),
	fc.constantFrom('proposed', 'applied', 'seen it').map((status) => ({ kind: 'status', status }) as const),
	some.map((prefix) => ({ kind: 'prefix', prefix }) as const),
	written.map((text) => ({ kind: 'sent', span: timeSpanOf(text)!, written: text }) as const),
	fc
		.tuple(fc.constantFrom('message-id', 'x-mailer', 'x'), some)
		.map(([name, value]) => ({ kind: 'header', name, value }) as const),
	word.map((text) => ({ kind: 'text', text }) as const),
);
const terms = fc.array(fc.record({ condition, isNegated: fc.boolean(), range: fc.constant({ start: 0, end: 0 }) }), {
	maxLength: 6,
});

/** Characters with a meaning in the grammar, and keys, so that random input is nearly a filter. */
const nearlyFilter = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				'"',
				"'",
				'\\',
				':',
				'!',
				' ',
				'~',
				'..',
				'>',
				'me',
				'patch',
				...listKeys.map((key) => `${key}:`),
			),
			word,
		),
		{ maxLength: 12 },
	)
	.map((parts) => parts.join(''));

suite('filter grammar of lists', () => {
	test('understands every term of the forge', () => {
		assert.deepEqual(
			conditionsOf(
				'is:patch !is:reply from:me to:~bob cc:"Carol N" status:Needs_Revision prefix:lantern message-id:<1@x> crash',
			),
			[
				{ kind: 'is', what: 'patch' },
				{ not: { kind: 'is', what: 'reply' } },
				{ kind: 'from', person: { kind: 'me' } },
				{ kind: 'to', person: { kind: 'named', name: '~bob' } },
				{ kind: 'cc', person: { kind: 'named', name: 'Carol N' } },
				{ kind: 'status', status: 'needs_revision' },
				{ kind: 'prefix', prefix: 'lantern' },
				{ kind: 'header', name: 'message-id', value: '<1@x>' },
				{ kind: 'text', text: 'crash' },
			],
		);
		assert.deepEqual(conditionsOf(''), []);
	});

	test('reads times as seconds, days, months, years, and spans before, after and between them', () => {
		const utc = (text: string): number => Date.parse(`${text}T00:00:00Z`);
		assert.deepEqual(timeSpanOf('1709280000'), { fromMs: 1_709_280_000_000, toMs: 1_709_280_001_000 });
		assert.deepEqual(timeSpanOf('2024-02'), { fromMs: utc('2024-02-01'), toMs: utc('2024-03-01') });
		assert.deepEqual(timeSpanOf('2024'), { fromMs: utc('2024-01-01'), toMs: utc('2025-01-01') });
		assert.deepEqual(timeSpanOf('2024-02-29'), { fromMs: utc('2024-02-29'), toMs: utc('2024-03-01') });
		assert.deepEqual(timeSpanOf('<2024-02-29'), { fromMs: -Infinity, toMs: utc('2024-02-29') });
		assert.deepEqual(timeSpanOf('<=2024-02-29'), { fromMs: -Infinity, toMs: utc('2024-03-01') });
		assert.deepEqual(timeSpanOf('>2024-02-29'), { fromMs: utc('2024-03-01'), toMs: Infinity });
		assert.deepEqual(timeSpanOf('>=2024-02-29'), { fromMs: utc('2024-02-29'), toMs: Infinity });
		assert.deepEqual(timeSpanOf('2024-01..2024-02'), { fromMs: utc('2024-01-01'), toMs: utc('2024-03-01') });
		for (const wrong of [
			'2023-02-29',
			'2024-13',
			'yesterday',
			'..',
			'2025..2024',
			'1..2..3',
			'>',
			'',
			'12',
			'2024-1-1',
		]) {
			assert.equal(timeSpanOf(wrong), undefined, wrong);
		}
	});

	test('reports a problem with its range and a suggestion', () => {
		assert.deepEqual(problemIn('crash status:aplied'), ['unknownValue', 'aplied', 'applied']);
		assert.deepEqual(problemIn('is:patches'), ['unknownValue', 'patches', 'patch']);
		assert.deepEqual(problemIn('sender-timestamp:soon'), ['unknownValue', 'soon', undefined]);
		assert.deepEqual(problemIn('from:'), ['missingValue', 'from:']);
		assert.deepEqual(problemIn('x-mailer:'), ['missingValue', 'x-mailer:']);
		assert.deepEqual(problemIn('a !'), ['emptyNegation', '!']);
		assert.deepEqual(problemIn('a "b'), ['unclosedQuote', '"b']);
		assert.deepEqual(problemIn('a\\'), ['danglingEscape', '\\']);
		assert.deepEqual(problemIn('x'.repeat(longestFilter + 1)), ['tooLong', 'x']);
	});

	test('accepts a server’s own status if it has occurred', () => {
		assert.deepEqual(problemIn('status:queued').slice(0, 2), ['unknownValue', 'queued']);
		assert.deepEqual(conditionsOf('status:QUEUED', ['Queued']), [{ kind: 'status', status: 'queued' }]);
	});

	test('reads an unknown key as a header, and hints at likely typos', () => {
		const hints = (text: string): readonly unknown[] => {
			const reading = parseListFilter(text);
			return reading.kind === 'filter'
				? reading.filter.hints.map((hint) => ('nearest' in hint ? hint.nearest : hint))
				: [];
		};
		assert.deepEqual(conditionsOf('form:bob'), [{ kind: 'header', name: 'form', value: 'bob' }]);
		assert.deepEqual(hints('form:bob'), ['from']);
		assert.deepEqual(hints('X-Mailer:git message-id:<1> date:fri'), []);
	});

	test('reads web addresses, quoted text and invalid header names as words', () => {
		assert.deepEqual(conditionsOf('https://forge.test/x "from:me" a_b:c :x'), [
			{ kind: 'text', text: 'https://forge.test/x' },
			{ kind: 'text', text: 'from:me' },
			{ kind: 'text', text: 'a_b:c' },
			{ kind: 'text', text: ':x' },
		]);
	});

	test('parses printed terms back', () => {
		fc.assert(
			fc.property(terms, (all) => {
				const text = printListFilter({ terms: all });
				fc.pre(text.length <= longestFilter);
				assert.deepEqual(
					termsOf(text, ['Seen it']).map(({ condition: found, isNegated }) => ({ found, isNegated })),
					all.map(({ condition: found, isNegated }) => ({ found, isNegated })),
				);
			}),
			{ numRuns: counts({ small: 500, full: 50_000 }), seed: seed() },
		);
	});

	test('ends on any input, with all ranges inside the text', () => {
		fc.assert(
			fc.property(nearlyFilter, fc.nat(), (text, at) => {
				const reading = parseListFilter(text);
				const ranges =
					reading.kind === 'problem'
						? [reading.problem.range]
						: [...reading.filter.terms, ...reading.filter.hints].map(({ range }) => range);
				const caret = at % (text.length + 1);
				const completion = completeListFilter(text, caret, { people: ['~bob'], prefixes: ['proj'], statuses: [] });
				for (const { start, end } of [...ranges, completion.range]) {
					assert.ok(0 <= start && start <= end && end <= text.length, JSON.stringify(text));
				}
				assert.ok(completion.range.start <= caret && caret <= completion.range.end, JSON.stringify(text));
			}),
			{ numRuns: counts({ small: 500, full: 50_000 }), seed: seed() },
		);
	});
});

suite('filter completion of lists', () => {
	const vocabulary = { people: ['~bob', 'carol@forge.test'], prefixes: ['lantern', 'wick two'], statuses: ['queued'] };
	/** `|` marks the caret. */
	const names = (text: string): readonly string[] =>
		completeListFilter(text.replace('|', ''), text.indexOf('|'), vocabulary).candidates.map(({ name }) => name);
	/** The text after choosing the first candidate. */
	const chosen = (marked: string): string => {
		const text = marked.replace('|', '');
		const { range, candidates } = completeListFilter(text, marked.indexOf('|'), vocabulary);
		return text.slice(0, range.start) + (candidates[0]?.insert ?? '') + text.slice(range.end);
	};

	test('offers keys first, then words, people and prefixes of the list', () => {
		assert.deepEqual(names('|').slice(0, 3), ['status', 'is', 'from']);
		assert.ok(names('crash |').includes('message-id'));
		assert.deepEqual(names('sta|'), ['status', 'sender-timestamp']);
		assert.deepEqual(names('is:r|'), ['reply', 'request-pull', 'thread', 'unread']);
		assert.ok(names('status:|').includes('queued'));
		assert.deepEqual(names('from:b|'), ['~bob']);
		assert.deepEqual(names('cc:|'), ['me', '~bob', 'carol@forge.test']);
		assert.deepEqual(names('x-mailer:g|'), []);
	});

	test('replaces only the typed part, with quotes if needed', () => {
		assert.equal(chosen('!prefix:wi| crash'), '!prefix:"wick two" crash');
		assert.equal(chosen('sta|:proposed'), 'status:proposed');
		assert.equal(chosen('!fr|'), '!from:');
		assert.equal(chosen('prefix:"wi|"'), 'prefix:"wick two"');
	});
});
