import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox, pressInBox } from '../support/boxKeys.ts';
import { lookAtList } from '../support/listLook.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	collapse,
	expand,
	gitIsThere,
	notification,
	openOnly,
	pick,
	question,
	quickInput,
	treeItem,
	viewsAreAtRest,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

const develList = '~alice/lantern-devel';

/** The stored display settings of lists. */
function keptListChoices(dataFolder: string): string {
	return globSync(join(dataFolder, 'User/globalStorage/*/texts/*/lists-shown.json'))
		.map((file) => readFileSync(file, 'utf8'))
		.join('\n');
}

/** Shows the list with the patchsets of the tests. */
async function openLists(page: Page): Promise<void> {
	await openOnly(page, 'Lists');
	await expand(page, /^Mailing list lantern-devel/);
	await treeItem(page, /^Needs my review, patchsets: /).waitFor();
}

/** Selects two rows of a tree, the second one last. */
async function selectBoth(page: Page, first: RegExp, second: RegExp): Promise<void> {
	const twoRows = [treeItem(page, first), treeItem(page, second)];
	await viewsAreAtRest(page);
	for (const row of twoRows) {
		await row.click({ modifiers: ['ControlOrMeta'] });
	}
	for (const row of twoRows) {
		await row.and(page.locator('[aria-selected="true"]')).waitFor();
	}
}

