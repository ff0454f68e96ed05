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
import { answer, type AnyHandlers, type Protocol } from '../../src/pages/protocol/channel.ts';
import type { FakeClock } from './fakeClock.ts';
import { pageOrigin, type PageTabs, type Served } from './pageTabs.ts';
import { bodyClass, themeSheet, type PageTheme } from './pageThemes.ts';

const root = join(import.meta.dirname, '../..');

/** How a page is looked at. */
export interface BrowserWish {
	readonly theme?: PageTheme;
	readonly width?: number;
	readonly height?: number;
	/** CSS pixels per pixel of the device, as a person zooms: 2 is 200 %. */
	readonly zoom?: number;
	/** What the page kept in an earlier life. */
	readonly kept?: unknown;
	/** The test sets the time of the page. */
	readonly hasOwnTime?: boolean;
	/** The page carries its scripts and styles as text, as every page of a type but the first does. */
	readonly carriesTexts?: boolean;
	/** Leaves out the policy that stops scripts and requests, so that whatever got in does what it came for. */
	readonly withoutPolicy?: boolean;
	/** The entry that the page is opened at. */
	readonly entry?: number | undefined;
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
	/** Names of what the page asked the host, in order. */
	readonly asked: readonly string[];
	/** Titles that the tab was given. */
	readonly titles: readonly string[];
	/** Parts of the page that it named to the host for commands, in order. */
	readonly marks: readonly unknown[];
	/** The page goes out of view, or comes back. */
	readonly setWatched: (isWatched: boolean) => void;
	/** What the page last kept. */
	readonly kept: () => Promise<unknown>;
	/** Whether the host closed the page. */
	readonly isClosed: () => boolean;
	/** The page is opened again, at this entry. */
	readonly want: (entry: number) => void;
	/** What was written to the page's console, and errors that nobody caught. */
	readonly console: readonly string[];
	/** Tells the page something, as whoever opened it would. */
	readonly tell: (name: string, value: unknown) => void;
	/** Not clean is what a test leaves that failed. */
	close(isClean?: boolean): Promise<void>;
}

let made: Promise<ReadonlyMap<string, string>> | undefined;

/** The scripts of all pages by file name, built as for the extension. */
function scripts(): Promise<ReadonlyMap<string, string>> {
	made ??= build({ ...pages, sourcemap: false, write: false }).then(
		({ outputFiles }) => new Map(outputFiles.map(({ path, text }) => [basename(path), text])),
	);
	return made;
}

/** Styles of the pages by name, and the themes'. */
const sheets = new Map<string, string>();

function sheet(name: string, read: () => string): string {
	const text = sheets.get(name) ?? read();
	sheets.set(name, text);
	return text;
}

/** The files of a page beside its HTML. */
interface PageFiles {
	/** Its name and text. */
	readonly script: readonly [string, string];
	/** The theme stands for what the editor gives every page. */
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
				sheet(name, () => readFileSync(join(root, 'media', name), 'utf8')),
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

/** Opens a page of whatever kind. */
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
	/** As in the editor, nobody hears what is told before the page is there. */
	const post = (message: unknown): void => {
		shown?.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined);
	};
	const tell = (name: string, value: unknown): void => {
		news.push(value);
		post({ kind: 'news', name, value });
	};
	const link: PageLink<P> = {
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
	const handlers: AnyHandlers = connected.handlers;
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
		life: 1,
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
