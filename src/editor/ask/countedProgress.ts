import * as vscode from 'vscode';
import { withProgress, type ShownProgress } from './progress.ts';

/** Work on many things, announced with how many are done. */
export interface CountedWork {
	readonly title: string;
	readonly total: number;
	/** Signal of the extension. */
	readonly signal: AbortSignal;
}

/**
 * Runs work on many items. After a delay a notification counts them and offers to cancel. `work` gets a signal for the
 * cancel, and a function to call after each item.
 */
export function withCountedProgress<T>(
	{ title, total, signal }: CountedWork,
	work: (signal: AbortSignal, step: () => void) => Promise<T>,
): Promise<T> {
	let shown: ShownProgress | undefined;
	let done = 0;
	let told = 0;
	const tell = (): void => {
		const increment = (100 * (done - told)) / total;
		told = shown ? done : told;
		shown?.report({ message: vscode.l10n.t('{0} of {1}', done, total), increment });
	};
	const step = (): void => {
		done += 1;
		tell();
	};
	return withProgress(
		title,
		signal,
		(cancelled) => work(cancelled, step),
		(progress) => {
			shown = progress;
			tell();
		},
	);
}
