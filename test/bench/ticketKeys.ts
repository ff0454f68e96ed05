import { chooseFromMenu, expand, treeItem, viewSection } from '../ui/support/user.ts';
import { clickAt, inBenchWindow, type BenchWindow } from './benchWindow.ts';
import { counted } from './figures.ts';
import { keyRatios, type Keys } from './keyRatios.ts';
import type { Figure, Size } from './measurement.ts';
import { downloadMany } from './openInEditor.ts';

const sizes = {
	full: { tickets: 10_000, warmUps: 1, rounds: 8 },
	smallest: { tickets: 200, warmUps: 0, rounds: 1 },
} as const;

const keys = {
	'Change Labels': { key: 'l', sight: 'box' },
	Assign: { key: 'a', sight: 'box' },
	'Set Status': { key: 's', sight: 'box' },
	'Mark as Read': { key: 'm', sight: 'row' },
} as const satisfies Keys;

/** In the real editor, over a large tracker: the keys of the daily work on a ticket. */
export function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, ...repeats } = sizes[size];
	// Assigning exists over GraphQL only.
	return inBenchWindow({ dialect: 'graphql', tickets }, (window) => measured(window, tickets, repeats));
}

async function measured(
	window: BenchWindow,
	tickets: number,
	repeats: { readonly warmUps: number; readonly rounds: number },
): Promise<readonly Figure[]> {
	const { page } = window;
	await downloadMany(page, tickets);
	await expand(page, /Tracker many/);
	await clickAt(page, page.locator('[role=treeitem][aria-level="2"]').first().boundingBox());
	return keyRatios(window, `of a ticket of ${counted(tickets)}`, keys, repeats, async (key) => {
		// The redraw of the whole list after the last change is no part of the next key.
		await treeItem(page, /^Tracker many(?!.* changed)/).waitFor();
		await page.keyboard.press('ArrowDown');
		if (key === keys['Mark as Read'].key) {
			const row = viewSection(page, 'Tickets').locator('.monaco-list-row.focused');
			await chooseFromMenu(page, (await row.getAttribute('aria-label')) ?? '', 'Mark as Unread');
			await treeItem(page, /^Tracker many.* 1 changed/).waitFor();
		}
	});
}
