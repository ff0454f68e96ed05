import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { runMark } from '../../harness/leftovers.ts';
import { windowsFile, resultsFolder } from '../../harness/places.ts';
import { makeWorkspace, type Workspace } from '../../harness/workspace.ts';
import { tellAtFailure } from '../../support/failureFacts.ts';
import { noteSlowness } from '../../support/pace.ts';
import { bePatient, patientPage } from '../../support/patientPage.ts';
import { fillBox } from './boxKeys.ts';
import { type EditorHome, ownEditorHome, permissions, sharedEditorHome } from './editorHome.ts';
import { killExtensionHosts, pauseExtensionHosts } from './extensionHosts.ts';
import { shownTexts } from './shownTexts.ts';
import { pick, quickInput, runCommand } from './user.ts';

/** The editor's own themes: name in the setting, display name, and the class of a workbench that shows it. */
const themes = {
	light: { setting: 'Light Modern', label: 'Light Modern', shown: 'vs' },
	dark: { setting: 'Dark Modern', label: 'Dark Modern', shown: 'vs-dark' },
	highContrast: { setting: 'Default High Contrast', label: 'Dark High Contrast', shown: 'hc-black' },
	highContrastLight: { setting: 'Default High Contrast Light', label: 'Light High Contrast', shown: 'hc-light' },
} as const;

export type Theme = keyof typeof themes;

/** `FORGE_DESK_THEME` names the first theme of windows, for looking at pictures. */
const firstTheme =
	Object.entries(themes).find(([name]) => name === process.env['FORGE_DESK_THEME'])?.[1] ?? themes.dark;

export interface WorkbenchOptions {
	/** Names the logs and screenshots in test-results. */
	readonly name: string;
	/** User settings. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Passed to the extension host. */
	readonly env?: Readonly<Record<string, string>>;
	readonly viewport?: { readonly width: number; readonly height: number };
}

/** A user's editor: the packaged extension installed in a clean editor, its window open in a browser. */
export interface Workbench {
	readonly page: Page;
	/** The open folder: a small git repository. */
	readonly folder: string;
	/** The origin of the editor's own pages; every other one is another site. */
	readonly origin: string;
	/** The editor's user data folder, including extension storage. */
	readonly dataFolder: string;
	/** Kills the extension host of every window of this editor, like a crash. */
	killExtensionHosts(): number;
	/** Pauses them; returns a function that resumes them. */
	pauseExtensionHosts(): () => void;
	/** Changes the user settings and reloads the window, because this editor doesn't watch the file. */
	reloadWith(settings: Readonly<Record<string, unknown>>): Promise<void>;
	/** Changes the theme as a user does; open editors stay open. */
	setTheme(theme: Theme): Promise<void>;
	/** Opens a second window of the same user and profile, by default with the same folder. */
	openWindow(folder?: string): Promise<Page>;
	/** Opens a window of the same installation with an empty profile: no session, no memento, no open editor. */
	openCleanWindow(): Promise<Page>;
	/** Takes a picture if `FORGE_DESK_PICTURES` is set. */
	screenshot(name: string): Promise<void>;
	/** Always takes a picture, and resolves to its file in test-results. */
	picture(name: string): Promise<string>;
	/** Takes a picture of every window of this user. */
	pictureAll(name: string): Promise<void>;
	stop(): Promise<void>;
}

/**
 * The editor returns the keyboard to a tree with redrawn rows if the tree hasn't noticed that it lost it, by a timer
 * that is late on a busy machine. A box opened meanwhile would close.
 */
const boxesStayOpen = { 'workbench.quickOpen.closeOnFocusLost': false } as const;

/** The newest messages of the editor's log matter most. */
const mostComplaints = 10;

/** The start time of a window on an idle machine. */
const usualWindowMs = 4_000;

interface Parts {
	readonly options: WorkbenchOptions;
	readonly workspace: Workspace;
	readonly home: EditorHome;
}

/** Opens an editor with the packaged extension for a new user; gives `home` back at the end. */
export async function startWorkbench(options: WorkbenchOptions, home?: EditorHome): Promise<Workbench> {
	const used = home ?? (await ownEditorHome(options.name));
	const workspace = makeWorkspace();
	try {
		return await openWorkbench({ options, workspace, home: used });
	} catch (error) {
		await used.giveBack();
		workspace.remove();
		throw error;
	}
}

/** Adds a line to `test-results/windows.jsonl` for each start and reload of a window, the expensive part of a test. */
function countLoads(page: Page, name: string): void {
	page.on('load', () => {
		const line = JSON.stringify({ run: process.env[runMark], window: name });
		appendFileSync(windowsFile, `${line}\n`);
	});
}

async function workbenchIsThere(page: Page): Promise<void> {
	await page.locator('.activitybar').getByRole('tab').first().waitFor();
}

