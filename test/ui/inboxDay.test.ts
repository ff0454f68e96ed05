import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import { inRest } from '../support/parts.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { isWatched } from './support/keptInbox.ts';
import { keysOnly } from './support/keysOnly.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import { waysIn } from './support/sharedForge.ts';
import {
	editorTab,
	openContainer,
	openOnly,
	pageHasKeyboard,
	refreshInbox,
	treeItem,
	viewsAreAtRest,
	viewSection,
	webview,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const titles = Array.from({ length: 20 }, (_, at) => `Lamp ${at + 1} smokes`);

/** Keys after the first two, which go to the first row and open it. */
const acts = { done: ['e'], mute: ['x'], snooze: ['Shift+w', 'Enter'] } as const;
const actAt = (at: number): keyof typeof acts => (at % 5 === 3 ? 'mute' : at % 5 === 4 ? 'snooze' : 'done');

for (const dialect of waysIn('field')) {
	chainedSuite(`${dialect}: a full Inbox with the keyboard alone`, function () {
		inRest(this);
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			await forge.act('/todo/tracker', { name: 'workshop' });
			for (const title of titles) {
				await forge.act('/todo/ticket', { tracker: '~alice/workshop', title });
			}
		});
		const workbench = useWorkbench(() => ({
			name: `inbox-day-${dialect}`,
			// A regular forge, because the extension stores nothing for the sample forge.
			settings: { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] },
			// High enough for all rows, because a view renders only rows in view.
			viewport: { width: 1000, height: 1200 },
		}));
		const keys = keysOnly(workbench);
		suiteTeardown(() => forge.stop());

		const rows = (): Locator => viewSection(workbench().page, 'Inbox').getByRole('treeitem');
		const pageOf = (title: string): Promise<void> =>
			webview(workbench().page).getByRole('heading', { name: title }).waitFor();
		const titleIn = (label: string | null): string => /· (Lamp \d+ smokes)/.exec(label ?? '')?.[1] ?? '';
		const order: string[] = [];

		test('groups its rows by what needs an answer', async () => {
			const { page, dataFolder } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await treeItem(page, /^Tracker workshop/).waitFor();
			await eventually(async () => isWatched(dataFolder, 'tracker ~alice/workshop'), true);
			for (const [at] of titles.entries()) {
				const text = at % 2 === 0 ? 'Can you look, ~alice?' : 'Mine smokes too.';
				await forge.act('/todo/comment', { ticket: `~alice/workshop#${at + 1}`, by: 'bob', text });
			}
			await refreshInbox(page);
			await openOnly(page, 'Inbox');
			await treeItem(page, 'Waiting for you, 10 items').waitFor();
			await treeItem(page, 'For your information, 10 items').waitFor();
			await viewsAreAtRest(page);
			for (const row of await rows().all()) {
				order.push(titleIn(await row.getAttribute('aria-label')));
			}
			assert.deepEqual(
				order.map((title) => title === '').flatMap((isGroup, at) => (isGroup ? [at] : [])),
				[0, 11],
			);
			await workbench().screenshot('groups');
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
			let pressed = 0;
			const press = async (...each: readonly string[]): Promise<void> => {
				pressed += each.length;
				await keys.press(...each);
			};
			await keys.goDownTo('Inbox', /^Waiting for you/);
			await press('ArrowDown', 'Enter');
			const walk = order.filter((title) => title !== '');
			for (const [at, title] of walk.entries()) {
				await pageOf(title);
				await pageHasKeyboard(page);
				const [key, ...answer] = acts[actAt(at)];
				await press('Alt+j', key);
				if (answer.length > 0) {
					await keys.boxIsOpen();
					await press(...answer);
				}
			}
			await treeItem(page, 'Snoozed, 4 items').waitFor();
			assert.deepEqual(await Promise.all((await rows().all()).map((row) => row.getAttribute('aria-label'))), [
				'Snoozed, 4 items',
			]);
			assert.equal(pressed, 2 + 16 * 2 + 4 * 3);
			await workbench().screenshot('worked through');
		});

		test('takes back the last change, and brings the page back', async () => {
			const { page } = workbench();
			await keys.chordOnPage('u');
			await treeItem(page, / · Lamp \d+ smokes/).waitFor();
			await treeItem(page, 'Snoozed, 3 items').waitFor();
		});
	});
}
