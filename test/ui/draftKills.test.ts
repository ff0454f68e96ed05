import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { counts, seed } from '../support/counts.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { limitMs, slownessNow } from '../support/pace.ts';
import { randomFrom } from '../support/randomFrom.ts';
import { testInProve } from '../support/testInProve.ts';
import { keptDrafts } from './support/keptDrafts.ts';
import { knowing } from './support/sampleWindow.ts';
import { clickRow, editorTab, expand, openOnly, pick, runCommand, treeItem, webview } from './support/user.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench, type Workbench } from './support/workbench.ts';

/** Text older than this must be on disk when the host dies. */
const oldMs = 1000;
/** The upper limit of a key press on an idle machine. If keys take longer, the limits scale with them. */
const usualKeyMs = 50;
/** The time that a busy machine may take to reload a window. */
const loadMs = 60_000;
/** A slow machine types slowly, so a second alone could pass without text. */
const leastKeys = 20;
/**
 * When a box closes over a page, the editor returns the keyboard in two steps (boxKeys.ts). A key between them gets
 * lost, so a draft without it proves nothing in this many rounds per place.
 */
const mostLostKeys = 3;
const ticket = 'The manual page contradicts';

/** A place where users write drafts. */
interface Place {
	readonly title: string;
	/** Opens it once, before the first kill. */
	readonly open: (page: Page) => Promise<void>;
	/** Focuses it; the first key replaces the whole text. */
	readonly enter: (page: Page) => Promise<void>;
	/** Its label in the list of drafts. */
	readonly listed: RegExp;
	/** Returns its text. */
	readonly read: (page: Page) => Promise<string>;
}

function editorLines(page: Page): Locator {
	return page.locator('.editor-group-container.active .editor-instance .view-lines');
}

function commentBox(page: Page): Locator {
	return webview(page).getByRole('textbox', { name: 'Your comment' });
}

const places: readonly Place[] = [
	{
		title: 'a comment',
		async open(page) {
			await openOnly(page, 'Tickets');
			await expand(page, /website/);
			await clickRow(page, new RegExp(ticket));
			await commentBox(page).waitFor();
		},
		async enter(page) {
			// Not by key: the editor handles that key too, and selects a second time later.
			await commentBox(page).selectText();
		},
		listed: /Comment on ~alice\/website#31/,
		read: (page) => commentBox(page).inputValue(),
	},
	{
		title: 'a new ticket',
		async open(page) {
			await openOnly(page, 'Tickets');
			await treeItem(page, /website/).waitFor();
			await runCommand(page, 'Forge: New Ticket…');
			await pick(page, /\/website/);
			await editorTab(page, 'New ticket in website').waitFor();
		},
		async enter(page) {
			await editorLines(page).click();
			await page.keyboard.press('ControlOrMeta+A');
		},
		listed: /New ticket in ~alice\/website/,
		// The editor renders no-break spaces, and wraps long lines.
		read: async (page) => (await editorLines(page).innerText()).replaceAll('\u00A0', ' ').replaceAll('\n', ''),
	},
];

/** Half of the kills for each place. */
const rounds = Math.ceil(counts({ small: 3, full: 100 }) / places.length);

/**
 * One dialect suffices: the possible loss is between keyboard and disk, and storing a draft sends no request.
 * drafts.test.ts covers both dialects.
 */
suite('drafts when the extension host dies', function () {
	this.timeout(rounds * 90_000 + 240_000);
	let forge: SampleForge;
	suiteSetup(async () => {
		forge = await borrowForge('field');
	});
	const workbenches = places.map((_, index) =>
		useWorkbench(() => ({ name: `draft-kills-${index}`, env: knowing(forge, 'alice') })),
	);
	suiteTeardown(() => giveBackForge(forge));

	testInProve(`keeps all text older than a second in ${rounds * places.length} kills`, async () => {
		// In separate editors in parallel, because most of the time is waiting.
		await Promise.all(places.map((place, index) => survives(workbenches[index]!(), place, randomFrom(seed() + index))));
	});
});

async function survives(desk: Workbench, place: Place, random: () => number): Promise<void> {
	const { page } = desk;
	let lostKeys = 0;
	await place.open(page);
	for (let round = 0; round < rounds; round++) {
		await place.enter(page);
		const { keys, secondMs } = await typeUntil(page, round, 300 + random() * 1000);
		// The previous window's host may still be shutting down.
		assert.ok(desk.killExtensionHosts() > 0);
		const diedAt = performance.now();
		const typed = keys.map(({ key }) => key).join('');
		const kept = Math.max(0, ...keptDrafts(desk).map((draft) => sharedLength(draft, typed)));
		const about = `${place.title}, kill ${round + 1}`;
		const shown = await place.read(page);
		if (shown.trim() === typed.trim()) {
			const lostMs = diedAt - (keys[kept]?.atMs ?? diedAt);
			assert.ok(lostMs < secondMs, `${about}: what is ${lostMs} ms old is not kept; a second takes ${secondMs} ms`);
		} else {
			lostKeys += 1;
			assert.ok(lostKeys <= mostLostKeys, `${about}: ${shown} is there, ${typed} was typed`);
		}
		await page.reload();
		await treeItem(page, /website/).waitFor({ timeout: limitMs(loadMs) });
		// The editor stores its open tabs later; a draft exists without its tab.
		await runCommand(page, 'Forge: Show Drafts…');
		await pick(page, place.listed);
		await shows(page, place, typed.slice(0, kept), about);
	}
}

interface Key {
	readonly key: string;
	/** When the page received the key. */
	readonly atMs: number;
}

interface Typing {
	readonly keys: readonly Key[];
	/** The length of a second on this machine, which may have been busy or paused. */
	readonly secondMs: number;
}

/** Types like a user, until a second and `forMs` more have passed. */
async function typeUntil(page: Page, round: number, forMs: number): Promise<Typing> {
	const keys: Key[] = [];
	const slowness = slownessNow();
	const start = performance.now();
	let longestMs = 0;
	for (let at = 0; ; at++) {
		const key = `round ${round} says the wick smokes `.charAt(at % 30) || 'x';
		const before = performance.now();
		await page.keyboard.press(key === ' ' ? 'Space' : key, { delay: 30 });
		const atMs = performance.now();
		keys.push({ key, atMs });
		longestMs = Math.max(longestMs, atMs - before);
		const keyMs = (atMs - start) / keys.length;
		// The host that stores the text competes for a core, even while keys still arrive immediately.
		const secondMs = oldMs * Math.max(slowness, keyMs / usualKeyMs) + longestMs;
		if (atMs - start > secondMs + forMs && keys.length >= leastKeys) {
			return { keys, secondMs };
		}
	}
}

/** The length of the common prefix of two texts. */
function sharedLength(one: string, other: string): number {
	const end = Array.from(one).findIndex((letter, at) => letter !== other[at]);
	return end < 0 ? one.length : end;
}

/** Resolves when the place shows a text with this beginning. */
async function shows(page: Page, { read }: Place, beginning: string, about: string): Promise<void> {
	const shown = async (): Promise<string> => {
		const text = await read(page).catch(() => 'nothing yet');
		return `${about}: ${text.startsWith(beginning) ? beginning : text}`;
	};
	await eventually(shown, `${about}: ${beginning}`, loadMs);
}
