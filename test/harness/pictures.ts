import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fillBox, pressInBox } from '../ui/support/boxKeys.ts';
import {
	clickRow,
	collapse,
	expand,
	openContainer,
	openOnly,
	quickInput,
	refreshInbox,
	runCommand,
	treeItem,
	viewsAreAtRest,
	webview,
} from '../ui/support/user.ts';
import { startWorkbench, type Workbench } from '../ui/support/workbench.ts';
import { buildPackageWhenNeeded } from './buildPackage.ts';
import type { CommandContext } from './commandContext.ts';
import { resultsFolder, root } from './places.ts';

const images = join(root, 'docs/images');
const pictureSize = { width: 1280, height: 800 } as const;
/** Git keeps the pictures. */
const mostBytes = 200_000;

const patchset = /^Compress text answers, /;
/** Its second patch has a reply on a changed line. */
const commented = /^serve: answer range requests, /;

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
	const workbench = await startWorkbench({ name: 'pictures', viewport: pictureSize });
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
const allPictures: readonly ((camera: Camera) => Promise<void>)[] = [
	icon,
	signIn,
	triage,
	patches,
	remoteFile,
	// Colleagues of the sample forge have acted by now.
	inbox,
];

/** Signs in to the sample forge that ships, whose world is a small project. */
async function signIn({ page }: Camera): Promise<void> {
	await openContainer(page, 'Forge');
	await runCommand(page, 'Forge: Try the Sample Forge');
	await treeItem(page, /^Tracker pebble/).waitFor();
}

/** A filter over all trackers, and a ticket of it. */
async function triage({ page, take }: Camera): Promise<void> {
	await openOnly(page, 'Tickets');
	await runCommand(page, 'Forge: Focus on Tickets View');
	await runCommand(page, 'Forge: Filter…', 'Filter Tickets…');
	await fillBox(quickInput(page), 'status:open sort:updated');
	await quickInput(page)
		.getByText(/of .*tickets/)
		.first()
		.waitFor();
	await pressInBox(quickInput(page), 'Enter');
	await expand(page, /^Filter status:open/);
	await clickRow(page, /#24\b/);
	await webview(page).locator('.entry').first().waitFor();
	await take('triage');
	await runCommand(page, 'Forge: Filter…', 'Clear Ticket Filter');
	await runCommand(page, 'View: Close All Editors');
}

/** The board beside a patchset's page, one of its files as a diff, and a thread. */
async function patches({ page, take }: Camera): Promise<void> {
	await openOnly(page, 'Lists');
	await expand(page, /^Mailing list pebble-devel/);
	await expand(page, patchset);
	await expand(page, /^Patch 1\/2/);
	await clickRow(page, patchset);
	await webview(page).getByRole('button', { name: 'First Unviewed File' }).waitFor();
	await webview(page)
		.getByRole('heading', { name: /^Patches/ })
		.waitFor();
	await take('patchset');
	await collapse(page, patchset);
	await expand(page, commented);
	await expand(page, /^Patch 2\/2/);
	await clickRow(page, /serve\.go/);
	// An answered thread is folded.
	await page.locator('.modified-in-monaco-diff-editor .comment-thread').first().click();
	await page.locator('.review-widget').getByText('A 206 needs').waitFor();
	await take('patch-diff');
	await collapse(page, commented);
	await runCommand(page, 'View: Close All Editors');
	await expand(page, /^Threads/);
	await clickRow(page, /Plans for 0\.4/);
	await webview(page).getByText('Good to hear').first().waitFor();
	await take('thread');
	await runCommand(page, 'View: Close All Editors');
}

async function remoteFile({ page, take }: Camera): Promise<void> {
	await openOnly(page, 'Repositories');
	await expand(page, /^Repository pebble of/);
	await expand(page, /^Branch /);
	await clickRow(page, /^serve\.go, file/);
	await page.locator('[id="status.editor.mode"]').getByText('Go', { exact: true }).waitFor();
	await take('remote-file');
}

/** Rows of the Inbox, and the page of the first one. */
async function inbox({ page, take }: Camera): Promise<void> {
	await runCommand(page, 'View: Close All Editors');
	await refreshInbox(page);
	await openOnly(page, 'Inbox');
	await treeItem(page, /^Waiting for you/).waitFor();
	await viewsAreAtRest(page);
	await runCommand(page, 'Forge: Focus on Inbox View');
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await webview(page).getByRole('heading').first().waitFor();
	await take('inbox');
}

/** Moves the pointer away, because a hover would show, and lets the page draw. */
async function settle(page: Page): Promise<void> {
	// On an empty part of the title bar: in its middle a tooltip opens.
	await page.mouse.move(pictureSize.width - 240, 10);
	await page.evaluate(
		() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
	);
}
