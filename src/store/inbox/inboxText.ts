import * as v from 'valibot';
import { fieldsOf, jsonIn } from '../../base/looseJson.ts';
import {
	inboxChoice,
	inboxItem,
	inboxPosition,
	type InboxBook,
	type InboxChoice,
	type InboxItem,
	type InboxPosition,
} from './inboxBook.ts';

/** Lines around the rows of each part. Each row is one line, so that it is comparable without parsing. */
const heads = { items: '{"items":[', positions: '],"positions":[', choices: '],"choices":[' } as const;
const end = ']}';

const itemRow = v.pipe(
	inboxItem,
	v.transform((item): readonly [string, InboxItem] => [item.entry.id, item]),
);
const positionRow = v.tuple([v.string(), inboxPosition]);
const choiceRow = v.pipe(
	v.tuple([v.string(), inboxChoice]),
	v.transform(([key, choice]): readonly [string, InboxChoice] => [key, { ...choice, name: choice.name || key }]),
);

/**
 * Serializes inboxes. An inbox can have megabytes while a change affects one row, so unchanged rows skip serializing
 * and parsing.
 */
export function inboxTexts() {
	/** By value, because values are immutable. Two names may share one value. */
	const rows = new WeakMap<object, { readonly name: string; readonly row: string }>();

	function rowOf(name: string, value: InboxItem | InboxPosition | InboxChoice): string {
		const known = rows.get(value);
		if (known?.name === name) {
			return known.row;
		}
		const row = JSON.stringify('entry' in value ? value : [name, value]);
		rows.set(value, { name, row });
		return row;
	}

	function linesOf(all: ReadonlyMap<string, InboxItem | InboxPosition | InboxChoice>): string {
		const lines: string[] = [];
		// The default sort order takes a third of the time of a comparator.
		for (const name of [...all.keys()].toSorted()) {
			const value = all.get(name);
			if (value !== undefined) {
				lines.push(rowOf(name, value));
			}
		}
		return lines.join(',\n');
	}

	/** The entries of one part. Known rows skip the parser. */
	function pairsIn<T extends InboxItem | InboxPosition | InboxChoice>(
		lines: readonly unknown[],
		known: ReadonlyMap<string, T>,
		row: v.GenericSchema<unknown, readonly [string, T]>,
	): ReadonlyMap<string, T> {
		const byRow = new Map([...known].map((pair) => [rowOf(...pair), pair]));
		return new Map(
			lines.flatMap((line) => {
				const pair = typeof line === 'string' ? byRow.get(line) : undefined;
				const read = pair ?? v.safeParse(row, typeof line === 'string' ? jsonIn(line) : line);
				return 'success' in read ? (read.success ? [read.output] : []) : [read];
			}),
		);
	}

	return {
		/** Deterministic: otherwise two windows would overwrite each other's text forever. */
		textOf: ({ items, positions, choices }: InboxBook): string =>
			[heads.items, linesOf(items), heads.positions, linesOf(positions), heads.choices, linesOf(choices), end].join(
				'\n',
			),
		/**
		 * Decodes a stored text. Skips damaged rows and keeps the rest. `known`: values that the text probably contains.
		 */
		bookIn(kept: unknown, known: InboxBook): InboxBook {
			const { items, positions, choices } = partsIn(kept);
			return {
				items: pairsIn(items, known.items, itemRow),
				positions: pairsIn(positions, known.positions, positionRow),
				choices: pairsIn(choices, known.choices, choiceRow),
			};
		},
	};
}

/** Unparsed rows per part. Parsed values for an earlier version's text without lines. */
function partsIn(kept: unknown): Readonly<Record<keyof typeof heads, readonly unknown[]>> {
	const lines = typeof kept === 'string' ? kept.split('\n') : [];
	const [positionsAt, choicesAt] = [lines.indexOf(heads.positions), lines.indexOf(heads.choices)];
	if (lines[0] !== heads.items || positionsAt < 0 || choicesAt < positionsAt || lines.at(-1) !== end) {
		const { items, positions, choices } = fieldsOf(jsonIn(kept));
		return { items: arrayOf(items), positions: arrayOf(positions), choices: arrayOf(choices) };
	}
	const between = (from: number, to: number): readonly string[] =>
		lines.slice(from + 1, to).map((line) => (line.endsWith(',') ? line.slice(0, -1) : line));
	return {
		items: between(0, positionsAt),
		positions: between(positionsAt, choicesAt),
		choices: between(choicesAt, lines.length - 1),
	};
}

function arrayOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
