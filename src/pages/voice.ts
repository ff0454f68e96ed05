import { h } from './dom.ts';

/** Feedback about the user's actions. */
export interface Voice {
	/** Visible element; add both elements to the page. */
	readonly seen: HTMLElement;
	/** Element for screen readers only. */
	readonly heard: HTMLElement;
	/** Announces to screen readers. */
	readonly say: (text: string) => void;
	/** Announces `text` on success, or shows the error; clears an earlier error. */
	readonly done: (asked: Promise<unknown>, text?: string) => void;
}

/** Call once per page. */
export function voice(): Voice {
	const heard = h('div', { class: 'read-aloud', role: 'status' });
	const seen = h('p', { class: 'failure page-failure', role: 'alert' });
	const say = (text: string): void => {
		heard.textContent = text;
	};
	return {
		seen,
		heard,
		say,
		done(asked, text = '') {
			seen.textContent = '';
			asked.then(
				() => say(text),
				(error: unknown) => {
					seen.textContent = reasonOf(error);
				},
			);
		},
	};
}

/** The host's error sentence. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
