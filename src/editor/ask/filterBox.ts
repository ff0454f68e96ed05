import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { FilterChoice, FilterRow } from './filterRows.ts';
import { nextAccepted } from './nextAccepted.ts';
import { plainUnderBox } from './notify.ts';
import type { Problems } from './problems.ts';
import { showRows } from './showRows.ts';

/** What is asked for, and how a typed text is understood. */
export interface FilterQuestion {
	readonly title: string;
	/** An example of a filter. */
	readonly placeholder: string;
	/** The text to begin with. */
	readonly text: string;
	/** What stands under the text while nothing is wrong in it. */
	readonly hint: string;
	/** What is wrong in a text, in a sentence; `undefined` when it can be taken. */
	readonly complaint: (text: string) => string | undefined;
	/** `matching`: how many things match, in words; `undefined` while they are being counted. */
	readonly rows: (text: string, matching: string | undefined) => readonly FilterRow[];
	/** Counts what matches a text that can be taken. */
	readonly count: (text: string, signal: AbortSignal) => Promise<string>;
	/** What is counted changed. */
	readonly onDidChange: (listener: () => void) => Disposable;
}

/**
 * Asks for a filter: says while it is typed what is wrong in it or how much matches, and offers what may come next.
 * Answers a text that can be taken, or `undefined` for no filter at all. Throws an abort when the box is closed.
 */
export async function askFilterText(
	question: FilterQuestion,
	problems: Pick<Problems, 'log'>,
	signal: AbortSignal,
): Promise<string | undefined> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<FilterRow>());
	let counting = new AbortController();
	owned.add({ dispose: () => counting.abort() });

	function draw(matching: string | undefined): void {
		const text = box.value;
		const complaint = question.complaint(text);
		box.prompt = complaint === undefined ? question.hint : plainUnderBox(complaint);
		showRows(box, question.rows(text, matching), { lookOf, isSame });
		if (complaint === undefined && matching === undefined) {
			void count(text);
		}
	}

	async function count(text: string): Promise<void> {
		if (question.complaint(text) !== undefined) {
			return;
		}
		counting.abort();
		counting = new AbortController();
		const counted = counting.signal;
		try {
			const matching = await question.count(text, AbortSignal.any([counted, signal]));
			if (!counted.aborted && box.value === text) {
				draw(matching);
			}
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
			}
		}
	}

	box.title = question.title;
	box.placeholder = question.placeholder;
	box.ignoreFocusOut = true;
	box.value = question.text;
	owned.add(box.onDidChangeValue(() => draw(undefined)));
	owned.add(question.onDidChange(() => void count(box.value)));
	draw(undefined);
	box.show();
	for (;;) {
		const choice = await nextChoice(box, signal);
		switch (choice.kind) {
			case 'clear':
				return undefined;
			case 'saved':
				return choice.text;
			case 'write':
				box.value = choice.text;
				draw(undefined);
				break;
			case 'take': {
				const text = box.value.trim();
				if (question.complaint(text) === undefined) {
					return text === '' ? undefined : text;
				}
				break;
			}
			case 'wrong':
		}
	}
}

function lookOf({ label, description, detail, forText }: FilterRow): string {
	return `${label}\n${description ?? ''}\n${detail ?? ''}\n${forText}`;
}

/** The same row for the same text; how many things match may have changed. */
function isSame(one: FilterRow, other: FilterRow): boolean {
	return one.label === other.label && one.forText === other.forText && one.choice.kind === other.choice.kind;
}

/**
 * What is chosen next. Rows may be older than the text by a moment; Enter then means the text.
 */
async function nextChoice(box: vscode.QuickPick<FilterRow>, signal: AbortSignal): Promise<FilterChoice> {
	const row = await nextAccepted(box, signal);
	return row?.forText === box.value ? row.choice : { kind: 'take' };
}
