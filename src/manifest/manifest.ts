import { rowsWhen, submenuOf, submenus, type Command, type Focus } from '../commands/command.ts';
import { commandTable } from '../commands/table.ts';
import { panelNames, viewIds, type ViewName } from '../commands/viewIds.ts';
import {
	all,
	any,
	focused,
	is,
	not,
	page,
	scheme,
	set,
	signedIn,
	trusted,
	whenText,
	type When,
} from '../commands/when.ts';
import { languageModelTools } from './languageModelTools.ts';
import { settings } from './settings.ts';
import { viewsWelcome } from './viewsWelcome.ts';
import { walkthroughs } from './walkthrough.ts';

export type Table = Readonly<Record<string, Command>>;

interface Entry {
	readonly command?: string;
	readonly submenu?: string;
	readonly when?: string;
	readonly group?: string;
}

/** Regenerates the generated parts of package.json. */
export function withManifestParts(text: string): string {
	const contributes = {
		...fixed,
		languageModelTools,
		configuration: settings.map((group, at) => ({ ...group, order: at + 1 })),
		viewsWelcome: viewsWelcome(),
		walkthroughs,
		...ofCommands(commandTable),
	};
	const manifest: unknown = JSON.parse(text, (key, value: unknown) =>
		key === '' && typeof value === 'object' ? { ...value, contributes, activationEvents } : value,
	);
	return `${JSON.stringify(manifest, undefined, '	')}
`;
}

function ofCommands(table: Table): {
	readonly submenus: readonly object[];
	readonly commands: readonly object[];
	readonly menus: Readonly<Record<string, readonly Entry[]>>;
	readonly keybindings: readonly object[];
} {
	const all = Object.entries(table);
	return {
		submenus: Object.entries(submenus).map(([name, { label }]) => ({ id: `forge.${name}`, label })),
		commands: all
			.filter(([, { palette }]) => palette !== 'part')
			.map(([command, { title, icon, enablement }]) => ({
				command,
				category: 'Forge',
				title,
				...(icon !== '' && { icon: `$(${icon})` }),
				...(enablement && { enablement: whenText(enablement) }),
			})),
		menus: menusOf(all),
		keybindings: [...keysOf(all), ...enterInViews, saveSuggestion],
	};
}

function menusOf(table: readonly (readonly [string, Command])[]): Readonly<Record<string, readonly Entry[]>> {
	const entries = table.flatMap(([command, facts]) =>
		placesOf(facts).map(({ menu, when, group }) => {
			const clause = facts.git === 'always' && when !== 'never' ? all(...(when ? [when] : []), trusted) : when;
			const submenu = group === undefined ? undefined : submenuOf(group);
			return {
				menu: submenu === undefined ? menu : `forge.${submenu}`,
				clause,
				submenu,
				entry: {
					command,
					...(clause && { when: clause === 'never' ? 'false' : whenText(clause) }),
					...(group !== undefined && { group: submenu === undefined ? group : group.replace(`${submenu}/`, '') }),
				},
			};
		}),
	);
	const menus = Map.groupBy(entries, ({ menu }) => menu);
	return {
		...Object.fromEntries(Array.from(menus, ([menu, placed]) => [menu, placed.map(({ entry }) => entry)])),
		'view/item/context': [
			...(menus.get('view/item/context') ?? []).map(({ entry }) => entry),
			...Object.entries(submenus).map(([name, { group }]) => {
				const clauses = entries.flatMap(({ submenu, clause }) =>
					submenu === name && clause && clause !== 'never' ? [clause] : [],
				);
				return { submenu: `forge.${name}`, when: whenText(any(...clauses)), group };
			}),
		],
	};
}

interface Place {
	readonly menu: string;
	readonly when: When | 'never' | undefined;
	readonly group?: string;
}

