import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { startBrowser } from '../../harness/browser.ts';
import { resultsFolder, vsixFile } from '../../harness/places.ts';
import { startWebServer, type WebServer } from '../../harness/webServer.ts';
import { runsAll } from '../../support/counts.ts';
import { atEndOfRun } from '../../support/endOfRun.ts';
import { extensionHostsAreGone } from './extensionHosts.ts';

/** An editor with the packaged extension installed, and a browser, for one user at a time. */
export interface EditorHome {
	readonly server: WebServer;
	readonly browser: Browser;
	/**
	 * The user's browser profile. It keeps the browser's compiled code of the editor, which halves the start time of
	 * a window; so nothing specific to one suite may be added.
	 */
	readonly profile: BrowserContext;
	/** Closes the user's windows and deletes all stored data. */
	giveBack(): Promise<void>;
}

/** Permissions of editor pages without a prompt. */
export const permissions: string[] = ['clipboard-read', 'clipboard-write'];

interface OpenHome extends Pick<EditorHome, 'server' | 'browser' | 'profile'> {
	close(): Promise<void>;
}

/** Takes about three seconds. */
async function startHome(name: string): Promise<OpenHome> {
	mkdirSync(resultsFolder, { recursive: true });
	const server = await startWebServer({
		vsix: vsixFile,
		editor: runsAll() ? 'whole' : 'small',
		withNeighbours: true,
		logPath: join(resultsFolder, `ui-${name}`),
	});
	try {
		const browser = await startBrowser();
		const profile = await browser.newContext({ permissions });
		return {
			server,
			browser,
			profile,
			async close() {
				await browser.close();
				await server.stop();
			},
		};
	} catch (error) {
		await server.stop();
		throw error;
	}
}

/** An editor for exclusive use. `name` names its logs in test-results. */
export async function ownEditorHome(name: string): Promise<EditorHome> {
	const home = await startHome(name);
	return { ...home, giveBack: () => home.close() };
}

let shared: Promise<OpenHome> | undefined;
let isTaken = false;

/** The editor shared by all suites of this process in turn; a separate one if it is in use. */
export async function sharedEditorHome(): Promise<EditorHome> {
	if (isTaken) {
		return ownEditorHome(`second-${process.pid}`);
	}
	isTaken = true;
	shared ??= startHome(`editor-${process.pid}`).then((home) => {
		atEndOfRun(() => home.close());
		return home;
	});
	try {
		const { server, browser, profile } = await shared;
		return {
			server,
			browser,
			profile,
			async giveBack() {
				const others = browser.contexts().filter((context) => context !== profile);
				await Promise.all([...profile.pages().map((page) => page.close()), ...others.map((each) => each.close())]);
				await extensionHostsAreGone(server.pid);
				await emptyProfile(profile, `http://${server.authority}`);
				server.forgetUser();
				isTaken = false;
			},
		};
	} catch (error) {
		shared = undefined;
		isTaken = false;
		throw error;
	}
}

/** Deletes all stored data of pages; only the editor's `origin` stores more than cookies. */
async function emptyProfile(profile: BrowserContext, origin: string): Promise<void> {
	await profile.clearCookies();
	const page = await profile.newPage();
	const session = await profile.newCDPSession(page);
	// Attaching to service workers keeps them running, each with a browser process.
	await session.send('ServiceWorker.enable');
	await session.send('ServiceWorker.stopAllWorkers');
	await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
	await page.close();
}
