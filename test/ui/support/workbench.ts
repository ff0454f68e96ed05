import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { resultsFolder } from '../../harness/places.ts';
import { makeWorkspace, type Workspace } from '../../harness/workspace.ts';
import { tellAtFailure } from '../../support/failureFacts.ts';
import { noteSlowness } from '../../support/pace.ts';
import { bePatient, patientPage } from '../../support/patientPage.ts';
import { fillBox } from './boxKeys.ts';
import { type EditorHome, ownEditorHome, permissions, sharedEditorHome } from './editorHome.ts';
import { killExtensionHosts, pauseExtensionHosts } from './extensionHosts.ts';
import { shownTexts } from './shownTexts.ts';
import { pick, quickInput, runCommand } from './user.ts';

/** The editor's own themes: name in the setting, name for people, and the class of a workbench that shows it. */
const themes = {
	light: { setting: 'Light Modern', label: 'Light Modern', shown: 'vs' },
	dark: { setting: 'Dark Modern', label: 'Dark Modern', shown: 'vs-dark' },
	highContrast: { setting: 'Default High Contrast', label: 'Dark High Contrast', shown: 'hc-black' },
	highContrastLight: { setting: 'Default High Contrast Light', label: 'Light High Contrast', shown: 'hc-light' },
} as const;

export type Theme = keyof typeof themes;

/** `FORGE_DESK_THEME` names the theme that windows begin with, for whoever looks at pictures. */
const firstTheme =
	Object.entries(themes).find(([name]) => name === process.env['FORGE_DESK_THEME'])?.[1] ?? themes.dark;

export interface WorkbenchOptions {
	/** Names the logs and screenshots in test-results. */
	readonly name: string;
	/** User settings. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Reaches the extension host. */
	readonly env?: Readonly<Record<string, string>>;
	readonly viewport?: { readonly width: number; readonly height: number };
}

/** A user's editor: the packaged extension installed in a clean editor, its window open in a browser. */
export interface Workbench {
	readonly page: Page;
	/** The folder that is open in it: a small git repository. */
	readonly folder: string;
	/** Where the editor's own pages live; every other address is another site. */
	readonly origin: string;
	/** Where the editor keeps the data of its user, extensions' storage among it. */
	readonly dataFolder: string;
	/** Ends the extension host of every window of this editor as a crash would, without a last word. */
	killExtensionHosts(): number;
	/** Has them stand still until what is answered is called. */
	pauseExtensionHosts(): () => void;
	/** Changes the user settings and reloads the window, because this editor does not watch the file. */
	reloadWith(settings: Readonly<Record<string, unknown>>): Promise<void>;
	/** Changes the theme as a user does; what is open stays open. */
	setTheme(theme: Theme): Promise<void>;
	/** A second window of the same user, with the same profile; of the same folder unless another is named. */
	openWindow(folder?: string): Promise<Page>;
	/** A window of the same installation with an empty profile: no session, no memento, no open editor. */
	openCleanWindow(): Promise<Page>;
	/** Takes a picture for people to look at, where they want pictures (`FORGE_DESK_PICTURES`). */
	screenshot(name: string): Promise<void>;
	/** Takes a picture whoever wants it, and resolves to its file in test-results. */
	picture(name: string): Promise<string>;
	/** Takes a picture of every window of this user. */
	pictureAll(name: string): Promise<void>;
	stop(): Promise<void>;
}

/**
 * The editor gives the keyboard back to a tree whose rows it has drawn anew when the tree has not learned yet that it lost
 * it, by a timer that is late on a busy machine. A box that asks would close then, in front of who just opened it.
 */
const boxesStayOpen = { 'workbench.quickOpen.closeOnFocusLost': false } as const;

/** Of what the editor logs the newest says most. */
const mostComplaints = 10;

/** What a window takes on a machine that does nothing else. */
const usualWindowMs = 4_000;

interface Parts {
	readonly options: WorkbenchOptions;
	readonly workspace: Workspace;
	readonly home: EditorHome;
}

/** Opens an editor with the packaged extension for a user whom it has never seen; `home` is given back at the end. */
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
	/** What the editor itself logs as errors. */
	const complaints: string[] = [];
	const openPage = async (context: BrowserContext, folder = workspace.folder): Promise<Page> => {
		const page = await patientPage(context);
		page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
		await page.setViewportSize(viewport);
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

/** The window as the suite before left it, with a picture of it when it cannot be tidied. */
async function takenOver(workbench: Workbench): Promise<Workbench> {
	try {
		await tidy(workbench);
	} catch (error) {
		await workbench.pictureAll('tidying the window');
		throw error;
	}
	return workbench;
}

/** Leaves nothing in front of what a suite will do: no editor, no notice, no box of an earlier suite that failed. */
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
 * For use inside a `suite`: a user's editor for all suites within it, each of which gets the window as the one before left
 * it, but for what stood in front.
 */
export function useOneWorkbench(options: () => WorkbenchOptions): void {
	// Before the window is closed, which it is not while it is held.
	suiteTeardown(() => {
		held = undefined;
	});
	const workbench = useWorkbench(options);
	suiteSetup(() => {
		held = workbench();
	});
}

/**
 * For use inside a `suite`: a user's editor for all its tests, opened before the first and left after the last, with a
 * screenshot of every failure. Server and browser are those that all suites of the process use in turn; the user is a new
 * one. `options` runs just before the start, so it may use what an earlier `suiteSetup` made.
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
