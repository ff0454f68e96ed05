import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSampleForge } from '../support/sampleForge.ts';
import { fillBox, pressInBox } from '../ui/support/boxKeys.ts';
import { consent, knowing } from '../ui/support/sampleWindow.ts';
import {
	chooseFromMenu,
	expand,
	openContainer,
	openedPage,
	pick,
	quickInput,
	runCommand,
	treeItem,
	viewSection,
	webview,
} from '../ui/support/user.ts';
import { startWorkbench, type Workbench } from '../ui/support/workbench.ts';
import { buildPackageWhenNeeded } from './buildPackage.ts';
import type { CommandContext } from './commandContext.ts';
import { resultsFolder, root } from './places.ts';

/** Hides the panel of all comments, because it would cover the thread in the diff. */
const settings = { 'comments.openView': 'never' } as const;
const images = join(root, 'docs/images');
const pictureSize = { width: 1280, height: 800 } as const;
const tallSize = { width: 1280, height: 900 } as const;
/** Git keeps the pictures. */
const mostBytes = 200_000;

const patchset = /^fold: nest as deep as you like, .*version 2/;

interface Camera {
	readonly page: Page;
	/** Of the pictures. */
	readonly folder: string;
	readonly workbench: Workbench;
	readonly take: (name: string) => Promise<void>;
}

/** Takes the pictures of docs/images in the real editor. `--look` leaves those, and writes to test-results/pictures. */
export async function takePictures({ args, children }: CommandContext): Promise<number> {
	const isSmallest = args.includes('--smallest');
	const look = join(resultsFolder, isSmallest ? 'smallest/pictures' : 'pictures');
	const folder = isSmallest || args.includes('--look') ? look : images;
	mkdirSync(folder, { recursive: true });
	mkdirSync(look, { recursive: true });
	await buildPackageWhenNeeded(children);
	await using owned = new AsyncDisposableStack();
	const forge = await startSampleForge({ dialect: 'field' });
	owned.defer(() => forge.stop());
	const options = { name: 'pictures', settings, env: knowing(forge), viewport: pictureSize };
	const workbench = await startWorkbench(options);
	owned.defer(() => workbench.stop());
	const camera = openCamera(workbench, folder);
	try {
		for (const work of isSmallest ? [signIn, triage] : allPictures) {
			await work(camera);
		}
	} catch (error) {
		await workbench.page.screenshot({ path: join(look, 'when-it-failed.png') });
		throw error;
	}
	return 0;
}

/** The icon of the package: the marketplace takes no SVG. */
async function icon({ page, folder }: Camera): Promise<void> {
	const drawn = readFileSync(join(root, 'test/harness/icon.svg'), 'utf8');
	const canvas = await page.context().newPage();
	await canvas.setViewportSize({ width: 128, height: 128 });
	await canvas.setContent(`<body style="margin: 0">${drawn}`);
	const path = join(folder === images ? join(root, 'media') : folder, 'icon.png');
	await canvas.screenshot({ path, omitBackground: true });
	await canvas.close();
}

function openCamera(workbench: Workbench, folder: string): Camera {
	const { page } = workbench;
	const take: Camera['take'] = async (name) => {
		const path = join(folder, `${name}.png`);
		await settle(page);
		await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
		const { size: bytes } = statSync(path);
		console.log(`  ${name} (${Math.round(bytes / 1000)} kB)${bytes > mostBytes ? ', too large to keep' : ''}`);
	};
	return { page, folder, workbench, take };
}

/** In this order: each continues in the window of the one before. */
const allPictures: readonly ((camera: Camera) => Promise<void>)[] = [icon, signIn, triage, patches, remoteFile];

async function signIn({ page }: Camera): Promise<void> {
	await openContainer(page, 'Forge');
	await runCommand(page, 'Forge: Sign In…');
	const browser = await openedPage(page, () => pick(page, 'In the browser'));
	await consent(browser, 'alice');
	await browser.close();
	await treeItem(page, /Tracker lantern-plugins/).waitFor();
}

/** The board beside a patchset's page, its thread, and one of its files as a diff. */
async function patches({ page, take }: Camera): Promise<void> {
	await toggleView(page, 'Tickets');
	await toggleView(page, 'Repositories');
	await expand(page, /Mailing list lantern-devel/);
	await expand(page, patchset);
	await expand(page, /^Patch 3\/4/);
	// Reading the series redraws its row, and a click in that moment is lost.
	await treeItem(page, patchset)
		.getByText(/4 patches/)
		.waitFor();
	await settle(page);
	await treeItem(page, patchset).click();
	await webview(page).getByRole('button', { name: 'Open All Diffs' }).waitFor();
	await webview(page)
		.getByRole('heading', { name: /^Patches/ })
		.waitFor();
	await take('patchset');
	await webview(page).getByRole('button', { name: 'Open Thread' }).click();
	await webview(page).getByText('in reply to Bob Builder').first().waitFor();
	await take('thread');
	await treeItem(page, /fold_tree\.c/)
		.first()
		.click();
	await page.locator('.review-widget').getByText('The redraw is still missing').waitFor();
	await take('patch-diff');
	await runCommand(page, 'View: Close All Editors');
	await page.setViewportSize(pictureSize);
	await toggleView(page, 'Repositories');
}

async function remoteFile({ page, take }: Camera): Promise<void> {
	await toggleView(page, 'Lists');
	await expand(page, /Repository lantern of/);
	await expand(page, /Branch master/);
	await expand(page, /^src, folder/);
	await treeItem(page, /^clip\.c, file/).click();
	await page.locator('[id="status.editor.mode"]').getByText('C', { exact: true }).waitFor();
	await take('remote-file');
	await toggleView(page, 'Tickets');
}

/** A filter over all trackers beside a tracker in groups. */
async function triage({ page, take }: Camera): Promise<void> {
	await runCommand(page, 'View: Close All Editors');
	await page.setViewportSize(tallSize);
	await toggleView(page, 'Repositories');
	await runCommand(page, 'Forge: Focus on Tickets View');
	await page.keyboard.press('Home');
	await chooseFromMenu(page, /^Tracker lantern-plugins/, 'Group Tickets…');
	await pick(page, /^Label/);
	await runCommand(page, 'Forge: Filter…', 'Filter Tickets…');
	await fillBox(quickInput(page), 'status:open label:bug sort:updated');
	await quickInput(page)
		.getByText(/of .*tickets/)
		.first()
		.waitFor();
	await pressInBox(quickInput(page), 'Enter');
	await runCommand(page, 'Forge: Focus on Tickets View');
	await page.keyboard.press('Home');
	await expand(page, /^Filter status:open label:bug/);
	await treeItem(page, /^lantern-plugins#\d+ /).click();
	await webview(page).locator('.entry').first().waitFor();
	await take('triage');
	await runCommand(page, 'Forge: Filter…', 'Clear Ticket Filter');
	await toggleView(page, 'Repositories');
}

/** Opens or closes a section of the side bar. */
async function toggleView(page: Page, title: string): Promise<void> {
	await viewSection(page, title).locator('.pane-header').click();
}

/** Moves the pointer away, because a hover would show, and lets the page draw. */
async function settle(page: Page): Promise<void> {
	// On an empty part of the title bar: in its middle a tooltip opens.
	await page.mouse.move(pictureSize.width - 240, 10);
	await page.evaluate(
		() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
	);
}
