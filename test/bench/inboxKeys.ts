import { eventually } from '../support/eventually.ts';
import { openContainer, openOnly, refreshInbox, treeItem, viewsAreAtRest, viewSection } from '../ui/support/user.ts';
import { inBenchWindow, type BenchWindow } from './benchWindow.ts';
import { keyRatios, type Keys } from './keyRatios.ts';
import type { Figure, Size } from './measurement.ts';

/** Each round takes two rows out of the Inbox. */
const sizes = {
	full: { things: 24, warmUps: 1, rounds: 8 },
	smallest: { things: 4, warmUps: 0, rounds: 1 },
} as const;

const keys = {
	'Mark as Read': { key: 'm', sight: 'row' },
	'Mark as Unread': { key: 'Shift+M', sight: 'row' },
	Snooze: { key: 'Shift+W', sight: 'box' },
	Mute: { key: 'x', sight: 'status' },
	'Mark as Done': { key: 'e', sight: 'row' },
} as const satisfies Keys;

/** In the real editor: the keys of the Inbox, which comments of others fill. */
export function measure(size: Size): Promise<readonly Figure[]> {
	const { things, ...repeats } = sizes[size];
	return inBenchWindow({}, (window) => measured(window, things, repeats));
}

async function measured(
	window: BenchWindow,
	things: number,
	repeats: { readonly warmUps: number; readonly rounds: number },
): Promise<readonly Figure[]> {
	const { page, forge } = window;
	await openContainer(page, 'Forge');
	await treeItem(page, /^Tracker lantern /).waitFor();
	const comment = (number: number): Promise<unknown> =>
		forge.act('/todo/comment', { ticket: `~alice/lantern#${number}`, by: 'bob', text: 'Can you look, ~alice?' });
	const refresh = async (): Promise<void> => {
		await refreshInbox(page);
		await openOnly(page, 'Inbox');
		await viewsAreAtRest(page);
	};
	// Comments before the first reading of the tracker are not new to the Inbox.
	await eventually(async () => {
		await comment(1);
		await refresh();
		return treeItem(page, /^Waiting for you, 1 item/).isVisible();
	}, true);
	for (let number = 2; number <= things; number += 1) {
		await comment(number);
	}
	await refresh();
	await treeItem(page, `Waiting for you, ${things} items`).waitFor();
	let left = things;
	return keyRatios(window, 'in the Inbox', keys, repeats, async (key) => {
		await treeItem(page, `Waiting for you, ${left} items`).waitFor();
		await viewsAreAtRest(page);
		await viewSection(page, 'Inbox').locator('.monaco-list').focus();
		await page.keyboard.press('Home');
		await page.keyboard.press('ArrowDown');
		await viewSection(page, 'Inbox').locator('.monaco-list-row.focused[aria-level="2"]').waitFor();
		left -= key === keys.Mute.key || key === keys['Mark as Done'].key ? 1 : 0;
	});
}
