import { rowKinds, type KindIn, type RowFamily, type RowKind, type RowMark } from './rows.ts';
import type { PanelName, ViewName } from './viewIds.ts';
import { all, is, not, type When } from './when.ts';

/**
 * A place in a menu: the group, sorted by name, and the number in it. `inline` groups are buttons of a row, and
 * `copy/1@2` is a place in the submenu Copy.
 */
export type Group = `${string}@${number}`;

/** Submenus of rows, with label and place. */
export const submenus = {
	review: { label: 'Review', group: '2_review@1' },
	versions: { label: 'Versions', group: '2_review@2' },
	copy: { label: 'Copy', group: '9_link@1' },
	more: { label: 'More', group: '9_link@9' },
} as const;
type Submenu = keyof typeof submenus;

export function submenuOf(group: string): Submenu | undefined {
	const isSubmenu = (name: string): name is Submenu => Object.hasOwn(submenus, name);
	const [name = '', inside] = group.split('/');
	return inside !== undefined && isSubmenu(name) ? name : undefined;
}

/** Rows with an entry in their context menu. */
export interface Rows {
	readonly families: readonly string[];
	readonly has: readonly string[];
	readonly lacks: readonly string[];
	/** Restricts the entry to these views. */
	readonly views: readonly ViewName[];
	readonly also: readonly When[];
}

/** Menus besides those of rows and views. */
export type MenuId =
	| 'editor/title'
	| 'editor/context'
	| 'editor/context/copy'
	| 'editor/title/context'
	| 'editor/lineNumber/context'
	| 'explorer/context'
	| 'scm/title'
	| 'comments/commentThread/context'
	| 'comments/comment/title'
	| 'comments/comment/context';

/** Scope of a chord: a focused view, an active page, a patch diff, a form, or anywhere. */
export type Focus = ViewName | PanelName | 'diff' | 'newTicket' | 'description' | 'anywhere';

/** Keys after `Alt+J` (`Ctrl+Alt+J` on a Mac): `r`, `shift+r`, `left`. `ctrl+enter` is a complete chord. */
export type Chord = string;

/** Places of a command besides the palette, and its requirements. */
interface Places {
	readonly enablement?: When;
	/** It always runs git, or only on files of this computer. Windows in Restricted Mode lack it. */
	readonly git?: 'always' | 'onFiles';
	/** Entries in context menus of rows. */
	readonly rows?: readonly (readonly [Rows, ...Group[]])[];
	readonly titles?: readonly (readonly [ViewName | readonly ViewName[], Group, When?])[];
	readonly menus?: Readonly<Partial<Record<MenuId, readonly (readonly [When, Group])[]>>>;
	readonly keys?: Readonly<Record<Chord, readonly Focus[]>>;
	/** Its chords do nothing in text boxes of pages and comments, because it may leave the page. */
	readonly leavesPage?: true;
	/** Addition to the title in the guides' key tables. */
	readonly help?: string;
}

/** Targets of a merged command: by focus or active page, otherwise one command, or a choice of several. */
export interface Merge {
	readonly in?: Readonly<Partial<Record<Focus, string>>>;
	readonly otherwise?: string;
	readonly choices?: readonly string[];
}

/** Static properties of a command. */
export interface Command extends Places {
	readonly title: string;
	/** A codicon, or an empty text. */
	readonly icon: string;
	/** Condition of the palette entry. Only merged commands run a `part`, which the editor doesn't know. */
	readonly palette: When | 'always' | 'never' | 'part';
	readonly merge?: Merge;
}

export function command(title: string, icon: string, palette: Command['palette'], places: Places = {}): Command {
	return { title, icon, palette, ...places };
}

export function merged(
	title: string,
	icon: string,
	palette: Command['palette'],
	merge: Merge,
	places: Places = {},
): Command {
	return { title, icon, palette, merge, ...places };
}

export function commands<Id extends `forge.${string}`>(
	table: Readonly<Record<Id, Command>>,
): Readonly<Record<Id, Command>> {
	return table;
}

type Mark<Family extends RowFamily> = RowMark<KindIn<Family>>;

/** Rows of one or more families, with or without marks: `rows('ticket.open', 'unread', '-noTriage')`. */
export function rows<const Family extends RowFamily>(
	families: Family | readonly Family[],
	...marks: readonly (Mark<Family> | `-${Mark<Family>}`)[]
): Rows {
	const names = typeof families === 'string' ? [families] : families;
	const texts: readonly string[] = marks;
	const kinds = kindsIn(names);
	return {
		families: names,
		has: texts.filter((mark) => !mark.startsWith('-')),
		lacks: texts.filter((mark) => mark.startsWith('-')).map((mark) => mark.slice(1)),
		views: [...new Set(kinds.flatMap((kind) => rowKinds[kind].views))],
		also: [],
	};
}

/** The rows, limited to one view. */
export function inView(view: ViewName, of: Rows): Rows {
	return { ...of, views: of.views.filter((each) => each === view) };
}

/** The rows, with a further condition. */
export function whileTrue(when: When, of: Rows): Rows {
	return { ...of, also: [...of.also, when] };
}

/** Inbox entries and their items that are not done. */
export const notDone = [
	'inbox.thing.unread',
	'inbox.thing.read',
	'inbox.thing.snoozed',
	'inbox.entry.unread',
	'inbox.entry.read',
	'inbox.entry.snoozed',
] as const;

/** Rows with a web address. */
export const linked = [
	'ticket',
	'tracker',
	'list',
	'patchset',
	'patchFile',
	'mail',
	'repository',
	'reference',
	'folder',
	'file',
	'submodule',
	'artifact',
	'commit',
	'change',
	'searchFile',
	'searchLine',
] as const;

/** All row kinds of the families. */
export function kindsIn(families: readonly string[]): readonly RowKind[] {
	const isKind = (name: string): name is RowKind => Object.hasOwn(rowKinds, name);
	return Object.keys(rowKinds)
		.filter(isKind)
		.filter((kind) => families.some((family) => kind === family || kind.startsWith(`${family}.`)));
}

/** The `when` clause for a context menu entry. */
export function rowsWhen({ families, has, lacks, views, also }: Rows): When {
	const item = (pattern: string): When => ({ kind: 'matches', key: 'viewItem', pattern });
	const names = families.map((family) => family.replaceAll('.', '\\.')).join('|');
	return all(
		is('view', ...views.map((view) => `forge.${view}` as const)),
		item(families.length === 1 ? `^forge\\.${names}\\b` : `^forge\\.(${names})\\b`),
		...has.map((mark) => item(`\\.${mark}\\b`)),
		...lacks.map((mark) => not(item(`\\.${mark}\\b`))),
		...also,
	);
}
