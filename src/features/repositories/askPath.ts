import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { cancelled } from '../../editor/ask.ts';
import type { Problems } from '../../editor/problems.ts';
import { folderOf, isBlob, joined, nameOf, stepsOf } from '../../state/repositoryEntries.ts';
import { walkLimits, type WalkStep } from '../../state/repositoryWalk.ts';
import { shownName } from './words.ts';

interface PathItem extends vscode.QuickPickItem {
	readonly path: string;
}

/** The list is shown anew when it has grown by this much, because showing it costs as much as it is long. */
const growth = 1.5;
const firstShown = 50;

/**
 * Asks for a file. The files are listed as the walk finds them; a path that is typed in full is taken as well, before
 * the walk has come there. Throws `cancelled()` when the list is closed.
 */
export async function askPath(
	title: string,
	problems: Problems,
	walk: (signal: AbortSignal) => AsyncIterable<WalkStep>,
): Promise<string> {
	const pick = vscode.window.createQuickPick<PathItem>();
	const walking = new AbortController();
	pick.title = title;
	pick.placeholder = vscode.l10n.t('Type a part of the name, or the whole path');
	pick.matchOnDescription = true;
	pick.ignoreFocusOut = true;
	pick.busy = true;
	const answered = Promise.withResolvers<string>();
	const subscriptions = [
		pick.onDidAccept(() => {
			const path = pick.selectedItems[0]?.path ?? pick.value;
			if (path !== '' && stepsOf(path, walkLimits.depth) !== undefined) {
				answered.resolve(path);
			}
		}),
		pick.onDidHide(() => answered.reject(cancelled())),
	];
	pick.show();
	const listing = list(pick, walk(walking.signal)).catch((error: unknown) => {
		if (!isAbort(error)) {
			problems.log(error);
			// The list is open, and the whole path can still be typed.
			pick.title = problems.explain(error).message;
			pick.busy = false;
		}
	});
	try {
		return await answered.promise;
	} finally {
		walking.abort();
		for (const subscription of subscriptions) {
			subscription.dispose();
		}
		pick.dispose();
		await listing;
	}
}

async function list(pick: vscode.QuickPick<PathItem>, steps: AsyncIterable<WalkStep>): Promise<void> {
	const items: PathItem[] = [];
	let isWhole = true;
	let next = firstShown;
	for await (const step of steps) {
		if (step.kind === 'leftOut') {
			isWhole = false;
			continue;
		}
		for (const entry of step.entries) {
			if (isBlob(entry)) {
				items.push(pathItem(joined(step.path, entry.name)));
			}
		}
		if (items.length >= next) {
			next = items.length * growth;
			show(pick, items);
		}
	}
	show(pick, items);
	pick.busy = false;
	pick.placeholder = isWhole
		? vscode.l10n.t('{0} files', items.length)
		: vscode.l10n.t('The first {0} files. Others are found by typing the whole path.', items.length);
}

function show(pick: vscode.QuickPick<PathItem>, items: readonly PathItem[]): void {
	// What was chosen so far stays chosen while the list grows.
	const active = pick.activeItems[0]?.path;
	pick.items = [...items];
	const again = active === undefined ? undefined : items.find(({ path }) => path === active);
	if (again) {
		pick.activeItems = [again];
	}
}

function pathItem(path: string): PathItem {
	return { label: shownName(nameOf(path)), description: shownName(folderOf(path)), path };
}
