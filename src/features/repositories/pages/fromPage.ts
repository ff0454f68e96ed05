import * as vscode from 'vscode';
import type { Problems } from '../../../editor/ask/problems.ts';

/** Work that a page starts without waiting. */
export interface FromPage {
	readonly start: (work: Promise<unknown>) => void;
	readonly execute: (command: string, about: unknown) => void;
}

/** Not awaited: the command may ask a question, and an open question must not block the page. */
export function fromPage(problems: Problems): FromPage {
	const start = (work: Promise<unknown>): void => {
		work.catch((error: unknown) => problems.show(error));
	};
	return {
		start,
		execute: (command, about) => start(Promise.resolve(vscode.commands.executeCommand(command, about))),
	};
}
