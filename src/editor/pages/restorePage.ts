import type * as vscode from 'vscode';
import { isRecord } from '../commands/subjects.ts';

/** Fills a page after a reload; `state` is the page's stored state. */
export type RestorePage = (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;

/** Stored state is untrusted: closes a page if `subjectOf` rejects it. */
export function restorePage<Subject>(
	subjectOf: (kept: unknown) => Subject | undefined,
	fill: (panel: vscode.WebviewPanel, subject: Subject) => void,
): RestorePage {
	return async (panel, state) => {
		const subject = subjectOf(isRecord(state) ? state['subject'] : undefined);
		if (subject === undefined) {
			panel.dispose();
		} else {
			fill(panel, subject);
		}
		await Promise.resolve();
	};
}
