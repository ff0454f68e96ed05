import { kindsIn, type Command, type Rows } from '../../../../src/commands/command.ts';
import { rowKinds, type RowKind } from '../../../../src/commands/rows.ts';
import type { Table } from '../../../../src/manifest/manifest.ts';

/** Mistakes in the command table that types cannot show, each as a sentence. */
export function tableProblems(table: Table): readonly string[] {
	const all = Object.entries(table);
	return [
		...all.flatMap(([id, facts]) => [...deadEntries(id, facts), ...missingParts(id, facts, table)]),
		...unreachable(all),
		...twoMeanings(all),
		...strangeChords(all),
	];
}

function deadEntries(id: string, { rows }: Command): readonly string[] {
	return (rows ?? []).flatMap(([of]) =>
		of.families
			.filter((family) => !kindsIn([family]).some((kind) => canMatch(kind, of)))
			.map((family) => `${id}: no row "${family}" matches in the views "${of.views.join(' ')}"`),
	);
}

/** True if a row of the kind can match. */
function canMatch(kind: RowKind, { has, lacks, views }: Rows): boolean {
	const facts: { readonly views: readonly string[]; readonly marks: readonly string[] } = rowKinds[kind];
	return (
		has.every((mark) => facts.marks.includes(mark) && !lacks.includes(mark)) &&
		lacks.every((mark) => facts.marks.includes(mark)) &&
		views.some((view) => facts.views.includes(view))
	);
}

function runBy({ merge }: Command): readonly string[] {
	const { in: places = {}, otherwise, choices = [] } = merge ?? {};
	return [...Object.values(places), ...(otherwise === undefined ? [] : [otherwise]), ...choices];
}

function missingParts(id: string, facts: Command, table: Table): readonly string[] {
	return runBy(facts)
		.filter((part) => !Object.hasOwn(table, part))
		.map((part) => `${id}: there is no command ${part}`);
}

/**
 * Commands without a palette entry, row, title, menu, key or merged command. Rows, pages and notices run some commands
 * themselves.
 */
function unreachable(table: readonly (readonly [string, Command])[]): readonly string[] {
	const parts = new Set(table.flatMap(([, facts]) => runBy(facts)));
	return table
		.filter(
			([id, { palette, rows, titles, menus, keys }]) =>
				(palette === 'never' || palette === 'part') &&
				!(rows ?? titles ?? menus ?? keys) &&
				!parts.has(id) &&
				!runElsewhere.includes(id),
		)
		.map(([id]) => `${id}: nothing offers it`);
}

const runElsewhere: readonly string[] = [
	'forge.view.tryAgain',
	'forge.view.showMore',
	// Enter in each view; it has no chord.
	'forge.view.enter',
	// Links and Go to…
	'forge.lists.show',
	'forge.trackers.show',
	'forge.comments.open',
	'forge.patchsets.open',
	'forge.repositories.openChange',
	// Similar commands in one place replace it.
	'forge.patchsets.setStatus',
];

function twoMeanings(table: readonly (readonly [string, Command])[]): readonly string[] {
	const bound = table.flatMap(([id, { keys }]) => Object.keys(keys ?? {}).map((chord) => ({ id, chord })));
	return Array.from(
		Map.groupBy(bound, ({ chord }) => chord),
		([chord, all]) => (all.length > 1 ? [`${chord}: ${all.map(({ id }) => id).join(', ')}`] : []),
	).flat();
}

function strangeChords(table: readonly (readonly [string, Command])[]): readonly string[] {
	return table.flatMap(([id, { keys }]) =>
		Object.keys(keys ?? {})
			.filter((chord) => !/^(?:(?:shift\+)?[a-z]|up|down|left|right|ctrl\+enter)$/.test(chord))
			.map((chord) => `${id}: "${chord}" is no chord`),
	);
}

/** The foci whose keys a guide lists. */
export function listedFoci(text: string): readonly string[] {
	return Array.from(text.matchAll(/<!-- keys: ([\w ]+) -->/g), ([, foci = '']) => foci.split(' ')).flat();
}
