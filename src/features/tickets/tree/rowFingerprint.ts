import type { Ticket } from '../../../forge/port/ticket.ts';
import type { Mark } from '../../../forge/port/mark.ts';

/** Fingerprint of the rows' appearance: unchanged rows need no redraw, and a redraw can swallow a click. */
export interface RowFingerprint {
	add(ticket: Ticket, mark: Mark | undefined): void;
	value(): number;
}

/** Every change on the forge updates the ticket's time; the other inputs change without it. */
export function rowFingerprint(): RowFingerprint {
	let sign = 17;
	const mix = (value: number): void => {
		sign = (Math.imul(sign, 31) + (value % 2_147_483_647)) % 2_147_483_647;
	};
	/** Thousands of tickets share a few words. */
	const words = new Map<string, number>();
	const mixWord = (word: string): void => {
		const known = words.get(word) ?? numberOf(word);
		words.set(word, known);
		mix(known);
	};
	return {
		add({ id, updatedMs, title, status, resolution, labels, assignees }, mark) {
			mix(id);
			mix(updatedMs);
			mix(title.length);
			mixWord(status);
			mixWord(resolution);
			mix(labels.length * 100 + assignees.length);
			labels.forEach(mixWord);
			assignees.forEach(({ canonicalName }) => mixWord(canonicalName));
			mix(mark?.length ?? 0);
		},
		value: () => sign,
	};
}

function numberOf(word: string): number {
	let sum = 7;
	for (let at = 0; at < word.length; at += 1) {
		sum = (Math.imul(sum, 31) + word.charCodeAt(at)) >>> 0;
	}
	return sum;
}
