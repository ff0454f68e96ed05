import { rowKinds, type KindIn, type RowFamily, type RowKind, type RowMark } from './rows.ts';
import type { PanelName, ViewName } from './viewIds.ts';
import { all, is, not, type When } from './when.ts';

/**
 * A place in a menu: the group, which sorts by its name, and the number in it. `inline` groups are buttons of a row, and
 * `copy/1@2` is a place in the submenu Copy.
 */
export type Group = `${string}@${number}`;

/** The submenus of rows: what each is called, and its place in the menu. */
export const submenus = {
	review: { label: 'Review', group: '2_review@1' },
	versions: { label: 'Versions', group: '2_review@2' },
	copy: { label: 'Copy', group: '9_link@1' },
	more: { label: 'More', group: '9_link@9' },
} as const;
type Submenu = keyof typeof submenus;

/** The submenu that a group is in. */
export function submenuOf(group: string): Submenu | undefined {
	const isSubmenu = (name: string): name is Submenu => Object.hasOwn(submenus, name);
	const [name = '', inside] = group.split('/');
	return inside !== undefined && isSubmenu(name) ? name : undefined;
}

/** Rows that have an entry in their menu. */
export interface Rows {
	readonly families: readonly string[];
	readonly has: readonly string[];
	readonly lacks: readonly string[];
	/** Only these of the views that show such rows. */
	readonly views: readonly ViewName[];
	readonly also: readonly When[];
}

/** The menus beside those of rows and views. */
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

/** Where a chord works: a view whose rows have the focus, a page in front, a diff of a patch, a form, or anywhere. */
export type Focus = ViewName | PanelName | 'diff' | 'newTicket' | 'description' | 'anywhere';

/** What follows `Alt+J` (`Ctrl+Alt+J` on a Mac): `r`, `shift+r`, `left`. `ctrl+enter` is a chord of its own. */
export type Chord = string;

/** Where a command is offered beside the palette, and what it needs. */
interface Places {
	readonly enablement?: When;
	/** It runs git, or does so on files of this computer, so windows in Restricted Mode lack it. */
	readonly git?: 'always' | 'onFiles';
	/** Entries in menus of rows: one place or several. */
	readonly rows?: readonly (readonly [Rows, ...Group[]])[];
	/** Entries in the titles of views. */
	readonly titles?: readonly (readonly [ViewName | readonly ViewName[], Group, When?])[];
	readonly menus?: Readonly<Partial<Record<MenuId, readonly (readonly [When, Group])[]>>>;
	readonly keys?: Readonly<Record<Chord, readonly Focus[]>>;
	/** What the key tables of the guides add to the title. */
	readonly help?: string;
}

/** What a merged command runs: by what has the focus or is in front, otherwise one command, or one of several that a person chooses. */
export interface Merge {
	readonly in?: Readonly<Partial<Record<Focus, string>>>;
	readonly otherwise?: string;
	readonly choices?: readonly string[];
}

/** All facts of a command but what it does. */
export interface Command extends Places {
	readonly title: string;
	/** A codicon, or an empty text. */
	readonly icon: string;
	/** When the palette has it. A `part` is run by merged commands alone, and the editor does not know it. */
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

/** Rows of a family, or of several, that have marks or lack them: `rows('ticket.open', 'unread', '-noTriage')`. */
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

/** The same rows in one of the views that show them. */
export function inView(view: ViewName, of: Rows): Rows {
	return { ...of, views: of.views.filter((each) => each === view) };
}

/** The same rows while something else holds. */
export function whileTrue(when: When, of: Rows): Rows {
	return { ...of, also: [...of.also, when] };
}

/** Entries of the inbox, and things in it, that are not put away. */
export const notDone = ['inbox.thing.unread', 'inbox.thing.read', 'inbox.entry.unread', 'inbox.entry.read'] as const;

/** Rows of things that have an address on the web. */
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

/** All kinds that one of the families covers. */
export function kindsIn(families: readonly string[]): readonly RowKind[] {
	const isKind = (name: string): name is RowKind => Object.hasOwn(rowKinds, name);
	return Object.keys(rowKinds)
		.filter(isKind)
		.filter((kind) => families.some((family) => kind === family || kind.startsWith(`${family}.`)));
}

/** The `when` clause of an entry in the menu of rows. */
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
