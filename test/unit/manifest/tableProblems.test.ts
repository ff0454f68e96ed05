import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, inView, merged, rows, submenuOf, type Command } from '../../../src/commands/command.ts';
import { rowContext, rowKinds, type RowKind, type RowMark } from '../../../src/commands/rows.ts';
import { commandTable } from '../../../src/commands/table.ts';
import { not, ownKeys, scheme, set, signedIn } from '../../../src/commands/when.ts';
import { withKeyTables } from '../../../src/manifest/keyTables.ts';
import { listedFoci, tableProblems } from './support/tableProblems.ts';
import type { ViewName } from '../../../src/commands/viewIds.ts';
import { offeredOn, type OfferedEntry } from '../../support/rowMenus.ts';

const root = join(import.meta.dirname, '../../..');

/** Today's table with one more command. */
function withCommand(facts: Command): Readonly<Record<string, Command>> {
	return { ...commandTable, 'forge.planted': facts };
}

function sources(): readonly string[] {
	return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && !/^(?:commands|manifest|sampleForge|webview)\b/.test(file))
		.map((file) => readFileSync(join(root, 'src', file), 'utf8'));
}

/** Every subset of the items. */
function subsets<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
	return items.reduce<readonly (readonly Item[])[]>((all, item) => [...all, ...all.map((set) => [...set, item])], [[]]);
}

function firstLevel(entries: readonly OfferedEntry[]): readonly string[] {
	const shown = entries.filter(({ group }) => !group.startsWith('inline'));
	return [...new Set(shown.map(({ command: id, group }) => submenuOf(group) ?? id))];
}

