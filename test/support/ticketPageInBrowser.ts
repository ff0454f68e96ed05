import './vscodeStub.ts';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Clock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { Disposables } from '../../src/base/lifecycle.ts';
import type { PageLink } from '../../src/editor/pageHost.ts';
import type { Problems } from '../../src/editor/problems.ts';
import type { PageRenderer } from '../../src/features/tickets/page/pageRenderer.ts';
import type { TicketSubject } from '../../src/features/tickets/subjects.ts';
import { answer, type AnyHandlers, type Protocol } from '../../src/protocol/channel.ts';
import type { Drafts } from '../../src/state/drafts.ts';
import type { Connections } from '../../src/state/connection.ts';
import type { TicketsParts } from '../../src/features/tickets/ticketsParts.ts';
import { fakeClock, type FakeClock } from './fakeClock.ts';
import { quietProblems, ticketsParts } from './fakeTicketsParts.ts';
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

/** What a ticket page is opened with. */
export interface PageWish {
	readonly connections: Connections;
	readonly subject: TicketSubject;
	readonly theme?: PageTheme;
	readonly width?: number;
	readonly height?: number;
	/** What the page kept in an earlier life. */
	readonly kept?: unknown;
	/** Loaded already, as for every page but the first. */
	readonly renderer?: PageRenderer;
	/** The same parts for several pages, so that what the host keeps outlives one of them. */
	readonly parts?: TicketsParts;
	/** Leaves out the policy that stops scripts and requests, so that whatever got in does what it came for. */
	readonly withoutPolicy?: boolean;
	/** What a failure is told as, where a test wants to choose the words. */
	readonly explain?: (error: unknown) => string;
}

/** The real page and the real host, with a browser tab where the editor's panel would be. */
export interface PageInBrowser {
	readonly page: Page;
	/** Everything the page asked the network for beside its own files, which should be nothing. */
	readonly foreign: readonly string[];
	/** Scripts that ran, dialogs that opened, and what the page's policy had to stop. */
	readonly incidents: readonly string[];
	/** Links that were followed on the host. */
	readonly followed: readonly string[];
	/** Resolves with the next draft that the host is given. */
	readonly nextDraft: () => Promise<string>;
	/** News that the host told, in order. */
	readonly told: readonly unknown[];
	/** The host's time. */
	readonly clock: FakeClock;
	/** The page goes out of view, or comes back. */
	readonly setWatched: (isWatched: boolean) => void;
	/** What the page last kept. */
	readonly kept: () => Promise<unknown>;
	close(): Promise<void>;
}

let script: Promise<string> | undefined;

function pageScript(): Promise<string> {
	script ??= build({
		entryPoints: [join(root, 'src/webview/ticket/main.ts')],
		bundle: true,
		write: false,
		format: 'iife',
		target: 'es2024',
		loader: { '.svg': 'text' },
		logLevel: 'silent',
	}).then(({ outputFiles }) => outputFiles[0]!.text);
	return script;
}

/** Opens the page of one ticket. */
export async function openTicketPage(browser: Browser, wish: PageWish): Promise<PageInBrowser> {
	const { ticketPage } = await import('../../src/features/tickets/ticketPage.ts');
	const { pageRenderer } = await import('../../src/features/tickets/page/pageRenderer.ts');
	const { pageHtml } = await import('../../src/editor/pageHtml.ts');
	const theme = wish.theme ?? 'dark';
	const context = await browser.newContext({
		viewport: { width: wish.width ?? 900, height: wish.height ?? 800 },
		locale: 'en-GB',
		timezoneId: 'UTC',
	});
	const page = await context.newPage();
	const followed: string[] = [];
	const incidents = await watchIncidents(context, page);
	const abort = new AbortController();
	const owned = new Disposables();
	const watched = owned.add(new Emitter<void>());
	let isWatched = true;
	const tell = (message: unknown): void => {
		page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined);
	};
	const link: PageLink<Protocol> = {
		tell: (name, value) => {
			news.push(value);
			tell({ kind: 'news', name, value });
		},
		setTitle: () => undefined,
		close: () => undefined,
		signal: abort.signal,
		owned,
		isWatched: () => isWatched,
		onDidChangeWatched: watched.event,
		onDidShow: watched.event,
	};
	const unused = (): never => {
		throw new Error('Pages are opened by the test');
	};
	const news: unknown[] = [];
	const clock = fakeClock();
	const parts =
		wish.parts ??
		ticketsParts(wish.connections, {
			open: unused,
			restore: unused,
			inFront: () => undefined,
			dispose: () => undefined,
		});
	let keeping = Promise.withResolvers<string>();
	const drafts: Drafts = {
		...parts.drafts,
		async keep(about, draft) {
			await parts.drafts.keep(about, draft);
			keeping.resolve(draft.text);
		},
	};
	const explain = (error: unknown): string => wish.explain?.(error) ?? quietProblems.explain(error).message;
	const told: Problems = { ...quietProblems, explain: (error) => ({ message: explain(error), action: undefined }) };
	const content = ticketPage({ ...parts, drafts, problems: told, clock: pausing(clock) }, wish.subject, {
		follow: async (href) => void followed.push(href),
		writing: new AbortController().signal,
		focusComposer: false,
		renderer: wish.renderer ?? pageRenderer(parts.render),
	});
	const connected = content.connect({ ...link });
	const handlers: AnyHandlers = connected.handlers;
	await page.exposeFunction('toHost', async (message: unknown) => {
		const reply = await answer(handlers, message, explain);
		if (reply) {
			tell(reply);
		}
	});
	const framed = pageHtml({
		nonce: 'test',
		styleSource: origin,
		script: `${origin}/ticket.js`,
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
		'/ticket.js': { type: 'text/javascript', body: await pageScript() },
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
		followed,
		told: news,
		clock,
		setWatched(next) {
			isWatched = next;
			watched.fire();
		},
		nextDraft() {
			keeping = Promise.withResolvers<string>();
			return keeping.promise;
		},
		kept: async (): Promise<unknown> =>
			JSON.parse((await page.evaluate(() => sessionStorage.getItem('kept'))) ?? 'null'),
		async close() {
			abort.abort();
			owned.dispose();
			await context.close();
		},
	};
}

/** Time stands still, but what only wants to let others have their turn goes on. */
function pausing(clock: FakeClock): Clock {
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
