import * as vscode from 'vscode';
import type { Problems } from '../../../editor/ask/problems.ts';

/** What a page begins without waiting for it. */
export interface FromPage {
	readonly start: (work: Promise<unknown>) => void;
	readonly execute: (command: string, about: unknown) => void;
}

/** Not awaited: what it opens may ask something, and a question that nobody answers must not keep the page busy. */
export function fromPage(problems: Pick<Problems, 'show'>): FromPage {
	const start = (work: Promise<unknown>): void => {
		work.catch((error: unknown) => problems.show(error));
	};
	return {
		start,
		execute: (command, about) => start(Promise.resolve(vscode.commands.executeCommand(command, about))),
	};
}
