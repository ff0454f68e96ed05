import assert from 'node:assert/strict';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	editorTab,
	openContainer,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

export function trackers(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: trackers`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({ name: `trackers-${dialect}`, env: knowing(forge, 'alice') }));
		suiteTeardown(() => giveBackForge(forge));

		test('checks a new tracker’s name during typing, creates it, and shows it in the view', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await treeItem(page, /website/).waitFor();
			await runCommand(page, 'Forge: Create…', 'Create Tracker…');
			await answer(page, 'Website');
			await quickInput(page).getByText('You already have a tracker with this name.').waitFor();
			await answer(page, 'wicks');
			await quickInput(page).getByText('Description in Markdown').waitFor();
			await answer(page, 'All about *wicks*');
			await treeItem(page, /Tracker wicks of ~alice/).waitFor();
			const made = await forge.call('todo', 'GET', '/api/trackers/wicks');
			assert.equal(made.at('description'), 'All about *wicks*');
		});

		testInProve('requests a visibility if the forge requires one, and creates nothing before', async () => {
			const { page } = workbench();
			await forge.forgetRequests();
			await forge.fault(
				{ area: 'todo', method: 'POST', path: '/api/trackers' },
				{
					kind: 'status',
					status: 400,
					headers: { 'Content-Type': 'application/json' },
					body: JSON.stringify({ errors: [{ field: 'visibility', reason: 'visibility is required' }] }),
				},
			);
			await runCommand(page, 'Forge: Create…', 'Create Tracker…');
			await answer(page, 'shy');
			await quickInput(page).getByText('Description in Markdown').waitFor();
			await answer(page, '');
			await pick(page, /^Unlisted/);
			await treeItem(page, /Tracker shy of ~alice/).waitFor();
			const posts = (await forge.requests()).filter(({ method }) => method === 'POST');
			assert.deepEqual(
				posts.map(({ status }) => status),
				[400, 201],
			);
		});

		testInProve('edits its description in a document of several lines', async () => {
			const desk = workbench();
			const { page } = desk;
			await chooseFromMenu(page, /Tracker wicks/, 'Edit Tracker Description…', 'More');
			await editorTab(page, 'Description of wicks').waitFor();
			const lines = page.locator('.editor-instance .view-lines');
			await lines.getByText('All about').waitFor();
			await lines.click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.type('First line');
			await page.keyboard.press('Enter');
			await page.keyboard.press('Enter');
			await page.keyboard.type('Second paragraph');
			await desk.screenshot('description');
			await page.keyboard.press('ControlOrMeta+Enter');
			await editorTab(page, 'Description of wicks').waitFor({ state: 'detached' });
			const made = await forge.call('todo', 'GET', '/api/trackers/wicks');
			assert.equal(made.at('description'), 'First line\n\nSecond paragraph');
		});

		testInProve('lists its labels with their colours, and choosing one filters the tracker', async () => {
			const desk = workbench();
			const { page } = desk;
			await chooseFromMenu(page, /Tracker lantern of/, 'Show Labels…');
			const row = quickInput(page)
				.getByRole('option', { name: /#[0-9a-f]{6}/ })
				.first();
			await row.waitFor();
			await desk.screenshot('labels');
			const name = ((await row.getAttribute('aria-label')) ?? '').split(',')[0] ?? '';
			assert.notEqual(name, '');
			await row.click();
			await treeItem(page, /Tracker lantern of.*label:/).waitFor();
			await desk.screenshot('filtered');
		});

		testInProve('deleting one names the losses, requires its full name, and removes it', async () => {
			const desk = workbench();
			const { page } = desk;
			await chooseFromMenu(page, /Tracker wicks/, 'Delete Tracker…', 'More');
			const asked = question(page, 'Deletes the tracker with all tickets');
			await asked.waitFor();
			await desk.screenshot('delete');
			await asked.getByRole('button', { name: 'Continue…' }).click();
			await quickInput(page).getByText('to delete it with all its tickets').waitFor();
			await answer(page, 'wicks');
			await quickInput(page).getByText('Type ~alice/wicks exactly as shown.').waitFor();
			await answer(page, '~alice/wicks');
			await treeItem(page, /Tracker wicks/).waitFor({ state: 'detached' });
			assert.equal((await forge.call('todo', 'GET', '/api/trackers/wicks')).status, 404);
		});
	});
}
