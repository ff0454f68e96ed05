import type { Ticket } from '../../../forge/ticket.ts';
import type { Mark } from '../../../forge/mark.ts';

/** What rows look like, as one number: rows that look as they did need no redraw, and a redraw takes clicks away. */
export interface RowFingerprint {
	add(ticket: Ticket, mark: Mark | undefined): void;
	value(): number;
}

/** Every change of a ticket on the forge changes its time; the rest tells what changes without it. */
export function rowFingerprint(): RowFingerprint {
	let sign = 17;
	const mix = (value: number): void => {
		sign = (Math.imul(sign, 31) + (value % 2_147_483_647)) % 2_147_483_647;
	};
	/** Few different words stand for thousands of tickets. */
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
