import type { FilterProblem } from '../filterTerm.ts';
import { foldText } from '../foldText.ts';
import {
	nearest,
	missingValue,
	personOf,
	unknownValue,
	wordFor,
	termWords,
	type KeyedWord,
	type PlainWord,
	type ReadingOf,
	type WrongText,
} from '../termWords.ts';
import { listKeys, listWordsAfter, mailKinds, offeredHeaders, type ListKey } from './listGrammar.ts';
import type { ListCondition, ListFilter, ListTerm, TimeSpan } from './listTerm.ts';

export type ListFilterReading = ReadingOf<ListFilter>;

type WordReading =
	| { readonly kind: 'term'; readonly condition: ListCondition; readonly hint?: FilterProblem }
	| WrongText;

/**
 * Parses the forge's list search grammar (docs/protocol.md#list-search). Blanks separate terms, and all are required;
 * `!` negates; words without a key search subjects and texts. Like on the forge, an unknown key is a header name,
 * except in web addresses. `seenStatuses`: statuses beyond the known ones.
 */
export function parseListFilter(text: string, seenStatuses: readonly string[] = []): ListFilterReading {
	const terms: ListTerm[] = [];
	const hints: FilterProblem[] = [];
	for (const word of termWords(text)) {
		if (word.kind === 'problem') {
			return word;
		}
		const { isNegated, range } = word;
		const reading = readWord(word, seenStatuses);
		if (reading.kind === 'problem') {
			return reading;
		}
		terms.push({ condition: reading.condition, isNegated, range });
		hints.push(...(reading.hint === undefined ? [] : [reading.hint]));
	}
	return { kind: 'filter', filter: { terms, hints } };
}

function readWord(word: PlainWord | KeyedWord, seenStatuses: readonly string[]): WordReading {
	if (word.kind === 'plain') {
		return { kind: 'term', condition: { kind: 'text', text: word.text } };
	}
	if (!isHeaderName(word.key) || word.value.startsWith('//')) {
		return { kind: 'term', condition: { kind: 'text', text: `${word.key}:${word.value}` } };
	}
	const name = word.key.toLowerCase();
	const key = listKeys.find((known) => known === name);
	const values = key === undefined ? [] : listWordsAfter(key, seenStatuses);
	if (word.value === '') {
		return missingValue(name, word, values);
	}
	if (key === undefined) {
		return { kind: 'term', condition: { kind: 'header', name, value: word.value }, ...hintFor(word, name) };
	}
	const condition = conditionOf(key, word.value, values);
	return condition === undefined ? unknownValue(key, word, values) : { kind: 'term', condition };
}

function isHeaderName(text: string): boolean {
	return /^[A-Za-z][A-Za-z0-9-]*$/.test(text);
}

/** A rare header similar to a key is probably a typo. */
function hintFor({ key, keyRange }: KeyedWord, name: string): { readonly hint?: FilterProblem } {
	const isHeader = [...offeredHeaders, 'subject', 'date', 'sender', 'bcc'].some((known) => known === name);
	const near = isHeader ? undefined : nearest(name, listKeys);
	return near === undefined ? {} : { hint: { kind: 'unknownKey', key, nearest: near, range: keyRange } };
}

/** `words`: the allowed values of the key. */
function conditionOf(key: ListKey, value: string, words: readonly string[]): ListCondition | undefined {
	switch (key) {
		case 'is': {
			const what = wordFor(value, mailKinds);
			return what && { kind: key, what };
		}
		case 'from':
		case 'to':
		case 'cc':
			return { kind: key, person: personOf(value) };
		case 'status': {
			const status = words.find((word) => word.toLowerCase() === foldText(value));
			return status === undefined ? undefined : { kind: key, status: status.toLowerCase() };
		}
		case 'prefix':
			return { kind: key, prefix: value };
		case 'sender-timestamp': {
			const span = timeSpanOf(value);
			return span && { kind: 'sent', span, written: value };
		}
	}
}

/**
 * Parses the value of `sender-timestamp:`: Unix seconds as on the forge; a year, month or day in UTC; one of these
 * after `<`, `<=`, `>` or `>=`; or a range with `..`. `undefined` for anything else.
 */
export function timeSpanOf(text: string): TimeSpan | undefined {
	const [first = '', last, ...more] = text.split('..');
	if (last === undefined) {
		return comparedTo(text);
	}
	const [from, to] = [moment(first), moment(last)];
	return more.length > 0 || from === undefined || to === undefined || from.fromMs >= to.toMs
		? undefined
		: { fromMs: from.fromMs, toMs: to.toMs };
}

function comparedTo(text: string): TimeSpan | undefined {
	const sign = /^[<>]=?/.exec(text)?.[0] ?? '';
	const at = moment(text.slice(sign.length));
	if (at === undefined || sign === '') {
		return at;
	}
	const isOpenBelow = sign.startsWith('<');
	// The operator decides whether the whole period is included.
	const edgeMs = isOpenBelow === (sign.length === 2) ? at.toMs : at.fromMs;
	return isOpenBelow ? { fromMs: -Infinity, toMs: edgeMs } : { fromMs: edgeMs, toMs: Infinity };
}

/** The period of a second, day, month or year. Four digits are a year. */
function moment(text: string): TimeSpan | undefined {
	if (/^\d{5,12}$/.test(text)) {
		return { fromMs: Number(text) * 1000, toMs: (Number(text) + 1) * 1000 };
	}
	const [, years, months, days] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
	if (years === undefined) {
		return undefined;
	}
	const [year, month, day] = [Number(years), Number(months ?? 1), Number(days ?? 1)];
	const fromMs = Date.UTC(year, month - 1, day);
	const isDate = new Date(fromMs).getUTCMonth() === month - 1 && new Date(fromMs).getUTCDate() === day;
	const toMs =
		months === undefined
			? Date.UTC(year + 1)
			: days === undefined
				? Date.UTC(year, month)
				: Date.UTC(year, month - 1, day + 1);
	return isDate && year >= 1000 ? { fromMs, toMs } : undefined;
}