function placesOf({ palette, rows, titles, menus }: Command): readonly Place[] {
	return [
		...(palette === 'always' || palette === 'part' ? [] : [{ menu: 'commandPalette', when: palette }]),
		...(rows ?? []).flatMap(([of, ...groups]) =>
			groups.map((group) => ({ menu: 'view/item/context', when: rowsWhen(of), group })),
		),
		...(titles ?? []).map(([views, group, when]) => {
			const view = inViews(typeof views === 'string' ? [views] : views);
			return { menu: 'view/title', when: when ? all(view, when) : view, group };
		}),
		...Object.entries(menus ?? {}).flatMap(([menu, entries]) =>
			entries.map(([when, group]) => ({ menu, when, group })),
		),
	];
}

function inViews(names: readonly ViewName[]): When {
	return is('view', ...names.map((name) => `forge.${name}` as const));
}

/**
 * In a view, a chord passes the view, so the command acts on the focused rows. Elsewhere it excludes the views that
 * bind the chord themselves.
 */
function keysOf(table: readonly (readonly [string, Command])[]): readonly object[] {
	const bound = table.flatMap(([command, { keys, merge, leavesPage }]) =>
		Object.entries(keys ?? {}).map(([chord, foci]) => ({ command, merge, leavesPage, chord, foci })),
	);
	return bound.flatMap(({ command, merge, leavesPage, chord, foci }) => {
		const taken = bound.filter((other) => other.chord === chord).flatMap((other) => other.foci.filter(isView));
		const binding = { command, ...keyText(chord) };
		// The user may mean a row of these views, not the page behind them. A chord that only pages have means no row.
		const besides = foci.some(isPanel) && !foci.every(isPanel) ? rowViews : [];
		const place = elsewhereWhen(foci, [...new Set([...taken, ...besides])]);
		const elsewhere = place && leavesPage ? all(place, ...notInTextBox) : place;
		return [
			...foci.filter(isView).map((view) => ({
				...binding,
				when: whenText(focused(view)),
				args: { rowsOf: `forge.${view}` },
			})),
			...(elsewhere ? [{ ...binding, when: whenText(elsewhere), ...(merge && { args: { rowsOf: 'front' } }) }] : []),
		];
	});
}

const rowViews = ['inbox', 'tickets', 'lists', 'repositories'] as const;

const notInTextBox = [not(set('forge.page.typing')), not(set('commentEditorFocused'))];

/** `r` → `alt+j r`; `ctrl+enter` is a complete chord. */
export function keyText(chord: string): { readonly key: string; readonly mac: string } {
	return chord.startsWith('ctrl+')
		? { key: chord, mac: chord.replace('ctrl+', 'cmd+') }
		: { key: `alt+j ${chord}`, mac: `ctrl+alt+j ${chord}` };
}

function isPanel(focus: Focus): boolean {
	return panelNames.some((name) => name === focus);
}

function isView(focus: Focus): focus is ViewName {
	return viewIds.some((id) => id === `forge.${focus}`);
}

function elsewhereWhen(foci: readonly Focus[], taken: readonly ViewName[]): When | undefined {
	const pages = panelNames.filter((name) => foci.includes(name));
	const places = [...(pages.length > 0 ? [page(...pages)] : []), ...foci.flatMap((focus) => documentFoci[focus] ?? [])];
	const [first, ...others] = places;
	if (!first) {
		return undefined;
	}
	return all(others.length === 0 ? first : any(...places), ...(taken.length > 0 ? [not(focused(...taken))] : []));
}

/** The multi-file diff editor has its own scheme, for every caller. */
const documentFoci: Readonly<Partial<Record<Focus, When>>> = {
	diff: all(scheme('forge-patch', 'multi-diff-editor'), not(focused('lists', 'tickets', 'repositories')), signedIn),
	newTicket: all(set('editorTextFocus'), scheme('forge-new')),
	description: all(set('editorTextFocus'), scheme('forge-description')),
	anywhere: signedIn,
};

/**
 * The editor does not report to a row's command whether Enter or the selection ran it. Enter keeps its meaning in the
 * box that filters a tree, on a button of a view, and in rows that stick to the top.
 */
const enterInViews = viewIds.map((id) => ({
	command: 'forge.view.enter',
	key: 'enter',
	when: `focusedView == ${id} && listFocus && !inputFocus && !treestickyScrollFocused`,
	args: id,
}));

