import * as vscode from 'vscode';
import { withoutLinks } from './notify.ts';

/** Delay before the notification: shorter work would only flicker. */
const patienceMs = 700;

export type ShownProgress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>;

/**
 * Runs work while the user waits. After a delay a notification shows `title` and offers to cancel, which aborts the
 * work's signal. `announced` receives the notification's progress.
 */
export async function withProgress<T>(
	title: string,
	signal: AbortSignal,
	work: (signal: AbortSignal) => Promise<T>,
	announced: (shown: ShownProgress) => void = () => undefined,
): Promise<T> {
	const cancelling = new AbortController();
	const running = work(AbortSignal.any([signal, cancelling.signal]));
	const announce = setTimeout(() => {
		void vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
			async (progress: ShownProgress, token) => {
				const subscription = token.onCancellationRequested(() => cancelling.abort());
				announced(progress);
				try {
					await running;
				} catch {
					// The caller gets the rejection.
				} finally {
					subscription.dispose();
				}
			},
		);
	}, patienceMs);
	try {
		return await running;
	} finally {
		clearTimeout(announce);
	}
}

/** Work on many things, announced with how many are done. */
interface CountedWork {
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
