import { besideNeighbours, type Neighbour } from '../harness/neighbours.ts';
import { eventually } from '../support/eventually.ts';
import { inRest } from '../support/parts.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { keysOnly } from './support/keysOnly.ts';
import { postRemarked, remarksOn } from './support/remarkedSeries.ts';
import { knowing } from './support/sampleWindow.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { shownRemarks } from './support/shownRemarks.ts';
import { editorHasKeyboard, gitIsThere, isKept, openOnly, runCommand, treeItem } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const list = '~alice/lantern-devel';
const title = 'lamps: many wicks';
const row = new RegExp(`^${title}, `);

/** Patches with so many comments each, read in one new window beside other extensions with comments. */
function read(counts: readonly number[], ...neighbours: readonly Neighbour[]): Mocha.Suite {
	return suite(`${counts.length} diffs with comments beside extensions with comments: ${neighbours.join(', ')}`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge('field');
			await postRemarked(forge, list, title, counts);
		});
		const workbench = useWorkbench(() => ({
			name: `comments-in-diffs-${neighbours.join('-')}`,
			env: { ...knowing(forge, 'alice'), ...besideNeighbours(...neighbours) },
			viewport: { width: 1400, height: 2000 },
		}));
		const keys = keysOnly(workbench);
		suiteTeardown(() => giveBackForge(forge));

		/** The remarks in the diff in front, when no extension has an answer left to give. */
		async function areShown(at: number): Promise<void> {
			const { page } = workbench();
			const group = page.locator('.editor-group-container.active');
			await group.getByRole('tab', { name: new RegExp(`^lamp-${at} `), selected: true }).waitFor();
			await group.locator('.review-widget').first().waitFor({ state: 'attached' });
			await editorHasKeyboard(page);
			await page.locator('.statusbar-item').filter({ hasText: 'Neighbours at rest' }).waitFor();
			const expected = remarksOn(at, counts[at] ?? 0);
			// The first come at once, and the others in slices.
			await eventually(async () => (await shownRemarks(page)).join('\n'), expected.join('\n'), 60_000);
		}

		test('show every comment once, at the first opening of each', async function () {
			this.timeout(1_200_000);
			const { page } = workbench();
			await openOnly(page, 'Lists');
			await keys.goDownTo('Lists', /^Mailing list lantern-devel/);
			await keys.press('ArrowRight');
			await treeItem(page, row).waitFor();
			await keys.goDownTo('Lists', row);
			await keys.chord('j');
			await areShown(0);
			for (let at = 1; at < counts.length; at += 1) {
				await keys.chord('ArrowRight');
				await areShown(at);
			}
		});

		test('show them in a second group', async function () {
			this.timeout(600_000);
			const { page } = workbench();
			const last = counts.length - 1;
			await runCommand(page, 'View: Split Editor Right');
			await page.locator('.editor-group-container').nth(1).getByRole('tab').first().waitFor();
			await areShown(last);
		});

		test('show them after a reload of the window', async function () {
			this.timeout(600_000);
			const { page } = workbench();
			const last = counts.length - 1;
			await isKept(page, `lamp-${last}`);
			await page.reload();
			await gitIsThere(page);
			await areShown(last);
		});
	});
}

/** Widths of windows with diffs side by side, and with the old side hidden. */
const [wide, narrow] = [1600, 900];

/** One file with comments on removed and added lines. */
function readRemoved(settings: Readonly<Record<string, unknown>>): Mocha.Suite {
	return suite(`comments on removed lines in diffs of each width, ${JSON.stringify(settings)}`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge('field');
			await postRemarked(forge, list, title, [8], true);
		});
		const workbench = useWorkbench(() => ({
			name: 'comments-on-removed-lines',
			env: { ...knowing(forge, 'alice'), ...besideNeighbours('idle') },
			settings,
			viewport: { width: wide, height: 2000 },
		}));
		const keys = keysOnly(workbench);
		suiteTeardown(() => giveBackForge(forge));

		test('are all shown once, also after a change of the width', async function () {
			this.timeout(300_000);
			const { page } = workbench();
			await openOnly(page, 'Lists');
			await keys.goDownTo('Lists', /^Mailing list lantern-devel/);
			await keys.press('ArrowRight');
			await treeItem(page, row).waitFor();
			await keys.goDownTo('Lists', row);
			await keys.chord('j');
			await page.locator('.review-widget').first().waitFor({ state: 'attached' });
			await editorHasKeyboard(page);
			for (const width of [wide, narrow, wide]) {
				await page.setViewportSize({ width, height: 2000 });
				const inline = page.locator('.monaco-diff-editor:not(.side-by-side)');
				await (
					width === narrow || settings['diffEditor.renderSideBySide'] === false
						? inline
						: page.locator('.monaco-diff-editor')
				).waitFor();
				await eventually(async () => (await shownRemarks(page)).join('\n'), remarksOn(0, 8).join('\n'), 10_000);
			}
			await workbench().screenshot('removed lines');
		});
	});
}

read([20, 3], 'idle');
readRemoved({});
inRest(readRemoved({ 'diffEditor.renderSideBySide': false }));
inRest(read([1, 2, 3, 5, 8, 10, 13, 16, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 500, 20], 'idle', 'slow'));
inRest(read([20, 60], 'erratic', 'idle'));