/** A suggested change is a file fragment, and a formatter would damage it. */
const saveSuggestion = {
	command: 'workbench.action.files.saveWithoutFormatting',
	key: 'ctrl+s',
	mac: 'cmd+s',
	when: whenText(scheme('forge-suggestion')),
};

const fixed = {
	authentication: [{ id: 'forge', label: 'Forge' }],
	configurationDefaults: {
		// The panel would open with the first diff that has comments, over a third of the window.
		'comments.openView': 'never',
		'[markdown]': { 'editor.defaultColorDecorators': 'never' },
		'[git-commit]': { 'editor.defaultColorDecorators': 'never' },
		'[scminput]': { 'editor.defaultColorDecorators': 'never' },
		'[forge-mail]': {
			'editor.defaultColorDecorators': 'never',
			'editor.wordWrap': 'on',
			'editor.bracketPairColorization.enabled': false,
			'editor.formatOnSave': false,
			'files.trimTrailingWhitespace': false,
			'files.trimFinalNewlines': false,
			'files.insertFinalNewline': false,
			'editor.quickSuggestions': { comments: 'off', strings: 'off', other: 'off' },
		},
	},
	languages: [
		// The editor shows the paths of drafts. It restores those of 0.1.0, which begin with a dot, after an update.
		{ id: 'markdown', filenamePatterns: ['/Forge Desk/**', '**/.forge-new/**'] },
		{ id: 'forge-range-diff', aliases: ['Range Diff'], extensions: ['.range-diff'] },
		{
			id: 'forge-mail',
			aliases: ['Mail'],
			filenamePatterns: ['/Forge Mail/**', '**/.forge-reply/**'],
			configuration: './media/mail.language-configuration.json',
		},
	],
	grammars: [
		{ language: 'forge-range-diff', scopeName: 'source.range-diff', path: './media/rangeDiff.tmLanguage.json' },
		{ language: 'forge-mail', scopeName: 'text.forge-mail', path: './media/mail.tmLanguage.json' },
	],
	resourceLabelFormatters: [
		{
			scheme: 'forge',
			formatting: { label: '${path}', separator: '/', stripPathStartingSeparator: true, workspaceSuffix: 'Forge' },
		},
		{
			scheme: 'forge-patch',
			formatting: { label: '${path}${query.in}', separator: '/', stripPathStartingSeparator: true },
		},
		{
			scheme: 'forge-versions',
			formatting: { label: '${path}${query.in}', separator: '/', stripPathStartingSeparator: true },
		},
	],
	viewsContainers: { activitybar: [{ id: 'forge', title: 'Forge', icon: 'media/forge.svg' }] },
	views: {
		forge: [
			// The inbox would get the room that the collapsed views leave.
			{ ...view('inbox', 'Inbox'), initialSize: 8 },
			// It appears beside the others, and would take a third of their room.
			{ ...view('outbox', 'Outbox', set('forge.outbox.active')), initialSize: 4 },
			{ ...view('tickets', 'Tickets'), initialSize: 60 },
			{ ...view('lists', 'Lists'), initialSize: 6, visibility: 'collapsed' },
			{ ...view('repositories', 'Repositories'), initialSize: 6, visibility: 'collapsed' },
			view('search', 'Search', set('forge.search.active')),
			view('history', 'File History', set('forge.history.active')),
		],
	},
};

function view(id: ViewName, name: string, when?: When): object {
	return {
		id: `forge.${id}`,
		name,
		icon: 'media/forge.svg',
		contextualTitle: 'Forge',
		...(when && { when: whenText(when) }),
	};
}

const fileSchemes = [
	'',
	'-description',
	'-mail',
	'-new',
	'-patch',
	'-reply',
	'-review',
	'-series',
	'-suggestion',
	'-versions',
];

const activationEvents = [
	'onAuthenticationRequest:forge',
	...fileSchemes.map((end) => `onFileSystem:forge${end}`),
	// It serves references in texts, too. Events of languages would become tags on the marketplace.
	'onStartupFinished',
	'onTerminal:*',
	'onUri',
	...panelNames.toSorted().map((name) => `onWebviewPanel:forge.${name}`),
];
