import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { FilterChoice, FilterRow } from './filterRows.ts';
import { nextAccepted, showRows } from './liveQuickPick.ts';
import { plainUnderBox } from './notify.ts';
import type { Problems } from './problems.ts';

/** Texts and parser of a filter box. */
export interface FilterQuestion {
	readonly title: string;
	/** An example of a filter. */
	readonly placeholder: string;
	/** The text to begin with. */
	readonly text: string;
	/** Help below valid text. */
	readonly hint: string;
	/** Problem of a text as a sentence; `undefined` if valid. */
	readonly complaint: (text: string) => string | undefined;
	/** `matching`: number of matches as text; `undefined` during the count. */
	readonly rows: (text: string, matching: string | undefined) => readonly FilterRow[];
	/** Counts the matches of a valid text. */
	readonly count: (text: string, signal: AbortSignal) => Promise<string>;
	/** The counted items changed. */
	readonly onDidChange: (listener: () => void) => Disposable;
}

/**
 * Asks for a filter. During typing it shows problems or the number of matches, and offers completions. Returns a valid
 * text, or `undefined` for no filter. Throws an abort if the user closes the box.
 */
export async function askFilterText(question: FilterQuestion, problems: Problems, signal: AbortSignal) {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<FilterRow>());
	let counting = new AbortController();
	owned.add({ dispose: () => counting.abort() });

	function draw(matching: string | undefined): void {
		const text = box.value;
		const complaint = question.complaint(text);
		box.prompt = complaint === undefined ? question.hint : plainUnderBox(complaint);
		showRows(box, question.rows(text, matching), isSame);
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
			problems.log(error);
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

/** The same row for the same text; how many things match may have changed. */
function isSame(one: FilterRow, other: FilterRow): boolean {
	return one.label === other.label && one.forText === other.forText && one.choice.kind === other.choice.kind;
}

/** The next choice. Rows may lag behind the text; Enter then accepts the text. */
async function nextChoice(box: vscode.QuickPick<FilterRow>, signal: AbortSignal): Promise<FilterChoice> {
	const row = await nextAccepted(box, signal);
	return row?.forText === box.value ? row.choice : { kind: 'take' };
}