async function openWorkbench({ options, workspace, home }: Parts): Promise<Workbench> {
	const { settings = {}, env = {}, name, viewport = { width: 1280, height: 800 } } = options;
	const { server, browser, profile } = home;
	const origin = `http://${server.authority}`;
	const setSettings = (changed: Readonly<Record<string, unknown>>): void =>
		server.setSettings({ ...boxesStayOpen, ...changed, 'workbench.colorTheme': firstTheme.setting });
	setSettings(settings);
	server.setHostEnv(env);
	/** Errors logged by the editor itself. */
	const complaints: string[] = [];
	const openPage = async (context: BrowserContext, folder = workspace.folder): Promise<Page> => {
		const page = await patientPage(context);
		page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
		await page.setViewportSize(viewport);
		countLoads(page, name);
		const start = performance.now();
		await page.goto(`${origin}/?folder=${encodeURIComponent(folder)}`);
		await workbenchIsThere(page);
		noteSlowness((performance.now() - start) / usualWindowMs);
		bePatient(page);
		return page;
	};
	const page = await openPage(profile);
	const told = tellAtFailure(async () =>
		[await shownTexts(page), 'It logged:', ...complaints.slice(-mostComplaints)].join('\n'),
	);
	const pictureOf = async (window: Page, title: string): Promise<string> => {
		const path = join(resultsFolder, `ui-${name}-${title.replaceAll(/\W+/g, '-')}.png`);
		await window.screenshot({ path });
		return path;
	};
	const picture = (title: string): Promise<string> => pictureOf(page, title);
	return {
		page,
		folder: workspace.folder,
		origin,
		dataFolder: server.dataFolder,
		killExtensionHosts: () => killExtensionHosts(server.pid),
		pauseExtensionHosts: () => pauseExtensionHosts(server.pid),
		async reloadWith(changed) {
			setSettings(changed);
			await page.reload();
			await workbenchIsThere(page);
		},
		async setTheme(changed) {
			await runCommand(page, 'Preferences: Color Theme');
			await fillBox(quickInput(page), themes[changed].label);
			await pick(page, themes[changed].label);
			await page.locator(`.monaco-workbench.${themes[changed].shown}`).waitFor();
		},
		openWindow: (folder) => openPage(profile, folder),
		openCleanWindow: async () => openPage(await browser.newContext({ permissions })),
		async screenshot(title) {
			if (process.env['FORGE_DESK_PICTURES'] !== undefined) {
				await picture(title);
			}
		},
		picture,
		async pictureAll(title) {
			for (const [at, window] of profile.pages().entries()) {
				await pictureOf(window, at === 0 ? title : `${title} ${at + 1}`);
			}
		},
		async stop() {
			told[Symbol.dispose]();
			await home.giveBack();
			workspace.remove();
		},
	};
}

let held: Workbench | undefined;

/** The window as the previous suite left it; takes a picture if tidying fails. */
async function takenOver(workbench: Workbench): Promise<Workbench> {
	try {
		await tidy(workbench);
	} catch (error) {
		await workbench.pictureAll('tidying the window');
		throw error;
	}
	return workbench;
}

/** Closes all editors, notices and boxes that a failed suite may have left. */
async function tidy(workbench: Workbench): Promise<void> {
	const { page } = workbench;
	while (await quickInput(page).isVisible()) {
		await page.keyboard.press('Escape');
	}
	await runCommand(page, 'View: Close All Editors');
	await page.locator('.editor-group-container').getByRole('tab').first().waitFor({ state: 'detached' });
	await runCommand(page, 'Notifications: Clear All Notifications');
}

/**
 * For use inside a `suite`: one editor for all suites within it, each of which gets the previous one's window with
 * editors, notices and boxes closed.
 */
export function useOneWorkbench(options: () => WorkbenchOptions): void {
	// Before the window closes, which it doesn't while held.
	suiteTeardown(() => {
		held = undefined;
	});
	const workbench = useWorkbench(options);
	suiteSetup(() => {
		held = workbench();
	});
}

/**
 * For use inside a `suite`: a user's editor for all its tests, opened before the first and closed after the last,
 * with a screenshot of every failure. The server and browser are shared by all suites of the process; the user is
 * new. `options` runs just before the start, so it may use results of an earlier `suiteSetup`.
 */
export function useWorkbench(options: () => WorkbenchOptions): () => Workbench {
	let workbench: Workbench | undefined;
	suiteSetup(async () => {
		workbench = held ? await takenOver(held) : await startWorkbench(options(), await sharedEditorHome());
	});
	teardown(async function () {
		if (this.currentTest?.state === 'failed') {
			await workbench?.pictureAll(this.currentTest.title);
		}
	});
	suiteTeardown(async () => {
		if (workbench !== held) {
			await workbench?.stop();
		}
		workbench = undefined;
	});
	return () => {
		if (workbench === undefined) {
			throw new Error('The editor is there only while the tests of its suite run.');
		}
		return workbench;
	};
}
