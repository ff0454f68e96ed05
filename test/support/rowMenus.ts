import { kindsIn } from '../../src/commands/command.ts';
import { rowKinds, type RowKind, type RowMark } from '../../src/commands/rows.ts';
import { commandTable } from '../../src/commands/table.ts';
import type { ViewName } from '../../src/commands/viewIds.ts';
import { trusted, type When } from '../../src/commands/when.ts';

/** A menu entry or button of a row. */
export interface OfferedEntry {
	readonly command: string;
	readonly group: string;
}

/** Buttons and menu of a row, in order, with the conditions `holding`. */
export function offeredOn<Kind extends RowKind>(
	kind: Kind,
	marks: readonly RowMark<Kind>[] = [],
	holding: readonly string[] = ['isWorkspaceTrusted'],
	view: ViewName = rowKinds[kind].views[0] ?? 'inbox',
): readonly OfferedEntry[] {
	const names: readonly string[] = marks;
	return Object.entries(commandTable)
		.flatMap(([command, { rows, git }]) =>
			(rows ?? []).flatMap(([{ families, has, lacks, views, also }, ...groups]) =>
				kindsIn(families).includes(kind) &&
				has.every((mark) => names.includes(mark)) &&
				!lacks.some((mark) => names.includes(mark)) &&
				views.includes(view) &&
				[...also, ...(git === 'always' ? [trusted] : [])].every((when) => holds(when, holding))
					? groups.map((group) => ({ command, group }))
					: [],
			),
		)
		.toSorted((one, other) => one.group.localeCompare(other.group, 'en', { numeric: true }));
}

/** Commands of the menu, without buttons. */
export function menuOf(...row: Parameters<typeof offeredOn>): readonly string[] {
	return offeredOn(...row)
		.filter(({ group }) => !group.startsWith('inline'))
		.map(({ command }) => command);
}

function holds(when: When, holding: readonly string[]): boolean {
	switch (when.kind) {
		case 'set':
			return holding.includes(when.key);
		case 'not':
			return !holds(when.of, holding);
		case 'all':
			return when.of.every((each) => holds(each, holding));
		case 'any':
			return when.of.some((each) => holds(each, holding));
		case 'is':
			return when.values.some((value) => holding.includes(`${when.key} == ${value}`));
		case 'matches':
			throw new Error(`${when.key} is not for this`);
	}
}
