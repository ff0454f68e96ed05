import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { type ChromiumKind, ensureChromium, findChromium } from './debian.ts';
import { tracesFolder } from './places.ts';

/** `npm test` takes the smallest browser; everything else the users' one. */
export function neededChromium(env: NodeJS.ProcessEnv): ChromiumKind {
	const isQuick = env['FORGE_DESK_COUNTS'] === 'small' || env['FORGE_DESK_COUNTS'] === 'least';
	return isQuick && env['FORGE_DESK_WATCH'] === undefined ? 'windowless' : 'whole';
}

const chromiumOptions = `
	no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync
`;

/**
 * Starts Chromium; every `newContext()` is a user with an empty profile. `npm run watch-test` shows it in a window, or writes
 * a trace of each context.
 */
export async function startBrowser(): Promise<Browser> {
	const watching = process.env['FORGE_DESK_WATCH'];
	const kind = neededChromium(process.env);
	const browser = await chromium.launch({
		executablePath: findChromium(kind) ?? ensureChromium(kind),
		headless: watching !== 'visible',
		// The caller ends it.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
		args: chromiumOptions
			.trim()
			.split(/\s+/)
			.map((name) => `--${name}`),
	});
	if (watching === 'trace') {
		keepTraces(browser, tracesFolder);
	}
	return browser;
}

/**
 * A script for the editor's page: the workbench then loads extensions from their folders and calls the `run` of the module
 * `tests` in the extension host. All paths are absolute. The workbench reads its options from an element of its page.
 */
export function developmentScript(
	authority: string,
	paths: { readonly extensions: readonly string[]; readonly tests: string },
): string {
	const remote = (path: string): object => ({ scheme: 'vscode-remote', authority, path });
	const wanted = { extensions: paths.extensions.map(remote), extensionTestsPath: remote(paths.tests) };
	return `new MutationObserver((_, observer) => {
		const element = document.getElementById('vscode-workbench-web-configuration');
		if (element !== null) {
			observer.disconnect();
			const settings = JSON.parse(element.dataset.settings);
			settings.developmentOptions = { ...settings.developmentOptions, ...${JSON.stringify(wanted)} };
			element.dataset.settings = JSON.stringify(settings);
		}
	}).observe(document, { childList: true, subtree: true });`;
}

/** Writes a trace of every context to the folder, when the context or the browser closes. */
function keepTraces(browser: Browser, folder: string): void {
	const open = new Map<BrowserContext, string>();
	const [newContext, closeBrowser] = [browser.newContext.bind(browser), browser.close.bind(browser)];
	let count = 0;
	const keep = async (context: BrowserContext): Promise<void> => {
		const path = open.get(context);
		if (path !== undefined) {
			open.delete(context);
			await context.tracing.stop({ path });
		}
	};
	browser.newContext = async (options) => {
		const context = await newContext(options);
		count += 1;
		open.set(context, join(folder, `${process.pid}-${count}.zip`));
		await context.tracing.start({ screenshots: true, snapshots: true });
		const closeContext = context.close.bind(context);
		context.close = async (closing) => {
			await keep(context);
			await closeContext(closing);
		};
		return context;
	};
	browser.close = async (closing) => {
		for (const context of open.keys()) {
			await keep(context);
		}
		await closeBrowser(closing);
	};
}
