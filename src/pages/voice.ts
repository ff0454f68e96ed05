import { h } from './dom.ts';

/** Feedback about the user's actions. Call once per page. */
export function voice() {
	const heard = h('div', { class: 'read-aloud', role: 'status' });
	const seen = h('p', { class: 'failure page-failure', role: 'alert' });
	const say = (text: string): void => {
		heard.textContent = text;
	};
	return {
		/** Visible element; add both elements to the page. */
		seen,
		/** Element for screen readers only. */
		heard,
		/** Announces to screen readers. */
		say,
		/** Announces `text` on success, or shows the error; clears an earlier error. */
		done: (asked: Promise<unknown>, text = ''): void => {
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
