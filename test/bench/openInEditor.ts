import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import {
	chooseFromMenu,
	treeItem,
	expand,
	openContainer,
	quickInput,
	viewSection,
	viewsAreAtRest,
} from '../ui/support/user.ts';
import { clickAt, inBenchWindow, pressChord, type BenchWindow } from './benchWindow.ts';
import { blockFigure, counted, ratioFigure } from './figures.ts';
import { comparisonOf } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

/** Each round opens two new tickets. */
const sizes = {
	full: { tickets: 10_000, warmUps: 2, rounds: 15 },
	smallest: { tickets: 200, warmUps: 0, rounds: 1 },
} as const;

/**
 * In the real editor, over a large tracker: from the click on a row or the last key of a chord to a readable ticket, and
 * from the key of a step that finds no ticket to its answer. Each against a baseline, in turn in one window.
 */
export function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, ...repeats } = sizes[size];
	return inBenchWindow({ tickets }, (window) => measured(window, tickets, repeats));
}

async function measured(
	{ page, timeTo, blockDuring }: BenchWindow,
	tickets: number,
	{ warmUps, rounds }: { readonly warmUps: number; readonly rounds: number },
): Promise<readonly Figure[]> {
	await downloadMany(page, tickets);
	const rows = page.locator('[role=treeitem][aria-level="2"]');
	const unfolding = await blockDuring(async () => {
		await expand(page, /Tracker many/);
		await rows.nth(2 * (warmUps + rounds)).waitFor();
	});
	const times = { empty: new Array<number>(), clicked: new Array<number>(), next: new Array<number>() };
	const keys = { nothing: new Array<number>(), unread: new Array<number>() };
	for (let round = -warmUps; round < rounds; round++) {
		const empty = await timeTo('heading', () => clickAt(page, treeItem(page, 'An empty panel').boundingBox()));
		const clicked = await timeTo('heading', () => clickAt(page, rows.nth(2 * (round + warmUps)).boundingBox()));
		const next = await timeTo('heading', () => pressChord(page, 'n'));
		const nothing = await timeTo('status', () => pressChord(page, 'F9'));
		const unread = await timeTo('status', () => pressChord(page, 'Shift+N'));
		if (round >= 0) {
			times.empty.push(empty);
			times.clicked.push(clicked);
			times.next.push(next);
			keys.nothing.push(nothing);
			keys.unread.push(unread);
		}
	}
	const stepping = await blockDuring(() => timeTo('heading', () => pressChord(page, 'n')));
	const of = `of ${counted(tickets)}`;
	return [
		ratioFigure(
			'Click to a readable ticket in the editor, to an empty panel',
			1.3,
			comparisonOf(times.clicked, times.empty),
		),
		ratioFigure(
			`Next Ticket ${of} by key to a readable ticket, to an empty panel`,
			0.6,
			comparisonOf(times.next, times.empty),
		),
		ratioFigure(
			`Next Unread Ticket ${of} by key to the answer that there is none, to a key without effect`,
			1.1,
			comparisonOf(keys.unread, keys.nothing),
		),
		blockFigure(`First unfolding of a tracker ${of} tickets: longest block of the host`, unfolding, 'CPU time, once'),
		blockFigure(`Next Ticket ${of}: longest block of the host`, stepping, 'CPU time, once'),
	];
}

/** Shows the Tickets view, with all tickets of the large tracker loaded. */
export async function downloadMany(page: Page, tickets: number): Promise<void> {
	await openContainer(page, 'Forge');
	for (const title of ['Lists', 'Repositories']) {
		await viewSection(page, title).locator('.pane-header').click();
	}
	// The first counts redraw the rows. The editor hands over nothing for a row that it redraws, and the command asks.
	await eventually(async () => {
		await chooseFromMenu(page, /Tracker many/, 'Download All Tickets', 'More');
		await viewsAreAtRest(page);
		const isAsked = await quickInput(page).isVisible();
		if (isAsked) {
			await page.keyboard.press('Escape');
		}
		return isAsked;
	}, false);
	// A `+` marks a count of a part.
	await treeItem(page, new RegExp(`Tracker many.* [0-9,]+ open of ${counted(tickets)}`)).waitFor();
}