export function reviewersBoard(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: the reviewer's board`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `board-${dialect}`,
			viewport: { width: 1280, height: 1400 },
			env: knowing(forge, 'alice'),
		}));
		suiteSetup(() => openLists(workbench().page));
		suiteTeardown(() => giveBackForge(forge));

		const proposed = /^mouse: drag to select, Proposed, version 2/i;

		testInProve('groups patchsets by the next step, and folds the decided ones', async () => {
			const { page } = workbench();
			await treeItem(page, /^Stale, patchsets: /).waitFor();
			await treeItem(page, /^Approved, patchsets: /).waitFor();
			const done = treeItem(page, /^Done, patchsets: /);
			assert.equal(await done.getAttribute('aria-expanded'), 'false');
		});

		testInProve(
			'an unfolded patchset shows its number of patches and replies, and files with their marks',
			async () => {
				const { page } = workbench();
				await expand(page, proposed);
				await treeItem(page, /^mouse: drag to select, Proposed, version 2, 3 patches, by .*heidi.*\d repl/i).waitFor();
				await expand(page, /^Patch 1\/3/);
				const file = treeItem(page, /^File mouse_select\.c, added, /);
				await file.waitFor();
				// The editor renders the mark behind the label after a request for it.
				await page.waitForFunction(() => {
					const row = document.querySelector('[role="treeitem"][aria-label^="File mouse_select.c"]');
					const parts = row ? [row, ...row.querySelectorAll('*')] : [];
					return parts.some((part) => getComputedStyle(part, '::after').content === '"A"');
				});
				for (const theme of ['light', 'highContrast', 'dark'] as const) {
					await workbench().setTheme(theme);
					await workbench().screenshot(`board-${theme}`);
				}
			},
		);

		testInProve('a filter names the wrong term, counts its matches, and shows on the list’s row', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Filter Patchsets and Threads…');
			await fillBox(quickInput(page), 'status:propsed');
			await quickInput(page).getByText('"propsed" is not a value of "status:". Did you mean "proposed"?').waitFor();
			await fillBox(quickInput(page), 'status:proposed prefix:lantern');
			await quickInput(page)
				.getByRole('option', { name: /patchsets: \d+ of \d+/ })
				.waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await treeItem(
				page,
				/^Mailing list lantern-devel .*filtered: status:proposed prefix:lantern · \d+ of \d+/,
			).waitFor();
			// Not "Done", because it contains an earlier version that is still proposed.
			await treeItem(page, /^Approved, patchsets: /).waitFor({ state: 'detached' });
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Clear Filter of Patchsets and Threads');
			await treeItem(page, /^Approved, patchsets: /).waitFor();
		});

		test('sets the status of several patchsets at once', async () => {
			const { page } = workbench();
			const { patchsets } = await lookAtList(forge, develList);
			const [one, two] = patchsets.filter(({ status }) => status === 'approved').toReversed();
			assert.ok(one && two);
			const row = ({ subject }: typeof one, status = 'Approved'): RegExp =>
				new RegExp(`^${subject.replaceAll(/[^\w ]/g, '.')}, ${status}`);
			await selectBoth(page, row(one), row(two));
			await chooseFromMenu(page, row(two), 'Set Status…');
			await pick(page, 'Needs revision');
			const asked = question(page, 'Set the status of 2 patchsets to Needs revision?');
			await asked.getByRole('button', { name: 'Set to Needs revision' }).click();
			await notification(page, 'Marked 2 patchsets as Needs revision.').waitFor();
			const { patchsets: after } = await lookAtList(forge, develList);
			for (const { id } of [one, two]) {
				assert.equal(after.find((each) => each.id === id)?.status, 'needs_revision');
			}
			// Not every forge lets a status change update a stale patchset.
			await expand(page, /^Stale, patchsets: /);
			await treeItem(page, row(one, 'Needs revision')).waitFor();
			await treeItem(page, row(two, 'Needs revision')).waitFor();
			await collapse(page, /^Stale, patchsets: /);
		});

		testInProve('suggests a status with its evidence, and sets it only on request', async () => {
			const { page } = workbench();
			const old = /^mouse: drag to select, Proposed, version 1/i;
			const [first, second] = (await lookAtList(forge, develList)).patchsets.filter(({ subject }) =>
				/^mouse: drag to select$/i.test(subject),
			);
			assert.ok(first && second);
			// The row of its next version replaces it.
			await expand(page, /^Done, patchsets: /);
			await chooseFromMenu(page, old, 'Link Patchset to Another Version…', 'More');
			await pick(page, /mouse: drag to select/i);
			await page.getByText('Linked', { exact: true }).first().waitFor();
			await chooseFromMenu(page, old, 'Show Suggested Patchset Status…', 'More');
			await quickInput(page).getByText('You linked version 2 to it.').waitFor();
			const { patchsets: untouched } = await lookAtList(forge, develList);
			assert.equal(untouched.find(({ id }) => id === Math.min(first.id, second.id))?.status, 'proposed');
			await pick(page, /^Set to Superseded by v2/);
			await treeItem(page, /^mouse: drag to select, Superseded, version 1/i).waitFor();
			await collapse(page, /^Done, patchsets: /);
		});

		testInProve('saves a patchset as a mailbox, and copies its command and Message-ID', async () => {
			const { page } = workbench();
			const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
			await chooseFromMenu(page, proposed, 'Copy git am Command…', 'Copy');
			await page.getByText('Copied', { exact: true }).first().waitFor();
			assert.match(await copied(), /^curl -s http.*\/~alice\/lantern-devel\/patches\/\d+\/mbox \| git am -3$/);
			await chooseFromMenu(page, proposed, 'Save Patchset as .mbox…', 'More');
			const suggested = quickInput(page).locator('input').first();
			// The dialog accepts nothing until it has read the folder.
			await quickInput(page).getByRole('option', { name: '.git' }).waitFor();
			const place = join(workbench().folder, 'v2-mouse-drag-to-select.mbox');
			await eventually(() => suggested.inputValue(), place);
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			await quickInput(page).getByText('Choose trailers to add to the commit messages').waitFor();
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			await notification(page, /Saved v2-mouse-drag-to-select\.mbox/).waitFor();
			const text = await readFile(place, 'utf8');
			assert.deepEqual(
				text
					.split('\n')
					.filter((line) => line.startsWith('Subject: '))
					.map((line) => /\d\/3/.exec(line)?.[0]),
				['1/3', '2/3', '3/3'],
			);
			await page.evaluate(() => navigator.clipboard.writeText(''));
			await chooseFromMenu(page, /^Cover letter 0\/3/, 'Copy Message-ID…', 'Copy');
			let id = '';
			while (id === '') {
				id = await copied();
			}
			assert.match(id, /^<[^<>]+@[^<>]+>$/);
		});

		testInProve('keeps the display settings of a list after a reload', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Group Patchsets…');
			await pick(page, 'As one list');
			// Without groups, patchsets are one level higher.
			await page.getByRole('treeitem', { name: proposed, level: 3 }).first().waitFor();
			await eventually(async () => keptListChoices(workbench().dataFolder).includes('"patchsets":"newest"'), true);
			await page.reload();
			await gitIsThere(page);
			await expand(page, /^Mailing list lantern-devel/);
			await page.getByRole('treeitem', { name: proposed, level: 3 }).first().waitFor();
			await viewsAreAtRest(page);
			assert.equal(await page.getByRole('treeitem', { name: /^Needs my review/ }).count(), 0);
		});
	});
}
