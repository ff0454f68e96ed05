import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { developmentScript, startBrowser } from '../harness/browser.ts';
import { resultsFolder, root } from '../harness/places.ts';
import { startWebServer } from '../harness/webServer.ts';
import { eventually } from '../support/eventually.ts';
import { limitMs } from '../support/pace.ts';
import { patientPage } from '../support/patientPage.ts';
import { startSampleForge, type SampleForge, type SampleForgeOptions } from '../support/sampleForge.ts';
import { knowing } from '../ui/support/sampleWindow.ts';
import { viewsAreAtRest } from '../ui/support/user.ts';
import { writeExtension } from './hostActivation.ts';

/**
 * The baselines: an extension with a row that opens a panel with one line of text, and keys that only answer in the status
 * bar, change one row, open a box, step through plain documents, or move the cursor.
 */
const emptyManifest = {
	activationEvents: ['onStartupFinished'],
	contributes: {
		views: { forge: [{ id: 'bench.rows', name: 'Bench' }] },
		commands: [{ command: 'bench.open', title: 'Open an empty panel' }],
		keybindings: [
			{ command: 'bench.nothing', key: 'alt+j f9' },
			{ command: 'bench.nextFile', key: 'alt+j f8' },
			{ command: 'bench.choose', key: 'alt+j f7' },
			{ command: 'bench.change', key: 'alt+j f6' },
		],
	},
};
const emptyMain = `'use strict';
const vscode = require('vscode');
let count = 0;
let passing;
exports.activate = () => {
	const changed = new vscode.EventEmitter();
	const changing = new vscode.TreeItem('Changed 0 times');
	vscode.window.registerTreeDataProvider('bench.rows', {
		onDidChangeTreeData: changed.event,
		getTreeItem: (item) => item,
		getChildren: () => [Object.assign(new vscode.TreeItem('An empty panel'), { command: { command: 'bench.open', title: '' } }), changing],
	});
	vscode.commands.registerCommand('bench.change', () => {
		changing.label = 'Changed ' + ++count + ' times';
		changed.fire(changing);
	});
	vscode.commands.registerCommand('bench.choose', () => void vscode.window.showQuickPick(['One', 'Two'], { title: 'Choose' }));
	vscode.commands.registerCommand('bench.open', () => {
		const panel = vscode.window.createWebviewPanel('bench', 'Empty', vscode.ViewColumn.Active, {});
		panel.webview.html = '<!doctype html><body><h1>Empty ' + ++count + '</h1></body>';
	});
	vscode.commands.registerCommand('bench.nothing', () => {
		passing?.dispose();
		passing = vscode.window.createStatusBarItem('bench.passing', vscode.StatusBarAlignment.Left, -1e6);
		passing.text = 'Nothing';
		passing.show();
	});
	vscode.workspace.registerTextDocumentContentProvider('bench', {
		provideTextDocumentContent: ({ path }) => Array.from({ length: 240 }, (_, at) => 'line ' + at + ' of ' + path).join('\\n'),
	});
	vscode.commands.registerCommand('bench.nextFile', () =>
		vscode.commands.executeCommand('vscode.open', vscode.Uri.parse('bench:/plain/' + ++count + '.txt')),
	);
};
`;

/** Runs in the extension host: measures its longest block as long as the file \`watch\` exists. */
const hostWatch = `'use strict';
const { existsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const file = (name) => join(__dirname, name);
exports.run = () => new Promise(() => {
	let isWatching = false;
	setInterval(async () => {
		if (isWatching || !existsSync(file('watch'))) { return; }
		isWatching = true;
		const { longestBlock } = await import(${JSON.stringify(join(import.meta.dirname, 'longestBlock.ts'))});
		const over = new Promise((resolve) => {
			writeFileSync(file('watching'), '');
			const looking = setInterval(() => {
				if (!existsSync(file('watch'))) { clearInterval(looking); resolve(); }
			}, 5);
		});
		writeFileSync(file('block.json'), String(await longestBlock(() => over, 1)));
		isWatching = false;
	}, 20);
});
`;

/**
 * Runs in every frame. Reports the press of a mouse button or of the last key of a chord, and the first picture with the
 * heading of a page once the editor shows its frame, with another text in the status bar, with another document in a
 * text editor, with rows in a box, or with another label of a focused row or of the baseline's row.
 */
