import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { PageContent, PageLink } from '../../src/editor/pages/pageHost.ts';
import { pageHtml, type PageFile } from '../../src/editor/pages/pageHtml.ts';
import { pages } from '../../esbuild.mjs';
import { answer, isOfOtherLife, type AnyHandlers, type Protocol } from '../../src/pages/protocol/pageProtocol.ts';
import type { FakeClock } from './fakeClock.ts';
import { pageOrigin, type PageTabs, type Served } from './pageTabs.ts';
import { bodyClass, themeSheet, type PageTheme } from './pageThemes.ts';

/** Display options of a page. */
export interface BrowserWish {
	readonly theme?: PageTheme;
	readonly width?: number;
	readonly height?: number;
	/** CSS zoom as a user sets it: 2 is 200 %. */
	readonly zoom?: number;
	/** Saved state of an earlier page. */
	readonly kept?: unknown;
	/** The test controls the page's clock. */
	readonly hasOwnTime?: boolean;
	/** Inlines scripts and styles, as in every page of a type except the first. */
	readonly carriesTexts?: boolean;
	/** Omits the security policy, so injected content takes effect. */
	readonly withoutPolicy?: boolean;
	/** The entry to open. */
	readonly entry?: number | undefined;
	/** Text for a failure. */
	readonly explain: (error: unknown) => string;
}

/** The real page and host, with a browser tab in place of the editor's panel. */
export interface OpenedPage {
	readonly page: Page;
	/** Network requests besides the page's own files; should be empty. */
	readonly foreign: readonly string[];
	/** Executed scripts, open dialogs, and violations of the page's policy. */
	readonly incidents: readonly string[];
	/** Messages of the host, in order. */
	readonly told: readonly unknown[];
	/** Frees the memory of all messages so far. */
	readonly forgetTold: () => void;
	/** Names of the page's requests to the host, in order. */
	readonly asked: readonly string[];
	/** Titles of the tab. */
	readonly titles: readonly string[];
	/** Parts of the page reported to the host for commands, in order. */
	readonly marks: readonly unknown[];
	/** Hides or shows the page. */
	readonly setWatched: (isWatched: boolean) => void;
	/** The last saved state. */
	readonly kept: () => Promise<unknown>;
	/** True if the host closed the page. */
	readonly isClosed: () => boolean;
	/** Reopens the page at this entry. */
	readonly want: (entry: number) => void;
	/** The page's console output and uncaught errors. */
	readonly console: readonly string[];
	/** Shows another page in the same document. */
	become<Q extends Protocol>(content: PageContent<Q>): void;
	/** Sends a message to the page as its opener. */
	readonly tell: (name: string, value: unknown) => void;
	/** Not clean after a failed test. */
	close(isClean?: boolean): Promise<void>;
}

let made: Promise<ReadonlyMap<string, string>> | undefined;

/** Scripts of all pages by file name, built as for the extension. */
function scripts(): Promise<ReadonlyMap<string, string>> {
	made ??= build({ ...pages, sourcemap: false, write: false }).then(
		({ outputFiles }) => new Map(outputFiles.map(({ path, text }) => [basename(path), text])),
	);
	return made;
}

/** Styles of pages and themes, by name. */
const sheets = new Map<string, string>();

function sheet(name: string, read: () => string): string {
	const text = sheets.get(name) ?? read();
	sheets.set(name, text);
	return text;
}

/** Files of a page besides its HTML. */
interface PageFiles {
	/** Its name and text. */
	readonly script: readonly [string, string];
	/** The theme replaces the editor's own styles. */
	readonly styles: ReadonlyMap<string, string>;
}

async function filesOf(page: Pick<PageContent<Protocol>, 'script' | 'styles'>, theme: PageTheme): Promise<PageFiles> {
	const all = await scripts();
	return {
		script: [page.script, all.get(page.script) ?? ''],
		styles: new Map([
			['theme.css', sheet(`theme ${theme}`, () => themeSheet(theme))],
			...page.styles.map((name): readonly [string, string] => [
				name,
				sheet(name, () => readFileSync(join(import.meta.dirname, '../../media', name), 'utf8')),
			]),
		]),
	};
}

function named([name, text]: readonly [string, string], carriesTexts: boolean): PageFile {
	return carriesTexts ? { kind: 'text', text } : { kind: 'address', address: `${pageOrigin}/${name}` };
}

