import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Disposables } from '../../../base/lifecycle.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { askLive, type LiveBox } from '../../../editor/ask/askLive.ts';
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
	let index: PathIndex | undefined;
	let holding = new Disposables();
	let drawnFiles = 0;
	let drawnStanding: PathIndex['standing'] | undefined;

	const uriOf = (path: string): vscode.Uri =>
		uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref, at: { ref: at.ref, path } });

	function promptText(shown: PathIndex): string {
		const { standing } = shown;
		return standing.kind === 'failed'
			? vscode.l10n.t('{0} {1}', problems.explain(standing.error).message, indexText(shown))
			: indexText(shown);
	}

	/** Holding it anew reads on where reading stopped. */
	function hold(redraw: () => void): void {
		const before = holding;
		holding = new Disposables();
		if (index) {
			holding.add(index.onDidChange(() => (hasGrown() ? redraw() : undefined)));
			holding.add(index.hold());
		}
		before.dispose();
	}

	function hasGrown(): boolean {
		const files = index?.entries.length ?? 0;
		return index?.standing !== drawnStanding || files >= Math.max(most, drawnFiles * growth);
	}

	async function begin({ box, ended, redraw }: LiveBox<FileRow>): Promise<void> {
		try {
			index = await indexes.of(connection, ref, at, ended);
			if (!ended.aborted) {
				hold(redraw);
				redraw();
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

	try {
		return await askLive<FileRow, Answer>(
			(live) => {
				const { box } = live;
				const place = `${refText(ref)}${at.path === '' ? '' : `/${at.path}`}`;
				box.title = vscode.l10n.t('Open a file of {0} at {1}', shownName(place), shownName(at.ref));
				box.placeholder = vscode.l10n.t('Part of the name or path; add :12 to go to a line');
				box.busy = true;
				box.value = typed;
				void begin(live);
				return {
					async draw(drawing) {
						const shown = index;
						if (!shown) {
							return;
						}
						drawnFiles = shown.entries.length;
						drawnStanding = shown.standing;
						const forText = box.value;
						const { text } = typedPath(forText);
						const wish = { typed: text, limit: most, recent: recent.of(connection.key, ref) };
						const found = await runResting(rankPaths(wish, shown.entries), resting(clock), drawing);
						drawing.throwIfAborted();
						const rows = fileRows({ found, typed: forText, path: text.trim(), index: shown, uriOf });
						showRows(box, rows, { lookOf, isSame });
						box.busy = shown.standing.kind === 'reading';
						box.prompt = plainUnderBox(promptText(shown));
					},
					take({ choice }) {
						if (choice.kind === 'goOn') {
							index?.goOn();
							hold(live.redraw);
							return undefined;
						}
						return { choice, text: box.value, folders: index?.folders ?? [] };
					},
					takeText(text) {
						const path = typedPath(text).text.trim();
						return index || !isPath(path) ? undefined : { choice: { kind: 'open', path }, text, folders: [] };
					},
				};
			},
			problems,
			signal,
		);
	} finally {
		holding.dispose();
	}
}

function lookOf({ description, forText }: FileRow): string {
	return `${description ?? ''}\n${forText}`;
}

function isSame(one: FileRow, other: FileRow): boolean {
	return one.description === other.description && one.forText === other.forText;
}
