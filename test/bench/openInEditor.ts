import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { developmentScript, startBrowser } from '../harness/browser.ts';
import { resultsFolder, root } from '../harness/places.ts';
import { startWebServer } from '../harness/webServer.ts';
import { patientPage } from '../support/patientPage.ts';
import { startSampleForge } from '../support/sampleForge.ts';
import { knowing } from '../ui/support/sampleWindow.ts';
import { expand, openContainer, treeItem, viewSection } from '../ui/support/user.ts';
import { ratioFigure } from './figures.ts';
import { writeExtension } from './hostActivation.ts';
import { comparisonOf } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

/** Each round opens a new ticket, then again the one above it. The view shows some 25. */
const sizes = { full: { warmUps: 2, rounds: 15 }, smallest: { warmUps: 0, rounds: 1 } } as const;

/** The baseline: an extension with one row that opens a panel with one line of text. */
const emptyManifest = {
	activationEvents: ['onStartupFinished'],
	contributes: {
		views: { forge: [{ id: 'bench.rows', name: 'Bench' }] },
		commands: [{ command: 'bench.open', title: 'Open an empty panel' }],
	},
};
const emptyMain = `'use strict';
const vscode = require('vscode');
let count = 0;
exports.activate = () => {
	vscode.window.registerTreeDataProvider('bench.rows', {
		getTreeItem: (item) => item,
		getChildren: () => [Object.assign(new vscode.TreeItem('An empty panel'), { command: { command: 'bench.open', title: '' } })],
	});
	vscode.commands.registerCommand('bench.open', () => {
		const panel = vscode.window.createWebviewPanel('bench', 'Empty', vscode.ViewColumn.Active, {});
		panel.webview.html = '<!doctype html><body><h1>Empty ' + ++count + '</h1></body>';
	});
};
`;

const endless = `'use strict';\nexports.run = () => new Promise(() => {});\n`;

/**
 * Runs in every frame. Reports the press of a mouse button or of the last key of a chord, and the first picture with the
 * heading of a page, once the editor shows its frame.
 */
function stopwatch(): void {
	const report = (what: string): void => window.benchReport(what, performance.timeOrigin + performance.now());
	window.addEventListener('mousedown', () => report('used'), true);
	window.addEventListener('keydown', ({ key }) => key === 'p' && report('used'), true);
	let told = '';
	const look = (): void => {
		// The frame shows a page only after it has fully loaded.
		const frame = document.querySelector<HTMLIFrameElement>('iframe#active-frame');
		const text = frame?.contentDocument?.querySelector('h1')?.textContent ?? '';
		if (frame && text !== '' && text !== told && getComputedStyle(frame).visibility === 'visible') {
			told = text;
			requestAnimationFrame(() => setTimeout(() => report(text)));
		}
	};
	setInterval(look, 1);
}

declare global {
	interface Window {
		benchReport(what: string, atMs: number): void;
	}
}

/**
 * In the real editor, from the click on a row or the last key of a chord to readable text: a known ticket, against the
 * baseline's panel, in turn in one window.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-open-'));
	const folder = temporary.path;
	await using owned = new AsyncDisposableStack();
	const empty = writeExtension(folder, emptyMain, emptyManifest);
	writeFileSync(join(folder, 'run.cjs'), endless);
	const forge = await startSampleForge({ dialect: 'field' });
	owned.defer(() => forge.stop());
	const server = await startWebServer({
		env: knowing(forge, 'alice'),
		logPath: join(resultsFolder, 'bench-open'),
	});
	owned.defer(() => server.stop());
	const browser = await startBrowser();
	owned.defer(() => browser.close());
	const context = await browser.newContext({ viewport: { width: 1280, height: 3600 } });
	const times = watchTimes();
	await context.exposeFunction('benchReport', times.report);
	await context.addInitScript(stopwatch);
	const page = await patientPage(context);
	const told: string[] = [];
	page.on('console', (message) => told.push(`${message.type()} ${message.text()}`));
	page.on('pageerror', (error) => told.push(`error ${error.stack ?? error.message}`));
	const paths = { extensions: [empty, root], tests: join(folder, 'run.cjs') };
	await page.addInitScript({ content: developmentScript(server.authority, paths) });
	try {
		await page.goto(`http://${server.authority}/?folder=${encodeURIComponent(folder)}`);
		return await measured(page, times, sizes[size]);
	} catch (error) {
		await page.screenshot({ path: join(resultsFolder, 'bench-open.png') });
		writeFileSync(join(resultsFolder, 'bench-open-console.log'), told.join('\n'));
		throw error;
	}
}

async function measured(
	page: Page,
	times: Times,
	{ warmUps, rounds }: (typeof sizes)[Size],
): Promise<readonly Figure[]> {
	await openContainer(page, 'Forge');
	for (const title of ['Lists', 'Repositories']) {
		await viewSection(page, title).locator('.pane-header').click();
	}
	await expand(page, /Tracker website/);
	const rows = page.locator('[role=treeitem][aria-level="2"]');
	await rows.nth(warmUps + rounds).waitFor();
	const clicked: number[] = [];
	const previous: number[] = [];
	const baseline: number[] = [];
	for (let round = -warmUps; round < rounds; round++) {
		const emptyMs = await times.after(() => click(page, treeItem(page, 'An empty panel').boundingBox()));
		const clickedMs = await times.after(() => click(page, rows.nth(round + warmUps + 1).boundingBox()));
		const previousMs = await times.after(async () => {
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('p');
		});
		if (round >= 0) {
			baseline.push(emptyMs);
			clicked.push(clickedMs);
			previous.push(previousMs);
		}
	}
	return [
		ratioFigure('Click to a readable ticket in the editor, to an empty panel', 1.3, comparisonOf(clicked, baseline)),
		ratioFigure('Previous Ticket by key to a readable ticket, to an empty panel', 1, comparisonOf(previous, baseline)),
	];
}

async function click(page: Page, place: Promise<{ x: number; y: number; height: number } | null>): Promise<void> {
	const box = await place;
	if (box === null) {
		throw new Error('There is no row to click');
	}
	await page.mouse.click(box.x + 60, box.y + box.height / 2);
}

interface Times {
	readonly report: (what: string, atMs: number) => void;
	/** Milliseconds from the click or key of `act` to the next readable text. */
	readonly after: (act: () => Promise<void>) => Promise<number>;
}

function watchTimes(): Times {
	let usedMs: number | undefined;
	let read = Promise.withResolvers<number>();
	return {
		report(what, atMs) {
			if (what === 'used') {
				usedMs ??= atMs;
			} else if (usedMs !== undefined) {
				read.resolve(atMs - usedMs);
			}
		},
		async after(act) {
			usedMs = undefined;
			read = Promise.withResolvers<number>();
			await act();
			return read.promise;
		},
	};
}