function served(files: Iterable<readonly [string, string]>, type: string): Readonly<Record<string, Served>> {
	return Object.fromEntries(Array.from(files, ([name, body]) => [`/${name}`, { type, body }]));
}

/** Opens a page of any kind. */
export async function openInBrowser<P extends Protocol>(
	tabs: PageTabs,
	content: PageContent<P>,
	wish: BrowserWish,
): Promise<OpenedPage> {
	const theme = wish.theme ?? 'dark';
	const zoom = wish.zoom ?? 1;
	const abort = new AbortController();
	const owned = new Disposables();
	const watched = owned.add(new Emitter<void>());
	const wanted = owned.add(new Emitter<number>());
	let isWatched = true;
	let isClosed = false;
	const news: unknown[] = [];
	const asked: string[] = [];
	const titles: string[] = [];
	const marks: unknown[] = [];
	let shown: Page | undefined;
	/** As in the editor, messages before the page has loaded are lost. Text reaches the page faster than objects do. */
	const post = (message: unknown): void => {
		shown
			?.evaluate((text) => window.postMessage(JSON.parse(text), '*'), JSON.stringify(message))
			.catch(() => undefined);
	};
	const tell = (name: string, value: unknown): void => {
		news.push(value);
		post({ kind: 'news', name, value });
	};
	const link: PageLink<Protocol> = {
		tell,
		setTitle: (title) => void titles.push(title),
		mark: (subject) => void marks.push(subject),
		become: () => undefined,
		close: () => {
			isClosed = true;
		},
		signal: abort.signal,
		owned,
		isWatched: () => isWatched,
		isVisible: () => isWatched,
		entry: wish.entry,
		onDidWant: wanted.event,
		onDidChangeWatched: watched.event,
		onDidShow: watched.event,
	};
	const connected = content.connect(link);
	let life = 1;
	let handlers: AnyHandlers = connected.handlers;
	const { script, styles } = await filesOf(content, theme);
	const carriesTexts = wish.carriesTexts ?? false;
	const framed = pageHtml({
		nonce: 'test',
		styleSource: pageOrigin,
		script: named(script, carriesTexts),
		styles: Array.from(styles, (style) => named(style, carriesTexts)),
		language: 'en',
		title: content.title,
		subject: content.subject,
		life,
		start: connected.start && { kind: 'news', name: 'start', value: connected.start },
	}).replace('<body>', `<body class="${bodyClass(theme)}">`);
	const html = wish.withoutPolicy === true ? framed.replace(/<meta http-equiv[^>]*>/, '') : framed;
	const tab = await tabs.open({
		width: (wish.width ?? 900) / zoom,
		height: (wish.height ?? 800) / zoom,
		zoom,
		kept: wish.kept,
		hasOwnTime: wish.hasOwnTime ?? false,
		files: {
			'/': { type: 'text/html', body: html },
			...(!carriesTexts && { ...served([script], 'text/javascript'), ...served(styles, 'text/css') }),
		},
		async fromPage(message) {
			if (isOfOtherLife(message, life)) {
				return;
			}
			asked.push(String(Reflect.get(Object(message), 'name')));
			const reply = await answer(handlers, message, wish.explain);
			if (reply) {
				post(reply);
			}
		},
	});
	const { page, foreign, incidents } = tab;
	shown = page;
	await page.goto(`${pageOrigin}/`);
	await page.waitForSelector('main');
	return {
		page,
		foreign,
		incidents,
		told: news,
		forgetTold: () => void news.splice(0),
		asked,
		titles,
		marks,
		setWatched(next) {
			isWatched = next;
			watched.fire();
		},
		kept: async (): Promise<unknown> =>
			JSON.parse((await page.evaluate(() => sessionStorage.getItem('kept'))) ?? 'null'),
		isClosed: () => isClosed,
		become(next) {
			const { start, ...more } = next.connect(link);
			({ handlers } = more);
			life += 1;
			const news = start && { kind: 'news', name: 'start', value: start };
			post({ kind: 'become', life, title: next.title, subject: next.subject, start: news });
		},
		tell,
		want: (entry) => wanted.fire(entry),
		console: tab.console,
		async close(isClean = true) {
			shown = undefined;
			abort.abort();
			owned.dispose();
			await tab.close(isClean);
		},
	};
}

/** Time advances, with real pauses. */
export const goingOn: Clock = {
	nowMs: () => performance.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return { dispose: () => clearTimeout(timer) };
	},
};

/** Time stands still, with real pauses. */
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
