import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Disposables } from '../../../base/lifecycle.ts';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { plainUnderBox } from '../../../editor/ask/notify.ts';
import { showRows } from '../../../editor/ask/showRows.ts';
import { refText } from '../../../forge/namedRef.ts';
import { rankPaths } from '../../../search/paths/rankPaths.ts';
import { typedPath } from '../../../search/paths/typedPath.ts';
import { runResting, resting } from '../../../base/timeSlice.ts';
import type { PathIndex } from '../../../state/repositories/find/pathIndex.ts';
import { uriOfPlace } from '../subjects/placeUri.ts';
import { shownName } from '../subjects/words.ts';
import { fileRows, indexText, isPath, type FileRow } from './fileRows.ts';
import type { FindParts } from './findParts.ts';
import type { FileSearch, ChosenFile } from '../questions/fileSearch.ts';

/** As many files are offered; typing on narrows them. */
const most = 100;

/** While the index is read the rows are drawn anew when it has grown by this much, because drawing costs as much as it is long. */
const growth = 1.5;

/**
 * Asks for a file by a part of its name, among those that are known so far; a path typed in full is taken as well. Files
 * looked at lately come first. Throws an abort when the box is closed.
 */
export async function goToFile(parts: FindParts, where: FileSearch, signal: AbortSignal): Promise<ChosenFile> {
	let at = where.at;
	let typed = '';
	for (;;) {
		const { choice, text, folders } = await askFile(parts, { ...where, at }, typed, signal);
		if (choice.kind === 'open') {
			// A name may well end like a line; what was typed means a line only when it is not the name itself.
			const { line, column } = choice.path === text ? typedPath('') : typedPath(text);
			return { path: choice.path, line, column };
		}
		at = { ref: at.ref, path: await askFolder(folders) };
		typed = text;
	}
}

function askFolder(folders: readonly string[]): Promise<string> {
	const rows = folders.map((path) => ({ label: shownName(path), iconPath: vscode.ThemeIcon.Folder, value: path }));
	return choose(vscode.l10n.t('Choose a folder to search in'), rows);
}

interface Answer {
	readonly choice: Exclude<FileRow['choice'], { readonly kind: 'goOn' }>;
	readonly text: string;
	readonly folders: readonly string[];
}

async function askFile(
	{ indexes, recent, clock, problems }: FindParts,
	{ connection, ref, at }: FileSearch,
	typed: string,
	signal: AbortSignal,
): Promise<Answer> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<FileRow>());
	const closing = new AbortController();
	owned.add({ dispose: () => closing.abort() });
	const ended = AbortSignal.any([closing.signal, signal]);
	const { promise, resolve, reject } = Promise.withResolvers<Answer>();
	let index: PathIndex | undefined;
	let holding = new Disposables();
	owned.add({ dispose: () => holding.dispose() });
	let ranking = new AbortController();
	/** Enter was pressed before the rows for the text were there, and nothing was typed since. */
	let isAwaited = false;
	let drawnFiles = 0;
	let drawnStanding: PathIndex['standing'] | undefined;

	const uriOf = (path: string): vscode.Uri =>
		uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref, at: { ref: at.ref, path } });

	async function draw(): Promise<void> {
		ranking.abort();
		ranking = new AbortController();
		const stop = AbortSignal.any([ranking.signal, ended]);
		const shown = index;
		if (!shown) {
			return;
		}
		drawnFiles = shown.entries.length;
		drawnStanding = shown.standing;
		const forText = box.value;
		const { text } = typedPath(forText);
		const wish = { typed: text, limit: most, recent: recent.of(connection.key, ref) };
		const found = await runResting(rankPaths(wish, shown.entries), resting(clock), stop);
		if (stop.aborted) {
			return;
		}
		const rows = fileRows({ found, typed: forText, path: text.trim(), index: shown, uriOf });
		showRows(box, rows, { lookOf, isSame });
		box.busy = shown.standing.kind === 'reading';
		box.prompt = plainUnderBox(promptText(shown));
		const [first] = rows;
		if (isAwaited && first) {
			take(first);
		}
		isAwaited = false;
	}

	function promptText(shown: PathIndex): string {
		const { standing } = shown;
		return standing.kind === 'failed'
			? vscode.l10n.t('{0} {1}', problems.explain(standing.error).message, indexText(shown))
			: indexText(shown);
	}

	function drawn(): void {
		draw().catch(problems.log);
	}

	function grown(): void {
		const files = index?.entries.length ?? 0;
		if (index?.standing !== drawnStanding || files >= Math.max(most, drawnFiles * growth)) {
			drawn();
		}
	}

	function take({ choice }: FileRow): void {
		if (choice.kind === 'goOn') {
			index?.goOn();
			hold();
			return;
		}
		resolve({ choice, text: box.value, folders: index?.folders ?? [] });
	}

	/** Holding it anew reads on where reading stopped. */
	function hold(): void {
		const before = holding;
		holding = new Disposables();
		if (index) {
			holding.add(index.onDidChange(grown));
			holding.add(index.hold());
		}
		before.dispose();
	}

	async function begin(): Promise<void> {
		try {
			index = await indexes.of(connection, ref, at, ended);
			if (!ended.aborted) {
				hold();
				drawn();
			}
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
				// The box is open, and the whole path can still be typed.
				box.prompt = plainUnderBox(problems.explain(error).message);
				box.busy = false;
			}
		}
	}

	const place = `${refText(ref)}${at.path === '' ? '' : `/${at.path}`}`;
	box.title = vscode.l10n.t('Open a file of {0} at {1}', shownName(place), shownName(at.ref));
	box.placeholder = vscode.l10n.t('Part of the name or path; add :12 to go to a line');
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	box.busy = true;
	box.value = typed;
	owned.add(
		box.onDidChangeValue(() => {
			isAwaited = false;
			drawn();
		}),
	);
	owned.add(box.onDidHide(() => reject(cancelled())));
	owned.add(
		box.onDidAccept(() => {
			const [row] = box.selectedItems;
			const { text } = typedPath(box.value);
			if (row?.forText === box.value) {
				take(row);
			} else if (index) {
				isAwaited = true;
				drawn();
			} else if (isPath(text.trim())) {
				resolve({ choice: { kind: 'open', path: text.trim() }, text: box.value, folders: [] });
			}
		}),
	);
	const giveUp = (): void => reject(cancelled());
	signal.addEventListener('abort', giveUp, { once: true });
	owned.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	box.show();
	void begin();
	return await promise;
}

function lookOf({ description, forText }: FileRow): string {
	return `${description ?? ''}\n${forText}`;
}

function isSame(one: FileRow, other: FileRow): boolean {
	return one.description === other.description && one.forText === other.forText;
}
