import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { PageContent } from '../../src/editor/pages/pageHost.ts';
import { answer, type Protocol } from '../../src/pages/protocol/pageProtocol.ts';
import { longestTaskMs } from '../page/support/longestTask.ts';
import { fakeConnections } from '../support/fakeConnection.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import { openInBrowser, type OpenedPage } from '../support/pageInBrowser.ts';
import { pageTabs, type PageTabs } from '../support/pageTabs.ts';
import { usedMemory } from '../support/usedMemory.ts';
import { blockFigure, counted, mebibyte, mostFigure } from './figures.ts';
import { largeList, largeReview, largeThread, type SeriesSizes } from './largeReviews.ts';
import { bestOf, longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

const never = new AbortController().signal;
const sizes = {
	full: { files: 1500, patches: 300, mails: 2000, replies: 250, runs: 3 },
	smallest: { files: 20, patches: 4, mails: 20, replies: 5, runs: 1 },
} as const;
const commentsEach = 4;
const linesEach = 7;
/** Rows of files on the page of one patch. */
const mostFiles = 500;
const mostMebibytes = 25;

/** A page to open, with all of its data loaded. */
interface LargePage {
	readonly name: string;
	/** Elements of the whole page, by selector. */
	readonly whole: Readonly<Record<string, number>>;
	readonly openIn: (tabs: PageTabs) => Promise<OpenedPage>;
	/** Opens it without a browser, until the host has no more to tell. Resolves to the number of messages. */
	readonly openAlone: () => Promise<number>;
}

/** Opens large pages with known data: in a browser as in a panel of the editor, and without one for the host's part. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { files, patches, mails, replies, runs } = sizes[size];
	const tabs = await pageTabs();
	const each = { linesEach, replies, commentsEach };
	const figures: Figure[] = [];
	for (const page of [
		await patchsetPage({ ...each, patches, filesEach: files / patches }),
		await patchsetPage({ ...each, patches: 1, filesEach: files }),
		await threadPage(mails),
	]) {
		figures.push(...(await figuresOf(tabs, page, runs)));
	}
	return figures;
}

async function patchsetPage(series: SeriesSizes): Promise<LargePage> {
	const { patchsetPage: page } = await import('../../src/features/review/patchset/patchsetFeature.ts');
	const { patches, filesEach, replies } = series;
	const connection = await largeReview(series);
	const parts = listsParts(fakeConnections(connection), systemClock);
	const subject = { kind: 'patchset', connectionKey: connection.key, ref: { list: largeList, id: 1 } } as const;
	const counts = [`${counted(patches * filesEach)} files`, `${counted(replies * commentsEach)} comments`];
	return largePage(
		`Page of a patchset, patches: ${patches}, ${counts.join(', ')}`,
		() => page(parts, subject, never),
		{
			'.patch': patches,
			'.patch .files li:not(.folder, .quiet)': patches * Math.min(mostFiles, filesEach),
			'.mail .mail-body': replies,
			'.mail .mail-body .quote': replies * commentsEach,
			'.patch .comments': Math.min(patches, replies),
		},
		undefined,
	);
}

async function threadPage(mails: number): Promise<LargePage> {
	const { threadPage: page } = await import('../../src/features/lists/thread/threadFeature.ts');
	const connection = await largeThread(mails);
	const all = await connection.lists.thread(largeList, 1, never);
	for (const { id } of all) {
		await connection.texts.read(id, never);
	}
	const parts = listsParts(fakeConnections(connection), systemClock);
	const mail = { kind: 'mail', connectionKey: connection.key, list: largeList, id: 1, messageId: undefined } as const;
	return largePage(
		`Page of a thread of ${counted(mails)} mails`,
		() => page(parts, mail),
		{ '.mail .mail-body': mails, '.mail .mail-body .quote': mails - 1 },
		0,
	);
}

/** `known`: what a new page says that it knows. */
function largePage<P extends Protocol>(
	name: string,
	content: () => PageContent<P>,
	whole: LargePage['whole'],
	known: 0 | undefined,
): LargePage {
	return {
		name,
		whole,
		openIn: (tabs) => openInBrowser(tabs, content(), { explain: String, carriesTexts: true }),
		async openAlone() {
			using owned = new Disposables();
			const quiet = owned.add(new Emitter<never>());
			const told: string[] = [];
			const page = content().connect({
				// As the editor's messages between processes.
				tell: (news, value) => void told.push(JSON.stringify({ news, value })),
				setTitle: () => undefined,
				mark: () => undefined,
				become: () => undefined,
				close: () => undefined,
				signal: never,
				owned,
				isWatched: () => true,
				isVisible: () => true,
				entry: undefined,
				onDidWant: quiet.event,
				onDidChangeWatched: quiet.event,
				onDidShow: quiet.event,
			});
			told.push(JSON.stringify(page.start) ?? '');
			const loaded = await answer(page.handlers, { kind: 'ask', id: 1, name: 'load', value: known }, String);
			told.push(JSON.stringify(loaded));
			for (let before = 0; before < told.length;) {
				before = told.length;
				await pause(200);
			}
			return told.length;
		},
	};
}

async function figuresOf(tabs: PageTabs, page: LargePage, runs: number): Promise<readonly Figure[]> {
	const opened: Opening[] = [];
	for (let run = 0; run < runs; run += 1) {
		opened.push(await openOnce(tabs, page));
	}
	let messages = 0;
	const host = await bestOf(runs, () => longestBlock(async () => (messages = await page.openAlone()), 1));
	const least = (of: (opening: Opening) => number): number => Math.min(...opened.map(of));
	const shown = least(({ longestMs }) => longestMs);
	const wholeSeconds = (least(({ wholeMs }) => wholeMs) / 1000).toFixed(1);
	const [there, here] = [least(({ pageBytes }) => pageBytes), least(({ hostBytes }) => hostBytes)];
	return [
		blockFigure(
			`${page.name}: longest block of the host or the page`,
			Math.max(host, shown),
			`CPU time in ms: host ${host.toFixed(1)} in ${messages} messages, page ${shown.toFixed(1)}; all of it there after ${wholeSeconds} s; best of ${runs} openings`,
		),
		mostFigure(
			`${page.name}: memory while it is open`,
			(there + here) / mebibyte,
			{ most: mostMebibytes, unit: ' MiB', digits: 1 },
			`${(there / mebibyte).toFixed(1)} MiB in the page above an empty one, ${(here / mebibyte).toFixed(1)} MiB in the host besides its mails`,
		),
	];
}

interface Opening {
	readonly longestMs: number;
	readonly wholeMs: number;
	readonly pageBytes: number;
	readonly hostBytes: number;
}

async function openOnce(tabs: PageTabs, { openIn, whole }: LargePage): Promise<Opening> {
	const end = Promise.withResolvers<void>();
	let longest = Promise.resolve(0);
	let emptyBytes = 0;
	const traced: PageTabs = {
		async open(wish) {
			const tab = await tabs.open(wish);
			emptyBytes = await heldByPage(tab.page);
			const begun = Promise.withResolvers<void>();
			longest = longestTaskMs(tab.page, () => {
				begun.resolve();
				return end.promise;
			});
			await begun.promise;
			return tab;
		},
	};
	const before = await memoryAtRest();
	const beganMs = performance.now();
	const opened = await openIn(traced);
	await opened.page.waitForFunction(isWhole, whole, { polling: 50 });
	const wholeMs = performance.now() - beganMs;
	end.resolve();
	const longestMs = await longest;
	assert.deepEqual(opened.incidents, []);
	const pageBytes = (await heldByPage(opened.page)) - emptyBytes;
	opened.forgetTold();
	const hostBytes = (await memoryAtRest()) - before;
	await opened.close();
	return { longestMs, wholeMs, pageBytes, hostBytes };
}

function isWhole(whole: Readonly<Record<string, number>>): boolean {
	return Object.entries(whole).every(([selector, count]) => document.querySelectorAll(selector).length === count);
}

/** Memory of scripts and elements. */
async function heldByPage(page: Page): Promise<number> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send('HeapProfiler.collectGarbage');
	const usage = await devtools.send('Runtime.getHeapUsage');
	await devtools.detach();
	// The types of the browser's protocol are older than the browser.
	const elements: unknown = Reflect.get(usage, 'embedderHeapUsedSize');
	assert.ok(typeof elements === 'number');
	return usage.usedSize + elements;
}

async function memoryAtRest(): Promise<number> {
	usedMemory();
	await nextTurn();
	return usedMemory();
}
