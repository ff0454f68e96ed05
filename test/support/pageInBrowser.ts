import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Clock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { Disposables } from '../../src/base/lifecycle.ts';
import type { PageContent, PageLink } from '../../src/editor/pageHost.ts';
import { pageHtml } from '../../src/editor/pageHtml.ts';
import { answer, type AnyHandlers, type Protocol } from '../../src/protocol/channel.ts';
import type { FakeClock } from './fakeClock.ts';
import { bodyClass, themeSheet, type PageTheme } from './pageThemes.ts';

declare global {
	interface Window {
		/** Given to the page by the test. */
		toHost(message: unknown): void;
		incident(what: string): void;
	}
}

const root = join(import.meta.dirname, '../..');
const origin = 'https://page.test';

/** How a page is looked at. */
export interface BrowserWish {
	readonly theme?: PageTheme;
	readonly width?: number;
	readonly height?: number;
	/** CSS pixels per pixel of the device, as a person zooms: 2 is 200 %. */
	readonly zoom?: number;
	/** What the page kept in an earlier life. */
	readonly kept?: unknown;
	/** Leaves out the policy that stops scripts and requests, so that whatever got in does what it came for. */
	readonly withoutPolicy?: boolean;
	/** What a failure is told as. */
	readonly explain: (error: unknown) => string;
}

/** The real page and the real host, with a browser tab where the editor's panel would be. */
export interface OpenedPage {
	readonly page: Page;
	/** Everything the page asked the network for beside its own files, which should be nothing. */
	readonly foreign: readonly string[];
	/** Scripts that ran, dialogs that opened, and what the page's policy had to stop. */
	readonly incidents: readonly string[];
	/** News that the host told, in order. */
	readonly told: readonly unknown[];
	/** Titles that the tab was given. */
	readonly titles: readonly string[];
	/** The page goes out of view, or comes back. */
	readonly setWatched: (isWatched: boolean) => void;
	/** What the page last kept. */
	readonly kept: () => Promise<unknown>;
	/** Whether the host closed the page. */
	readonly isClosed: () => boolean;
	/** Tells the page something, as whoever opened it would. */
	readonly tell: (name: string, value: unknown) => void;
	close(): Promise<void>;
}

const scripts = new Map<string, Promise<string>>();

/** `ticket.js` is made of `src/webview/ticket/main.ts`. */
function pageScript(file: string): Promise<string> {
	const known = scripts.get(file);
	if (known) {
		return known;
	}
	const made = build({
		entryPoints: [join(root, 'src/webview', file.replace(/\.js$/, ''), 'main.ts')],
		bundle: true,
		write: false,
		format: 'iife',
		target: 'es2024',
		loader: { '.svg': 'text' },
		logLevel: 'silent',
	}).then(({ outputFiles }) => outputFiles[0]!.text);
	scripts.set(file, made);
	return made;
}

