import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';
import { atEndOfRun } from './endOfRun.ts';
import { bePatient } from './patientPage.ts';

declare global {
	interface Window {
		/** Provided by the test. */
		toHost(message: unknown): void;
		incident(what: string): void;
	}
}

/** Origin of every page. */
export const pageOrigin = 'https://page.test';

/** A file of a page. */
export interface Served {
	readonly type: string;
	readonly body: string;
}

interface TabWish {
	/** Size in CSS pixels. */
	readonly width: number;
	readonly height: number;
	/** Device pixels per CSS pixel. */
	readonly zoom: number;
	/** Saved state of an earlier page. */
	readonly kept: unknown;
	/** The test controls the page's clock. A browser can do that only for a whole context, permanently. */
	readonly hasOwnTime: boolean;
	/** Files by path. */
	readonly files: Readonly<Record<string, Served>>;
	readonly fromPage: (message: unknown) => Promise<void>;
}

/** An empty browser tab. */
interface PageTab {
	readonly page: Page;
	/** Network requests besides the page's own files. */
	readonly foreign: readonly string[];
	/** Executed scripts, open dialogs, and violations of the page's policy. */
	readonly incidents: readonly string[];
	readonly console: readonly string[];
	/** Not clean after a failed test, which may have left a key down, for example. */
	close(isClean: boolean): Promise<void>;
}

/** Opens isolated tabs. */
export interface PageTabs {
	open(wish: TabWish): Promise<PageTab>;
}

/** Options and records of the current test. */
interface Use {
	readonly wish: TabWish;
	readonly foreign: string[];
	readonly incidents: string[];
	readonly console: string[];
	hasPopup: boolean;
}

/** A tab in its own context, prepared once. */
interface Tab {
	readonly context: BrowserContext;
	readonly page: Page;
	use: Use | undefined;
}

const blank = `${pageOrigin}/blank`;

let shared: Promise<PageTabs> | undefined;

/** All test files of a process share one browser. */
export function pageTabs(): Promise<PageTabs> {
	shared ??= startBrowser().then((browser) => {
		atEndOfRun(() => browser.close());
		return tabsOf(browser);
	});
	return shared;
}

/** Reuses tabs: a new one costs more than twice as much as a test in it. */
function tabsOf(browser: Browser): PageTabs {
	/** Empty tabs by zoom, which is fixed per context. */
	const free = new Map<number, Tab[]>();
	return {
		async open(wish) {
			const ofZoom = free.get(wish.zoom) ?? [];
			free.set(wish.zoom, ofZoom);
			const tab = (wish.hasOwnTime ? undefined : ofZoom.pop()) ?? (await newTab(browser, wish.zoom));
			const { context, page } = tab;
			const use: Use = { wish, foreign: [], incidents: [], console: [], hasPopup: false };
			tab.use = use;
			bePatient(page);
			await page.setViewportSize({ width: wish.width, height: wish.height });
			if (wish.kept !== undefined) {
				await page.evaluate((kept) => sessionStorage.setItem('kept', kept), JSON.stringify(wish.kept));
			}
			return {
				page,
				foreign: use.foreign,
				incidents: use.incidents,
				console: use.console,
				async close(isClean) {
					if (tab.use !== use) {
						return;
					}
					const isUsedAgain = isClean && !wish.hasOwnTime && !use.hasPopup && !page.isClosed();
					await (isUsedAgain ? clear(page) : context.close());
					tab.use = undefined;
					if (isUsedAgain) {
						ofZoom.push(tab);
					}
				},
			};
		},
	};
}

/** Unloads the page without traces. */
async function clear(page: Page): Promise<void> {
	await page.mouse.move(0, 0);
	await page.goto(blank);
	await page.evaluate(() => sessionStorage.clear());
}

async function newTab(browser: Browser, zoom: number): Promise<Tab> {
	const context = await browser.newContext({
		viewport: { width: 900, height: 800 },
		deviceScaleFactor: zoom,
		locale: 'en-GB',
		timezoneId: 'UTC',
	});
	const page = await context.newPage();
	const tab: Tab = { context, page, use: undefined };
	await context.exposeFunction('toHost', (message: unknown) => tab.use?.wish.fromPage(message));
	await context.exposeFunction('incident', (what: string) => void tab.use?.incidents.push(what));
	await context.addInitScript(watchIncidents);
	await context.addInitScript(editorApi);
	await context.route('**/*', (route) => serve(route, tab));
	page.on('dialog', (dialog) => {
		tab.use?.incidents.push(`dialog ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('pageerror', (error) => {
		tab.use?.incidents.push(`error ${error.message}`);
		tab.use?.console.push(error.stack ?? error.message);
	});
	page.on('popup', (popup) => {
		tab.use?.incidents.push(`popup ${popup.url()}`);
		if (tab.use) {
			tab.use.hasPopup = true;
		}
	});
	page.on('console', (message) => tab.use?.console.push(`${message.type()}: ${message.text()}`));
	await page.goto(blank);
	return tab;
}

async function serve(route: Route, { use }: Tab): Promise<void> {
	const url = new URL(route.request().url());
	const file = url.origin === pageOrigin ? use?.wish.files[url.pathname] : undefined;
	if (url.href === blank) {
		await route.fulfill({ contentType: 'text/html', body: '' });
	} else if (file) {
		await route.fulfill({ contentType: file.type, body: file.body, headers: { 'Access-Control-Allow-Origin': '*' } });
	} else {
		if (url.pathname !== '/favicon.ico') {
			use?.foreign.push(url.href);
		}
		await route.abort();
	}
}

/** Runs in the page before its own script: the editor's API. Saved state survives a reload of the tab. */
function editorApi(): void {
	let state: unknown = JSON.parse(sessionStorage.getItem('kept') ?? 'null');
	Object.assign(window, {
		acquireVsCodeApi: () => ({
			postMessage: (message: unknown) => window.toHost(message),
			getState: () => state ?? undefined,
			setState: (next: unknown) => {
				state = next;
				sessionStorage.setItem('kept', JSON.stringify(next));
			},
		}),
	});
}

/** Runs in the page before its own script, too. */
function watchIncidents(): void {
	const report = (what: string): void => window.incident(what);
	const dialog = (text?: string): null => {
		report(`dialog ${text}`);
		return null;
	};
	Object.assign(window, { alert: dialog, confirm: dialog, prompt: dialog });
	document.addEventListener('securitypolicyviolation', (event) =>
		report(`policy ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
	);
}
