import { kindsIn, type Command, type Focus, type Rows } from '../commands/command.ts';
import { rowKinds, type RowKind } from '../commands/rows.ts';
import { panelNames } from '../commands/viewIds.ts';
import type { Table } from './manifest.ts';

/** Mistakes in the table of commands that its types cannot show, each as a sentence. */
export function tableProblems(table: Table): readonly string[] {
	const all = Object.entries(table);
	return [...all.flatMap(([id, facts]) => deadEntries(id, facts)), ...twoMeanings(all), ...strangeChords(all)];
}

function deadEntries(id: string, { rows }: Command): readonly string[] {
	return (rows ?? []).flatMap(([of]) =>
		of.families
			.filter((family) => !kindsIn([family]).some((kind) => canMatch(kind, of)))
			.map((family) => `${id}: no row "${family}" matches in the views "${of.views.join(' ')}"`),
	);
}

/** Whether some row of a kind can match. */
function canMatch(kind: RowKind, { has, lacks, views }: Rows): boolean {
	const facts: { readonly views: readonly string[]; readonly marks: readonly string[] } = rowKinds[kind];
	return (
		has.every((mark) => facts.marks.includes(mark) && !lacks.includes(mark)) &&
		lacks.every((mark) => facts.marks.includes(mark)) &&
		views.some((view) => facts.views.includes(view))
	);
}

function twoMeanings(table: readonly (readonly [string, Command])[]): readonly string[] {
	const meanings = new Map<string, Set<string>>();
	for (const [id, { keys }] of table) {
		for (const [chord, foci] of Object.entries(keys ?? {})) {
			for (const focus of foci.flatMap(placesOf)) {
				const place = `${chord} in ${focus}`;
				meanings.set(place, (meanings.get(place) ?? new Set()).add(id));
			}
		}
	}
	return Array.from(meanings, ([place, ids]) => (ids.size > 1 ? [`${place}: ${[...ids].join(', ')}`] : [])).flat();
}

/** Views take their chords from what works anywhere else. */
function placesOf(focus: Focus): readonly Focus[] {
	return focus === 'anywhere' ? [...panelNames, 'diff', 'newTicket', 'description', focus] : [focus];
}

function strangeChords(table: readonly (readonly [string, Command])[]): readonly string[] {
	return table.flatMap(([id, { keys }]) =>
		Object.keys(keys ?? {})
			.filter((chord) => !/^(?:(?:shift\+)?[a-z]|up|down|left|right|ctrl\+enter)$/.test(chord))
			.map((chord) => `${id}: "${chord}" is no chord`),
	);
}
