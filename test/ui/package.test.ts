import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
	chooseFromMenu,
	editorHasKeyboard,
	editorTab,
	expand,
	openContainer,
	openOnly,
	pick,
	question,
	runCommand,
	treeItem,
	webview,
} from './support/user.ts';
import { startWorkbench, type Workbench } from './support/workbench.ts';

/** The extension's own defaults, as for a new user. */
const settings = { 'forge.filters': undefined, 'forge.tickets.show': undefined };

/** Picture widths after all have loaded; 0 for a broken picture. */
async function pictureWidths(frame: FrameLocator): Promise<readonly number[]> {
	const pictures = frame.locator('img');
	const haveArrived = (): Promise<boolean> =>
		pictures.evaluateAll((all) => all.every((each) => each instanceof HTMLImageElement && each.complete));
	await eventually(haveArrived, true);
	return pictures.evaluateAll((all) => all.map((each) => (each instanceof HTMLImageElement ? each.naturalWidth : 0)));
}

/** Errors of the extension, and of the extension host about it. */
function errorsIn({ dataFolder }: Workbench): readonly string[] {
	return globSync('logs/**/*.log', { cwd: dataFolder }).flatMap((file) =>
		readFileSync(join(dataFolder, file), 'utf8')
			.split('\n')
			.filter((line) => line.includes('[error]') && (file.includes('forge-desk') || /forge-?desk/i.test(line)))
			.map((line) => `${file}: ${line}`),
	);
}

chainedSuite('package in a clean editor', () => {
	let workbench: Workbench;
	suiteSetup(async () => {
		workbench = await startWorkbench({ name: 'package', settings });
	});
	suiteTeardown(() => workbench.stop());

	test('has a page with its icon, and no broken picture or caption', async () => {
		const { page } = workbench;
		await openContainer(page, 'Extensions');
		await page.locator('.extension-list-item').getByText('Forge Desk', { exact: true }).click();
		await webview(page).getByRole('heading', { name: 'Forge Desk', exact: true }).waitFor();
		const icon = page.locator('.extension-editor img.icon');
		await eventually(() => icon.evaluate((each) => each instanceof HTMLImageElement && each.naturalWidth), 128);
		assert.deepEqual(await pictureWidths(webview(page)), []);
		await workbench.screenshot('page');
	});

	test('shows pictures in its guides', async () => {
		const { page } = workbench;
		await runCommand(page, 'Forge: Help…');
		await pick(page, 'Working with tickets');
		await webview(page).getByRole('heading', { name: 'Working with tickets' }).waitFor();
		const widths = await pictureWidths(webview(page));
		assert.ok(widths.length > 0 && widths.every((width) => width > 500), String(widths));
		await workbench.screenshot('guide');
	});

	test('leads a newcomer from the Tickets view to a walkthrough', async () => {
		const { page } = workbench;
		await runCommand(page, 'View: Show Forge');
		await page.locator('.sidebar').getByText('take the tour', { exact: true }).click();
		await page.getByText('Get Started with Forge Desk').first().waitFor();
		await eventually(() => page.locator('.getting-started-step').count(), 5);
		await workbench.screenshot('walkthrough');
	});

	test('starts the sample forge, shows assigned tickets, opens one, and logs no error', async () => {
		const { page } = workbench;
		await runCommand(page, 'Forge: Try the Sample Forge');
		await treeItem(page, / #\d+, /).click();
		await webview(page).locator('.entry').first().waitFor();
		await workbench.screenshot('ticket');
		const [log = ''] = globSync('logs/**/Forge Desk.log', { cwd: workbench.dataFolder });
		assert.match(readFileSync(join(workbench.dataFolder, log), 'utf8'), / \[info\] The sample forge has started/);
		assert.deepEqual(errorsIn(workbench), []);
	});

	test('sends a reply to a list of the sample without any mail settings', async () => {
		const { page } = workbench;
		await openOnly(page, 'Lists');
		await expand(page, /^Mailing list pebble-devel/);
		await expand(page, /^Threads/);
		await chooseFromMenu(page, /Plans for 0\.4/, 'Reply to Message…');
		await editorTab(page, /^Reply to /).waitFor();
		await editorHasKeyboard(page);
		await page.keyboard.press('ControlOrMeta+End');
		await page.keyboard.type('I can help with that.');
		await runCommand(page, 'Forge: Send Message…');
		await question(page, 'Send 1 message?').getByRole('button', { name: 'Send', exact: true }).click();
		await editorTab(page, /^Reply to /).waitFor({ state: 'detached' });
		await page
			.getByRole('treeitem')
			.filter({ hasText: /Plans for 0\.4.*~alice/ })
			.waitFor();
	});
});