/** Opens a page of whatever kind. */
export async function openInBrowser<P extends Protocol>(
	browser: Browser,
	content: PageContent<P>,
	wish: BrowserWish,
): Promise<OpenedPage> {
	const theme = wish.theme ?? 'dark';
	const zoom = wish.zoom ?? 1;
	const context = await browser.newContext({
		viewport: { width: (wish.width ?? 900) / zoom, height: (wish.height ?? 800) / zoom },
		deviceScaleFactor: zoom,
		locale: 'en-GB',
		timezoneId: 'UTC',
	});
	const page = await context.newPage();
	const incidents = await watchIncidents(context, page);
	const abort = new AbortController();
	const owned = new Disposables();
	const watched = owned.add(new Emitter<void>());
	let isWatched = true;
	let isClosed = false;
	const news: unknown[] = [];
	const titles: string[] = [];
	const post = (message: unknown): void => {
		page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined);
	};
	const tell = (name: string, value: unknown): void => {
		news.push(value);
		post({ kind: 'news', name, value });
	};
	const link: PageLink<P> = {
		tell,
		setTitle: (title) => void titles.push(title),
		become: () => undefined,
		close: () => {
			isClosed = true;
		},
		signal: abort.signal,
		owned,
		isWatched: () => isWatched,
		onDidChangeWatched: watched.event,
		onDidShow: watched.event,
	};
	const connected = content.connect(link);
	const handlers: AnyHandlers = connected.handlers;
	await page.exposeFunction('toHost', async (message: unknown) => {
		const reply = await answer(handlers, message, wish.explain);
		if (reply) {
			post(reply);
		}
	});
	const framed = pageHtml({
		nonce: 'test',
		styleSource: origin,
		script: `${origin}/${content.script}`,
		styles: ['theme.css', ...content.styles].map((style) => `${origin}/${style}`),
		language: 'en',
		title: content.title,
		subject: content.subject,
		texts: undefined,
		start: connected.start && { kind: 'news', name: 'start', value: connected.start },
	}).replace('<body>', `<body class="${bodyClass(theme)}">`);
	const html = wish.withoutPolicy === true ? framed.replace(/<meta http-equiv[^>]*>/, '') : framed;
	const foreign = await serve(context, {
		'/': { type: 'text/html', body: html },
		[`/${content.script}`]: { type: 'text/javascript', body: await pageScript(content.script) },
		'/theme.css': { type: 'text/css', body: themeSheet(theme) },
		...Object.fromEntries(
			content.styles.map((style) => [
				`/${style}`,
				{ type: 'text/css', body: readFileSync(join(root, 'media', style), 'utf8') },
			]),
		),
	});
	await page.addInitScript(editorApi, wish.kept ?? null);
	await page.goto(`${origin}/`);
	await page.waitForSelector('main');
	return {
		page,
		foreign,
		incidents,
		told: news,
		titles,
		setWatched(next) {
			isWatched = next;
			watched.fire();
		},
		kept: async (): Promise<unknown> =>
			JSON.parse((await page.evaluate(() => sessionStorage.getItem('kept'))) ?? 'null'),
		isClosed: () => isClosed,
		tell,
		async close() {
			abort.abort();
			owned.dispose();
			await context.close();
		},
	};
}

/** Time goes on by itself: what only wants to let others have their turn has it. */
export const goingOn: Clock = {
	nowMs: () => performance.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return { dispose: () => clearTimeout(timer) };
	},
};

/** Time stands still, but what only wants to let others have their turn goes on. */
export function pausing(clock: FakeClock): Clock {
	return {
		nowMs: () => clock.nowMs(),
		after(delayMs, work) {
			if (delayMs > 0) {
				return clock.after(delayMs, work);
			}
			const timer = setImmediate(work);
			return { dispose: () => clearImmediate(timer) };
		},
	};
}

/** Runs in the page before its own script: what the editor would give it. Kept state survives a reload of the tab. */
function editorApi(kept: unknown): void {
	const before = sessionStorage.getItem('kept');
	let state: unknown = before === null ? kept : JSON.parse(before);
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

async function watchIncidents(context: BrowserContext, page: Page): Promise<readonly string[]> {
	const incidents: string[] = [];
	await context.exposeFunction('incident', (what: string) => void incidents.push(what));
	await context.addInitScript(() => {
		const report = (what: string): void => window.incident(what);
		const dialog = (text?: string): null => {
			report(`dialog ${text}`);
			return null;
		};
		Object.assign(window, { alert: dialog, confirm: dialog, prompt: dialog });
		document.addEventListener('securitypolicyviolation', (event) =>
			report(`policy ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
		);
	});
	page.on('dialog', (dialog) => {
		incidents.push(`dialog ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('pageerror', (error) => incidents.push(`error ${error.message}`));
	page.on('popup', (popup) => incidents.push(`popup ${popup.url()}`));
	return incidents;
}

interface Served {
	readonly type: string;
	readonly body: string;
}

async function serve(context: BrowserContext, files: Readonly<Record<string, Served>>): Promise<readonly string[]> {
	const foreign: string[] = [];
	await context.route('**/*', async (route) => {
		const url = new URL(route.request().url());
		const file = url.origin === origin ? files[url.pathname] : undefined;
		if (file) {
			await route.fulfill({ contentType: file.type, body: file.body, headers: { 'Access-Control-Allow-Origin': '*' } });
		} else {
			if (url.pathname !== '/favicon.ico') {
				foreign.push(url.href);
			}
			await route.abort();
		}
	});
	return foreign;
}
