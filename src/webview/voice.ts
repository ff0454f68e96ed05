import { h } from './dom.ts';

/** How a page says what became of something that somebody did on it. */
export interface Voice {
	/** Where everybody sees it; both belong on the page. */
	readonly seen: HTMLElement;
	/** Where it is only heard. */
	readonly heard: HTMLElement;
	/** Tells people who do not see the page. */
	readonly say: (text: string) => void;
	/** Says `text` once it is done, or why it failed; what failed before is not said any more. */
	readonly done: (asked: Promise<unknown>, text?: string) => void;
}

/** To be made once for a page. */
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

/** Why the host refused, as the sentence that it gave. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