function stopwatch(): void {
	const report = (what: string): void => window.benchReport(what, performance.timeOrigin + performance.now());
	window.addEventListener('mousedown', () => report('used'), true);
	window.addEventListener(
		'keydown',
		({ key }) => key !== 'Alt' && key !== 'Shift' && key !== 'j' && report('used'),
		true,
	);
	const told = new Map<string, unknown>();
	const messages = new WeakSet<Element>();
	const see = (what: string, sight: unknown): void => {
		if (sight !== told.get(what)) {
			told.set(what, sight);
			requestAnimationFrame(() => setTimeout(() => report(what)));
		}
	};
	const lookAtPage = (): void => {
		// The frame shows a page only after it has fully loaded.
		const frame = document.querySelector<HTMLIFrameElement>('iframe#active-frame');
		const text = frame?.contentDocument?.querySelector('h1')?.textContent ?? '';
		if (frame && text !== '' && getComputedStyle(frame).visibility === 'visible') {
			see('heading', text);
		}
	};
	const lookAtStatus = (): void => {
		for (const passing of document.querySelectorAll('.statusbar [id$="passing"]')) {
			if (!messages.has(passing)) {
				messages.add(passing);
				see('status', passing);
			}
		}
	};
	const lookAtDocument = (): void => {
		const editor = document.querySelector('.editor-group-container.active .monaco-editor.focused');
		const uri = editor?.getAttribute('data-uri') ?? '';
		if (editor && uri !== '' && (editor.querySelector('.view-line')?.textContent ?? '') !== '') {
			see('document', uri);
		}
	};
	const lookAtBox = (): void => {
		const row = document.querySelector<HTMLElement>('.quick-input-widget .monaco-list-row');
		if (row && row.offsetParent !== null) {
			see('box', true);
		} else {
			told.delete('box');
		}
	};
	const lookAtRows = (): void => {
		const labels = (rows: string): string =>
			Array.from(document.querySelectorAll(`.sidebar ${rows}`), (row) => row.getAttribute('aria-label')).join('\n');
		see('row', labels('.monaco-list-row.focused'));
		see('idleRow', labels('[aria-label^="Changed "]'));
	};
	setInterval(() => {
		lookAtPage();
		lookAtStatus();
		lookAtDocument();
		lookAtBox();
		lookAtRows();
	}, 1);
}

declare global {
	interface Window {
		benchReport(what: string, atMs: number): void;
	}
}

/** What the user sees after a click or a key. */
export type Sight = 'heading' | 'status' | 'document' | 'box' | 'row' | 'idleRow';

/** On an idle machine. */
const sightLimitMs = 40_000;

/** An editor with our extension, ~alice's account at a sample forge, and the extension of baselines. */
export interface BenchWindow {
	readonly page: Page;
	readonly forge: SampleForge;
	/** Milliseconds from the click or the last key of `act` to the next sight. */
	readonly timeTo: (sight: Sight, act: () => Promise<unknown>) => Promise<number>;
	/** The longest block of the extension host during `act`, in milliseconds. */
	readonly blockDuring: (act: () => Promise<unknown>) => Promise<number>;
}

/** Runs `measured` in a new window. Keeps a picture and the console of a failure. */
export async function inBenchWindow<T>(
	forgeOptions: SampleForgeOptions,
	measured: (window: BenchWindow) => Promise<T>,
): Promise<T> {
	await using owned = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'bench-open-'));
	owned.defer(() => rmSync(folder, { recursive: true, force: true }));
	const empty = writeExtension(folder, emptyMain, emptyManifest);
	writeFileSync(join(folder, 'run.cjs'), hostWatch);
	const forge = await startSampleForge({ dialect: 'field', ...forgeOptions });
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
		const timeTo = async (sight: Sight, act: () => Promise<unknown>): Promise<number> => {
			// A row that the editor redraws loses a click on it.
			await viewsAreAtRest(page);
			return times.to(sight, act);
		};
		return await measured({ page, forge, timeTo, blockDuring: (act) => blockDuring(folder, act) });
	} catch (error) {
		await page.screenshot({ path: join(resultsFolder, 'bench-open.png') });
		writeFileSync(join(resultsFolder, 'bench-open-console.log'), told.join('\n'));
		throw error;
	}
}

async function blockDuring(folder: string, act: () => Promise<unknown>): Promise<number> {
	const [watch, watching, block] = ['watch', 'watching', 'block.json'].map((name) => join(folder, name));
	writeFileSync(watch!, '');
	await exists(watching!);
	await act();
	rmSync(watch!);
	await exists(block!);
	const longestMs = Number(readFileSync(block!, 'utf8'));
	rmSync(watching!);
	rmSync(block!);
	return longestMs;
}

async function exists(path: string): Promise<void> {
	await eventually(async () => existsSync(path), true);
}

function watchTimes() {
	let usedMs: number | undefined;
	let awaited: Sight | undefined;
	let seen = Promise.withResolvers<number>();
	return {
		report: (what: string, atMs: number): void => {
			if (what === 'used') {
				usedMs ??= atMs;
			} else if (usedMs !== undefined && what === awaited) {
				seen.resolve(atMs - usedMs);
			}
		},
		to: async (sight: Sight, act: () => Promise<unknown>): Promise<number> => {
			usedMs = undefined;
			awaited = sight;
			seen = Promise.withResolvers();
			await act();
			const timer = setTimeout(
				() =>
					seen.reject(
						new Error(`No ${sight} came after ${usedMs === undefined ? 'an input that no frame got' : 'the input'}`),
					),
				limitMs(sightLimitMs),
			);
			try {
				return await seen.promise;
			} finally {
				clearTimeout(timer);
			}
		},
	};
}

/** Clicks a row without waiting for the editor. */
export async function clickAt(
	page: Page,
	place: Promise<{ readonly x: number; readonly y: number; readonly height: number } | null>,
): Promise<void> {
	const box = await place;
	if (box === null) {
		throw new Error('There is no row to click');
	}
	await page.mouse.click(box.x + 60, box.y + box.height / 2);
}

/** Presses a chord: `Alt+J`, then the key. */
export async function pressChord(page: Page, key: string): Promise<void> {
	await page.keyboard.press('Alt+j');
	await page.keyboard.press(key);
}
