import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { cancelled } from './ask.ts';
import type { Problems } from './problems.ts';

/** A row, with the typed text that it was drawn for. */
export interface TypedRow extends vscode.QuickPickItem {
	readonly forText: string;
}

/** An open box whose rows depend on the typed text. */
export interface LiveBox<Row extends TypedRow> {
	readonly box: vscode.QuickPick<Row>;
	/** Aborts when the box closes. */
	readonly ended: AbortSignal;
	/** Call when the rows of the same text changed. */
	readonly redraw: () => void;
}

/** The rows of a live box. */
export interface LiveRows<Row extends TypedRow, T> {
	/** Draws the rows of the text in the box. The signal aborts when the text changes. */
	readonly draw: (signal: AbortSignal) => Promise<void>;
	/** The answer of a row; `undefined` leaves the box open. */
	readonly take: (row: Row) => T | undefined;
	/** The answer of a text that has no rows yet. */
	readonly takeText?: (text: string) => T | undefined;
}

/**
 * Asks with rows that follow the typed text. Enter before the rows of the text waits for the first of them. Throws an
 * abort when the box closes.
 */
export async function liveQuickPick<Row extends TypedRow, T>(
	rowsOf: (live: LiveBox<Row>) => LiveRows<Row, T>,
	problems: Problems,
	signal: AbortSignal,
): Promise<T> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<Row>());
	const closing = new AbortController();
	owned.add({ dispose: () => closing.abort() });
	const ended = AbortSignal.any([closing.signal, signal]);
	const { promise, resolve, reject } = Promise.withResolvers<T>();
	let drawing = new AbortController();
	/** Enter came before the rows of the text. */
	let isAwaited = false;

	async function draw(): Promise<void> {
		drawing.abort();
		drawing = new AbortController();
		await rows.draw(AbortSignal.any([drawing.signal, ended]));
		const [first] = box.items;
		if (isAwaited && first?.forText === box.value) {
			answer(rows.take(first));
		}
		isAwaited = false;
	}

	function redraw(): void {
		draw().catch(problems.log);
	}

	function answer(value: T | undefined): void {
		if (value !== undefined) {
			resolve(value);
		}
	}

	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	const rows = rowsOf({ box, ended, redraw });
	owned.add(
		box.onDidChangeValue(() => {
			isAwaited = false;
			redraw();
		}),
	);
	owned.add(box.onDidHide(() => reject(cancelled())));
	owned.add(
		box.onDidAccept(() => {
			const [row] = box.selectedItems;
			if (row?.forText === box.value) {
				return answer(rows.take(row));
			}
			const value = rows.takeText?.(box.value);
			if (value !== undefined) {
				return resolve(value);
			}
			isAwaited = true;
			redraw();
		}),
	);
	const giveUp = (): void => reject(cancelled());
	signal.addEventListener('abort', giveUp, { once: true });
	owned.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	redraw();
	box.show();
	return await promise;
}

/**
 * Updates a box's rows and preserves the selection: the active row stays active while it exists, and unchanged rows
 * stay untouched. `isSame`: the same row, perhaps with another look.
 */
export function showRows<T extends TypedRow>(
	box: vscode.QuickPick<T>,
	rows: readonly T[],
	isSame: (one: T, other: T) => boolean,
): void {
	if (rows.map(lookOf).join('\n') === box.items.map(lookOf).join('\n')) {
		return;
	}
	const [chosen] = box.activeItems;
	const top = box.items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
	// Until the editor has drawn new rows, the active one is of earlier rows, and says nothing.
	const isMoved = chosen !== undefined && chosen !== top && box.items.includes(chosen);
	box.items = rows;
	const again = isMoved ? rows.find((row) => isSame(row, chosen)) : undefined;
	if (again) {
		box.activeItems = [again];
	}
}

function lookOf({ label, description, detail, forText }: TypedRow): string {
	return [label, description, detail, forText].join('\n');
}

/** The next row accepted with Enter; `undefined` if there is none. Throws `cancelled()` if the user closes the box. */
export async function nextAccepted<T extends vscode.QuickPickItem>(
	box: vscode.QuickPick<T>,
	signal: AbortSignal,
): Promise<T | undefined> {
	if (signal.aborted) {
		throw cancelled();
	}
	using listening = new Disposables();
	const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
	const giveUp = (): void => reject(cancelled());
	listening.add(box.onDidAccept(() => resolve(box.selectedItems[0])));
	listening.add(box.onDidHide(giveUp));
	signal.addEventListener('abort', giveUp, { once: true });
	listening.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	return await promise;
}
