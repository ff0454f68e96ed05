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

/** What is older than this when the host dies has to be on the disk. */
const oldMs = 1000;
/** What a key takes at most on a machine that has time for it. Where it takes longer, so does all that is done with it. */
const usualKeyMs = 50;
/** How long a busy machine may take to load a window anew. */
const loadMs = 60_000;
/** A slow machine types slowly, and a second of it would be nothing. */
const leastKeys = 20;
/**
 * When a box closes over a page, the editor gives the keyboard back in two steps (boxKeys.ts), and a key between them goes
 * nowhere: it stands in no place, and is no draft. So many rounds of a place tell nothing because of that.
 */
const mostLostKeys = 3;
const ticket = 'The manual page contradicts';

/** A place in which drafts are written. */
interface Place {
	readonly title: string;
	/** Opens it once, before the first kill. */
	readonly open: (page: Page) => Promise<void>;
	/** Puts the caret there; everything that stood there goes with the first key. */
	readonly enter: (page: Page) => Promise<void>;
	/** How the list of drafts calls it. */
	readonly listed: RegExp;
	/** What stands there. */
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
			// Not by key: the editor takes that key too, and selects once more a little later.
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
		// The editor writes blanks that do not break, and breaks long lines.
		read: async (page) => (await editorLines(page).innerText()).replaceAll('\u00A0', ' ').replaceAll('\n', ''),
	},
];

/** Half of the kills each. */
const rounds = Math.ceil(counts({ small: 3, full: 100 }) / places.length);

/**
 * Over one dialect only: what a kill can lose lies between the keyboard and the disk, and keeping a draft asks the forge
 * nothing. Drafts over either dialect are in drafts.test.ts.
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

	testInProve(`nothing that was typed a second before is lost in ${rounds * places.length} kills`, async () => {
		// In editors of their own, and at the same time, because most of it is waiting.
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
		// The host of the window before may still be about to end.
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
		// The editor writes out which tabs are open when it finds the time; a draft is there without its tab.
		await runCommand(page, 'Forge: Show Drafts…');
		await pick(page, place.listed);
		await shows(page, place, typed.slice(0, kept), about);
	}
}

interface Key {
	readonly key: string;
	/** When the page had taken it. */
	readonly atMs: number;
}

interface Typing {
	readonly keys: readonly Key[];
	/** How long a second was on this machine: it may have been busy, or have stood still. */
	readonly secondMs: number;
}

/** Types as a person does, and goes on until a second and `forMs` more have passed. */
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
		// The host that keeps what was typed waits for a core as everybody does, also while keys are still heard at once.
		const secondMs = oldMs * Math.max(slowness, keyMs / usualKeyMs) + longestMs;
		if (atMs - start > secondMs + forMs && keys.length >= leastKeys) {
			return { keys, secondMs };
		}
	}
}

/** How far two texts begin in the same way. */
function sharedLength(one: string, other: string): number {
	const end = Array.from(one).findIndex((letter, at) => letter !== other[at]);
	return end < 0 ? one.length : end;
}

/** Resolves once the place shows a text that begins so. */
async function shows(page: Page, { read }: Place, beginning: string, about: string): Promise<void> {
	const shown = async (): Promise<string> => {
		const text = await read(page).catch(() => 'nothing yet');
		return `${about}: ${text.startsWith(beginning) ? beginning : text}`;
	};
	await eventually(shown, `${about}: ${beginning}`, loadMs);
}
