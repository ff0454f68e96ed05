import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { fillBox, pressInBox } from '../ui/support/boxKeys.ts';
import { consent, knowing } from '../ui/support/sampleWindow.ts';
import {
	chooseFromMenu,
	editorTab,
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
import { buildPackageWhenNeeded } from './buildPackage.ts';
import type { CommandContext } from './commandContext.ts';
import { takeGraphqlPictures } from './graphqlPictures.ts';
import { takeInboxPictures } from './inboxPictures.ts';
import { type Camera, type PictureFolders, pictureSize, settle, withCamera } from './pictureCamera.ts';
import { resultsFolder, root } from './places.ts';
import { takeReviewPictures } from './reviewPictures.ts';

/** Pictures for people who read about the extension. Kept in git. */
const keptFolder = join(root, 'docs/images');
/** Pictures for whoever works on it, to be looked at after a change. */
const lookFolder = join(resultsFolder, 'pictures');

/** One picture and nothing that is kept, to see that pictures can be taken. */
const smallestFolder = join(resultsFolder, 'smallest/pictures');
const smallestFolders: PictureFolders = { kept: smallestFolder, look: smallestFolder };

/** The panel of all comments would lie over the thread that stands in the diff. */
const settings = { 'comments.openView': 'never' } as const;
const tallSize = { width: 1280, height: 900 } as const;

const ticket = /Folding forgets folds on reload/;
const patchset = /^fold: nest as deep as you like, .*version 2/;

/** Pictures that are taken of worlds of their own, by the word that chooses them alone. */
const sets = { review: takeReviewPictures, inbox: takeInboxPictures, graphql: takeGraphqlPictures } as const;

/**
 * Takes the pictures of the documentation, and others to be looked at, of the sample forge in the real editor. `--look`:
 * those of the documentation lie with the others then. The name of a set: only those that are named.
 */
export async function takePictures({ args, children }: CommandContext): Promise<number> {
	const isSmallest = args.includes('--smallest');
	const kept = args.includes('--look') ? lookFolder : keptFolder;
	const folders = isSmallest ? smallestFolders : { kept, look: lookFolder };
	const chosen = Object.entries(sets).filter(([name]) => args.includes(name));
	mkdirSync(folders.kept, { recursive: true });
	mkdirSync(folders.look, { recursive: true });
	await buildPackageWhenNeeded(children);
	if (chosen.length === 0) {
		await takeCommon(folders, isSmallest);
	}
	for (const [, take] of isSmallest ? [] : chosen.length === 0 ? Object.entries(sets) : chosen) {
		await take(folders);
	}
	return 0;
}

async function takeCommon(folders: PictureFolders, isSmallest: boolean): Promise<void> {
	const forge = await startSampleForge({ dialect: 'field' });
	try {
		await withCamera({ name: 'pictures', settings, env: knowing(forge), viewport: pictureSize }, folders, (camera) =>
			isSmallest ? welcome(camera) : takeAll(camera, forge),
		);
	} finally {
		await forge.stop();
	}
}

async function takeAll(camera: Camera, forge: SampleForge): Promise<void> {
	await welcome(camera);
	await signIn(camera);
	await ticketPages(camera);
	await views(camera);
	await patches(camera);
	await remoteFile(camera);
	await repositoryPages(camera);
	await triage(camera);
	await newTicket(camera);
	await troubles(camera, forge);
}

async function welcome({ page, take }: Camera): Promise<void> {
	await openContainer(page, 'Forge');
	await viewSection(page, 'Repositories').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
	await widenSideBar(page, 110);
	await take('welcome', 'kept');
}

async function signIn({ page, take }: Camera): Promise<void> {
	await runCommand(page, 'Forge: Sign In…');
	const browser = await openedPage(page, () => pick(page, 'In the browser'));
	await consent(browser, 'alice');
	await browser.close();
	await treeItem(page, /Tracker lantern-plugins/).waitFor();
	await take('signed-in', 'look');
}

async function ticketPages({ page, workbench, take }: Camera): Promise<void> {
	await expand(page, /Tracker lantern-plugins/);
	await page.keyboard.press('ArrowDown');
	await scrollTo(page, ticket);
	await treeItem(page, ticket).click();
	await webview(page).locator('.entry').first().waitFor();
	await take('ticket-dark', 'kept');
	await workbench.setTheme('light');
	await take('ticket-light', 'kept');
	await workbench.setTheme('highContrast');
	await take('ticket-high-contrast', 'kept');
	await workbench.setTheme('highContrastLight');
	await take('ticket-high-contrast-light', 'look');
	await workbench.setTheme('dark');
	await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
	await page.setViewportSize({ width: 475, height: 800 });
	await take('ticket-narrow', 'look');
	await page.setViewportSize({ width: 640, height: 400 });
	await take('ticket-200-percent', 'look');
	await page.setViewportSize(tallSize);
	await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
}

async function views({ page, take }: Camera): Promise<void> {
	await expand(page, /Mailing list lantern-devel/);
	await expand(page, /Repository lantern of/);
	await treeItem(page, patchset).waitFor();
	await treeItem(page, /Branch master/).waitFor();
	await take('views', 'kept');
}

/** The board beside a patchset's page, one of its files as a diff, its thread, and a person. */
async function patches({ page, workbench, take }: Camera): Promise<void> {
	await toggleView(page, 'Tickets');
	await toggleView(page, 'Repositories');
	await expand(page, patchset);
	await expand(page, /^Patch 3\/4/);
	// What is read of the series redraws its row, and a click in that moment is lost.
	await treeItem(page, patchset)
		.getByText(/4 patches/)
		.waitFor();
	await settle(page);
	await treeItem(page, patchset).click();
	await webview(page).getByRole('button', { name: 'Open All Diffs' }).waitFor();
	await webview(page)
		.getByRole('heading', { name: /^Patches/ })
		.waitFor();
	await take('patchset', 'kept');
	for (const theme of ['light', 'highContrast'] as const) {
		await workbench.setTheme(theme);
		await take(`patchset-${theme}`, 'look');
	}
	await workbench.setTheme('dark');
	await webview(page).getByRole('button', { name: 'Open Thread' }).click();
	await webview(page).getByText('in reply to Bob Builder').first().waitFor();
	await take('thread', 'kept');
	await treeItem(page, /fold_tree\.c/)
		.first()
		.click();
	await page.locator('.review-widget').getByText('The redraw is still missing').waitFor();
	await take('patch-diff', 'kept');
	await runCommand(page, 'Forge: Show My Patchsets and Mails…', 'Show Patchsets I Sent…');
	await webview(page)
		.getByRole('heading', { name: /^Patchsets/ })
		.waitFor();
	await take('person', 'look');
	await runCommand(page, 'View: Close All Editors');
	await page.setViewportSize(pictureSize);
	await toggleView(page, 'Repositories');
}

async function remoteFile({ page, take }: Camera): Promise<void> {
	await toggleView(page, 'Lists');
	await expand(page, /Branch master/);
	await expand(page, /^src, folder/);
	await treeItem(page, /^clip\.c, file/).click();
	await page.locator('[id="status.editor.mode"]').getByText('C', { exact: true }).waitFor();
	await take('remote-file', 'kept');
	await treeItem(page, /^src, folder/).click();
	await expand(page, /^Commits/);
	await page.locator('[role=treeitem][aria-level="5"]').first().waitFor();
	await take('commits', 'look');
	await toggleView(page, 'Tickets');
}

/** The start page of a repository, the page of a commit, and what that changed in the native comparison. */
async function repositoryPages({ page, workbench, take }: Camera): Promise<void> {
	await runCommand(page, 'View: Close All Editors');
	await runCommand(page, 'Forge: Open by Name or Address…', 'Open Repository…');
	await pick(page, /~alice\/lantern\b(?!-)/);
	await webview(page).getByRole('heading', { name: 'Lantern', exact: true }).waitFor();
	await webview(page).getByRole('img', { name: 'A lantern' }).waitFor();
	await take('repository', 'kept');
	for (const theme of ['light', 'highContrast'] as const) {
		await workbench.setTheme(theme);
		await take(`repository-${theme}`, 'look');
	}
	await workbench.setTheme('dark');
	await webview(page)
		.getByRole('button', { name: /^Merge branch/ })
		.first()
		.click();
	await webview(page).getByRole('heading', { name: 'Changed files' }).waitFor();
	await take('commit', 'look');
	await runCommand(page, 'Forge: Compare References…');
	await pick(page, /~alice\/lantern\b(?!-)/);
	await pick(page, /^v0\.9\.1/);
	await pick(page, /^v0\.9\.2/);
	await pick(page, /^v0\.9\.\d → v0\.9\.\d/);
	await page.locator('.multiDiffEntry .view-line').first().waitFor();
	await take('comparison', 'kept');
	await runCommand(page, 'View: Close All Editors');
}

/** A queue over all trackers, a tracker in groups, and the box in which a filter is written. */
async function triage({ page, take }: Camera): Promise<void> {
	await runCommand(page, 'View: Close All Editors');
	await page.setViewportSize(tallSize);
	await toggleView(page, 'Repositories');
	await chooseFromMenu(page, /^Tracker lantern-plugins/, 'Group Tickets…');
	await pick(page, /^Label/);
	await runCommand(page, 'Forge: Filter…', 'Filter Tickets…');
	await fillBox(quickInput(page), 'status:open label:bug sort:updated');
	await quickInput(page)
		.getByText(/of .*tickets/)
		.first()
		.waitFor();
	await take('filter-box', 'look');
	await pressInBox(quickInput(page), 'Enter');
	await runCommand(page, 'Forge: Focus on Tickets View');
	await page.keyboard.press('Home');
	await expand(page, /^Filter status:open label:bug/);
	await treeItem(page, /^lantern-plugins#\d+ /).click();
	await webview(page).locator('.entry').first().waitFor();
	await take('triage', 'kept');
	await runCommand(page, 'Forge: Filter…', 'Clear Ticket Filter');
	await toggleView(page, 'Repositories');
}

async function newTicket({ page, take }: Camera): Promise<void> {
	await runCommand(page, 'View: Close All Editors');
	await runCommand(page, 'Forge: New Ticket…');
	await pick(page, /lantern-plugins/);
	await editorTab(page, /New ticket/).waitFor();
	await page.keyboard.type('Search does not wrap around in long files\n\nIt stops at the last match beyond 64 KiB.');
	await page
		.locator('.codelens-decoration')
		.getByText(/Similar: #/)
		.first()
		.waitFor();
	// The editor offers words after a full stop.
	await page.keyboard.press('Escape');
	await take('new-ticket', 'kept');
	await runCommand(page, 'View: Close All Editors');
}

/** What a view says when it could not be read anew; looked at, never kept. */
async function troubles({ page, take }: Camera, forge: SampleForge): Promise<void> {
	const tickets = viewSection(page, 'Tickets');
	const checkForNews = async (): Promise<void> => {
		await tickets.locator('.pane-header').hover();
		await tickets.getByRole('button', { name: 'Refresh' }).click();
	};
	await forge.fault({ area: 'todo' }, { kind: 'status', status: 500 }, 100);
	await checkForNews();
	const failed = treeItem(page, /^Not up to date – /);
	await failed.waitFor();
	await take('failed', 'look');
	await forge.clearFaults();
	await failed.click();
	await failed.waitFor({ state: 'detached' });
	await treeItem(page, /^Tracker announce/).waitFor();
	await forge.fault({ area: 'todo' }, { kind: 'hang' }, 100);
	await checkForNews();
	await tickets.locator('.monaco-progress-container.active').waitFor();
	await take('loading', 'look');
	await tickets.locator('.pane-header').hover();
	await tickets.getByRole('button', { name: 'Cancel Loading' }).click();
	await treeItem(page, /^Cancelled – /).waitFor();
	await take('cancelled', 'look');
	await forge.clearFaults();
}

/** Opens or closes a section of the side bar. */
async function toggleView(page: Page, title: string): Promise<void> {
	await viewSection(page, title).locator('.pane-header').click();
}

/** A tree draws only the rows in view, so it is walked until the row is there. */
async function scrollTo(page: Page, label: RegExp): Promise<void> {
	for (let step = 0; step < 20 && (await treeItem(page, label).count()) === 0; step += 1) {
		await page.keyboard.press('PageDown');
		await settle(page);
	}
}

async function widenSideBar(page: Page, byPx: number): Promise<void> {
	const box = await page.locator('.part.sidebar').boundingBox();
	if (box === null) {
		throw new Error('The side bar is not there');
	}
	const [x, y] = [box.x + box.width + 1, box.y + box.height / 2];
	await page.mouse.move(x, y);
	await page.mouse.down();
	await page.mouse.move(x + byPx, y, { steps: 4 });
	await page.mouse.up();
}
