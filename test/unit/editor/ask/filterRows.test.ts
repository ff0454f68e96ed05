import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { FilterRow, FilterTextReading } from '../../../../src/editor/ask/filterRows.ts';
import type { Candidate } from '../../../../src/engine/search/filterGrammar.ts';

const { ThemeIcon } = await import('vscode');
const { filterRows } = await import('../../../../src/editor/ask/filterRows.ts');

const taken: FilterTextReading = { kind: 'filter' };

function rowsOf(
	text: string,
	reading: FilterTextReading = taken,
	candidates: readonly Candidate[] = [],
	start = 0,
): readonly FilterRow[] {
	return filterRows({
		text,
		reading,
		matching: '3 of 4',
		completion: { range: { start }, candidates },
		termText: ({ kind, name }) => `${kind} ${name}`,
		first: [],
		clearing: undefined,
	});
}

function choiceAfter(text: string, problem: Extract<FilterTextReading, { kind: 'problem' }>['problem']): unknown {
	return rowsOf(text, { kind: 'problem', problem })[0]?.choice;
}

suite('rows of a filter box', () => {
	test('a valid text comes first, with its number of matches', () => {
		const [row] = rowsOf('a$(bug)\u202E');
		assert.deepEqual(
			[row?.label, row?.description, row?.choice, row?.forText],
			['a$\u2060(bug)⟨U+202E⟩', '3 of 4', { kind: 'take' }, 'a$(bug)\u202E'],
		);
	});

	test('Enter fixes a near match, closes a quote, and does nothing for an ambiguous text', () => {
		const range = { start: 7, end: 14 };
		const unknown = { kind: 'unknownValue', key: 'status', value: 'aproved', values: ['approved'], range } as const;
		assert.deepEqual(choiceAfter('status:aproved', { ...unknown, nearest: 'approved' }), {
			kind: 'write',
			text: 'status:approved',
		});
		assert.deepEqual(choiceAfter('status:aproved', { ...unknown, nearest: undefined }), { kind: 'wrong' });
		assert.deepEqual(choiceAfter('prefix:"two', { kind: 'unclosedQuote', quote: '"', range }), {
			kind: 'write',
			text: 'prefix:"two"',
		});
		assert.deepEqual(choiceAfter('prefix:\\', { kind: 'danglingEscape', range }), { kind: 'wrong' });
	});

	test('completes a value after its key and the next term after a value, without duplicates', () => {
		const rows = rowsOf(
			'status:op',
			taken,
			[
				{ kind: 'word', name: 'open', insert: 'open' },
				{ kind: 'header', name: 'list-id', insert: 'list-id:' },
				{ kind: 'key', name: 'op', insert: 'op' },
				{ kind: 'person', name: '~op', insert: '~op' },
				{ kind: 'prefix', name: 'op x', insert: '"op x"' },
			],
			'status:'.length,
		).slice(1);
		assert.deepEqual(
			rows.map(({ label, description, iconPath, choice }) => [
				label,
				description,
				iconPath instanceof ThemeIcon ? iconPath.id : '',
				choice.kind === 'write' ? choice.text : '',
			]),
			[
				['open', 'word open', 'symbol-enum', 'status:open '],
				['list-id:', 'header list-id', 'symbol-key', 'status:list-id:'],
				['~op', 'person ~op', 'person', 'status:~op '],
				['"op x"', 'prefix op x', 'tag', 'status:"op x" '],
			],
		);
	});
});
