import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../harness/browser.ts';
import { resultsFolder, vsixFile } from '../../harness/places.ts';
import { startWebServer, type WebServer } from '../../harness/webServer.ts';
import { atEndOfRun } from '../../support/endOfRun.ts';
import { extensionHostsAreGone } from './extensionHosts.ts';

/** An editor with the packaged extension installed, and a browser, for one user at a time. */
export interface EditorHome {
	readonly server: WebServer;
	readonly browser: Browser;
	/** The user has left: windows are closed, and nothing of what was kept is there for the next one. */
	giveBack(): Promise<void>;
}

interface OpenHome extends Pick<EditorHome, 'server' | 'browser'> {
	close(): Promise<void>;
}

/** Takes about three seconds. */
async function startHome(name: string): Promise<OpenHome> {
	mkdirSync(resultsFolder, { recursive: true });
	const server = await startWebServer({ vsix: vsixFile, logPath: join(resultsFolder, `ui-${name}`) });
	try {
		const browser = await startBrowser();
		return {
			server,
			browser,
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

/** An editor that nobody else uses. `name` is that of its logs in test-results. */
export async function ownEditorHome(name: string): Promise<EditorHome> {
	const home = await startHome(name);
	return { ...home, giveBack: () => home.close() };
}

let shared: Promise<OpenHome> | undefined;
let isTaken = false;

/** The editor that all suites of this process use in turn; one of its own for who wants a second at the same time. */
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
		const { server, browser } = await shared;
		return {
			server,
			browser,
			async giveBack() {
				await Promise.all(browser.contexts().map((context) => context.close()));
				await extensionHostsAreGone(server.pid);
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