suite('command table', () => {
	test('has no problems', () => {
		assert.deepEqual(tableProblems(commandTable), []);
	});

	test('cannot name an unknown row, mark, view, context key or menu, or omit the palette', () => {
		// Each of these lines is a compile error; otherwise the compiler reports the comment as unused.
		const mistakes = (): readonly unknown[] => [
			// @ts-expect-error -- no such kind of row
			rows('tickt'),
			// @ts-expect-error -- no such mark of tickets
			rows('ticket', 'assign'),
			// @ts-expect-error -- a mark of other rows
			rows('patchset', '-noTriage'),
			// @ts-expect-error -- no such view
			inView('ticket', rows('ticket')),
			// @ts-expect-error -- no such context key
			not(set('forge.tickets.filterd')),
			// @ts-expect-error -- no such scheme
			scheme('forge-mails'),
			// @ts-expect-error -- nothing says when the palette has it
			command('Planted', ''),
			// @ts-expect-error -- no such menu
			command('Planted', '', 'never', { menus: { 'editor/titles': [[signedIn, 'navigation@1']] } }),
			// @ts-expect-error -- a group without a number
			command('Planted', '', 'never', { rows: [[rows('ticket'), '1_work']] }),
			// @ts-expect-error -- no such focus
			command('Planted', '', 'never', { keys: { z: ['queue'] } }),
			// @ts-expect-error -- a row that does not say whether it is unread
			rowContext('patchset', {}),
		];
		assert.equal(typeof mistakes, 'function');
	});

	test('reports a row menu entry that matches no row', () => {
		const planted = (of: ReturnType<typeof rows>): readonly string[] =>
			tableProblems(withCommand(command('Planted', '', 'never', { rows: [[of, '1_work@1']] })));
		assert.deepEqual(planted(rows('ticket', 'unread')), []);
		assert.deepEqual(planted(rows('ticket', 'unread', '-unread')), [
			'forge.planted: no row "ticket" matches in the views "tickets"',
		]);
		assert.deepEqual(planted(inView('lists', rows('ticket'))), [
			'forge.planted: no row "ticket" matches in the views ""',
		]);
		// One of two families lacks the mark.
		assert.deepEqual(planted(rows(['patchset', 'mail.cover'], 'unread')), [
			'forge.planted: no row "mail.cover" matches in the views "lists"',
		]);
	});

	test('reports a chord with two meanings in any focus', () => {
		const planted = (keys: NonNullable<Command['keys']>): readonly string[] =>
			tableProblems(withCommand(command('Planted', '', 'never', { keys })));
		assert.deepEqual(planted({ r: ['tickets'] }), ['r: forge.tickets.resolve, forge.planted']);
		assert.deepEqual(planted({ r: ['repositories'] }), ['r: forge.tickets.resolve, forge.planted']);
		assert.deepEqual(planted({ g: ['thread'] }), ['g: forge.goTo, forge.planted']);
		assert.deepEqual(planted({ 'Shift+R': ['tickets'] }), ['forge.planted: "Shift+R" is no chord']);
	});

	test('reports a command that nothing offers, and a merged command with a missing part', () => {
		assert.deepEqual(tableProblems(withCommand(command('Planted', '', 'part'))), ['forge.planted: nothing offers it']);
		const broken = merged('Planted', '', signedIn, { otherwise: 'forge.tickets.nxt' });
		assert.deepEqual(tableProblems(withCommand(broken)), ['forge.planted: there is no command forge.tickets.nxt']);
	});

	test('has at most 14 entries in the menu of any row, with each submenu counted once', () => {
		const kinds = Object.keys(rowKinds).filter((kind): kind is RowKind => Object.hasOwn(rowKinds, kind));
		const longest = kinds.flatMap((kind) => {
			const { views, marks }: { readonly views: readonly ViewName[]; readonly marks: readonly RowMark<RowKind>[] } =
				rowKinds[kind];
			const all = ownKeys.filter((key) => key !== 'forge.signedOut');
			return views.flatMap((view) =>
				subsets(marks).map((set) => ({
					row: [kind, ...set].join('.'),
					count: firstLevel(offeredOn(kind, set, [...all, 'isWorkspaceTrusted'], view)).length,
				})),
			);
		});
		assert.ok(longest.length > 100);
		assert.deepEqual(
			longest.filter(({ count }) => count > 14),
			[],
		);
	});

	test('offers at most 80 commands in the palette, and at most 51 wherever the focus is', () => {
		const palettes = Object.values<Command>(commandTable).map(({ palette }) => palette);
		const offered = palettes.filter((palette) => palette !== 'never' && palette !== 'part');
		const always = offered.filter((palette) => palette === 'always' || palette === signedIn);
		assert.ok(offered.length <= 80, String(offered.length));
		assert.ok(always.length <= 51, String(always.length));
	});

	test('offers in the palette one command to sign in and one to refresh', () => {
		const titles = Object.values<Command>(commandTable)
			.filter(({ palette }) => palette !== 'never' && palette !== 'part')
			.map(({ title }) => title);
		assert.deepEqual(
			titles.filter((title) => /^(?:Sign In|Refresh)/.test(title)),
			['Refresh', 'Sign In…'],
		);
	});

	test('contributes every command that code runs by its id', () => {
		const run = sources().flatMap((source) =>
			Array.from(source.matchAll(/(?:executeCommand\(\s*|command: |value: \[)'(forge\.[\w.]+)'/g), ([, id = '']) => id),
		);
		assert.ok(run.length > 40, String(run.length));
		const facts = new Map<string, Command>(Object.entries(commandTable));
		const viewCommand = /^forge\.\w+\.focus$/;
		assert.deepEqual(
			run.filter((id) => !viewCommand.test(id) && (facts.get(id)?.palette ?? 'part') === 'part'),
			[],
		);
	});

	test('writes the key tables of guides, and detects a missing command', () => {
		const guide = readFileSync(join(root, 'docs/tickets.md'), 'utf8');
		assert.equal(withKeyTables(guide, commandTable), guide);
		const without = guide.replace(/^\| .*\*\*Resolve Ticket\*\*.*\n/m, '');
		assert.notEqual(without, guide);
		assert.equal(withKeyTables(without, commandTable), guide);
		const planted = withCommand(command('Planted', '', 'never', { keys: { 'shift+z': ['ticket'] }, help: 'a test' }));
		assert.ok(withKeyTables(guide, planted).includes('| `Alt+J Shift+Z` | **Planted**: a test |'));
	});

	test('has a key table in some guide for every focus with a key', () => {
		const listed = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
			.filter((file) => file.endsWith('.md'))
			.flatMap((file) => listedFoci(readFileSync(join(root, file), 'utf8')));
		const foci = Object.values<Command>(commandTable).flatMap(({ keys }) => Object.values(keys ?? {}).flat());
		assert.deepEqual(
			[...new Set(foci)].filter((focus) => !listed.includes(focus)),
			[],
		);
	});

	test('names only context keys that something sets', () => {
		const all = sources().join('\n');
		const isSet = (key: string): boolean => {
			const [, view = '', name = ''] = /^(forge\.\w+)\.(\w+)$/.exec(key) ?? [];
			return all.includes(`'${key}'`) || (all.includes(`'${view}'`) && new RegExp(`\\b${name}\\b`).test(all));
		};
		assert.deepEqual(
			ownKeys.filter((key) => !isSet(key)),
			[],
		);
	});

	test('provides the only functions that write context values of rows', () => {
		const assigned = sources().flatMap((source) =>
			Array.from(source.matchAll(/\bitem\.contextValue = (\w+)/g), ([, maker = '']) => maker),
		);
		assert.ok(assigned.length > 30, String(assigned.length));
		assert.deepEqual(
			assigned.filter((maker) => !/^(?:rowContext|contextOf)$/.test(maker)),
			[],
		);
	});
});
