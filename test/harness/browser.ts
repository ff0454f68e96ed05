import { type Browser, chromium } from 'playwright-core';
import { type ChromiumKind, ensureChromium, findChromium } from './debian.ts';
import { keepTraces } from './keepTraces.ts';
import { tracesFolder } from './places.ts';

/** `npm test` takes the smallest browser that there is; everything else what people have. */
export function neededChromium(env: NodeJS.ProcessEnv): ChromiumKind {
	return env['FORGE_DESK_UI'] === 'one' && env['FORGE_DESK_WATCH'] === undefined ? 'windowless' : 'whole';
}

/**
 * Starts Chromium; every `newContext()` of it is a user with an empty profile. Whoever watches a test (`npm run watch-test`)
 * sees it in a window, or gets a trace of each context.
 */
export async function startBrowser(): Promise<Browser> {
	const watching = process.env['FORGE_DESK_WATCH'];
	const kind = neededChromium(process.env);
	const browser = await chromium.launch({
		executablePath: findChromium(kind) ?? ensureChromium(kind),
		headless: watching !== 'visible',
		// Who started the browser also ends it, whatever the reason.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
	if (watching === 'trace') {
		keepTraces(browser, tracesFolder);
	}
	return browser;
}

/**
 * A script for the editor's page that makes the workbench load extensions from their folders and call the `run` of the
 * module `tests` in the extension host. All paths are absolute. The workbench reads its options from an
 * element of its page, so that is where they have to be before its own script runs.
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
