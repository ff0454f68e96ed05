import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import { inRest } from '../support/parts.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { pressInBox, typeInBox } from './support/boxKeys.ts';
import { isWatched } from './support/keptInbox.ts';
import { keysOnly } from './support/keysOnly.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import { waysIn } from './support/sharedForge.ts';
import { changedTickets, ticketState } from './support/ticketChanges.ts';
import {
	editorHasKeyboard,
	editorTab,
	foldView,
	notification,
	openContainer,
	openOnly,
	openPalette,
	pageHasKeyboard,
	quickInput,
	refreshInbox,
	treeItem,
	viewsAreAtRest,
	viewSection,
	webview,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const parts = ['inbox', 'triage', 'duplicate', 'bulk', 'away', 'code'] as const;
type Part = (typeof parts)[number];

/** Bounds. A comment counts as one key, a search term by its letters. */
const mostKeys: Readonly<Record<Part, number>> = { inbox: 59, triage: 194, duplicate: 7, bulk: 14, away: 12, code: 24 };

const lamps = Array.from({ length: 20 }, (_, at) => `Lamp ${at + 1} smokes`);

const duplicate = { id: 20, title: 'Ants in the pantry again' } as const;
const animals =
	'Ants Bees Cats Dogs Elks Foxes Gnus Hens Ibises Jays Kites Larks Mice Newts Owls Pigs Quails Rats Swans Toads Voles Wasps Yaks Zebras Bats Crows Ducks Eels Frogs Geese';
const places = ['pantry', 'attic', 'cellar', 'garden', 'hall'] as const;

/** The tickets of the triage. The tree shows the newest first. */
const troubles = animals
	.split(' ')
	.map((animal, at) =>
		at + 1 === duplicate.id ? duplicate.title : `${animal} in the ${places[at % places.length] ?? ''}`,
	);

/** Keys after the first two, which go to the first row and open it. */
const inboxActs = { done: ['e'], mute: ['x'], snooze: ['Shift+w', 'Enter'] } as const;
const inboxActAt = (at: number): keyof typeof inboxActs => (at % 5 === 3 ? 'mute' : at % 5 === 4 ? 'snooze' : 'done');

for (const dialect of waysIn('field')) {
	chainedSuite(`${dialect}: one day with the keyboard alone`, function () {
		inRest(this);
		let forge: SampleForge;
		let door: Relay;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			door = await startRelay(forge.areas.todo);
			await forge.act('/todo/tracker', { name: 'workshop' });
			for (const title of lamps) {
				await forge.act('/todo/ticket', { tracker: '~alice/workshop', title });
			}
			await forge.act('/todo/tracker', { name: 'house' });
			for (const name of ['later', 'urgent']) {
				await forge.act('/todo/label', { tracker: '~alice/house', name, background: '#aa0000' });
			}
			for (const title of troubles) {
				await forge.act('/todo/ticket', { tracker: '~alice/house', title });
			}
		});
		const workbench = useWorkbench(() => ({
			name: `one-day-${dialect}`,
			// A regular forge, because the extension stores nothing for the sample forge.
			settings: {
				'forge.forges': [
					{ name: 'Lantern Forge', areas: { ...forge.areas, todo: door.origin }, signIn: { kind: 'tokenOnly' } },
				],
			},
			// High enough for all rows, because a view renders only rows in view.
			viewport: { width: 1000, height: 1200 },
		}));
		suiteSetup(() => writeFileSync(join(workbench().folder, 'wick.c'), '// TODO: trim the wick\nint trim(void);\n'));
		suiteTeardown(async () => {
			await door.stop();
			await forge.stop();
		});

		const keys = keysOnly(workbench);
		const spent = new Map<Part, number>();
		let part: Part = 'inbox';
		const count = (pressed: number): void => void spent.set(part, (spent.get(part) ?? 0) + pressed);

		async function press(...each: readonly string[]): Promise<void> {
			count(each.length);
			await keys.press(...each);
		}

		async function chord(key: string): Promise<void> {
			await pageHasKeyboard(workbench().page);
			await press('Alt+j', key);
		}

		/** Types into the open box, and takes the first row. */
		async function choose(text: string, first: string | RegExp): Promise<void> {
			count(text.length + 1);
			await keys.type(text, first);
		}

		/** Runs a command by a part of its title. */
		async function run(text: string, title: string): Promise<void> {
			count(1);
			await openPalette(workbench().page);
			await choose(text, title);
		}

		const rows = (view: string): Locator => viewSection(workbench().page, view).getByRole('treeitem');
		const pageOf = (title: string): Promise<void> =>
			webview(workbench().page).getByRole('heading', { name: title, exact: true }).waitFor();

		async function comment(text: string): Promise<void> {
			const { page } = workbench();
			await chord('c');
			await webview(page).locator('.composer textarea:focus').waitFor();
			count(1);
			await page.keyboard.type(text);
			await press('Control+Enter');
		}

		/** Checks a label in the open box: the first row with the typed text. */
		async function addLabel(name: string, typed: string): Promise<void> {
			const { page } = workbench();
			await keys.boxIsOpen();
			count(typed.length);
			await typeInBox(quickInput(page), typed);
			await quickInput(page).locator('.monaco-list-row').first().filter({ hasText: name }).waitFor();
			await press('ArrowDown', 'Space');
			await quickInput(page).getByText('1 Selected').waitFor();
			count(1);
			await pressInBox(quickInput(page), 'Enter');
		}

		/** Resolves as fixed, the first row. */
		async function resolve(): Promise<void> {
			const { page } = workbench();
			await chord('r');
			await keys.boxIsOpen();
			await keys.focusedOption().filter({ hasText: 'fixed' }).waitFor();
			count(1);
			await pressInBox(quickInput(page), 'Enter');
		}

		const titleIn = (label: string | null): string => /· (Lamp \d+ smokes)/.exec(label ?? '')?.[1] ?? '';
		const order: string[] = [];

		test('the Inbox groups its rows by what needs an answer', async () => {
			const { page, dataFolder } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await treeItem(page, /^Tracker workshop/).waitFor();
			await eventually(async () => isWatched(dataFolder, 'tracker ~alice/workshop'), true);
			for (const [at] of lamps.entries()) {
				const text = at % 2 === 0 ? 'Can you look, ~alice?' : 'Mine smokes too.';
				await forge.act('/todo/comment', { ticket: `~alice/workshop#${at + 1}`, by: 'bob', text });
			}
			await refreshInbox(page);
			await openOnly(page, 'Inbox');
			await treeItem(page, 'Waiting for you, 10 items').waitFor();
			await treeItem(page, 'For your information, 10 items').waitFor();
			await viewsAreAtRest(page);
			for (const row of await rows('Inbox').all()) {
				order.push(titleIn(await row.getAttribute('aria-label')));
			}
			assert.deepEqual(
				order.map((title) => title === '').flatMap((isGroup, at) => (isGroup ? [at] : [])),
				[0, 11],
			);
			await workbench().screenshot('groups');
			await keys.watchPointers();
		});

		test('keeps the keyboard when the selection opens a row', async () => {
			const { page } = workbench();
			await keys.goDownTo('Inbox', /^Waiting for you/);
			await keys.press('ArrowDown', 'Shift+ArrowDown');
			await editorTab(page, /Lamp \d+ smokes/).waitFor();
			await viewSection(page, 'Inbox').locator('.monaco-list:focus').waitFor();
		});

		test('works through 20 rows, and brings the next page each time', async () => {
			const { page } = workbench();
			part = 'inbox';
			await run('inbox view', 'Forge: Focus on Inbox View');
			await viewSection(page, 'Inbox').locator('.monaco-list:focus').waitFor();
			await viewsAreAtRest(page);
			await press('Home', 'ArrowDown', 'Enter');
			const walk = order.filter((title) => title !== '');
			for (const [at, title] of walk.entries()) {
				await pageOf(title);
				const [key, ...answer] = inboxActs[inboxActAt(at)];
				await chord(key);
				if (answer.length > 0) {
					await keys.boxIsOpen();
					await press(...answer);
				}
			}
			await treeItem(page, 'Snoozed, 4 items').waitFor();
			assert.deepEqual(await Promise.all((await rows('Inbox').all()).map((row) => row.getAttribute('aria-label'))), [
				'Snoozed, 4 items',
			]);
			await workbench().screenshot('worked through');
		});

		test('takes back the last change, and brings the page back', async () => {
			const { page } = workbench();
			await keys.chordOnPage('u');
			await treeItem(page, / · Lamp \d+ smokes/).waitFor();
			await treeItem(page, 'Snoozed, 3 items').waitFor();
		});

		test('triages 30 tickets, and resolves one with the reference of its original', async () => {
			const { page } = workbench();
			await foldView(page, 'Inbox');
			part = 'triage';
			await run('tickets view', 'Forge: Focus on Tickets View');
			await viewSection(page, 'Tickets').locator('.monaco-list:focus').waitFor();
			await viewsAreAtRest(page);
			await press('Home', 'ArrowDown', 'ArrowRight');
			await treeItem(page, /^Ants in the pantry #1,/).waitFor();
			await viewsAreAtRest(page);
			await press('ArrowDown', 'Enter');
			for (const [at, title] of troubles.toReversed().entries()) {
				await pageOf(title);
				if (title === duplicate.title) {
					part = 'duplicate';
					await chord('r');
					await choose('dup', 'duplicate');
					await keys.boxIsOpen();
					await keys.focusedOption().filter({ hasText: 'Ants in the pantry' }).waitFor();
					count(1);
					await pressInBox(quickInput(page), 'Enter');
					await webview(page).locator('.entry .markdown').getByText('Duplicate of #1.').waitFor();
					part = 'triage';
				} else if (at % 3 === 0) {
					await chord('l');
					await addLabel('later', '');
					await webview(page).locator('.labels').getByText('later').waitFor();
				} else if (at % 3 === 1) {
					await resolve();
					await webview(page).locator('.status').getByText('Resolved').waitFor();
				} else {
					await comment('Seen, thank you.');
					await webview(page).locator('.entry .markdown').getByText('Seen, thank you.').waitFor();
				}
				if (at + 1 < troubles.length) {
					await chord('n');
				}
			}
			await treeItem(page, /^Tracker house of ~alice, 20\+? open/).waitFor();
			assert.equal((await ticketState(forge, `~alice/house#${duplicate.id}`)).status, 'resolved');
			await workbench().screenshot('triaged');
		});

		test('labels five rows at once', async () => {
			const { page } = workbench();
			part = 'bulk';
			await press('Control+0');
			await viewSection(page, 'Tickets').locator('.monaco-list:focus').waitFor();
			// The cursor is still on the row of the first ticket.
			await press('Space');
			await pageOf(troubles.at(-1) ?? '');
			await press(...Array<string>(4).fill('Shift+ArrowDown'));
			await eventually(() => viewSection(page, 'Tickets').locator('.monaco-list-row.selected').count(), 5);
			await viewsAreAtRest(page);
			await press('Alt+j', 'l');
			await addLabel('urgent', 'urg');
			await notification(page, 'Changed labels on 5 tickets.').waitFor();
			const labelled = await Promise.all(
				[30, 29, 28, 27, 26].map(async (id) => (await ticketState(forge, `~alice/house#${id}`)).labels),
			);
			assert.deepEqual(labelled, [2, 1, 1, 2, 1]);
			await workbench().screenshot('labelled');
		});

		test('queues two changes while the forge is away, and sends them once and in order', async () => {
			const { page } = workbench();
			await forge.forgetRequests();
			await door.close();
			part = 'away';
			await press('Control+1');
			await comment('While you were away.');
			await eventually(() => rows('Outbox').count(), 1);
			// The next row is resolved since the triage.
			await chord('n');
			await pageOf(troubles.at(-2) ?? '');
			await chord('n');
			await pageOf(troubles.at(-3) ?? '');
			await resolve();
			await eventually(() => rows('Outbox').count(), 2);
			const [outbox, tickets] = await Promise.all(
				['Outbox', 'Tickets'].map(async (view) => (await viewSection(page, view).boundingBox())?.height ?? 0),
			);
			assert.ok(Number(outbox) < Number(tickets) / 3, `${outbox} of ${tickets} px`);
			// Both rows have the mark of waiting changes.
			await rows('Tickets').locator('[class*="monaco-decoration-itemBadge"]').nth(1).waitFor();
			await workbench().screenshot('outbox');
			await door.reopen();
			await viewSection(page, 'Outbox').waitFor({ state: 'detached' });
			assert.deepEqual(await changedTickets(forge), [30, 28]);
			assert.equal((await ticketState(forge, '~alice/house#28')).status, 'resolved');
			await workbench().screenshot('sent');
		});

		test('makes a ticket from code', async () => {
			const { page } = workbench();
			part = 'code';
			await press('Control+p');
			await choose('wick', 'wick.c');
			await editorTab(page, 'wick.c').waitFor();
			await editorHasKeyboard(page);
			await run('from here', 'Forge: New Ticket from Here…');
			await choose('house', /house/);
			await editorTab(page, 'New ticket in house').waitFor();
			await editorHasKeyboard(page);
			await press('Control+Enter');
			await pageOf('trim the wick');
		});

		test('needs no more keys than allowed, and no pointer', async () => {
			const over = parts
				.map((each) => [each, spent.get(each) ?? 'none', mostKeys[each]] as const)
				.filter(([, found, most]) => found === 'none' || found > most);
			assert.deepEqual(over, []);
			await keys.assertNoPointer();
		});
	});
}
